//! AVX2: 4 lanes.

use core::arch::x86_64::*;

use super::lanes::{self, Words};
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "avx,avx2")]
pub(crate) unsafe fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { lanes::hash_pairs::<__m256i>(pairs, nodes) }
}

impl Words for __m256i {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        // SAFETY: the caller's CPU has AVX2, here and below.
        unsafe { _mm256_set1_epi64x(word as i64) }
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(self, other) }
    }

    #[inline(always)]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { a.xor(b).xor(c) }
    }

    #[inline(always)]
    unsafe fn xor_rotated(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { self.xor(rotate::<1, 63>(other)) }
    }

    #[inline(always)]
    unsafe fn xor_rotate<const L: i32, const R: i32>(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { rotate::<L, R>(self.xor(other)) }
    }

    #[inline(always)]
    unsafe fn xor_without(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { self.xor(_mm256_andnot_si256(b, c)) }
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 8] {
        // SAFETY: reads 64 bytes of each of 4 pairs, unaligned.
        unsafe {
            let mut words = [_mm256_setzero_si256(); 8];
            for half in 0..2 {
                let mut rows = [_mm256_setzero_si256(); 4];
                for (lane, row) in rows.iter_mut().enumerate() {
                    *row = _mm256_loadu_si256(pairs.add(lane).cast::<Self>().add(half));
                }
                words[4 * half..4 * half + 4].copy_from_slice(&transpose(rows));
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 4], nodes: *mut Node) {
        // SAFETY: writes 32 bytes of each of 4 nodes, unaligned.
        unsafe {
            for (lane, row) in transpose(words).into_iter().enumerate() {
                _mm256_storeu_si256(nodes.add(lane).cast(), row);
            }
        }
    }
}

/// Rotates each word left by `L`; `R` is the rest of 64.
#[inline(always)]
unsafe fn rotate<const L: i32, const R: i32>(words: __m256i) -> __m256i {
    // SAFETY: the caller's CPU has AVX2, here and below.
    unsafe { _mm256_or_si256(_mm256_slli_epi64::<L>(words), _mm256_srli_epi64::<R>(words)) }
}

/// Rows of 4 words to columns.
#[inline(always)]
unsafe fn transpose([r, s, t, u]: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: as above.
    unsafe {
        let (a, b) = (_mm256_unpacklo_epi64(r, s), _mm256_unpackhi_epi64(r, s));
        let (c, d) = (_mm256_unpacklo_epi64(t, u), _mm256_unpackhi_epi64(t, u));
        [
            _mm256_permute2x128_si256::<0x20>(a, c),
            _mm256_permute2x128_si256::<0x20>(b, d),
            _mm256_permute2x128_si256::<0x31>(a, c),
            _mm256_permute2x128_si256::<0x31>(b, d),
        ]
    }
}
