//! A kernel's self-test: known answers, checked before its first use.
//!
//! Compilers, emulators and CPUs have each been seen to make a right kernel compute wrong nodes (and a root computed
//! from them looks like any other), so no kernel is trusted for having been right when the crate was released.

use crate::backend::Kernel;
use crate::{Family, Node, Pair};

/// Whether `kernel` gives the known answers.
///
/// # Safety
///
/// The CPU features that the kernel requires are usable.
pub(crate) unsafe fn passes(family: Family, kernel: Kernel) -> bool {
    let mut pairs = [[0; 64]; LARGEST];
    paint(&mut pairs);
    let known = match family {
        Family::Sha256 => &SHA256,
        Family::Keccak256 => &KECCAK256,
        Family::Rfc6962 => &RFC6962,
    };
    SIZES.iter().zip(known).all(|(&n, &answer)| {
        let mut nodes = [[0; 32]; LARGEST];
        // SAFETY: the lengths are equal; the features are the caller's promise.
        unsafe { kernel(&pairs[..n], &mut nodes[..n]) };
        fingerprint(&nodes) == answer
    })
}

/// Batch sizes on both sides of where a kernel may change its ways: every few, and about 8, 16, 32, 48 and 64.
const SIZES: [usize; 14] = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 40, 64, LARGEST];
/// Large enough for each loop over groups of lanes to start, turn and end, with a remainder.
const LARGEST: usize = 143;

/// Fingerprints of all nodes, those past the batch staying zero, as sha2 computes them.
const SHA256: [u64; SIZES.len()] = [
    0x10eb3a1f96c15455,
    0xdbc7a7c5d5a6a9df,
    0xfa34ef541e5aafd1,
    0xc2d58092be7d1e47,
    0xa34675d76ed0c769,
    0xb9c4db1badf8c1fa,
    0x2fdb80decec23bcc,
    0xff6abcfbc45bc5dc,
    0x9b442d956c50080c,
    0x6011da0cfac7c8a2,
    0x17b16fadafcd8c71,
    0xdb6830eb9123d35a,
    0xc6df7e5be7911aba,
    0x9c4cd6d87d60f15a,
];

/// The same of Keccak-256, as sha3 computes them.
const KECCAK256: [u64; SIZES.len()] = [
    0x10eb3a1f96c15455,
    0x8f69c2fe956ae0af,
    0x85621ca7ce5b7751,
    0xa2a19d569b0da87f,
    0x7c7615140ac0be4f,
    0xa242776edcb33715,
    0xb5d1ea3c06c471a0,
    0xa9db03d141237d9f,
    0xfd380a409df39ac5,
    0x24de0d782cc66f67,
    0xe46c9360f6d22cfd,
    0x33df59693af73dcd,
    0x74c718c7d7496f1c,
    0x7f7bd4a01f3abb5c,
];

/// The same of RFC 6962's interior nodes, as sha2 computes them.
const RFC6962: [u64; SIZES.len()] = [
    0x10eb3a1f96c15455,
    0x21aabb2062cf7786,
    0xbd9c667bb33d218b,
    0x1e792f217302a635,
    0xbdfb461b76cf1680,
    0x831afd4b05177f1f,
    0x15d2f544a767b710,
    0xe78029d9a0e14beb,
    0x213d38eb27490c6a,
    0x437dc1939c4cf611,
    0x6068aee3c0ef038b,
    0xb451622064eb665c,
    0x30acf5694d7a2917,
    0x3c876c6b9fb0a5ef,
];

/// Paints bytes with a cycle of 251, which no lane's offset divides: swapped lanes or words give other nodes.
fn paint(pairs: &mut [Pair]) {
    for (i, byte) in pairs.as_flattened_mut().iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }
}

/// FNV-1a over words. Enough here: a wrong kernel is no adversary.
fn fingerprint(nodes: &[Node]) -> u64 {
    let words = nodes.as_flattened().as_chunks().0.iter().map(|&word| u64::from_le_bytes(word));
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};
    use sha3::Keccak256;

    fn assert_known_answers(known: [u64; SIZES.len()], hash: impl Fn(&Pair) -> Node) {
        let mut pairs = [[0; 64]; LARGEST];
        paint(&mut pairs);
        let answers = SIZES.map(|n| {
            let mut nodes = [[0; 32]; LARGEST];
            for (node, pair) in nodes.iter_mut().zip(&pairs[..n]) {
                *node = hash(pair);
            }
            fingerprint(&nodes)
        });
        assert_eq!(answers, known, "the crate says {answers:#x?}");
    }

    #[test]
    fn the_known_answers_are_sha2s_and_sha3s() {
        assert_known_answers(SHA256, |pair| Sha256::digest(pair).into());
        assert_known_answers(KECCAK256, |pair| Keccak256::digest(pair).into());
        assert_known_answers(RFC6962, |pair| Sha256::digest([&[0x01], &pair[..]].concat()).into());
    }

    #[test]
    fn one_wrong_lane_fails() {
        fn good(pairs: &[Pair], nodes: &mut [Node]) {
            for (node, pair) in nodes.iter_mut().zip(pairs) {
                *node = Sha256::digest(pair).into();
            }
        }
        fn swaps_two_lanes_in_batches_over_16(pairs: &[Pair], nodes: &mut [Node]) {
            good(pairs, nodes);
            if nodes.len() > 16 {
                nodes.swap(3, 4);
            }
        }
        // SAFETY: safe functions that require nothing.
        unsafe {
            assert!(passes(Family::Sha256, good));
            assert!(!passes(Family::Sha256, swaps_two_lanes_in_batches_over_16));
            assert!(!passes(Family::Rfc6962, good));
        }
    }
}
