//! For the tests of `cargo xtask certify`: the command, and things that may not be there.

// each target needs a part of it
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Completion, Failed, Trial};
use tempfile::TempDir;

/// Names tools, separated by commas, whose absence fails the trials that need them: `cc`, `openssl`, `python3`, `node`.
/// Otherwise such trials are ignored, with the reason.
const REQUIRE_VARIABLE: &str = "CERTIFY_REQUIRE";

/// What `certify` said.
pub(crate) struct Certified {
    pub(crate) status: i32,
    /// All of it.
    pub(crate) text: String,
    certificate: Option<serde_json::Value>,
}

pub(crate) fn certify(arguments: &[&str]) -> Certified {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["certify", "--format", "json"])
        .args(arguments)
        .output()
        .unwrap();
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    Certified {
        status: output.status.code().expect("it exits, whatever the hasher does"),
        certificate: serde_json::from_str(&stdout).ok(),
        text: stdout + &stderr,
    }
}

impl Certified {
    /// The stages that found something wrong: `start`, agreement checks by name, `vectors`.
    pub(crate) fn caught(&self) -> Vec<String> {
        let Some(certificate) = &self.certificate else { return vec!["start".into()] };
        let checks = certificate["agreement"].as_array().unwrap().iter();
        let failed = checks.filter(|check| check["outcome"] == "failed");
        let mut stages: Vec<_> = failed.map(|check| check["check"].as_str().unwrap().to_owned()).collect();
        if certificate["vectors"]["failed"] != 0 {
            stages.push("vectors".into());
        }
        stages
    }
}

/// A trial that needs something that a tool made. Where it could not, the trial is ignored with the reason, or fails with
/// it if the tool is required.
pub(crate) fn trial<T: Clone + Send + 'static>(
    name: String,
    tool: &str,
    thing: &Result<T, String>,
    run: impl FnOnce(&T) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let required = std::env::var(REQUIRE_VARIABLE).unwrap_or_default();
    let required = required.split(',').any(|required| required == tool);
    let (tool, thing) = (tool.to_owned(), thing.clone());
    Trial::ignorable_test(name, move || match thing {
        Ok(thing) => run(&thing).map(|()| Completion::Completed),
        Err(why) if required => Err(format!("{tool} is required: {why}").into()),
        Err(why) => {
            Ok(Completion::ignored_with(format!("needs {tool}: {}", why.lines().next().unwrap_or_default())))
        }
    })
}

/// A folder in the target directory, for as long as a test target runs.
pub(crate) fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Compiles C, or links objects, to a shared library in a folder.
///
/// # Errors
///
/// Why that could not be done.
pub(crate) fn compile(
    sources: &[&Path],
    folder: &Path,
    name: &str,
    flags: &[&str],
) -> Result<PathBuf, String> {
    if cfg!(windows) {
        return Err("the C that is compiled here is for Unix".into());
    }
    let library = folder.join(format!("lib{name}.so"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    output(
        Command::new(compiler)
            .args(["-O2", "-shared", "-fPIC", "-o"])
            .arg(&library)
            .args(sources)
            .args(flags),
    )?;
    Ok(library)
}

/// Runs a command, and gives its output.
///
/// # Errors
///
/// If it is missing or fails: what it says.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    Err(format!("{program}: {}: {said}", output.status))
}
