//! A download under way, as files: what has come so far, and what it is a part of.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::FetchError;

/// The files of one download.
pub(super) struct Partial {
    file: PathBuf,
    mark: PathBuf,
    name: String,
}

/// What the bytes so far are a part of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) url: String,
    /// What tells this version of the file from another; empty if the server gave nothing.
    pub(super) validator: String,
    pub(super) total: Option<u64>,
}

impl Partial {
    /// The download of an archive in a folder, which is made where it is missing.
    pub(super) fn in_folder(folder: &Path, name: &str) -> Result<Self, FetchError> {
        fs::create_dir_all(folder).map_err(|error| FetchError::io(folder, error))?;
        let [file, mark] = [folder.join(name), folder.join(format!("{name}.json"))];
        Ok(Self { file, mark, name: name.to_owned() })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    pub(super) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }

    /// How much has come.
    pub(super) fn len(&self) -> u64 {
        fs::metadata(&self.file).map_or(0, |metadata| metadata.len())
    }

    /// How much has come from `url`, and of what, if that can go on.
    pub(super) fn resume(&self, url: &str) -> Option<(u64, Mark)> {
        let mark: Mark = serde_json::from_slice(&fs::read(&self.mark).ok()?).ok()?;
        let len = self.len();
        let can_go_on = mark.url == url && !mark.validator.is_empty() && len > 0;
        can_go_on.then_some((len, mark))
    }

    /// Starts from nothing.
    pub(super) fn begin(&self, mark: &Mark) -> Result<(), FetchError> {
        // In this order: at no time do bytes stand beside a mark of something else.
        self.clear()?;
        let json = serde_json::to_vec(mark).map_err(|error| FetchError::io(&self.mark, error.into()))?;
        fs::write(&self.mark, json).map_err(|error| FetchError::io(&self.mark, error))
    }

    pub(super) fn append(&self) -> Result<Appending<'_>, FetchError> {
        let file = OpenOptions::new().create(true).append(true).open(&self.file);
        let file = file.map_err(|error| FetchError::io(&self.file, error))?;
        Ok(Appending { file, path: &self.file })
    }

    /// Removes both files.
    pub(super) fn clear(&self) -> Result<(), FetchError> {
        for path in [&self.file, &self.mark] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(FetchError::io(path, error)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The file of a download, open at its end.
pub(super) struct Appending<'a> {
    file: File,
    path: &'a Path,
}

impl Appending<'_> {
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        self.file.write_all(bytes).map_err(|error| FetchError::io(self.path, error))
    }
}
