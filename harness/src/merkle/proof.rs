//! Merkle branches.

use pair_hashers::{Node, PairHasher};

/// A branch that does not fit its generalized index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a branch for generalized index {index} has {expected} nodes, found {found}")]
pub struct BranchError {
    index: u64,
    expected: usize,
    found: usize,
}

/// The root of the tree in which `leaf` stands at the generalized index `index` and `branch` holds the sibling of each
/// node on the way up, the leaf's first (`ssz/merkle-proofs.md` of the consensus specifications).
///
/// # Errors
///
/// If the branch is not as long as the index is deep. Index 0 is none, and taken as of depth 0.
pub fn root_from_branch(
    leaf: Node,
    branch: &[Node],
    index: u64,
    hasher: &dyn PairHasher,
) -> Result<Node, BranchError> {
    let expected = index.checked_ilog2().unwrap_or(0) as usize;
    if branch.len() != expected {
        return Err(BranchError { index, expected, found: branch.len() });
    }
    let mut node = [leaf];
    for (level, sibling) in branch.iter().enumerate() {
        let (left, right) = if index >> level & 1 == 0 { (&node[0], sibling) } else { (sibling, &node[0]) };
        let mut pair = [0; 64];
        pair[..32].copy_from_slice(left);
        pair[32..].copy_from_slice(right);
        hasher.hash_pairs(&[pair], &mut node);
    }
    Ok(node[0])
}
