//! The way from a tree's root down, which is what the shapes of both kinds of proof follow.

use std::iter;
use std::ops::Range;

/// A subtree beside the way.
pub(super) struct Sibling {
    pub(super) side: Side,
    /// Its leaves.
    pub(super) leaves: Range<u64>,
}

/// Where a sibling stands, seen from the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// The siblings on the way down to a leaf of a tree of `size` leaves: those of an audit path.
pub(super) fn to_leaf(leaf: u64, size: u64) -> impl Iterator<Item = Sibling> {
    let mut leaves = 0..size;
    iter::from_fn(move || step(&mut leaves, leaf))
}

/// The siblings on the way down towards the last of the first `older` leaves of a tree of `newer`, and the subtree where it
/// ends, the first below which every leaf is of both trees: those of a consistency proof. `older` is at least 1.
pub(super) fn to_older(older: u64, newer: u64) -> (Vec<Sibling>, Range<u64>) {
    let mut leaves = 0..newer;
    let mut siblings = Vec::new();
    while leaves.end > older {
        siblings.extend(step(&mut leaves, older - 1));
    }
    (siblings, leaves)
}

/// One step down towards a leaf, unless there is but one leaf below: the split of section 2.1, at the largest power of two
/// that is smaller than the number of leaves.
fn step(leaves: &mut Range<u64>, leaf: u64) -> Option<Sibling> {
    let Range { start, end } = *leaves;
    let last = (end - start).checked_sub(1).filter(|&last| last > 0)?;
    let split = start + (1 << last.ilog2());
    let (way, side, sibling) = match leaf < split {
        true => (start..split, Side::Right, split..end),
        false => (split..end, Side::Left, start..split),
    };
    *leaves = way;
    Some(Sibling { side, leaves: sibling })
}
