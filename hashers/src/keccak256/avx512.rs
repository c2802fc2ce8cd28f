//! AVX-512: 8 lanes.

use core::arch::x86_64::*;

use super::lanes::{self, Words};
use crate::sha256::avx512::transpose_blocks;
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "avx512f")]
pub(crate) unsafe fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { lanes::hash_pairs::<__m512i>(pairs, nodes) }
}

impl Words for __m512i {
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        // SAFETY: the caller's CPU has AVX-512F, here and below.
        unsafe { _mm512_set1_epi64(word as i64) }
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_xor_si512(self, other) }
    }

    #[inline(always)]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_ternarylogic_epi64::<0x96>(a, b, c) }
    }

    #[inline(always)]
    unsafe fn xor_rotated(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { self.xor(_mm512_rol_epi64::<1>(other)) }
    }

    #[inline(always)]
    unsafe fn xor_rotate<const L: i32, const R: i32>(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_rol_epi64::<L>(self.xor(other)) }
    }

    #[inline(always)]
    unsafe fn xor_without(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_ternarylogic_epi64::<0xd2>(self, b, c) }
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 8] {
        // SAFETY: reads 64 bytes of each of 8 pairs, unaligned.
        unsafe {
            // In block `j` of `even[k]`, word `2 * j` of pairs `2 * k` and `2 * k + 1`; in `odd[k]`, word `2 * j + 1`.
            let (mut even, mut odd) = ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
            for k in 0..4 {
                let left = _mm512_loadu_si512(pairs.add(2 * k).cast());
                let right = _mm512_loadu_si512(pairs.add(2 * k + 1).cast());
                even[k] = _mm512_unpacklo_epi64(left, right);
                odd[k] = _mm512_unpackhi_epi64(left, right);
            }
            let ([a, c, e, g], [b, d, f, h]) = (transpose_blocks(even), transpose_blocks(odd));
            [a, b, c, d, e, f, g, h]
        }
    }

    #[inline(always)]
    unsafe fn store([a, b, c, d]: [Self; 4], nodes: *mut Node) {
        // SAFETY: writes 32 bytes of each of 8 nodes, unaligned.
        unsafe {
            // In block `j`, two words of node `2 * j`, then of node `2 * j + 1`.
            let even = [_mm512_unpacklo_epi64(a, b), _mm512_unpacklo_epi64(c, d)];
            let odd = [_mm512_unpackhi_epi64(a, b), _mm512_unpackhi_epi64(c, d)];
            for (j, two_nodes) in transpose_blocks([even[0], even[1], odd[0], odd[1]]).into_iter().enumerate()
            {
                _mm512_storeu_si512(nodes.add(2 * j).cast(), two_nodes);
            }
        }
    }
}
