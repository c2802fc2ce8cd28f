//! What the tree of a type looks like: the one description that paths, generalized indices and proofs go by.
//!
//! A value's own tree ends at its leaves; the tree of a part stands where its leaf is.

use super::path::Word;
use super::reduce::depth_of;
use crate::schema::Progressive;
use crate::types::{Field, Kind, Type};

/// The tree of a type's values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'t> {
    pub(super) word: Option<Word>,
    pub(super) tree: Tree,
    pub(super) leaves: Leaves<'t>,
}

/// What stands over the leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    Bounded { depth: usize },
    Progressive,
}

/// What the leaves are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaves<'t> {
    /// The value itself, without parts.
    Basic,
    /// Chunks that `per_chunk` bits, bytes or numbers share; at most `positions` of those.
    Packed { per_chunk: u64, positions: Option<u64>, item: Item<'t> },
    /// A root for each element; at most `positions`.
    Elements { element: &'t Type, positions: Option<u64> },
    /// A root for each field; with `active_fields`, at the active positions only.
    Fields { fields: &'t [Field], active_fields: Option<&'t [bool]> },
    /// The root of the option that a selector names.
    Option(Options<'t>),
}

/// What a packed chunk is made of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'t> {
    Bit,
    Byte,
    Number(&'t Type),
}

/// The options of a union.
#[derive(Clone, Copy, Debug)]
pub(super) enum Options<'t> {
    Plain(&'t [Option<Type>]),
    Compatible(&'t [(u8, Type)]),
}

/// A node of one value's own tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// The root.
    Top,
    /// The root's left child, where a word is mixed in.
    Contents,
    /// The root's right child, where a word is mixed in.
    Word,
    /// The node of a progressive spine above the subtree `level` and all later ones.
    Spine { level: usize },
    /// The root of a tree over `2^depth` leaves from `first` on.
    Subtree { first: u128, depth: usize },
}

impl<'t> Shape<'t> {
    pub(super) fn of(ty: &'t Type) -> Self {
        let packed = |item, per_chunk, positions| Leaves::Packed { per_chunk, positions, item };
        let bits = |positions| packed(Item::Bit, 256, positions);
        let bytes = |positions| packed(Item::Byte, 32, positions);
        let elements = |element: &'t Type, positions| match element.fixed_size() {
            Some(size) if element.is_basic() => packed(Item::Number(element), 32 / size as u64, positions),
            _ => Leaves::Elements { element, positions },
        };
        let (length, none) = (Some(Word::Length), None);
        match ty.kind() {
            Kind::Boolean | Kind::Byte | Kind::Uint { .. } => Self::new(none, Leaves::Basic),
            Kind::BitVector { length } => Self::new(none, bits(Some(*length as u64))),
            Kind::BitList { limit } => Self::new(length, bits(Some(*limit))),
            Kind::ProgressiveBitList => Self::new(length, bits(None)),
            Kind::ByteVector { length } => Self::new(none, bytes(Some(*length as u64))),
            Kind::ByteList { limit } => Self::new(length, bytes(Some(*limit))),
            Kind::ProgressiveByteList => Self::new(length, bytes(None)),
            Kind::Vector { element, length } => Self::new(none, elements(element, Some(*length as u64))),
            Kind::List { element, limit } => Self::new(length, elements(element, Some(*limit))),
            Kind::ProgressiveList { element } => Self::new(length, elements(element, None)),
            Kind::Container { fields } => Self::new(none, Leaves::Fields { fields, active_fields: None }),
            Kind::ProgressiveContainer { active_fields, fields } => {
                let leaves = Leaves::Fields { fields, active_fields: Some(active_fields) };
                Self::new(Some(Word::ActiveFields), leaves)
            }
            Kind::Union { options } => {
                Self::new(Some(Word::Selector), Leaves::Option(Options::Plain(options)))
            }
            Kind::CompatibleUnion { options } => {
                Self::new(Some(Word::Selector), Leaves::Option(Options::Compatible(options)))
            }
        }
    }

    fn new(word: Option<Word>, leaves: Leaves<'t>) -> Self {
        let tree = match leaves.limit() {
            Some(limit) => Tree::Bounded { depth: depth_of(limit) },
            None => Tree::Progressive,
        };
        Self { word, tree, leaves }
    }

    /// The children of a node, unless it is a leaf or a word.
    pub(super) fn children(&self, node: Node, progressive: Progressive) -> Option<[Node; 2]> {
        match node {
            Node::Top if self.word.is_some() => Some([Node::Contents, Node::Word]),
            Node::Top | Node::Contents => match self.tree {
                Tree::Bounded { depth } => self.children(Node::Subtree { first: 0, depth }, progressive),
                Tree::Progressive => self.children(Node::Spine { level: 0 }, progressive),
            },
            Node::Spine { level } if self.spine_ends(level) => None,
            Node::Spine { level } => {
                let subtree = Node::Subtree { first: first_leaf(level), depth: 2 * level };
                let rest = Node::Spine { level: level + 1 };
                Some(match progressive {
                    Progressive::SubtreeFirst => [subtree, rest],
                    Progressive::RestFirst => [rest, subtree],
                })
            }
            Node::Subtree { depth: 0, .. } | Node::Word => None,
            Node::Subtree { first, depth } => Some([
                Node::Subtree { first, depth: depth - 1 },
                Node::Subtree { first: first + (1 << (depth - 1)), depth: depth - 1 },
            ]),
        }
    }

    /// Whether no value has leaves in subtree `level` of the progressive tree, or after it.
    fn spine_ends(&self, level: usize) -> bool {
        match self.leaves {
            Leaves::Fields { active_fields: Some(active), .. } => first_leaf(level) >= active.len() as u128,
            _ => level > level_of(u64::MAX),
        }
    }

    /// The leaf that a node without children is, unless it is a word.
    pub(super) fn leaf(&self, node: Node) -> Option<u128> {
        match node {
            Node::Subtree { first, depth: 0 } => Some(first),
            Node::Contents => Some(0),
            Node::Top if self.word.is_none() => Some(0),
            _ => None,
        }
    }
}

impl Leaves<'_> {
    /// How many leaves there can be; `None` where a progressive tree stands over them.
    pub(super) fn limit(&self) -> Option<u64> {
        match self {
            Self::Basic | Self::Option(_) => Some(1),
            Self::Packed { per_chunk, positions, .. } => Some((*positions)?.div_ceil(*per_chunk)),
            Self::Elements { positions, .. } => *positions,
            Self::Fields { fields, active_fields: None } => Some(fields.len() as u64),
            Self::Fields { active_fields: Some(_), .. } => None,
        }
    }
}

impl<'t> Options<'t> {
    /// The type of the option that `selector` names, if it names one; the inner `None` is the option `None`.
    pub(super) fn find(self, selector: u64) -> Option<Option<&'t Type>> {
        let selector = u8::try_from(selector).ok()?;
        match self {
            Self::Plain(options) => crate::ssz::layout::union_option(options, selector),
            Self::Compatible(options) => crate::ssz::layout::compatible_option(options, selector),
        }
    }

    /// Every selector, in rising order.
    pub(super) fn selectors(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |selector| self.find((*selector).into()).is_some())
    }
}

/// The field whose root is leaf `leaf`; `None` for a gap and past the end.
pub(super) fn field_at<'t>(
    fields: &'t [Field],
    active_fields: Option<&[bool]>,
    leaf: u128,
) -> Option<&'t Field> {
    let leaf = usize::try_from(leaf).ok()?;
    match active_fields {
        None => fields.get(leaf),
        Some(active) if !*active.get(leaf)? => None,
        Some(active) => fields.get(active[..leaf].iter().filter(|&&active| active).count()),
    }
}

/// The leaf that is the root of field `field`.
pub(super) fn leaf_of_field(active_fields: Option<&[bool]>, field: usize) -> u64 {
    let Some(active) = active_fields else { return field as u64 };
    let mut positions = active.iter().enumerate().filter(|(_, active)| **active).map(|(at, _)| at);
    positions.nth(field).unwrap_or(active.len()) as u64
}

/// The first leaf of subtree `level` of a progressive tree: they are 1, 4, 16 .. leaves wide.
pub(super) fn first_leaf(level: usize) -> u128 {
    ((1u128 << (2 * level.min(63))) - 1) / 3
}

/// The subtree of a progressive tree in which a leaf is.
pub(super) fn level_of(leaf: u64) -> usize {
    // level k ends before leaf (4^(k + 1) - 1) / 3, so 3 * leaf + 1 has its level in its highest bits
    ((u128::from(leaf) * 3 + 1).ilog2() / 2) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_of_a_progressive_tree_is_in_its_level() {
        for leaf in (0..2000).chain([u64::MAX - 1, u64::MAX]) {
            let level = level_of(leaf);
            assert!(first_leaf(level) <= leaf.into() && u128::from(leaf) < first_leaf(level + 1), "{leaf}");
        }
        assert_eq!((0..4).map(first_leaf).collect::<Vec<_>>(), [0, 1, 5, 21]);
    }
}
