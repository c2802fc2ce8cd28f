//! Each case as a named test, for `cargo test` and `cargo nextest`.
//!
//! The embedded corpus's cases are named by their path, `minimal/electra/ssz_static/Attestation/ssz_random/case_3`; those
//! of further sources by release and path, `v1.6.0/minimal/...`. The names of another family than that of consensus begin
//! with it, as what passes is then another thing: `keccak256/minimal/...`.

use std::collections::HashSet;
use std::ffi::OsStr;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use pair_hashers::Family;
use spec_vectors::{Case, CaseId, Filter, Item, Source, VectorError};

use crate::backends::{Backends, CONSENSUS};
use crate::check::{Bench, Verdict, check};
use crate::ledger::Ledger;

/// The embedded corpus, a fetched release, and what the variable names.
pub(super) fn sources(variable: Option<&OsStr>) -> Vec<Result<Source, VectorError>> {
    let mut sources = vec![Ok(Source::embedded())];
    sources.extend(super::fetched());
    for path in
        variable.into_iter().flat_map(std::env::split_paths).filter(|path| !path.as_os_str().is_empty())
    {
        sources.extend(Source::open(path));
    }
    sources
}

/// A trial for each case; where one exact name is asked for, only its case, found without a walk.
pub(super) fn case_trials(
    sources: &[Result<Source, VectorError>],
    arguments: &Arguments,
    backends: &'static Backends<'static>,
) -> Vec<Trial> {
    let mut trials = Trials { list: Vec::new(), names: HashSet::new(), backends };
    for source in sources {
        match source {
            Ok(source) if arguments.exact && arguments.filter.is_some() => {
                let name = arguments.filter.as_deref().unwrap_or_default();
                if let Some(id) = trials.case_of(source, name) {
                    trials.add_exact(source, name, &id);
                }
            }
            Ok(source) => trials.add_all(source),
            Err(error) => trials.add_problem(error),
        }
    }
    trials.list
}

/// What the names of a source's cases start with.
fn prefix(source: &Source, family: Family) -> String {
    let family = if family == CONSENSUS { String::new() } else { format!("{family}/") };
    match (source.path(), source.release()) {
        (None, _) => family,
        (Some(_), Some(release)) => format!("{family}{release}/"),
        (Some(path), None) => {
            format!("{family}{}/", path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy())
        }
    }
}

struct Trials {
    list: Vec<Trial>,
    names: HashSet<String>,
    backends: &'static Backends<'static>,
}

impl Trials {
    /// The case that a trial's name stands for in this source, if it can.
    fn case_of(&self, source: &Source, name: &str) -> Option<CaseId> {
        name.strip_prefix(&prefix(source, self.backends.family()))?.parse().ok()
    }

    fn add_exact(&mut self, source: &Source, name: &str, id: &CaseId) {
        match source.case(id) {
            Ok(Some(case)) => self.add_case(name.to_owned(), case),
            Ok(None) => {}
            Err(error) => self.add_problem(&error),
        }
    }

    fn add_all(&mut self, source: &Source) {
        let prefix = prefix(source, self.backends.family());
        source.walk(&Filter::default(), &mut |item| match item {
            Item::Case(case) => self.add_case(format!("{prefix}{}", case.id), case),
            Item::LeftOut(left_out) => eprintln!("{}: {left_out}", source.label()),
            Item::Problem(error) => self.add_problem(&error),
        });
    }

    fn add_case(&mut self, name: String, case: Case) {
        if !self.names.insert(name.clone()) {
            let twice =
                format!("{}: another source has a case of the same name and release", case.location());
            self.list.push(failing(format!("twice/{name}/{}", self.list.len()), twice));
            return;
        }
        let backends = self.backends;
        self.list.push(Trial::ignorable_test(name, move || run(&case, backends)));
    }

    fn add_problem(&mut self, error: &VectorError) {
        self.list.push(failing(format!("input/{}", error.location()), error.to_string()));
    }
}

fn failing(name: String, message: String) -> Trial {
    Trial::test(name, move || Err(Failed::from(message)))
}

fn run(case: &Case, backends: &Backends<'_>) -> Result<Completion, Failed> {
    match check(case, Ledger::embedded(), &mut Bench::new(backends)) {
        Verdict::Passed(notes) => {
            notes.iter().for_each(|note| eprintln!("{}: {note}", case.id));
            Ok(Completion::Completed)
        }
        // neither counts as passed
        Verdict::Known(reason) => Ok(Completion::ignored_with(format!("known disagreement: {reason}"))),
        Verdict::LeftOut(reason) => Ok(Completion::ignored_with(reason)),
        Verdict::Failed(failures) => {
            let failures: Vec<_> = failures.iter().map(ToString::to_string).collect();
            Err(Failed::from(format!("{}\n{}", case.location(), failures.join("\n"))))
        }
    }
}
