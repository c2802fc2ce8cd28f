//! `cargo xtask doctor`: what the CPU has, which backends run, what `auto` chooses. Made to be pasted into a bug report.

pub(crate) mod facts;

use std::fmt;
use std::process::{Command, ExitCode};

use clap::Args;
use serde::Serialize;
use spec_vectors::{default_folder, fetched_releases};

use crate::launch::{self, Ending, Launcher};
use crate::output::Format;
use crate::text::Table;
use crate::{WRONG_USE, print};
use facts::{Cpu, Facts, State};

#[derive(Args)]
pub(crate) struct Doctor {
    /// How to write what was found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Answers one question in this process
    #[arg(long, hide = true, value_name = "QUESTION")]
    ask: Option<String>,
}

impl Doctor {
    pub(crate) fn run(self) -> ExitCode {
        match self.ask.as_deref().map(|question| (question, facts::answer(question))) {
            Some((_, Some(answer))) => print(&answer, ExitCode::SUCCESS),
            Some((question, None)) => {
                eprintln!("error: unknown question {question}: expected cpu, auto, or a backend's name");
                ExitCode::from(WRONG_USE)
            }
            None => self.examine(),
        }
    }

    fn examine(&self) -> ExitCode {
        let program = match std::env::current_exe() {
            Ok(program) => program,
            Err(error) => {
                eprintln!("error: this program does not find itself: {error}");
                return ExitCode::from(WRONG_USE);
            }
        };
        let report = Report::new(Facts::ask(&Launcher::default(), &program));
        let status = ExitCode::from(u8::from(!report.is_healthy()));
        match self.format {
            Format::Text => print(report.to_string().trim_end(), status),
            Format::Json => print(&format!("{:#}", serde_json::json!(report)), status),
        }
    }
}

/// What is found of a machine.
#[derive(Serialize)]
struct Report {
    version: &'static str,
    cpu_model: String,
    threads: usize,
    #[serde(flatten)]
    facts: Facts,
    fetched: Vec<String>,
}

impl Report {
    fn new(facts: Facts) -> Self {
        let fetched = fetched_releases(default_folder()).into_iter().map(|(release, _)| release.to_string());
        Self {
            version: env!("CARGO_PKG_VERSION"),
            cpu_model: cpu_model(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            fetched: fetched.collect(),
            facts,
        }
    }

    /// Whether nothing crashed, all answered, and no kernel computes wrong nodes.
    fn is_healthy(&self) -> bool {
        self.facts.problems.is_empty()
            && !self.facts.backends.iter().any(|backend| matches!(backend.state, State::Crashed(_)))
    }
}

/// What the system calls the CPU.
fn cpu_model() -> String {
    let from_file = || {
        let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let from_command = || {
        let ran = launch::run(Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]));
        (ran.ending == Ending::Success).then(|| ran.stdout.trim().to_owned())
    };
    let from_environment = || std::env::var("PROCESSOR_IDENTIFIER").ok();
    from_file().or_else(from_command).or_else(from_environment).unwrap_or_else(|| "unknown".to_owned())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cpu { arch, os, .. } = &self.facts.cpu;
        writeln!(f, "version   {}", self.version)?;
        writeln!(f, "system    {os}, {arch}, {} threads", self.threads)?;
        writeln!(f, "CPU       {}", self.cpu_model)?;
        let fetched = if self.fetched.is_empty() { "none".to_owned() } else { self.fetched.join(", ") };
        writeln!(f, "releases  {fetched} fetched\n")?;
        writeln!(f, "{}", self.features())?;
        writeln!(f, "{}", self.backends())?;
        writeln!(f, "{}", self.choices())?;
        self.facts.problems.iter().try_for_each(|problem| writeln!(f, "PROBLEM {problem}"))
    }
}

impl Report {
    fn features(&self) -> Table {
        let mut table = Table::new(&["feature", "CPU", "system", "std"]);
        for feature in &self.facts.cpu.features {
            let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
            let row = [feature.present, feature.usable, feature.std].map(yes);
            table.row([feature.name.clone()].into_iter().chain(row));
        }
        table
    }

    fn backends(&self) -> Table {
        let mut table = Table::new(&["backend", "lanes", "needs", "state"]);
        for backend in &self.facts.backends {
            let state = match &backend.state {
                State::Available => "available".to_owned(),
                State::Unavailable(why) => format!("unavailable: {why}"),
                State::Crashed(how) => format!("CRASHED: {how}"),
            };
            table.row([backend.name.clone(), backend.lanes.to_string(), backend.requires.join(" "), state]);
        }
        table
    }

    fn choices(&self) -> Table {
        let mut table = Table::new(&["pairs", "auto's choice"]);
        for choice in &self.facts.auto {
            let shares = choice.shares.iter().map(|(name, pairs)| format!("{pairs} by {name}"));
            table.row([choice.pairs.to_string(), shares.collect::<Vec<_>>().join(", ")]);
        }
        table
    }
}
