//! SHA-NI: up to four streams.
//!
//! SHA-256's instructions only have the two-operand encoding, but the moves, shuffles and sums around them also have
//! AVX's three-operand one and save most moves in it. CPUs with SHA-NI and without AVX exist, so there are two forms of
//! the one kernel.

use core::arch::x86_64::*;

use super::sse41::swap_bytes;
use super::streams::{self, ShaUnit};
use super::{INITIAL, Message};
use crate::cpu::{self, Feature, Support};
use crate::{Node, Pair};

/// Hashes all pairs in the form that this CPU can run.
///
/// # Safety
///
/// Equal lengths, SSSE3, SSE4.1 and SHA.
pub(crate) unsafe fn hash_pairs<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise, and AVX where it is used.
    unsafe {
        match cpu::support(Feature::Avx) {
            Support::Usable => hash_pairs_avx::<M>(pairs, nodes),
            _ => hash_pairs_sse::<M>(pairs, nodes),
        }
    }
}

/// The form without AVX.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "ssse3,sse4.1,sha")]
pub(crate) unsafe fn hash_pairs_sse<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    #[target_feature(enable = "ssse3,sse4.1,sha")]
    #[inline(never)]
    unsafe fn many<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
        // SAFETY: the caller's promise.
        unsafe { streams::hash_many::<Shani, M>(pairs, nodes, many::<M>) }
    }
    // SAFETY: as above.
    unsafe { streams::hash_pairs::<Shani, M>(pairs, nodes, many::<M>) }
}

/// The form with AVX's encodings.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "ssse3,sse4.1,avx,sha")]
pub(crate) unsafe fn hash_pairs_avx<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    #[target_feature(enable = "ssse3,sse4.1,avx,sha")]
    #[inline(never)]
    unsafe fn many<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
        // SAFETY: the caller's promise.
        unsafe { streams::hash_many::<Shani, M>(pairs, nodes, many::<M>) }
    }
    // SAFETY: as above.
    unsafe { streams::hash_pairs::<Shani, M>(pairs, nodes, many::<M>) }
}

enum Shani {}

/// The order that the instructions want: words A, B, E, F, and C, D, G, H, each from high to low.
#[derive(Clone, Copy)]
struct State {
    abef: __m128i,
    cdgh: __m128i,
}

impl ShaUnit for Shani {
    type Quad = __m128i;
    type State = State;

    #[inline(always)]
    unsafe fn initial() -> State {
        const ABEF: [u32; 4] = [INITIAL[5], INITIAL[4], INITIAL[1], INITIAL[0]];
        const CDGH: [u32; 4] = [INITIAL[7], INITIAL[6], INITIAL[3], INITIAL[2]];
        // SAFETY: needs only the CPU features, here and below.
        unsafe { State { abef: Self::splat(&ABEF), cdgh: Self::splat(&CDGH) } }
    }

    #[inline(always)]
    unsafe fn rounds(State { abef, cdgh }: State, wk: __m128i) -> State {
        // SAFETY: as above.
        unsafe {
            // Two rounds by the two low words, two by the two high ones. Each makes the new ABEF; the old one is CDGH.
            let next = _mm_sha256rnds2_epu32(cdgh, abef, wk);
            State { abef: _mm_sha256rnds2_epu32(abef, next, _mm_shuffle_epi32::<0x0e>(wk)), cdgh: next }
        }
    }

    #[inline(always)]
    unsafe fn schedule([w0, w4, w8, w12]: [__m128i; 4]) -> __m128i {
        // SAFETY: as above.
        unsafe {
            let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), _mm_alignr_epi8::<4>(w12, w8));
            _mm_sha256msg2_epu32(sum, w12)
        }
    }

    #[inline(always)]
    unsafe fn splat(words: &[u32; 4]) -> __m128i {
        // SAFETY: reads the 16 bytes of the array.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn add(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: as above.
        unsafe { _mm_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn add_states(a: State, b: State) -> State {
        // SAFETY: as above.
        unsafe { State { abef: Self::add(a.abef, b.abef), cdgh: Self::add(a.cdgh, b.cdgh) } }
    }

    #[inline(always)]
    unsafe fn keep_in_memory<const STREAMS: usize>(w: &mut [[__m128i; 4]; STREAMS]) {
        if STREAMS > 2 {
            // SAFETY: does nothing; the compiler must assume that it reads and writes `w`.
            unsafe { core::arch::asm!("/* {0} */", in(reg) w, options(nostack, preserves_flags)) }
        }
    }

    #[inline(always)]
    unsafe fn fetch(at: *const u8) {
        // SAFETY: a hint, at any address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
    }

    #[inline(always)]
    unsafe fn load(bytes: *const [u8; 16]) -> __m128i {
        // SAFETY: reads 16 bytes, unaligned.
        unsafe { swap_bytes(_mm_loadu_si128(bytes.cast())) }
    }

    #[inline(always)]
    unsafe fn load_after(byte: u8, bytes: *const [u8; 16]) -> __m128i {
        // SAFETY: as above.
        unsafe {
            let bytes = _mm_loadu_si128(bytes.cast());
            swap_bytes(_mm_alignr_epi8::<15>(bytes, _mm_set1_epi8(byte as i8)))
        }
    }

    #[inline(always)]
    unsafe fn store(State { abef, cdgh }: State, node: *mut Node) {
        // SAFETY: writes the node's 32 bytes, unaligned.
        unsafe {
            // All bytes in reverse undoes the order of both words and bytes.
            let reverse = _mm_set_epi32(0x0001_0203, 0x0405_0607, 0x0809_0a0b, 0x0c0d_0e0f);
            let abcd = _mm_unpackhi_epi64(cdgh, abef);
            let efgh = _mm_unpacklo_epi64(cdgh, abef);
            _mm_storeu_si128(node.cast(), _mm_shuffle_epi8(abcd, reverse));
            _mm_storeu_si128(node.cast::<__m128i>().add(1), _mm_shuffle_epi8(efgh, reverse));
        }
    }
}
