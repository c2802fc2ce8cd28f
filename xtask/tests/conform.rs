//! `cargo xtask conform` as its users run it: exit status and output, for good input and for every kind of bad one.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use spec_vectors::{Case, Source};
use tempfile::TempDir;

/// A case that is right, in every folder that a test makes.
const GOOD: &str = "minimal/electra/ssz_static/Checkpoint/ssz_random/case_5";

struct Outcome {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Outcome {
    fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}

fn conform(arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("conform").args(arguments).output().unwrap();
    Outcome {
        status: output.status.code().expect("it exits"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn embedded(path: &str) -> Case {
    let case = Source::embedded().case(&path.parse().unwrap()).unwrap();
    case.unwrap_or_else(|| panic!("the corpus has no {path}"))
}

/// A folder in release form with the good case, and another that the test spoils.
struct Release {
    folder: TempDir,
}

impl Release {
    fn new() -> Self {
        let release = Self { folder: TempDir::with_prefix("v1.7.0-alpha.13-").unwrap() };
        release.add(GOOD, GOOD);
        release
    }

    /// Copies a case of the corpus to some path, without its manifest, which would disagree.
    fn add(&self, from: &str, to: &str) -> PathBuf {
        let folder = self.folder.path().join("tests").join(to);
        fs::create_dir_all(&folder).unwrap();
        let case = embedded(from);
        for part in case.part_names().into_iter().filter(|part| *part != "manifest.yaml" || from == to) {
            fs::write(folder.join(part), case.read(part).unwrap()).unwrap();
        }
        folder
    }

    fn conform(&self) -> Outcome {
        conform(&["--vectors", self.folder.path().to_str().unwrap(), "--backend", "sha256/portable"])
    }
}

/// Spoils a case and expects that it alone fails, with this message.
fn expect_failure(from: &str, to: &str, spoil: impl FnOnce(&Path), expected: &str) {
    let release = Release::new();
    spoil(&release.add(from, to));
    let outcome = release.conform();
    assert_eq!(outcome.status, 1, "{}{}", outcome.stdout, outcome.stderr);
    assert_eq!(outcome.last_line(), "1 passed, 1 failed", "{}", outcome.stdout);
    assert!(outcome.stdout.contains(expected), "expected {expected} in\n{}", outcome.stdout);
    assert!(outcome.stdout.contains(to), "{}", outcome.stdout);
}

fn expect_failure_in(part: &'static str, content: &[u8], expected: &str) {
    let path = "minimal/electra/ssz_static/Fork/ssz_lengthy/case_1";
    expect_failure(path, path, |folder| fs::write(folder.join(part), content).unwrap(), expected);
    // the message names the file
    let file = format!("Fork/ssz_lengthy/case_1/{part}");
    expect_failure(path, path, |folder| fs::write(folder.join(part), content).unwrap(), &file);
}

#[test]
fn corrupt_snappy_is_named() {
    let good = embedded("minimal/electra/ssz_static/Fork/ssz_lengthy/case_1")
        .read("serialized.ssz_snappy")
        .unwrap()
        .into_owned();
    expect_failure_in("serialized.ssz_snappy", &good[..good.len() - 1], "expected");
    expect_failure_in("serialized.ssz_snappy", &[good.as_slice(), &[0xff]].concat(), "expected");
    expect_failure_in("serialized.ssz_snappy", &[], "expected");
}

#[test]
fn a_snappy_header_that_claims_gigabytes_is_refused() {
    expect_failure_in("serialized.ssz_snappy", &[0xff, 0xff, 0xff, 0xff, 0x0f, 0x00], "4294967295");
}

#[test]
fn yaml_that_is_malformed_or_of_another_shape_is_named() {
    expect_failure_in("value.yaml", b"{previous_version: ", "value.yaml: ");
    expect_failure_in("value.yaml", b"[1, 2, 3]", "expected a map of 3 fields from previous_version");
    expect_failure_in("value.yaml", b"\xff\xfe\x00", "UTF-8");
    expect_failure_in("roots.yaml", b"{rooot: '0x00'}", "unknown key rooot; expected root");
    expect_failure_in("roots.yaml", b"{root: '0x00'}", "expected 0x and 64 hexadecimal digits");
    expect_failure_in("roots.yaml", b"- 1", "expected a map with the key root");
    expect_failure_in(
        "manifest.yaml",
        b"{preset: mainnet}",
        "preset is mainnet; expected minimal, as in the path",
    );
}

#[test]
fn a_value_or_root_of_another_object_fails() {
    let path = "minimal/electra/ssz_static/Fork/ssz_lengthy/case_1";
    let other = embedded("minimal/electra/ssz_static/Fork/ssz_max/case_0");
    for (part, expected) in [
        ("value.yaml", "the decoded value is not that of value.yaml: previous_version is"),
        ("roots.yaml", "the root differs"),
    ] {
        let other = other.read(part).unwrap().into_owned();
        expect_failure(path, path, |folder| fs::write(folder.join(part), other).unwrap(), expected);
    }
}

#[test]
fn a_missing_part_is_named() {
    let path = "minimal/electra/ssz_static/Fork/ssz_lengthy/case_1";
    for part in ["serialized.ssz_snappy", "value.yaml", "roots.yaml"] {
        expect_failure(
            path,
            path,
            |folder| fs::remove_file(folder.join(part)).unwrap(),
            &format!("the part {part}"),
        );
    }
}

#[test]
fn what_is_unknown_fails_and_says_what_to_add() {
    let fork = "minimal/electra/ssz_static/Fork/ssz_lengthy/case_1";
    let cases = [
        ("minimal/zuse/ssz_static/Fork/ssz_lengthy/case_1", "add harness/schemas/v1.7.0-alpha.13/zuse.txt"),
        ("minimal/electra/ssz_static/Spoon/ssz_random/case_5", "unknown type Spoon: define it in"),
        ("minimal/electra/ssz_static/Fork/ssz_odd/case_0", "unknown suite ssz_odd: add it to SUITES"),
        ("minimal/electra/ssz_dynamic/Fork/ssz_lengthy/case_1", "unknown runner or handler ssz_dynamic/Fork"),
        (
            "general/phase0/ssz_generic/floats/valid/float_32",
            "unknown handler floats: add how it names types",
        ),
        ("general/phase0/ssz_generic/uints/odd/uint_8_zero", "unknown suite odd"),
    ];
    for (path, expected) in cases {
        expect_failure(fork, path, |_| {}, expected);
    }
    expect_failure(
        fork,
        fork,
        |folder| fs::write(folder.join("more.yaml"), "1").unwrap(),
        "more.yaml: unknown part",
    );
}

#[test]
fn an_invalid_case_that_decodes_fails() {
    let (valid, invalid) = (
        "general/phase0/ssz_generic/boolean/valid/true",
        "general/phase0/ssz_generic/boolean/invalid/byte_1",
    );
    let spoil = |folder: &Path| {
        fs::remove_file(folder.join("value.yaml")).unwrap();
        fs::remove_file(folder.join("meta.yaml")).unwrap();
    };
    expect_failure(valid, invalid, spoil, "decodes as boolean, but is invalid");
}

#[test]
fn a_branch_that_proves_nothing_fails() {
    let source = Source::embedded();
    let mut path = None;
    source.walk(
        &spec_vectors::Filter { runners: vec!["light_client".into()], ..Default::default() },
        &mut |item| {
            if let spec_vectors::Item::Case(case) = item {
                path = Some(case.id.to_string());
            }
        },
    );
    let path = path.expect("the corpus has Merkle proofs");
    let spoil = |folder: &Path| {
        let proof = fs::read_to_string(folder.join("proof.yaml")).unwrap();
        let at = proof.find("leaf: '0x").unwrap() + "leaf: '0x".len();
        let flipped = if &proof[at..=at] == "0" { "1" } else { "0" };
        fs::write(folder.join("proof.yaml"), format!("{}{flipped}{}", &proof[..at], &proof[at + 1..]))
            .unwrap();
    };
    expect_failure(&path, &path, spoil, "the root that the branch gives differs");
}

/// An archive of the good case, to be spoiled.
fn archive(add: impl FnOnce(&mut tar::Builder<GzEncoder<Vec<u8>>>)) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let case = embedded(GOOD);
    for part in case.part_names() {
        append(&mut builder, &format!("tests/{GOOD}/{part}"), &case.read(part).unwrap());
    }
    add(&mut builder);
    builder.into_inner().unwrap().finish().unwrap()
}

fn append(builder: &mut tar::Builder<GzEncoder<Vec<u8>>>, path: &str, content: &[u8]) {
    let mut header = tar::Header::new_gnu();
    // set as bytes: the safe setter refuses the paths that a hostile archive has
    header.as_gnu_mut().unwrap().name[..path.len()].copy_from_slice(path.as_bytes());
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    builder.append(&header, content).unwrap();
}

fn conform_archive(bytes: &[u8]) -> Outcome {
    let folder = TempDir::with_prefix("v1.7.0-alpha.13-").unwrap();
    let path = folder.path().join("minimal.tar.gz");
    fs::File::create(&path).unwrap().write_all(bytes).unwrap();
    conform(&["--vectors", path.to_str().unwrap(), "--backend", "sha256/portable"])
}

#[test]
fn an_archive_is_read_and_one_that_is_cut_short_is_unreadable() {
    let whole = archive(|_| {});
    let outcome = conform_archive(&whole);
    assert_eq!((outcome.status, outcome.last_line()), (0, "1 passed, 0 failed"), "{}", outcome.stdout);
    let outcome = conform_archive(&whole[..whole.len() / 2]);
    assert_eq!(outcome.status, 2, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("minimal.tar.gz"), "{}", outcome.stdout);
    let outcome = conform_archive(b"no archive at all");
    assert_eq!(outcome.status, 2, "{}", outcome.stdout);
}

#[test]
fn an_entry_that_climbs_out_is_refused_and_the_others_are_checked() {
    let hostile = archive(|builder| append(builder, "tests/../../escaped", b"x"));
    let outcome = conform_archive(&hostile);
    assert_ne!(outcome.status, 0, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("tests/../../escaped"), "{}", outcome.stdout);
    assert_eq!(outcome.last_line(), "1 passed, 1 failed", "{}", outcome.stdout);
}

#[test]
fn a_place_without_cases_is_wrong_input() {
    let empty = TempDir::new().unwrap();
    for path in [empty.path().to_str().unwrap(), "no/such/path"] {
        let outcome = conform(&["--vectors", path]);
        assert_eq!(outcome.status, 2, "{}", outcome.stdout);
        assert!(outcome.stdout.contains(path), "{}", outcome.stdout);
    }
    // the other sources are checked all the same
    let release = Release::new();
    let outcome =
        conform(&["--vectors", "no/such/path", "--vectors", release.folder.path().to_str().unwrap()]);
    assert_eq!((outcome.status, outcome.last_line()), (2, "1 passed, 1 failed"), "{}", outcome.stdout);
}

#[test]
fn a_backend_that_is_unknown_or_cannot_run_is_not_green() {
    let outcome = conform(&["--backend", "sha256/abacus"]);
    assert_eq!(outcome.status, 2);
    assert!(
        outcome.stderr.contains("unknown backend sha256/abacus: expected one of sha256/"),
        "{}",
        outcome.stderr
    );
    let foreign =
        if cfg!(target_arch = "x86_64") { "sha256/hashtree-neon-x4" } else { "sha256/hashtree-avx2" };
    let outcome = conform(&["--case", "Checkpoint/ssz_random/case_5", "--require", foreign]);
    assert_eq!(outcome.status, 1, "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains(&format!("required backend {foreign} did not run")),
        "{}",
        outcome.stdout
    );
    let outcome = conform(&["--case", "Checkpoint/ssz_random/case_5", "--require", "sha256/portable"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stdout);
}

#[test]
fn a_filter_that_wants_nothing_is_not_green() {
    let outcome = conform(&["--fork", "no-such-fork"]);
    assert_eq!(outcome.status, 2, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("no case was checked"), "{}", outcome.stdout);
}

#[test]
fn the_json_form_has_the_same_facts() {
    let arguments = ["--preset", "minimal", "--handler", "Checkpoint", "--backend", "sha256/portable"];
    let text = conform(&arguments);
    let json = conform(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!((text.status, json.status), (0, 0));
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let passed = report["passed"].as_u64().unwrap();
    assert_eq!(text.last_line(), format!("{passed} passed, 0 failed"));
    assert_eq!(report["backends"][0]["name"], "sha256/portable");
    assert_eq!(report["backends"][0]["roots"].as_u64(), Some(passed));
    let forks = report["forks"].as_array().unwrap();
    assert_eq!(forks.iter().map(|row| row["passed"].as_u64().unwrap()).sum::<u64>(), passed);
}
