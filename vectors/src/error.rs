//! What is wrong with the input.

use std::fmt::Display;
use std::io;

/// Something in the input that cannot be used: where it is, what was found there, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {found}; expected {expected}")]
pub struct VectorError {
    location: String,
    found: String,
    expected: String,
    scope: Scope,
}

/// How much of the input an error spoils.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// A source as a whole, or the rest of it: it could not be opened, or could not be read to its end.
    Source,
    /// One case, or one file or entry that should belong to a case. What else the source holds is not touched.
    Case,
}

impl VectorError {
    /// The file, and inside an archive its entry: `general.tar.gz!tests/...`.
    pub fn location(&self) -> &str {
        &self.location
    }

    /// How much of the input it spoils.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    pub(crate) fn in_source(location: impl Display, found: impl Display, expected: impl Display) -> Self {
        Self::new(Scope::Source, location, found, expected)
    }

    pub(crate) fn in_case(location: impl Display, found: impl Display, expected: impl Display) -> Self {
        Self::new(Scope::Case, location, found, expected)
    }

    fn new(scope: Scope, location: impl Display, found: impl Display, expected: impl Display) -> Self {
        let [location, found, expected] = [location.to_string(), found.to_string(), expected.to_string()];
        Self { location, found, expected, scope }
    }
}

/// An input/output error in the words of this crate's errors.
pub(crate) fn cannot_read(error: &io::Error) -> String {
    format!("cannot be read ({error})")
}

/// A walk's error in the words of this crate's errors.
pub(crate) fn cannot_walk(error: &walkdir::Error) -> String {
    error.io_error().map_or_else(|| error.to_string(), cannot_read)
}
