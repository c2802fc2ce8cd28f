//! A release in an archive.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::Source;
use crate::archive::{Entry, each_entry, gunzip};
use crate::case::{MAX_PART, Parts};
use crate::error::cannot_read;
use crate::layout::{self, PATH};
use crate::walk::{Fate, OUTSIDE, Walk};
use crate::{Case, CaseId, Release, VectorError};

/// How many names make a case.
const CASE: usize = 6;

/// Opens an archive, as the stream of the tar in it.
pub(super) fn open(path: &Path) -> Result<impl Read + use<>, VectorError> {
    let file = File::open(path);
    let file = file
        .map_err(|error| VectorError::in_source(path.display(), cannot_read(&error), "a .tar.gz archive"))?;
    Ok(gunzip(BufReader::with_capacity(1 << 16, file)))
}

pub(super) fn walk(source: &Source, path: &Path, walk: &mut Walk<'_>) {
    match open(path) {
        Ok(archive) => walk_archive(archive, &source.label, source.release, walk),
        Err(error) => walk.problem(error),
    }
}

/// Walks through a release's tar.
pub(super) fn walk_archive(archive: impl Read, label: &str, release: Option<Release>, walk: &mut Walk<'_>) {
    let mut visit =
        Visit { label, release, walk, current: None, seen: HashSet::new(), hasher: RandomState::new() };
    let result = each_entry(archive, label, &mut |entry| {
        match entry {
            Ok(entry) => visit.entry(entry)?,
            Err(refused) => visit.walk.problem(refused),
        }
        Ok(if visit.walk.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    match result {
        Ok(()) => visit.finish_case(),
        // The case at hand may lack parts: it is not given.
        Err(error) => visit.walk.problem(error),
    }
}

/// A walk through one archive.
struct Visit<'a, 'w> {
    label: &'a str,
    release: Option<Release>,
    walk: &'a mut Walk<'w>,
    current: Option<Current>,
    /// Hashes of the names of all cases so far: a case whose entries are scattered must not pass for two.
    seen: HashSet<u64>,
    hasher: RandomState,
}

/// The case whose entries are being read.
struct Current {
    names: Vec<String>,
    folder: String,
    fate: Fate,
    parts: BTreeMap<String, Vec<u8>>,
    files: u64,
    bytes: u64,
}

impl Visit<'_, '_> {
    fn entry(&mut self, entry: &mut Entry<'_>) -> Result<(), VectorError> {
        let path = entry.path.clone();
        let Some(names) = layout::below_tests(&path) else {
            if !entry.is_folder {
                let what = format!("{}!{path}", self.label);
                self.walk.left_out_for(what, 0, 1, OUTSIDE);
            }
            return Ok(());
        };
        match names.len() {
            CASE if entry.is_folder => {
                self.begin_case(&names, &entry.location);
            }
            _ if entry.is_folder => {}
            ..=CASE => self.file_above_cases(&names, entry),
            _ => {
                let folder =
                    entry.location.rsplit_once('/').map_or(entry.location.as_str(), |(folder, _)| folder);
                let folder = folder.to_owned();
                if self.begin_case(&names[..CASE], &folder) {
                    self.part(&names[CASE..], entry)?;
                }
            }
        }
        Ok(())
    }

    fn file_above_cases(&mut self, names: &[&str], entry: &Entry<'_>) {
        let folder = &names[..names.len().saturating_sub(1)];
        match self.walk.fate(folder) {
            Fate::Filtered => {}
            Fate::LeftOut => self.walk.left_out(folder, 0, 1),
            Fate::Given => {
                let found = "a file that belongs to no case";
                self.walk.problem(VectorError::in_case(&entry.location, found, PATH));
            }
        }
    }

    /// Makes the case of these names the current one; false if its entries had ended.
    fn begin_case(&mut self, names: &[&str], folder: &str) -> bool {
        if self.current.as_ref().is_some_and(|current| current.names == names) {
            return true;
        }
        self.finish_case();
        if !self.seen.insert(self.hasher.hash_one(names)) {
            let expected = "all entries of a case one after another";
            self.walk.problem(VectorError::in_case(folder, "entries of this case stand apart", expected));
            return false;
        }
        self.current = Some(Current {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            folder: folder.trim_end_matches('/').to_owned(),
            fate: self.walk.fate(names),
            parts: BTreeMap::new(),
            files: 0,
            bytes: 0,
        });
        true
    }

    /// Adds a file to the current case.
    fn part(&mut self, names: &[&str], entry: &mut Entry<'_>) -> Result<(), VectorError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        current.files += 1;
        if current.fate != Fate::Given {
            return Ok(());
        }
        let [name] = names else {
            self.walk.problem(VectorError::in_case(&entry.location, "a folder inside a case", PATH));
            return Ok(());
        };
        if current.parts.contains_key(*name) {
            self.walk.problem(VectorError::in_case(&entry.location, "a second entry of this name", "one"));
            return Ok(());
        }
        let bytes = entry.read()?;
        current.bytes += bytes.len() as u64;
        if current.bytes > 2 * MAX_PART {
            let expected = format!("at most {} bytes", 2 * MAX_PART);
            self.walk.problem(VectorError::in_case(&entry.location, "too many bytes in one case", expected));
            return Ok(());
        }
        current.parts.insert((*name).to_owned(), bytes);
        Ok(())
    }

    fn finish_case(&mut self) {
        let Some(current) = self.current.take() else { return };
        match current.fate {
            Fate::Filtered => self.walk.filtered(1),
            Fate::LeftOut => self.walk.left_out(&current.names, 1, current.files),
            Fate::Given => {
                let names: [&str; CASE] = std::array::from_fn(|level| current.names[level].as_str());
                self.walk.case(Case {
                    id: CaseId::from_names(names),
                    release: self.release,
                    location: current.folder,
                    parts: Parts::Held(Arc::new(current.parts)),
                });
            }
        }
    }
}
