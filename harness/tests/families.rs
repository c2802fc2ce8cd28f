//! Runs over families whose roots no vector gives: what they check, and that they say what they do not.

use std::path::Path;

use pair_hashers::{Family, auto};
use spec_vectors::{Filter, Source, VectorError};
use ssz_conformance::backends::{BackendError, Backends};
use ssz_conformance::ledger::Ledger;
use ssz_conformance::report::Report;
use ssz_conformance::runner::sweep::{Silent, Sweep};

/// The families that are not that of consensus.
const OTHERS: [Family; 2] = [Family::Keccak256, Family::Rfc6962];

fn run(family: Family, sources: &[Result<Source, VectorError>], ledger: &Ledger) -> Report {
    let backends = Backends::all(family);
    Sweep { sources, filter: &Filter::default(), backends: &backends, ledger }.run(&Silent)
}

fn not_compared(report: &Report) -> Vec<(&str, u64)> {
    report.not_compared.iter().map(|entry| (entry.what.as_str(), entry.count)).collect()
}

#[test]
fn the_same_cases_and_roots_are_checked_as_of_consensus() {
    let sources = [Ok(Source::embedded())];
    let consensus = run(Family::Sha256, &sources, Ledger::embedded());
    assert_eq!(not_compared(&consensus), []);
    assert!(consensus.consensus && !consensus.to_string().contains("CONSENSUS"), "{consensus}");
    for family in OTHERS {
        let report = run(family, &sources, Ledger::embedded());
        assert_eq!((report.passed, report.failed), (consensus.passed, 0), "{report}");
        assert_eq!(report.exit_status(), 0);
        let roots = |report: &Report| report.backends.iter().find(|b| b.available).unwrap().work.roots;
        for backend in report.backends.iter().filter(|backend| backend.available) {
            assert_eq!(backend.work.roots, roots(&consensus), "{}", backend.name);
            assert!(backend.name.starts_with(&format!("{family}/")), "{}", backend.name);
        }
        let [("branch", branches), ("root", roots)] = not_compared(&report)[..] else {
            panic!("{:?}", report.not_compared)
        };
        assert!(branches > 10 && roots > 1000, "{branches} {roots}");
    }
}

#[test]
fn the_output_says_that_it_is_not_consensus() {
    let backends = Backends::all(Family::Keccak256);
    let (sources, filter) =
        ([Ok(Source::embedded())], Filter { handlers: vec!["Checkpoint".into()], ..Filter::default() });
    let sweep = Sweep { sources: &sources, filter: &filter, backends: &backends, ledger: Ledger::embedded() };
    let report = sweep.run(&Silent);
    let text = report.to_string();
    assert!(text.starts_with("NOT CONSENSUS: these roots are of keccak256; "), "{text}");
    assert!(text.contains("that of keccak256/reference"), "{text}");
    assert!(text.ends_with(" passed, 0 failed (keccak256, NOT CONSENSUS)"), "{text}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["family"], "keccak256");
    assert_eq!(json["consensus"], false);
    assert_eq!(json["compared_with"], "keccak256/reference");
    assert_eq!(json["not_compared"][0]["what"], "root");
    assert_eq!(json["not_compared"][0]["count"].as_u64(), Some(report.passed));
}

#[test]
fn proofs_of_ssz_specs_are_made_and_checked_by_every_family() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ssz_specs/vectors.tar.gz");
    for family in OTHERS {
        let report = run(family, &Source::open(&archive), Ledger::embedded());
        assert_eq!((report.passed, report.failed), (904, 0), "{report}");
        let whats: Vec<_> = not_compared(&report).iter().map(|(what, _)| *what).collect();
        assert_eq!(whats, ["branch", "multiproof", "root"]);
    }
}

/// It may be in the nodes, with which nothing was compared.
#[test]
fn a_known_disagreement_that_does_not_show_stays_known() {
    let case = "minimal/electra/ssz_static/Checkpoint/ssz_random/case_5";
    let sources = [Ok(Source::embedded())];
    let release = sources[0].as_ref().unwrap().release().unwrap();
    let ledger = Ledger::read(&format!("{release}\t{case}\tits root")).unwrap();
    assert_eq!(run(Family::Sha256, &sources, &ledger).failed, 1);
    let report = run(Family::Rfc6962, &sources, &ledger);
    assert_eq!((report.failed, report.known.len()), (0, 1), "{report}");
}

#[test]
fn families_do_not_mix() {
    let mixed = Backends::only(&[auto(Family::Keccak256), auto(Family::Sha256)]);
    let error = mixed.err().unwrap();
    assert!(matches!(error, BackendError::OtherFamily { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "sha256/auto is of sha256: expected a hasher of keccak256, as this run is (--family)"
    );
}
