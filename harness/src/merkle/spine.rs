//! The progressive tree: a spine of nodes, each with a subtree four times as wide as the one before ([EIP-7916]).
//!
//! [EIP-7916]: https://eips.ethereum.org/EIPS/eip-7916

use pair_hashers::Node;

use super::{Merkleizer, ZERO_CHUNK};
use crate::schema::Progressive;

/// The subtrees that hold `leaves` leaves: the leaves of each that are filled, and its depth.
pub(super) fn subtrees(leaves: usize) -> impl DoubleEndedIterator<Item = (std::ops::Range<usize>, usize)> {
    let mut bounds = Vec::new();
    let (mut start, mut width, mut depth) = (0, 1, 0);
    while start < leaves {
        bounds.push((start..leaves.min(start + width), depth));
        start += width;
        width *= 4;
        depth += 2;
    }
    bounds.into_iter()
}

impl Merkleizer<'_> {
    /// One step up the spine for many trees: `rest[i]` becomes the node over `subtrees[i]` and `rest[i]`.
    pub(super) fn climb_spine(&mut self, subtrees: &[Node], rest: &mut [Node]) {
        let mut children = self.reducer.take(rest.len() * 2);
        for (index, (subtree, rest)) in subtrees.iter().zip(&*rest).enumerate() {
            let pair = match self.progressive {
                Progressive::SubtreeFirst => [*subtree, *rest],
                Progressive::RestFirst => [*rest, *subtree],
            };
            children[index * 2..index * 2 + 2].copy_from_slice(&pair);
        }
        self.reducer.hash(&children[..rest.len() * 2], rest);
        self.reducer.give_back(children);
    }

    /// The root of a spine, given its subtrees' roots from the first on.
    pub(super) fn spine(&mut self, subtrees: &[Node]) -> Node {
        let mut rest = [ZERO_CHUNK];
        for subtree in subtrees.iter().rev() {
            self.climb_spine(std::slice::from_ref(subtree), &mut rest);
        }
        rest[0]
    }
}
