//! sha2's Digest of the 65 bytes, the reference of the family.

use crate::backend::Code;

#[cfg(feature = "sha2")]
pub(crate) const REFERENCE: Code = Ok(hash_pairs);
#[cfg(not(feature = "sha2"))]
pub(crate) const REFERENCE: Code = Err(crate::Unavailable::Build("the cargo feature `sha2` is off"));

#[cfg(feature = "sha2")]
fn hash_pairs(pairs: &[crate::Pair], nodes: &mut [crate::Node]) {
    use sha2::{Digest, Sha256};

    for (pair, node) in pairs.iter().zip(nodes) {
        *node = Sha256::new_with_prefix([0x01]).chain_update(pair).finalize().into();
    }
}
