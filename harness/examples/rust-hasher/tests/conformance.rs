//! Every agreement check on this crate's hasher, and every vector on it and on the built-in backends beside it.

use std::process::ExitCode;

use ssz_conformance::runner::suite::Suite;

fn main() -> ExitCode {
    Suite::built_in().with(&[&rust_hasher::Mine]).require("sha256/mine").main()
}
