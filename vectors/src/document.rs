//! One file of ethereum/ssz-specs vectors: a JSON document that is one case.
//!
//! The project has changed its format several times. What a reader must know beforehand is how a case gives its type;
//! by that the generations are told apart, from the document itself.

use std::fmt;

use serde_json::{Map, Value};

/// How a case gives its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Generation {
    /// By a name, whose meaning depends on the folder: the releases up to v0.1.0 and some time after.
    TypeNames,
    /// By a `typeDescriptor`, a full description.
    TypeDescriptors,
}

impl Generation {
    /// As in a case's id.
    pub fn name(self) -> &'static str {
        match self {
            Self::TypeNames => "type-names",
            Self::TypeDescriptors => "type-descriptors",
        }
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A case's document, its fields in hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// How it gives its type.
    pub generation: Generation,
    /// The fields of the case, without what the file wraps around them.
    pub fields: Map<String, Value>,
}

/// A file that is no case of a known generation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found}; expected {expected}")]
pub struct DocumentError {
    /// What the file is.
    pub found: String,
    /// What it should be.
    pub expected: &'static str,
}

const EXPECTED: &str =
    "a document with typeDescriptor, or one with typeName and serialized, alone or under its test's id";

impl Document {
    /// Reads a file: the document itself, or, in the first generation, an object whose one key is the test's id.
    ///
    /// # Errors
    ///
    /// If it is not JSON, nests more than 128 levels deep, or has the marks of no known generation.
    pub fn read(bytes: &[u8]) -> Result<Self, DocumentError> {
        let refused = |found: String| DocumentError { found, expected: EXPECTED };
        let value = serde_json::from_slice(bytes).map_err(|error| refused(format!("not JSON ({error})")))?;
        let Value::Object(mut fields) = value else { return Err(refused("JSON, but no object".into())) };
        if fields.len() == 1
            && let Some((id, Value::Object(wrapped))) = fields.iter_mut().next()
            && id.ends_with(']')
        {
            fields = std::mem::take(wrapped);
        }
        let has = |key| fields.contains_key(key);
        let generation = match (has("typeDescriptor"), has("typeName") && has("serialized")) {
            (true, _) => Generation::TypeDescriptors,
            (false, true) => Generation::TypeNames,
            (false, false) => {
                let keys: Vec<_> = fields.keys().take(12).map(String::as_str).collect();
                return Err(refused(format!("an object with the keys {}", keys.join(", "))));
            }
        };
        Ok(Self { generation, fields })
    }
}
