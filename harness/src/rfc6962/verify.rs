//! What audit paths and consistency proofs prove, for those who have roots and no tree.
//!
//! RFC 6962 defines the proofs and leaves verifying them open. These functions walk the definitions' own splits from the
//! leaves up, and agree with the algorithms of RFC 9162, sections 2.1.3.2 and 2.1.4.2, which tests compare them with.

use pair_hashers::{Node, PairHasher};

use super::descent::{self, Side};
use super::tree::check_order;
use super::{Error, check_family, parent};

/// The root of the tree of `size` leaves that an audit path gives, for the leaf at `index` with this
/// [`leaf_hash`](super::leaf_hash). One hash for each node of the path.
///
/// # Errors
///
/// If there is no such leaf, the path is not of the length that index and size ask for, or the hasher is not of the family.
pub fn root_from_audit_path(
    leaf_hash: &Node,
    index: u64,
    size: u64,
    path: &[Node],
    hasher: &dyn PairHasher,
) -> Result<Node, Error> {
    check_family(hasher)?;
    if index >= size {
        return Err(Error::NoSuchLeaf { index, size });
    }
    let sides: Vec<_> = descent::to_leaf(index, size).map(|sibling| sibling.side).collect();
    check_length(sides.len(), path.len())?;
    let node = |node: Node, (side, sibling): (&Side, &Node)| match side {
        Side::Left => parent(sibling, &node, hasher),
        Side::Right => parent(&node, sibling, hasher),
    };
    Ok(sides.iter().rev().zip(path).fold(*leaf_hash, node))
}

/// That the leaf at `index` of the tree of `size` leaves with this root has this [`leaf_hash`](super::leaf_hash)
/// (section 2.1.1).
///
/// # Errors
///
/// As [`root_from_audit_path`], and if the path gives another root.
pub fn verify_audit_path(
    leaf_hash: &Node,
    index: u64,
    size: u64,
    path: &[Node],
    root: &Node,
    hasher: &dyn PairHasher,
) -> Result<(), Error> {
    let found = root_from_audit_path(leaf_hash, index, size, path, hasher)?;
    check_root(size, root, found)
}

/// That a newer tree begins with all leaves of an older one (section 2.1.2). Each is given by its number of leaves and its
/// root. Two hashes, at most, for each node of the proof.
///
/// # Errors
///
/// If the older tree is empty or larger than the newer, the proof is not of the length that the sizes ask for or gives
/// another root of either tree, or the hasher is not of the family.
pub fn verify_consistency(
    (older, older_root): (u64, &Node),
    (newer, newer_root): (u64, &Node),
    proof: &[Node],
    hasher: &dyn PairHasher,
) -> Result<(), Error> {
    check_family(hasher)?;
    check_order(older, newer)?;
    let (way, common) = descent::to_older(older, newer);
    // the subtree of both trees is the whole older one, or the proof's first node
    let whole = common.start == 0;
    check_length(way.len() + usize::from(!whole), proof.len())?;
    let (common, siblings) = if whole { (older_root, proof) } else { (&proof[0], &proof[1..]) };
    let (mut older_found, mut newer_found) = (*common, *common);
    for (step, sibling) in way.iter().rev().zip(siblings) {
        match step.side {
            Side::Left => {
                older_found = parent(sibling, &older_found, hasher);
                newer_found = parent(sibling, &newer_found, hasher);
            }
            // to the right are later leaves only
            Side::Right => newer_found = parent(&newer_found, sibling, hasher),
        }
    }
    check_root(older, older_root, older_found)?;
    check_root(newer, newer_root, newer_found)
}

fn check_length(expected: usize, found: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Length { expected, found }) }
}

fn check_root(size: u64, expected: &Node, found: Node) -> Result<(), Error> {
    match found == *expected {
        true => Ok(()),
        false => Err(Error::OtherRoot { size, expected: *expected, found }),
    }
}
