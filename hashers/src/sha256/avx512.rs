//! AVX-512: 16 lanes, up to three streams, with the rounds in assembly.

mod rounds;

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use self::rounds::{Block, Work};
use super::Message;
use super::lanes::{self, Words};
use crate::{Node, Pair};

/// Hashes all pairs, 16, 32 or 48 at a time: calls of about 270, 390 and 530 ns, whether all lanes have a pair or not. Those
/// with a byte before them, 16 or 32 at a time.
///
/// Only one of them for all pairs of a batch, since its code takes some 300 ns to get into the instruction cache.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) unsafe fn hash_pairs<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    let n = pairs.len();
    let idle_of_48 = n.next_multiple_of(48) - n;
    // SAFETY: the caller's promise.
    unsafe {
        match (M::PREFIX, n) {
            (None, 0..=16) => hash_groups::<M, 1, 1>(pairs, nodes, rounds::compress_1),
            (None, 17..=32) => hash_groups::<M, 2, 1>(pairs, nodes, rounds::compress_2),
            (None, 33..=256) if idle_of_48 >= 16 => hash_groups::<M, 2, 1>(pairs, nodes, rounds::compress_2),
            (None, _) => hash_groups::<M, 3, 1>(pairs, nodes, rounds::compress_3),
            (Some(_), 0..=16) => hash_groups::<M, 1, 2>(pairs, nodes, rounds::compress_1_with_second),
            (Some(_), _) => hash_groups::<M, 2, 2>(pairs, nodes, rounds::compress_2_with_second),
        }
    }
}

const LANES: usize = 16;

/// Hashes `STREAMS` groups of 16 pairs at a time, in the end with idle lanes.
///
/// # Safety
///
/// As for every kernel.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn hash_groups<M: Message, const STREAMS: usize, const BLOCKS: usize>(
    pairs: &[Pair],
    nodes: &mut [Node],
    compress: Compress<STREAMS, BLOCKS>,
) {
    let chunk = STREAMS * LANES;
    let mut copy = [MaybeUninit::uninit(); 3 * LANES];
    let mut work = Work::<STREAMS, BLOCKS>::uninit();
    let mut now = core::ptr::null();
    for (i, nodes) in nodes.chunks_mut(chunk).enumerate() {
        let later = &pairs[i * chunk + nodes.len()..];
        // SAFETY: `whole_chunk` gives pointers to `chunk` pairs; the CPU has the features, and each schedule its first words,
        // be it from here or from the call before.
        unsafe {
            if i == 0 || !Work::<STREAMS, BLOCKS>::PRELOADS {
                now = whole_chunk(&pairs[i * chunk..], chunk, &mut copy);
                for (s, schedule) in work.schedule.iter_mut().enumerate() {
                    begin::<M>(&mut schedule.blocks, Words::load(now.add(s * LANES)));
                }
            }
            if Work::<STREAMS, BLOCKS>::PRELOADS && !later.is_empty() {
                now = whole_chunk(later, chunk, &mut copy);
            }
            compress(&mut work, now, nodes.as_ptr());
        }
        for (nodes, state) in nodes.chunks_mut(LANES).zip(&work.state) {
            // SAFETY: `compress` has written the states; each group has room for the nodes that it is given.
            unsafe { store_group(state.assume_init(), nodes) };
        }
    }
}

/// Sets the first words of a schedule, from those of a group's pairs.
#[inline(always)]
unsafe fn begin<M: Message>(blocks: &mut [Block], mut pairs: [__m512i; 16]) {
    if let (Some(prefix), [_, second]) = (M::PREFIX, &mut *blocks) {
        // SAFETY: the caller's CPU has AVX-512F and BW.
        unsafe { second.first.write(lanes::second_block(lanes::prepend(prefix, &mut pairs))) };
    }
    blocks[0].first.write(pairs);
}

/// One of `rounds::compress_*`.
type Compress<const STREAMS: usize, const BLOCKS: usize> =
    unsafe fn(&mut Work<STREAMS, BLOCKS>, *const Pair, *const Node);

/// The first `chunk` of `pairs`; if there are fewer, a copy with pairs of zeros after them.
#[inline(always)]
fn whole_chunk(pairs: &[Pair], chunk: usize, copy: &mut [MaybeUninit<Pair>; 3 * LANES]) -> *const Pair {
    if pairs.len() >= chunk {
        return pairs.as_ptr();
    }
    let (some, idle) = copy[..chunk].split_at_mut(pairs.len());
    some.write_copy_of_slice(pairs);
    idle.fill(MaybeUninit::zeroed());
    copy.as_ptr().cast()
}

/// Writes the nodes of up to 16 lanes.
#[inline(always)]
unsafe fn store_group(state: [__m512i; 8], nodes: &mut [Node]) {
    // SAFETY: the caller's CPU has AVX-512F and BW; writes 16 nodes.
    unsafe {
        match nodes.first_chunk_mut::<LANES>() {
            Some(group) => Words::store(state, group.as_mut_ptr()),
            None => {
                let mut copy = [[0; 32]; LANES];
                Words::store(state, copy.as_mut_ptr());
                nodes.copy_from_slice(&copy[..nodes.len()]);
            }
        }
    }
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
            let mut words = [_mm512_setzero_si512(); 16];
            for quarter in 0..4 {
                let mut rows = [_mm512_setzero_si512(); 4];
                for (i, rows) in rows.iter_mut().enumerate() {
                    // By 16 bytes: buffers are often aligned to that, and then none of these loads crosses a cache line.
                    let block =
                        |j: usize| _mm_loadu_si128(pairs.add(4 * j + i).cast::<__m128i>().add(quarter));
                    let fours = _mm512_castsi128_si512(block(0));
                    let fours = _mm512_inserti32x4::<1>(fours, block(1));
                    let fours = _mm512_inserti32x4::<2>(fours, block(2));
                    *rows = swap_bytes(_mm512_inserti32x4::<3>(fours, block(3)));
                }
                words[4 * quarter..4 * quarter + 4].copy_from_slice(&transpose_words(rows));
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store([a, b, c, d, e, f, g, h]: [Self; 8], nodes: *mut Node) {
        // SAFETY: writes 32 bytes of each of 16 nodes, unaligned.
        unsafe {
            // In block `j` of `low[k]`, words 0 to 3 of row `4 * j + k`; in `high[k]`, words 4 to 7.
            let (low, high) = (transpose_words([a, b, c, d]), transpose_words([e, f, g, h]));
            for k in [0, 2] {
                let rows = transpose_blocks([low[k], high[k], low[k + 1], high[k + 1]]);
                for (j, two_rows) in rows.into_iter().enumerate() {
                    _mm512_storeu_si512(nodes.add(4 * j + k).cast(), swap_bytes(two_rows));
                }
            }
        }
    }
}

/// In each 128-bit block, rows of 4 words to columns.
#[inline(always)]
unsafe fn transpose_words([r, s, t, u]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller's CPU has AVX-512F and BW, here and below.
    unsafe {
        let (a, b) = (_mm512_unpacklo_epi32(r, s), _mm512_unpackhi_epi32(r, s));
        let (c, d) = (_mm512_unpacklo_epi32(t, u), _mm512_unpackhi_epi32(t, u));
        [
            _mm512_unpacklo_epi64(a, c),
            _mm512_unpackhi_epi64(a, c),
            _mm512_unpacklo_epi64(b, d),
            _mm512_unpackhi_epi64(b, d),
        ]
    }
}

/// Rows of 4 blocks of 128 bits to columns.
#[inline(always)]
pub(crate) unsafe fn transpose_blocks([r, s, t, u]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: as above.
    unsafe {
        let (a, b) = (_mm512_shuffle_i64x2::<0x44>(r, s), _mm512_shuffle_i64x2::<0xee>(r, s));
        let (c, d) = (_mm512_shuffle_i64x2::<0x44>(t, u), _mm512_shuffle_i64x2::<0xee>(t, u));
        [
            _mm512_shuffle_i64x2::<0x88>(a, c),
            _mm512_shuffle_i64x2::<0xdd>(a, c),
            _mm512_shuffle_i64x2::<0x88>(b, d),
            _mm512_shuffle_i64x2::<0xdd>(b, d),
        ]
    }
}

/// Each word's bytes in reverse.
#[inline(always)]
unsafe fn swap_bytes(words: __m512i) -> __m512i {
    // SAFETY: as above.
    unsafe {
        let order = _mm_set_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
        _mm512_shuffle_epi8(words, _mm512_broadcast_i32x4(order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rfc6962::Interior;
    use crate::sha256::Alone;

    /// The textbook's rounds on the same lanes, as the compiler makes them.
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn by_intrinsics<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
        // SAFETY: the caller's promise.
        unsafe { lanes::hash_pairs::<__m512i, M, 2>(pairs, nodes) }
    }

    fn assert_agreement<M: Message>() {
        if let Err(why) = crate::find("sha256/avx512").unwrap().availability() {
            println!("did not run: {why}");
            return;
        }
        let mut pairs = [[0; 64]; 300];
        for (i, byte) in pairs.as_flattened_mut().iter_mut().enumerate() {
            *byte = (i * i % 251) as u8;
        }
        for n in 0..=pairs.len() {
            let (mut nodes, mut expected) = ([[0; 32]; 300], [[0; 32]; 300]);
            // SAFETY: the backend is available; the lengths are equal.
            unsafe {
                hash_pairs::<M>(&pairs[..n], &mut nodes[..n]);
                by_intrinsics::<M>(&pairs[..n], &mut expected[..n]);
            }
            assert_eq!(nodes, expected, "{n} pairs");
        }
    }

    #[test]
    fn the_assembly_agrees_with_the_intrinsics() {
        assert_agreement::<Alone>();
        assert_agreement::<Interior>();
    }
}
