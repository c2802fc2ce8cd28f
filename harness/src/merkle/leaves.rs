//! The leaves of one tree, taken in order, block by block.

use pair_hashers::Node;
use rayon::prelude::*;

use super::batch::{Batch, Column};
use super::reduce::{BLOCK, BLOCK_LEVELS, stride};
use super::small::padded;
use super::{Malformed, Merkleizer, ZERO_CHUNK};
use crate::ssz::layout::Elements;
use crate::types::Type;

/// What the leaves of a sequence's tree are made of.
pub(super) enum Leaves<'t, 'b> {
    /// Chunks of the encoding itself.
    Chunks(Chunks<'b>),
    /// Roots of elements of `size` bytes each.
    Fixed { element: &'t Type, bytes: &'b [u8], size: usize },
    /// Roots of elements behind offsets.
    Variable { element: &'t Type, elements: Elements<'b> },
}

/// Bytes in chunks of 32; the last may be padded.
#[derive(Clone, Copy)]
pub(super) struct Chunks<'b> {
    whole: &'b [Node],
    last: Option<Node>,
}

impl<'b> Chunks<'b> {
    pub(super) fn of_bytes(bytes: &'b [u8]) -> Self {
        let (whole, rest) = bytes.as_chunks();
        let last = if rest.is_empty() { None } else { Some(padded(rest)) };
        Self { whole, last }
    }

    /// The bits of an encoded bit list of `length` bits: without its delimiter.
    pub(super) fn of_bit_list(bytes: &'b [u8], length: usize) -> Self {
        let whole = length / 256;
        let rest = &bytes[whole * 32..length.div_ceil(8)];
        let mut last = padded(rest);
        if !length.is_multiple_of(8) {
            last[rest.len() - 1] &= !(1 << (length % 8));
        }
        let last = if rest.is_empty() { None } else { Some(last) };
        Self { whole: &bytes.as_chunks().0[..whole], last }
    }

    pub(super) fn len(&self) -> usize {
        self.whole.len() + usize::from(self.last.is_some())
    }

    /// Writes all chunks to the start of `nodes`.
    pub(super) fn write(&self, nodes: &mut [Node]) {
        nodes[..self.whole.len()].copy_from_slice(self.whole);
        if let Some(last) = self.last {
            nodes[self.whole.len()] = last;
        }
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        if count > self.whole.len() {
            return (self, Self { whole: &[], last: None });
        }
        let (first, rest) = self.whole.split_at(count);
        (Self { whole: first, last: None }, Self { whole: rest, last: self.last })
    }
}

/// How many leaves one task takes, where threads share the work.
const TASK: usize = 16 * BLOCK;

impl Leaves<'_, '_> {
    /// Whether leaves can be taken out of order.
    fn any_order(&self) -> bool {
        !matches!(self, Self::Variable { .. })
    }

    /// The leaves `from..to`, of those that can be taken in any order.
    fn range(&self, from: usize, to: usize) -> Self {
        match *self {
            Self::Chunks(chunks) => Self::Chunks(chunks.split_at(to).0.split_at(from).1),
            Self::Fixed { element, bytes, size } => {
                Self::Fixed { element, bytes: &bytes[from * size..to * size], size }
            }
            Self::Variable { .. } => unreachable!("offsets are followed in order"),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Chunks(chunks) => chunks.len(),
            Self::Fixed { bytes, size, .. } => bytes.len() / size,
            Self::Variable { elements, .. } => elements.len(),
        }
    }
}

impl Merkleizer<'_> {
    /// The root of the tree of depth `depth` over the next `count` leaves, which fit into it.
    pub(super) fn tree(
        &mut self,
        leaves: &mut Leaves<'_, '_>,
        count: usize,
        depth: usize,
    ) -> Result<Node, Malformed> {
        if count == 0 {
            return Ok(self.reducer.zero(depth));
        }
        let mut upper = self.reducer.take(stride(count.div_ceil(1 << BLOCK_LEVELS)));
        let mut level = 0;
        let mut width = count;
        if count > BLOCK {
            width = match self.parallel && count > 2 * TASK && leaves.any_order() {
                true => self.first_levels_in_parallel(leaves, count, &mut upper)?,
                false => self.first_levels(leaves, count, &mut upper)?,
            };
            level = BLOCK_LEVELS;
        } else {
            if upper.len() < stride(count) {
                upper.resize(stride(count), ZERO_CHUNK);
            }
            self.take_leaves(leaves, &mut upper[..count])?;
        }
        let mut root = [ZERO_CHUNK];
        while width > BLOCK {
            width = self.next_levels(&mut upper, width, level);
            level += BLOCK_LEVELS;
        }
        self.reducer.reduce_rows(&mut upper, 1, width, (level, depth), &mut Column::new(&mut root));
        self.reducer.give_back(upper);
        Ok(root[0])
    }

    /// Block by block, the first levels over the next `count` leaves. Gives the number of nodes in `upper`.
    fn first_levels(
        &mut self,
        leaves: &mut Leaves<'_, '_>,
        count: usize,
        upper: &mut [Node],
    ) -> Result<usize, Malformed> {
        let mut block = self.reducer.take(BLOCK);
        let mut parents = self.reducer.take(BLOCK);
        let mut done = 0;
        for start in (0..count).step_by(BLOCK) {
            let length = BLOCK.min(count - start);
            // whole pairs of the input need no copy: they are hashed where they stand
            let (width, level) = match leaves {
                Leaves::Chunks(chunks) if chunks.whole.len() >= length && length.is_multiple_of(2) => {
                    let (first, rest) = chunks.split_at(length);
                    self.reducer
                        .hash_pairs(first.whole.as_flattened().as_chunks().0, &mut block[..length / 2]);
                    *chunks = rest;
                    (length / 2, 1)
                }
                _ => {
                    self.take_leaves(leaves, &mut block[..length])?;
                    (length, 0)
                }
            };
            let width = self.reducer.reduce_levels(&mut block, &mut parents, 1, width, (level, BLOCK_LEVELS));
            upper[done..done + width].copy_from_slice(&block[..width]);
            done += width;
        }
        self.reducer.give_back(parents);
        self.reducer.give_back(block);
        Ok(done)
    }

    /// The same, over the threads of rayon's current pool.
    fn first_levels_in_parallel(
        &mut self,
        leaves: &mut Leaves<'_, '_>,
        count: usize,
        upper: &mut [Node],
    ) -> Result<usize, Malformed> {
        let tasks = upper[..count.div_ceil(1 << BLOCK_LEVELS)].par_chunks_mut(TASK >> BLOCK_LEVELS);
        let done = tasks.len();
        let sequential = || Merkleizer::with_progressive(self.reducer.hasher(), self.progressive);
        let shared = &*leaves;
        tasks.enumerate().try_for_each_init(sequential, |merkleizer, (task, nodes)| {
            let (from, to) = (task * TASK, count.min((task + 1) * TASK));
            merkleizer.first_levels(&mut shared.range(from, to), to - from, nodes).map(drop)
        })?;
        *leaves = leaves.range(count, leaves.len());
        debug_assert_eq!(done, count.div_ceil(TASK));
        Ok(count.div_ceil(1 << BLOCK_LEVELS))
    }

    /// Block by block, more levels over the first `count` nodes, in place. Gives the number of nodes left.
    fn next_levels(&mut self, nodes: &mut [Node], count: usize, level: usize) -> usize {
        let mut block = self.reducer.take(BLOCK);
        let mut parents = self.reducer.take(BLOCK);
        let mut done = 0;
        for start in (0..count).step_by(BLOCK) {
            let length = BLOCK.min(count - start);
            block[..length].copy_from_slice(&nodes[start..start + length]);
            let levels = (level, level + BLOCK_LEVELS);
            let width = self.reducer.reduce_levels(&mut block, &mut parents, 1, length, levels);
            nodes[done..done + width].copy_from_slice(&block[..width]);
            done += width;
        }
        self.reducer.give_back(parents);
        self.reducer.give_back(block);
        done
    }

    /// Writes the next leaves, as many as `nodes` holds.
    pub(super) fn take_leaves(
        &mut self,
        leaves: &mut Leaves<'_, '_>,
        nodes: &mut [Node],
    ) -> Result<(), Malformed> {
        let count = nodes.len();
        match leaves {
            Leaves::Chunks(chunks) => {
                let (first, rest) = chunks.split_at(count);
                first.write(nodes);
                *chunks = rest;
                Ok(())
            }
            Leaves::Fixed { element, bytes, size } => {
                let (first, rest) = bytes.split_at(count * *size);
                *bytes = rest;
                self.roots_into(element, Batch::packed(first, *size, count), Column::new(nodes))
            }
            Leaves::Variable { element, elements } => {
                let mut values = Vec::with_capacity(count);
                for span in elements.by_ref().take(count) {
                    values.push(span?.bytes);
                }
                self.roots_into(element, Batch::many(&values), Column::new(nodes))
            }
        }
    }
}
