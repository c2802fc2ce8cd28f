//! A feature gate that is broken on purpose fails the cell of the CPU that it would crash, by the backend's name, and no
//! other cell.
//!
//! The gate is broken in a copy of the workspace, so the code under test has no way to be broken. `MATRIX_SETUP` names a
//! folder for `matrix --setup`; without it, qemu-user is looked up on the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const CELLS: [&str; 4] = ["nehalem", "sandybridge", "haswell", "denverton"];

#[test]
#[ignore = "builds a copy of the workspace and needs qemu-user: `cargo test -p xtask --test broken_gate -- --ignored`"]
fn avx2_behind_a_gate_of_avx_alone_fails_sandybridge_and_no_other() {
    let workspace = place().join("workspace");
    let _ = fs::remove_dir_all(&workspace);
    copy(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap(), &workspace);
    spoil(
        &workspace.join("hashers/src/registry.rs"),
        r#"sha256("sha256/avx2", 8, || &[Avx, Avx2],"#,
        r#"sha256("sha256/avx2", 8, || &[Avx],"#,
    );

    let report = matrix(&workspace);
    for row in report["cells"].as_array().unwrap() {
        let outcome = &row["outcome"];
        let failures = outcome["failures"].to_string();
        let expected = if row["cell"] == "sandybridge" { "failed" } else { "passed" };
        assert_eq!(outcome["verdict"], expected, "{}: {failures}", row["cell"]);
        assert_ne!(outcome["vectors"]["cases"], 0, "{}: {failures}", row["cell"]);
        if expected == "failed" {
            assert!(failures.contains("sha256/avx2 crashed: SIGILL"), "{failures}");
            // auto crashes too, since it tries avx2; all others are innocent
            let innocent = |name: &&str| !["sha256/avx2", "sha256/auto"].contains(name);
            for name in pair_hashers::backends().iter().map(pair_hashers::Backend::name).filter(innocent) {
                assert!(!failures.contains(name), "{name} is blamed: {failures}");
            }
        }
    }
    assert_eq!((&report["passed"], &report["failed"]), (&Value::from(CELLS.len() - 1), &Value::from(1)));
}

/// Where the copy and its programs are, kept from run to run for the dependencies.
fn place() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken-gate")
}

/// The cells of the workspace in this folder.
fn matrix(workspace: &Path) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["matrix", "--format", "json", "--workspace"]).arg(workspace);
    command.args(CELLS.iter().map(|cell| format!("--cell={cell}")));
    if let Some(setup) = std::env::var_os("MATRIX_SETUP").filter(|setup| !setup.is_empty()) {
        command.arg("--setup").arg(setup);
    }
    // nothing is shared with this workspace: cargo knows packages by their path below the workspace's root, so that it
    // would take what it built of the copy for ours
    command.env("CARGO_TARGET_DIR", place().join("target")).env_remove("CARGO_BUILD_BUILD_DIR");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn spoil(file: &Path, good: &str, bad: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(good).count(), 1, "{good} in {}", file.display());
    fs::write(file, text.replace(good, bad)).unwrap();
}

/// Copies what a checkout has: neither artifacts, nor fetched vectors, nor hidden files but cargo's.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let left_out =
            name.starts_with("target") || name == "fetched" || name.starts_with('.') && name != ".cargo";
        match path.is_dir() {
            true if left_out => {}
            true => copy(&path, &to.join(name)),
            false => drop(fs::copy(&path, to.join(name)).unwrap()),
        }
    }
}
