//! Finds the sources that a path stands for.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use super::{Form, HeldAs, Source};
use crate::error::{cannot_read, cannot_walk};
use crate::{VectorError, archive, layout};

/// How many levels of folders are searched.
const MAX_DEPTH: usize = 5;

/// How many entries of an archive may come before the first one that tells its form.
const MAX_ENTRIES_BEFORE_FORM: usize = 64;

const EXPECTED: &str = "a .tar.gz, or a folder that holds one, or a release's tests/ folder with cases";

pub(super) fn sources(path: &Path) -> Vec<Result<Source, VectorError>> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => {
            return vec![Err(VectorError::in_source(path.display(), cannot_read(&error), EXPECTED))];
        }
    };
    if !metadata.is_dir() {
        return vec![archive_source(path)];
    }
    let mut found = Vec::new();
    search(path, 0, &mut found);
    if found.is_empty() {
        found.push(
            within_release(path).ok_or_else(|| {
                VectorError::in_source(path.display(), "the folder holds no vectors", EXPECTED)
            }),
        );
    }
    found
}

/// Adds the sources in `folder` and below, in the order of their names.
fn search(folder: &Path, depth: usize, found: &mut Vec<Result<Source, VectorError>>) {
    let entries = match sorted_entries(folder) {
        Ok(entries) => entries,
        Err(error) => return found.push(Err(error)),
    };
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // A link may lead back up: the path given is followed, those found below it are not.
        let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        match &*name {
            "tests" if path.is_dir() && holds_preset(&path) => {
                found.push(folder_source(&path, Form::Release))
            }
            "fixtures" if path.is_dir() => found.push(folder_source(&path, Form::Json)),
            _ if is_archive_name(&name) && path.is_file() => found.push(archive_source(&path)),
            _ if is_folder && depth < MAX_DEPTH && !name.starts_with('.') => search(&path, depth + 1, found),
            _ => {}
        }
    }
}

fn is_archive_name(name: &str) -> bool {
    name.ends_with(".tar.gz") || name.ends_with(".tgz")
}

/// Whether a folder called `tests` holds a release's cases, rather than someone's unit tests.
fn holds_preset(tests: &Path) -> bool {
    layout::PRESETS.iter().any(|preset| tests.join(preset).is_dir())
}

fn folder_source(folder: &Path, form: Form) -> Result<Source, VectorError> {
    let parent = folder.parent().unwrap_or(folder);
    Ok(Source::at(parent, form, HeldAs::Directory(folder.to_owned(), Vec::new())))
}

/// The source of a folder that is a release's `tests/` or `fixtures/`, or below it.
fn within_release(folder: &Path) -> Option<Source> {
    let absolute = std::path::absolute(folder).ok()?;
    let names: Vec<&str> = absolute.components().map(name_of).collect();
    let at = names.iter().rposition(|name| matches!(*name, "tests" | "fixtures"))?;
    let below: Vec<String> = names[at + 1..].iter().map(|name| (*name).to_owned()).collect();
    let tests: PathBuf = absolute.components().take(at + 1).collect();
    if names[at] == "fixtures" {
        // a format, a kind and a suite
        let may_be_suite = below.len() <= 3;
        return may_be_suite.then(|| Source::at(folder, Form::Json, HeldAs::Directory(tests, below)));
    }
    let is_release = match below.first() {
        Some(preset) => layout::PRESETS.contains(&preset.as_str()),
        None => holds_preset(&tests),
    };
    let may_be_case = is_release && below.len() <= 6;
    may_be_case.then(|| Source::at(folder, Form::Release, HeldAs::Directory(tests, below)))
}

fn name_of(component: Component<'_>) -> &str {
    component.as_os_str().to_str().unwrap_or_default()
}

fn archive_source(path: &Path) -> Result<Source, VectorError> {
    let form = archive_form(path)?;
    Ok(Source::at(path, form, HeldAs::Archive(path.to_owned())))
}

/// What the first files of an archive say about its form.
fn archive_form(path: &Path) -> Result<Form, VectorError> {
    let label = path.display().to_string();
    let mut form = None;
    let mut seen = 0;
    archive::each_entry(super::archive::open(path)?, &label, &mut |entry| {
        seen += 1;
        form = entry.ok().and_then(|entry| form_of(&entry.path));
        let enough = form.is_some() || seen == MAX_ENTRIES_BEFORE_FORM;
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    form.ok_or_else(|| VectorError::in_source(label, "an archive without tests/", layout::PATH))
}

fn form_of(path: &str) -> Option<Form> {
    let mut names = path.split('/');
    names.find_map(|name| match name {
        "tests" => Some(Form::Release),
        "fixtures" => Some(Form::Json),
        _ => None,
    })
}

/// The paths in a folder, sorted by name.
pub(super) fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, VectorError> {
    let entries = WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name();
    let paths = entries.into_iter().map(|entry| entry.map(walkdir::DirEntry::into_path));
    paths
        .collect::<Result<_, _>>()
        .map_err(|error| VectorError::in_source(folder.display(), cannot_walk(&error), "a folder"))
}
