//! `cargo xtask conform`

use std::process::ExitCode;

use clap::Args;
use spec_vectors::Filter;
use ssz_conformance::ledger::Ledger;
use ssz_conformance::runner::sweep::Sweep;

use crate::hashers::HasherArguments;
use crate::output::{Bar, Format, wrong_use};
use crate::sources::SourceArguments;

#[derive(Args)]
pub(crate) struct Conform {
    #[command(flatten)]
    sources: SourceArguments,
    #[command(flatten)]
    hashers: HasherArguments,
    /// Fail if this backend cannot run
    #[arg(long, value_name = "NAME")]
    require: Vec<String>,
    /// Only this preset
    #[arg(long)]
    preset: Vec<String>,
    /// Only this fork
    #[arg(long)]
    fork: Vec<String>,
    /// Only this runner
    #[arg(long)]
    runner: Vec<String>,
    /// Only this handler; of ssz_static, the type's name
    #[arg(long)]
    handler: Vec<String>,
    /// Only cases whose path contains this
    #[arg(long, value_name = "TEXT")]
    case: Vec<String>,
    /// How to write the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Conform {
    pub(crate) fn run(self) -> ExitCode {
        // whatever is given has to outlive the backends, and to be ended by then
        let given = match self.hashers.given() {
            Ok(given) => given,
            Err(error) => return wrong_use(&error),
        };
        let backends = self.hashers.backends(&given).and_then(|backends| {
            // a name that is required has to exist, whether or not it can run here
            backends.check_names(&self.require)?;
            Ok(backends)
        });
        let backends = match backends {
            Ok(backends) => backends,
            Err(error) => return wrong_use(&*error),
        };
        let sources = self.sources.open();
        let filter = self.filter();
        let sweep =
            Sweep { sources: &sources, filter: &filter, backends: &backends, ledger: Ledger::embedded() };
        let bar = Bar::new();
        let mut report = sweep.run(&bar);
        bar.finish();
        for name in &self.require {
            if let Err(missing) = backends.require(std::slice::from_ref(name)) {
                report.add_requirement(&missing);
            }
        }
        self.format.write(&report, report.exit_status())
    }

    fn filter(&self) -> Filter {
        Filter {
            presets: self.preset.clone(),
            forks: self.fork.clone(),
            runners: self.runner.clone(),
            handlers: self.handler.clone(),
            texts: self.case.clone(),
        }
    }
}
