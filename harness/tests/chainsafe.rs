//! Roots, generalized indices, proofs and multiproofs of random objects against `@chainsafe/ssz`, an unrelated
//! implementation. `chainsafe/make.mjs` made what is compared.

use std::fs::File;
use std::path::Path as FilePath;

use flate2::read::GzDecoder;
use pair_hashers::{Family, Node, auto};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use ssz_conformance::merkle::{self, GeneralizedIndex, Merkleizer, Path, Step, place_in};
use ssz_conformance::schema::{self, Progressive};
use ssz_conformance::types::Type;

const ORDER: Progressive = Progressive::SubtreeFirst;

#[derive(Deserialize)]
struct Made {
    /// In the notation of the schemas.
    types: Vec<String>,
    objects: Vec<Object>,
}

#[derive(Deserialize)]
struct Object {
    r#type: usize,
    bytes: String,
    root: String,
    /// Each with its generalized index.
    paths: Vec<(Vec<PathStep>, String)>,
    /// Generalized indices, each with the digest of leaf and branch.
    proofs: Vec<(String, String)>,
    /// Generalized indices in the order of the leaves, and the digest of leaves and helper nodes.
    multiproof: (Vec<String>, String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PathStep {
    Position(u64),
    Field(String),
}

fn made() -> Made {
    let path = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/chainsafe/proofs.json.gz");
    serde_json::from_reader(GzDecoder::new(File::open(path).unwrap())).unwrap()
}

fn digest(nodes: impl IntoIterator<Item = Node>) -> String {
    let digest = nodes.into_iter().fold(Sha256::new(), |digest, node| digest.chain_update(node)).finalize();
    alloy_primitives::hex::encode(digest)
}

fn index(text: &str) -> GeneralizedIndex {
    text.parse().unwrap()
}

fn path(steps: &[PathStep]) -> Path {
    let step = |step: &PathStep| match step {
        PathStep::Position(position) => Step::Position(*position),
        PathStep::Field(name) => Step::Field(name.clone()),
    };
    Path(steps.iter().map(step).collect())
}

fn check(ty: &Type, object: &Object, merkleizer: &mut Merkleizer<'_>) {
    let bytes = alloy_primitives::hex::decode(&object.bytes).unwrap();
    let root = merkleizer.root(ty, &bytes).unwrap();
    assert_eq!(alloy_primitives::hex::encode(root), object.root, "{ty}");
    for (steps, expected) in &object.paths {
        let path = path(steps);
        assert_eq!(merkle::generalized_index(ty, &path, ORDER), Ok(index(expected)), "{ty} {path}");
    }
    let hasher = auto(Family::Sha256);
    for (at, expected) in &object.proofs {
        let proof = merkleizer.prove(ty, &bytes, &index(at)).unwrap();
        assert_eq!(digest([vec![proof.leaf], proof.branch.clone()].concat()), *expected, "{ty} {at}");
        assert_eq!(proof.root(hasher), Ok(root), "{ty} {at}");
        place_in(ty, &bytes, &index(at), ORDER).unwrap();
    }
    let (indices, expected) = &object.multiproof;
    let indices: Vec<_> = indices.iter().map(|text| index(text)).collect();
    let proof = merkleizer.prove_many(ty, &bytes, &indices).unwrap();
    assert_eq!(digest([proof.leaves.clone(), proof.helpers.clone()].concat()), *expected, "{ty} {indices:?}");
    assert_eq!(proof.root(hasher), Ok(root), "{ty} {indices:?}");
}

#[test]
fn proofs_of_random_objects_are_those_of_another_implementation() {
    let made = made();
    let read = |text: &String| schema::read_type(&schema::select(None), "general", "ssz_generic", text);
    let types: Vec<_> = made.types.iter().map(|text| read(text).unwrap()).collect();
    let mut merkleizer = Merkleizer::with_progressive(auto(Family::Sha256), ORDER);
    for object in &made.objects {
        check(&types[object.r#type], object, &mut merkleizer);
    }
    assert!(made.objects.len() >= 200, "{}", made.objects.len());
    let indices: usize = made.objects.iter().map(|object| object.multiproof.0.len()).sum();
    assert!(indices > 600, "{indices}");
}
