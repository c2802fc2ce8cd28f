//! Why bytes are not the encoding of a value: where, and which rule they break.

use std::fmt;

/// Bytes that are not the encoding of a value of the type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    path: String,
    offset: usize,
    rule: Rule,
}

impl DecodeError {
    pub(crate) fn new(offset: usize, rule: Rule) -> Self {
        Self { path: String::new(), offset, rule }
    }

    /// The field that does not decode, as in `body.attestations[3].data`; empty for the value itself.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// In bytes, from the start of the input.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The rule that is broken.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The error as seen from the container that holds the field.
    pub(crate) fn in_field(mut self, name: &str) -> Self {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{name}{separator}{}", self.path);
        self
    }

    /// The error as seen from the sequence that holds the element.
    pub(crate) fn in_element(mut self, index: usize) -> Self {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("[{index}]{separator}{}", self.path);
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "at byte {}: {}", self.offset, self.rule)
    }
}

impl std::error::Error for DecodeError {}

/// What the encoding of a value must be. Sizes are in bytes, lengths in elements or bits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rule {
    /// A type of fixed size takes exactly that. (A value that takes less leaves bytes that nobody checked.)
    #[error("expected {expected} bytes, found {found}")]
    Size {
        /// By the type.
        expected: usize,
        /// In the input.
        found: usize,
    },
    /// The part of fixed size does not fit.
    #[error("expected at least {expected} bytes, found {found}")]
    TooShort {
        /// By the type.
        expected: usize,
        /// In the input.
        found: usize,
    },
    /// A boolean is 0 or 1.
    #[error("expected a boolean, 0x00 or 0x01, found {0:#04x}")]
    Boolean(u8),
    /// A bit vector's last byte is zero past its length.
    #[error("a bit is set past the {0} bits of the vector")]
    Padding(usize),
    /// A bit list takes at least the byte that holds its delimiter.
    #[error("expected at least one byte, with the bit list's delimiter")]
    Empty,
    /// A bit list's last byte holds its delimiter.
    #[error("the bit list's last byte is zero: its delimiter is missing")]
    NoDelimiter,
    /// No more elements, bits or bytes than the list may hold.
    #[error("the limit is {limit}, found {found}")]
    Limit {
        /// By the type.
        limit: u64,
        /// In the input.
        found: usize,
    },
    /// Elements of fixed size divide the bytes of their list.
    #[error("{found} bytes do not divide into elements of {element}")]
    Indivisible {
        /// Size of an element.
        element: usize,
        /// In the input.
        found: usize,
    },
    /// The first offset points to the end of the fixed part, so that no bytes lie hidden between.
    #[error("the first offset is {found}, expected {expected}, the end of the fixed part")]
    FirstOffset {
        /// By the type.
        expected: usize,
        /// In the input.
        found: usize,
    },
    /// A list's first offset gives the number of offsets: it is a positive multiple of 4.
    #[error("the list's first offset is {0}, expected a positive multiple of 4")]
    OffsetUnaligned(usize),
    /// No offset points back: the element before it would have a negative size.
    #[error("offset {found} is below the one before it, {previous}")]
    OffsetDecreases {
        /// The offset before.
        previous: usize,
        /// In the input.
        found: usize,
    },
    /// No offset points past the end.
    #[error("offset {found} is past the end, {end}")]
    OffsetPastEnd {
        /// Size of the container or list.
        end: usize,
        /// In the input.
        found: usize,
    },
    /// A union starts with its selector.
    #[error("expected a union's selector, found no byte")]
    NoSelector,
    /// The selector names an option.
    #[error("selector {0} names no option of the union")]
    UnknownSelector(u8),
    /// Nothing follows the selector of `None`.
    #[error("expected no bytes after the selector of None, found {0}")]
    NoneWithBytes(usize),
}
