//! Faults put into a hasher at random nodes, each to be found at exactly that node.

use std::sync::atomic::{AtomicUsize, Ordering};

use pair_hashers::Pair;
use sha2::{Digest, Sha256};
use spec_vectors::{Filter, Item, Source};

use super::*;

const ORDER: Progressive = Progressive::SubtreeFirst;

/// Right, but for one pair, whose left or right chunk it reads with a bit flipped, or whose node it writes so.
struct Flips {
    pair: Pair,
    flip: Flip,
}

#[derive(Clone, Copy)]
enum Flip {
    Chunk { bit: usize },
    Node { bit: usize },
}

impl PairHasher for Flips {
    fn name(&self) -> &str {
        "sha256/flips"
    }

    fn family(&self) -> Family {
        Family::Sha256
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        auto(Family::Sha256).hash_pairs(pairs, nodes);
        for (pair, node) in pairs.iter().zip(nodes).filter(|(pair, _)| **pair == self.pair) {
            match self.flip {
                Flip::Node { bit } => node[bit / 8] ^= 1 << (bit % 8),
                Flip::Chunk { bit } => {
                    let mut flipped = *pair;
                    flipped[bit / 8] ^= 1 << (bit % 8);
                    *node = Sha256::digest(flipped).into();
                }
            }
        }
    }
}

/// The largest object of a type in the corpus.
fn embedded(preset: &str, fork: &str, name: &str) -> (Type, Vec<u8>) {
    let only = |name: &str| vec![name.to_owned()];
    let filter = Filter {
        presets: only(preset),
        forks: only(fork),
        runners: only("ssz_static"),
        handlers: only(name),
        ..Filter::default()
    };
    let mut found: Option<Vec<u8>> = None;
    Source::embedded().walk(&filter, &mut |item| {
        if let Item::Case(case) = item {
            let bytes = case.read_snappy("serialized.ssz_snappy").unwrap();
            if found.as_ref().is_none_or(|found| found.len() < bytes.len()) {
                found = Some(bytes);
            }
        }
    });
    let bytes = found.unwrap_or_else(|| panic!("the corpus has no {preset} {fork} {name}"));
    (schema::find_type(&schema::select(None), preset, fork, name).unwrap(), bytes)
}

/// A state of random values with at least four validators.
fn random_state(random: &mut Random, fork: &str) -> (Type, Vec<u8>) {
    let ty = schema::find_type(&schema::select(None), "minimal", fork, "BeaconState").unwrap();
    let fourth = generalized_index(&ty, &"validators[3].pubkey".parse().unwrap(), ORDER).unwrap();
    let mut merkleizer = Merkleizer::with_progressive(auto(Family::Sha256), ORDER);
    let mut states = std::iter::repeat_with(|| random.value(&ty));
    let bytes = states.find(|bytes| merkleizer.node_at(&ty, bytes, &fourth).is_ok()).unwrap();
    (ty, bytes)
}

/// A random node whose pair of children stands nowhere else in the tree.
fn random_pair(random: &mut Random, ty: &Type, bytes: &[u8]) -> Option<(GeneralizedIndex, Pair)> {
    let mut merkleizer = Merkleizer::with_progressive(auto(Family::Sha256), ORDER);
    // subtrees of zeros are computed once and stand in many places
    let zeros: Vec<_> =
        std::iter::successors(Some(ZERO_CHUNK), |zero| Some(PLAIN.hash(*zero, *zero))).take(70).collect();
    let mut pair_of = |index: &GeneralizedIndex| -> Option<Pair> {
        let [left, right] =
            [false, true].map(|right| merkleizer.node_at(ty, bytes, &index.clone().child(right)).ok());
        let pair: Pair = [left?, right?].concat().try_into().unwrap();
        Some(pair).filter(|_| !zeros.contains(&PLAIN.hash(left.unwrap(), right.unwrap())))
    };
    let mut index = GeneralizedIndex::root();
    for _ in 0..random.next() % 60 {
        let first = random.next().is_multiple_of(2);
        let children = [first, !first].map(|right| index.clone().child(right));
        match children.into_iter().find(|child| pair_of(child).is_some()) {
            Some(child) => index = child,
            None => break,
        }
    }
    let pair = pair_of(&index)?;
    (occurrences(ty, bytes, pair) == 1).then_some((index, pair))
}

fn occurrences(ty: &Type, bytes: &[u8], pair: Pair) -> usize {
    struct Counts(Pair, AtomicUsize);
    impl PairHasher for Counts {
        fn name(&self) -> &str {
            "sha256/counts"
        }
        fn family(&self) -> Family {
            Family::Sha256
        }
        fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
            self.1.fetch_add(pairs.iter().filter(|pair| **pair == self.0).count(), Ordering::Relaxed);
            auto(Family::Sha256).hash_pairs(pairs, nodes);
        }
    }
    let counts = Counts(pair, AtomicUsize::new(0));
    Merkleizer::with_progressive(&counts, ORDER).root(ty, bytes).unwrap();
    counts.1.into_inner()
}

/// Puts `count` faults into the tree of a value and expects that each is found where it is. Gives how deep they were.
fn faults_are_found(random: &mut Random, ty: &Type, bytes: &[u8], count: usize) -> Vec<usize> {
    let mut depths = Vec::new();
    for attempt in 0.. {
        if depths.len() == count {
            break;
        }
        assert!(attempt < count * 50, "too few nodes with a pair of their own in {ty}");
        let Some((index, pair)) = random_pair(random, ty, bytes) else { continue };
        let bit = random.next() as usize;
        let flip = match attempt % 2 {
            0 => Flip::Chunk { bit: bit % 512 },
            _ => Flip::Node { bit: bit % 256 },
        };
        let flips = Flips { pair, flip };
        let fault =
            locate(ty, bytes, &flips, auto(Family::Sha256), ORDER).unwrap().expect("the roots differ");
        assert_eq!(fault.index, index, "{fault}");
        let mut merkleizer = Merkleizer::with_progressive(auto(Family::Sha256), ORDER);
        assert_eq!(merkleizer.node_at(ty, bytes, &index), Ok(fault.expected));
        assert_ne!(fault.expected, fault.computed);
        assert_eq!(fault.place, place_in(ty, bytes, &index, ORDER).unwrap().to_string());
        let batch = fault.batch.expect("a computed node");
        assert!(batch.pair < batch.pairs);
        depths.push(fault.level());
    }
    depths
}

#[test]
fn a_hundred_random_faults_are_each_found_where_they_are() {
    let mut random = Random(21);
    let mut depths = Vec::new();
    let (state, bytes) = embedded("minimal", "phase0", "BeaconState");
    depths.extend(faults_are_found(&mut random, &state, &bytes, 12));
    for fork in ["electra", "gloas"] {
        let (ty, bytes) = random_state(&mut random, fork);
        depths.extend(faults_are_found(&mut random, &ty, &bytes, 12));
    }
    for (name, count) in [
        ("List[uint64, 1099511627776]", 8),
        ("List[VarTestStruct, 77]", 10),
        ("ProgressiveList[VarTestStruct]", 10),
        ("ProgressiveList[uint64]", 8),
        ("ProgressiveComplexTestStruct", 10),
        ("ProgressiveTestStruct", 6),
        ("CompatibleUnionABCA", 6),
        ("List[CompatibleUnionBC, 50]", 6),
    ] {
        let ty = ty(name);
        for _ in 0..count {
            let bytes = std::iter::repeat_with(|| random.value(&ty)).find(|bytes| bytes.len() > 60).unwrap();
            depths.extend(faults_are_found(&mut random, &ty, &bytes, 1));
        }
    }
    assert_eq!(depths.len(), 100);
    assert!(depths.iter().any(|&depth| depth > 20) && depths.iter().any(|&depth| depth < 5), "{depths:?}");
}

#[test]
fn a_fault_is_named_by_field_index_level_and_batch() {
    let (ty, bytes) = random_state(&mut Random(22), "electra");
    let path: Path = "validators[3].pubkey".parse().unwrap();
    let index = generalized_index(&ty, &path, ORDER).unwrap();
    let mut merkleizer = Merkleizer::new(auto(Family::Sha256));
    let halves =
        [false, true].map(|right| merkleizer.node_at(&ty, &bytes, &index.clone().child(right)).unwrap());
    let flips = Flips { pair: halves.concat().try_into().unwrap(), flip: Flip::Node { bit: 9 } };
    let fault = locate(&ty, &bytes, &flips, auto(Family::Sha256), ORDER).unwrap().unwrap();
    let text = fault.to_string();
    let expected = format!(
        "validators[3].pubkey, generalized index {index}, level {}, pair 3 of a batch of ",
        index.depth()
    );
    assert!(text.starts_with(&expected), "{text}");
}

/// Wrong only in the lanes or batches that `spoil` chooses.
struct Spoils(fn(&mut [Node]));

impl PairHasher for Spoils {
    fn name(&self) -> &str {
        "sha256/spoils"
    }

    fn family(&self) -> Family {
        Family::Sha256
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        auto(Family::Sha256).hash_pairs(pairs, nodes);
        self.0(nodes);
    }
}

#[test]
fn faults_of_lanes_and_batches_are_found_in_them() {
    let (ty, bytes) = embedded("minimal", "electra", "BeaconState");
    let find = |spoil| locate(&ty, &bytes, &Spoils(spoil), auto(Family::Sha256), ORDER).unwrap().unwrap();
    let last_lane = find(|nodes| nodes.iter_mut().skip(15).step_by(16).for_each(|node| node[31] ^= 1));
    assert_eq!(last_lane.batch.unwrap().pair % 16, 15, "{last_lane}");
    let wide = find(|nodes| {
        if nodes.len() > 16 {
            nodes[2][0] ^= 0x80;
        }
    });
    assert!(wide.batch.unwrap().pairs > 16 && wide.batch.unwrap().pair == 2, "{wide}");
    let swapped = find(|nodes| nodes.chunks_exact_mut(4).for_each(|lanes| lanes.swap(1, 2)));
    assert!([1, 2].contains(&(swapped.batch.unwrap().pair % 4)), "{swapped}");
    let stuck = find(|nodes| nodes.fill([7; 32]));
    assert_eq!(stuck.computed, [7; 32]);
    assert!(stuck.batch.is_some(), "{stuck}");
    let right = Spoils(|_| {});
    assert_eq!(locate(&ty, &bytes, &right, auto(Family::Sha256), ORDER), Ok(None));
}
