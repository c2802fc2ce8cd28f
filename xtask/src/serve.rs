//! `cargo xtask serve`: the child's side of `--isolate`.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use clap::Args;
use pair_hashers::foreign::{LibraryHasher, serve};
use pair_hashers::{Backend, Family, PairHasher, find};
use ssz_conformance::backends::CONSENSUS;

use crate::output::wrong_use;

#[derive(Args)]
pub(crate) struct Serve {
    /// A built-in backend
    #[arg(long, value_name = "NAME", required_unless_present = "hasher_library", conflicts_with_all = ["hasher_library", "family"])]
    backend: Option<String>,
    /// A function of a shared library
    #[arg(long, value_name = "PATH[:SYMBOL]")]
    hasher_library: Option<String>,
    /// What the library computes
    #[arg(long, value_name = "FAMILY", default_value_t = CONSENSUS)]
    family: Family,
}

impl Serve {
    pub(crate) fn run(self) -> ExitCode {
        match (self.backend, self.hasher_library) {
            (Some(name), _) => match find(&name).map(Backend::hasher) {
                Some(Ok(hasher)) => answer(hasher),
                Some(Err(why)) => wrong_use(&why),
                None => wrong_use(&format!("unknown backend {name}")),
            },
            (None, Some(library)) => {
                let (path, symbol) = LibraryHasher::split(&library);
                match LibraryHasher::open(path, symbol, self.family) {
                    Ok(hasher) => answer(&hasher),
                    Err(error) => wrong_use(&error),
                }
            }
            (None, None) => unreachable!("one of them is required"),
        }
    }
}

fn answer(hasher: &dyn PairHasher) -> ExitCode {
    match serve(hasher, stdin().lock(), stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => wrong_use(&error),
    }
}
