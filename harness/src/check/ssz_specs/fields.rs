//! The fields of a document, each of which some check must ask for.

use alloy_primitives::hex;
use pair_hashers::Node;
use serde_json::{Map, Value};

use super::{Failure, Verdict};
use crate::merkle::GeneralizedIndex;

/// The fields that nobody has asked for yet.
pub(super) struct Fields {
    rest: Map<String, Value>,
    location: String,
}

impl Fields {
    pub(super) fn new(fields: Map<String, Value>, location: String) -> Self {
        Self { rest: fields, location }
    }

    /// A failure in the document.
    pub(super) fn failure(&self, message: &str) -> Failure {
        Failure::new(format!("{}: {message}", self.location))
    }

    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.rest.shift_remove(key)
    }

    pub(super) fn need(&mut self, key: &str) -> Result<Value, Failure> {
        self.take(key).ok_or_else(|| self.failure(&format!("the key {key} is missing")))
    }

    /// A string.
    pub(super) fn text(&mut self, key: &str) -> Result<String, Failure> {
        match self.need(key)? {
            Value::String(text) => Ok(text),
            other => Err(self.failure(&format!("{key} is {other}; expected a string"))),
        }
    }

    /// Bytes in hexadecimal.
    pub(super) fn bytes(&mut self, key: &str) -> Result<Vec<u8>, Failure> {
        let text = self.text(key)?;
        parse_hex(&text).ok_or_else(|| self.failure(&format!("{key}: expected 0x and hexadecimal digits")))
    }

    /// A root.
    pub(super) fn root(&mut self, key: &str) -> Result<Node, Failure> {
        let text = self.text(key)?;
        parse_node(&text)
            .ok_or_else(|| self.failure(&format!("{key} is {text:?}; expected 0x and 64 digits")))
    }

    /// A number that is written as a string or as itself.
    pub(super) fn number(&mut self, key: &str) -> Result<u64, Failure> {
        let value = self.need(key)?;
        let number = match &value {
            Value::String(text) => text.parse().ok(),
            other => other.as_u64(),
        };
        number.ok_or_else(|| self.failure(&format!("{key} is {value}; expected a number")))
    }

    /// A generalized index, in decimal.
    pub(super) fn index(&mut self, key: &str) -> Result<GeneralizedIndex, Failure> {
        let value = self.need(key)?;
        parse_index(&value).map_err(|error| self.failure(&format!("{key}: {error}")))
    }

    /// An array.
    pub(super) fn array(&mut self, key: &str) -> Result<Vec<Value>, Failure> {
        match self.need(key)? {
            Value::Array(values) => Ok(values),
            other => Err(self.failure(&format!("{key} is {other}; expected an array"))),
        }
    }

    /// That the document says of its format what its folder does. The rest of `_info` is for people.
    pub(super) fn check_info(&mut self, format: &str) -> Result<(), Failure> {
        let info = self.take("_info").unwrap_or_default();
        match info.get("fixtureFormat").and_then(Value::as_str) {
            Some(found) if found.strip_suffix("_test").unwrap_or(found) != format => {
                Err(self
                    .failure(&format!("fixtureFormat is {found}; expected {format}_test, as in the path")))
            }
            _ => Ok(()),
        }
    }

    /// Whether the case is valid, and the reasons given if not. Older generations say so by a reason alone.
    pub(super) fn verdict(&mut self) -> Result<Verdict, Failure> {
        let mut text = |key: &str| match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.failure(&format!("{key} is {other}; expected a string"))),
        };
        let (reason, stricter) = (text("rejectionReason")?, text("stricterThanSpec")?);
        let valid = match self.take("valid") {
            None => reason.is_none(),
            Some(Value::Bool(valid)) => valid,
            Some(other) => return Err(self.failure(&format!("valid is {other}; expected true or false"))),
        };
        if valid && reason.is_some() {
            return Err(self.failure("valid is true, and there is a rejectionReason"));
        }
        Ok(Verdict { valid, reason, stricter })
    }

    /// A failure for each field that nobody asked for.
    pub(super) fn unread(&self) -> Vec<Failure> {
        let message =
            |key| format!("unknown key {key}: add what it has to hold to harness/src/check/ssz_specs/");
        self.rest.keys().map(|key| self.failure(&message(key))).collect()
    }
}

pub(super) fn parse_hex(text: &str) -> Option<Vec<u8>> {
    hex::decode(text.strip_prefix("0x")?).ok()
}

pub(super) fn parse_node(text: &str) -> Option<Node> {
    hex::decode_to_array(text.strip_prefix("0x")?).ok()
}

pub(super) fn parse_index(value: &Value) -> Result<GeneralizedIndex, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.parse().map_err(|error: crate::merkle::NotAnIndex| error.to_string())
}
