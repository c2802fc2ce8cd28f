//! SHA-256 of as many pairs at once as a vector has 32-bit lanes: the kernel of every instruction set that has vectors
//! but no SHA-256 instructions.
//!
//! Word `i` of all messages stands in one vector, so that a round is the textbook's with vectors for words. A round's
//! operations depend on one another; several *streams*, each a vector of messages, run interleaved to fill the time that
//! one waits. The schedule is computed in a pass of its own before the rounds: with 16 registers, one that also held its
//! words would spill the state.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::message::SECOND_BLOCK;
use super::{INITIAL, K, Message, PADDING_K};
use crate::groups::{self, Group};
use crate::{Node, Pair};

/// One 32-bit word of each of `LANES` messages, side by side.
///
/// # Safety
///
/// All functions but `load` and `store` only need the CPU features of the implementation. They are `inline(always)`, so
/// that they become part of a caller that has these features enabled.
pub(crate) trait Words: Copy {
    const LANES: usize;

    unsafe fn splat(word: u32) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self;
    /// Rotates right by `R`; `L` is `32 - R`, which const generics cannot say.
    unsafe fn rotate<const R: i32, const L: i32>(self) -> Self;
    unsafe fn shift_right<const R: i32>(self) -> Self;
    /// The bits of `f` where `e` has a one, else those of `g`.
    unsafe fn choice(e: Self, f: Self, g: Self) -> Self;
    /// The bits that at least two of the three have.
    unsafe fn majority(a: Self, b: Self, c: Self) -> Self;

    /// The 16 big-endian words of each of the `LANES` pairs at `pairs`, at any alignment.
    unsafe fn load(pairs: *const Pair) -> [Self; 16];
    /// Writes the 8 words of each lane, big-endian, to the `LANES` nodes at `nodes`, at any alignment.
    unsafe fn store(words: [Self; 8], nodes: *mut Node);
}

/// Hashes all pairs: `STREAMS` vectors at a time, then one, then one whose last lanes are idle.
///
/// # Safety
///
/// The slices have the same length, and the CPU features of `V` are usable.
#[inline(always)]
pub(crate) unsafe fn hash_pairs<V: Words, M: Message, const STREAMS: usize>(
    pairs: &[Pair],
    nodes: &mut [Node],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let (pairs, nodes) = groups::hash_full::<Streams<V, M, STREAMS>>(pairs, nodes);
        groups::hash_all::<Streams<V, M, 1>>(pairs, nodes);
    }
}

/// `STREAMS` vectors of messages.
struct Streams<V, M, const STREAMS: usize>(PhantomData<(V, M)>);

impl<V: Words, M: Message, const STREAMS: usize> Group for Streams<V, M, STREAMS> {
    const SIZE: usize = STREAMS * V::LANES;

    #[inline(always)]
    unsafe fn hash(pairs: *const Pair, nodes: *mut Node) {
        // SAFETY: the caller's pointers are good for that many elements; the rest needs only the CPU features of `V`.
        unsafe {
            let mut schedule = Schedule([[MaybeUninit::uninit(); 64]; STREAMS]);
            let mut second_blocks = [V::splat(0); STREAMS];
            for (s, first_of_second) in second_blocks.iter_mut().enumerate() {
                let mut block = V::load(pairs.add(s * V::LANES));
                if let Some(prefix) = M::PREFIX {
                    *first_of_second = prepend(prefix, &mut block);
                }
                schedule.begin(s, block);
            }
            schedule.complete();
            let mut initial = [V::splat(0); 8];
            for (vector, word) in initial.iter_mut().zip(INITIAL) {
                *vector = V::splat(word);
            }
            let mut state = [initial; STREAMS];
            compress(&mut state, &schedule);
            match M::PREFIX {
                None => compress(&mut state, &Padding),
                Some(_) => {
                    for (s, first) in second_blocks.into_iter().enumerate() {
                        schedule.begin(s, second_block(first));
                    }
                    schedule.complete();
                    compress(&mut state, &schedule);
                }
            }
            for (s, state) in state.into_iter().enumerate() {
                V::store(state, nodes.add(s * V::LANES));
            }
        }
    }
}

/// Puts a byte before each message: all bytes of `block` move by one place. Gives the word that begins the second block, of
/// the byte for which there is no more room and the one bit after it.
///
/// # Safety
///
/// The CPU features of `V` are usable.
#[inline(always)]
pub(super) unsafe fn prepend<V: Words>(byte: u8, block: &mut [V; 16]) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        // Rotated, a word begins with the byte that the next one will begin with.
        let first_byte = V::splat(0xff00_0000);
        let mut before = V::splat((byte as u32) << 24);
        for word in block {
            let rotated = word.rotate::<8, 24>();
            *word = V::choice(first_byte, before, rotated);
            before = rotated;
        }
        V::choice(first_byte, before, V::splat(SECOND_BLOCK[0]))
    }
}

/// The words of the second block after a prefix, which begins with `first`.
///
/// # Safety
///
/// The CPU features of `V` are usable.
#[inline(always)]
pub(super) unsafe fn second_block<V: Words>(first: V) -> [V; 16] {
    let mut block = [first; 16];
    for (vector, word) in block.iter_mut().zip(SECOND_BLOCK).skip(1) {
        // SAFETY: the caller's promise.
        *vector = unsafe { V::splat(word) };
    }
    block
}

/// What a block adds in its rounds.
///
/// Here and above no closures stand for what needs CPU features: a compiler need not inline them, and then they would
/// lack the features.
trait Block<V> {
    /// Word `t` of stream `s`, with the round's constant added.
    unsafe fn word(&self, s: usize, t: usize) -> V;
}

/// The data block: 64 words for each stream.
struct Schedule<V, const STREAMS: usize>([[MaybeUninit<V>; 64]; STREAMS]);

impl<V: Words, const STREAMS: usize> Schedule<V, STREAMS> {
    /// Sets words 0 to 15 of stream `s`.
    #[inline(always)]
    fn begin(&mut self, s: usize, block: [V; 16]) {
        for (w, word) in self.0[s].iter_mut().zip(block) {
            w.write(word);
        }
    }

    /// Computes words 16 to 63 from those before. FIPS 180-4, section 6.2.2, step 1.
    #[inline(always)]
    unsafe fn complete(&mut self) {
        for t in 16..64 {
            for w in &mut self.0 {
                // SAFETY: all words before `t` are written; the caller's CPU has the features of `V`.
                unsafe {
                    let (w2, w15) = (w[t - 2].assume_init(), w[t - 15].assume_init());
                    let s1 = V::xor3(w2.rotate::<17, 15>(), w2.rotate::<19, 13>(), w2.shift_right::<10>());
                    let s0 = V::xor3(w15.rotate::<7, 25>(), w15.rotate::<18, 14>(), w15.shift_right::<3>());
                    let sum = w[t - 16].assume_init().add(w[t - 7].assume_init());
                    w[t].write(sum.add(s0).add(s1));
                }
            }
        }
    }
}

impl<V: Words, const STREAMS: usize> Block<V> for Schedule<V, STREAMS> {
    #[inline(always)]
    unsafe fn word(&self, s: usize, t: usize) -> V {
        // SAFETY: `complete` has written all words.
        unsafe { self.0[s][t].assume_init().add(V::splat(K[t])) }
    }
}

/// The padding block, the same for all streams.
struct Padding;

impl<V: Words> Block<V> for Padding {
    #[inline(always)]
    unsafe fn word(&self, _: usize, t: usize) -> V {
        // SAFETY: the caller's CPU has the features of `V`.
        unsafe { V::splat(PADDING_K[t]) }
    }
}

/// 64 rounds on each stream, and the sum with the state before. FIPS 180-4, section 6.2.2, steps 2 to 4.
#[inline(always)]
unsafe fn compress<V: Words, const STREAMS: usize>(state: &mut [[V; 8]; STREAMS], block: &impl Block<V>) {
    let before = *state;
    for t in (0..64).step_by(8) {
        // SAFETY: the caller's CPU has the features of `V`, here and below.
        unsafe {
            round::<V, STREAMS, 0>(state, block, t);
            round::<V, STREAMS, 1>(state, block, t);
            round::<V, STREAMS, 2>(state, block, t);
            round::<V, STREAMS, 3>(state, block, t);
            round::<V, STREAMS, 4>(state, block, t);
            round::<V, STREAMS, 5>(state, block, t);
            round::<V, STREAMS, 6>(state, block, t);
            round::<V, STREAMS, 7>(state, block, t);
        }
    }
    for (state, before) in state.iter_mut().zip(before) {
        for (word, before) in state.iter_mut().zip(before) {
            // SAFETY: as above.
            *word = unsafe { word.add(before) };
        }
    }
}

/// Round `t + I` of each stream. Instead of moving all words by one place in each of eight rounds, the places' names move.
#[inline(always)]
unsafe fn round<V: Words, const STREAMS: usize, const I: usize>(
    state: &mut [[V; 8]; STREAMS],
    block: &impl Block<V>,
    t: usize,
) {
    let place = |name: usize| (name + 8 - I) % 8;
    for (s, state) in state.iter_mut().enumerate() {
        let (a, b, c, d) = (state[place(0)], state[place(1)], state[place(2)], state[place(3)]);
        let (e, f, g, h) = (state[place(4)], state[place(5)], state[place(6)], state[place(7)]);
        // SAFETY: the caller's CPU has the features of `V`.
        unsafe {
            let sum1 = V::xor3(e.rotate::<6, 26>(), e.rotate::<11, 21>(), e.rotate::<25, 7>());
            let t1 = h.add(block.word(s, t + I)).add(V::choice(e, f, g)).add(sum1);
            let sum0 = V::xor3(a.rotate::<2, 30>(), a.rotate::<13, 19>(), a.rotate::<22, 10>());
            state[place(3)] = d.add(t1);
            state[place(7)] = t1.add(V::majority(a, b, c).add(sum0));
        }
    }
}
