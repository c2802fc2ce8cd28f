//! A release unpacked into folders.

use std::fs::FileType;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::Source;
use crate::case::Parts;
use crate::error::cannot_walk;
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
    let entries = WalkDir::new(folder).follow_links(true).min_depth(1).max_depth(1).sort_by_file_name();
    entries.into_iter().map(|entry| listed(folder, entry)).collect()
}

fn listed(folder: &Path, entry: walkdir::Result<DirEntry>) -> Result<Listed, VectorError> {
    let (path, kind) = match &entry {
        Ok(entry) => (entry.path(), Some(entry.file_type())),
        // a link that leads nowhere, or back up, is neither a folder nor a file
        Err(error) if error.depth() > 0 && error.path().is_some() => (error.path().unwrap_or(folder), None),
        Err(error) => return Err(VectorError::in_case(folder.display(), cannot_walk(error), "a folder")),
    };
    let name = path.file_name().unwrap_or_default();
    let (name, is_text) = match name.to_str() {
        Some(name) => (name.to_owned(), true),
        None => (name.to_string_lossy().into_owned(), false),
    };
    let is = |test: fn(&FileType) -> bool| is_text && kind.as_ref().is_some_and(test);
    Ok(Listed { name, is_folder: is(FileType::is_dir), is_file: is(FileType::is_file) })
}

/// How many cases are below a folder that stands at `level` names below `tests/`. Folders that cannot be read have none.
fn count_cases(folder: &Path, level: usize) -> u64 {
    let depth = CASE - level;
    let folders = WalkDir::new(folder).follow_links(true).min_depth(depth).max_depth(depth);
    folders.into_iter().flatten().filter(|entry| entry.file_type().is_dir()).count() as u64
}

/// How many files there are in an entry of a case that is left out.
fn count_files(path: &Path, entry: &Listed) -> u64 {
    if !entry.is_folder {
        return 1;
    }
    let inside = WalkDir::new(path).follow_links(true).into_iter().flatten();
    inside.filter(|entry| !entry.file_type().is_dir()).count() as u64
}
