//! What the commands show: progress, a report in one of two forms, and errors.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use ssz_conformance::runner::sweep::Progress;

use crate::WRONG_USE;

/// How to write a report.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

impl Format {
    /// Writes the report, and gives the command's exit status.
    pub(crate) fn write(self, report: &(impl Display + serde::Serialize), status: u8) -> ExitCode {
        match self.try_write(report) {
            Ok(()) => ExitCode::from(status),
            // whoever reads the report has seen enough
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(status),
            Err(error) => {
                eprintln!("error: the report cannot be written: {error}");
                ExitCode::from(WRONG_USE)
            }
        }
    }

    fn try_write(self, report: &(impl Display + serde::Serialize)) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self {
            Format::Text => writeln!(out, "{report}")?,
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, report)?;
                writeln!(out)?;
            }
        }
        out.flush()
    }
}

/// Says what was wrong with a command's arguments.
pub(crate) fn wrong_use(error: &(impl Display + ?Sized)) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(WRONG_USE)
}

/// A progress bar on a terminal, nothing elsewhere.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new() -> Self {
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

    pub(crate) fn finish(&self) {
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
