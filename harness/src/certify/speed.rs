//! How long a hasher takes beside the built-in backends. Measured, never judged.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pair_hashers::{Node, Pair, PairHasher, backends};
use serde::Serialize;

/// Batch sizes that are timed.
pub const SIZES: [usize; 5] = [1, 4, 16, 256, 4096];

/// How long the hashers take turns at one size.
const BUDGET: Duration = Duration::from_millis(300);

/// Times of several hashers, medians of a run in which they took turns.
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    /// What there is to say of the candidate's times.
    pub note: Option<&'static str>,
    /// The candidate first, then every backend of its family that can run here, the fastest in long batches first.
    pub rows: Vec<SpeedRow>,
}

/// The times of one hasher.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedRow {
    /// Its name.
    pub hasher: String,
    /// Nanoseconds for each hash, for each batch size.
    pub ns_per_hash: Vec<Sample>,
}

/// The time at one batch size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sample {
    /// Pairs in a batch.
    pub n: usize,
    /// Nanoseconds for each of them.
    pub ns: f64,
}

impl Speed {
    /// Times the candidate and all built-in backends of its family.
    pub fn measure(candidate: &dyn PairHasher, note: Option<&'static str>) -> Self {
        let built_in = backends().iter().filter(|backend| backend.family() == candidate.family());
        let built_in = built_in.filter_map(|backend| backend.hasher().ok());
        let others = built_in.filter(|hasher| hasher.name() != candidate.name());
        let hashers: Vec<_> = std::iter::once(candidate).chain(others.map(|hasher| hasher as _)).collect();

        let mut rows: Vec<_> = hashers
            .iter()
            .map(|hasher| SpeedRow { hasher: hasher.name().into(), ns_per_hash: Vec::new() })
            .collect();
        for n in SIZES {
            for (row, ns) in rows.iter_mut().zip(race(&hashers, n)) {
                row.ns_per_hash.push(Sample { n, ns });
            }
        }
        let longest = |row: &SpeedRow| row.ns_per_hash.last().map_or(f64::MAX, |sample| sample.ns);
        rows[1..].sort_by(|a, b| longest(a).total_cmp(&longest(b)));
        Self { note, rows }
    }
}

/// Lets all take turns until the time is up; the median of each, in nanoseconds a hash.
fn race(hashers: &[&dyn PairHasher], n: usize) -> Vec<f64> {
    const LEAST: usize = 5;
    let mut pairs: Vec<Pair> = vec![[0; 64]; n];
    for (i, byte) in pairs.as_flattened_mut().iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }
    let mut nodes = vec![[0; 32]; n];
    let mut samples = vec![Vec::new(); hashers.len()];
    let start = Instant::now();
    for turn in 0.. {
        if turn > LEAST && start.elapsed() > BUDGET {
            break;
        }
        for (hasher, samples) in hashers.iter().zip(&mut samples) {
            let sample = sample(*hasher, &pairs, &mut nodes);
            // the first turn warms up
            if turn > 0 {
                samples.push(sample);
            }
        }
    }
    samples.iter_mut().map(|samples| median(samples)).collect()
}

/// Nanoseconds a hash: long enough for the clock where a batch is short.
fn sample(hasher: &dyn PairHasher, pairs: &[Pair], nodes: &mut [Node]) -> f64 {
    let calls = (64 / pairs.len()).max(1);
    let start = Instant::now();
    for _ in 0..calls {
        hasher.hash_pairs(black_box(pairs), black_box(&mut *nodes));
    }
    start.elapsed().as_secs_f64() * 1e9 / (pairs.len() * calls) as f64
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
