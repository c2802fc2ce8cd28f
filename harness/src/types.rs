//! What an SSZ type is: its shape, its size, and the rules that make it legal.
//!
//! Types are made by the constructors of [`Type`], which refuse an illegal type and name the rule that it breaks.
//! They are cheap to clone. Sources of the rules: the consensus specifications' `ssz/simple-serialize.md`,
//! [EIP-7495] (progressive containers), [EIP-7916] (progressive lists) and [EIP-8016] (compatible unions).
//!
//! [EIP-7495]: https://eips.ethereum.org/EIPS/eip-7495
//! [EIP-7916]: https://eips.ethereum.org/EIPS/eip-7916
//! [EIP-8016]: https://eips.ethereum.org/EIPS/eip-8016

mod compatible;

use std::fmt;
use std::sync::Arc;

use crate::merkle::small::{is_chunk, is_small};

/// An SSZ type.
#[derive(Clone, PartialEq, Eq)]
pub struct Type(Arc<Inner>);

#[derive(PartialEq, Eq)]
struct Inner {
    kind: Kind,
    fixed_size: Option<usize>,
    any_bytes: bool,
    depth: usize,
    /// Where each field of a container is in its fixed part.
    offsets: Vec<usize>,
    small: bool,
    chunk: bool,
}

/// The shape of a [`Type`]. A sequence of bytes has a kind of its own, as its values are written as one hex string.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// `boolean`
    Boolean,
    /// `byte`: a `uint8` whose sequences are byte vectors and byte lists.
    Byte,
    /// `uint8` to `uint256`
    Uint {
        /// Size in bytes: 1, 2, 4, 8, 16 or 32.
        size: usize,
    },
    /// `Bitvector[length]`
    BitVector {
        /// In bits.
        length: usize,
    },
    /// `Bitlist[limit]`
    BitList {
        /// In bits.
        limit: u64,
    },
    /// `ProgressiveBitlist`
    ProgressiveBitList,
    /// `ByteVector[length]`
    ByteVector {
        /// In bytes.
        length: usize,
    },
    /// `ByteList[limit]`
    ByteList {
        /// In bytes.
        limit: u64,
    },
    /// `ProgressiveList[byte]`
    ProgressiveByteList,
    /// `Vector[element, length]`
    Vector {
        /// Of each element; never [`Kind::Byte`].
        element: Type,
        /// In elements.
        length: usize,
    },
    /// `List[element, limit]`
    List {
        /// Of each element; never [`Kind::Byte`].
        element: Type,
        /// In elements.
        limit: u64,
    },
    /// `ProgressiveList[element]`
    ProgressiveList {
        /// Of each element; never [`Kind::Byte`].
        element: Type,
    },
    /// `Container`
    Container {
        /// In the order of the definition.
        fields: Vec<Field>,
    },
    /// `ProgressiveContainer(active_fields)`
    ProgressiveContainer {
        /// Position `i` of the tree holds a field where entry `i` is true.
        active_fields: Vec<bool>,
        /// In the order of the definition, one for each active position.
        fields: Vec<Field>,
    },
    /// `Union[options]`; only the first option may be `None`.
    Union {
        /// Indexed by selector.
        options: Vec<Option<Type>>,
    },
    /// `CompatibleUnion({selector: type})`
    CompatibleUnion {
        /// Selectors in rising order.
        options: Vec<(u8, Type)>,
    },
}

/// A field of a container.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// Unique in its container.
    pub name: String,
    /// Of the field's value.
    pub ty: Type,
}

/// Why a type is illegal: the rule that it breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypeError {
    /// An integer's width is not one of the six.
    #[error("uint{0} is illegal: the width is 8, 16, 32, 64, 128 or 256 bits")]
    UintWidth(u64),
    /// A vector of no elements.
    #[error("{0}[.., 0] is illegal: a vector has at least one element")]
    VectorEmpty(&'static str),
    /// A container of no fields.
    #[error("a container has at least one field")]
    ContainerEmpty,
    /// Two fields of one name.
    #[error("a container has two fields named {0}")]
    FieldTwice(String),
    /// The number of active positions is not that of the fields.
    #[error("active_fields has {active} entries set for {fields} fields")]
    LayoutFieldCount {
        /// Entries set.
        active: usize,
        /// Fields given.
        fields: usize,
    },
    /// The last entry of `active_fields` is 0 (EIP-7495).
    #[error("active_fields ends in 0")]
    LayoutTrailingGap,
    /// More than 256 positions (EIP-7495).
    #[error("active_fields has {0} entries, at most 256 are allowed")]
    LayoutTooWide(usize),
    /// A union of no options.
    #[error("a union has at least one option")]
    UnionEmpty,
    /// `None` elsewhere than first, or alone.
    #[error("option {0} of a union is None: only the first of several may be")]
    UnionNone(usize),
    /// A selector out of range.
    #[error("selector {0} is out of range ({1})")]
    UnionSelectorRange(u64, &'static str),
    /// One selector for two options.
    #[error("selector {0} names two options")]
    UnionSelectorTwice(u8),
    /// Two options whose trees differ (EIP-8016).
    #[error("options {0} and {1} are not compatible: {2}")]
    UnionIncompatible(u8, u8, String),
    /// Nested too deep for this implementation.
    #[error("the type is nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
    /// A fixed size that no memory holds.
    #[error("the type's fixed size does not fit in memory's address range")]
    TooLarge,
}

/// Types nest at most this deep, which bounds the stack of everything that walks one. The deepest type of the
/// consensus specifications nests 8 levels.
pub const MAX_DEPTH: usize = 128;

impl Type {
    /// `boolean`
    pub fn boolean() -> Self {
        Self::leaf(Kind::Boolean, Some(1), false)
    }

    /// `byte`
    pub fn byte() -> Self {
        Self::leaf(Kind::Byte, Some(1), true)
    }

    /// `uintN`, N given in bits.
    pub fn uint(bits: u64) -> Result<Self, TypeError> {
        let size = match bits {
            8 | 16 | 32 | 64 | 128 | 256 => bits as usize / 8,
            _ => return Err(TypeError::UintWidth(bits)),
        };
        Ok(Self::leaf(Kind::Uint { size }, Some(size), true))
    }

    /// `Bitvector[length]`
    pub fn bit_vector(length: u64) -> Result<Self, TypeError> {
        let length = vector_length("Bitvector", length)?;
        Ok(Self::leaf(Kind::BitVector { length }, Some(length.div_ceil(8)), length.is_multiple_of(8)))
    }

    /// `Bitlist[limit]`
    pub fn bit_list(limit: u64) -> Self {
        Self::leaf(Kind::BitList { limit }, None, false)
    }

    /// `ProgressiveBitlist`
    pub fn progressive_bit_list() -> Self {
        Self::leaf(Kind::ProgressiveBitList, None, false)
    }

    /// `Vector[element, length]`
    pub fn vector(element: Type, length: u64) -> Result<Self, TypeError> {
        let length = vector_length("Vector", length)?;
        if *element.kind() == Kind::Byte {
            return Ok(Self::leaf(Kind::ByteVector { length }, Some(length), true));
        }
        let fixed_size = match element.fixed_size() {
            Some(size) => Some(size.checked_mul(length).ok_or(TypeError::TooLarge)?),
            None => None,
        };
        let (any_bytes, depth) = (element.any_bytes(), element.depth());
        Self::composite(Kind::Vector { element, length }, fixed_size, any_bytes, depth)
    }

    /// `List[element, limit]`
    pub fn list(element: Type, limit: u64) -> Result<Self, TypeError> {
        if *element.kind() == Kind::Byte {
            return Ok(Self::leaf(Kind::ByteList { limit }, None, false));
        }
        let depth = element.depth();
        Self::composite(Kind::List { element, limit }, None, false, depth)
    }

    /// `ProgressiveList[element]`
    pub fn progressive_list(element: Type) -> Result<Self, TypeError> {
        if *element.kind() == Kind::Byte {
            return Ok(Self::leaf(Kind::ProgressiveByteList, None, false));
        }
        let depth = element.depth();
        Self::composite(Kind::ProgressiveList { element }, None, false, depth)
    }

    /// `Container`
    pub fn container(fields: Vec<Field>) -> Result<Self, TypeError> {
        let (fixed_size, any_bytes, depth) = check_fields(&fields)?;
        Self::composite(Kind::Container { fields }, fixed_size, any_bytes, depth)
    }

    /// `ProgressiveContainer(active_fields)`, by the rules of EIP-7495.
    pub fn progressive_container(active_fields: Vec<bool>, fields: Vec<Field>) -> Result<Self, TypeError> {
        let active = active_fields.iter().filter(|&&active| active).count();
        match active_fields.last() {
            None => return Err(TypeError::ContainerEmpty),
            Some(_) if active_fields.len() > 256 => {
                return Err(TypeError::LayoutTooWide(active_fields.len()));
            }
            Some(false) => return Err(TypeError::LayoutTrailingGap),
            Some(true) if active != fields.len() => {
                return Err(TypeError::LayoutFieldCount { active, fields: fields.len() });
            }
            Some(true) => {}
        }
        let (fixed_size, any_bytes, depth) = check_fields(&fields)?;
        Self::composite(Kind::ProgressiveContainer { active_fields, fields }, fixed_size, any_bytes, depth)
    }

    /// `Union[options]`; selectors count from 0, and `None` may come first.
    pub fn union(options: Vec<Option<Type>>) -> Result<Self, TypeError> {
        if options.is_empty() {
            return Err(TypeError::UnionEmpty);
        }
        if options.len() > 128 {
            return Err(TypeError::UnionSelectorRange(options.len() as u64 - 1, "0 to 127"));
        }
        if let Some(at) = options.iter().position(Option::is_none) {
            let late = options.iter().skip(1).position(Option::is_none).map(|at| at + 1);
            if options.len() == 1 || late.is_some() {
                return Err(TypeError::UnionNone(late.unwrap_or(at)));
            }
        }
        let depth = options.iter().flatten().map(Type::depth).max().unwrap_or(0);
        Self::composite(Kind::Union { options }, None, false, depth)
    }

    /// `CompatibleUnion({selector: type})`, by the rules of EIP-8016.
    pub fn compatible_union(mut options: Vec<(u64, Type)>) -> Result<Self, TypeError> {
        if options.is_empty() {
            return Err(TypeError::UnionEmpty);
        }
        options.sort_by_key(|(selector, _)| *selector);
        let mut checked: Vec<(u8, Type)> = Vec::with_capacity(options.len());
        for (selector, ty) in options {
            let narrow = match u8::try_from(selector) {
                Ok(narrow @ 1..=127) => narrow,
                _ => return Err(TypeError::UnionSelectorRange(selector, "1 to 127")),
            };
            match checked.last() {
                Some((last, _)) if *last == narrow => return Err(TypeError::UnionSelectorTwice(narrow)),
                _ => checked.push((narrow, ty)),
            }
        }
        compatible::check_options(&checked)?;
        let depth = checked.iter().map(|(_, ty)| ty.depth()).max().unwrap_or(0);
        Self::composite(Kind::CompatibleUnion { options: checked }, None, false, depth)
    }

    fn leaf(kind: Kind, fixed_size: Option<usize>, any_bytes: bool) -> Self {
        let (small, chunk) = (is_small(&kind), is_chunk(&kind));
        Self(Arc::new(Inner { kind, fixed_size, any_bytes, depth: 0, offsets: Vec::new(), small, chunk }))
    }

    fn composite(
        kind: Kind,
        fixed_size: Option<usize>,
        any_bytes: bool,
        depth: usize,
    ) -> Result<Self, TypeError> {
        let depth = depth + 1;
        if depth > MAX_DEPTH {
            return Err(TypeError::TooDeep);
        }
        let any_bytes = any_bytes && fixed_size.is_some();
        let (offsets, small) = (field_offsets(&kind)?, is_small(&kind));
        Ok(Self(Arc::new(Inner { kind, fixed_size, any_bytes, depth, offsets, small, chunk: false })))
    }

    /// The type's shape.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The size in bytes of every value, or `None` for a type of variable size.
    pub fn fixed_size(&self) -> Option<usize> {
        self.0.fixed_size
    }

    /// The bytes that a value takes in the fixed part of what contains it: its own size, or that of an offset.
    pub(crate) fn size_in_parent(&self) -> usize {
        self.0.fixed_size.unwrap_or(::ssz::BYTES_PER_LENGTH_OFFSET)
    }

    /// Where each field of a container is in its fixed part, in bytes; empty for what is no container.
    pub(crate) fn field_offsets(&self) -> &[usize] {
        &self.0.offsets
    }

    /// Whether one value's root is computed without the bookkeeping for many.
    pub(crate) fn is_small(&self) -> bool {
        self.0.small
    }

    /// Whether a value's root is its bytes, padded, whatever they are.
    pub(crate) fn is_chunk(&self) -> bool {
        self.0.chunk
    }

    /// Whether the type is of fixed size and every byte string of that size is the encoding of a value.
    pub fn any_bytes(&self) -> bool {
        self.0.any_bytes
    }

    /// The fields of a container; of any other type none.
    pub fn fields(&self) -> &[Field] {
        match self.kind() {
            Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => fields,
            _ => &[],
        }
    }

    /// The option that a selector names in a union, if it names one; the inner `None` is the option `None`.
    pub fn option(&self, selector: u64) -> Option<Option<&Type>> {
        let selector = u8::try_from(selector).ok()?;
        match self.kind() {
            Kind::Union { options } => options.get(usize::from(selector)).map(Option::as_ref),
            Kind::CompatibleUnion { options } => {
                let at = options.binary_search_by_key(&selector, |(selector, _)| *selector).ok()?;
                Some(Some(&options[at].1))
            }
            _ => None,
        }
    }

    /// Whether several values share a chunk: booleans and integers.
    pub fn is_basic(&self) -> bool {
        matches!(self.0.kind, Kind::Boolean | Kind::Byte | Kind::Uint { .. })
    }

    /// How many types deep a value nests; 0 for one without parts.
    pub fn depth(&self) -> usize {
        self.0.depth
    }
}

fn vector_length(what: &'static str, length: u64) -> Result<usize, TypeError> {
    match length {
        0 => Err(TypeError::VectorEmpty(what)),
        _ => usize::try_from(length).map_err(|_| TypeError::TooLarge),
    }
}

fn field_offsets(kind: &Kind) -> Result<Vec<usize>, TypeError> {
    let (Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. }) = kind else {
        return Ok(Vec::new());
    };
    let mut next = 0usize;
    let offset = |field: &Field| {
        let offset = next;
        next = next.checked_add(field.ty.size_in_parent()).ok_or(TypeError::TooLarge)?;
        Ok(offset)
    };
    fields.iter().map(offset).collect()
}

fn check_fields(fields: &[Field]) -> Result<(Option<usize>, bool, usize), TypeError> {
    if fields.is_empty() {
        return Err(TypeError::ContainerEmpty);
    }
    let mut names = std::collections::HashSet::new();
    let (mut fixed_size, mut any_bytes, mut depth) = (Some(0usize), true, 0);
    for Field { name, ty } in fields {
        if !names.insert(name) {
            return Err(TypeError::FieldTwice(name.clone()));
        }
        fixed_size = match (fixed_size, ty.fixed_size()) {
            (Some(sum), Some(size)) => Some(sum.checked_add(size).ok_or(TypeError::TooLarge)?),
            _ => None,
        };
        any_bytes &= ty.any_bytes();
        depth = depth.max(ty.depth());
    }
    Ok((fixed_size, any_bytes, depth))
}

/// Writes the type as the specification would.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn braces(f: &mut fmt::Formatter<'_>, head: &str, fields: &[Field]) -> fmt::Result {
            write!(f, "{head} {{ ")?;
            for Field { name, ty } in fields {
                write!(f, "{name}: {ty}  ")?;
            }
            f.write_str("}")
        }
        match self.kind() {
            Kind::Boolean => f.write_str("boolean"),
            Kind::Byte => f.write_str("byte"),
            Kind::Uint { size } => write!(f, "uint{}", size * 8),
            Kind::BitVector { length } => write!(f, "Bitvector[{length}]"),
            Kind::BitList { limit } => write!(f, "Bitlist[{limit}]"),
            Kind::ProgressiveBitList => f.write_str("ProgressiveBitlist"),
            Kind::ByteVector { length } => write!(f, "ByteVector[{length}]"),
            Kind::ByteList { limit } => write!(f, "ByteList[{limit}]"),
            Kind::ProgressiveByteList => f.write_str("ProgressiveList[byte]"),
            Kind::Vector { element, length } => write!(f, "Vector[{element}, {length}]"),
            Kind::List { element, limit } => write!(f, "List[{element}, {limit}]"),
            Kind::ProgressiveList { element } => write!(f, "ProgressiveList[{element}]"),
            Kind::Container { fields } => braces(f, "Container", fields),
            Kind::ProgressiveContainer { active_fields, fields } => {
                let bits: Vec<_> = active_fields.iter().map(|&bit| if bit { "1" } else { "0" }).collect();
                braces(f, &format!("ProgressiveContainer(active_fields=[{}])", bits.join(", ")), fields)
            }
            Kind::Union { options } => {
                let names: Vec<_> =
                    options.iter().map(|o| o.as_ref().map_or("None".into(), Type::to_string)).collect();
                write!(f, "Union[{}]", names.join(", "))
            }
            Kind::CompatibleUnion { options } => {
                let names: Vec<_> =
                    options.iter().map(|(selector, ty)| format!("{selector}: {ty}")).collect();
                write!(f, "CompatibleUnion({{{}}})", names.join(", "))
            }
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
