//! Every backend passes every check of `pair_hashers::testing`: one test for each, `sha256/avx2/batch-sizes`.
//!
//! Tests of a backend that is unavailable are ignored, with the reason; where it fails its self-test or
//! `PAIR_HASHERS_REQUIRE` names it (names separated by commas), they fail. A backend is touched by its own tests only, so that a crash has one name.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use pair_hashers::testing::{Check, checks};
use pair_hashers::{Backend, Unavailable, backends, find};

fn main() -> ExitCode {
    let required = std::env::var("PAIR_HASHERS_REQUIRE").unwrap_or_default();
    let required: Vec<_> = required.split(',').filter(|name| !name.is_empty()).collect();
    let unknown = required.iter().filter(|name| find(name).is_none()).map(|name| no_such_backend(name));
    let trials = backends().iter().flat_map(|backend| {
        let required = required.contains(&backend.name());
        checks().iter().map(move |&check| {
            Trial::ignorable_test(format!("{}/{}", backend.name(), check.name()), move || {
                run(backend, check, required)
            })
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.chain(unknown).collect()).exit_code()
}

fn run(backend: &'static Backend, check: Check, required: bool) -> Result<Completion, Failed> {
    match backend.hasher() {
        Ok(hasher) => {
            check.run(hasher)?;
            Ok(Completion::Completed)
        }
        Err(why @ Unavailable::SelfTest) => Err(format!("{} {why}", backend.name()).into()),
        Err(why) if required => Err(format!("{} is required: {why}", backend.name()).into()),
        Err(why) => Ok(Completion::ignored_with(why.to_string())),
    }
}

fn no_such_backend(name: &str) -> Trial {
    Trial::test(format!("{name}/required"), || Err("no backend has this name".into()))
}
