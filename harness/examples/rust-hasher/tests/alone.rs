//! The same without any other hasher.

use std::process::ExitCode;

use ssz_conformance::runner::suite::Suite;

fn main() -> ExitCode {
    Suite::only(&[&rust_hasher::Mine]).main()
}
