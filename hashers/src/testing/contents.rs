//! Pairs whose bytes are chosen for what arithmetic may get wrong, and many without any choice.

use super::{agree, reference};
use crate::{Pair, PairHasher};

/// Right for the painted pairs says little of a carry that is lost once in a million additions, or of a shortcut for
/// special pairs.
pub(super) fn check(hasher: &dyn PairHasher) -> Result<(), String> {
    for (of, pairs) in [
        (" with one bit unlike the others", single_bits()),
        (" of alike or empty siblings", siblings()),
        (" of random bytes", random(16384)),
    ] {
        let mut nodes = vec![[0; 32]; pairs.len()];
        reference(hasher.family()).hash_pairs(&pairs, &mut nodes);
        agree(hasher, &pairs, &nodes, of)?;
        // the same in other lanes
        agree(hasher, &pairs[1..], &nodes[1..], of)?;
    }
    Ok(())
}

/// Each bit set alone, then each cleared alone.
fn single_bits() -> Vec<Pair> {
    let with = |background: u8| {
        (0..512).map(move |bit| {
            let mut pair = [background; 64];
            pair[bit / 8] ^= 0x80 >> (bit % 8);
            pair
        })
    };
    with(0).chain(with(0xff)).collect()
}

/// Both nodes alike, as in a tree of equal leaves; one of them zero, as at its end; and every byte repeated.
fn siblings() -> Vec<Pair> {
    let random = random(64);
    let alike = random.iter().map(|pair| {
        let mut pair = *pair;
        pair.copy_within(..32, 32);
        pair
    });
    let half = |empty: std::ops::Range<usize>| {
        random.iter().map(move |pair| {
            let mut pair = *pair;
            pair[empty.clone()].fill(0);
            pair
        })
    };
    let repeated = (0..=255).map(|byte| [byte; 64]);
    alike.chain(half(32..64)).chain(half(0..32)).chain(repeated).collect()
}

/// Bytes of a generator whose every run is the same: SplitMix64.
pub(super) fn random(n: usize) -> Vec<Pair> {
    let mut state = 0x5eed_u64;
    let mut pairs = vec![[0; 64]; n];
    for word in pairs.as_flattened_mut().as_chunks_mut().0 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        *word = (z ^ (z >> 31)).to_le_bytes();
    }
    pairs
}
