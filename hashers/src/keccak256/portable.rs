//! Plain Rust, one pair at a time: the backend that every CPU can run.

use super::lanes::{self, Words};
use crate::{Node, Pair};

/// Hashes all pairs.
///
/// # Safety
///
/// Equal lengths.
pub(crate) unsafe fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: equal lengths are the caller's promise; needs no CPU features.
    unsafe { lanes::hash_pairs::<u64>(pairs, nodes) }
}

impl Words for u64 {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        word
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        self ^ other
    }

    #[inline(always)]
    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
        a ^ b ^ c
    }

    #[inline(always)]
    unsafe fn xor_rotated(self, other: Self) -> Self {
        self ^ other.rotate_left(1)
    }

    #[inline(always)]
    unsafe fn xor_rotate<const L: i32, const R: i32>(self, other: Self) -> Self {
        (self ^ other).rotate_left(L as u32)
    }

    #[inline(always)]
    unsafe fn xor_without(self, b: Self, c: Self) -> Self {
        self ^ (!b & c)
    }

    #[inline(always)]
    unsafe fn load(pairs: *const Pair) -> [Self; 8] {
        // SAFETY: reads one pair.
        let pair = unsafe { &*pairs };
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(pair.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        words
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 4], nodes: *mut Node) {
        // SAFETY: writes one node.
        let node = unsafe { &mut *nodes };
        for (bytes, word) in node.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }
}
