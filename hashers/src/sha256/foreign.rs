//! sha2's Digest, the reference of the family, and sha2's compression function by itself.

use crate::backend::Code;

#[cfg(feature = "sha2")]
pub(crate) const DIGEST: Code = Ok(with_sha2::digest);
#[cfg(feature = "sha2")]
pub(crate) const COMPRESS: Code = Ok(with_sha2::compress);

#[cfg(not(feature = "sha2"))]
pub(crate) const DIGEST: Code = Err(crate::Unavailable::Build("the cargo feature `sha2` is off"));
#[cfg(not(feature = "sha2"))]
pub(crate) const COMPRESS: Code = DIGEST;

#[cfg(feature = "sha2")]
mod with_sha2 {
    use sha2::block_api::compress256;
    use sha2::{Digest, Sha256};

    use crate::sha256::INITIAL;
    use crate::{Node, Pair};

    pub(super) fn digest(pairs: &[Pair], nodes: &mut [Node]) {
        for (pair, node) in pairs.iter().zip(nodes) {
            *node = Sha256::digest(pair).into();
        }
    }

    pub(super) fn compress(pairs: &[Pair], nodes: &mut [Node]) {
        for (pair, node) in pairs.iter().zip(nodes) {
            let mut state = INITIAL;
            compress256(&mut state, &[*pair, PADDING_BYTES]);
            for (bytes, word) in node.as_chunks_mut().0.iter_mut().zip(state) {
                *bytes = word.to_be_bytes();
            }
        }
    }

    /// The second block of a 64-byte message: a one bit, zeros, the length in bits.
    const PADDING_BYTES: Pair = {
        let mut block = [0; 64];
        block[0] = 0x80;
        block[62] = 2;
        block
    };
}
