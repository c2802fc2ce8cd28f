//! AVX2: 8 lanes, two streams.

use core::arch::x86_64::*;

use super::lanes::{self, Words};
use crate::cpu::Feature;
use crate::{Node, Pair};

pub(crate) const REQUIRES: &[Feature] = &[Feature::Avx512f, Feature::Avx512bw];

/// Hashes all pairs.
///
/// # Safety
///
/// As for every kernel: equal lengths, and the features of `REQUIRES`.
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) unsafe fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { lanes::hash_pairs::<__m512i, 2>(pairs, nodes) }
}

impl Words for __m512i {
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller's CPU has AVX-512F and BW, here and below.
        unsafe { _mm512_set1_epi32(word as i32) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_add_epi32(self, other) }
    }

    #[inline(always)]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_ternarylogic_epi32::<0x96>(a, b, c) }
    }

    #[inline(always)]
    unsafe fn rotate<const R: i32, const L: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_ror_epi32::<R>(self) }
    }

    #[inline(always)]
    unsafe fn shift_right<const R: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_srl_epi32(self, _mm_cvtsi32_si128(R)) }
    }

    #[inline(always)]
    unsafe fn choice(e: Self, f: Self, g: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_ternarylogic_epi32::<0xca>(e, f, g) }
    }

    #[inline(always)]
    unsafe fn majority(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_ternarylogic_epi32::<0xe8>(a, b, c) }
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 16] {
        // SAFETY: reads 64 bytes of each of 16 pairs, unaligned.
        unsafe {
            let rows = core::array::from_fn(|lane| _mm512_loadu_si512(pairs.add(lane).cast()));
            transpose(rows).map(|words| swap_bytes(words))
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], nodes: *mut Node) {
        // SAFETY: writes 32 bytes of each of 16 nodes, unaligned.
        unsafe {
            for (pair, rows) in transpose_nodes(words).into_iter().enumerate() {
                _mm512_storeu_si512(nodes.add(2 * pair).cast(), swap_bytes(rows));
            }
        }
    }
}

/// In each 128-bit block, rows of 4 words to columns.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose_blocks([r, s, t, u]: [__m512i; 4]) -> [__m512i; 4] {
    let (a, b) = (_mm512_unpacklo_epi32(r, s), _mm512_unpackhi_epi32(r, s));
    let (c, d) = (_mm512_unpacklo_epi32(t, u), _mm512_unpackhi_epi32(t, u));
    [
        _mm512_unpacklo_epi64(a, c),
        _mm512_unpackhi_epi64(a, c),
        _mm512_unpacklo_epi64(b, d),
        _mm512_unpackhi_epi64(b, d),
    ]
}

/// Rows of 4 blocks of 128 bits to columns.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose_rows([r, s, t, u]: [__m512i; 4]) -> [__m512i; 4] {
    let (a, b) = (_mm512_shuffle_i64x2::<0x44>(r, s), _mm512_shuffle_i64x2::<0xee>(r, s));
    let (c, d) = (_mm512_shuffle_i64x2::<0x44>(t, u), _mm512_shuffle_i64x2::<0xee>(t, u));
    [
        _mm512_shuffle_i64x2::<0x88>(a, c),
        _mm512_shuffle_i64x2::<0xdd>(a, c),
        _mm512_shuffle_i64x2::<0x88>(b, d),
        _mm512_shuffle_i64x2::<0xdd>(b, d),
    ]
}

/// 16 rows of 16 words to columns.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose(r: [__m512i; 16]) -> [__m512i; 16] {
    // Block `j` of the rows' fours, then its words as columns.
    let fours = [0, 4, 8, 12].map(|i| transpose_blocks([r[i], r[i + 1], r[i + 2], r[i + 3]]));
    // fours[i][word][block j] has word `4 * j + word` of rows `4 * i..4 * i + 4`.
    let columns = [0, 1, 2, 3].map(|word| transpose_rows(fours.map(|four| four[word])));
    core::array::from_fn(|i| columns[i % 4][i / 4])
}

/// 8 columns of 16 words to 16 rows, two in each vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose_nodes([a, b, c, d, e, f, g, h]: [__m512i; 8]) -> [__m512i; 8] {
    let (low, high) = (transpose_blocks([a, b, c, d]), transpose_blocks([e, f, g, h]));
    // low[k][block j] has words 0 to 3 of row `4 * j + k`, high words 4 to 7.
    let rows = |k: usize| transpose_rows([low[k], high[k], low[k + 1], high[k + 1]]);
    let (even, odd) = (rows(0), rows(2));
    core::array::from_fn(|i| if i % 2 == 0 { even[i / 2] } else { odd[i / 2] })
}

/// Each word's bytes in reverse.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_bytes(words: __m512i) -> __m512i {
    let order = _mm_set_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
    _mm512_shuffle_epi8(words, _mm512_broadcast_i32x4(order))
}
