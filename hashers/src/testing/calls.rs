//! Many calls: what one leaves behind does not reach another, neither in a row nor at once.

#[cfg(not(target_family = "wasm"))]
use std::sync::{
    Barrier,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use super::contents::random;
#[cfg(not(target_family = "wasm"))]
use super::{PAINTED, agree, catch};
use super::{reference, same};
use crate::{Node, Pair, PairHasher};

/// Batches of all sizes in the same two buffers, whose contents change between the calls, at times by one byte.
pub(super) fn in_a_row(hasher: &dyn PairHasher) -> Result<(), String> {
    const SIZES: [usize; 14] = [64, 1, 0, 33, 0, 2, 200, 3, 1, 16, 0, 5, 128, 1];
    let fresh = random(4096);
    let mut buffers = Buffers { pairs: vec![[0; 64]; 200], nodes: vec![[0; 32]; 200], calls: 0 };
    for round in 0..20 {
        for (i, n) in SIZES.into_iter().enumerate() {
            let at = (round * 173 + i * 37) % (fresh.len() - n);
            buffers.pairs[..n].copy_from_slice(&fresh[at..at + n]);
            buffers.hash(hasher, n)?;
        }
    }
    // one pair that changes in a byte, and then changes back
    for call in 0..6000 {
        let at = (call / 2) % 64;
        buffers.pairs[0][at] ^= 0x01;
        buffers.hash(hasher, 1)?;
    }
    Ok(())
}

struct Buffers {
    pairs: Vec<Pair>,
    nodes: Vec<Node>,
    calls: usize,
}

impl Buffers {
    fn hash(&mut self, hasher: &dyn PairHasher, n: usize) -> Result<(), String> {
        self.calls += 1;
        let before = self.nodes.clone();
        hasher.hash_pairs(&self.pairs[..n], &mut self.nodes[..n]);
        let mut expected = vec![[0; 32]; n];
        reference(hasher.family()).hash_pairs(&self.pairs[..n], &mut expected);
        let call = format!("batch of {n}, call {} with the same buffers", self.calls);
        same(&self.nodes[..n], &expected).map_err(|why| format!("{call}: {why}"))?;
        same(&self.nodes[n..], &before[n..]).map_err(|why| format!("{call}: behind the batch, {why}"))
    }
}

/// Several threads call it, each round at the same moment: many short batches, then long ones that surely overlap.
#[cfg(not(target_family = "wasm"))]
pub(super) fn at_once(hasher: &dyn PairHasher) -> Result<(), String> {
    const THREADS: usize = 4;
    const LONG: usize = 1 << 14;
    let (start, failed) = (Barrier::new(THREADS), AtomicBool::new(false));
    let round = |first: usize, n: usize| {
        start.wait();
        // no thread stops early: the others would wait for it
        if failed.load(Relaxed) {
            return Ok(());
        }
        let (pairs, expected) = (&PAINTED.pairs[first..][..n], &PAINTED.nodes(hasher.family())[first..][..n]);
        let outcome =
            catch(|| agree(hasher, pairs, expected, " on one of several threads")).unwrap_or_else(Err);
        outcome.inspect_err(|_| failed.store(true, Relaxed))
    };
    let run = |thread: usize| {
        let sizes = (0..50).map(|n| 3 * n).chain([LONG; 8]);
        sizes.enumerate().map(|(i, n)| round(1000 * thread + i, n)).fold(Ok(()), Result::and)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn({
                    let run = &run;
                    move || run(thread)
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "panicked".to_string())?)
    })
}
