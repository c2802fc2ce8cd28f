//! Keccak-256 of a pair: one Keccak-f\[1600\] of the 64 bytes and a padding that is the same for all pairs.
//!
//! The sponge takes 136 bytes at a time, so a pair is less than one block. The padding is Keccak's first, `10*1`, of the
//! submission to the SHA-3 competition and of Ethereum; FIPS 202's has two bits more before it.

pub(crate) mod auto;
pub(crate) mod portable;
pub(crate) mod reference;

mod lanes;

#[cfg(target_arch = "aarch64")]
pub(crate) mod armv8;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// Words 8 to 24 of the state before the permutation: byte 64 begins the padding, byte 135 ends it.
const PADDING: [u64; 17] = [0x01, 0, 0, 0, 0, 0, 0, 0, 0x80 << 56, 0, 0, 0, 0, 0, 0, 0, 0];

/// The rounds' constants. FIPS 202, section 3.2.5.
const RC: [u64; 24] = {
    let mut constants = [0; 24];
    let mut lfsr = 1;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= (lfsr & 1) << ((1 << j) - 1);
            lfsr <<= 1;
            lfsr ^= (lfsr >> 8) * 0x171;
            j += 1;
        }
        round += 1;
    }
    constants
};

#[cfg(test)]
mod tests {
    use crate::{Family, auto};

    /// Depth 1 of a tree of zeros, which the contracts that keep Merkle trees of Keccak-256 have as a constant.
    #[test]
    fn a_pair_of_zeros_has_the_node_known_from_contracts() {
        let mut nodes = [[0; 32]];
        auto(Family::Keccak256).hash_pairs(&[[0; 64]], &mut nodes);
        let node: String = nodes[0].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(node, "ad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb5");
    }
}
