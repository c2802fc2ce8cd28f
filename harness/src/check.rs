//! One case to one verdict, on every backend.
//!
//! Every arrow of the flow is checked: bytes decode to a value (or, of an invalid case, do not), the value equals that
//! of `value.yaml`, that one encodes to the bytes again, and each backend computes the expected root. A part that no
//! check asked for fails the case.

mod merkle_proof;
mod oracle;
mod parts;
mod roots;
mod ssz_generic;
mod ssz_specs;
mod ssz_static;
mod times;
mod value;

use alloy_primitives::hex;
use spec_vectors::{Case, VectorError, layout};

use self::parts::Parts;
pub use self::roots::{Bench, Work};
pub use self::times::Times;
pub(crate) use self::times::timed;
use crate::ledger::Ledger;
use crate::merkle::Fault;
use crate::schema::{self, SchemaError};

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything held. The notes are for information.
    Passed(Vec<String>),
    /// Something did not; each failure is one thing that did not.
    Failed(Vec<Failure>),
    /// Something did not, as the ledger says it would, for this reason.
    Known(String),
    /// Not checked, for this reason.
    LeftOut(String),
}

/// One thing that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Failure {
    /// The backend that is wrong, where one is.
    pub backend: Option<String>,
    /// What was checked, and how it differed.
    pub message: String,
    /// The root that was expected, as `0x..`.
    pub expected: Option<String>,
    /// The root that the backend computed, as `0x..`.
    pub computed: Option<String>,
    /// The first node that the backend computed otherwise than the reference backend, where one was found.
    pub fault: Option<Box<Fault>>,
}

impl Failure {
    fn new(message: impl Into<String>) -> Self {
        Self { backend: None, message: message.into(), expected: None, computed: None, fault: None }
    }
}

impl From<VectorError> for Failure {
    fn from(error: VectorError) -> Self {
        Self::new(error.to_string())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(backend) = &self.backend {
            write!(f, "{backend}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(expected) = &self.expected {
            write!(f, "\n  expected {expected}")?;
        }
        if let Some(computed) = &self.computed {
            write!(f, "\n  computed {computed}")?;
        }
        if let Some(fault) = &self.fault {
            let backend = self.backend.as_deref().unwrap_or("the backend");
            let [computed, expected] = [fault.computed, fault.expected].map(hex::encode_prefixed);
            write!(f, "\n  first at {fault}:\n  {backend} computed {computed},\n  the reference {expected}")?;
        }
        Ok(())
    }
}

/// What a check has found.
#[derive(Debug, Default)]
struct Findings {
    failures: Vec<Failure>,
    /// What is no failure, and worth saying.
    notes: Vec<String>,
}

/// Why a check stops before its end.
enum Stop {
    Failed(Failure),
    LeftOut(String),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(failure: E) -> Self {
        Self::Failed(failure.into())
    }
}

impl Stop {
    /// An unknown definition of a release between two sets is left out and named; every other error fails.
    fn from_schema(error: &SchemaError) -> Self {
        match error {
            SchemaError::Unsettled { .. } => Self::LeftOut(error.to_string()),
            _ => Self::Failed(Failure::new(error.to_string())),
        }
    }
}

/// Checks a case on all backends of `bench`.
pub fn check(case: &Case, ledger: &Ledger, bench: &mut Bench<'_>) -> Verdict {
    let mut parts = Parts::new(case);
    let mut findings = Findings::default();
    let stopped = run(case, &mut parts, bench, &mut findings);
    bench.times += parts.times();
    let Findings { mut failures, notes } = findings;
    match stopped {
        Err(Stop::LeftOut(reason)) => return Verdict::LeftOut(reason),
        Err(Stop::Failed(failure)) => failures.push(failure),
        // a check that stopped early has not asked for every part
        Ok(()) => failures.extend(parts.unread()),
    }
    let known = ledger.find(case.release.as_ref(), &case.id);
    match (failures.is_empty(), known) {
        // the nodes in which it is known to disagree may be those that nothing was compared with
        (true, Some(reason)) if !bench.is_consensus() => Verdict::Known(reason.to_owned()),
        (true, None) => Verdict::Passed(notes),
        (false, None) => Verdict::Failed(failures),
        (false, Some(reason)) => Verdict::Known(reason.to_owned()),
        (true, Some(reason)) => Verdict::Failed(vec![Failure::new(format!(
            "the known disagreement no longer occurs ({reason}): take its line out of harness/ledger.tsv"
        ))]),
    }
}

fn run(
    case: &Case,
    parts: &mut Parts<'_>,
    bench: &mut Bench<'_>,
    findings: &mut Findings,
) -> Result<(), Stop> {
    if case.id.preset == layout::SSZ_SPECS {
        return ssz_specs::check(case, &schema::select_ssz_specs(), parts, bench, findings);
    }
    let selection = schema::select(case.release.as_ref());
    let failures = &mut findings.failures;
    parts.check_manifest()?;
    match (case.id.runner.as_str(), case.id.handler.as_str()) {
        ("ssz_static", _) => ssz_static::check(case, &selection, parts, bench, failures),
        ("ssz_generic", _) => ssz_generic::check(case, &selection, parts, bench, failures),
        (_, "single_merkle_proof") => merkle_proof::check(case, &selection, parts, bench, failures),
        (runner, handler) => Err(Stop::Failed(Failure::new(format!(
            "unknown {} {runner}/{handler}: if it holds SSZ, add a check in harness/src/check.rs; \
             if not, add it to vectors/src/layout.rs",
            if layout::kind(runner, handler) == layout::Kind::Unknown {
                "runner or handler"
            } else {
                "SSZ runner"
            },
        )))),
    }
}
