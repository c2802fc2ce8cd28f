//! The options that name hashers, as users of `conform` and `certify` give them, right and wrong.

use std::process::Command;

struct Outcome {
    status: i32,
    stdout: String,
    stderr: String,
}

fn xtask(arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    Outcome {
        status: output.status.code().expect("it exits"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// As a program that hashes, this project's own.
fn program(backend: &str) -> String {
    format!("\"{}\" serve --backend {backend}", env!("CARGO_BIN_EXE_xtask"))
}

/// Some cases, so that a run is short.
const SOME: [&str; 3] = ["conform", "--handler", "Checkpoint"];

#[test]
fn a_wrong_use_is_named() {
    for (arguments, expected) in [
        (&["conform", "--hasher-library", "no/such.so"] as &[&str], "no/such.so: "),
        (
            &["conform", "--hasher-library", "Cargo.toml:f"],
            "Cargo.toml: expected a shared library for this system",
        ),
        (&["conform", "--hasher-command", "no-such-program"], "no-such-program cannot be started: "),
        (&["conform", "--hasher-command", "'node"], "expected another '"),
        (&["conform", "--hasher-command", ""], "expected a command"),
        (
            &["conform", "--require", "sha256/mine"],
            "unknown backend sha256/mine: expected one of sha256/auto, ",
        ),
        (&["conform", "--isolate", "--hasher-library", "no/such.so"], "no/such.so: "),
        (&["conform", "--hasher-command", &program("sha256/auto")], "two hashers are named sha256/auto"),
        (&["certify"], "expected one hasher: one of --hasher-library, --hasher-command and --backend"),
        (&["certify", "--backend", "sha256/auto", "--backend", "sha256/portable"], "expected one hasher"),
        (&["certify", "--backend", "sha256/fast"], "unknown backend sha256/fast"),
    ] {
        let outcome = xtask(arguments);
        assert_eq!(outcome.status, 2, "{arguments:?}: {}", outcome.stdout);
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
}

#[test]
fn a_program_takes_part_beside_the_built_in_backends_or_alone() {
    let program = program("sha256/portable");
    let given = ["--hasher-command", &program, "--require", "sha256/portable"];
    let beside = xtask(&[&SOME[..], &given, &["--backend", "sha256/auto"]].concat());
    assert_eq!(beside.status, 0, "{}{}", beside.stdout, beside.stderr);
    assert!(beside.stdout.contains("\nsha256/auto "), "{}", beside.stdout);
    let alone = xtask(&[&SOME[..], &given, &["--no-built-in"]].concat());
    assert_eq!(alone.status, 0, "{}{}", alone.stdout, alone.stderr);
    assert!(alone.stdout.contains("\nsha256/portable "), "{}", alone.stdout);
    assert!(!alone.stdout.contains("\nsha256/auto "), "{}", alone.stdout);
}

#[test]
fn isolated_backends_are_the_same_backends() {
    let [here, isolated] = [&[] as &[&str], &["--isolate"]].map(|more| xtask(&[&SOME[..], more].concat()));
    assert_eq!((isolated.status, isolated.stderr), (0, String::new()), "{}", isolated.stdout);
    assert_eq!(isolated.stdout, here.stdout);
}

#[test]
fn a_built_in_backend_is_certified_on_one_page() {
    for more in [&[] as &[&str], &["--isolate"]] {
        let text = xtask(&[&["certify", "--backend", "sha256/portable"], more].concat());
        assert_eq!(text.status, 0, "{}{}", text.stdout, text.stderr);
        assert_eq!(text.stdout.lines().last(), Some("CERTIFIED sha256/portable"));
        assert_eq!(text.stdout.contains("the way there and back"), !more.is_empty(), "{}", text.stdout);
        assert!(text.stdout.lines().count() < 60, "{}", text.stdout);
    }
    let json = xtask(&["certify", "--backend", "sha256/portable", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&json["hasher"], &json["certified"]), (&"sha256/portable".into(), &true.into()));
    assert_eq!(json["agreement"][0]["check"], "batch-sizes");
    assert_eq!(json["speed"]["rows"][0]["hasher"], "sha256/portable");
    assert_eq!(json["speed"]["rows"][0]["ns_per_hash"][4]["n"], 4096);
}

#[test]
fn no_vectors_no_certificate() {
    let outcome = xtask(&["certify", "--backend", "sha256/auto", "--vectors", "no/such/folder"]);
    assert_eq!(outcome.status, 2, "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("NOT CERTIFIED sha256/auto: 0 checks and 1 cases failed"),
        "{}",
        outcome.stdout
    );
}
