//! `cargo xtask fetch-vectors` as its users run it, and `conform` on what it fetched.
#![cfg(feature = "fetch")]

#[allow(dead_code)]
#[path = "../../vectors/tests/common/server.rs"]
mod server;

use std::collections::BTreeMap;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use server::{Answer, Server, file};
use spec_vectors::{Filter, Item, Source};
use tempfile::TempDir;

const RELEASE: &str = "v1.7.0-alpha.13";

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

/// The embedded corpus as a release has it: an archive for each preset.
fn archives() -> BTreeMap<String, Vec<u8>> {
    let mut builders = BTreeMap::new();
    Source::embedded().walk(&Filter::default(), &mut |item| {
        let Item::Case(case) = item else { panic!("{item:?}") };
        let builder = builders
            .entry(format!("{}.tar.gz", case.id.preset))
            .or_insert_with(|| tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast())));
        for part in case.part_names() {
            let bytes = case.read(part).unwrap();
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, format!("tests/{}/{part}", case.id), &*bytes).unwrap();
        }
    });
    let finish = |builder: tar::Builder<GzEncoder<Vec<u8>>>| builder.into_inner().unwrap().finish().unwrap();
    builders.into_iter().map(|(name, builder)| (name, finish(builder))).collect()
}

#[test]
fn a_release_is_fetched_and_conforms() {
    let archives = archives();
    let server = Server::new(move |number, asked| {
        let name = asked.path.strip_prefix(&format!("/{RELEASE}/")).unwrap_or_default();
        match archives.get(name) {
            // The connection breaks twice.
            Some(bytes) if number < 2 => file(asked, bytes, "\"1\"").cut_after(bytes.len() / 3),
            Some(bytes) => file(asked, bytes, "\"1\""),
            None => Answer::new(404, "no"),
        }
    });
    let folder = TempDir::new().unwrap();
    let into = folder.path().to_str().unwrap();
    let url = server.url();
    let arguments = ["fetch-vectors", "--release", RELEASE, "--from", &url, "--into", into];

    let refused = xtask(&arguments);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("--trust-on-first-use"), "{}", refused.stderr);

    let fetched = xtask(&[&arguments[..], &["--trust-on-first-use"]].concat());
    assert_eq!(fetched.status, 0, "{}", fetched.stderr);
    let last = fetched.stdout.lines().last().unwrap();
    assert_eq!(last, format!("consensus-specs {RELEASE}: 2120 cases in {into}"));

    let listed = xtask(&["fetch-vectors", "--list", "--release", RELEASE, "--into", into]);
    assert_eq!(listed.stdout.matches("fetched").count(), 3, "{}", listed.stdout);

    let conform = xtask(&["conform", "--vectors", into, "--backend", "sha256/portable"]);
    assert_eq!(conform.stdout.lines().last(), Some("2120 passed, 0 failed"), "{}", conform.stderr);
    assert_eq!(conform.status, 0);
}

#[test]
fn a_wrong_request_is_told_from_a_failure() {
    let folder = TempDir::new().unwrap();
    let into = folder.path().to_str().unwrap();
    let preset = xtask(&["fetch-vectors", "--into", into, "--preset", "maximal"]);
    assert_eq!(preset.status, 2, "{}", preset.stderr);
    assert!(preset.stderr.contains("expected one of general, minimal, mainnet"), "{}", preset.stderr);
    let from = xtask(&["fetch-vectors", "--into", into, "--from", "ftp://somewhere"]);
    assert_eq!(from.status, 2, "{}", from.stderr);
    let absent = xtask(&["fetch-vectors", "--into", into, "--from", into]);
    assert_eq!(absent.status, 1, "{}", absent.stderr);
    assert!(absent.stderr.contains("general.tar.gz is in none of the places tried"), "{}", absent.stderr);
}

#[test]
fn known_releases_are_listed_with_their_digests() {
    let folder = TempDir::new().unwrap();
    let listed = xtask(&["fetch-vectors", "--list", "--into", folder.path().to_str().unwrap()]);
    assert_eq!(listed.status, 0, "{}", listed.stderr);
    let line =
        listed.stdout.lines().find(|line| line.contains("858531022 bytes")).expect("mainnet of alpha.12");
    assert!(line.contains("f0057d2acdea2730ec68cac2c796aad89174e10e9b38ac68ad7d8aa1c0cbd85c"), "{line}");
}
