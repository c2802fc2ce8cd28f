//! Hashes many 64-byte pairs into 32-byte nodes, nothing else.

/// Two sibling nodes, left then right.
pub type Pair = [u8; 64];

/// One node of a Merkle tree.
pub type Node = [u8; 32];

/// The hash function that a backend computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// SHA-256 of the 64 bytes of a pair: the function of Ethereum's consensus.
    Sha256,
}

/// Computes the parent node of each pair.
pub trait PairHasher: Send + Sync {
    /// Family and implementation, as in `sha256/avx512`.
    fn name(&self) -> &str;

    /// The function that [`hash_pairs`](Self::hash_pairs) computes.
    fn family(&self) -> Family;

    /// Writes the hash of `pairs[i]` to `nodes[i]`.
    ///
    /// # Panics
    ///
    /// Unless `pairs` and `nodes` have the same length.
    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]);
}
