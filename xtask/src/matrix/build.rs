//! Builds what the cells of a platform run, once for all of them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::platform::{Platform, Toolchain, Tools};
use crate::launch::{self, Ending};

/// The programs that a cell runs.
pub(crate) struct Programs {
    /// This program: `doctor` and `conform`.
    pub(crate) xtask: PathBuf,
    /// The hashers' checks, a test for each backend and check.
    pub(crate) agreement: PathBuf,
    /// The hashers' other tests.
    pub(crate) tests: Vec<PathBuf>,
}

/// The programs by platform.
#[derive(Default)]
pub(crate) struct Builder(Mutex<HashMap<&'static str, Result<Arc<Programs>, String>>>);

impl Builder {
    /// The programs of a platform, built by the first who asks.
    pub(crate) fn programs(
        &self,
        tools: &Tools,
        platform: &Platform,
        toolchain: &Toolchain,
    ) -> Result<Arc<Programs>, String> {
        let mut built = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let build = || Programs::build(tools, platform, toolchain).map(Arc::new);
        built.entry(platform.name).or_insert_with(build).clone()
    }
}

impl Programs {
    fn build(tools: &Tools, platform: &Platform, toolchain: &Toolchain) -> Result<Self, String> {
        eprintln!("building for {}", toolchain.triple.unwrap_or("this machine"));
        let tests = ["test", "--no-run", "-p", "pair-hashers", "--lib", "--tests"];
        let tests = executables(&mut cargo(tools, platform, toolchain, &tests))?;
        let mut arguments = vec!["build", "-p", "xtask", "--bin", "xtask"];
        arguments.extend(platform.features);
        let xtask = executables(&mut cargo(tools, platform, toolchain, &arguments))?;
        let take = |programs: &[(String, PathBuf)], wanted: &str| {
            let program = programs.iter().find(|(name, _)| name == wanted).map(|(_, file)| file.clone());
            program.ok_or_else(|| format!("cargo built no program {wanted}"))
        };
        let others = tests.iter().filter(|(name, _)| name != "agreement").map(|(_, file)| file.clone());
        Ok(Self {
            xtask: take(&xtask, "xtask")?,
            agreement: take(&tests, "agreement")?,
            tests: others.collect(),
        })
    }
}

fn cargo(tools: &Tools, platform: &Platform, toolchain: &Toolchain, arguments: &[&str]) -> Command {
    let mut command = toolchain.cargo(tools, platform.name);
    command.args(arguments).args(["--release", "--message-format=json-render-diagnostics"]);
    command.args(toolchain.options());
    command
}

impl Toolchain {
    /// Cargo, in the workspace, with what the toolchain needs in its environment. Other machines' programs do not share a
    /// target directory: what cargo builds for this one depends on the compiler too.
    pub(crate) fn cargo(&self, tools: &Tools, folder: &str) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .current_dir(&tools.workspace)
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        let target = match self.triple {
            None => tools.target.clone(),
            Some(_) => tools.target.join("matrix").join(folder),
        };
        command.env("CARGO_TARGET_DIR", target);
        command
    }

    /// Cargo's arguments for the target.
    pub(crate) fn options(&self) -> Vec<OsString> {
        let target = self.triple.map(|triple| ["--target".into(), triple.into()]);
        let options = target.into_iter().flatten().chain(self.arguments.clone());
        options.chain(["--locked".into()]).collect()
    }
}

/// Runs cargo, and gives the programs that it says it built, by the target's name.
fn executables(command: &mut Command) -> Result<Vec<(String, PathBuf)>, String> {
    let ran = launch::run(command);
    if ran.ending != Ending::Success {
        return Err(format!("cargo {}\n{}", ran.ending, ran.stderr.trim_end()));
    }
    let messages = ran.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let program = |message: Value| {
        let name = message["target"]["name"].as_str()?.to_owned();
        Some((name, PathBuf::from(message["executable"].as_str()?)))
    };
    Ok(messages.filter_map(program).collect())
}
