//! A run must be able to fail: hashers that are wrong in ways that have happened are each caught on the embedded corpus,
//! by name, and the right one beside them is not accused.

use pair_hashers::{Family, Node, Pair, PairHasher, auto};
use spec_vectors::{Filter, Source};
use ssz_conformance::backends::Backends;
use ssz_conformance::ledger::Ledger;
use ssz_conformance::report::Report;
use ssz_conformance::runner::sweep::{Silent, Sweep};

/// Right, but for what `spoil` does to the nodes.
struct Faulty {
    name: &'static str,
    spoil: fn(&[Pair], &mut [Node]),
}

impl PairHasher for Faulty {
    fn name(&self) -> &str {
        self.name
    }

    fn family(&self) -> Family {
        Family::Sha256
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        auto(Family::Sha256).hash_pairs(pairs, nodes);
        (self.spoil)(pairs, nodes);
    }
}

fn run(faulty: &Faulty) -> Report {
    let (sources, filter) = ([Ok(Source::embedded())], Filter::default());
    let backends = Backends::only(&[auto(Family::Sha256), faulty]);
    Sweep { sources: &sources, filter: &filter, backends: &backends, ledger: Ledger::embedded() }.run(&Silent)
}

/// How many cases a fault fails, after checking that nobody else is blamed.
fn caught(name: &'static str, spoil: fn(&[Pair], &mut [Node])) -> usize {
    let report = run(&Faulty { name, spoil });
    for failure in report.failures.iter().flat_map(|case| &case.failures) {
        assert_eq!(failure.backend.as_deref(), Some(name), "{failure}");
    }
    assert_eq!(report.failed, report.failures.len() as u64);
    report.failures.len()
}

#[test]
fn a_wrong_last_lane_is_caught() {
    let spoil =
        |_: &[Pair], nodes: &mut [Node]| nodes.iter_mut().skip(15).step_by(16).for_each(|node| node[31] ^= 1);
    assert!(caught("sha256/last-lane", spoil) > 100);
}

#[test]
fn a_wrong_root_names_its_first_wrong_node_and_lane() {
    let report = run(&Faulty {
        name: "sha256/last-lane",
        spoil: |_, nodes| nodes.iter_mut().skip(15).step_by(16).for_each(|node| node[31] ^= 1),
    });
    let failures: Vec<_> = report.failures.iter().flat_map(|case| &case.failures).collect();
    // a proof's root is not looked into: the object's own is
    let roots: Vec<_> = failures.iter().filter(|failure| failure.message == "the root differs").collect();
    assert!(roots.len() > 100, "{}", roots.len());
    for failure in roots {
        let fault = failure.fault.as_ref().unwrap_or_else(|| panic!("no fault was found: {failure}"));
        let batch = fault.batch.unwrap_or_else(|| panic!("no batch: {failure}"));
        assert_eq!(batch.pair % 16, 15, "{failure}");
        let difference = fault.expected.iter().zip(&fault.computed).filter(|(a, b)| a != b).count();
        assert_eq!(difference, 1, "{failure}");
        assert!(
            failure.to_string().contains(&format!("first at {}, generalized index ", fault.place)),
            "{failure}"
        );
    }
}

#[test]
fn swapped_lanes_are_caught() {
    let spoil = |_: &[Pair], nodes: &mut [Node]| nodes.chunks_exact_mut(4).for_each(|lanes| lanes.swap(1, 2));
    assert!(caught("sha256/swapped-lanes", spoil) > 100);
}

#[test]
fn what_is_wrong_only_in_wide_batches_is_caught() {
    let spoil = |_: &[Pair], nodes: &mut [Node]| {
        if nodes.len() > 16 {
            nodes[0][0] ^= 0x80;
        }
    };
    assert!(caught("sha256/wide-batches", spoil) > 20);
}

#[test]
fn wrong_zero_pairs_are_caught() {
    let spoil = |pairs: &[Pair], nodes: &mut [Node]| {
        let zeros = pairs.iter().zip(nodes).filter(|(pair, _)| **pair == [0; 64]);
        zeros.for_each(|(_, node)| node[7] ^= 4);
    };
    assert!(caught("sha256/zero-pairs", spoil) > 100);
}

#[test]
fn a_hasher_that_panics_fails_its_cases_and_no_others() {
    let spoil = |_: &[Pair], nodes: &mut [Node]| assert!(nodes.len() < 1000, "too many");
    let count = caught("sha256/panics", spoil);
    assert!(count > 0 && count < 1000, "{count}");
}

#[test]
fn a_right_hasher_is_not_accused() {
    let report = run(&Faulty { name: "sha256/right", spoil: |_, _| {} });
    assert_eq!((report.failed, report.exit_status()), (0, 0));
    assert!(report.passed >= 1700, "{}", report.passed);
}
