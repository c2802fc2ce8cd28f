//! Roots of vectors and lists of every kind: of one long one, or of many short ones together.

use pair_hashers::Node;

use super::batch::{Batch, Column};
use super::leaves::{Chunks, Leaves};
use super::reduce::{BLOCK, depth_of};
use super::{Malformed, Merkleizer, ZERO_CHUNK, spine};
use crate::ssz::layout::{self, Count, Elements, Span};
use crate::types::{Kind, Type};

/// A kind of sequence: what its leaves are and what tree stands over them.
pub(super) struct Sequence<'t> {
    items: Items<'t>,
    count: Count,
    tree: Tree,
    /// Whether the length is mixed in.
    length: bool,
}

enum Items<'t> {
    Bits,
    /// Elements of `size` bytes whose encodings, side by side, are the chunks.
    Packed {
        size: usize,
        boolean: bool,
    },
    Elements(&'t Type),
}

#[derive(Clone, Copy)]
enum Tree {
    Depth(usize),
    Progressive,
}

impl<'t> Sequence<'t> {
    /// The sequence that a type is, if it is one.
    pub(super) fn of(ty: &'t Type) -> Option<Self> {
        let bytes = Items::Packed { size: 1, boolean: false };
        Some(match ty.kind() {
            Kind::BitVector { length } => Self::new(Items::Bits, Count::Exactly(*length)),
            Kind::BitList { limit } => Self::new(Items::Bits, Count::AtMost(*limit)),
            Kind::ProgressiveBitList => Self::new(Items::Bits, Count::Any),
            Kind::ByteVector { length } => Self::new(bytes, Count::Exactly(*length)),
            Kind::ByteList { limit } => Self::new(bytes, Count::AtMost(*limit)),
            Kind::ProgressiveByteList => Self::new(bytes, Count::Any),
            Kind::Vector { element, length } => Self::new(Items::of(element), Count::Exactly(*length)),
            Kind::List { element, limit } => Self::new(Items::of(element), Count::AtMost(*limit)),
            Kind::ProgressiveList { element } => Self::new(Items::of(element), Count::Any),
            _ => return None,
        })
    }

    fn new(items: Items<'t>, count: Count) -> Self {
        let capacity = match count {
            Count::Exactly(length) => length as u64,
            Count::AtMost(limit) => limit,
            Count::Any => return Self { items, count, tree: Tree::Progressive, length: true },
        };
        let chunks = match items {
            Items::Bits => capacity.div_ceil(256),
            Items::Packed { size, .. } => capacity.div_ceil(32 / size as u64),
            Items::Elements(_) => capacity,
        };
        let length = !matches!(count, Count::Exactly(_));
        Self { items, count, tree: Tree::Depth(depth_of(chunks)), length }
    }

    /// The leaves of one value and its length, after every check of the value that its parts do not make themselves.
    fn open<'b>(&self, bytes: &'b [u8]) -> Result<(Leaves<'t, 'b>, usize), Malformed> {
        let span = Span::whole(bytes);
        Ok(match (&self.items, self.count) {
            (Items::Bits, Count::Exactly(length)) => {
                layout::bit_vector(span, length)?;
                (Leaves::Chunks(Chunks::of_bytes(bytes)), length)
            }
            (Items::Bits, count) => {
                let length = layout::bit_list(span, count)?;
                (Leaves::Chunks(Chunks::of_bit_list(bytes, length)), length)
            }
            (Items::Packed { size, boolean }, count) => {
                let length = layout::fixed_elements(span, *size, count)?;
                if *boolean {
                    (0..length).try_for_each(|at| layout::boolean(span, at).map(drop))?;
                }
                (Leaves::Chunks(Chunks::of_bytes(bytes)), length)
            }
            (Items::Elements(element), count) => match element.fixed_size() {
                Some(size) => {
                    let length = layout::fixed_elements(span, size, count)?;
                    (Leaves::Fixed { element, bytes, size }, length)
                }
                None => {
                    let elements = Elements::new(span, count)?;
                    let length = elements.len();
                    (Leaves::Variable { element, elements }, length)
                }
            },
        })
    }
}

impl<'t> Items<'t> {
    fn of(element: &'t Type) -> Self {
        match element.kind() {
            Kind::Boolean => Self::Packed { size: 1, boolean: true },
            Kind::Byte => Self::Packed { size: 1, boolean: false },
            Kind::Uint { size } => Self::Packed { size: *size, boolean: false },
            // the root of 32 bytes is those bytes
            Kind::ByteVector { length: 32 } => Self::Packed { size: 32, boolean: false },
            _ => Self::Elements(element),
        }
    }
}

/// Short sequences are collected until they have this many bytes, then reduced together.
const COLLECTED_BYTES: usize = 32 * 1024;

impl Merkleizer<'_> {
    /// The roots of many sequences of one kind.
    pub(super) fn sequences(
        &mut self,
        sequence: &Sequence<'_>,
        batch: Batch<'_, '_>,
        mut roots: Column<'_>,
    ) -> Result<(), Malformed> {
        let mut from = 0;
        while from < batch.len() {
            let to = from + collectable(&batch, from);
            let mut roots = roots.skip(from);
            if to == from + 1 {
                *roots.entry(0) = self.one_sequence(sequence, batch.get(from))?;
            } else {
                self.short_sequences(sequence, batch.slice(from, to), &mut roots)?;
            }
            from = to;
        }
        Ok(())
    }

    /// The root of one sequence, however long.
    fn one_sequence(&mut self, sequence: &Sequence<'_>, bytes: &[u8]) -> Result<Node, Malformed> {
        let (mut leaves, length) = sequence.open(bytes)?;
        let count = leaves.len();
        let root = match sequence.tree {
            Tree::Depth(depth) => self.tree(&mut leaves, count, depth)?,
            Tree::Progressive => {
                let mut subtrees = [ZERO_CHUNK; 32];
                let mut used = 0;
                for (range, depth) in spine::subtrees(count) {
                    subtrees[used] = self.tree(&mut leaves, range.len(), depth)?;
                    used += 1;
                }
                self.spine(&subtrees[..used])
            }
        };
        let mut root = [root];
        if sequence.length {
            self.reducer.mix_in(&mut root, |_| length_node(length));
        }
        Ok(root[0])
    }

    /// The roots of sequences that are small together.
    fn short_sequences(
        &mut self,
        sequence: &Sequence<'_>,
        batch: Batch<'_, '_>,
        roots: &mut Column<'_>,
    ) -> Result<(), Malformed> {
        let (mut lengths, mut widths) = (Vec::with_capacity(batch.len()), Vec::with_capacity(batch.len()));
        let mut nodes = self.collect_leaves(sequence, batch, &mut lengths, &mut widths)?;
        let mut contents = self.reducer.take(batch.len());
        match sequence.tree {
            Tree::Depth(depth) => self.trees(&mut nodes, &mut widths, depth, &mut contents),
            Tree::Progressive => self.progressive_trees(&nodes, &widths, &mut contents[..batch.len()]),
        }
        if sequence.length {
            self.reducer.mix_in(&mut contents[..batch.len()], |index| length_node(lengths[index]));
        }
        roots.copy_from(&contents[..batch.len()]);
        self.reducer.give_back(contents);
        self.reducer.give_back(nodes);
        Ok(())
    }

    /// The leaves of all sequences, side by side, with each sequence's length and number of leaves.
    fn collect_leaves(
        &mut self,
        sequence: &Sequence<'_>,
        batch: Batch<'_, '_>,
        lengths: &mut Vec<usize>,
        widths: &mut Vec<usize>,
    ) -> Result<Vec<Node>, Malformed> {
        let mut nodes = self.reducer.take(0);
        let mut elements: Vec<&[u8]> = Vec::new();
        let mut used = 0;
        for index in 0..batch.len() {
            let (leaves, length) = sequence.open(batch.get(index))?;
            let count = leaves.len();
            lengths.push(length);
            widths.push(count);
            match leaves {
                Leaves::Chunks(chunks) => {
                    if nodes.len() < used + count {
                        nodes.resize((used + count).max(nodes.len() * 2), ZERO_CHUNK);
                    }
                    chunks.write(&mut nodes[used..]);
                }
                Leaves::Fixed { bytes, size, .. } => elements.extend(bytes.chunks_exact(size)),
                Leaves::Variable { elements: spans, .. } => {
                    for span in spans {
                        elements.push(span?.bytes);
                    }
                }
            }
            used += count;
        }
        if let Items::Elements(element) = sequence.items {
            if nodes.len() < used {
                nodes.resize(used, ZERO_CHUNK);
            }
            self.roots_into(element, Batch::many(&elements), Column::new(&mut nodes))?;
        }
        Ok(nodes)
    }

    /// The roots of trees of one depth over rows that stand side by side; an empty row is a tree of zeros.
    fn trees(&mut self, nodes: &mut Vec<Node>, widths: &mut [usize], depth: usize, roots: &mut [Node]) {
        let count = widths.len();
        let mut filled = self.reducer.take(count);
        let mut rows: Vec<usize> = widths.iter().copied().filter(|&width| width > 0).collect();
        self.reducer.reduce_ragged(nodes, &mut rows, depth, &mut Column::new(&mut filled));
        let mut next = filled.iter();
        for (root, width) in roots.iter_mut().zip(widths) {
            *root = match (*width > 0).then(|| next.next()).flatten() {
                Some(node) => *node,
                None => self.reducer.zero(depth),
            };
        }
        self.reducer.give_back(filled);
    }

    /// The roots of progressive trees over rows that stand side by side.
    fn progressive_trees(&mut self, nodes: &[Node], widths: &[usize], roots: &mut [Node]) {
        let longest = widths.iter().copied().max().unwrap_or(0);
        let mut starts = Vec::with_capacity(widths.len());
        let mut start = 0;
        for width in widths {
            starts.push(start);
            start += width;
        }
        roots.fill(ZERO_CHUNK);
        for (range, depth) in spine::subtrees(longest).rev() {
            let reaching: Vec<usize> = (0..widths.len()).filter(|&row| widths[row] > range.start).collect();
            let mut rows = self.reducer.take(0);
            rows.clear();
            let mut row_widths = Vec::with_capacity(reaching.len());
            for &row in &reaching {
                let end = widths[row].min(range.end);
                rows.extend_from_slice(&nodes[starts[row] + range.start..starts[row] + end]);
                row_widths.push(end - range.start);
            }
            let mut subtrees = self.reducer.take(reaching.len());
            self.reducer.reduce_ragged(&mut rows, &mut row_widths, depth, &mut Column::new(&mut subtrees));
            let mut rest: Vec<Node> = reaching.iter().map(|&row| roots[row]).collect();
            self.climb_spine(&subtrees[..reaching.len()], &mut rest);
            reaching.iter().zip(rest).for_each(|(&row, node)| roots[row] = node);
            self.reducer.give_back(subtrees);
            self.reducer.give_back(rows);
        }
    }
}

/// How many values from `from` on are reduced together: at least one.
fn collectable(batch: &Batch<'_, '_>, from: usize) -> usize {
    let mut bytes = 0;
    let mut count = 0;
    while from + count < batch.len() && count < BLOCK {
        bytes += batch.get(from + count).len();
        if bytes > COLLECTED_BYTES && count > 0 {
            break;
        }
        count += 1;
    }
    count
}

fn length_node(length: usize) -> Node {
    let mut node = ZERO_CHUNK;
    node[..8].copy_from_slice(&(length as u64).to_le_bytes());
    node
}
