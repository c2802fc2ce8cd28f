//! The folder that releases are fetched into: one process at a time, finished releases only ever whole.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::catalog::checked_digest;
use super::digest::Expected;
use super::partial::Partial;
use super::{Archive, FetchError, Progress, Project, Receipt};
use crate::Release;
use crate::fetched::RECEIPT;

const LOCK: &str = ".lock";
const STAGING: &str = ".staging";
const REPLACED: &str = ".replaced";
const PARTIAL: &str = ".partial";
const ARCHIVES: &str = ".archives";
const DIGESTS: &str = "digests.lock";

/// Stands for `/` in the name of a part that was replaced: `tests+minimal`.
const SLASH: &str = "+";

/// The folder, locked for this process.
pub(super) struct Store {
    root: PathBuf,
    /// Unlocks when closed, also when the process is killed.
    _lock: File,
}

impl Store {
    /// Opens the folder, waits for its lock, and clears up after a fetch that was killed.
    pub(super) fn open(root: &Path, progress: &dyn Progress) -> Result<Self, FetchError> {
        create_dir_all(root)?;
        let path = root.join(LOCK);
        let lock = File::create(&path).map_err(|error| FetchError::io(&path, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                progress.note(&format!("another fetch into {} is under way: waiting for it", root.display()));
                lock.lock().map_err(|error| FetchError::io(&path, error))?;
            }
            Err(TryLockError::Error(error)) => return Err(FetchError::io(&path, error)),
        }
        let store = Self { root: root.to_owned(), _lock: lock };
        remove_dir_all(&store.root.join(STAGING))?;
        store.recover()?;
        Ok(store)
    }

    /// Undoes replacements that were begun and not finished.
    fn recover(&self) -> Result<(), FetchError> {
        let replaced = self.root.join(REPLACED);
        for old in subfolders(&replaced)? {
            let release = self.root.join(old.file_name().unwrap_or_default());
            // The receipt is written last: where it is still the old one, so must be what it speaks of.
            let is_finished = fs::read(release.join(RECEIPT)).ok() != fs::read(old.join(RECEIPT)).ok();
            for part in subfolders(&old)?.into_iter().filter(|_| !is_finished) {
                let name = part.file_name().unwrap_or_default().to_string_lossy();
                let place = release.join(name.replace(SLASH, "/"));
                remove_dir_all(&place)?;
                rename(&part, &place)?;
            }
        }
        remove_dir_all(&replaced)
    }

    /// What was fetched of a release before.
    pub(super) fn receipt(&self, release: &str) -> Result<Option<Receipt>, FetchError> {
        Receipt::read(&self.root.join(release))
    }

    /// Whether what came out of an archive is in place.
    pub(super) fn has(&self, archive: &Archive, release: &str) -> bool {
        self.root.join(release).join(archive.place()).is_dir()
    }

    /// An empty folder to unpack a release into.
    pub(super) fn stage(&self, release: &str) -> Result<Staged<'_>, FetchError> {
        let folder = self.root.join(STAGING).join(release);
        create_dir_all(&folder)?;
        Ok(Staged { store: self, release: release.to_owned(), folder })
    }

    /// The files of a download.
    pub(super) fn partial(&self, release: &str, archive: &Archive) -> Result<Partial, FetchError> {
        Partial::in_folder(&self.root.join(PARTIAL).join(release), &archive.name)
    }

    /// Where an archive is kept, if it is.
    pub(super) fn kept(&self, release: &str, archive: &Archive) -> PathBuf {
        self.root.join(ARCHIVES).join(release).join(&archive.name)
    }

    /// Keeps an archive; one that was downloaded moves, another is copied.
    pub(super) fn keep(&self, release: &str, archive: &Archive, path: &Path) -> Result<(), FetchError> {
        let kept = self.kept(release, archive);
        if kept == path {
            return Ok(());
        }
        create_dir_all(kept.parent().unwrap_or(&self.root))?;
        if path.starts_with(self.root.join(PARTIAL)) {
            return rename(path, &kept);
        }
        let copy = self.root.join(STAGING).join(&archive.name);
        fs::copy(path, &copy).map_err(|error| FetchError::io(&copy, error))?;
        rename(&copy, &kept)
    }

    /// Removes an archive that turned out bad, where it is this folder's: a download, or one that was kept.
    pub(super) fn discard(&self, release: &str, archive: &Archive, path: &Path) -> Result<(), FetchError> {
        if path == self.kept(release, archive) {
            fs::remove_file(path).map_err(|error| FetchError::io(path, error))?;
        }
        self.clear_partial(release, archive)
    }

    /// Removes a download.
    pub(super) fn clear_partial(&self, release: &str, archive: &Archive) -> Result<(), FetchError> {
        let partial = self.partial(release, archive)?;
        partial.clear()?;
        // Fails where another download is: so it should.
        _ = fs::remove_dir(partial.folder());
        Ok(())
    }

    /// The digest that was recorded at the first use of an archive.
    pub(super) fn trusted(
        &self,
        project: Project,
        release: Release,
        archive: &str,
    ) -> Result<Option<Expected>, FetchError> {
        let path = self.root.join(DIGESTS);
        let prefix = trust_prefix(project, release, archive);
        let text = self.digests()?;
        let Some(sha256) = text.lines().find_map(|line| line.strip_prefix(&prefix)) else { return Ok(None) };
        let sha256 = checked_digest(sha256)
            .map_err(|error| FetchError::Usage(format!("{}: {error}", path.display())))?;
        Ok(Some(Expected {
            sha256,
            bytes: None,
            from: format!("recorded at first use in {}", path.display()),
        }))
    }

    /// Records the digest of an archive that nobody knew.
    pub(super) fn trust(
        &self,
        project: Project,
        release: Release,
        archive: &str,
        sha256: &str,
    ) -> Result<(), FetchError> {
        let text = self.digests()? + &trust_prefix(project, release, archive) + sha256 + "\n";
        write_whole(&self.root.join(DIGESTS), text.as_bytes())
    }

    fn digests(&self) -> Result<String, FetchError> {
        let path = self.root.join(DIGESTS);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(FetchError::io(path, error)),
        }
    }
}

/// What a line of the recorded digests starts with.
fn trust_prefix(project: Project, release: Release, archive: &str) -> String {
    format!("{project}\t{release}\t{archive}\t")
}

/// A release that is being unpacked beside the finished ones.
pub(super) struct Staged<'a> {
    store: &'a Store,
    release: String,
    folder: PathBuf,
}

impl Staged<'_> {
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Moves what was staged to where finished releases are, with its receipt.
    pub(super) fn put_in_place(&self, receipt: &Receipt, archives: &[Archive]) -> Result<(), FetchError> {
        let place = self.store.root.join(&self.release);
        let mut json =
            serde_json::to_vec_pretty(receipt).map_err(|error| FetchError::io(&place, error.into()))?;
        json.push(b'\n');
        if !place.join(RECEIPT).exists() {
            if place.exists() {
                let place = place.display();
                return Err(FetchError::Usage(format!(
                    "{place} exists and was not fetched: it has no {RECEIPT}; move it away, or fetch into another folder"
                )));
            }
            write_whole(&self.folder.join(RECEIPT), &json)?;
            return rename(&self.folder, &place);
        }
        let replaced = self.store.root.join(REPLACED).join(&self.release);
        self.replace(&place, &replaced, archives)?;
        write_whole(&place.join(RECEIPT), &json)?;
        remove_dir_all(&replaced)
    }

    /// Puts each part in the place of its predecessor, which can be put back until the receipt is written.
    fn replace(&self, place: &PathBuf, replaced: &Path, archives: &[Archive]) -> Result<(), FetchError> {
        create_dir_all(replaced)?;
        let [receipt, saved] = [place.join(RECEIPT), replaced.join(RECEIPT)];
        fs::copy(&receipt, &saved).map_err(|error| FetchError::io(&saved, error))?;
        for archive in archives {
            let part = archive.place();
            let [new, current] = [&self.folder, place].map(|folder| folder.join(&part));
            let old = replaced.join(part.replace('/', SLASH));
            create_dir_all(current.parent().unwrap_or(place))?;
            if current.exists() {
                rename(&current, &old)?;
            }
            rename(&new, &current)?;
        }
        Ok(())
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // What is in place by now is not here any more. What stays here is removed by the next fetch at the latest.
        _ = fs::remove_dir_all(&self.folder);
    }
}

/// Writes a file so that it is there whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FetchError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!(".{name}.new"));
    fs::write(&unfinished, bytes).map_err(|error| FetchError::io(&unfinished, error))?;
    rename(&unfinished, path)
}

fn rename(from: &Path, to: &Path) -> Result<(), FetchError> {
    fs::rename(from, to).map_err(|error| FetchError::io(from, error))
}

fn create_dir_all(path: &Path) -> Result<(), FetchError> {
    fs::create_dir_all(path).map_err(|error| FetchError::io(path, error))
}

fn remove_dir_all(path: &Path) -> Result<(), FetchError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(FetchError::io(path, error)),
        _ => Ok(()),
    }
}

/// The folders in a folder; none if it does not exist.
fn subfolders(path: &Path) -> Result<Vec<PathBuf>, FetchError> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let entries: io::Result<Vec<_>> = fs::read_dir(path)?.collect();
        Ok(entries?.into_iter().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
    };
    match read() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        other => other.map_err(|error| FetchError::io(path, error)),
    }
}
