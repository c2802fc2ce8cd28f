//! Merkle Tree Hashes of RFC 6962, of leaves and of leaf hashes that are known already.

use pair_hashers::{Family, Node, PairHasher, auto, testing};
use sha2::{Digest, Sha256};
use ssz_conformance::rfc6962::{Tree, leaf_hash};

use super::stage::Contender;

type Maker = fn() -> Vec<Contender>;

/// Every tree by name, made when it is its turn.
pub(crate) fn all() -> Vec<(&'static str, Maker)> {
    vec![("rfc6962-leaves/100000", of_leaves), ("rfc6962-leaf-hashes/100000", of_leaf_hashes)]
}

/// Leaves of 32 bytes: the less there is of a leaf, the more of the time is that of interior nodes.
fn leaves() -> Vec<Node> {
    (0..100_000u64).map(|at| Sha256::digest(at.to_le_bytes()).into()).collect()
}

fn of_leaves() -> Vec<Contender> {
    contenders(|tree, leaves| tree.extend(leaves), |leaf| leaf_hash(leaf))
}

fn of_leaf_hashes() -> Vec<Contender> {
    contenders(|tree, hashes| tree.extend_hashed(hashes.iter().copied()), |hash| *hash)
}

fn contenders(grow: fn(&mut Tree<'_>, &[Node]), of_leaf: fn(&Node) -> Node) -> Vec<Contender> {
    let ours = |hasher: &'static dyn PairHasher| {
        let leaves = leaves();
        Box::new(move || {
            let mut tree = Tree::new(hasher).expect("a hasher of the family");
            grow(&mut tree, &leaves);
            tree.root()
        })
    };
    let leaves = leaves();
    vec![
        ("ours/rfc6962/auto", ours(auto(Family::Rfc6962))),
        ("ours/rfc6962/reference", ours(testing::reference(Family::Rfc6962))),
        ("sha2 in a recursion", Box::new(move || recursion(&leaves, of_leaf))),
    ]
}

/// The definition of section 2.1, over at least one leaf.
fn recursion(leaves: &[Node], of_leaf: fn(&Node) -> Node) -> Node {
    let [leaf] = leaves else {
        let (left, right) = leaves.split_at(leaves.len().div_ceil(2).next_power_of_two());
        let hash = Sha256::new_with_prefix([0x01]).chain_update(recursion(left, of_leaf));
        return hash.chain_update(recursion(right, of_leaf)).finalize().into();
    };
    of_leaf(leaf)
}
