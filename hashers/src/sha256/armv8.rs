//! ARMv8's SHA-256 instructions: up to four streams.

use core::arch::aarch64::*;

use super::neon::swap_bytes;
use super::streams::{self, ShaUnit};
use super::{INITIAL, Message};
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths, and the features that it enables.
#[target_feature(enable = "neon,sha2")]
pub(crate) unsafe fn hash_pairs<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    #[target_feature(enable = "neon,sha2")]
    #[inline(never)]
    unsafe fn many<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
        // SAFETY: the caller's promise.
        unsafe { streams::hash_many::<Armv8, M>(pairs, nodes, many::<M>) }
    }
    // SAFETY: as above.
    unsafe { streams::hash_pairs::<Armv8, M>(pairs, nodes, many::<M>) }
}

enum Armv8 {}

#[derive(Clone, Copy)]
struct State {
    abcd: uint32x4_t,
    efgh: uint32x4_t,
}

impl ShaUnit for Armv8 {
    type Quad = uint32x4_t;
    type State = State;

    #[inline(always)]
    unsafe fn initial() -> State {
        const ABCD: [u32; 4] = [INITIAL[0], INITIAL[1], INITIAL[2], INITIAL[3]];
        const EFGH: [u32; 4] = [INITIAL[4], INITIAL[5], INITIAL[6], INITIAL[7]];
        // SAFETY: needs only the CPU features, here and below.
        unsafe { State { abcd: Self::splat(&ABCD), efgh: Self::splat(&EFGH) } }
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn rounds(State { abcd, efgh }: State, wk: uint32x4_t) -> State {
        State { abcd: vsha256hq_u32(abcd, efgh, wk), efgh: vsha256h2q_u32(efgh, abcd, wk) }
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    unsafe fn schedule([w0, w4, w8, w12]: [uint32x4_t; 4]) -> uint32x4_t {
        vsha256su1q_u32(vsha256su0q_u32(w0, w4), w8, w12)
    }

    #[inline(always)]
    unsafe fn splat(words: &[u32; 4]) -> uint32x4_t {
        // SAFETY: reads the 16 bytes of the array.
        unsafe { vld1q_u32(words.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn add(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: as above.
        unsafe { vaddq_u32(a, b) }
    }

    #[inline(always)]
    unsafe fn add_states(a: State, b: State) -> State {
        // SAFETY: as above.
        unsafe { State { abcd: Self::add(a.abcd, b.abcd), efgh: Self::add(a.efgh, b.efgh) } }
    }

    #[inline(always)]
    unsafe fn keep_in_memory<const STREAMS: usize>(_: &mut [[uint32x4_t; 4]; STREAMS]) {
        // 32 registers hold four streams.
    }

    #[inline(always)]
    unsafe fn load(bytes: *const [u8; 16]) -> uint32x4_t {
        // SAFETY: reads 16 bytes, unaligned.
        unsafe { swap_bytes(vld1q_u8(bytes.cast())) }
    }

    #[inline(always)]
    unsafe fn load_after(byte: u8, bytes: *const [u8; 16]) -> uint32x4_t {
        // SAFETY: as above.
        unsafe { swap_bytes(vextq_u8::<15>(vdupq_n_u8(byte), vld1q_u8(bytes.cast()))) }
    }

    #[inline(always)]
    unsafe fn store(State { abcd, efgh }: State, node: *mut Node) {
        // SAFETY: writes the node's 32 bytes, unaligned.
        unsafe {
            vst1q_u8(node.cast(), vrev32q_u8(vreinterpretq_u8_u32(abcd)));
            vst1q_u8(node.cast::<u8>().add(16), vrev32q_u8(vreinterpretq_u8_u32(efgh)));
        }
    }
}
