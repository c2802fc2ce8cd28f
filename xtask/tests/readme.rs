//! The README's commands, as its readers run them.

use std::path::Path;
use std::process::Command;

/// The commands of the README's `sh` blocks.
fn commands() -> Vec<String> {
    let readme = include_str!("../../README.md");
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

/// The tests are what runs this, and a build with other features would rebuild the workspace: the project's CI runs those.
fn is_run_elsewhere(command: &str) -> bool {
    command.contains("cargo test") || command.contains("--no-default-features")
}

#[test]
fn every_xtask_command_of_the_readme_succeeds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut ran = 0;
    for command in commands().iter().filter(|command| !is_run_elsewhere(command)) {
        let arguments = command.strip_prefix("cargo xtask ").unwrap_or_else(|| panic!("what is {command}?"));
        let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(arguments.split(' '))
            .current_dir(root)
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        ran += 1;
    }
    assert!(ran >= 3, "only {ran} commands found");
}

#[test]
fn the_readme_opens_with_the_two_commands_that_it_promises() {
    assert_eq!(commands()[..2], ["cargo xtask conform", "cargo test --workspace"]);
}
