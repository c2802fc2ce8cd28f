//! Generalized indices and proofs against the root, the specification's constants, and each other.

use super::*;
use crate::merkle::{Part, PathFault, PlaceError};

const ORDERS: [Progressive; 2] = [Progressive::SubtreeFirst, Progressive::RestFirst];

const TYPES: [&str; 22] = [
    "boolean",
    "uint256",
    "Bitvector[300]",
    "Bitlist[2000]",
    "ProgressiveBitlist",
    "ByteVector[96]",
    "ByteList[5000]",
    "ProgressiveList[byte]",
    "Vector[Bytes32, 5]",
    "List[uint64, 1000]",
    "List[Bytes32, 1099511627776]",
    "ProgressiveList[uint64]",
    "ProgressiveList[VarTestStruct]",
    "List[List[List[uint16, 40], 9], 9]",
    "SingleFieldTestStruct",
    "ComplexTestStruct",
    "ProgressiveTestStruct",
    "ProgressiveBitsStruct",
    "ProgressiveComplexTestStruct",
    "CompatibleUnionABCA",
    "List[CompatibleUnionBC, 50]",
    "Union[None, uint64, List[uint16, 4]]",
];

fn index(text: &str) -> GeneralizedIndex {
    text.parse().expect(text)
}

fn path(text: &str) -> Path {
    text.parse().expect(text)
}

/// A node of the value's tree, reached by random turns: where there is no such node, the one above it.
fn random_node(
    random: &mut Random,
    merkleizer: &mut Merkleizer<'_>,
    ty: &Type,
    bytes: &[u8],
) -> GeneralizedIndex {
    let mut index = GeneralizedIndex::root();
    for _ in 0..random.next() % 30 {
        let child = index.clone().child(random.next().is_multiple_of(3));
        if merkleizer.node_at(ty, bytes, &child).is_err() {
            break;
        }
        index = child;
    }
    index
}

#[test]
fn every_proof_gives_the_root() {
    let mut random = Random(11);
    let hasher = auto(Family::Sha256);
    let mut deepest = 0;
    for order in ORDERS {
        let mut merkleizer = Merkleizer::with_progressive(hasher, order);
        for name in TYPES {
            let ty = ty(name);
            for _ in 0..12 {
                let bytes = random.value(&ty);
                let root = merkleizer.root(&ty, &bytes).unwrap();
                let mut asked = Vec::new();
                for _ in 0..6 {
                    let index = random_node(&mut random, &mut merkleizer, &ty, &bytes);
                    deepest = deepest.max(index.depth());
                    let proof = merkleizer.prove(&ty, &bytes, &index).unwrap();
                    assert_eq!(proof.root(hasher), Ok(root), "{name} {index}");
                    assert_eq!(merkleizer.node_at(&ty, &bytes, &index), Ok(proof.leaf));
                    let related =
                        |other: &GeneralizedIndex| other.is_within(&index) || index.is_within(other);
                    if !asked.iter().any(related) {
                        asked.push(index);
                    }
                }
                let proof = merkleizer.prove_many(&ty, &bytes, &asked).unwrap();
                assert_eq!(proof.root(hasher), Ok(root), "{name} {asked:?}");
                if let [index] = asked.as_slice() {
                    let single = merkleizer.prove(&ty, &bytes, index).unwrap();
                    assert_eq!(proof.helpers, single.branch);
                }
            }
        }
    }
    assert!(deepest > 20, "{deepest}");
}

#[test]
fn a_spoiled_proof_does_not_give_the_root() {
    let mut random = Random(12);
    let hasher = auto(Family::Sha256);
    let mut merkleizer = Merkleizer::new(hasher);
    let ty = ty("ProgressiveComplexTestStruct");
    let bytes = random.value(&ty);
    let root = merkleizer.root(&ty, &bytes).unwrap();
    let indices = [index("3"), index("4"), index("40")];
    let proof = merkleizer.prove_many(&ty, &bytes, &indices).unwrap();
    assert_eq!(proof.root(hasher), Ok(root));
    for at in 0..proof.helpers.len() {
        let mut spoiled = proof.clone();
        spoiled.helpers[at][0] ^= 1;
        assert_ne!(spoiled.root(hasher), Ok(root));
    }
    let mut spoiled = proof.clone();
    spoiled.leaves.swap(0, 1);
    assert_ne!(spoiled.root(hasher), Ok(root));
    spoiled.leaves.pop();
    let error = spoiled.root(hasher).unwrap_err().to_string();
    assert_eq!(error, "3 indices, but 2 leaves");
    let mut spoiled = proof;
    spoiled.helpers.pop();
    assert!(
        matches!(spoiled.root(hasher), Err(MultiproofError::Helpers { expected, found }) if expected == found + 1)
    );
}

#[test]
fn indices_that_do_not_go_together_are_refused() {
    let helpers =
        |indices: &[&str]| helper_indices(&indices.iter().map(|text| index(text)).collect::<Vec<_>>());
    assert_eq!(helpers(&[]), Err(IndicesError::Empty));
    assert_eq!(helpers(&["4", "5", "4"]), Err(IndicesError::Repeated(index("4"))));
    assert_eq!(helpers(&["9", "2"]), Err(IndicesError::Nested(index("9"), index("2"))));
    assert_eq!(helpers(&["2", "9"]), Err(IndicesError::Nested(index("9"), index("2"))));
    assert_eq!(helpers(&["1", "3"]), Err(IndicesError::Nested(index("3"), index("1"))));
    // the example of the specification's get_helper_indices: descending
    assert_eq!(helpers(&["8", "9", "14"]).unwrap(), [index("15"), index("6"), index("5")]);
    assert_eq!(helpers(&["1"]).unwrap(), []);
}

#[test]
fn the_specification_s_constants_come_out() {
    let consensus =
        |fork: &str, name: &str| schema::find_type(&schema::select(None), "mainnet", fork, name).unwrap();
    // altair, electra: light-client/sync-protocol.md; deneb: p2p-interface.md; gloas: progressive containers
    let constants = [
        ("altair", "BeaconState", "finalized_checkpoint.root", "105"),
        ("altair", "BeaconState", "current_sync_committee", "54"),
        ("altair", "BeaconState", "next_sync_committee", "55"),
        ("electra", "BeaconState", "finalized_checkpoint.root", "169"),
        ("electra", "BeaconState", "current_sync_committee", "86"),
        ("electra", "BeaconState", "next_sync_committee", "87"),
        ("capella", "BeaconBlockBody", "execution_payload", "25"),
        ("gloas", "BeaconState", "current_sync_committee", "2945"),
    ];
    for (fork, name, text, expected) in constants {
        let ty = consensus(fork, name);
        let found = generalized_index(&ty, &path(text), Progressive::SubtreeFirst).unwrap();
        assert_eq!(found, index(expected), "{fork} {name} {text}");
    }
    // EIP-7916: where a spine's first chunks are
    let list = ty("ProgressiveList[Bytes32]");
    for (chunk, expected) in [(0, "4"), (1, "40"), (5, "352"), (21, "2944")] {
        let found = generalized_index(&list, &path(&format!("[{chunk}]")), Progressive::SubtreeFirst);
        assert_eq!(found.unwrap(), index(expected));
    }
    let old = generalized_index(&list, &path("[1]"), Progressive::RestFirst).unwrap();
    // content 2, rest of the spine 4, its subtree 9, its first leaf 36
    assert_eq!(old, index("36"));
}

/// A random path that fits the type, and whether it ends at a node of its own, not in a shared chunk.
fn random_path(random: &mut Random, ty: &Type) -> (Path, bool) {
    let (mut ty, mut steps, mut own) = (ty.clone(), Vec::new(), true);
    loop {
        let word = match ty.kind() {
            Kind::List { .. } | Kind::BitList { .. } | Kind::ProgressiveByteList => Some(Word::Length),
            Kind::ProgressiveContainer { .. } => Some(Word::ActiveFields),
            Kind::CompatibleUnion { .. } | Kind::Union { .. } => Some(Word::Selector),
            _ => None,
        };
        if random.next().is_multiple_of(6) {
            steps.extend(word.map(Step::Word));
            return (Path(steps), own);
        }
        let position = |random: &mut Random, end: u64| Step::Position(random.next() % end.max(1));
        let (step, next) = match ty.kind() {
            Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => {
                let field = &fields[random.next() as usize % fields.len()];
                (Step::Field(field.name.clone()), field.ty.clone())
            }
            Kind::Vector { element, length } => (position(random, *length as u64), element.clone()),
            Kind::List { element, limit } if *limit > 0 => (position(random, *limit), element.clone()),
            Kind::ProgressiveList { element } => (position(random, u64::MAX), element.clone()),
            Kind::CompatibleUnion { options } => {
                let (selector, option) = &options[random.next() as usize % options.len()];
                (Step::Position((*selector).into()), option.clone())
            }
            Kind::BitList { limit } => {
                steps.push(position(random, *limit));
                return (Path(steps), false);
            }
            _ => return (Path(steps), own),
        };
        own = !(next.is_basic() && matches!(step, Step::Position(_)));
        steps.push(step);
        ty = next;
    }
}

#[test]
fn paths_and_indices_lead_to_each_other() {
    let mut random = Random(13);
    let types = ["List[ComplexTestStruct, 1099511627776]", "ProgressiveList[ProgressiveList[uint64]]"];
    let mut exact = 0;
    for name in TYPES.into_iter().chain(types).filter(|name| !name.starts_with("Union")) {
        for order in ORDERS {
            let ty = ty(name);
            for _ in 0..200 {
                let (path, own) = random_path(&mut random, &ty);
                let index = generalized_index(&ty, &path, order).unwrap();
                let place = place_of(&ty, &index, order).unwrap();
                // a container of one field is at its field's node, and one option's field at another's: the index
                // is the same, the path need not be
                match place.exact_path() {
                    Some(back) => {
                        assert_eq!(generalized_index(&ty, &back, order), Ok(index), "{name} {path}");
                        exact += 1;
                    }
                    None => assert!(!own, "{name} {path}: {place}"),
                }
            }
        }
    }
    assert!(exact > 3000, "{exact}");
}

#[test]
fn a_place_is_named_by_what_it_covers() {
    let (complex, order) = (ty("ComplexTestStruct"), Progressive::SubtreeFirst);
    let named = |ty: &Type, text: &str| place_of(ty, &index(text), order).unwrap().to_string();
    // A to G are the leaves 8 to 14
    let expected = [
        ("1", "the value itself"),
        ("2", "{A..D}"),
        ("7", "{G..G}"),
        ("9", "B"),
        ("18", "B.__contents__"),
        ("19", "B.__len__"),
        ("36", "B[0..64]"),
        ("144", "B[0..16]"),
        ("15", "__gap__"),
        ("13", "F"),
        ("54", "F[2]"),
        ("27", "F[2..4]"),
    ];
    let shifted: Vec<_> = expected.iter().map(|(index, _)| named(&complex, index)).collect();
    assert_eq!(shifted[..9], expected[..9].iter().map(|(_, text)| (*text).to_owned()).collect::<Vec<_>>());
    let f = generalized_index(&complex, &path("F"), order).unwrap();
    let pair = f.clone().child(true);
    assert_eq!(place_of(&complex, &pair, order).unwrap().to_string(), "F[2..4]");
    assert_eq!(place_of(&complex, &pair.child(false), order).unwrap().to_string(), "F[2]");
    let spine = ty("ProgressiveList[uint64]");
    assert_eq!(named(&spine, "2"), "__contents__");
    assert_eq!(named(&spine, "5"), "[4..]");
    assert_eq!(named(&spine, "10"), "[4..20]");
    assert_eq!(named(&spine, "40"), "[4..8]");
    let gaps = ty("ProgressiveVarTestStruct");
    assert_eq!(named(&gaps, "40"), "__gap__");
    assert_eq!(named(&gaps, "41"), "B");
    let error = place_of(&gaps, &index("80"), order).unwrap_err();
    assert!(matches!(error, PlaceError::BelowLeaf { .. }), "{error}");
    assert_eq!(error.to_string(), "there is no node 80: __gap__ has no children");
    assert_eq!(place_of(&gaps, &index("3"), order).unwrap().part, Part::Word(Word::ActiveFields));
    // the value says which option
    let union = ty("CompatibleUnionBC");
    let bytes = [vec![3, 7, 9, 0, 0, 0, 9, 0, 0, 0], vec![1]].concat();
    assert_eq!(place_in(&union, &bytes, &index("8"), order).unwrap().to_string(), "[3].A");
    assert_eq!(place_of(&union, &index("2"), order).unwrap().to_string(), "[2]");
}

#[test]
fn a_path_that_does_not_fit_is_refused_at_its_step() {
    let fault = |name: &str, text: &str| {
        let error = generalized_index(&ty(name), &path(text), Progressive::SubtreeFirst).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
        error.fault().clone()
    };
    assert!(matches!(fault("uint64", "[0]"), PathFault::NoParts(_)));
    assert!(matches!(fault("uint64", "__len__"), PathFault::NoParts(_)));
    assert!(matches!(fault("ComplexTestStruct", "B[1].x"), PathFault::NoParts(_)));
    assert!(matches!(fault("ComplexTestStruct", "D[1][0]"), PathFault::NoParts(_)));
    assert!(matches!(fault("ComplexTestStruct", "B.__len__[0]"), PathFault::NoPartsOfWord(Word::Length)));
    assert!(matches!(fault("ComplexTestStruct", "__len__"), PathFault::NoWord(_, Word::Length)));
    assert!(matches!(fault("ComplexTestStruct", "H"), PathFault::NoSuchField(_)));
    assert!(matches!(fault("ComplexTestStruct", "[0]"), PathFault::NoSuchField(_)));
    assert!(matches!(fault("CompatibleUnionBC", "[1]"), PathFault::NoSuchOption(_)));
    assert!(matches!(fault("CompatibleUnionBC", "A"), PathFault::NotAPosition(_)));
    assert!(matches!(fault("ComplexTestStruct", "B[128]"), PathFault::NoSuchPosition(_, 128)));
    assert!(matches!(fault("ComplexTestStruct", "G[2]"), PathFault::NoSuchPosition(_, 2)));
    assert!(matches!(fault("ComplexTestStruct", "B.x"), PathFault::NotAPosition(_)));
}

#[test]
fn a_node_that_is_not_there_is_refused_by_its_reason() {
    let mut merkleizer = Merkleizer::new(auto(Family::Sha256));
    let mut refused =
        |name: &str, bytes: &[u8], text: &str| merkleizer.prove(&ty(name), bytes, &index(text)).unwrap_err();
    let (list, spine) = ("List[SmallTestStruct, 4]", "ProgressiveList[uint64]");
    // elements at 8 to 11, and nothing below the one that is not there
    assert!(matches!(refused(list, &[1, 0, 2, 0], "18"), NodeError::BelowAbsent(_)));
    assert!(matches!(refused(list, &[1, 0, 2, 0], "6"), NodeError::BelowWord(_)));
    assert!(matches!(refused("uint64", &[0; 8], "2"), NodeError::BelowChunk(_)));
    assert!(matches!(refused(spine, &[0; 8], "10"), NodeError::PastSpine(_)));
    assert!(matches!(refused(spine, &[], "4"), NodeError::PastSpine(_)));
    assert!(matches!(refused(list, &[1, 0, 2], "8"), NodeError::Malformed(_)));
    assert!(merkleizer.prove(&ty(spine), &[0; 8], &index("5")).is_ok());
    assert!(merkleizer.prove(&ty(list), &[1, 0, 2, 0], &index("9")).is_ok());
}

/// `List[List[.. uint64 .., 2^40], 2^40]`
fn nested_lists(levels: usize) -> Type {
    (1..levels).fold(ty("List[uint64, 1099511627776]"), |inner, _| Type::list(inner, 1 << 40).unwrap())
}

#[test]
fn deep_types_and_wide_limits_cost_what_their_bytes_do() {
    let deep = nested_lists(crate::types::MAX_DEPTH);
    let path = Path(vec![Step::Position(0); crate::types::MAX_DEPTH]);
    let index = generalized_index(&deep, &path, Progressive::SubtreeFirst).unwrap();
    // 41 steps for each list, 39 for the innermost, whose numbers share chunks four by four
    assert_eq!(index.depth(), 127 * 41 + 39);
    assert_eq!(index.to_string().parse(), Ok(index.clone()));
    // one offset a level, then one number
    let bytes = [[4u8, 0, 0, 0].repeat(crate::types::MAX_DEPTH - 1), vec![7, 0, 0, 0, 0, 0, 0, 0]].concat();
    let hasher = auto(Family::Sha256);
    let mut merkleizer = Merkleizer::new(hasher);
    let proof = merkleizer.prove(&deep, &bytes, &index).unwrap();
    assert_eq!(proof.leaf[0], 7);
    assert_eq!(proof.root(hasher), Ok(merkleizer.root(&deep, &bytes).unwrap()));
    let place = place_in(&deep, &bytes, &index, Progressive::SubtreeFirst).unwrap();
    assert!(matches!(place.part, Part::Positions(0, Some(4))), "{place}");
    // no index of a file can ask for more than the tree has
    let too_deep = (0..GeneralizedIndex::MAX_DEPTH).fold(index, |index, _| index.child(false));
    assert!(merkleizer.prove(&deep, &bytes, &too_deep).is_err());
    assert!(place_of(&deep, &too_deep, Progressive::SubtreeFirst).is_err());
    let right =
        (0..GeneralizedIndex::MAX_DEPTH).fold(GeneralizedIndex::root().child(false), |i, _| i.child(true));
    assert!(place_of(&ty("ProgressiveList[uint64]"), &right, Progressive::SubtreeFirst).is_err());
    let widest = Type::bit_list(u64::MAX);
    let last =
        generalized_index(&widest, &Path(vec![Step::Position(u64::MAX - 1)]), Progressive::SubtreeFirst);
    assert_eq!(last.unwrap().to_string(), ((2u128 << 56) + (1 << 56) - 1).to_string());
    let lists = Type::list(Type::bit_list(1), u64::MAX).unwrap();
    assert!(merkleizer.root(&lists, &[]).is_ok());
}
