//! AVX2: 8 lanes, two streams.

use core::arch::x86_64::*;

use super::Message;
use super::lanes::{self, Words};
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "avx,avx2")]
pub(crate) unsafe fn hash_pairs<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { lanes::hash_pairs::<__m256i, M, 2>(pairs, nodes) }
}

impl Words for __m256i {
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller's CPU has AVX2, here and below.
        unsafe { _mm256_set1_epi32(word as i32) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm256_add_epi32(self, other) }
    }

    #[inline(always)]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(_mm256_xor_si256(a, b), c) }
    }

    #[inline(always)]
    unsafe fn rotate<const R: i32, const L: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { _mm256_or_si256(_mm256_srli_epi32::<R>(self), _mm256_slli_epi32::<L>(self)) }
    }

    #[inline(always)]
    unsafe fn shift_right<const R: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { _mm256_srli_epi32::<R>(self) }
    }

    #[inline(always)]
    unsafe fn choice(e: Self, f: Self, g: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(g, _mm256_and_si256(e, _mm256_xor_si256(f, g))) }
    }

    #[inline(always)]
    unsafe fn majority(a: Self, b: Self, c: Self) -> Self {
        // `a ^ b` is the next round's `b ^ c`, so the compiler computes it once.
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(b, _mm256_and_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(b, c))) }
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 16] {
        // SAFETY: reads 64 bytes of each of 8 pairs, unaligned.
        unsafe {
            let mut words = [_mm256_setzero_si256(); 16];
            for half in 0..2 {
                let mut rows = [_mm256_setzero_si256(); 8];
                for (lane, row) in rows.iter_mut().enumerate() {
                    *row = swap_bytes(_mm256_loadu_si256(pairs.add(lane).cast::<Self>().add(half)));
                }
                words[8 * half..8 * half + 8].copy_from_slice(&transpose(rows));
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], nodes: *mut Node) {
        // SAFETY: writes 32 bytes of each of 8 nodes, unaligned.
        unsafe {
            for (lane, row) in transpose(words).into_iter().enumerate() {
                _mm256_storeu_si256(nodes.add(lane).cast(), swap_bytes(row));
            }
        }
    }
}

/// Rows of 8 words to columns.
#[inline(always)]
unsafe fn transpose([r, s, t, u, v, w, x, y]: [__m256i; 8]) -> [__m256i; 8] {
    // SAFETY: the caller's CPU has AVX2, here and below.
    unsafe {
        let ([a, b, c, d], [e, f, g, h]) = (transpose_halves([r, s, t, u]), transpose_halves([v, w, x, y]));
        [
            _mm256_permute2x128_si256::<0x20>(a, e),
            _mm256_permute2x128_si256::<0x20>(b, f),
            _mm256_permute2x128_si256::<0x20>(c, g),
            _mm256_permute2x128_si256::<0x20>(d, h),
            _mm256_permute2x128_si256::<0x31>(a, e),
            _mm256_permute2x128_si256::<0x31>(b, f),
            _mm256_permute2x128_si256::<0x31>(c, g),
            _mm256_permute2x128_si256::<0x31>(d, h),
        ]
    }
}

/// In each 128-bit half, rows of 4 words to columns.
#[inline(always)]
unsafe fn transpose_halves([r, s, t, u]: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: as above.
    unsafe {
        let (a, b) = (_mm256_unpacklo_epi32(r, s), _mm256_unpackhi_epi32(r, s));
        let (c, d) = (_mm256_unpacklo_epi32(t, u), _mm256_unpackhi_epi32(t, u));
        [
            _mm256_unpacklo_epi64(a, c),
            _mm256_unpackhi_epi64(a, c),
            _mm256_unpacklo_epi64(b, d),
            _mm256_unpackhi_epi64(b, d),
        ]
    }
}

/// Each word's bytes in reverse.
#[inline(always)]
unsafe fn swap_bytes(words: __m256i) -> __m256i {
    // SAFETY: as above.
    unsafe {
        let order = _mm_set_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
        _mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(order))
    }
}
