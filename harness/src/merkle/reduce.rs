//! Levels of many trees at once: rows of nodes to roots, one call of `hash_pairs` a level.

use pair_hashers::{Node, Pair, PairHasher};

use super::ZERO_CHUNK;
use super::batch::Column;

/// A row of at most this many nodes is reduced as a whole; a longer one is cut into subtrees of this many, so that a
/// block and its levels stay in the cache.
pub(super) const BLOCK: usize = 1024;

/// How many levels of a block are reduced before the next block is taken: not all, as narrow levels fill no wide hasher.
pub(super) const BLOCK_LEVELS: usize = 5;

/// A hasher with buffers and zero subtrees.
pub(super) struct Reducer<'h> {
    hasher: &'h dyn PairHasher,
    /// Entry `i` is the root of `2^i` zero chunks.
    zeros: Vec<Node>,
    spare: Vec<Vec<Node>>,
}

impl<'h> Reducer<'h> {
    pub(super) fn new(hasher: &'h dyn PairHasher) -> Self {
        Self { hasher, zeros: Vec::new(), spare: Vec::new() }
    }

    pub(super) fn hasher(&self) -> &'h dyn PairHasher {
        self.hasher
    }

    /// A buffer of at least `length` nodes, of any content. To be given back.
    pub(super) fn take(&mut self, length: usize) -> Vec<Node> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        if buffer.len() < length {
            buffer.resize(length, ZERO_CHUNK);
        }
        buffer
    }

    pub(super) fn give_back(&mut self, buffer: Vec<Node>) {
        self.spare.push(buffer);
    }

    /// The root of `2^depth` zero chunks.
    pub(super) fn zero(&mut self, depth: usize) -> Node {
        while self.zeros.len() <= depth {
            let next = match self.zeros.last() {
                None => ZERO_CHUNK,
                Some(child) => {
                    let mut parent = [ZERO_CHUNK];
                    self.hasher.hash_pairs(pairs(&[*child, *child]), &mut parent);
                    parent[0]
                }
            };
            self.zeros.push(next);
        }
        self.zeros[depth]
    }

    /// The parents of nodes that stand in pairs.
    pub(super) fn hash(&self, children: &[Node], parents: &mut [Node]) {
        self.hasher.hash_pairs(pairs(children), parents);
    }

    /// The parents of pairs that stand in the input.
    pub(super) fn hash_pairs(&self, pairs: &[Pair], parents: &mut [Node]) {
        self.hasher.hash_pairs(pairs, parents);
    }

    /// Reduces `count` rows of `width` nodes each from level `from` to level `to`, where each row is one node, and
    /// writes those to `roots`. (Level 0 is that of chunks: what pads level `l` is the zero subtree of depth `l`.)
    ///
    /// The rows stand in `rows`, at a distance of [`stride`]`(width)`; `rows` is scratch afterwards.
    pub(super) fn reduce_rows(
        &mut self,
        rows: &mut Vec<Node>,
        count: usize,
        width: usize,
        (from, to): (usize, usize),
        roots: &mut Column<'_>,
    ) {
        if from == to {
            roots.entries(count).zip(rows.iter().step_by(stride(width))).for_each(|(root, row)| *root = *row);
            return;
        }
        let mut parents = self.take(count * stride(width) / 2);
        let width = self.reduce_levels(rows, &mut parents, count, width, (from, to));
        debug_assert_eq!(width, 1, "a row wider than its tree");
        roots.copy_from(&rows[..count]);
        self.give_back(parents);
    }

    /// Reduces rows by the levels `from..to` and leaves them in `rows`, one after the other. Gives their width.
    pub(super) fn reduce_levels(
        &mut self,
        rows: &mut Vec<Node>,
        parents: &mut Vec<Node>,
        count: usize,
        mut width: usize,
        (from, to): (usize, usize),
    ) -> usize {
        // after a level the rows stand side by side
        let mut distance = stride(width);
        for level in from..to {
            let even = stride(width);
            if distance != even {
                spread(rows, count, width, even);
            }
            if width != even {
                let zero = self.zero(level);
                rows.iter_mut().skip(width).step_by(even).take(count).for_each(|pad| *pad = zero);
            }
            width = even / 2;
            distance = width;
            if parents.len() < count * stride(width) {
                parents.resize(count * stride(width), ZERO_CHUNK);
            }
            self.hasher.hash_pairs(pairs(&rows[..count * even]), &mut parents[..count * width]);
            std::mem::swap(rows, parents);
        }
        width
    }

    /// Reduces rows of different widths to level `to`, and writes their roots. Row `i` is `widths[i]` nodes, at least
    /// one, and the rows stand side by side in `rows`. `rows` and `widths` are scratch afterwards.
    pub(super) fn reduce_ragged(
        &mut self,
        rows: &mut Vec<Node>,
        widths: &mut [usize],
        to: usize,
        roots: &mut Column<'_>,
    ) {
        let mut padded = self.take(widths.iter().map(|&width| stride(width)).sum());
        for level in 0..to {
            let zero = self.zero(level);
            let total = widths.iter().map(|&width| stride(width)).sum::<usize>();
            if padded.len() < total {
                padded.resize(total, ZERO_CHUNK);
            }
            let (mut source, mut target) = (0, 0);
            for width in widths.iter_mut() {
                padded[target..target + *width].copy_from_slice(&rows[source..source + *width]);
                source += *width;
                target += *width;
                if !width.is_multiple_of(2) {
                    padded[target] = zero;
                    target += 1;
                }
                *width = width.div_ceil(2);
            }
            if rows.len() < total / 2 {
                rows.resize(total / 2, ZERO_CHUNK);
            }
            self.hasher.hash_pairs(pairs(&padded[..total]), &mut rows[..total / 2]);
        }
        debug_assert!(widths.iter().all(|&width| width == 1), "a row wider than its tree");
        roots.copy_from(&rows[..widths.len()]);
        self.give_back(padded);
    }

    /// Mixes a word into each root: `roots[i] = hash(roots[i], words[i])`.
    pub(super) fn mix_in(&mut self, roots: &mut [Node], word: impl Fn(usize) -> Node) {
        let mut children = self.take(roots.len() * 2);
        for (index, root) in roots.iter().enumerate() {
            children[index * 2] = *root;
            children[index * 2 + 1] = word(index);
        }
        self.hasher.hash_pairs(pairs(&children[..roots.len() * 2]), roots);
        self.give_back(children);
    }
}

/// The distance of rows of `width` nodes: even, so that every row is whole pairs.
pub(super) fn stride(width: usize) -> usize {
    width.next_multiple_of(2)
}

/// The depth of the smallest tree with `leaves` leaves.
pub(super) fn depth_of(leaves: u64) -> usize {
    // the next power of two may take 65 bits
    (u64::BITS - (leaves.max(1) - 1).leading_zeros()) as usize
}

/// Nodes two by two.
fn pairs(nodes: &[Node]) -> &[Pair] {
    nodes.as_flattened().as_chunks().0
}

/// Moves rows that stand side by side to a distance of `stride`.
fn spread(rows: &mut Vec<Node>, count: usize, width: usize, stride: usize) {
    if rows.len() < count * stride {
        rows.resize(count * stride, ZERO_CHUNK);
    }
    for row in (1..count).rev() {
        rows.copy_within(row * width..(row + 1) * width, row * stride);
    }
}
