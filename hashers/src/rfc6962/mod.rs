//! The hash of an interior node of Certificate Transparency's trees: SHA-256 with a byte before the pair. RFC 6962, section
//! 2.1.
//!
//! The kernels are the family sha256's, made for another [`Message`].

pub(crate) mod auto;
pub(crate) mod reference;

use crate::sha256::Message;

/// 0x01 and the pair: 65 bytes.
pub(crate) enum Interior {}

impl Message for Interior {
    const PREFIX: Option<u8> = Some(0x01);
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use crate::{Family, auto};

    /// The root of the leaves `""` and `00`, which public test suites of Certificate Transparency have.
    #[test]
    fn two_leaves_have_the_root_known_from_certificate_transparency() {
        let mut pair = [[0; 64]];
        pair[0][..32].copy_from_slice(&Sha256::digest([0x00]));
        pair[0][32..].copy_from_slice(&Sha256::digest([0x00, 0x00]));
        let mut nodes = [[0; 32]];
        auto(Family::Rfc6962).hash_pairs(&pair, &mut nodes);
        let root: String = nodes[0].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(root, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125");
    }
}
