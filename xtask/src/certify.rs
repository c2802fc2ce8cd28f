//! `cargo xtask certify`

use std::process::ExitCode;

use clap::Args;
use spec_vectors::Filter;

use crate::hashers::HasherArguments;
use crate::output::{Bar, Format, wrong_use};
use crate::sources::SourceArguments;

#[derive(Args)]
pub(crate) struct Certify {
    #[command(flatten)]
    hasher: HasherArguments,
    #[command(flatten)]
    sources: SourceArguments,
    /// How to write the page
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Certify {
    pub(crate) fn run(self) -> ExitCode {
        let subject = match self.hasher.subject() {
            Ok(subject) => subject,
            Err(error) => return wrong_use(&*error),
        };
        let (sources, bar) = (self.sources.open(), Bar::new());
        let certificate = subject.with_candidate(|candidate| {
            ssz_conformance::certify::certify(candidate, &sources, &Filter::default(), &bar)
        });
        bar.finish();
        self.format.write(&certificate, certificate.exit_status())
    }
}
