//! Merkle trees of Certificate Transparency: tree hashes, audit paths and consistency proofs, made and verified.
//!
//! Source of the rules: [RFC 6962], sections 2.1 to 2.1.2. The trees of [RFC 9162] are the same. Interior nodes are computed
//! by any [`PairHasher`] of [`Family::Rfc6962`], in batches: each level of a growing tree is one call of `hash_pairs`.
//!
//! ```
//! use pair_hashers::{Family, auto};
//! use ssz_conformance::rfc6962::{Tree, leaf_hash, verify_audit_path, verify_consistency};
//!
//! let hasher = auto(Family::Rfc6962);
//! let mut log = Tree::new(hasher)?;
//! log.extend(["a", "b", "c"]);
//! let older = log.root();
//! log.extend(["d", "e"]);
//!
//! // leaf 2 is in the tree of 5
//! let path = log.audit_path(2, 5)?;
//! verify_audit_path(&leaf_hash(b"c"), 2, 5, &path, &log.root(), hasher)?;
//! // and that tree begins with the leaves of the tree of 3
//! let proof = log.consistency_proof(3, 5)?;
//! verify_consistency((3, &older), (5, &log.root()), &proof, hasher)?;
//! # Ok::<(), ssz_conformance::rfc6962::Error>(())
//! ```
//!
//! [RFC 6962]: https://www.rfc-editor.org/rfc/rfc6962#section-2.1
//! [RFC 9162]: https://www.rfc-editor.org/rfc/rfc9162#section-2.1

mod descent;
mod tree;
mod verify;

use pair_hashers::{Family, Node, Pair, PairHasher};
use sha2::{Digest, Sha256};

pub use self::tree::Tree;
pub use self::verify::{root_from_audit_path, verify_audit_path, verify_consistency};

/// The hash of a leaf, SHA-256 of 0x00 and the leaf (section 2.1).
pub fn leaf_hash(leaf: &[u8]) -> Node {
    Sha256::new_with_prefix([0]).chain_update(leaf).finalize().into()
}

/// `MTH(D[n])`, the Merkle Tree Hash of a list of leaves (section 2.1); of none it is SHA-256 of nothing.
///
/// Takes 64 bytes for each leaf. To add leaves later, or to prove some, keep a [`Tree`].
///
/// # Errors
///
/// If the hasher is not of the family.
pub fn merkle_tree_hash<L: AsRef<[u8]>>(
    leaves: impl IntoIterator<Item = L>,
    hasher: &dyn PairHasher,
) -> Result<Node, Error> {
    let mut tree = Tree::new(hasher)?;
    tree.extend(leaves);
    Ok(tree.root())
}

/// What cannot be computed, or does not prove what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Interior nodes are of a function of their own.
    #[error("{name} is a hasher of {family}: expected one of {}", Family::Rfc6962)]
    Family {
        /// Of the hasher.
        name: String,
        /// What it computes.
        family: Family,
    },
    /// Leaves count from 0.
    #[error("there is no leaf {index} in a tree of {size}")]
    NoSuchLeaf {
        /// Of the leaf.
        index: u64,
        /// How many leaves there are.
        size: u64,
    },
    /// A tree that has not grown so far.
    #[error("there is no tree of {size} leaves yet: there are {leaves}")]
    NoSuchTree {
        /// What was asked for.
        size: u64,
        /// What there is.
        leaves: u64,
    },
    /// Every tree begins with the leaves of the empty one: there is nothing to prove.
    #[error("there is no consistency proof from the empty tree")]
    FromEmpty,
    /// A log only grows.
    #[error("a consistency proof leads from a tree to a later one: found {older} and {newer} leaves")]
    Backwards {
        /// The size of the tree that should be the older.
        older: u64,
        /// And of the newer.
        newer: u64,
    },
    /// Too few nodes, or too many.
    #[error("a proof between these sizes has {expected} nodes, found {found}")]
    Length {
        /// By the sizes.
        expected: usize,
        /// Given.
        found: usize,
    },
    /// The nodes prove something else.
    #[error("the proof gives another root of the tree of {size}: {}, expected {}", hex(found), hex(expected))]
    OtherRoot {
        /// Of the tree.
        size: u64,
        /// Its root, as it is known.
        expected: Node,
        /// By the proof.
        found: Node,
    },
}

fn hex(node: &Node) -> String {
    alloy_primitives::hex::encode(node)
}

/// That a hasher computes interior nodes: SHA-256 of 0x01 and the two children.
fn check_family(hasher: &dyn PairHasher) -> Result<(), Error> {
    match hasher.family() {
        Family::Rfc6962 => Ok(()),
        family => Err(Error::Family { name: hasher.name().into(), family }),
    }
}

/// The parent of two nodes.
fn parent(left: &Node, right: &Node, hasher: &dyn PairHasher) -> Node {
    let mut pair: Pair = [0; 64];
    pair[..32].copy_from_slice(left);
    pair[32..].copy_from_slice(right);
    let mut nodes = [[0; 32]];
    hasher.hash_pairs(&[pair], &mut nodes);
    nodes[0]
}

#[cfg(test)]
mod tests;
