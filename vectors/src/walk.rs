//! What a walk through a source gives, and how it keeps account.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use crate::layout::{self, Kind};
use crate::{Case, Filter, VectorError};

/// One thing that a walk came across.
#[derive(Debug)]
pub enum Item {
    /// A case to check. Its runner is SSZ, or one that this version does not know (see [`layout::kind`]).
    Case(Case),
    /// Cases or files that are known and not checked; given at the walk's end.
    LeftOut(LeftOut),
    /// Something that belongs to no case, or could not be read. The walk goes on where it can.
    Problem(VectorError),
}

/// What a walk left out, by runner, or by place where there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The runner, with its handler where only some of its handlers are left out; or a file or folder.
    pub what: String,
    /// How many cases.
    pub cases: u64,
    /// How many files, those of the cases included.
    pub files: u64,
    /// Why.
    pub reason: &'static str,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, cases, files, reason } = self;
        write!(f, "{what}: {cases} cases in {files} files left out ({reason})")
    }
}

/// How much a walk came across.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Cases given.
    pub cases: u64,
    /// Cases that are known and not checked.
    pub left_out: u64,
    /// Cases that the filter did not want.
    pub filtered: u64,
    /// Problems given.
    pub problems: u64,
}

impl Walked {
    /// Whether there was nothing at all.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A walk under way: what every kind of source does alike.
pub(crate) struct Walk<'a> {
    pub(crate) filter: &'a Filter,
    give: &'a mut dyn FnMut(Item) -> ControlFlow<()>,
    walked: Walked,
    left_out: BTreeMap<String, LeftOut>,
    stopped: bool,
}

/// What is to become of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Given,
    LeftOut,
    Filtered,
}

pub(crate) const NOT_SSZ: &str = "its runner is not SSZ";
pub(crate) const CONFIGURATION: &str = "a preset's configuration";
pub(crate) const OUTSIDE: &str = "outside tests/";

impl<'a> Walk<'a> {
    pub(crate) fn new(filter: &'a Filter, give: &'a mut dyn FnMut(Item) -> ControlFlow<()>) -> Self {
        Self { filter, give, walked: Walked::default(), left_out: BTreeMap::new(), stopped: false }
    }

    /// Whether whoever receives the items has enough.
    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    /// What is to become of the case, or of what is below a folder, of these names.
    pub(crate) fn fate(&self, names: &[impl AsRef<str>]) -> Fate {
        if !self.filter.wants_path(names) {
            return Fate::Filtered;
        }
        match names {
            _ if layout::is_configuration(names) => Fate::LeftOut,
            [_, _, runner, handler, ..]
                if layout::kind(runner.as_ref(), handler.as_ref()) == Kind::NotSsz =>
            {
                Fate::LeftOut
            }
            _ => Fate::Given,
        }
    }

    pub(crate) fn case(&mut self, case: Case) {
        self.walked.cases += 1;
        self.give(Item::Case(case));
    }

    pub(crate) fn problem(&mut self, error: VectorError) {
        self.walked.problems += 1;
        self.give(Item::Problem(error));
    }

    pub(crate) fn filtered(&mut self, cases: u64) {
        self.walked.filtered += cases;
    }

    /// Takes account of what is left out below a folder of these names.
    pub(crate) fn left_out(&mut self, names: &[impl AsRef<str>], cases: u64, files: u64) {
        let (what, reason) = match names {
            [_, _, runner, handler, ..] if !layout::is_configuration(names) => {
                (layout::left_out_name(runner.as_ref(), handler.as_ref()), NOT_SSZ)
            }
            _ => ("config".to_owned(), CONFIGURATION),
        };
        self.left_out_for(what, cases, files, reason);
    }

    pub(crate) fn left_out_for(&mut self, what: String, cases: u64, files: u64, reason: &'static str) {
        self.walked.left_out += cases;
        let new = LeftOut { what: what.clone(), cases: 0, files: 0, reason };
        let sum = self.left_out.entry(what).or_insert(new);
        sum.cases += cases;
        sum.files += files;
    }

    /// Gives what was left out, and the counts.
    pub(crate) fn finish(mut self) -> Walked {
        for left_out in std::mem::take(&mut self.left_out).into_values() {
            self.give(Item::LeftOut(left_out));
        }
        self.walked
    }

    pub(crate) fn walked(&self) -> Walked {
        self.walked
    }

    fn give(&mut self, item: Item) {
        if !self.stopped {
            self.stopped = (self.give)(item).is_break();
        }
    }
}
