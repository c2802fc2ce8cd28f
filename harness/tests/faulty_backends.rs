//! A run must be able to fail: hashers that are wrong in ways that have happened are each caught on the embedded corpus,
//! by name, and the right one beside them is not accused.

use pair_hashers::{Family, Node, Pair, PairHasher, auto, testing};
use sha3::{Digest, Sha3_256};
use spec_vectors::{Filter, Source};
use ssz_conformance::backends::Backends;
use ssz_conformance::ledger::Ledger;
use ssz_conformance::report::Report;
use ssz_conformance::rfc6962::leaf_hash;
use ssz_conformance::runner::sweep::{Silent, Sweep};

/// What a fault makes of right nodes.
type Spoil = fn(&[Pair], &mut [Node]);

/// Right, but for what `spoil` does to the nodes.
struct Faulty {
    name: &'static str,
    family: Family,
    spoil: Spoil,
}

impl PairHasher for Faulty {
    fn name(&self) -> &str {
        self.name
    }

    fn family(&self) -> Family {
        self.family
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        auto(self.family).hash_pairs(pairs, nodes);
        (self.spoil)(pairs, nodes);
    }
}

fn run(faulty: &Faulty) -> Report {
    let (sources, filter) = ([Ok(Source::embedded())], Filter::default());
    let backends = Backends::only(&[auto(faulty.family), faulty]).unwrap();
    Sweep { sources: &sources, filter: &filter, backends: &backends, ledger: Ledger::embedded() }.run(&Silent)
}

/// The family whose name a hasher's begins with.
fn family_of(name: &str) -> Family {
    name.split('/').next().unwrap().parse().unwrap()
}

/// How many cases a fault fails, after checking that nobody else is blamed.
fn caught(name: &'static str, spoil: Spoil) -> usize {
    let report = run(&Faulty { name, family: family_of(name), spoil });
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
        family: Family::Sha256,
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

/// Hashes each pair by another function.
fn instead(pairs: &[Pair], nodes: &mut [Node], hash: impl Fn(&Pair) -> Node) {
    pairs.iter().zip(nodes).for_each(|(pair, node)| *node = hash(pair));
}

#[test]
fn another_function_that_is_nearly_the_familys_is_caught() {
    let wrong: [(&str, Spoil); 4] = [
        // FIPS 202's padding in place of Keccak's
        ("keccak256/sha3", |pairs, nodes| instead(pairs, nodes, |pair| Sha3_256::digest(pair).into())),
        ("keccak256/sha256", |pairs, nodes| testing::reference(Family::Sha256).hash_pairs(pairs, nodes)),
        // the prefix of leaves, and none
        ("rfc6962/leaf-prefix", |pairs, nodes| instead(pairs, nodes, |pair| leaf_hash(pair))),
        ("rfc6962/no-prefix", |pairs, nodes| testing::reference(Family::Sha256).hash_pairs(pairs, nodes)),
    ];
    for (name, spoil) in wrong {
        assert!(caught(name, spoil) > 1000, "{name}");
    }
}

#[test]
fn what_is_right_for_one_pair_and_wrong_in_one_lane_is_caught_in_every_family() {
    for name in ["sha256/lane-1", "keccak256/lane-1", "rfc6962/lane-1"] {
        let spoil = |_: &[Pair], nodes: &mut [Node]| {
            if let [_, second, ..] = nodes {
                second[0] ^= 1;
            }
        };
        assert!(caught(name, spoil) > 100, "{name}");
    }
}

#[test]
fn a_fault_is_located_by_the_reference_of_its_family() {
    let spoil = |_: &[Pair], nodes: &mut [Node]| {
        if let [_, second, ..] = nodes {
            second[0] ^= 1;
        }
    };
    let report = run(&Faulty { name: "keccak256/lane-1", family: Family::Keccak256, spoil });
    let failures: Vec<_> = report.failures.iter().flat_map(|case| &case.failures).collect();
    let roots: Vec<_> = failures.iter().filter(|failure| failure.message == "the root differs").collect();
    assert!(roots.len() > 100, "{}", roots.len());
    for failure in roots {
        let batch = failure.fault.as_ref().and_then(|fault| fault.batch);
        assert_eq!(batch.map(|batch| batch.pair), Some(1), "{failure}");
    }
}

/// Only when there is a vector to say so are all of them right and the vector wrong.
#[test]
fn hashers_that_are_wrong_alike_are_not_right() {
    let spoil = |_: &[Pair], nodes: &mut [Node]| nodes.iter_mut().for_each(|node| node[0] ^= 1);
    let [one, two] =
        ["rfc6962/one", "rfc6962/two"].map(|name| Faulty { name, family: Family::Rfc6962, spoil });
    let (sources, filter) = ([Ok(Source::embedded())], Filter::default());
    let backends = Backends::only(&[&one, &two]).unwrap();
    let sweep = Sweep { sources: &sources, filter: &filter, backends: &backends, ledger: Ledger::embedded() };
    let report = sweep.run(&Silent);
    let blamed = |name: &str| {
        let failures = report.failures.iter().flat_map(|case| &case.failures);
        failures.filter(|failure| failure.backend.as_deref() == Some(name)).count()
    };
    assert!(blamed("rfc6962/one") > 1000, "{}", blamed("rfc6962/one"));
    assert_eq!(blamed("rfc6962/one"), blamed("rfc6962/two"));
}

#[test]
fn a_right_hasher_is_not_accused() {
    for name in ["sha256/right", "keccak256/right", "rfc6962/right"] {
        let report = run(&Faulty { name, family: family_of(name), spoil: |_, _| {} });
        assert_eq!((report.failed, report.exit_status()), (0, 0), "{report}");
        assert!(report.passed >= 1700, "{}", report.passed);
    }
}
