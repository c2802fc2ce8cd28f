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

/// Hashes fewer pairs than a group has, through copies with room for all of it.
///
/// # Safety
///
/// As for [`hash_full`].
#[inline(always)]
pub(crate) unsafe fn hash_rest<G: Group>(pairs: &[Pair], nodes: &mut [Node]) {
    const MOST: usize = 16;
    const { assert!(G::SIZE <= MOST) };
    if pairs.is_empty() {
        return;
    }
    let (mut all_pairs, mut all_nodes) = ([[0; 64]; MOST], [[0; 32]; MOST]);
    all_pairs[..pairs.len()].copy_from_slice(pairs);
    // SAFETY: both arrays have room for `SIZE` elements.
    unsafe { G::hash(all_pairs.as_ptr(), all_nodes.as_mut_ptr()) };
    nodes.copy_from_slice(&all_nodes[..pairs.len()]);
}
