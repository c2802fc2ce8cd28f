//! Plain Rust, one pair at a time: the backend that every CPU can run.

use super::{INITIAL, K, PADDING_K, schedule};
use crate::{Node, Pair};

pub(crate) fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    for (pair, node) in pairs.iter().zip(nodes) {
        *node = hash(pair);
    }
}

fn hash(pair: &Pair) -> Node {
    let mut w = [0; 64];
    for (word, bytes) in w.iter_mut().zip(pair.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..64 {
        w[t] = schedule(w[t - 2], w[t - 7], w[t - 15], w[t - 16]);
    }
    for (word, k) in w.iter_mut().zip(K) {
        *word = word.wrapping_add(k);
    }
    let state = compress(compress(INITIAL, &w), &PADDING_K);

    let mut node = [0; 32];
    for (bytes, word) in node.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    node
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
