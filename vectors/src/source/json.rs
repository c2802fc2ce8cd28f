//! JSON vectors of ethereum/ssz-specs: `fixtures/<format>/<kind>/<valid or invalid>/<case>.json`, in older generations
//! `fixtures/ssz/ssz/<filler>/<test>.json`, one case a file.
//!
//! A case's id is `ssz-specs/<generation>/` and the file's path below `fixtures/`, so that the format is its runner.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::{HeldAs, Source, discover};
use crate::archive::each_entry;
use crate::case::Parts;
use crate::document::Document;
use crate::layout::{FIXTURE_PATH, SSZ_SPECS};
use crate::walk::Walk;
use crate::{Case, CaseId, VectorError};

/// How many names below `fixtures/` make a case.
const CASE: usize = 4;

const EXTENSION: &str = ".json";

/// The version that `manifest.json` gives of the format that is read here.
const FORMAT_VERSION: u64 = 1;

pub(super) fn walk(source: &Source, held_as: &HeldAs, walk: &mut Walk<'_>) {
    let mut visit = Visit { source, walk, files: 0, counts: Vec::new() };
    let result = match held_as {
        HeldAs::Archive(path) => visit.archive(path),
        HeldAs::Directory(fixtures, below) => {
            let folder = below.iter().fold(fixtures.clone(), |folder, name| folder.join(name));
            visit.folder(&folder, &mut below.clone())
        }
        HeldAs::Embedded => Ok(()),
    };
    match result {
        Ok(()) => visit.check_counts(),
        Err(error) => visit.walk.problem(error),
    }
}

pub(super) fn case(
    source: &Source,
    fixtures: &Path,
    below: &[String],
    id: &CaseId,
) -> Result<Option<Case>, VectorError> {
    let [collection, generation, format, kind, suite, name] = id.names();
    let file = format!("{name}{EXTENSION}");
    let folder = [format, kind, suite].iter().fold(fixtures.to_owned(), |folder, name| folder.join(name));
    let within = below.iter().zip([format, kind, suite]).all(|(below, name)| below == name);
    if collection != SSZ_SPECS || !within || !folder.join(&file).is_file() {
        return Ok(None);
    }
    let mut case = Case {
        id: id.clone(),
        release: source.release,
        location: folder.display().to_string(),
        parts: Parts::Folder(folder, vec![file.clone()]),
    };
    let found = generation_of(&case, &file)?;
    case.id.fork = found.clone();
    Ok(Some(case).filter(|_| found == generation))
}

fn generation_of(case: &Case, part: &str) -> Result<String, VectorError> {
    let document = Document::read(&case.read(part)?);
    let document = document
        .map_err(|error| VectorError::in_case(case.part_location(part), error.found, error.expected))?;
    Ok(document.generation.name().to_owned())
}

/// A walk through one source.
struct Visit<'a, 'w> {
    source: &'a Source,
    walk: &'a mut Walk<'w>,
    /// Files that are cases by their path.
    files: u64,
    /// What the files beside the formats say of that number: where they are, and what they say.
    counts: Vec<(String, u64)>,
}

impl Visit<'_, '_> {
    fn archive(&mut self, path: &Path) -> Result<(), VectorError> {
        let label = self.source.label().to_owned();
        each_entry(super::archive::open(path)?, &label, &mut |entry| {
            match entry {
                Err(refused) => self.walk.problem(refused),
                Ok(entry) if entry.is_folder => {}
                Ok(entry) => {
                    let path = entry.path.clone();
                    let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
                    if names.any(|name| name == "fixtures") {
                        let location = entry.location.clone();
                        let (folder, file) = location.rsplit_once('/').unwrap_or(("", &location));
                        let held = BTreeMap::from([(file.to_owned(), entry.read()?)]);
                        self.file(&names.collect::<Vec<_>>(), folder, Parts::Held(Arc::new(held)));
                    } else {
                        self.walk.left_out_for(path.clone(), 0, 1, "outside fixtures/");
                    }
                }
            }
            Ok(if self.walk.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }

    fn folder(&mut self, folder: &Path, names: &mut Vec<String>) -> Result<(), VectorError> {
        for path in discover::sorted_entries(folder)? {
            if self.walk.stopped() {
                break;
            }
            names.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
            // links are followed: the levels of a release end every loop
            if path.is_dir() && names.len() < CASE {
                self.folder(&path, names)?;
            } else {
                let parts = Parts::Folder(folder.to_owned(), names.last().cloned().into_iter().collect());
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                self.file(&names, &folder.display().to_string(), parts);
            }
            names.pop();
        }
        Ok(())
    }

    /// Takes one file of these names below `fixtures/`.
    fn file(&mut self, names: &[&str], folder: &str, parts: Parts) {
        match *names {
            [format, kind, suite, file] if file.len() > EXTENSION.len() && file.ends_with(EXTENSION) => {
                let name = &file[..file.len() - EXTENSION.len()];
                let id = CaseId::from_names([SSZ_SPECS, "", format, kind, suite, name]);
                self.case(self.case_of(id, folder, parts), file);
            }
            ["index.json" | "manifest.json"] => {
                let id = CaseId::from_names([SSZ_SPECS, "", "", "", "", names[0]]);
                if let Err(error) = self.count(&self.case_of(id, folder, parts), names[0]) {
                    self.walk.problem(error);
                }
            }
            [readme] if readme.ends_with(".md") => {
                self.walk.left_out_for(readme.to_owned(), 0, 1, "describes the vectors");
            }
            _ => {
                let location = format!("{folder}/{}", names.last().copied().unwrap_or_default());
                let found = "a file that is no case";
                self.walk.problem(VectorError::in_case(location, found, FIXTURE_PATH));
            }
        }
    }

    fn case_of(&self, id: CaseId, folder: &str, parts: Parts) -> Case {
        Case { id, release: self.source.release, location: folder.to_owned(), parts }
    }

    fn case(&mut self, mut case: Case, part: &str) {
        self.files += 1;
        match generation_of(&case, part) {
            Ok(generation) => {
                case.id.fork = generation;
                if self.walk.filter.wants(&case.id) {
                    self.walk.case(case);
                } else {
                    self.walk.filtered(1);
                }
            }
            Err(error) => self.walk.problem(error),
        }
    }

    /// Remembers how many cases `manifest.json` or `index.json` says that there are.
    fn count(&mut self, case: &Case, part: &str) -> Result<(), VectorError> {
        let location = case.part_location(part);
        let error = |found: String, expected: String| VectorError::in_case(&location, found, expected);
        let value: Value = serde_json::from_slice(&case.read(part)?)
            .map_err(|why| error(format!("not JSON ({why})"), "a JSON object".into()))?;
        let count = match part {
            "manifest.json" => {
                let version = value.get("formatVersion").cloned().unwrap_or_default();
                if version.as_u64() != Some(FORMAT_VERSION) {
                    return Err(error(
                        format!("formatVersion is {version}"),
                        format!("{FORMAT_VERSION}, the one that is known here"),
                    ));
                }
                value.get("caseCount").and_then(Value::as_u64)
            }
            _ => value.get("cases").and_then(Value::as_array).map(|cases| cases.len() as u64),
        };
        let count = count.ok_or_else(|| error("no number of cases".into(), "caseCount or cases".into()))?;
        self.counts.push((location.clone(), count));
        Ok(())
    }

    /// That no case is missing of those that the release itself counts.
    fn check_counts(&mut self) {
        if self.walk.stopped() {
            return;
        }
        for (location, count) in std::mem::take(&mut self.counts) {
            if count != self.files {
                let found = format!("it counts {count} cases, but there are {} files", self.files);
                self.walk.problem(VectorError::in_case(location, found, "as many files as cases"));
            }
        }
    }
}
