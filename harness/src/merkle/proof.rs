//! Proofs that nodes are in a tree: branches and multiproofs, made from encoded bytes, and verified.
//!
//! Source of the rules: `ssz/merkle-proofs.md` of the consensus specifications; the helper nodes of a multiproof stand
//! in its order, from the greatest index down.

use std::collections::BTreeSet;

use pair_hashers::{Node, PairHasher};

use super::gindex::GeneralizedIndex;
use super::nodes::NodeError;
use super::{Merkleizer, ZERO_CHUNK};
use crate::types::Type;

/// A node and its branch: what shows that the node is in a tree of a known root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Where the node is.
    pub index: GeneralizedIndex,
    /// The node.
    pub leaf: Node,
    /// The sibling of each node on the way up, the leaf's first.
    pub branch: Vec<Node>,
}

/// Some nodes, and those beside them that it takes to compute the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiproof {
    /// Where the nodes are, in the order that they were asked for.
    pub indices: Vec<GeneralizedIndex>,
    /// The nodes, in that order.
    pub leaves: Vec<Node>,
    /// The nodes at the [`helper_indices`], in their order.
    pub helpers: Vec<Node>,
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The value's tree does not have one of the nodes.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The indices of a multiproof do not go together.
    #[error(transparent)]
    Indices(#[from] IndicesError),
}

impl Merkleizer<'_> {
    /// Proves the node at `index` of one encoded value's tree. Costs the hashes of about one root.
    ///
    /// # Errors
    ///
    /// If the bytes are not the encoding of a value of the type, or its tree has no such node.
    pub fn prove(&mut self, ty: &Type, bytes: &[u8], index: &GeneralizedIndex) -> Result<Proof, NodeError> {
        let helpers: Vec<_> = index.branch().collect();
        let found = self.nodes(ty, bytes, helpers.iter().chain([index]))?;
        let branch = helpers.iter().map(|helper| found[helper]).collect();
        Ok(Proof { index: index.clone(), leaf: found[index], branch })
    }

    /// Proves several nodes of one encoded value's tree together. Costs the hashes of about one root.
    ///
    /// # Errors
    ///
    /// As [`prove`](Self::prove), and as [`helper_indices`].
    pub fn prove_many(
        &mut self,
        ty: &Type,
        bytes: &[u8],
        indices: &[GeneralizedIndex],
    ) -> Result<Multiproof, ProofError> {
        let helpers = helper_indices(indices)?;
        let found = self.nodes(ty, bytes, helpers.iter().chain(indices))?;
        let nodes = |indices: &[GeneralizedIndex]| indices.iter().map(|index| found[index]).collect();
        Ok(Multiproof { indices: indices.to_vec(), leaves: nodes(indices), helpers: nodes(&helpers) })
    }

    /// The node at `index` of one encoded value's tree.
    ///
    /// # Errors
    ///
    /// As [`prove`](Self::prove), where only that much of the bytes is looked at as the node depends on.
    pub fn node_at(&mut self, ty: &Type, bytes: &[u8], index: &GeneralizedIndex) -> Result<Node, NodeError> {
        self.nodes(ty, bytes, [index]).map(|found| found[index])
    }
}

impl Proof {
    /// The root that the proof gives.
    ///
    /// # Errors
    ///
    /// If the branch is not as long as the index is deep.
    pub fn root(&self, hasher: &dyn PairHasher) -> Result<Node, BranchError> {
        root_from_branch(self.leaf, &self.branch, &self.index, hasher)
    }
}

impl Multiproof {
    /// The root that the proof gives.
    ///
    /// # Errors
    ///
    /// As [`root_from_multiproof`].
    pub fn root(&self, hasher: &dyn PairHasher) -> Result<Node, MultiproofError> {
        root_from_multiproof(&self.leaves, &self.helpers, &self.indices, hasher)
    }
}

/// A branch that does not fit its generalized index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a branch for generalized index {index} has {expected} nodes, found {found}")]
pub struct BranchError {
    index: GeneralizedIndex,
    expected: usize,
    found: usize,
}

/// The root of the tree in which `leaf` stands at the generalized index `index` and `branch` holds the sibling of each
/// node on the way up, the leaf's first (`calculate_merkle_root`).
///
/// # Errors
///
/// If the branch is not as long as the index is deep.
pub fn root_from_branch(
    leaf: Node,
    branch: &[Node],
    index: &GeneralizedIndex,
    hasher: &dyn PairHasher,
) -> Result<Node, BranchError> {
    let expected = index.depth();
    if branch.len() != expected {
        return Err(BranchError { index: index.clone(), expected, found: branch.len() });
    }
    let mut node = [leaf];
    for (sibling, turn) in branch.iter().zip((0..expected).rev()) {
        let (left, right) = if index.turns_right(turn) { (sibling, &node[0]) } else { (&node[0], sibling) };
        let pair = pair(left, right);
        hasher.hash_pairs(&[pair], &mut node);
    }
    Ok(node[0])
}

fn pair(left: &Node, right: &Node) -> [u8; 64] {
    let mut pair = [0; 64];
    pair[..32].copy_from_slice(left);
    pair[32..].copy_from_slice(right);
    pair
}

/// Indices that do not go together in a multiproof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndicesError {
    /// Nothing is asked for, so nothing would be proved.
    #[error("a multiproof is of at least one index")]
    Empty,
    /// One index twice: which of the two leaves would be checked?
    #[error("index {0} is given twice")]
    Repeated(GeneralizedIndex),
    /// One index below another, which is computed from it: the other's leaf would not be checked.
    #[error("index {0} is below index {1}")]
    Nested(GeneralizedIndex, GeneralizedIndex),
}

/// The indices of the nodes that a multiproof of `indices` needs beside those: the siblings on all the ways up, without
/// what lies on the ways themselves, from the greatest down (`get_helper_indices`).
///
/// # Errors
///
/// If there is no index, one index twice, or one below another. (The specification leaves these cases open.)
pub fn helper_indices(indices: &[GeneralizedIndex]) -> Result<Vec<GeneralizedIndex>, IndicesError> {
    if indices.is_empty() {
        return Err(IndicesError::Empty);
    }
    let mut ways = BTreeSet::new();
    let mut asked = BTreeSet::new();
    for index in indices {
        if !asked.insert(index) {
            return Err(IndicesError::Repeated(index.clone()));
        }
        // what is above a node that was met before, was met then
        let mut next = Some(index.clone());
        while let Some(node) = next.take_if(|node| !ways.contains(node)) {
            next = node.parent();
            ways.insert(node);
        }
    }
    // a node that is asked for and has a child on the way of another is above that other
    for index in indices {
        if [false, true].into_iter().any(|right| ways.contains(&index.clone().child(right))) {
            let below = indices.iter().find(|below| *below != index && below.is_within(index));
            return Err(IndicesError::Nested(below.unwrap_or(index).clone(), index.clone()));
        }
    }
    let siblings = ways.iter().filter_map(GeneralizedIndex::sibling);
    let mut helpers: Vec<_> = siblings.filter(|sibling| !ways.contains(sibling)).collect();
    helpers.sort_by(|a, b| b.cmp(a));
    Ok(helpers)
}

/// A multiproof that does not fit its indices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MultiproofError {
    /// The indices do not go together.
    #[error(transparent)]
    Indices(#[from] IndicesError),
    /// One leaf for each index.
    #[error("{indices} indices, but {leaves} leaves")]
    Leaves {
        /// How many leaves there should be.
        indices: usize,
        /// How many there are.
        leaves: usize,
    },
    /// One node for each helper index.
    #[error("a multiproof for these indices has {expected} helper nodes, found {found}")]
    Helpers {
        /// By the indices.
        expected: usize,
        /// Given.
        found: usize,
    },
}

/// The root of the tree in which `leaves` stand at `indices` and `helpers` at their [`helper_indices`]
/// (`calculate_multi_merkle_root`). Each level of the tree is one call of `hash_pairs`.
///
/// # Errors
///
/// If the indices do not go together, or there are not as many leaves or helpers as they need.
pub fn root_from_multiproof(
    leaves: &[Node],
    helpers: &[Node],
    indices: &[GeneralizedIndex],
    hasher: &dyn PairHasher,
) -> Result<Node, MultiproofError> {
    if leaves.len() != indices.len() {
        return Err(MultiproofError::Leaves { indices: indices.len(), leaves: leaves.len() });
    }
    let helper_indices = helper_indices(indices)?;
    if helpers.len() != helper_indices.len() {
        let (expected, found) = (helper_indices.len(), helpers.len());
        return Err(MultiproofError::Helpers { expected, found });
    }
    let given = indices.iter().cloned().zip(leaves).chain(helper_indices.into_iter().zip(helpers));
    let mut given: Vec<_> = given.map(|(index, node)| (index, *node)).collect();
    given.sort();
    // from the deepest level up: the nodes of a level are those given and those computed from the one below
    let mut level: Vec<(GeneralizedIndex, Node)> = Vec::new();
    while let Some(depth) = level.first().or(given.last()).map(|(index, _)| index.depth()) {
        while let Some(node) = given.pop_if(|(index, _)| index.depth() == depth) {
            level.push(node);
        }
        level.sort();
        if depth == 0 {
            break;
        }
        level = parents(&level, hasher);
    }
    Ok(level.first().map_or(ZERO_CHUNK, |(_, root)| *root))
}

/// The parents of nodes of one depth that stand in pairs, as the choice of the helpers makes sure.
fn parents(level: &[(GeneralizedIndex, Node)], hasher: &dyn PairHasher) -> Vec<(GeneralizedIndex, Node)> {
    let pairs: Vec<_> = level.chunks_exact(2).map(|nodes| pair(&nodes[0].1, &nodes[1].1)).collect();
    let mut hashes = vec![ZERO_CHUNK; pairs.len()];
    hasher.hash_pairs(&pairs, &mut hashes);
    let indices = level.iter().step_by(2).filter_map(|(index, _)| index.parent());
    indices.zip(hashes).collect()
}
