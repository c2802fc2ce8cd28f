//! `single_merkle_proof/<Type>/<case>`: an object and a branch that proves one of its nodes.

use pair_hashers::Node;
use serde::Deserialize;
use spec_vectors::Case;

use super::oracle::Object;
use super::parts::Parts;
use super::times::timed;
use super::{Bench, Failure, Stop};
use crate::merkle::{GeneralizedIndex, Proof};
use crate::schema::{self, Selection};
use crate::ssz::{decode, encode};

/// `proof.yaml`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProofYaml {
    leaf: String,
    /// A generalized index.
    leaf_index: u64,
    branch: Vec<String>,
}

/// `meta.yaml`, where there is one: of no meaning here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Meta {
    #[serde(rename = "bls_setting")]
    _bls_setting: Option<u8>,
    #[serde(rename = "description")]
    _description: Option<String>,
}

pub(super) fn check(
    case: &Case,
    selection: &Selection,
    parts: &mut Parts<'_>,
    bench: &mut Bench<'_>,
    failures: &mut Vec<Failure>,
) -> Result<(), Stop> {
    const PROOF: &str = "proof.yaml";
    let id = &case.id;
    // the type is where the suite of other runners is
    let ty = schema::find_type(selection, &id.preset, &id.fork, &id.suite)
        .map_err(|error| Stop::from_schema(&error))?;
    if parts.has("meta.yaml") {
        parts.yaml::<Meta>("meta.yaml", "a map of bls_setting or description")?;
    }
    let bytes = parts.ssz("object")?;
    let proof: ProofYaml = parts.yaml(PROOF, "a map of leaf, leaf_index, branch")?;
    let leaf = parts.node(PROOF, "leaf", &proof.leaf)?;
    let branch: Vec<Node> = proof
        .branch
        .iter()
        .map(|node| parts.node(PROOF, "a node of branch", node))
        .collect::<Result<_, _>>()?;

    let index = GeneralizedIndex::try_from(proof.leaf_index)
        .map_err(|error| parts.failure(PROOF, &format!("leaf_index: {error}")))?;
    let value = timed(&mut bench.times.decoding, || decode(&ty, &bytes))
        .map_err(|error| Failure::new(format!("the object does not decode: {error}")))?;
    if timed(&mut bench.times.decoding, || encode(&ty, &value)).ok().as_deref() != Some(&bytes) {
        failures.push(Failure::new("the object does not encode to the same bytes"));
    }
    let object = Object { ty: &ty, bytes: &bytes, progressive: selection.progressive() };
    let root = bench.compare_roots(object, None, failures)?;
    Ok(check_proof(object, &Proof { index, leaf, branch }, root, bench, failures)?)
}

/// That a proof gives the root, and is the one that each backend makes of the object.
pub(super) fn check_proof(
    object: Object<'_>,
    given: &Proof,
    root: Node,
    bench: &mut Bench<'_>,
    failures: &mut Vec<Failure>,
) -> Result<(), Failure> {
    let proof = bench.oracle.proof(object, given).map_err(Failure::new)?;
    bench.compare("root that the branch gives", &root, failures, |_, hasher| {
        proof.root(hasher).map_err(|error| error.to_string())
    });
    let with_leaf = |proof: &Proof| [&[proof.leaf], proof.branch.as_slice()].concat();
    bench.compare("leaf and branch made of the object", &with_leaf(&proof), failures, |merkleizer, _| {
        merkleizer.set_progressive(object.progressive);
        let made = merkleizer.prove(object.ty, object.bytes, &proof.index);
        made.map(|made| with_leaf(&made))
            .map_err(|error| format!("no proof can be made of the object: {error}"))
    });
    Ok(())
}
