//! Batches of any size, for kernels that hash a fixed number of pairs at once.

use crate::{Node, Pair};

/// A kernel for `SIZE` pairs.
pub(crate) trait Group {
    const SIZE: usize;

    /// Hashes `SIZE` pairs, at any alignment.
    ///
    /// # Safety
    ///
    /// Both pointers are good for `SIZE` elements, and the CPU features of the implementation are usable. Implementations
    /// are `inline(always)`, so that they become part of a caller that has these features enabled.
    unsafe fn hash(pairs: *const Pair, nodes: *mut Node);
}

/// Hashes while there are full groups, and gives back the rest.
///
/// # Safety
///
/// The slices have the same length, and the CPU features of `G` are usable.
#[inline(always)]
pub(crate) unsafe fn hash_full<'p, 'n, G: Group>(
    mut pairs: &'p [Pair],
    mut nodes: &'n mut [Node],
) -> (&'p [Pair], &'n mut [Node]) {
    while pairs.len() >= G::SIZE {
        let (now, later) = nodes.split_at_mut(G::SIZE);
        // SAFETY: both have at least `SIZE` elements.
        unsafe { G::hash(pairs.as_ptr(), now.as_mut_ptr()) };
        (pairs, nodes) = (&pairs[G::SIZE..], later);
    }
    (pairs, nodes)
}

/// Hashes all pairs; where fewer are left than a group has, through copies with room for all of it.
///
/// # Safety
///
/// As for [`hash_full`].
#[inline(always)]
pub(crate) unsafe fn hash_all<G: Group>(mut pairs: &[Pair], mut nodes: &mut [Node]) {
    const MOST: usize = 16;
    const { assert!(G::SIZE <= MOST) };
    let (mut copied_pairs, mut copied_nodes) = ([[0; 64]; MOST], [[0; 32]; MOST]);
    // One call of the kernel for full and part-filled groups, since it has kilobytes of code where it is inlined.
    while !pairs.is_empty() {
        let n = pairs.len().min(G::SIZE);
        let (now, later) = nodes.split_at_mut(n);
        let (mut from, mut to) = (pairs.as_ptr(), now.as_mut_ptr());
        if n < G::SIZE {
            copied_pairs[..n].copy_from_slice(pairs);
            (from, to) = (copied_pairs.as_ptr(), copied_nodes.as_mut_ptr());
        }
        // SAFETY: either both slices have `SIZE` elements left, or the arrays have room for them.
        unsafe { G::hash(from, to) };
        if n < G::SIZE {
            now.copy_from_slice(&copied_nodes[..n]);
        }
        (pairs, nodes) = (&pairs[n..], later);
    }
}
