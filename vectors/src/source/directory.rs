//! A release unpacked into folders.

use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::Path;

use super::Source;
use crate::case::Parts;
use crate::error::cannot_read;
use crate::layout::{LEVELS, PATH};
use crate::walk::{Fate, Walk};
use crate::{Case, CaseId, VectorError};

/// How many names make a case.
const CASE: usize = 6;

pub(super) fn walk(source: &Source, tests: &Path, below: &[String], walk: &mut Walk<'_>) {
    let mut folder = tests.to_owned();
    folder.extend(below);
    let mut names = below.to_vec();
    Visit { source, tests, walk }.folder(&folder, &mut names);
}

pub(super) fn case(
    source: &Source,
    tests: &Path,
    below: &[String],
    id: &CaseId,
) -> Result<Option<Case>, VectorError> {
    let names = id.names();
    if !below.iter().zip(names).all(|(below, name)| below == name) {
        return Ok(None);
    }
    let folder = names.iter().fold(tests.to_owned(), |folder, name| folder.join(name));
    if !folder.is_dir() {
        return Ok(None);
    }
    let files = list(&folder)?.into_iter().filter(|entry| entry.is_file).map(|entry| entry.name);
    Ok(Some(as_case(source, tests, &folder, names, files.collect())))
}

fn as_case(source: &Source, tests: &Path, folder: &Path, names: [&str; CASE], parts: Vec<String>) -> Case {
    Case {
        id: CaseId::from_names(names),
        release: source.release,
        // As in an archive, whatever separates names on this system.
        location: format!("{}/{}", tests.display(), names.join("/")),
        parts: Parts::Folder(folder.to_owned(), parts),
    }
}

/// A walk through one source.
struct Visit<'a, 'w> {
    source: &'a Source,
    tests: &'a Path,
    walk: &'a mut Walk<'w>,
}

impl Visit<'_, '_> {
    /// Visits the folder of these names below `tests/`.
    fn folder(&mut self, folder: &Path, names: &mut Vec<String>) {
        let entries = match list(folder) {
            Ok(entries) => entries,
            Err(error) => return self.walk.problem(error),
        };
        if names.len() == CASE {
            return self.case(folder, names, entries);
        }
        if entries.is_empty() {
            let expected = format!("at least one {}", LEVELS[names.len()]);
            self.walk.problem(VectorError::in_case(folder.display(), "an empty folder", expected));
        }
        for entry in entries {
            if self.walk.stopped() {
                return;
            }
            let path = folder.join(&entry.name);
            if entry.is_folder {
                self.subfolder(&path, names, entry.name);
            } else {
                self.file_above_cases(&path, names);
            }
        }
    }

    fn subfolder(&mut self, path: &Path, names: &mut Vec<String>, name: String) {
        names.push(name);
        match self.walk.fate(names) {
            Fate::Filtered => {
                let cases = count_cases(path, names.len());
                self.walk.filtered(cases);
            }
            Fate::LeftOut | Fate::Given => self.folder(path, names),
        }
        names.pop();
    }

    fn file_above_cases(&mut self, path: &Path, names: &[String]) {
        match self.walk.fate(names) {
            Fate::Filtered => {}
            Fate::LeftOut => self.walk.left_out(names, 0, 1),
            Fate::Given => {
                let found = "a file that belongs to no case";
                self.walk.problem(VectorError::in_case(path.display(), found, PATH));
            }
        }
    }

    fn case(&mut self, folder: &Path, names: &[String], entries: Vec<Listed>) {
        let left_out = self.walk.fate(names) == Fate::LeftOut;
        if left_out {
            let files = entries.iter().map(|entry| count_files(&folder.join(&entry.name), entry)).sum();
            return self.walk.left_out(names, 1, files);
        }
        for stray in entries.iter().filter(|entry| !entry.is_file) {
            let found =
                if stray.is_folder { "a folder inside a case" } else { "neither a file nor a folder" };
            let path = folder.join(&stray.name);
            self.walk.problem(VectorError::in_case(path.display(), found, PATH));
        }
        let parts = entries.into_iter().filter(|entry| entry.is_file).map(|entry| entry.name).collect();
        let names: [&str; CASE] = std::array::from_fn(|level| names[level].as_str());
        self.walk.case(as_case(self.source, self.tests, folder, names, parts));
    }
}

/// One entry of a folder. What is neither a folder nor a file, or has no name in UTF-8, is none of a release's.
struct Listed {
    name: String,
    is_folder: bool,
    is_file: bool,
}

/// What a folder holds, sorted by name. Links are followed: the levels of a release end every loop.
fn list(folder: &Path) -> Result<Vec<Listed>, VectorError> {
    let read = || -> io::Result<Vec<Listed>> { fs::read_dir(folder)?.map(|entry| listed(&entry?)).collect() };
    let mut entries =
        read().map_err(|error| VectorError::in_case(folder.display(), cannot_read(&error), "a folder"))?;
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

fn listed(entry: &DirEntry) -> io::Result<Listed> {
    let mut kind = Some(entry.file_type()?);
    if kind.is_some_and(|kind| kind.is_symlink()) {
        // A link that leads nowhere is neither.
        kind = fs::metadata(entry.path()).ok().map(|target| target.file_type());
    }
    let (name, is_text) = match entry.file_name().into_string() {
        Ok(name) => (name, true),
        Err(name) => (name.to_string_lossy().into_owned(), false),
    };
    let is = |test: fn(&FileType) -> bool| is_text && kind.as_ref().is_some_and(test);
    Ok(Listed { name, is_folder: is(FileType::is_dir), is_file: is(FileType::is_file) })
}

/// How many cases are below a folder that stands at `level` names below `tests/`. Folders that cannot be read have none.
fn count_cases(folder: &Path, level: usize) -> u64 {
    if level == CASE {
        return 1;
    }
    let folders = list(folder).unwrap_or_default().into_iter().filter(|entry| entry.is_folder);
    folders
        .map(|entry| if level + 1 == CASE { 1 } else { count_cases(&folder.join(entry.name), level + 1) })
        .sum()
}

/// How many files there are in an entry of a case that is left out.
fn count_files(path: &Path, entry: &Listed) -> u64 {
    if !entry.is_folder {
        return 1;
    }
    let inside = list(path).unwrap_or_default();
    inside.iter().map(|entry| count_files(&path.join(&entry.name), entry)).sum()
}
