//! `cargo xtask matrix` and `cargo xtask doctor` as their users run them, as far as nothing is built or emulated.

use std::process::{Command, Output};

use serde_json::Value;

fn xtask(arguments: &[&str]) -> Output {
    // nothing is found on this path
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).env("PATH", "").output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn an_unknown_cell_is_wrong_use_and_the_known_ones_are_named() {
    for option in ["--cell", "--skip"] {
        let output = xtask(&["matrix", option, "pentium"]);
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        assert!(error.contains("unknown cell pentium") && error.contains("nehalem"), "{error}");
    }
    assert_eq!(xtask(&["matrix", "--cell", "nehalem", "--skip", "nehalem"]).status.code(), Some(2));
}

#[test]
fn a_cell_that_cannot_run_here_fails_and_says_what_is_missing() {
    let output = xtask(&["matrix", "--cell", "nehalem", "--cell", "wasm-simd128", "--skip", "wasm-simd128"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    let missing =
        if cfg!(all(target_os = "linux", target_arch = "x86_64")) { "qemu-x86_64" } else { "x86-64 Linux" };
    assert!(report.contains("CANNOT RUN nehalem: missing ") && report.contains(missing), "{report}");
    assert_eq!(report.lines().last(), Some("0 passed, 1 failed, 1 skipped"));
}

#[test]
fn the_list_has_a_line_for_each_cell_and_says_what_it_is_for() {
    let output = xtask(&["matrix", "--list"]);
    assert!(
        text(&output.stdout).contains("\ndenverton          SHA without AVX\n"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn the_workflow_runs_every_cell() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../.github/workflows/ci.yml");
    let workflow = std::fs::read_to_string(file).unwrap();
    let of_jobs: Vec<_> = workflow.lines().filter_map(|line| line.trim().strip_prefix("- ")).collect();
    let list = xtask(&["matrix", "--list"]);
    for line in text(&list.stdout).lines().skip(1) {
        let cell = line.split_whitespace().next().unwrap();
        let by_name = workflow.contains(&format!("cargo xtask matrix --cell {cell}\n"));
        assert!(by_name || of_jobs.contains(&cell), "no job of ci.yml runs {cell}");
    }
}

#[test]
fn doctor_tells_of_every_backend_and_of_every_choice() {
    let output = xtask(&["doctor"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for backend in pair_hashers::backends() {
        assert!(text(&output.stdout).contains(&format!("\n{} ", backend.name())), "{}", backend.name());
    }
    let output = xtask(&["doctor", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for choice in report["auto"].as_array().unwrap() {
        let shares = choice["shares"].as_array().unwrap();
        let sum: u64 = shares.iter().map(|share| share[1].as_u64().unwrap()).sum();
        assert_eq!(choice["pairs"], sum);
    }
    assert_eq!(report["backends"].as_array().unwrap().len(), pair_hashers::backends().len());
    assert_eq!(report["problems"], serde_json::json!([]));
}

#[test]
fn doctor_answers_known_questions_only() {
    assert_eq!(xtask(&["doctor", "--ask", "sha256/nonesuch"]).status.code(), Some(2));
    let answer: Value =
        serde_json::from_slice(&xtask(&["doctor", "--ask", "sha256/portable"]).stdout).unwrap();
    assert_eq!(answer["state"], "available");
}
