//! Is this hasher right, and how fast is it? The agreement checks, then all vectors, then its speed beside the built-in
//! backends: one [`Certificate`].
//!
//! ```
//! use ssz_conformance::certify::{Candidate, certify};
//! use ssz_conformance::runner::sweep::Silent;
//!
//! # let filter = spec_vectors::Filter { handlers: vec!["Checkpoint".into()], ..Default::default() };
//! # let mine = pair_hashers::auto(pair_hashers::Family::Sha256);
//! # let sources = [Ok(spec_vectors::Source::embedded())];
//! let certificate = certify(&Candidate::new(mine), &sources, &filter, &Silent);
//! assert_eq!(certificate.exit_status(), 0, "{certificate}");
//! ```

pub mod speed;
mod text;

use std::time::Instant;

use pair_hashers::PairHasher;
use pair_hashers::testing::{self, Check, catch};
use serde::Serialize;
use spec_vectors::{Filter, Source, VectorError};

use self::speed::Speed;
use crate::backends::Backends;
use crate::ledger::Ledger;
use crate::report::Report;
use crate::runner::sweep::{Progress, Sweep};

/// A hasher to be certified.
pub struct Candidate<'h> {
    /// What is checked.
    pub hasher: &'h dyn PairHasher,
    /// Where it runs.
    pub place: Place<'h>,
}

/// Where a candidate runs.
pub enum Place<'h> {
    /// In this process: if it crashes, so does the run.
    Here,
    /// In other processes, which see this one's memory only through pipes: what is about memory is not checked.
    Elsewhere,
    /// In processes that can run the checks themselves, given its hasher.
    Isolated {
        /// Runs one check where the hasher is.
        run_check: &'h dyn Fn(&Check) -> Result<(), String>,
        /// The same hasher in this process, for its speed to be measured once it was found right; without it, its speed
        /// is that through pipes.
        here: Option<&'h dyn PairHasher>,
    },
}

impl<'h> Candidate<'h> {
    /// A hasher of this process.
    pub fn new(hasher: &'h dyn PairHasher) -> Self {
        Self { hasher, place: Place::Here }
    }

    fn run(&self, check: &Check) -> Outcome {
        let found = match &self.place {
            Place::Elsewhere if check.is_about_memory() => {
                return Outcome::LeftOut("it runs in another process, which has memory of its own");
            }
            Place::Here | Place::Elsewhere => check.run(self.hasher),
            Place::Isolated { run_check, .. } => catch(|| run_check(check)).unwrap_or_else(Err),
        };
        found.map_or_else(Outcome::Failed, |()| Outcome::Passed)
    }

    /// What is timed, and what there is to say of it.
    fn timed(&self) -> (&'h dyn PairHasher, Option<&'static str>) {
        const PIPES: &str = "it runs in another process, so its times include the way there and back";
        match self.place {
            Place::Here => (self.hasher, None),
            Place::Isolated { here: Some(hasher), .. } => (hasher, None),
            Place::Elsewhere | Place::Isolated { here: None, .. } => (self.hasher, Some(PIPES)),
        }
    }
}

/// What was found of a hasher. As JSON it is one document with these fields.
#[derive(Clone, Debug, Serialize)]
pub struct Certificate {
    /// Its name.
    pub hasher: String,
    /// The function that it says it computes.
    pub family: String,
    /// Whether everything held.
    pub certified: bool,
    /// The agreement checks.
    pub agreement: Vec<CheckReport>,
    /// All vectors, on it and on its family's reference.
    pub vectors: Report,
    /// Its speed beside the built-in backends, if it is right.
    pub speed: Option<Speed>,
    /// Why its speed was not measured.
    pub speed_missing: Option<String>,
}

/// One agreement check.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    /// Its name.
    pub check: &'static str,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// How long it took.
    pub seconds: f64,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", content = "message", rename_all = "snake_case")]
pub enum Outcome {
    /// The hasher agrees.
    Passed,
    /// It does not: where, and what it computed.
    Failed(String),
    /// Not run, for this reason.
    LeftOut(&'static str),
}

/// Certifies a hasher on these vectors, told of each case that `progress` is.
pub fn certify(
    candidate: &Candidate<'_>,
    sources: &[Result<Source, VectorError>],
    filter: &Filter,
    progress: &dyn Progress,
) -> Certificate {
    let hasher = candidate.hasher;
    let agreement: Vec<_> = testing::checks().iter().map(|check| run_check(candidate, check)).collect();
    let backends = beside_reference(hasher);
    let vectors = Sweep { sources, filter, backends: &backends, ledger: Ledger::embedded() }.run(progress);
    let mut certificate = Certificate {
        hasher: hasher.name().into(),
        family: hasher.family().to_string(),
        certified: agreement.iter().all(|check| !check.failed()) && vectors.exit_status() == 0,
        agreement,
        vectors,
        speed: None,
        speed_missing: None,
    };
    certificate.measure(candidate);
    certificate
}

/// Beside another, so that what is wrong with a vector is not held against the hasher.
fn beside_reference(hasher: &dyn PairHasher) -> Backends<'_> {
    let reference = testing::reference(hasher.family());
    let hashers: &[&dyn PairHasher] =
        if reference.name() == hasher.name() { &[hasher] } else { &[reference, hasher] };
    Backends::only(hashers).expect("they are of one family, and have different names")
}

fn run_check(candidate: &Candidate<'_>, check: &Check) -> CheckReport {
    let start = Instant::now();
    let outcome = candidate.run(check);
    CheckReport { check: check.name(), outcome, seconds: start.elapsed().as_secs_f64() }
}

impl CheckReport {
    fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }
}

impl Certificate {
    /// Only of a right hasher: how fast another is does not matter, and it may crash here.
    fn measure(&mut self, candidate: &Candidate<'_>) {
        if !self.certified {
            self.speed_missing = Some("it is not right".into());
            return;
        }
        let (timed, note) = candidate.timed();
        match catch(|| Speed::measure(timed, note)) {
            Ok(speed) => self.speed = Some(speed),
            Err(failure) => {
                self.certified = false;
                self.speed_missing = Some(failure);
            }
        }
    }

    /// 0 if all held, 1 if something did not, 2 if vectors could not be read or there were none.
    pub fn exit_status(&self) -> u8 {
        if self.certified { 0 } else { self.vectors.exit_status().max(1) }
    }
}
