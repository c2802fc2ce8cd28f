//! Contenders that take turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pair_hashers::Node;

/// Computes a root once.
pub(crate) type Contender = (&'static str, Box<dyn FnMut() -> Node>);

/// Contenders that take turns, in groups that compute the same root.
#[derive(Default)]
pub(crate) struct Stage {
    contenders: Vec<Contender>,
    /// For each, the one that its time is compared with: the first of its group; of that, the first of all.
    against: Vec<usize>,
}

impl Stage {
    /// Takes on a group, all of which have to compute the same root, or nothing is timed.
    pub(crate) fn enter(&mut self, name: &str, mut group: Vec<Contender>) {
        let roots: Vec<_> = group.iter_mut().map(|(contender, root)| (*contender, root())).collect();
        for (contender, root) in &roots {
            assert_eq!(*root, roots[0].1, "{contender} computes another root of {name} than {}", roots[0].0);
        }
        let first = self.contenders.len();
        self.against.extend((0..group.len()).map(|at| if at == 0 { 0 } else { first }));
        self.contenders.extend(group);
    }

    pub(crate) fn run(mut self, name: &str, budget: Duration, rows: &mut Vec<String>) {
        let medians = race(&mut self.contenders, budget);
        for (at, ms) in medians.iter().enumerate() {
            let (contender, against) = (self.contenders[at].0, self.against[at]);
            let ratio = ms / medians[against];
            println!("  {contender:24}{ms:12.5} ms{ratio:8.2} times {}", self.contenders[against].0);
            rows.push(row(name, contender, 1, *ms));
        }
    }
}

pub(crate) fn row(object: &str, implementation: &str, threads: usize, ms: f64) -> String {
    format!(
        r#"  {{"object": "{object}", "implementation": "{implementation}", "threads": {threads}, "ms": {ms:.6}}}"#
    )
}

/// Lets all contenders take turns until the time is up; the median time of one root of each, in milliseconds.
pub(crate) fn race(contenders: &mut [Contender], budget: Duration) -> Vec<f64> {
    let repeats: Vec<u32> = contenders
        .iter_mut()
        .map(|(_, root)| {
            let start = Instant::now();
            black_box(root());
            // some 100 microseconds a sample, so that the clock's resolution does not matter
            (100_000 / start.elapsed().as_nanos().max(1)).clamp(1, 10_000) as u32
        })
        .collect();
    let mut samples = vec![Vec::new(); contenders.len()];
    let start = Instant::now();
    for turn in 0.. {
        if turn >= 3 && start.elapsed() > budget {
            break;
        }
        for place in 0..contenders.len() {
            let at = (turn + place) % contenders.len();
            let start = Instant::now();
            for _ in 0..repeats[at] {
                black_box(contenders[at].1());
            }
            samples[at].push(start.elapsed().as_secs_f64() * 1e3 / f64::from(repeats[at]));
        }
    }
    samples
        .iter_mut()
        .map(|samples| {
            samples.sort_by(f64::total_cmp);
            samples[samples.len() / 2]
        })
        .collect()
}
