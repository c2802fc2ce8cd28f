//! WebAssembly's 128-bit vectors: 4 lanes, two streams.
//!
//! Part of the module only when it is built with `-C target-feature=+simd128`.

use core::arch::wasm32::*;

use super::Message;
use super::lanes::{self, Words};
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "simd128")]
pub(crate) unsafe fn hash_pairs<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { lanes::hash_pairs::<v128, M, 2>(pairs, nodes) }
}

impl Words for v128 {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        u32x4_splat(word)
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        u32x4_add(self, other)
    }

    #[inline(always)]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        v128_xor(v128_xor(a, b), c)
    }

    #[inline(always)]
    unsafe fn rotate<const R: i32, const L: i32>(self) -> Self {
        v128_or(u32x4_shr(self, R as u32), u32x4_shl(self, L as u32))
    }

    #[inline(always)]
    unsafe fn shift_right<const R: i32>(self) -> Self {
        u32x4_shr(self, R as u32)
    }

    #[inline(always)]
    unsafe fn choice(e: Self, f: Self, g: Self) -> Self {
        v128_bitselect(f, g, e)
    }

    #[inline(always)]
    unsafe fn majority(a: Self, b: Self, c: Self) -> Self {
        // Where `a` and `b` differ, `c` decides.
        v128_bitselect(c, b, v128_xor(a, b))
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 16] {
        // SAFETY: reads 64 bytes of each of 4 pairs, unaligned.
        unsafe {
            let mut words = [u32x4_splat(0); 16];
            for quarter in 0..4 {
                let mut rows = [u32x4_splat(0); 4];
                for (lane, row) in rows.iter_mut().enumerate() {
                    *row = swap_bytes(v128_load(pairs.add(lane).cast::<Self>().add(quarter)));
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
                    v128_store(nodes.add(lane).cast::<Self>().add(half), swap_bytes(row));
                }
            }
        }
    }
}

/// Rows of 4 words to columns.
#[inline(always)]
unsafe fn transpose([r, s, t, u]: [v128; 4]) -> [v128; 4] {
    let (a, b) = (u32x4_shuffle::<0, 4, 1, 5>(r, s), u32x4_shuffle::<2, 6, 3, 7>(r, s));
    let (c, d) = (u32x4_shuffle::<0, 4, 1, 5>(t, u), u32x4_shuffle::<2, 6, 3, 7>(t, u));
    [
        u64x2_shuffle::<0, 2>(a, c),
        u64x2_shuffle::<1, 3>(a, c),
        u64x2_shuffle::<0, 2>(b, d),
        u64x2_shuffle::<1, 3>(b, d),
    ]
}

/// Each word's bytes in reverse.
#[inline(always)]
unsafe fn swap_bytes(words: v128) -> v128 {
    u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(words, words)
}
