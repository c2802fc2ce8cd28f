//! One case and its parts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::cannot_read;
use crate::{CaseId, Release, VectorError, snappy};

/// The most bytes that a part may have. The largest of a release, the YAML of a mainnet state, has about 7 MiB.
pub(crate) const MAX_PART: u64 = 256 << 20;

/// One case: its name and its parts, which are read when asked for.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its path below `tests/`.
    pub id: CaseId,
    /// The release that it belongs to, where that is known.
    pub release: Option<Release>,
    pub(crate) location: String,
    pub(crate) parts: Parts,
}

/// Where the parts are.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    /// Files of a folder, by sorted name.
    Folder(PathBuf, Vec<String>),
    /// Bytes that came out of an archive.
    Held(Arc<BTreeMap<String, Vec<u8>>>),
}

impl Case {
    /// The case's folder: its path, and inside an archive `general.tar.gz!tests/...`.
    pub fn location(&self) -> String {
        self.location.clone()
    }

    /// The names of its parts, sorted.
    pub fn part_names(&self) -> Vec<&str> {
        match &self.parts {
            Parts::Folder(_, names) => names.iter().map(String::as_str).collect(),
            Parts::Held(parts) => parts.keys().map(String::as_str).collect(),
        }
    }

    /// The bytes of a part, as the release holds them.
    ///
    /// # Errors
    ///
    /// If there is no such part, or it cannot be read, or has more than 256 MiB.
    pub fn read(&self, part: &str) -> Result<Cow<'_, [u8]>, VectorError> {
        match &self.parts {
            Parts::Folder(folder, names) if names.iter().any(|name| name == part) => {
                self.read_file(&folder.join(part), part).map(Cow::Owned)
            }
            Parts::Held(parts) if parts.contains_key(part) => Ok(Cow::Borrowed(&parts[part])),
            _ => Err(self.missing(part)),
        }
    }

    /// The bytes of a part that holds one block of snappy's raw format, decompressed.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read); and if the block is corrupt, or claims more bytes than its size can give.
    pub fn read_snappy(&self, part: &str) -> Result<Vec<u8>, VectorError> {
        let block = self.read(part)?;
        snappy::decompress(&block)
            .map_err(|(found, expected)| VectorError::in_case(self.part_location(part), found, expected))
    }

    /// A part that holds text.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read); and if it is not UTF-8.
    pub fn read_text(&self, part: &str) -> Result<String, VectorError> {
        let bytes = self.read(part)?.into_owned();
        String::from_utf8(bytes).map_err(|error| {
            let found = format!("offset {}: not UTF-8", error.utf8_error().valid_up_to());
            VectorError::in_case(self.part_location(part), found, "text in UTF-8")
        })
    }

    /// Where a part of this name is, or would be.
    pub fn part_location(&self, part: &str) -> String {
        format!("{}/{part}", self.location)
    }

    fn read_file(&self, path: &PathBuf, part: &str) -> Result<Vec<u8>, VectorError> {
        let error =
            |found: String, expected: &str| VectorError::in_case(self.part_location(part), found, expected);
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|e| error(cannot_read(&e), "a file"))?;
        let read = file.take(MAX_PART + 1).read_to_end(&mut bytes);
        read.map_err(|e| error(cannot_read(&e), "a file"))?;
        if bytes.len() as u64 > MAX_PART {
            return Err(error(format!("more than {MAX_PART} bytes"), "a part of a test case"));
        }
        Ok(bytes)
    }

    fn missing(&self, part: &str) -> VectorError {
        let found = match self.part_names().join(", ") {
            names if names.is_empty() => "the case has no parts".to_owned(),
            names => format!("no such part: the case has {names}"),
        };
        VectorError::in_case(self.part_location(part), found, format_args!("the part {part}"))
    }
}
