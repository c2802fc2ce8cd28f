//! Why a fetch failed.

use std::io;
use std::path::{Path, PathBuf};

use crate::VectorError;

/// Why a fetch failed. Each message says what happened and, where there is something to do, what.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The request makes no sense.
    #[error("{0}")]
    Usage(String),
    /// None of the places has the archive.
    #[error("{archive} is in none of the places tried: {}", tried.join(", "))]
    NotFound {
        /// The archive's name.
        archive: String,
        /// Each place, with what it answered.
        tried: Vec<String>,
    },
    /// A server could not be reached, or broke off, as often as was tried; or refused.
    #[error("{url}: {what}")]
    Network {
        /// The URL.
        url: String,
        /// What happened, and how often.
        what: String,
    },
    /// Nobody knows the archive's digest.
    #[error(
        "{release} {archive}: no digest is pinned, and none could be asked for; \
         --trust-on-first-use fetches it and records the digest that it has"
    )]
    NoDigest {
        /// The release.
        release: String,
        /// The archive's name.
        archive: String,
    },
    /// The archive is not the expected one. Nothing of it is kept.
    #[error(
        "{archive} is not the expected archive; nothing of it is kept\n  \
         expected SHA-256 {expected} ({expected_from})\n  \
         found    SHA-256 {found} ({found_in})"
    )]
    Digest {
        /// The archive's name.
        archive: String,
        /// The expected digest.
        expected: String,
        /// Who says so.
        expected_from: String,
        /// The digest of what came.
        found: String,
        /// Where that came from.
        found_in: String,
    },
    /// The archive lacks cases.
    #[error("{archive} has {found} cases of {runner}; expected {expected} ({expected_from})")]
    Counts {
        /// The archive's name.
        archive: String,
        /// The runner.
        runner: String,
        /// How many cases it should have.
        expected: u64,
        /// Who says so.
        expected_from: String,
        /// How many it has.
        found: u64,
    },
    /// The archive is damaged, or holds what no release holds.
    #[error(transparent)]
    Archive(#[from] VectorError),
    /// There is not enough room on the disk.
    #[error("{}: {free} bytes are free; about {needed} are needed", folder.display())]
    DiskFull {
        /// The folder for releases.
        folder: PathBuf,
        /// How much is free.
        free: u64,
        /// How much is needed, by estimate.
        needed: u64,
    },
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What happened.
        #[source]
        error: io::Error,
    },
}

impl FetchError {
    pub(super) fn io(path: impl AsRef<Path>, error: io::Error) -> Self {
        Self::Io { path: path.as_ref().to_owned(), error }
    }
}
