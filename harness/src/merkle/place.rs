//! From a path to a generalized index and back, by the type alone or with a value at hand.

use std::collections::HashSet;
use std::{fmt, ptr};

use super::gindex::GeneralizedIndex;
use super::path::{Path, Step, Word};
use super::shape::{self, Item, Leaves, Node, Options, Shape, Tree};
use crate::schema::Progressive;
use crate::ssz::{DecodeError, Value, decode};
use crate::types::Type;

/// The generalized index of the node that holds what `path` leads to. Bits, bytes and numbers of a sequence share a
/// chunk: their index is that chunk's.
///
/// What a position leads to need not be there in a value: the index of element 5 of a list is the same in a list of 3.
///
/// # Errors
///
/// If a step does not fit what it starts from.
pub fn generalized_index(
    ty: &Type,
    path: &Path,
    progressive: Progressive,
) -> Result<GeneralizedIndex, PathError> {
    let mut index = GeneralizedIndex::root();
    let mut from = From::Value(ty);
    for (at, step) in path.steps().iter().enumerate() {
        from = from.step(step, &mut index, progressive).map_err(|fault| PathError {
            path: path.to_string(),
            step: step.to_string(),
            at,
            fault,
        })?;
    }
    Ok(index)
}

/// How many chunks the tree of a type is made for, by its own leaves alone; `None` of a progressive tree, which grows with
/// its value (`chunk_count`).
pub fn chunk_count(ty: &Type) -> Option<u64> {
    Shape::of(ty).leaves.limit()
}

/// Why a path leads nowhere: the step, and what does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: step {number} ({step}): {fault}", number = at + 1)]
pub struct PathError {
    path: String,
    step: String,
    at: usize,
    fault: PathFault,
}

impl PathError {
    /// What does not fit.
    pub fn fault(&self) -> &PathFault {
        &self.fault
    }
}

/// What does not fit between a step and what it starts from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathFault {
    /// Booleans, integers, bits, bytes and `None` have no parts.
    #[error("{0} has no parts")]
    NoParts(String),
    /// A mixed-in word ends a path.
    #[error("{word} is a word and has no parts", word = .0.name())]
    NoPartsOfWord(Word),
    /// The type's root has no such word.
    #[error("{0} mixes in no {word}", word = .1.name())]
    NoWord(String, Word),
    /// A container has no field of this name.
    #[error("no such field; expected one of {0}")]
    NoSuchField(String),
    /// A union has no option of this selector.
    #[error("no such option; expected one of the selectors {0}")]
    NoSuchOption(String),
    /// The type has fewer positions.
    #[error("no such position; {0} ends before position {1}")]
    NoSuchPosition(String, u64),
    /// A name where a position or a selector has to be.
    #[error("expected a position or a selector of {0}")]
    NotAPosition(String),
}

/// What a step starts from.
enum From<'t> {
    Value(&'t Type),
    Nothing(&'static str),
    Word(Word),
}

impl<'t> From<'t> {
    fn step(
        self,
        step: &Step,
        index: &mut GeneralizedIndex,
        progressive: Progressive,
    ) -> Result<Self, PathFault> {
        let ty = match self {
            Self::Value(ty) => ty,
            Self::Nothing(what) => return Err(PathFault::NoParts(what.into())),
            Self::Word(word) => return Err(PathFault::NoPartsOfWord(word)),
        };
        let shape = Shape::of(ty);
        if let (Step::Word(word), false) = (step, matches!(shape.leaves, Leaves::Basic)) {
            if shape.word != Some(*word) {
                return Err(PathFault::NoWord(ty.to_string(), *word));
            }
            index.push(true);
            return Ok(Self::Word(*word));
        }
        let (leaf, part) = leaf_of(ty, &shape, step)?;
        if shape.word.is_some() {
            index.push(false);
        }
        match shape.tree {
            Tree::Bounded { depth } => index.push_leaf(leaf.into(), depth),
            Tree::Progressive => push_progressive(index, leaf, progressive),
        }
        Ok(part)
    }
}

/// The leaf that a step leads to, and what is there.
fn leaf_of<'t>(ty: &Type, shape: &Shape<'t>, step: &Step) -> Result<(u64, From<'t>), PathFault> {
    match (shape.leaves, step) {
        (Leaves::Basic, _) => Err(PathFault::NoParts(ty.to_string())),
        (Leaves::Fields { fields, active_fields }, step) => {
            // a position is no name of a field
            let at = fields.iter().position(|field| matches!(step, Step::Field(name) if *name == field.name));
            let at = at.ok_or_else(|| {
                let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
                PathFault::NoSuchField(names.join(", "))
            })?;
            Ok((shape::leaf_of_field(active_fields, at), From::Value(&fields[at].ty)))
        }
        (_, Step::Field(_) | Step::Word(_)) => Err(PathFault::NotAPosition(ty.to_string())),
        (Leaves::Option(options), Step::Position(selector)) => match options.find(*selector) {
            Some(Some(option)) => Ok((0, From::Value(option))),
            Some(None) => Ok((0, From::Nothing("None"))),
            None => {
                let selectors: Vec<_> = options.selectors().map(|selector| selector.to_string()).collect();
                Err(PathFault::NoSuchOption(selectors.join(", ")))
            }
        },
        (
            Leaves::Packed { positions: Some(positions), .. }
            | Leaves::Elements { positions: Some(positions), .. },
            Step::Position(at),
        ) if *at >= positions => Err(PathFault::NoSuchPosition(ty.to_string(), positions)),
        (Leaves::Packed { per_chunk, item, .. }, Step::Position(at)) => {
            let part = match item {
                Item::Bit => From::Nothing("a bit"),
                Item::Byte => From::Nothing("a byte"),
                Item::Number(number) => From::Value(number),
            };
            Ok((at / per_chunk, part))
        }
        (Leaves::Elements { element, .. }, Step::Position(at)) => Ok((*at, From::Value(element))),
    }
}

/// Down the spine to the leaf's subtree, then to the leaf.
fn push_progressive(index: &mut GeneralizedIndex, leaf: u64, progressive: Progressive) {
    let level = shape::level_of(leaf);
    let rest_is_right = progressive == Progressive::SubtreeFirst;
    (0..level).for_each(|_| index.push(rest_is_right));
    index.push(!rest_is_right);
    index.push_leaf(u128::from(leaf) - shape::first_leaf(level), 2 * level);
}

/// What stands at a node of a type's tree.
///
/// Written as a path where there is one to it, else as the path of the value in whose tree it is and the parts that it
/// covers: `balances[4..8]`, `body{randao_reveal..graffiti}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// To the innermost value in whose own tree the node is, its root included.
    pub path: Path,
    /// Which node of that tree.
    pub part: Part,
}

/// A node of one value's own tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its root.
    Whole,
    /// The left child of the root, where a word is mixed in.
    Contents,
    /// The mixed-in word.
    Word(Word),
    /// A node over the positions from the first to before the second; without an end, a progressive spine from there.
    Positions(u128, Option<u128>),
    /// A node over the fields from the first to the last of these.
    Fields(String, String),
    /// A position of a container at which there is no field, or several of them.
    Gap,
}

impl Place {
    /// The path that leads to this node and no other part's, if there is one.
    pub fn exact_path(&self) -> Option<Path> {
        let mut path = self.path.clone();
        match self.part {
            Part::Whole => {}
            Part::Word(word) => path.0.push(Step::Word(word)),
            _ => return None,
        }
        Some(path)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        let dot = if path.steps().is_empty() { "" } else { "." };
        match &self.part {
            Part::Whole if path.steps().is_empty() => f.write_str("the value itself"),
            Part::Whole => write!(f, "{path}"),
            Part::Contents => write!(f, "{path}{dot}__contents__"),
            Part::Word(word) => write!(f, "{path}{dot}{}", word.name()),
            Part::Positions(from, Some(to)) => write!(f, "{path}[{from}..{to}]"),
            Part::Positions(from, None) => write!(f, "{path}[{from}..]"),
            Part::Fields(first, last) => write!(f, "{path}{{{first}..{last}}}"),
            Part::Gap => write!(f, "{path}{dot}__gap__"),
        }
    }
}

/// Why there is nothing at an index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// A chunk or a mixed-in word has no children.
    #[error("there is no node {index}: {place} has no children")]
    BelowLeaf {
        /// As asked for.
        index: GeneralizedIndex,
        /// The leaf above it.
        place: String,
    },
    /// The value whose options should choose the types does not decode.
    #[error(transparent)]
    Malformed(#[from] DecodeError),
}

/// What stands at `index` in the trees of `ty`: the outermost of the parts whose root that node is.
///
/// In a union the index alone does not say which option it lies in: the first that has something there is taken. With a
/// value at hand, [`place_in`] takes the value's.
///
/// # Errors
///
/// If no value of the type has such a node.
pub fn place_of(ty: &Type, index: &GeneralizedIndex, progressive: Progressive) -> Result<Place, PlaceError> {
    Descent::new(index, progressive).value(ty, None, 0, Vec::new())
}

/// As [`place_of`], in the tree of one encoded value: its unions say which of their options they hold.
///
/// # Errors
///
/// As [`place_of`], and if the bytes are no value of the type.
pub fn place_in(
    ty: &Type,
    bytes: &[u8],
    index: &GeneralizedIndex,
    progressive: Progressive,
) -> Result<Place, PlaceError> {
    let value = decode(ty, bytes)?;
    Descent::new(index, progressive).value(ty, Some(&value), 0, Vec::new())
}

struct Descent<'i> {
    index: &'i GeneralizedIndex,
    progressive: Progressive,
    /// Options that were tried in vain, and from which turn on: each is tried once, however unions nest.
    in_vain: HashSet<(*const Type, usize)>,
}

impl<'i> Descent<'i> {
    fn new(index: &'i GeneralizedIndex, progressive: Progressive) -> Self {
        Self { index, progressive, in_vain: HashSet::new() }
    }

    /// Follows the turns from `turn` on through the tree of `ty`, and of its parts.
    fn value(
        &mut self,
        ty: &Type,
        value: Option<&Value>,
        mut turn: usize,
        mut path: Vec<Step>,
    ) -> Result<Place, PlaceError> {
        let shape = Shape::of(ty);
        let mut node = Node::Top;
        while turn < self.index.depth() {
            match shape.children(node, self.progressive) {
                Some(children) => {
                    node = children[usize::from(self.index.turns_right(turn))];
                    turn += 1;
                }
                None => return self.part(&shape, node, value, turn, path),
            }
        }
        // a leaf that is a part is that part as a whole
        if let (true, Some(leaf)) = (node != Node::Top, shape.leaf(node))
            && let Some((step, _, _)) = part_at(&shape, leaf, value).first()
        {
            path.push(step.clone());
            return Ok(Place { path: Path(path), part: Part::Whole });
        }
        Ok(Place { path: Path(path), part: covered(&shape, node) })
    }

    /// Goes on below a leaf.
    fn part(
        &mut self,
        shape: &Shape<'_>,
        node: Node,
        value: Option<&Value>,
        turn: usize,
        path: Vec<Step>,
    ) -> Result<Place, PlaceError> {
        let parts = shape.leaf(node).map(|leaf| part_at(shape, leaf, value)).unwrap_or_default();
        let place = Place { path: Path(path.clone()), part: covered(shape, node) };
        let mut result = Err(PlaceError::BelowLeaf { index: self.index.clone(), place: place.to_string() });
        for (step, ty, value) in parts {
            if self.in_vain.contains(&(ptr::from_ref(ty), turn)) {
                continue;
            }
            let mut path = path.clone();
            path.push(step);
            let found = self.value(ty, value, turn, path);
            if found.is_ok() || result.is_err() {
                result = found;
            }
            // another option may have a field where this one has a gap
            if result.as_ref().is_ok_and(|place| place.part != Part::Gap) {
                break;
            }
            self.in_vain.insert((ptr::from_ref(ty), turn));
        }
        result
    }
}

/// The part whose root is leaf `leaf`, with its value if there is one at hand; for a union without, each option.
fn part_at<'t, 'v>(
    shape: &Shape<'t>,
    leaf: u128,
    value: Option<&'v Value>,
) -> Vec<(Step, &'t Type, Option<&'v Value>)> {
    match (shape.leaves, value) {
        (Leaves::Basic | Leaves::Packed { .. }, _) => Vec::new(),
        (Leaves::Elements { element, positions }, value) => {
            let at = match u64::try_from(leaf) {
                Ok(at) if positions.is_none_or(|positions| at < positions) => at,
                _ => return Vec::new(),
            };
            let value = match value {
                Some(Value::Sequence(values)) => usize::try_from(at).ok().and_then(|at| values.get(at)),
                _ => None,
            };
            vec![(Step::Position(at), element, value)]
        }
        (Leaves::Fields { fields, active_fields }, value) => {
            let Some(field) = shape::field_at(fields, active_fields, leaf) else { return Vec::new() };
            let value = match value {
                Some(Value::Container(values)) => {
                    fields.iter().zip(values).find(|(other, _)| other.name == field.name).map(|(_, v)| v)
                }
                _ => None,
            };
            vec![(Step::Field(field.name.clone()), &field.ty, value)]
        }
        (Leaves::Option(options), Some(Value::Union(selector, value))) => {
            option_at(options, *selector, value.as_deref()).into_iter().collect()
        }
        (Leaves::Option(options), _) => {
            options.selectors().filter_map(|selector| option_at(options, selector, None)).collect()
        }
    }
}

fn option_at<'t, 'v>(
    options: Options<'t>,
    selector: u8,
    value: Option<&'v Value>,
) -> Option<(Step, &'t Type, Option<&'v Value>)> {
    let ty = options.find(selector.into())??;
    Some((Step::Position(selector.into()), ty, value))
}

/// What a node of a value's own tree stands over.
fn covered(shape: &Shape<'_>, node: Node) -> Part {
    let (first, end) = match node {
        Node::Top => return Part::Whole,
        Node::Contents => return Part::Contents,
        Node::Word => return shape.word.map_or(Part::Whole, Part::Word),
        Node::Spine { level } => (shape::first_leaf(level), None),
        Node::Subtree { first, depth } => (first, Some(first + (1 << depth))),
    };
    match shape.leaves {
        Leaves::Packed { per_chunk, .. } => {
            let per_chunk = u128::from(per_chunk);
            Part::Positions(first * per_chunk, end.map(|end| end * per_chunk))
        }
        Leaves::Elements { .. } => Part::Positions(first, end),
        Leaves::Fields { fields, active_fields } => {
            let leaves = active_fields.map_or(fields.len(), <[bool]>::len) as u128;
            let covered = first..end.unwrap_or(leaves).min(leaves);
            let mut names = covered
                .filter_map(|leaf| shape::field_at(fields, active_fields, leaf))
                .map(|field| field.name.clone());
            match (names.next(), names.next_back()) {
                (Some(first), last) => Part::Fields(first.clone(), last.unwrap_or(first)),
                (None, _) => Part::Gap,
            }
        }
        Leaves::Basic | Leaves::Option(_) => Part::Contents,
    }
}
