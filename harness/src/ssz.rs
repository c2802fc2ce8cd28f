//! Values of a [`Type`]: decoded from bytes as strictly as the specification demands, encoded again, and read from or
//! written to the text forms of the vectors.
//!
//! Bytes go through [ethereum_ssz]'s decoder and encoder; what those leave to a type's own code (limits, bit lists,
//! padding, progressive types, unions) is checked around them. Source of the rules: `ssz/simple-serialize.md` of the
//! consensus specifications.
//!
//! [`Type`]: crate::types::Type
//! [ethereum_ssz]: https://docs.rs/ethereum_ssz

mod decode;
mod difference;
mod encode;
mod error;
pub(crate) mod layout;
mod part;
mod text;

use alloy_primitives::U256;

pub use self::decode::decode;
pub use self::difference::{Difference, first_difference};
pub use self::encode::{Mismatch, encode};
pub use self::error::{DecodeError, Rule};
pub use self::part::{BytePlace, part_at};
pub use self::text::{Shown, ValueSeed};

/// A value of some [`Type`](crate::types::Type); which one, it does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of `boolean`.
    Boolean(bool),
    /// Of `byte` and `uint8` to `uint256`.
    Uint(U256),
    /// Of a byte vector, byte list or progressive byte list.
    Bytes(Vec<u8>),
    /// Of a bit vector, bit list or progressive bit list.
    Bits(Bits),
    /// Of a vector or list of booleans or integers: their encodings, one after the other.
    Packed(Vec<u8>),
    /// Of a vector or list of anything else.
    Sequence(Vec<Value>),
    /// Of a container: its fields' values in the order of the definition.
    Container(Vec<Value>),
    /// Of a union: the selector, and the option's value unless the option is `None`.
    Union(u8, Option<Box<Value>>),
}

/// A sequence of bits. Bit `i` is bit `i % 8`, counted from the lowest, of byte `i / 8`; bits past the end are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    bytes: Vec<u8>,
    length: usize,
}

impl Bits {
    /// The bits, eight to a byte, without a delimiter.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bits there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The bytes with a bit list's delimiter: one more bit, set, after the last.
    fn delimited(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes.resize(self.length / 8 + 1, 0);
        bytes[self.length / 8] |= 1 << (self.length % 8);
        bytes
    }
}

#[cfg(test)]
mod tests;
