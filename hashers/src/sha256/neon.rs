//! NEON: 4 lanes, two streams.

use core::arch::aarch64::*;

use super::Message;
use super::lanes::{self, Words};
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "neon")]
pub(crate) unsafe fn hash_pairs<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { lanes::hash_pairs::<uint32x4_t, M, 2>(pairs, nodes) }
}

impl Words for uint32x4_t {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller's CPU has NEON, here and below.
        unsafe { vdupq_n_u32(word) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { vaddq_u32(self, other) }
    }

    #[inline(always)]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { veorq_u32(veorq_u32(a, b), c) }
    }

    #[inline(always)]
    unsafe fn rotate<const R: i32, const L: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { vsriq_n_u32::<R>(vshlq_n_u32::<L>(self), self) }
    }

    #[inline(always)]
    unsafe fn shift_right<const R: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { vshrq_n_u32::<R>(self) }
    }

    #[inline(always)]
    unsafe fn choice(e: Self, f: Self, g: Self) -> Self {
        // SAFETY: as above.
        unsafe { vbslq_u32(e, f, g) }
    }

    #[inline(always)]
    unsafe fn majority(a: Self, b: Self, c: Self) -> Self {
        // Where `a` and `b` differ, `c` decides.
        // SAFETY: as above.
        unsafe { vbslq_u32(veorq_u32(a, b), c, b) }
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 16] {
        // SAFETY: reads 64 bytes of each of 4 pairs, unaligned.
        unsafe {
            let mut words = [vdupq_n_u32(0); 16];
            for quarter in 0..4 {
                let mut rows = [vdupq_n_u32(0); 4];
                for (lane, row) in rows.iter_mut().enumerate() {
                    *row = swap_bytes(vld1q_u8(pairs.add(lane).cast::<u8>().add(16 * quarter)));
                }
                words[4 * quarter..4 * quarter + 4].copy_from_slice(&transpose(rows));
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store([a, b, c, d, e, f, g, h]: [Self; 8], nodes: *mut Node) {
        // SAFETY: writes 32 bytes of each of 4 nodes, unaligned.
        unsafe {
            for (half, words) in [[a, b, c, d], [e, f, g, h]].into_iter().enumerate() {
                for (lane, row) in transpose(words).into_iter().enumerate() {
                    let bytes = vrev32q_u8(vreinterpretq_u8_u32(row));
                    vst1q_u8(nodes.add(lane).cast::<u8>().add(16 * half), bytes);
                }
            }
        }
    }
}

/// Rows of 4 words to columns.
#[inline(always)]
unsafe fn transpose([r, s, t, u]: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
    // SAFETY: the caller's CPU has NEON, here and below.
    unsafe {
        // Words 0 and 2, 1 and 3 of two rows.
        let (a, b) = (vreinterpretq_u64_u32(vtrn1q_u32(r, s)), vreinterpretq_u64_u32(vtrn2q_u32(r, s)));
        let (c, d) = (vreinterpretq_u64_u32(vtrn1q_u32(t, u)), vreinterpretq_u64_u32(vtrn2q_u32(t, u)));
        [
            vreinterpretq_u32_u64(vtrn1q_u64(a, c)),
            vreinterpretq_u32_u64(vtrn1q_u64(b, d)),
            vreinterpretq_u32_u64(vtrn2q_u64(a, c)),
            vreinterpretq_u32_u64(vtrn2q_u64(b, d)),
        ]
    }
}

/// Words from their big-endian bytes.
#[inline(always)]
pub(super) unsafe fn swap_bytes(bytes: uint8x16_t) -> uint32x4_t {
    // SAFETY: as above.
    unsafe { vreinterpretq_u32_u8(vrev32q_u8(bytes)) }
}
