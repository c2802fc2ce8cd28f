//! SSE4.1: 4 lanes, two streams.

use core::arch::x86_64::*;

use super::Message;
use super::lanes::{self, Words};
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "ssse3,sse4.1")]
pub(crate) unsafe fn hash_pairs<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { lanes::hash_pairs::<__m128i, M, 2>(pairs, nodes) }
}

impl Words for __m128i {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller's CPU has SSE4.1, here and below.
        unsafe { _mm_set1_epi32(word as i32) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm_add_epi32(self, other) }
    }

    #[inline(always)]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm_xor_si128(_mm_xor_si128(a, b), c) }
    }

    #[inline(always)]
    unsafe fn rotate<const R: i32, const L: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { _mm_or_si128(_mm_srli_epi32::<R>(self), _mm_slli_epi32::<L>(self)) }
    }

    #[inline(always)]
    unsafe fn shift_right<const R: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { _mm_srli_epi32::<R>(self) }
    }

    #[inline(always)]
    unsafe fn choice(e: Self, f: Self, g: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm_xor_si128(g, _mm_and_si128(e, _mm_xor_si128(f, g))) }
    }

    #[inline(always)]
    unsafe fn majority(a: Self, b: Self, c: Self) -> Self {
        // `a ^ b` is the next round's `b ^ c`, so the compiler computes it once.
        // SAFETY: as above.
        unsafe { _mm_xor_si128(b, _mm_and_si128(_mm_xor_si128(a, b), _mm_xor_si128(b, c))) }
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 16] {
        // SAFETY: reads 64 bytes of each of 4 pairs, unaligned.
        unsafe {
            let mut words = [_mm_setzero_si128(); 16];
            for quarter in 0..4 {
                let mut rows = [_mm_setzero_si128(); 4];
                for (lane, row) in rows.iter_mut().enumerate() {
                    *row = swap_bytes(_mm_loadu_si128(pairs.add(lane).cast::<Self>().add(quarter)));
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
                    _mm_storeu_si128(nodes.add(lane).cast::<Self>().add(half), swap_bytes(row));
                }
            }
        }
    }
}

/// Rows of 4 words to columns.
#[inline(always)]
unsafe fn transpose([r, s, t, u]: [__m128i; 4]) -> [__m128i; 4] {
    // SAFETY: the caller's CPU has SSE4.1, here and below.
    unsafe {
        let (a, b) = (_mm_unpacklo_epi32(r, s), _mm_unpackhi_epi32(r, s));
        let (c, d) = (_mm_unpacklo_epi32(t, u), _mm_unpackhi_epi32(t, u));
        [
            _mm_unpacklo_epi64(a, c),
            _mm_unpackhi_epi64(a, c),
            _mm_unpacklo_epi64(b, d),
            _mm_unpackhi_epi64(b, d),
        ]
    }
}

/// Each word's bytes in reverse.
#[inline(always)]
pub(super) unsafe fn swap_bytes(words: __m128i) -> __m128i {
    // SAFETY: as above.
    unsafe { _mm_shuffle_epi8(words, _mm_set_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203)) }
}
