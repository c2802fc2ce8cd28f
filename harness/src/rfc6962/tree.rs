//! A tree that grows by leaves, and proves what it holds.

use std::ops::Range;

use pair_hashers::{Node, PairHasher};
use sha2::{Digest, Sha256};

use super::descent::{self, Sibling};
use super::{Error, check_family, leaf_hash, parent};

/// The tree over a list of leaves, of which only hashes are kept: 64 bytes for each leaf.
///
/// Leaves are only ever added, as in a log; whatever size the tree has had, it still has the root and the proofs of.
#[derive(Clone)]
pub struct Tree<'h> {
    hasher: &'h dyn PairHasher,
    /// `levels[l][i]` is the root over the leaves from `i * 2^l` to `(i + 1) * 2^l`: the subtrees that no further leaf
    /// changes.
    levels: Vec<Vec<Node>>,
}

impl<'h> Tree<'h> {
    /// The empty tree.
    ///
    /// # Errors
    ///
    /// If the hasher is not of the family.
    pub fn new(hasher: &'h dyn PairHasher) -> Result<Self, Error> {
        check_family(hasher)?;
        Ok(Self { hasher, levels: vec![Vec::new()] })
    }

    /// Adds leaves. Many at once are faster: each level that they make is one batch.
    pub fn extend<L: AsRef<[u8]>>(&mut self, leaves: impl IntoIterator<Item = L>) {
        self.extend_hashed(leaves.into_iter().map(|leaf| leaf_hash(leaf.as_ref())));
    }

    /// Adds leaves of which the [`leaf_hash`] is known.
    pub fn extend_hashed(&mut self, leaf_hashes: impl IntoIterator<Item = Node>) {
        self.levels[0].extend(leaf_hashes);
        let mut level = 0;
        while self.levels[level].len() > 1 {
            level += 1;
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let (below, above) = self.levels.split_at_mut(level);
            complete(&below[level - 1], &mut above[0], self.hasher);
        }
    }

    /// How many leaves it has.
    pub fn size(&self) -> u64 {
        self.levels[0].len() as u64
    }

    /// `MTH(D[n])`, the Merkle Tree Hash of all leaves (section 2.1).
    pub fn root(&self) -> Node {
        self.hash_of(0..self.size())
    }

    /// `MTH(D[0:size])`, the root that the tree had when it had that many leaves.
    ///
    /// # Errors
    ///
    /// If it has fewer leaves.
    pub fn root_of(&self, size: u64) -> Result<Node, Error> {
        self.check_size(size)?;
        Ok(self.hash_of(0..size))
    }

    /// `PATH(index, D[0:size])`, the audit path of a leaf of the tree of that size (section 2.1.1), the leaf's sibling first.
    ///
    /// # Errors
    ///
    /// If the tree has fewer leaves, or that of `size` has no such leaf.
    pub fn audit_path(&self, index: u64, size: u64) -> Result<Vec<Node>, Error> {
        self.check_size(size)?;
        if index >= size {
            return Err(Error::NoSuchLeaf { index, size });
        }
        let mut path = self.hashes_of(descent::to_leaf(index, size));
        path.reverse();
        Ok(path)
    }

    /// `PROOF(older, D[0:newer])`, that the tree of `newer` leaves begins with those of the tree of `older` (section 2.1.2), the
    /// deepest node first. Between equal sizes it is empty.
    ///
    /// # Errors
    ///
    /// If the tree has fewer leaves than `newer`, or `older` is none or more than those.
    pub fn consistency_proof(&self, older: u64, newer: u64) -> Result<Vec<Node>, Error> {
        self.check_size(newer)?;
        check_order(older, newer)?;
        let (siblings, common) = descent::to_older(older, newer);
        let mut proof = self.hashes_of(siblings);
        // a subtree that is all of the older tree is known to whoever verifies
        if common.start > 0 {
            proof.push(self.hash_of(common));
        }
        proof.reverse();
        Ok(proof)
    }

    fn check_size(&self, size: u64) -> Result<(), Error> {
        let leaves = self.size();
        if size <= leaves { Ok(()) } else { Err(Error::NoSuchTree { size, leaves }) }
    }

    fn hashes_of(&self, siblings: impl IntoIterator<Item = Sibling>) -> Vec<Node> {
        siblings.into_iter().map(|sibling| self.hash_of(sibling.leaves)).collect()
    }

    /// `MTH(D[start:end])` of leaves that the tree has, where a split leaves such a range: `start` is a multiple of a power
    /// of two that is no less than the range's length. From the right end on, each complete subtree is hashed with all that
    /// is to its right.
    fn hash_of(&self, Range { start, mut end }: Range<u64>) -> Node {
        let mut hash = None;
        while end > start {
            let level = (end - start).trailing_zeros();
            let subtree = self.levels[level as usize][((end >> level) - 1) as usize];
            hash = Some(hash.map_or(subtree, |rest| parent(&subtree, &rest, self.hasher)));
            end -= 1 << level;
        }
        hash.unwrap_or_else(|| Sha256::digest([]).into())
    }
}

/// Computes the parents of the pairs that are complete, those that are known already left out.
fn complete(children: &[Node], parents: &mut Vec<Node>, hasher: &dyn PairHasher) {
    let (pairs, _) = children.as_flattened().as_chunks();
    let known = parents.len();
    parents.resize(pairs.len(), [0; 32]);
    hasher.hash_pairs(&pairs[known..], &mut parents[known..]);
}

/// That there is a consistency proof between two sizes.
pub(super) fn check_order(older: u64, newer: u64) -> Result<(), Error> {
    match older {
        _ if older > newer => Err(Error::Backwards { older, newer }),
        0 => Err(Error::FromEmpty),
        _ => Ok(()),
    }
}
