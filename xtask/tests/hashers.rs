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
        (&["conform", "--family", "md5"], "expected one of sha256, keccak256, rfc6962"),
        (
            &["conform", "--family", "keccak256", "--backend", "sha256/auto"],
            "sha256/auto is of sha256: expected a hasher of keccak256",
        ),
        (
            &["conform", "--backend", "sha256/auto", "--backend", "rfc6962/auto"],
            "rfc6962/auto is of rfc6962: expected a hasher of sha256",
        ),
        (
            &["conform", "--hasher-command", &program("keccak256/portable")],
            "keccak256/portable is of keccak256: expected a hasher of sha256, as this run is (--family)",
        ),
        (
            &["certify", "--family", "rfc6962", "--hasher-command", &program("keccak256/portable")],
            "keccak256/portable is of keccak256: expected a hasher of rfc6962",
        ),
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
    for family in ["sha256", "keccak256", "rfc6962"] {
        let of_family = [&SOME[..], &["--family", family]].concat();
        let [here, isolated] =
            [&[] as &[&str], &["--isolate"]].map(|more| xtask(&[&of_family[..], more].concat()));
        assert_eq!((isolated.status, isolated.stderr), (0, String::new()), "{}", isolated.stdout);
        assert_eq!(without_seconds(&isolated.stdout), without_seconds(&here.stdout));
        assert!(here.stdout.contains(&format!("\n{family}/portable ")), "{}", here.stdout);
        assert_eq!(here.stdout.contains("NOT CONSENSUS"), family != "sha256", "{}", here.stdout);
    }
}

/// The words of each line of a report but the seconds, which differ from run to run.
fn without_seconds(report: &str) -> Vec<Vec<&str>> {
    let is_seconds = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
    report.lines().map(|line| line.split_whitespace().filter(|word| !is_seconds(word)).collect()).collect()
}

#[test]
fn a_program_of_another_family_takes_part_where_that_is_asked_for() {
    let program = program("keccak256/portable");
    let given = ["--family", "keccak256", "--no-built-in", "--hasher-command", &program];
    let outcome = xtask(&[&SOME[..], &given].concat());
    assert_eq!(outcome.status, 0, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains("\nkeccak256/portable "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("keccak256, NOT CONSENSUS"), "{}", outcome.stdout);
}

#[test]
fn a_hasher_of_another_family_is_certified_by_that_familys_reference() {
    for backend in ["keccak256/portable", "rfc6962/reference"] {
        let outcome = xtask(&["certify", "--backend", backend]);
        assert_eq!(outcome.status, 0, "{}{}", outcome.stdout, outcome.stderr);
        assert_eq!(outcome.stdout.lines().last(), Some(format!("CERTIFIED {backend}").as_str()));
        let family = backend.split('/').next().unwrap();
        for said in [
            format!("1. Agreement with {family}\n"),
            format!("NOT CONSENSUS: these roots are of {family}; "),
            format!("{family}/auto "),
        ] {
            assert!(outcome.stdout.contains(&said), "{said:?} is missing from {}", outcome.stdout);
        }
    }
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
