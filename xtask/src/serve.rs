//! `cargo xtask serve`: the child's side of `--isolate`.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use clap::Args;
use pair_hashers::foreign::{LibraryHasher, serve};
use pair_hashers::{Family, PairHasher};
use ssz_conformance::backends::built_in;

use crate::output::wrong_use;

#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Serve {
    /// A built-in backend
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// A function of a shared library
    #[arg(long, value_name = "PATH[:SYMBOL]")]
    hasher_library: Option<String>,
}

impl Serve {
    pub(crate) fn run(self) -> ExitCode {
        match (self.backend, self.hasher_library) {
            (Some(name), _) => match built_in(&[name]).map(|backends| backends[0].hasher()) {
                Ok(Ok(hasher)) => answer(hasher),
                Ok(Err(why)) => wrong_use(&why),
                Err(error) => wrong_use(&error),
            },
            (None, Some(library)) => {
                let (path, symbol) = LibraryHasher::split(&library);
                match LibraryHasher::open(path, symbol, Family::Sha256) {
                    Ok(hasher) => answer(&hasher),
                    Err(error) => wrong_use(&error),
                }
            }
            (None, None) => unreachable!("the group is required"),
        }
    }
}

fn answer(hasher: &dyn PairHasher) -> ExitCode {
    match serve(hasher, stdin().lock(), stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => wrong_use(&error),
    }
}
