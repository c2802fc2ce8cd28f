//! `cargo xtask matrix`: the hashers' tests and the conformance suite in every cell, a cell for each CPU and each build
//! that has broken someone's program before.

mod build;
mod builds;
mod cells;
mod judge;
mod machine;
mod platform;
mod report;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use clap::Args;

use crate::output::Format;
use crate::{WRONG_USE, print};
use build::Builder;
use cells::{CELLS, Cell, Kind, Machine, Model};
use machine::{Bench, Findings};
use platform::Tools;
use report::{Outcome, Report, Row};

#[derive(Args)]
pub(crate) struct Matrix {
    /// Only this cell [default: all]
    #[arg(long, value_name = "NAME")]
    cell: Vec<String>,
    /// Leave out this cell; a cell that cannot run here fails otherwise
    #[arg(long, value_name = "NAME")]
    skip: Vec<String>,
    /// A folder with emulators and compilers; what it lacks is put there (on Debian, without installing anything else)
    #[arg(long, value_name = "DIR")]
    setup: Option<PathBuf>,
    /// Vectors for the native cell [default: the embedded corpus]
    #[arg(long, value_name = "PATH")]
    vectors: Option<PathBuf>,
    /// Check those vectors on emulated CPUs too, which is some 10 times slower
    #[arg(long, requires = "vectors")]
    everywhere: bool,
    /// How to write the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show the cells and what they are for
    #[arg(long)]
    list: bool,
    /// The workspace under test
    #[arg(long, hide = true, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Matrix {
    pub(crate) fn run(self) -> ExitCode {
        if self.list {
            return print(report::list().to_string().trim_end(), ExitCode::SUCCESS);
        }
        match self.chosen().and_then(|chosen| Ok((chosen, self.tools()?))) {
            Ok((chosen, tools)) => {
                let report = self.run_cells(&chosen, &tools);
                let status = ExitCode::from(u8::from(report.failed > 0));
                match self.format {
                    Format::Text => print(&report.to_string(), status),
                    Format::Json => print(&format!("{:#}", serde_json::json!(report)), status),
                }
            }
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(WRONG_USE)
            }
        }
    }

    /// The cells that were asked for, with those left out by name: true.
    fn chosen(&self) -> Result<Vec<(&'static Cell, bool)>, String> {
        for name in self.cell.iter().chain(&self.skip) {
            if !CELLS.iter().any(|cell| cell.name == name) {
                let known: Vec<_> = CELLS.iter().map(|cell| cell.name).collect();
                return Err(format!("unknown cell {name}: expected one of {}", known.join(", ")));
            }
        }
        let named = |names: &[String], cell: &Cell| names.iter().any(|name| name == cell.name);
        let wanted = CELLS.iter().filter(|cell| self.cell.is_empty() || named(&self.cell, cell));
        let chosen: Vec<_> = wanted.map(|cell| (cell, named(&self.skip, cell))).collect();
        if chosen.iter().all(|&(_, left_out)| left_out) {
            return Err("no cell is left to run".to_owned());
        }
        Ok(chosen)
    }

    /// Where things are looked up; the setup is completed first.
    fn tools(&self) -> Result<Tools, String> {
        let own = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let absolute =
            |path: &Path| std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()));
        let workspace = absolute(self.workspace.as_deref().unwrap_or(own))?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or(workspace.join("target"), PathBuf::from);
        let tools = Tools {
            target: absolute(&target)?,
            setup: self.setup.as_deref().map(absolute).transpose()?,
            workspace,
        };
        if let Some(setup) = &tools.setup {
            let mut script = Command::new("bash");
            script.arg(tools.workspace.join("xtask/setup-cross")).arg(setup);
            // its output is progress, not the report
            let status = script.stdout(std::io::stderr()).status();
            if !status.as_ref().is_ok_and(std::process::ExitStatus::success) {
                eprintln!("warning: setup-cross did not complete {}: {status:?}", setup.display());
            }
        }
        Ok(tools)
    }

    /// The CPUs one after the other, and the builds beside them: a build often waits for one crate, on one core.
    fn run_cells(&self, chosen: &[(&'static Cell, bool)], tools: &Tools) -> Report {
        let builder = Builder::default();
        let run = |&(cell, left_out): &(&'static Cell, bool)| {
            let begun = Instant::now();
            let outcome = match left_out {
                true => Outcome::left_out(),
                false => self.run_cell(cell, tools, &builder),
            };
            let row = Row { cell, outcome, seconds: begun.elapsed().as_secs_f64() };
            eprintln!("{row}");
            row
        };
        let is_cpu = |(cell, _): &&(&Cell, bool)| matches!(cell.kind, Kind::Cpu(_));
        let rows = std::thread::scope(|scope| {
            let builds =
                scope.spawn(|| chosen.iter().filter(|row| !is_cpu(row)).map(run).collect::<Vec<_>>());
            let mut rows: Vec<_> = chosen.iter().filter(is_cpu).map(run).collect();
            rows.extend(builds.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            rows
        });
        Report::new(rows)
    }

    fn run_cell(&self, cell: &Cell, tools: &Tools, builder: &Builder) -> Outcome {
        match &cell.kind {
            Kind::Cpu(machine) => match self.run_machine(machine, tools, builder) {
                Ok(outcome) => outcome,
                Err(missing) => Outcome::missing(missing),
            },
            Kind::Build(build) => match build.toolchains(tools) {
                Ok(toolchains) => Outcome::of_build(build.run(tools, &toolchains)),
                Err(missing) => Outcome::missing(missing),
            },
        }
    }

    /// # Errors
    ///
    /// What is missing here.
    fn run_machine(&self, machine: &Machine, tools: &Tools, builder: &Builder) -> Result<Outcome, String> {
        let platform = machine.platform;
        let toolchain = platform.toolchain(tools)?;
        let launcher = platform.launcher(tools, machine.cpu)?;
        let expected = machine.expected()?;
        let programs = match builder.programs(tools, platform, &toolchain) {
            Ok(programs) => programs,
            Err(why) => {
                let findings = Findings { failures: vec![why], ..Findings::default() };
                return Ok(Outcome::of_machine(findings, &expected));
            }
        };
        let emulated = !matches!(machine.cpu, Model::Own) || toolchain.triple.is_some();
        let vectors = self.vectors.as_deref().filter(|_| !emulated || self.everywhere);
        let bench = Bench { launcher, programs: &programs, vectors };
        Ok(Outcome::of_machine(bench.run(), &expected))
    }
}
