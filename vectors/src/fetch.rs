//! Fetches a release: from its official place, a mirror or a folder; verified, unpacked, and moved into place whole.
//!
//! A folder that releases are fetched into looks like this:
//!
//! ```text
//! DIR/<release>/tests/...            a finished release, or those of its presets that were asked for
//! DIR/<release>/receipt.json         what of it was fetched, from where, and how many cases
//! DIR/digests.lock                   digests that were trusted on first use
//! DIR/.archives/<release>/           archives, where they are kept
//! DIR/.partial/<release>/            downloads that can go on
//! DIR/.staging/, .replaced/, .lock   work under way
//! ```
//!
//! Whatever is interrupted leaves finished releases as they are; the next fetch goes on or starts clean.

mod catalog;
mod client;
mod digest;
mod disk;
mod error;
mod list;
mod origin;
mod partial;
mod receipt;
mod store;
mod unpack;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

pub use catalog::{Archive, Catalog, Count, Pin, Project};
pub use error::FetchError;
pub use list::{KnownArchive, KnownRelease, list};
pub use origin::Origin;
pub use receipt::{Counted, Receipt, Unpacked};

use crate::Release;
use client::Client;
use digest::Expected;
use store::{Staged, Store};

/// What to fetch, from where, and into which folder.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whose release.
    pub project: Project,
    /// Which release.
    pub release: Release,
    /// Which presets of it; for a project without presets, nothing.
    pub presets: Vec<String>,
    /// A place to fetch from instead of the official one. No other is asked then.
    pub from: Option<Origin>,
    /// The folder for releases.
    pub into: PathBuf,
    /// Whether to unpack everything, not only what holds SSZ.
    pub all_runners: bool,
    /// Whether to keep the archives beside what came out of them.
    pub keep_archives: bool,
    /// Whether to fetch anew what is there.
    pub force: bool,
    /// Whether an archive whose digest nobody knows may be fetched; what it turns out to be is recorded.
    pub trust_on_first_use: bool,
    /// A bearer token for the release's own host; goes nowhere else, and only over HTTPS.
    pub token: Option<Token>,
    /// How to deal with a bad connection.
    pub patience: Patience,
}

/// How to deal with a bad connection.
#[derive(Clone, Debug)]
pub struct Patience {
    /// How many tries in a row may fail without a byte of progress.
    pub tries: u32,
    /// The pause after the first failure; each further one is twice as long.
    pub first_pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
    /// How long to wait for a connection, for an answer, and for the next bytes of a body.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            tries: 6,
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(30),
            silence: Duration::from_secs(60),
        }
    }
}

/// A secret that does not show when printed.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A token from elsewhere.
    pub fn new(token: impl Into<String>) -> Self {
        Self(token.into())
    }

    /// The token in the environment, if there is one: `GITHUB_TOKEN`, else `GH_TOKEN`.
    pub fn from_environment() -> Option<Self> {
        let read = |name| std::env::var(name).ok().filter(|token| !token.is_empty());
        read("GITHUB_TOKEN").or_else(|| read("GH_TOKEN")).map(Self)
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

/// A step of the work that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Bytes come over the network.
    Download,
    /// An archive is read to compute its digest.
    Verify,
    /// An archive is read to unpack it.
    Unpack,
}

/// Is told how the work goes on. All methods do nothing unless written.
pub trait Progress: Send + Sync {
    /// A step begins, on the archive of this name, of so many bytes where that is known, some of them done before.
    fn begin(&self, _step: Step, _archive: &str, _total: Option<u64>, _done: u64) {}
    /// So many more bytes are done.
    fn advance(&self, _bytes: u64) {}
    /// The step ended, well or not.
    fn end(&self) {}
    /// Something that a person should read.
    fn note(&self, _text: &str) {}
}

/// Fetches what `request` asks for, unless it is there already.
///
/// # Errors
///
/// See [`FetchError`]. Finished releases are as they were before.
pub fn fetch(catalog: &Catalog, request: &Request, progress: &dyn Progress) -> Result<Receipt, FetchError> {
    let store = Store::open(&request.into, progress)?;
    let client = Client::new(&request.patience, request.token.as_ref());
    let folder = request.project.folder(request.release);
    Fetch { catalog, request, progress, store: &store, client, folder }.run()
}

/// One fetch, with all that it needs.
struct Fetch<'a> {
    catalog: &'a Catalog,
    request: &'a Request,
    progress: &'a dyn Progress,
    store: &'a Store,
    client: Client,
    /// The name of the release's folder.
    folder: String,
}

impl Fetch<'_> {
    fn run(&self) -> Result<Receipt, FetchError> {
        let mut receipt = self.store.receipt(&self.folder)?.unwrap_or_else(|| Receipt::new(self.request));
        let staged = self.store.stage(&self.folder)?;
        let mut archives = Vec::new();
        for archive in self.request.project.archives(self.request.release, &self.request.presets)? {
            let expected = self.expected(&archive)?;
            if self.is_there(&receipt, &archive, expected.as_ref()) {
                self.progress.note(&format!("{} {}: fetched before", self.request.release, archive.name));
                // A fetch that was killed at its very end leaves the download.
                self.store.clear_partial(&self.folder, &archive)?;
                continue;
            }
            let unpacked = self.archive(&archive, expected.as_ref(), &staged)?;
            receipt.archives.insert(archive.name.clone(), unpacked);
            archives.push(archive);
        }
        if !archives.is_empty() {
            staged.put_in_place(&receipt, &archives)?;
        }
        for archive in &archives {
            self.store.clear_partial(&self.folder, archive)?;
        }
        Ok(receipt)
    }

    /// The digest that the archive must have, where anyone knows it.
    fn expected(&self, archive: &Archive) -> Result<Option<Expected>, FetchError> {
        let Request { project, release, from, .. } = self.request;
        if let Some(pin) = self.catalog.pin(*project, *release, &archive.name) {
            return Ok(Some(Expected::pinned(pin)));
        }
        if let Some(expected) = self.store.trusted(*project, *release, &archive.name)? {
            return Ok(Some(expected));
        }
        if from.is_some() {
            return Ok(None);
        }
        self.client.digest_from_api(self.catalog, self.request, archive, self.progress)
    }

    fn is_there(&self, receipt: &Receipt, archive: &Archive, expected: Option<&Expected>) -> bool {
        let Some(unpacked) = receipt.archives.get(&archive.name) else { return false };
        let is_right = expected.is_none_or(|expected| expected.sha256 == unpacked.sha256);
        let is_enough = unpacked.all_runners || !self.request.all_runners;
        !self.request.force && is_right && is_enough && self.store.has(archive, &self.folder)
    }

    /// Brings one archive and stages what is in it.
    fn archive(
        &self,
        archive: &Archive,
        expected: Option<&Expected>,
        staged: &Staged<'_>,
    ) -> Result<Unpacked, FetchError> {
        if expected.is_none() && !self.request.trust_on_first_use {
            return Err(FetchError::NoDigest {
                release: self.request.release.to_string(),
                archive: archive.name.clone(),
            });
        }
        let brought = self.bring(archive, expected)?;
        let result = self.stage(archive, expected, &brought, staged);
        if let Err(FetchError::Digest { .. } | FetchError::Archive(_) | FetchError::Counts { .. }) = result {
            self.store.discard(&self.folder, archive, &brought.path)?;
        }
        let unpacked = result?;
        if self.request.keep_archives {
            self.store.keep(&self.folder, archive, &brought.path)?;
        }
        Ok(unpacked)
    }

    /// Stages what is in an archive, if it is the right one.
    fn stage(
        &self,
        archive: &Archive,
        expected: Option<&Expected>,
        brought: &Brought,
        staged: &Staged<'_>,
    ) -> Result<Unpacked, FetchError> {
        let sha256 = digest::of_file(&brought.path, &archive.name, self.progress)?;
        check_digest(archive, expected, brought, &sha256)?;
        let all_runners = self.request.all_runners;
        disk::check(&self.request.into, disk::unpacked(brought.len, all_runners))?;
        let counts = unpack::unpack(&brought.path, archive, staged.folder(), all_runners, self.progress)?;
        self.check_counts(archive, &counts)?;
        if expected.is_none() {
            self.store.trust(self.request.project, self.request.release, &archive.name, &sha256)?;
        }
        let digest_from = expected.map_or("seen at first use".to_owned(), |expected| expected.from.clone());
        Ok(Unpacked {
            sha256,
            digest_from,
            bytes: brought.len,
            from: brought.from.clone(),
            all_runners,
            counts,
        })
    }

    /// The archive as a file: kept from before, in a folder, or downloaded.
    fn bring(&self, archive: &Archive, expected: Option<&Expected>) -> Result<Brought, FetchError> {
        let kept = self.store.kept(&self.folder, archive);
        if !self.request.force && self.request.from.is_none() && kept.is_file() {
            return Brought::of(kept);
        }
        match &self.request.from {
            Some(Origin::Path(path)) => Brought::of(origin::find(path, self.request.release, &archive.name)?),
            Some(Origin::Url(base)) => {
                self.download(archive, &origin::urls(base, self.request, archive), expected)
            }
            None => {
                let bases = self.catalog.places(self.request.project);
                let urls: Vec<String> =
                    bases.map(|base| format!("{base}/{}/{}", self.request.release, archive.name)).collect();
                self.download(archive, &urls, expected)
            }
        }
    }

    fn download(
        &self,
        archive: &Archive,
        urls: &[String],
        expected: Option<&Expected>,
    ) -> Result<Brought, FetchError> {
        let partial = self.store.partial(&self.folder, archive)?;
        if self.request.force {
            partial.clear()?;
        }
        let known_len = expected.and_then(|expected| expected.bytes);
        let official = self.request.from.is_none();
        let from = self.client.download(urls, &partial, known_len, official, self.progress)?;
        let Brought { path, len, .. } = Brought::of(partial.file().to_owned())?;
        Ok(Brought { path, len, from })
    }

    /// A release that lacks cases is an error; a mirror or a folder may hold a part on purpose, which is noted.
    fn check_counts(&self, archive: &Archive, counts: &BTreeMap<String, Counted>) -> Result<(), FetchError> {
        for count in self.catalog.counts(self.request.project, self.request.release, archive.preset()) {
            let found = receipt::cases_of(counts, archive.preset(), &count.runner);
            if found >= count.cases {
                continue;
            }
            let error = FetchError::Counts {
                archive: archive.name.clone(),
                runner: count.runner.clone(),
                expected: count.cases,
                expected_from: count.from.clone(),
                found,
            };
            if self.request.from.is_none() {
                return Err(error);
            }
            self.progress.note(&format!("a part of the release: {error}"));
        }
        Ok(())
    }
}

fn check_digest(
    archive: &Archive,
    expected: Option<&Expected>,
    brought: &Brought,
    sha256: &str,
) -> Result<(), FetchError> {
    match expected.filter(|expected| expected.sha256 != sha256) {
        None => Ok(()),
        Some(expected) => Err(FetchError::Digest {
            archive: archive.name.clone(),
            expected: expected.sha256.clone(),
            expected_from: expected.from.clone(),
            found: sha256.to_owned(),
            found_in: brought.from.clone(),
        }),
    }
}

/// An archive at hand.
struct Brought {
    path: PathBuf,
    len: u64,
    /// Where it came from, for people.
    from: String,
}

impl Brought {
    fn of(path: PathBuf) -> Result<Self, FetchError> {
        let len = std::fs::metadata(&path).map_err(|error| FetchError::io(&path, error))?.len();
        let from = path.display().to_string();
        Ok(Self { path, len, from })
    }
}
