//! The embedded corpus is what its script makes, and covers what it is said to cover.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Given, walk};
use sha2::{Digest, Sha256};
use spec_vectors::{Filter, Source};

const FORKS: [&str; 9] =
    ["altair", "bellatrix", "capella", "deneb", "electra", "fulu", "gloas", "heze", "phase0"];

const SUITES: [&str; 7] =
    ["ssz_lengthy", "ssz_max", "ssz_nil", "ssz_one", "ssz_random", "ssz_random_chaos", "ssz_zero"];

fn corpus() -> Given {
    walk(&Source::embedded(), &Filter::default())
}

#[test]
fn the_archive_has_its_digest_and_size() {
    let archive = include_bytes!("../corpus/corpus.tar.gz");
    let hex: String = Sha256::digest(archive).iter().map(|byte| format!("{byte:02x}")).collect();
    let line = include_str!("../corpus/corpus.sha256").lines().next().unwrap();
    assert_eq!(line, format!("{hex}  corpus.tar.gz"), "make the corpus again: see vectors/corpus/README.md");
    assert!(archive.len() <= 2 << 20);
}

#[test]
fn nothing_in_it_is_left_out() {
    let given = corpus();
    assert_eq!(given.walked.cases, 2120);
    assert!(given.left_out.is_empty() && given.problems.is_empty());
}

#[test]
fn every_fork_suite_and_handler_is_there() {
    let mut handlers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut forks: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut suites: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut types = BTreeSet::new();
    for case in corpus().cases {
        let id = case.id;
        if id.preset == "minimal" && id.runner == "ssz_static" {
            types.insert((id.fork.clone(), id.handler.clone()));
            suites.entry(id.fork.clone()).or_default().insert(id.suite.clone());
        }
        if id.runner == "ssz_generic" {
            handlers.entry(id.handler).or_default().insert(id.suite);
        }
        forks.entry(format!("{}/{}", id.preset, id.runner)).or_default().insert(id.fork);
    }
    assert_eq!(types.len(), 455, "types of all forks in minimal");
    assert!(suites.values().all(|suites| suites.iter().eq(SUITES)), "{suites:?}");
    assert_eq!(handlers.len(), 10);
    assert!(handlers.values().all(|suites| suites.iter().eq(["invalid", "valid"])), "{handlers:?}");
    assert!(forks["minimal/ssz_static"].iter().eq(FORKS) && forks["mainnet/ssz_static"].iter().eq(FORKS));
    for preset in ["minimal", "mainnet"] {
        assert!(forks[&format!("{preset}/light_client")].iter().eq(&FORKS[..8]), "{forks:?}");
        assert!(
            forks[&format!("{preset}/merkle_proof")].iter().eq(["deneb", "electra", "fulu"]),
            "{forks:?}"
        );
    }
}

#[test]
fn every_part_can_be_read() {
    for case in corpus().cases {
        for part in case.part_names() {
            let read = match part.ends_with(".ssz_snappy") {
                true => case.read_snappy(part).map(drop),
                false => case.read_text(part).map(drop),
            };
            read.unwrap();
        }
        let manifest = case.read_text("manifest.yaml").unwrap();
        let [preset, fork, runner, handler, suite, name] = case.id.names();
        let expected = format!(
            "preset: {preset}\nfork: {fork}\nrunner: {runner}\nhandler: {handler}\nsuite: {suite}\ncase: {name}\n"
        );
        // YAML quotes the names `true` and `false`.
        assert_eq!(manifest.replace('\'', ""), expected);
    }
}
