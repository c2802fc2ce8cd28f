//! SHA-256 with a CPU's SHA-256 instructions: the kernel of every instruction set that has them.
//!
//! Such an instruction does a few rounds of one message, and its result is some cycles away, so that a message alone
//! leaves the unit idle most of the time. Several *streams*, one pair each, run interleaved.

use super::message::SECOND_BLOCK;
use super::{K, Message, PADDING_K};
use crate::backend::Kernel;
use crate::{Node, Pair};

/// The code of four streams takes 4.5 KiB at the start of its function.
const LINES_OF_CODE: usize = 80;

/// One CPU's instructions. `Quad` has four consecutive words of the schedule, `State` all eight of the state.
///
/// # Safety
///
/// All functions but `load` and `store` only need the CPU features of the implementation. They are `inline(always)`, so
/// that they become part of a caller that has these features enabled.
pub(crate) trait ShaUnit {
    type Quad: Copy;
    type State: Copy;

    /// The state before the first block.
    unsafe fn initial() -> Self::State;
    /// Four rounds, by four words with the rounds' constants added.
    unsafe fn rounds(state: Self::State, wk: Self::Quad) -> Self::State;
    /// The schedule's next four words after the 16 given.
    unsafe fn schedule(w: [Self::Quad; 4]) -> Self::Quad;
    unsafe fn splat(words: &[u32; 4]) -> Self::Quad;
    unsafe fn add(a: Self::Quad, b: Self::Quad) -> Self::Quad;
    unsafe fn add_states(a: Self::State, b: Self::State) -> Self::State;

    /// Makes the compiler store `w` and load it again, where there are too few registers for it.
    unsafe fn keep_in_memory<const STREAMS: usize>(w: &mut [[Self::Quad; 4]; STREAMS]);

    /// Has the second-level cache keep what is there, where the compiler can say so.
    unsafe fn fetch(_: *const u8) {}

    /// Four big-endian words, at any alignment.
    unsafe fn load(bytes: *const [u8; 16]) -> Self::Quad;
    /// Four big-endian words of `byte` and the first 15 of 16 bytes, at any alignment.
    unsafe fn load_after(byte: u8, bytes: *const [u8; 16]) -> Self::Quad;
    /// Writes the state, big-endian, at any alignment.
    unsafe fn store(state: Self::State, node: *mut Node);
}

/// Hashes all pairs: a single one here, and others by `many`, which is [`hash_many`] in a function of its own, since that has
/// registers to save and a stack to make: for a single pair, a twentieth of the time.
///
/// # Safety
///
/// The slices have the same length, and the CPU features of `U` and `many` are usable.
#[inline(always)]
pub(crate) unsafe fn hash_pairs<U: ShaUnit, M: Message>(pairs: &[Pair], nodes: &mut [Node], many: Kernel) {
    // SAFETY: the caller's promise; one pair and one node.
    unsafe {
        match (pairs, &mut *nodes) {
            ([pair], [node]) => hash_streams::<U, M, 1>(pair, node),
            _ => many(pairs, nodes),
        }
    }
}

/// Hashes all pairs, four at a time, then the rest together.
///
/// `code` is the function that this becomes part of. It is fetched line by line: pairs and nodes that stream through an
/// inclusive second-level cache would drive it out: see `fetch_code` in `avx512/rounds.rs`.
///
/// # Safety
///
/// The slices have the same length, and the CPU features of `U` are usable.
#[inline(always)]
pub(crate) unsafe fn hash_many<U: ShaUnit, M: Message>(pairs: &[Pair], nodes: &mut [Node], code: Kernel) {
    let (fours, rest) = pairs.as_chunks::<4>();
    let (nodes_of_fours, nodes_of_rest) = nodes.as_chunks_mut::<4>();
    // SAFETY: each call hashes as many pairs as its array has, or as the match has found to be left.
    unsafe {
        for (i, (pairs, nodes)) in fours.iter().zip(nodes_of_fours).enumerate() {
            U::fetch((code as *const u8).wrapping_add(i % LINES_OF_CODE * 64));
            hash_streams::<U, M, 4>(pairs.as_ptr(), nodes.as_mut_ptr());
        }
        let (pairs, nodes) = (rest.as_ptr(), nodes_of_rest.as_mut_ptr());
        match rest.len() {
            1 => hash_streams::<U, M, 1>(pairs, nodes),
            2 => hash_streams::<U, M, 2>(pairs, nodes),
            3 => hash_streams::<U, M, 3>(pairs, nodes),
            _ => {}
        }
    }
}

/// Hashes `STREAMS` pairs.
#[inline(always)]
unsafe fn hash_streams<U: ShaUnit, M: Message, const STREAMS: usize>(pairs: *const Pair, nodes: *mut Node) {
    // SAFETY: the caller's pointers are good for `STREAMS` elements; the rest needs only the CPU features of `U`.
    unsafe {
        let mut w = [[U::splat(&[0; 4]); 4]; STREAMS];
        for (s, w) in w.iter_mut().enumerate() {
            *w = first_block::<U, M>(pairs.add(s).cast());
        }
        let mut state = [U::initial(); STREAMS];
        rounds_by_schedule::<U, STREAMS>(&mut state, &mut w);
        for state in &mut state {
            *state = U::add_states(*state, U::initial());
        }
        let middle = state;
        match M::PREFIX {
            None => rounds_of_padding::<U, STREAMS>(&mut state),
            Some(_) => {
                for (s, w) in w.iter_mut().enumerate() {
                    *w = second_block::<U>((*pairs.add(s))[63]);
                }
                rounds_by_schedule::<U, STREAMS>(&mut state, &mut w);
            }
        }
        for s in 0..STREAMS {
            U::store(U::add_states(state[s], middle[s]), nodes.add(s));
        }
    }
}

/// The first block of a message, from the pair at `bytes`.
#[inline(always)]
unsafe fn first_block<U: ShaUnit, M: Message>(bytes: *const u8) -> [U::Quad; 4] {
    // SAFETY: reads within the pair's 64 bytes; the caller's CPU has the features of `U`, here and below.
    unsafe {
        // The bytes from which quads 1 to 3 are; the first one is made apart.
        let (first, at) = match M::PREFIX {
            None => (U::load(bytes.cast()), [16, 32, 48]),
            Some(prefix) => (U::load_after(prefix, bytes.cast()), [15, 31, 47]),
        };
        let mut block = [first; 4];
        for (quad, at) in block[1..].iter_mut().zip(at) {
            *quad = U::load(bytes.add(at).cast());
        }
        block
    }
}

/// The second block of a message whose last byte begins it.
#[inline(always)]
unsafe fn second_block<U: ShaUnit>(last: u8) -> [U::Quad; 4] {
    const ONE_BIT: [u8; 16] = [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: reads the array; the rest as above.
    unsafe {
        let mut block = [U::load_after(last, &ONE_BIT); 4];
        for (quad, words) in block.iter_mut().zip(SECOND_BLOCK.as_chunks().0).skip(1) {
            *quad = U::splat(words);
        }
        block
    }
}

/// 64 rounds of each stream by its block. Word `4 * t` and the three after it are in quad `t % 4`, until the schedule
/// replaces them.
#[inline(always)]
unsafe fn rounds_by_schedule<U: ShaUnit, const STREAMS: usize>(
    state: &mut [U::State; STREAMS],
    w: &mut [[U::Quad; 4]; STREAMS],
) {
    for t in (0..16).step_by(4) {
        for i in 0..4 {
            // SAFETY: as above.
            unsafe {
                for (state, w) in state.iter_mut().zip(w.iter_mut()) {
                    *state = U::rounds(*state, U::add(w[i], U::splat(four(&K, t + i))));
                    if t < 12 {
                        w[i] = U::schedule([w[i], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]]);
                    }
                }
                U::keep_in_memory(w);
            }
        }
    }
}

/// 64 rounds of each stream by the padding block, the same for all.
#[inline(always)]
unsafe fn rounds_of_padding<U: ShaUnit, const STREAMS: usize>(state: &mut [U::State; STREAMS]) {
    for t in 0..16 {
        for state in state.iter_mut() {
            // SAFETY: as above.
            *state = unsafe { U::rounds(*state, U::splat(four(&PADDING_K, t))) };
        }
    }
}

/// Words `4 * t` to `4 * t + 3`.
#[inline(always)]
fn four(words: &[u32; 64], t: usize) -> &[u32; 4] {
    &words.as_chunks().0[t]
}
