//! Plain Rust, one pair at a time: the backend that every CPU can run.

use super::message::SECOND_BLOCK;
use super::{INITIAL, K, Message, PADDING_K, schedule};
use crate::{Node, Pair};

pub(crate) fn hash_pairs<M: Message>(pairs: &[Pair], nodes: &mut [Node]) {
    for (pair, node) in pairs.iter().zip(nodes) {
        *node = hash::<M>(pair);
    }
}

fn hash<M: Message>(pair: &Pair) -> Node {
    let state = match M::PREFIX {
        None => compress(compress(INITIAL, &complete(words(pair))), &PADDING_K),
        Some(prefix) => {
            let mut first = [prefix; 64];
            first[1..].copy_from_slice(&pair[..63]);
            let mut second = SECOND_BLOCK;
            second[0] |= u32::from(pair[63]) << 24;
            compress(compress(INITIAL, &complete(words(&first))), &complete(second))
        }
    };
    let mut node = [0; 32];
    for (bytes, word) in node.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    node
}

fn words(block: &[u8; 64]) -> [u32; 16] {
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

/// The schedule of a block, with the rounds' constants added.
fn complete(block: [u32; 16]) -> [u32; 64] {
    let mut w = [0; 64];
    w[..16].copy_from_slice(&block);
    for t in 16..64 {
        w[t] = schedule(w[t - 2], w[t - 7], w[t - 15], w[t - 16]);
    }
    for (word, k) in w.iter_mut().zip(K) {
        *word = word.wrapping_add(k);
    }
    w
}

/// 64 rounds over a schedule with the rounds' constants added. FIPS 180-4, section 6.2.2, steps 2 to 4.
fn compress(state: [u32; 8], wk: &[u32; 64]) -> [u32; 8] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    for wk in wk {
        let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = g ^ (e & (f ^ g));
        let t1 = h.wrapping_add(*wk).wrapping_add(sum1).wrapping_add(choice);
        let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) | (c & (a | b));
        (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
        (d, c, b, a) = (c, b, a, t1.wrapping_add(sum0).wrapping_add(majority));
    }
    let mut sum = [a, b, c, d, e, f, g, h];
    for (word, before) in sum.iter_mut().zip(state) {
        *word = word.wrapping_add(before);
    }
    sum
}
