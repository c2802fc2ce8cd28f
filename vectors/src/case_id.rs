//! The name of a case.

use std::fmt;
use std::str::FromStr;

use crate::layout::SSZ_SPECS;

/// The six names that make a case's path below `tests/`, as in
/// `minimal/electra/ssz_static/Attestation/ssz_random/case_3`.
///
/// A case of ethereum/ssz-specs has `ssz-specs` for its preset, its [`Generation`](crate::Generation) for its fork, and
/// then its path below `fixtures/`: the format is its runner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseId {
    /// `general`, `minimal` or `mainnet`.
    pub preset: String,
    /// `phase0`, `altair` and so on, as this release calls it.
    pub fork: String,
    /// What kind of test it is: `ssz_static`, `ssz_generic` and so on.
    pub runner: String,
    /// What of the runner is tested; for `ssz_static` the type's name.
    pub handler: String,
    /// A group of cases of one handler.
    pub suite: String,
    /// The case's own name within its suite.
    pub name: String,
}

impl CaseId {
    /// The six names, outermost first.
    pub fn names(&self) -> [&str; 6] {
        [&self.preset, &self.fork, &self.runner, &self.handler, &self.suite, &self.name]
    }

    /// What a report counts the case under: its fork and preset; of ssz-specs, its generation and format.
    pub fn group(&self) -> [&str; 2] {
        match self.preset.as_str() {
            SSZ_SPECS => [&self.fork, &self.runner],
            preset => [&self.fork, preset],
        }
    }

    /// The id of six names, outermost first.
    pub(crate) fn from_names(names: [&str; 6]) -> Self {
        let [preset, fork, runner, handler, suite, name] = names.map(str::to_owned);
        Self { preset, fork, runner, handler, suite, name }
    }

    /// Whether each name can be the name of one folder, so that the id stays below `tests/` when made into a path.
    pub(crate) fn is_plain(&self) -> bool {
        self.names().into_iter().all(is_plain)
    }
}

fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0'])
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { preset, fork, runner, handler, suite, name } = self;
        write!(f, "{preset}/{fork}/{runner}/{handler}/{suite}/{name}")
    }
}

/// A text that is not the name of a case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} does not name a case: expected <preset>/<fork>/<runner>/<handler>/<suite>/<case>")]
pub struct ParseCaseIdError(String);

impl FromStr for CaseId {
    type Err = ParseCaseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names: Vec<&str> = text.split('/').collect();
        match <[&str; 6]>::try_from(names) {
            Ok(names) if names.into_iter().all(is_plain) => Ok(Self::from_names(names)),
            _ => Err(ParseCaseIdError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written() {
        let text = "minimal/electra/ssz_static/Attestation/ssz_random/case_3";
        let id: CaseId = text.parse().unwrap();
        assert_eq!(id.handler, "Attestation");
        assert_eq!(id.to_string(), text);
    }

    #[test]
    fn a_path_that_names_no_case_is_refused() {
        for text in ["", "a/b/c/d/e", "a/b/c/d/e/f/g", "a/b/c/d/e/", "a/b/../d/e/f", "a/b/c/d\\x/e/f"] {
            assert!(text.parse::<CaseId>().is_err(), "{text}");
        }
    }
}
