//! `proof` and `multiproof`: a value's root, and nodes that are proved, or are not.

use pair_hashers::{Node, testing};
use serde_json::Value;

use super::super::merkle_proof::check_proof;
use super::super::oracle::Object;
use super::super::value::{self, Written};
use super::fields::{parse_index, parse_node};
use super::generalized_index::{index_of, read_path};
use super::{Attempt, Failure, Refusal, Subject, reasons, values};
use crate::backends::CONSENSUS;
use crate::merkle::{
    GeneralizedIndex, Merkleizer, Multiproof, Proof, helper_indices, root_from_branch, root_from_multiproof,
};
use crate::schema::Progressive;
use crate::types::Type;

/// The value that proofs are of.
struct Proved {
    ty: Type,
    bytes: Vec<u8>,
    progressive: Progressive,
    /// As the document says.
    root: Node,
    /// The one that every backend has to compute.
    own_root: Node,
}

impl Proved {
    /// Reads it. What holds of every value is checked, with `root` as its root if the case is valid.
    fn read(subject: &mut Subject<'_, '_>, valid: bool) -> Result<Self, Failure> {
        let ty = subject.legal_type()?;
        let bytes = subject.fields.bytes("serialized")?;
        let root = subject.fields.root("root")?;
        let written = match subject.fields.take("value") {
            Some(json) => {
                let value = values::read(&ty, &json);
                let value = value.map_err(|error| subject.fields.failure(&format!("value: {error}")))?;
                Some(Written { value, part: "value" })
            }
            None => None,
        };
        let progressive = subject.progressive;
        let object = Object { ty: &ty, bytes: &bytes, progressive };
        // the root of an invalid case may be what is wrong with it
        let given = valid.then_some(root);
        let own_root = value::check(object, written, given, subject.bench, &mut subject.findings.failures);
        Ok(Self { own_root: own_root.unwrap_or(root), ty, bytes, progressive, root })
    }

    fn object(&self) -> Object<'_> {
        Object { ty: &self.ty, bytes: &self.bytes, progressive: self.progressive }
    }

    /// Of the function that an invalid case's nodes are of, whatever the backends compute: it is refused for what it says.
    fn merkleizer(&self) -> Merkleizer<'static> {
        Merkleizer::with_progressive(testing::reference(CONSENSUS), self.progressive)
    }
}

pub(super) fn valid_single(subject: &mut Subject<'_, '_>) -> Result<(), Failure> {
    let proved = Proved::read(subject, true)?;
    let index = subject.fields.index("index")?;
    let leaf = subject.fields.root("leaf")?;
    let branch = nodes(subject, "branch")?;
    if let Some(steps) = subject.fields.take("path") {
        check_path(subject, &proved.ty, &steps, &index);
    }
    if let Some(indices) = subject.fields.take("branchIndices") {
        let found: Vec<_> = index.branch().collect();
        check_indices(subject, "branchIndices", &indices, &found)?;
    }
    let (given, failures) = (Proof { index, leaf, branch }, &mut subject.findings.failures);
    check_proof(proved.object(), &given, proved.own_root, subject.bench, failures)
}

pub(super) fn invalid_single(subject: &mut Subject<'_, '_>) -> Result<Attempt, Failure> {
    let proved = Proved::read(subject, false)?;
    let [index, leaf, branch] = ["index", "leaf", "branch"].map(|key| subject.fields.take(key));
    let steps = subject.fields.take("path").unwrap_or_default();
    subject.fields.take("branchIndices");
    let mut merkleizer = proved.merkleizer();
    let attempt = || {
        let index = read_index(&index.unwrap_or_default(), &proved.ty, &steps, subject)?;
        // nothing can be proved where there is no node
        merkleizer
            .prove(&proved.ty, &proved.bytes, &index)
            .map_err(|e| Refusal::new(reasons::of_node(&e), e))?;
        let leaf = read_node(&leaf.unwrap_or_default())?;
        let branch = read_nodes(&branch.unwrap_or_default())?;
        let root = root_from_branch(leaf, &branch, &index, testing::reference(CONSENSUS))
            .map_err(|error| Refusal::new("BRANCH_LENGTH", error))?;
        proves(root, proved.root)
    };
    Ok(attempt())
}

pub(super) fn valid_multiple(subject: &mut Subject<'_, '_>) -> Result<(), Failure> {
    let proved = Proved::read(subject, true)?;
    let indices = subject.fields.array("indices")?;
    let indices = indices.iter().map(parse_index).collect::<Result<Vec<_>, _>>();
    let indices = indices.map_err(|error| subject.fields.failure(&format!("indices: {error}")))?;
    let leaves = nodes(subject, "leaves")?;
    let helpers = nodes(subject, "proof")?;
    if let Some(paths) = subject.fields.take("paths") {
        let paths = paths.as_array().cloned().unwrap_or_default();
        if paths.len() != indices.len() {
            return Err(subject.fields.failure("paths: expected one for each index"));
        }
        paths.iter().zip(&indices).for_each(|(steps, index)| check_path(subject, &proved.ty, steps, index));
    }
    if let Some(expected) = subject.fields.take("helperIndices") {
        let found = helper_indices(&indices).map_err(|error| subject.fields.failure(&error.to_string()))?;
        check_indices(subject, "helperIndices", &expected, &found)?;
    }
    check_multiproof(&proved, &Multiproof { indices, leaves, helpers }, subject)
}

fn check_multiproof(
    proved: &Proved,
    given: &Multiproof,
    subject: &mut Subject<'_, '_>,
) -> Result<(), Failure> {
    let (bench, failures) = (&mut *subject.bench, &mut subject.findings.failures);
    let proof = bench.oracle.multiproof(proved.object(), given).map_err(Failure::new)?;
    bench.compare("root that the multiproof gives", &proved.own_root, failures, |_, hasher| {
        proof.root(hasher).map_err(|error| error.to_string())
    });
    let all = |proof: &Multiproof| [proof.leaves.as_slice(), &proof.helpers].concat();
    bench.compare("multiproof made of the object", &all(&proof), failures, |merkleizer, _| {
        merkleizer.set_progressive(proved.progressive);
        let made = merkleizer.prove_many(&proved.ty, &proved.bytes, &proof.indices);
        made.map(|made| all(&made))
            .map_err(|error| format!("no multiproof can be made of the object: {error}"))
    });
    Ok(())
}

pub(super) fn invalid_multiple(subject: &mut Subject<'_, '_>) -> Result<Attempt, Failure> {
    let proved = Proved::read(subject, false)?;
    let [indices, leaves, helpers] = ["indices", "leaves", "proof"].map(|key| subject.fields.take(key));
    let paths = subject.fields.take("paths").unwrap_or_default();
    subject.fields.take("helperIndices");
    let mut merkleizer = proved.merkleizer();
    let attempt = || {
        let indices = indices.unwrap_or_default();
        let paths = paths.as_array().map(Vec::as_slice).unwrap_or_default();
        let step = |at: usize| paths.get(at).cloned().unwrap_or_default();
        let indices = indices.as_array().map(Vec::as_slice).unwrap_or_default().iter().enumerate();
        let indices = indices.map(|(at, index)| read_index(index, &proved.ty, &step(at), subject));
        let indices = indices.collect::<Result<Vec<_>, _>>()?;
        for index in &indices {
            let made = merkleizer.prove(&proved.ty, &proved.bytes, index);
            made.map_err(|error| Refusal::new(reasons::of_node(&error), error))?;
        }
        let leaves = read_nodes(&leaves.unwrap_or_default())?;
        let helpers = read_nodes(&helpers.unwrap_or_default())?;
        let root = root_from_multiproof(&leaves, &helpers, &indices, testing::reference(CONSENSUS))
            .map_err(|error| Refusal::new(reasons::of_multiproof(&error), error))?;
        proves(root, proved.root)
    };
    Ok(attempt())
}

fn proves(found: Node, root: Node) -> Attempt {
    if found == root { Ok(()) } else { Err(Refusal::new(None, "the proof gives another root")) }
}

/// Nodes that a valid case has to have.
fn nodes(subject: &mut Subject<'_, '_>, key: &str) -> Result<Vec<Node>, Failure> {
    let nodes = subject.fields.need(key)?;
    read_nodes(&nodes).map_err(|refusal| subject.fields.failure(&format!("{key}: {}", refusal.message)))
}

fn read_nodes(nodes: &Value) -> Result<Vec<Node>, Refusal> {
    nodes.as_array().map(Vec::as_slice).unwrap_or_default().iter().map(read_node).collect()
}

fn read_node(node: &Value) -> Result<Node, Refusal> {
    let found = node.as_str().and_then(parse_node);
    found.ok_or_else(|| Refusal::new("COUNT", format_args!("{node} is no node; expected 0x and 64 digits")))
}

/// The index of an invalid case, if it is one and its path leads there.
fn read_index(
    index: &Value,
    ty: &Type,
    steps: &Value,
    subject: &Subject<'_, '_>,
) -> Result<GeneralizedIndex, Refusal> {
    if let Value::Array(steps) = steps {
        index_of(ty, &read_path(steps)?, subject.progressive)?;
    }
    parse_index(index).map_err(|error| Refusal::new("NOT_A_GINDEX", error))
}

/// That a path leads to the index beside it.
fn check_path(subject: &mut Subject<'_, '_>, ty: &Type, steps: &Value, index: &GeneralizedIndex) {
    let steps = steps.as_array().map(Vec::as_slice).unwrap_or_default();
    let message = match read_path(steps).and_then(|path| index_of(ty, &path, subject.progressive)) {
        Ok(found) if found == *index => return,
        Ok(found) => format!("the path's generalized index is {found}, expected {index}"),
        Err(refusal) => format!("the path leads nowhere: {}", refusal.message),
    };
    subject.findings.failures.push(Failure::new(message));
}

/// That a list of indices is as expected, in order.
fn check_indices(
    subject: &mut Subject<'_, '_>,
    key: &str,
    expected: &Value,
    found: &[GeneralizedIndex],
) -> Result<(), Failure> {
    let expected = expected.as_array().map(Vec::as_slice).unwrap_or_default();
    let expected = expected.iter().map(parse_index).collect::<Result<Vec<_>, _>>();
    let expected = expected.map_err(|error| subject.fields.failure(&format!("{key}: {error}")))?;
    if expected != found {
        let message = format!("{key} are {found:?}, expected {expected:?}");
        subject.findings.failures.push(Failure::new(message));
    }
    Ok(())
}
