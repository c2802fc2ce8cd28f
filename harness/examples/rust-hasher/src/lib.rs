//! A hasher of one's own.
//!
//! `cargo test` runs the whole suite on it (`tests/conformance.rs`). Its program is certified by
//! `cargo xtask certify --hasher-command target/release/rust-hasher`.

#![forbid(unsafe_code)]

use pair_hashers::{Family, Node, Pair, PairHasher};
use sha2::{Digest, Sha256};

/// Pairs hashed by the crate `sha2`: put your own hasher here.
pub struct Mine;

impl PairHasher for Mine {
    fn name(&self) -> &str {
        "sha256/mine"
    }

    fn family(&self) -> Family {
        Family::Sha256
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        assert_eq!(pairs.len(), nodes.len(), "hash_pairs needs one node for each pair");
        for (pair, node) in pairs.iter().zip(nodes) {
            *node = Sha256::digest(pair).into();
        }
    }
}
