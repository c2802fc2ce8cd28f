//! Every available backend against sha2's Digest.

use pair_hashers::{Pair, backends};
use sha2::{Digest, Sha256};

#[test]
fn every_batch_size() {
    let mut pairs: Vec<Pair> = vec![[0; 64]; 130];
    for (i, byte) in pairs.as_flattened_mut().iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }
    let expected: Vec<[u8; 32]> = pairs.iter().map(|pair| Sha256::digest(pair).into()).collect();
    for backend in backends() {
        let Ok(hasher) = backend.hasher() else { continue };
        for n in 0..=pairs.len() {
            let mut nodes = vec![[0; 32]; n];
            hasher.hash_pairs(&pairs[..n], &mut nodes);
            assert!(nodes == expected[..n], "{} at {n}", backend.name());
        }
    }
}
