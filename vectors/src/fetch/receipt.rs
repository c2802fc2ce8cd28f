//! What was fetched of a release.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{FetchError, Request};
use crate::fetched::RECEIPT;

/// What was fetched of a release: the file `receipt.json` in its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Whose release.
    pub project: String,
    /// Its tag.
    pub release: String,
    /// What was unpacked, by archive.
    pub archives: BTreeMap<String, Unpacked>,
}

/// What was unpacked of one archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpacked {
    /// Its SHA-256.
    pub sha256: String,
    /// Who said beforehand that this is the right one.
    pub digest_from: String,
    /// Its size.
    pub bytes: u64,
    /// Where it came from.
    pub from: String,
    /// Whether everything was unpacked, not only what holds SSZ.
    pub all_runners: bool,
    /// What is in it, by `<preset>/<fork>/<runner>` (or by folder where there are no presets).
    pub counts: BTreeMap<String, Counted>,
}

/// How much there is of one runner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// Cases.
    pub cases: u64,
    /// Files, those left out included.
    pub files: u64,
    /// Files that were not unpacked, since they hold no SSZ.
    pub left_out: u64,
}

impl Receipt {
    /// What the file `receipt.json` in a release's folder says; nothing if there is no such file.
    pub(super) fn read(release: &Path) -> Result<Option<Self>, FetchError> {
        let path = release.join(RECEIPT);
        match std::fs::read(&path) {
            Ok(json) => {
                Ok(Some(serde_json::from_slice(&json).map_err(|error| FetchError::io(path, error.into()))?))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FetchError::io(path, error)),
        }
    }

    /// How many cases were unpacked, all archives and runners together.
    pub fn cases(&self) -> u64 {
        let counted = self.archives.values().flat_map(|unpacked| unpacked.counts.values());
        counted.filter(|counted| counted.left_out == 0).map(|counted| counted.cases).sum()
    }

    pub(super) fn new(request: &Request) -> Self {
        let (project, release) = (request.project.to_string(), request.release.to_string());
        Self { project, release, archives: BTreeMap::new() }
    }
}

/// How many cases of a runner there are over all forks of a preset.
pub(super) fn cases_of(counts: &BTreeMap<String, Counted>, preset: Option<&str>, runner: &str) -> u64 {
    let is_it = |key: &str| {
        let mut names = key.split('/');
        names.next() == preset && names.nth(1) == Some(runner)
    };
    counts.iter().filter(|(key, _)| is_it(key)).map(|(_, counted)| counted.cases).sum()
}
