//! Where cases come from.

mod archive;
mod directory;
mod discover;
mod embedded;
mod json;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::layout::{self, Kind};
use crate::walk::Walk;
use crate::{Case, CaseId, Filter, Item, Release, Scope, VectorError, Walked};

/// One place that holds cases: an unpacked release or a part of it, one archive, or the embedded corpus.
#[derive(Clone, Debug)]
pub struct Source {
    label: String,
    path: Option<PathBuf>,
    release: Option<Release>,
    form: Form,
    held_as: HeldAs,
}

/// In which form a source holds its cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Folders below `tests/`, as ethereum/consensus-specs releases them.
    Release,
    /// JSON files below `fixtures/`, as ethereum/ssz-specs releases them.
    Json,
}

/// What the files of a source are in.
#[derive(Clone, Debug)]
enum HeldAs {
    Embedded,
    Archive(PathBuf),
    /// The folder `tests` or `fixtures`, and the names below it that the walk is narrowed to.
    Directory(PathBuf, Vec<String>),
}

impl Source {
    /// The corpus that is embedded in this crate.
    pub fn embedded() -> Self {
        Self {
            label: embedded::LABEL.to_owned(),
            path: None,
            release: Some(embedded::release()),
            form: Form::Release,
            held_as: HeldAs::Embedded,
        }
    }

    /// The sources that `path` stands for, in the order of their paths; at least one result.
    ///
    /// `path` is a `.tar.gz`; or a folder that holds `tests/` or `fixtures/`, or archives, or folders that do, down to
    /// five levels (hidden ones are not entered); or a folder at or below a release's `tests/` or `fixtures/`, which
    /// then is all that is walked.
    ///
    /// Each error is one place that was expected to hold cases and cannot be used: a path that does not exist, a
    /// folder without cases, a file that is not an archive.
    pub fn open(path: impl AsRef<Path>) -> Vec<Result<Self, VectorError>> {
        discover::sources(path.as_ref())
    }

    fn at(path: &Path, form: Form, held_as: HeldAs) -> Self {
        // A relative path may name no release where the folder that it is relative to does.
        let release = Release::in_path(path).or_else(|| Release::in_path(&std::path::absolute(path).ok()?));
        Self { label: path.display().to_string(), path: Some(path.to_owned()), release, form, held_as }
    }

    /// The same source, taken to be of `release` whatever its path says.
    pub fn with_release(self, release: Release) -> Self {
        Self { release: Some(release), ..self }
    }

    /// What to call it in messages: its path, or `embedded corpus`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The archive or folder, unless the source is embedded.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The release that its cases belong to: named by its path, or by [`with_release`](Self::with_release).
    pub fn release(&self) -> Option<Release> {
        self.release
    }

    /// The form of its cases.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Gives everything that the source holds to `give`: each wanted case, each problem, and at the end what was left
    /// out. One case of an archive is in memory at a time.
    ///
    /// A problem of [`Scope::Source`] means that the source could not be read to its end, or holds no case at all.
    pub fn walk(&self, filter: &Filter, give: &mut dyn FnMut(Item)) -> Walked {
        self.walk_until(filter, &mut |item| {
            give(item);
            ControlFlow::Continue(())
        })
    }

    /// As [`walk`](Self::walk), until `give` answers with a break.
    pub fn walk_until(&self, filter: &Filter, give: &mut dyn FnMut(Item) -> ControlFlow<()>) -> Walked {
        let mut walk = Walk::new(filter, give);
        match (self.form, &self.held_as) {
            (Form::Json, held_as) => json::walk(self, held_as, &mut walk),
            (Form::Release, HeldAs::Embedded) => embedded::walk(self, &mut walk),
            (Form::Release, HeldAs::Archive(path)) => archive::walk(self, path, &mut walk),
            (Form::Release, HeldAs::Directory(tests, below)) => {
                directory::walk(self, tests, below, &mut walk)
            }
        }
        if walk.walked().is_empty() && !walk.stopped() {
            let expected = match self.form {
                Form::Release => layout::PATH,
                Form::Json => layout::FIXTURE_PATH,
            };
            walk.problem(VectorError::in_source(&self.label, "no cases", expected));
        }
        walk.finish()
    }

    /// The case of this exact name, found without a walk through the other cases where the form allows.
    ///
    /// # Errors
    ///
    /// If the source cannot be read as far as the case.
    pub fn case(&self, id: &CaseId) -> Result<Option<Case>, VectorError> {
        // What a walk would leave out is no case here either.
        let left_out = || self.form == Form::Release && layout::kind(&id.runner, &id.handler) == Kind::NotSsz;
        if !id.is_plain() || left_out() {
            return Ok(None);
        }
        match (self.form, &self.held_as) {
            (Form::Json, HeldAs::Directory(fixtures, below)) => json::case(self, fixtures, below, id),
            (Form::Json, _) => self.scan_for(id),
            (Form::Release, HeldAs::Embedded) => embedded::case(self, id),
            (Form::Release, HeldAs::Archive(_)) => self.scan_for(id),
            (Form::Release, HeldAs::Directory(tests, below)) => directory::case(self, tests, below, id),
        }
    }

    fn scan_for(&self, id: &CaseId) -> Result<Option<Case>, VectorError> {
        let mut found = Ok(None);
        self.walk_until(&Filter::exactly(id), &mut |item| match item {
            Item::Case(case) if case.id == *id => {
                found = Ok(Some(case));
                ControlFlow::Break(())
            }
            Item::Problem(error) if error.scope() == Scope::Source => {
                found = Err(error);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        found
    }
}
