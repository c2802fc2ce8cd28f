//! Known disagreements, an expectation that goes both ways: a case that is listed and agrees after all fails too.

use std::collections::HashMap;
use std::sync::LazyLock;

use spec_vectors::{CaseId, Release};

/// The list in the repository, `harness/ledger.tsv`.
static EMBEDDED: LazyLock<Ledger> = LazyLock::new(|| {
    Ledger::read(include_str!("../ledger.tsv")).expect("the embedded ledger is read by a test")
});

/// Known disagreements by release and case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    reasons: HashMap<(Release, CaseId), String>,
}

impl Ledger {
    /// The list in the repository.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Reads a list: lines of a release's tag, a case's path and a reason, between tabs; lines of `#` are comments.
    ///
    /// # Errors
    ///
    /// If a line is something else: its number, and what was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reasons = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let cells: Vec<_> = line.split('\t').collect();
            let entry = match cells[..] {
                [release, case, reason] if !reason.trim().is_empty() => {
                    release.parse().ok().zip(case.parse().ok())
                }
                _ => None,
            };
            let Some(key) = entry else {
                return Err(format!(
                    "line {}: expected a release, a case and a reason between tabs",
                    number + 1
                ));
            };
            if reasons.insert(key, cells[2].to_owned()).is_some() {
                return Err(format!("line {}: the case is listed twice", number + 1));
            }
        }
        Ok(Self { reasons })
    }

    /// Why the case is known to disagree, if it is.
    pub fn find(&self, release: Option<&Release>, id: &CaseId) -> Option<&str> {
        self.reasons.get(&(*release?, id.clone())).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_ledger_is_read() {
        assert_eq!(Ledger::read(include_str!("../ledger.tsv")).as_ref(), Ok(Ledger::embedded()));
    }

    #[test]
    fn entries_count_for_their_release_only() {
        let path = "general/phase0/ssz_generic/uints/invalid/uint_8_one_too_high";
        let ledger = Ledger::read(&format!("# why\nv1.0.0\t{path}\tis valid\n")).unwrap();
        let id = path.parse().unwrap();
        assert_eq!(ledger.find(Some(&"v1.0.0".parse().unwrap()), &id), Some("is valid"));
        assert_eq!(ledger.find(Some(&"v1.0.1".parse().unwrap()), &id), None);
        assert_eq!(ledger.find(None, &id), None);
    }

    #[test]
    fn a_line_of_another_form_is_refused() {
        for line in ["v1.0.0\tcase", "v1.0.0\ta/b/c/d/e/f\t", "one\ta/b/c/d/e/f\twhy", "v1.0.0\ta/b\twhy"] {
            let error = Ledger::read(line).unwrap_err();
            assert_eq!(error, "line 1: expected a release, a case and a reason between tabs", "{line}");
        }
        let twice = "v1.0.0\ta/b/c/d/e/f\twhy\n".repeat(2);
        assert_eq!(Ledger::read(&twice).unwrap_err(), "line 2: the case is listed twice");
    }
}
