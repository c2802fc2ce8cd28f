//! One test for each case of the embedded corpus, and of the sources that `CONFORMANCE_VECTORS` names.

use std::process::ExitCode;

fn main() -> ExitCode {
    ssz_conformance::runner::suite::Suite::built_in().main()
}
