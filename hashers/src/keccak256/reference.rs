//! sha3's Keccak256, the reference of the family.

use crate::backend::Code;

#[cfg(feature = "sha3")]
pub(crate) const REFERENCE: Code = Ok(hash_pairs);
#[cfg(not(feature = "sha3"))]
pub(crate) const REFERENCE: Code = Err(crate::Unavailable::Build("the cargo feature `sha3` is off"));

#[cfg(feature = "sha3")]
fn hash_pairs(pairs: &[crate::Pair], nodes: &mut [crate::Node]) {
    use sha3::{Digest, Keccak256};

    for (pair, node) in pairs.iter().zip(nodes) {
        *node = Keccak256::digest(pair).into();
    }
}
