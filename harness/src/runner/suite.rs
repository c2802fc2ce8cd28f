//! The whole suite as the test target of any crate: its own hashers, the built-in backends, or both.
//!
//! ```no_run
//! // tests/conformance.rs, with `harness = false` in Cargo.toml
//! # struct Mine;
//! # impl pair_hashers::PairHasher for Mine {
//! #     fn name(&self) -> &str { "sha256/mine" }
//! #     fn family(&self) -> pair_hashers::Family { pair_hashers::Family::Sha256 }
//! #     fn hash_pairs(&self, pairs: &[pair_hashers::Pair], nodes: &mut [pair_hashers::Node]) { }
//! # }
//! use ssz_conformance::runner::suite::Suite;
//!
//! fn main() -> std::process::ExitCode {
//!     Suite::built_in().with(&[&Mine]).main()
//! }
//! ```
//!
//! Every hasher that is given passes the agreement checks, `agreement/sha256/mine/batch-sizes`, and every vector. The
//! embedded corpus's cases are named by their path, `minimal/electra/ssz_static/Attestation/ssz_random/case_3`; those of
//! further sources by release and path, `v1.6.0/minimal/...`. Each backend is a test too, `backend/sha256/avx512`: ignored
//! where it cannot run, failed if it was required.
//!
//! All hashers of a suite are of one family, the built-in ones of the variable `CONFORMANCE_FAMILY`'s. Roots of another than
//! `sha256` are not those of consensus: each is compared with what the family's reference computes, and the cases' names
//! begin with the family, `keccak256/minimal/...`.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use pair_hashers::{Family, PairHasher, testing};

use super::trials;
use crate::backends::{Backends, CONSENSUS, not_consensus};

/// Names further sources: paths, separated as in `PATH`.
pub const VECTORS_VARIABLE: &str = "CONFORMANCE_VECTORS";

/// Names the family of the built-in backends that take part: `sha256`, where it is not set.
pub const FAMILY_VARIABLE: &str = "CONFORMANCE_FAMILY";

/// Names backends that have to run, separated by commas.
pub const REQUIRE_VARIABLE: &str = "CONFORMANCE_REQUIRE";

/// A test target's hashers.
pub struct Suite {
    backends: Backends<'static>,
    given: Vec<&'static dyn PairHasher>,
    refused: Vec<String>,
    required: Vec<String>,
}

impl Suite {
    /// On every built-in backend that can run here, of SHA-256 or of the family that `CONFORMANCE_FAMILY` names.
    pub fn built_in() -> Self {
        match std::env::var(FAMILY_VARIABLE).as_deref().map_or(Ok(CONSENSUS), read_family) {
            Ok(family) => Self::of(family),
            Err(refused) => Self { refused: vec![refused], ..Self::on(Backends::none(CONSENSUS)) },
        }
    }

    /// On every built-in backend of a family that can run here.
    pub fn of(family: Family) -> Self {
        Self::on(Backends::all(family))
    }

    /// On these hashers alone, of the first one's family.
    pub fn only(hashers: &[&'static dyn PairHasher]) -> Self {
        let family = hashers.first().map_or(CONSENSUS, |hasher| hasher.family());
        Self::on(Backends::none(family)).with(hashers)
    }

    fn on(backends: Backends<'static>) -> Self {
        let required = std::env::var(REQUIRE_VARIABLE).unwrap_or_default();
        let required = required.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Self { backends, given: Vec::new(), refused: Vec::new(), required }
    }

    /// And on these. With one of another family, or with the name of another, nothing is run, and that fails.
    #[must_use]
    pub fn with(mut self, hashers: &[&'static dyn PairHasher]) -> Self {
        for hasher in hashers {
            match self.backends.add(*hasher) {
                Ok(()) => self.given.push(*hasher),
                Err(error) => self.refused.push(error.to_string()),
            }
        }
        self
    }

    /// And on one that cannot run here, for this reason: it is listed, and fails the run if it is required.
    #[must_use]
    pub fn without(mut self, name: &str, reason: &str) -> Self {
        self.backends.add_unavailable(name, reason);
        self
    }

    /// Fails a run in which this one does not take part, as the variable `CONFORMANCE_REQUIRE` does.
    #[must_use]
    pub fn require(mut self, name: &str) -> Self {
        self.required.push(name.into());
        self
    }

    /// Runs the tests that the command line asks for, unless the hashers do not go together.
    pub fn main(self) -> ExitCode {
        // not as trials of their own, which a filter would leave out of a run that then is green
        if !self.refused.is_empty() {
            self.refused.iter().for_each(|why| eprintln!("error: {why}"));
            return ExitCode::FAILURE;
        }
        let arguments = Arguments::from_args();
        let mut list = backend_trials(&self.backends, &self.required);
        list.extend(self.given.iter().flat_map(|hasher| agreement_trials(*hasher)));
        if let Some(remark) = not_consensus(self.backends.family()) {
            eprintln!("{remark}");
        }
        let backends: &'static Backends<'static> = Box::leak(Box::new(self.backends));
        let sources = trials::sources(std::env::var_os(VECTORS_VARIABLE).as_deref());
        list.extend(trials::case_trials(&sources, &arguments, backends));
        libtest_mimic::run(&arguments, list).exit_code()
    }
}

fn read_family(name: &str) -> Result<Family, String> {
    name.parse().map_err(|error| format!("{FAMILY_VARIABLE} is {name}: {error}"))
}

/// A trial for each agreement check. The built-in backends have theirs in the crate `pair-hashers`.
fn agreement_trials(hasher: &'static dyn PairHasher) -> impl Iterator<Item = Trial> {
    testing::checks().iter().map(move |check| {
        let name = format!("agreement/{}/{}", hasher.name(), check.name());
        Trial::test(name, move || check.run(hasher).map_err(Failed::from))
    })
}

fn backend_trials(backends: &Backends<'_>, required: &[String]) -> Vec<Trial> {
    let mut trials: Vec<_> = backends
        .available()
        .iter()
        .map(|hasher| Trial::test(format!("backend/{}", hasher.name()), || Ok(())))
        .collect();
    for (name, reason) in backends.unavailable() {
        let (required, reason) = (required.contains(name), reason.clone());
        trials.push(Trial::ignorable_test(format!("backend/{name}"), move || match required {
            true => Err(Failed::from(reason)),
            false => Ok(Completion::ignored_with(reason)),
        }));
    }
    let known = |name: &String| trials.iter().any(|trial| trial.name() == format!("backend/{name}"));
    let unknown: Vec<_> = required.iter().filter(|name| !known(name)).cloned().collect();
    for name in unknown {
        trials.push(Trial::test(format!("backend/{name}"), || {
            Err(Failed::from("there is no backend of this name"))
        }));
    }
    trials
}
