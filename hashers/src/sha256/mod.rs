//! SHA-256 of a pair: the compression of its 64 bytes, then of a padding block that is the same for all pairs.
//!
//! The kernels also hash other messages made of a pair; see [`Message`].

pub(crate) mod auto;
pub(crate) mod foreign;
pub(crate) mod hashtree;
pub(crate) mod portable;

#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128"),
))]
mod lanes;
mod message;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod streams;

use message::PADDING;
pub(crate) use message::{Alone, Message};

#[cfg(target_arch = "aarch64")]
pub(crate) mod armv8;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
#[cfg(target_arch = "x86_64")]
pub(crate) mod shani;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;
#[cfg(target_arch = "x86_64")]
pub(crate) mod sse41;

/// The state before the first block. FIPS 180-4, section 5.3.3.
const INITIAL: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// The rounds' constants. FIPS 180-4, section 4.2.2.
const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The padding block's schedule with the rounds' constants added.
const PADDING_K: [u32; 64] = {
    let mut w = [0; 64];
    let mut t = 0;
    while t < 64 {
        w[t] = if t < 16 { PADDING[t] } else { schedule(w[t - 2], w[t - 7], w[t - 15], w[t - 16]) };
        t += 1;
    }
    t = 0;
    while t < 64 {
        w[t] = w[t].wrapping_add(K[t]);
        t += 1;
    }
    w
};

/// The next word of the message schedule. FIPS 180-4, section 6.2.2, step 1.
const fn schedule(w2: u32, w7: u32, w15: u32, w16: u32) -> u32 {
    let s0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ (w15 >> 3);
    let s1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ (w2 >> 10);
    w16.wrapping_add(s0).wrapping_add(w7).wrapping_add(s1)
}
