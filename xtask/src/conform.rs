//! `cargo xtask conform`

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use spec_vectors::{Filter, Release, Source, VectorError};
use ssz_conformance::backends::Backends;
use ssz_conformance::ledger::Ledger;
use ssz_conformance::report::Report;
use ssz_conformance::runner::fetched;
use ssz_conformance::runner::sweep::{Progress, Sweep};

use crate::WRONG_USE;

#[derive(Args)]
pub(crate) struct Conform {
    /// A release's folder or .tar.gz, or a folder of such [default: a fetched release, or the embedded corpus]
    #[arg(long, value_name = "PATH")]
    vectors: Vec<PathBuf>,
    /// Check the embedded corpus, whether or not a release was fetched
    #[arg(long, conflicts_with = "vectors")]
    embedded: bool,
    /// Take the vectors to be of this release, whatever their path says
    #[arg(long, value_name = "TAG")]
    release: Option<Release>,
    /// Run only this backend, as in sha256/portable
    #[arg(long, value_name = "NAME")]
    backend: Vec<String>,
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

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

impl Conform {
    pub(crate) fn run(self) -> ExitCode {
        let backends = match self.backends() {
            Ok(backends) => backends,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::from(WRONG_USE);
            }
        };
        let sources = self.sources();
        let filter = Filter {
            presets: self.preset.clone(),
            forks: self.fork.clone(),
            runners: self.runner.clone(),
            handlers: self.handler.clone(),
            texts: self.case.clone(),
        };
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
        match self.write(&report) {
            Ok(()) => ExitCode::from(report.exit_status()),
            // whoever reads the report has seen enough
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(report.exit_status()),
            Err(error) => {
                eprintln!("error: the report cannot be written: {error}");
                ExitCode::from(WRONG_USE)
            }
        }
    }

    fn backends(&self) -> Result<Backends<'static>, ssz_conformance::backends::UnknownBackend> {
        // a name that is required has to exist, whether or not it can run here
        Backends::named(&self.require)?;
        if self.backend.is_empty() { Ok(Backends::all()) } else { Backends::named(&self.backend) }
    }

    fn sources(&self) -> Vec<Result<Source, VectorError>> {
        let sources = match self.vectors.as_slice() {
            [] if self.embedded => vec![Ok(Source::embedded())],
            [] => match fetched() {
                none if none.is_empty() => vec![Ok(Source::embedded())],
                fetched => fetched,
            },
            paths => paths.iter().flat_map(Source::open).collect(),
        };
        match self.release {
            Some(release) => sources.into_iter().map(|source| Ok(source?.with_release(release))).collect(),
            None => sources,
        }
    }

    fn write(&self, report: &Report) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self.format {
            Format::Text => writeln!(out, "{report}")?,
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, report)?;
                writeln!(out)?;
            }
        }
        out.flush()
    }
}

/// A progress bar on a terminal, nothing elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        let template = "{spinner} {human_pos} cases in {elapsed}, {per_sec}: {msg}";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner()),
        );
        if io::stderr().is_terminal() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self(bar)
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn source(&self, label: &str) {
        self.0.set_message(label.to_owned());
    }

    fn case(&self) {
        self.0.inc(1);
    }
}
