//! Nodes of an encoded value's tree, by generalized index.
//!
//! Only the way to the nodes that are asked for is walked. A subtree beside it that is asked for is reduced level by
//! level, and no two of the nodes of a proof overlap, so all of them together cost at most the hashes of one root.

use std::collections::BTreeMap;

use pair_hashers::Node as Hash;

use super::gindex::GeneralizedIndex;
use super::path::Word;
use super::shape::{self, Item, Leaves, Node, Shape, Tree};
use super::{Malformed, Merkleizer, ZERO_CHUNK};
use crate::ssz::DecodeError;
use crate::ssz::layout::{self, Count, Elements, Span};
use crate::types::{Kind, Type};

/// Why there is no such node in a value's tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NodeError {
    /// The bytes are no value of the type.
    #[error(transparent)]
    Malformed(#[from] DecodeError),
    /// It would be below a mixed-in word.
    #[error("there is no node {0}: it would be below a mixed-in word")]
    BelowWord(GeneralizedIndex),
    /// It would be below a chunk.
    #[error("there is no node {0}: it would be below a chunk")]
    BelowChunk(GeneralizedIndex),
    /// It would be below a zero chunk that stands for an element or field that is not there.
    #[error("there is no node {0}: it would be below an element or field that is not there")]
    BelowAbsent(GeneralizedIndex),
    /// The progressive tree of this value ends before it.
    #[error("there is no node {0}: the value's progressive tree ends above it")]
    PastSpine(GeneralizedIndex),
}

/// The nodes that were found.
pub(super) type Found = BTreeMap<GeneralizedIndex, Hash>;

/// Why a walk ends early: before the decoder was asked for the whole story.
enum Stop {
    Malformed(Malformed),
    Absent(NodeError),
}

impl<E: Into<Malformed>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Malformed(error.into())
    }
}

impl Merkleizer<'_> {
    /// The nodes at these indices of the tree of one encoded value.
    pub(super) fn nodes<'i>(
        &mut self,
        ty: &Type,
        bytes: &[u8],
        indices: impl IntoIterator<Item = &'i GeneralizedIndex>,
    ) -> Result<Found, NodeError> {
        let mut wanted: Vec<_> = indices.into_iter().collect();
        // by the turns from the root on, so that what lies in one subtree stands together
        wanted.sort_by(|a, b| turns(a).cmp(turns(b)));
        let mut found = Found::new();
        match self.collect(ty, Span::whole(bytes), 0, &wanted, &mut found) {
            Ok(()) => Ok(found),
            Err(Stop::Absent(error)) => Err(error),
            Err(Stop::Malformed(malformed)) => Err(malformed.explain(ty, bytes).into()),
        }
    }

    /// Finds the wanted nodes in the tree of a value whose root is `depth` steps down. Recursion is as deep as types
    /// nest.
    fn collect(
        &mut self,
        ty: &Type,
        span: Span<'_>,
        depth: usize,
        wanted: &[&GeneralizedIndex],
        found: &mut Found,
    ) -> Result<(), Stop> {
        let value = Opened::new(ty, span)?;
        let mut open = vec![(Node::Top, depth, wanted)];
        while let Some((node, depth, wanted)) = open.pop() {
            let here = wanted.iter().take_while(|index| index.depth() == depth).count();
            if let Some(index) = wanted[..here].first() {
                found.insert((*index).clone(), self.node(ty, &value, node)?);
            }
            let below = &wanted[here..];
            let Some(first) = below.first() else { continue };
            if value.ends_at(node) {
                return Err(Stop::Absent(NodeError::PastSpine((*first).clone())));
            }
            if let Some([left, right]) = value.shape.children(node, self.progressive) {
                let split = below.partition_point(|index| !index.turns_right(depth));
                open.push((left, depth + 1, &below[..split]));
                open.push((right, depth + 1, &below[split..]));
                continue;
            }
            match value.part(node) {
                Ok((ty, span)) => self.collect(ty, span, depth, below, found)?,
                Err(absent) => return Err(Stop::Absent(absent((*first).clone()))),
            }
        }
        Ok(())
    }

    fn node(&mut self, ty: &Type, value: &Opened<'_, '_>, node: Node) -> Result<Hash, Stop> {
        Ok(match (node, value.shape.tree) {
            (Node::Top, _) => self.root(ty, value.span.bytes)?,
            (Node::Word, _) => value.word,
            (Node::Contents, Tree::Bounded { depth }) => self.subtree(value, 0, depth)?,
            (Node::Contents, Tree::Progressive) => self.rest_of_spine(value, 0)?,
            (Node::Spine { level }, _) => self.rest_of_spine(value, level)?,
            (Node::Subtree { first, depth }, _) => self.subtree(value, first, depth)?,
        })
    }

    /// The root of the tree over `2^depth` leaves from `first` on.
    fn subtree(&mut self, value: &Opened<'_, '_>, first: u128, depth: usize) -> Result<Hash, Stop> {
        let end = first.saturating_add(1u128.checked_shl(depth as u32).unwrap_or(u128::MAX));
        let count = value.count();
        let from = usize::try_from(first).unwrap_or(usize::MAX).min(count);
        let to = usize::try_from(end).unwrap_or(usize::MAX).min(count);
        let mut level = self.leaves(value, from, to)?;
        if level.is_empty() {
            return Ok(self.reducer.zero(depth));
        }
        for height in 0..depth {
            if !level.len().is_multiple_of(2) {
                level.push(self.reducer.zero(height));
            }
            let mut parents = vec![ZERO_CHUNK; level.len() / 2];
            self.reducer.hash(&level, &mut parents);
            level = parents;
        }
        Ok(level[0])
    }

    /// The node of the spine over subtree `level` and all later ones.
    fn rest_of_spine(&mut self, value: &Opened<'_, '_>, level: usize) -> Result<Hash, Stop> {
        let levels = match value.count() {
            0 => 0,
            count => shape::level_of(count as u64 - 1) + 1,
        };
        let mut rest = [ZERO_CHUNK];
        for level in (level..levels).rev() {
            let subtree = self.subtree(value, shape::first_leaf(level), 2 * level)?;
            self.climb_spine(&[subtree], &mut rest);
        }
        Ok(rest[0])
    }

    /// The leaves `from..to`, which the value has.
    fn leaves(&mut self, value: &Opened<'_, '_>, from: usize, to: usize) -> Result<Vec<Hash>, Stop> {
        let mut leaves = vec![ZERO_CHUNK; to - from];
        match &value.contents {
            Contents::Chunks(bytes) => {
                let bytes = &bytes[bytes.len().min(from * 32)..bytes.len().min(to * 32)];
                leaves.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
            }
            Contents::Elements(element, spans) => {
                let values: Vec<_> = (from..to).map(|at| spans.get(at).bytes).collect();
                leaves = self.roots(element, &values).map_err(|(_, error)| error)?;
            }
            Contents::Parts(parts) => {
                for (leaf, part) in leaves.iter_mut().zip(&parts[from..to]) {
                    if let Some((ty, span)) = part {
                        *leaf = self.root(ty, span.bytes)?;
                    }
                }
            }
        }
        Ok(leaves)
    }
}

/// An index's turns from the root on.
fn turns(index: &GeneralizedIndex) -> impl Iterator<Item = bool> + '_ {
    (0..index.depth()).map(|at| index.turns_right(at))
}

/// How to say that there is no such node.
type Absent = fn(GeneralizedIndex) -> NodeError;

/// An encoded value with its leaves in view.
struct Opened<'t, 'b> {
    shape: Shape<'t>,
    span: Span<'b>,
    contents: Contents<'t, 'b>,
    /// The mixed-in word, where there is one.
    word: Hash,
}

enum Contents<'t, 'b> {
    /// Bytes of which every 32 are a leaf, the last padded.
    Chunks(std::borrow::Cow<'b, [u8]>),
    /// Elements of one type.
    Elements(&'t Type, Spans<'b>),
    /// Fields with their gaps, or a union's option.
    Parts(Vec<Option<(&'t Type, Span<'b>)>>),
}

enum Spans<'b> {
    Fixed(Span<'b>, usize),
    Each(Vec<Span<'b>>),
}

impl<'b> Spans<'b> {
    fn len(&self) -> usize {
        match self {
            Self::Fixed(span, size) => span.bytes.len() / size,
            Self::Each(spans) => spans.len(),
        }
    }

    fn get(&self, at: usize) -> Span<'b> {
        match self {
            Self::Fixed(span, size) => span.cut(at * size, (at + 1) * size),
            Self::Each(spans) => spans[at],
        }
    }
}

impl<'t, 'b> Opened<'t, 'b> {
    fn new(ty: &'t Type, span: Span<'b>) -> Result<Self, DecodeError> {
        let shape = Shape::of(ty);
        let mut length = 0;
        let contents = match shape.leaves {
            Leaves::Basic => {
                span.expect_size(ty.size_in_parent())?;
                Contents::Chunks(span.bytes.into())
            }
            Leaves::Packed { positions, item, .. } => {
                let count = count(ty, positions);
                match item {
                    Item::Bit => bits(span, count, &mut length)?,
                    Item::Byte => packed(span, 1, count, &mut length)?,
                    Item::Number(number) => {
                        let contents = packed(span, number.size_in_parent(), count, &mut length)?;
                        if *number.kind() == Kind::Boolean {
                            (0..length).try_for_each(|at| layout::boolean(span, at).map(drop))?;
                        }
                        contents
                    }
                }
            }
            Leaves::Elements { element, positions } => {
                let spans = match element.fixed_size() {
                    Some(size) => {
                        layout::fixed_elements(span, size, count(ty, positions))?;
                        Spans::Fixed(span, size)
                    }
                    None => Spans::Each(
                        Elements::new(span, count(ty, positions))?.collect::<Result<Vec<_>, _>>()?,
                    ),
                };
                length = spans.len();
                Contents::Elements(element, spans)
            }
            Leaves::Fields { fields, active_fields } => {
                if let Some(size) = ty.fixed_size() {
                    span.expect_size(size)?;
                }
                let mut spans = fields.iter().zip(layout::fields(fields, span)?);
                let leaves = active_fields.map_or(fields.len(), <[bool]>::len);
                let part =
                    |leaf| shape::field_at(fields, active_fields, leaf as u128).and_then(|_| spans.next());
                let parts = (0..leaves).map(part);
                Contents::Parts(parts.map(|part| part.map(|(field, span)| (&field.ty, span))).collect())
            }
            Leaves::Option(options) => {
                let (selector, option) = layout::union(span, |selector| options.find(selector.into()))?;
                length = selector.into();
                Contents::Parts(vec![option])
            }
        };
        let word = word(ty, shape.word, length);
        Ok(Self { shape, span, contents, word })
    }

    fn count(&self) -> usize {
        match &self.contents {
            Contents::Chunks(bytes) => bytes.len().div_ceil(32),
            Contents::Elements(_, spans) => spans.len(),
            Contents::Parts(parts) => parts.len(),
        }
    }

    /// Whether the node is the zero chunk that ends the value's progressive tree.
    fn ends_at(&self, node: Node) -> bool {
        let level = match node {
            Node::Spine { level } => level,
            Node::Contents if self.shape.tree == Tree::Progressive => 0,
            _ => return false,
        };
        shape::first_leaf(level) >= self.count() as u128
    }

    /// The part whose tree stands at a node without children, or how to say that there is none.
    fn part(&self, node: Node) -> Result<(&'t Type, Span<'b>), Absent> {
        let Some(leaf) = self.shape.leaf(node) else { return Err(NodeError::BelowWord) };
        let leaf = usize::try_from(leaf).unwrap_or(usize::MAX);
        match &self.contents {
            Contents::Chunks(_) => Err(NodeError::BelowChunk),
            Contents::Elements(element, spans) if leaf < spans.len() => Ok((element, spans.get(leaf))),
            Contents::Elements(..) => Err(NodeError::BelowAbsent),
            Contents::Parts(parts) => parts.get(leaf).copied().flatten().ok_or(NodeError::BelowAbsent),
        }
    }
}

/// The rule for the number of positions of a sequence.
fn count(ty: &Type, positions: Option<u64>) -> Count {
    match (ty.kind(), positions) {
        (Kind::BitVector { length } | Kind::ByteVector { length } | Kind::Vector { length, .. }, _) => {
            Count::Exactly(*length)
        }
        (_, Some(limit)) => Count::AtMost(limit),
        (_, None) => Count::Any,
    }
}

fn packed<'t, 'b>(
    span: Span<'b>,
    size: usize,
    count: Count,
    length: &mut usize,
) -> Result<Contents<'t, 'b>, DecodeError> {
    *length = layout::fixed_elements(span, size, count)?;
    Ok(Contents::Chunks(span.bytes.into()))
}

fn bits<'t, 'b>(span: Span<'b>, count: Count, length: &mut usize) -> Result<Contents<'t, 'b>, DecodeError> {
    if let Count::Exactly(exactly) = count {
        layout::bit_vector(span, exactly)?;
        return Ok(Contents::Chunks(span.bytes.into()));
    }
    *length = layout::bit_list(span, count)?;
    let mut bytes = span.bytes.to_vec();
    bytes[*length / 8] &= !(1 << (*length % 8));
    bytes.truncate(length.div_ceil(8));
    Ok(Contents::Chunks(bytes.into()))
}

/// The word of 32 bytes that is mixed in: `number` is a length or a selector.
fn word(ty: &Type, word: Option<Word>, number: usize) -> Hash {
    let mut node = ZERO_CHUNK;
    match (word, ty.kind()) {
        (Some(Word::ActiveFields), Kind::ProgressiveContainer { active_fields, .. }) => {
            for (at, _) in active_fields.iter().enumerate().filter(|(_, active)| **active) {
                node[at / 8] |= 1 << (at % 8);
            }
        }
        (Some(_), _) => node[..8].copy_from_slice(&(number as u64).to_le_bytes()),
        (None, _) => {}
    }
    node
}
