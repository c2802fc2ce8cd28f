//! Keccak-256 of as many pairs at once as a vector has 64-bit lanes: the kernel of every instruction set.
//!
//! Word `i` of all states stands in one vector, so that a round is the textbook's with vectors for words.

use core::marker::PhantomData;

use super::{PADDING, RC};
use crate::groups::{self, Group};
use crate::{Node, Pair};

/// One 64-bit word of each of `LANES` states, side by side. The operations are ARMv8's, each a step of a round; others make
/// them of two or three.
///
/// # Safety
///
/// All functions but `load` and `store` only need the CPU features of the implementation. They are `inline(always)`, so
/// that they become part of a caller that has these features enabled.
pub(crate) trait Words: Copy {
    const LANES: usize;

    unsafe fn splat(word: u64) -> Self;
    unsafe fn xor(self, other: Self) -> Self;
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self;
    /// `self` and `other` rotated left by one.
    unsafe fn xor_rotated(self, other: Self) -> Self;
    /// The sum rotated left by `L`; `R` is `64 - L`, which const generics cannot say.
    unsafe fn xor_rotate<const L: i32, const R: i32>(self, other: Self) -> Self;
    /// `self` and the bits of `c` where `b` has none.
    unsafe fn xor_without(self, b: Self, c: Self) -> Self;

    /// The 8 little-endian words of each of the `LANES` pairs at `pairs`, at any alignment.
    unsafe fn load(pairs: *const Pair) -> [Self; 8];
    /// Writes the 4 words of each lane, little-endian, to the `LANES` nodes at `nodes`, at any alignment.
    unsafe fn store(words: [Self; 4], nodes: *mut Node);
}

/// Hashes all pairs, `LANES` at a time, in the end with idle lanes.
///
/// # Safety
///
/// The slices have the same length, and the CPU features of `V` are usable.
#[inline(always)]
pub(crate) unsafe fn hash_pairs<V: Words>(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { groups::hash_all::<States<V>>(pairs, nodes) }
}

/// `LANES` states.
struct States<V>(PhantomData<V>);

impl<V: Words> Group for States<V> {
    const SIZE: usize = V::LANES;

    #[inline(always)]
    unsafe fn hash(pairs: *const Pair, nodes: *mut Node) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut state = [V::splat(0); 25];
            state[..8].copy_from_slice(&V::load(pairs));
            for (word, padding) in state[8..].iter_mut().zip(PADDING) {
                *word = V::splat(padding);
            }
            // The first and the last round have a copy of their own, in which the compiler leaves out what is known before,
            // and what nothing comes of.
            state = round(state, RC[0]);
            for &constant in &RC[1..23] {
                state = round(state, constant);
            }
            let [a, b, c, d, ..] = round(state, RC[23]);
            V::store([a, b, c, d], nodes);
        }
    }
}

/// One round; word `(x, y)` is `state[x + 5 * y]`. FIPS 202, section 3.2.
#[inline(always)]
unsafe fn round<V: Words>(state: [V; 25], constant: u64) -> [V; 25] {
    // SAFETY: the caller's CPU has the features of `V`, here and below.
    unsafe {
        // Theta: what each column adds to its words.
        let sum =
            [column(&state, 0), column(&state, 1), column(&state, 2), column(&state, 3), column(&state, 4)];
        let theta = [
            sum[4].xor_rotated(sum[1]),
            sum[0].xor_rotated(sum[2]),
            sum[1].xor_rotated(sum[3]),
            sum[2].xor_rotated(sum[4]),
            sum[3].xor_rotated(sum[0]),
        ];
        // Rho rotates each word, and pi moves it: the words of a new row come from the five rows. Then chi within the row.
        macro_rules! row {
            ($($x:literal $y:literal rotated by $l:literal),*) => {
                chi([$(state[$x + 5 * $y].xor_rotate::<$l, { (64 - $l) % 64 }>(theta[$x])),*])
            };
        }
        let mut rows = [
            row!(0 0 rotated by 0, 1 1 rotated by 44, 2 2 rotated by 43, 3 3 rotated by 21, 4 4 rotated by 14),
            row!(3 0 rotated by 28, 4 1 rotated by 20, 0 2 rotated by 3, 1 3 rotated by 45, 2 4 rotated by 61),
            row!(1 0 rotated by 1, 2 1 rotated by 6, 3 2 rotated by 25, 4 3 rotated by 8, 0 4 rotated by 18),
            row!(4 0 rotated by 27, 0 1 rotated by 36, 1 2 rotated by 10, 2 3 rotated by 15, 3 4 rotated by 56),
            row!(2 0 rotated by 62, 3 1 rotated by 55, 4 2 rotated by 39, 0 3 rotated by 41, 1 4 rotated by 2),
        ];
        // Iota.
        rows[0][0] = rows[0][0].xor(V::splat(constant));
        let mut state = state;
        state.copy_from_slice(rows.as_flattened());
        state
    }
}

/// The sum of column `x`.
#[inline(always)]
unsafe fn column<V: Words>(state: &[V; 25], x: usize) -> V {
    // SAFETY: as above.
    unsafe { V::xor3(V::xor3(state[x], state[x + 5], state[x + 10]), state[x + 15], state[x + 20]) }
}

/// Chi: the only step that is not linear.
#[inline(always)]
unsafe fn chi<V: Words>([a, b, c, d, e]: [V; 5]) -> [V; 5] {
    // SAFETY: as above.
    unsafe {
        [
            a.xor_without(b, c),
            b.xor_without(c, d),
            c.xor_without(d, e),
            d.xor_without(e, a),
            e.xor_without(a, b),
        ]
    }
}
