//! The README's commands, as its readers run them: each `sh` block is a trial, its commands run in order.

#[path = "tools/certify.rs"]
mod tools;

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use pair_hashers::foreign::words;
use tools::{compile, output, trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![Trial::test("it opens with the two commands that it promises", || {
        assert_eq!(blocks().concat()[..2], ["cargo xtask conform", "cargo test --workspace"]);
        Ok(())
    })];
    trials.extend(blocks().into_iter().filter_map(|block| block_trial(block, &arguments)));
    assert!(trials.len() >= 6, "only {} blocks found", trials.len());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The commands of each `sh` block.
fn blocks() -> Vec<Vec<&'static str>> {
    let readme = include_str!("../../README.md");
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.map(|block| block.lines().collect()).collect()
}

/// The tests are what runs this, and a build with other features would rebuild the workspace: the project's CI runs those.
fn is_run_elsewhere(command: &str) -> bool {
    command.contains("cargo test") || command.contains("--no-default-features")
}

fn block_trial(mut block: Vec<&'static str>, arguments: &Arguments) -> Option<Trial> {
    block.retain(|command| !is_run_elsewhere(command));
    let name = block.last()?.replace(|c: char| !c.is_ascii_alphanumeric() && !"-._/".contains(c), " ");
    let needs = |tool: &str| !arguments.list && block.iter().any(|command| command.contains(tool));
    let (tool, there) = if needs("cc -O2") {
        let example = root().join("hashers/examples/c/openssl.c");
        ("openssl", compile(&[&example], tools::folder().path(), "probe", &["-lcrypto"]).map(drop))
    } else if needs("python3 ") {
        ("python3", output(Command::new("python3").arg("--version")).map(drop))
    } else {
        ("nothing", Ok(()))
    };
    Some(trial(name, tool, &there, move |()| block.iter().try_for_each(|command| run(command))))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn run(command: &str) -> Result<(), Failed> {
    let words = words(command)?;
    let mut process = match command.strip_prefix("cargo xtask ") {
        Some(_) => {
            let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
            xtask.args(&words[2..]);
            xtask
        }
        None if words[0] == "cc" => {
            // where it puts its library
            std::fs::create_dir_all(root().join("target"))?;
            let mut compiler = Command::new("cc");
            compiler.args(&words[1..]);
            compiler
        }
        None => return Err(format!("what is {command}?").into()),
    };
    output(process.current_dir(root())).map_err(|error| format!("{command}\n{error:.4000}"))?;
    Ok(())
}
