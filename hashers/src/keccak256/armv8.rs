//! ARMv8's SHA3 instructions: 2 lanes.

use core::arch::aarch64::*;

use super::lanes::{self, Words};
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "neon,sha3")]
pub(crate) unsafe fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { lanes::hash_pairs::<uint64x2_t>(pairs, nodes) }
}

impl Words for uint64x2_t {
    const LANES: usize = 2;

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        // SAFETY: the caller's CPU has NEON, here and below.
        unsafe { vdupq_n_u64(word) }
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { veorq_u64(self, other) }
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        veor3q_u64(a, b, c)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    unsafe fn xor_rotated(self, other: Self) -> Self {
        vrax1q_u64(self, other)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    unsafe fn xor_rotate<const L: i32, const R: i32>(self, other: Self) -> Self {
        vxarq_u64::<R>(self, other)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    unsafe fn xor_without(self, b: Self, c: Self) -> Self {
        vbcaxq_u64(self, c, b)
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 8] {
        // SAFETY: reads 64 bytes of each of 2 pairs, unaligned.
        unsafe {
            let mut words = [vdupq_n_u64(0); 8];
            for i in 0..4 {
                let [left, right] = [0, 1].map(|lane| pairs.add(lane).cast::<u8>().add(16 * i));
                let (left, right) =
                    (vreinterpretq_u64_u8(vld1q_u8(left)), vreinterpretq_u64_u8(vld1q_u8(right)));
                words[2 * i] = vtrn1q_u64(left, right);
                words[2 * i + 1] = vtrn2q_u64(left, right);
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store([a, b, c, d]: [Self; 4], nodes: *mut Node) {
        // SAFETY: writes 32 bytes of each of 2 nodes, unaligned.
        unsafe {
            for (lane, [left, right]) in
                [[vtrn1q_u64(a, b), vtrn1q_u64(c, d)], [vtrn2q_u64(a, b), vtrn2q_u64(c, d)]]
                    .into_iter()
                    .enumerate()
            {
                let node = nodes.add(lane).cast::<u8>();
                vst1q_u8(node, vreinterpretq_u8_u64(left));
                vst1q_u8(node.add(16), vreinterpretq_u8_u64(right));
            }
        }
    }
}
