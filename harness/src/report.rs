//! What came of a run: every case, file and backend that was met is in here.

mod text;

use std::collections::BTreeMap;

use pair_hashers::{Family, testing};
use serde::{Serialize, Serializer};
use spec_vectors::{Form, LeftOut, Scope, Source, VectorError};

use crate::backends::{Backends, CONSENSUS, RequiredBackend};
use crate::check::{Failure, Times, Verdict, Work};
use crate::runner::sweep::CaseName;
use crate::schema;

pub(crate) use text::table;

/// The facts of a run. As JSON it is one document with these fields.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Cases in which everything held.
    pub passed: u64,
    /// Cases in which something did not, places that could not be read, and required backends that did not run.
    pub failed: u64,
    /// Cases that disagree as the ledger says.
    pub known: Vec<KnownReport>,
    /// The function that the backends compute.
    #[serde(serialize_with = "name_of")]
    pub family: Family,
    /// Whether that is the function of consensus.
    pub consensus: bool,
    /// What every backend was compared with: `vectors`, or the family's reference.
    pub compared_with: &'static str,
    /// What the vectors gave and no backend was compared with.
    pub not_compared: Vec<NotComparedReport>,
    /// Cases that the filter did not want.
    pub filtered: u64,
    /// Where the cases came from.
    pub sources: Vec<SourceReport>,
    /// Cases by fork and preset.
    pub forks: Vec<ForkReport>,
    /// Every backend: what it did, or why it could not.
    pub backends: Vec<BackendReport>,
    /// Where the time went besides hashing, which the backends have.
    pub seconds: Times,
    /// What was met and not checked.
    pub left_out: Vec<LeftOutReport>,
    /// What there is to say of cases that passed.
    pub notes: Vec<NoteReport>,
    /// Every case that failed, by path.
    pub failures: Vec<CaseReport>,
    /// Every place that could not be read.
    pub problems: Vec<ProblemReport>,
    /// Required backends that did not run.
    pub requirements: Vec<String>,
}

/// A source and the definitions that it was checked with.
#[derive(Clone, Debug, Serialize)]
pub struct SourceReport {
    /// Its path.
    pub label: String,
    /// Its release, where that is known.
    pub release: Option<String>,
    /// The release whose definitions were used.
    pub definitions: String,
    /// What there is to say of that choice.
    pub note: Option<String>,
}

/// The cases of one fork in one preset; of ssz-specs, those of one generation in one format.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ForkReport {
    /// As the release calls it; or the generation.
    pub fork: String,
    /// `general`, `minimal` or `mainnet`; or the format.
    pub preset: String,
    /// Cases in which everything held.
    pub passed: u64,
    /// Cases in which something did not.
    pub failed: u64,
    /// Cases that disagree as the ledger says.
    pub known: u64,
    /// Cases that were not checked.
    pub left_out: u64,
}

/// A backend.
#[derive(Clone, Debug, Serialize)]
pub struct BackendReport {
    /// Family and implementation.
    pub name: String,
    /// Whether it ran.
    pub available: bool,
    /// Why it did not run.
    pub reason: Option<String>,
    /// What it did.
    #[serde(flatten)]
    pub work: Work,
}

/// Cases or files that were met and not checked.
#[derive(Clone, Debug, Serialize)]
pub struct LeftOutReport {
    /// A runner, a file or folder, or a type.
    pub what: String,
    /// How many cases.
    pub cases: u64,
    /// Why.
    pub reason: String,
}

/// Nodes of the vectors that are of another function than the backends compute.
#[derive(Clone, Debug, Serialize)]
pub struct NotComparedReport {
    /// What a vector gave: a `root`, the `branch` of a proof, a `multiproof`.
    pub what: String,
    /// How often.
    pub count: u64,
    /// Why, and what every backend was compared with instead.
    pub reason: String,
}

fn name_of<S: Serializer>(family: &Family, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(family.name())
}

/// A case that failed.
#[derive(Clone, Debug, Serialize)]
pub struct CaseReport {
    /// Path below `tests/`.
    pub case: String,
    /// Where it is.
    pub location: String,
    /// Everything that did not hold.
    pub failures: Vec<Failure>,
}

/// A case that disagrees as the ledger says.
#[derive(Clone, Debug, Serialize)]
pub struct KnownReport {
    /// Path below `tests/`.
    pub case: String,
    /// The ledger's reason.
    pub reason: String,
}

/// Something to say of a case that passed.
#[derive(Clone, Debug, Serialize)]
pub struct NoteReport {
    /// Path below `tests/`.
    pub case: String,
    /// For information.
    pub note: String,
}

/// A place that could not be read.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemReport {
    /// What is wrong where, and what was expected.
    pub message: String,
    /// Whether a whole source could not be read, or not to its end.
    pub source: bool,
}

impl Report {
    pub(crate) fn new(backends: &Backends<'_>) -> Self {
        let available = backends.available().iter().map(|hasher| BackendReport {
            name: hasher.name().to_owned(),
            available: true,
            reason: None,
            work: Work::default(),
        });
        let unavailable = backends.unavailable().iter().map(|(name, reason)| BackendReport {
            name: name.clone(),
            available: false,
            reason: Some(reason.clone()),
            work: Work::default(),
        });
        Self {
            passed: 0,
            failed: 0,
            known: Vec::new(),
            family: backends.family(),
            consensus: backends.family() == CONSENSUS,
            compared_with: match backends.family() {
                CONSENSUS => "vectors",
                family => testing::reference(family).name(),
            },
            not_compared: Vec::new(),
            filtered: 0,
            sources: Vec::new(),
            forks: Vec::new(),
            backends: available.chain(unavailable).collect(),
            seconds: Times::default(),
            left_out: Vec::new(),
            notes: Vec::new(),
            failures: Vec::new(),
            problems: Vec::new(),
            requirements: Vec::new(),
        }
    }

    pub(crate) fn add_source(&mut self, source: &Source) {
        let selection = match source.form() {
            Form::Json => schema::select_ssz_specs(),
            _ => schema::select(source.release().as_ref()),
        };
        self.sources.push(SourceReport {
            label: source.label().to_owned(),
            release: source.release().map(|release| release.to_string()),
            definitions: selection.set().to_owned(),
            note: selection.note(),
        });
    }

    pub(crate) fn add_left_out(&mut self, left_out: &LeftOut) {
        self.leave_out(&left_out.what, left_out.cases, left_out.reason);
    }

    fn leave_out(&mut self, what: &str, cases: u64, reason: &str) {
        match self.left_out.iter_mut().find(|entry| entry.what == what && entry.reason == reason) {
            Some(entry) => entry.cases += cases,
            None => self.left_out.push(LeftOutReport { what: what.into(), cases, reason: reason.into() }),
        }
    }

    pub(crate) fn add_problem(&mut self, error: &VectorError) {
        self.failed += 1;
        let source = error.scope() == Scope::Source;
        self.problems.push(ProblemReport { message: error.to_string(), source });
    }

    pub(crate) fn add_verdict(&mut self, case: &CaseName, verdict: Verdict) {
        let [fork, preset] = &case.group;
        let row = self.row(fork, preset);
        match verdict {
            Verdict::Passed(notes) => {
                row.passed += 1;
                self.passed += 1;
                let note = |note| NoteReport { case: case.path.clone(), note };
                self.notes.extend(notes.into_iter().map(note));
            }
            Verdict::Failed(failures) => {
                row.failed += 1;
                self.failed += 1;
                let (path, location) = (case.path.clone(), case.location.clone());
                self.failures.push(CaseReport { case: path, location, failures });
            }
            Verdict::Known(reason) => {
                row.known += 1;
                self.known.push(KnownReport { case: case.path.clone(), reason });
            }
            Verdict::LeftOut(reason) => {
                row.left_out += 1;
                let what = format!("{preset}/{fork}");
                self.leave_out(&what, 1, &reason);
            }
        }
    }

    fn row(&mut self, fork: &str, preset: &str) -> &mut ForkReport {
        let at = self.forks.iter().position(|row| row.fork == fork && row.preset == preset);
        let at = at.unwrap_or_else(|| {
            let (fork, preset) = (fork.to_owned(), preset.to_owned());
            self.forks.push(ForkReport { fork, preset, ..ForkReport::default() });
            self.forks.len() - 1
        });
        &mut self.forks[at]
    }

    pub(crate) fn add_times(&mut self, times: Times) {
        self.seconds += times;
    }

    pub(crate) fn add_work(&mut self, work: &[Work]) {
        self.backends.iter_mut().zip(work).for_each(|(backend, work)| backend.work += *work);
    }

    pub(crate) fn add_not_compared(&mut self, what: &str, count: u64) {
        match self.not_compared.iter_mut().find(|entry| entry.what == what) {
            Some(entry) => entry.count += count,
            None => self.not_compared.push(NotComparedReport {
                what: what.into(),
                count,
                reason: format!("of {CONSENSUS}: {} made what was expected instead", self.compared_with),
            }),
        }
    }

    /// Puts everything in an order that does not depend on the threads.
    pub(crate) fn finish(&mut self) {
        self.failures.sort_by(|a, b| (&a.case, &a.location).cmp(&(&b.case, &b.location)));
        self.notes.sort_by(|a, b| a.case.cmp(&b.case));
        self.not_compared.sort_by(|a, b| a.what.cmp(&b.what));
        self.known.sort_by(|a, b| a.case.cmp(&b.case));
        self.left_out.sort_by(|a, b| (&a.what, &a.reason).cmp(&(&b.what, &b.reason)));
        let order: BTreeMap<_, _> = schema::fork_order().into_iter().zip(0..).collect();
        let rank = |fork: &str| order.get(fork).copied().unwrap_or(usize::MAX);
        self.forks
            .sort_by(|a, b| (rank(&a.fork), &a.fork, &a.preset).cmp(&(rank(&b.fork), &b.fork, &b.preset)));
    }

    /// Fails the run for a required backend that did not run.
    pub fn add_requirement(&mut self, missing: &RequiredBackend) {
        self.failed += 1;
        self.requirements.push(missing.to_string());
    }

    /// Cases that were met and wanted, whatever came of them.
    pub fn cases(&self) -> u64 {
        self.forks.iter().map(|row| row.passed + row.failed + row.known + row.left_out).sum()
    }

    /// 0 if all held, 1 if something did not, 2 if a source could not be read or nothing was there to check.
    pub fn exit_status(&self) -> u8 {
        let unreadable = self.problems.iter().any(|problem| problem.source);
        match (unreadable || self.cases() == 0, self.failed) {
            (true, _) => 2,
            (false, 0) => 0,
            (false, _) => 1,
        }
    }
}
