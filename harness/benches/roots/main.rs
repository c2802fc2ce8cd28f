//! Times the Merkle roots of objects of the consensus layer: `cargo bench -p ssz-conformance --bench roots [-- [--quick] [TEXT]...]`.
//!
//! Ours, straight from the encoded bytes, with three backends, and peers on their own typed values, which are decoded
//! from the same bytes outside the timing. All compute the same roots, or nothing is timed. They take turns within one
//! run on one thread, and each number is a median; then ours runs on two threads. With TEXTs, only objects whose name
//! contains one of them. The numbers also go to `bench/roots.json` in the target directory:
//!
//! `{"rows": [{"object": "validators/1000000", "implementation": "ours/auto", "threads": 1, "ms": 140.0}, ...]}`

mod objects;
mod peers;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use pair_hashers::{Family, Node, PairHasher, auto, find};
use rayon::{ThreadPool, ThreadPoolBuilder};
use ssz_conformance::merkle::Merkleizer;

use self::objects::Object;

/// Computes a root once.
type Contender = (&'static str, Box<dyn FnMut() -> Node>);

fn main() {
    let mut texts: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let quick = texts.iter().any(|text| text == "--quick");
    texts.retain(|text| text != "--quick");
    let wanted = |name: &str| texts.is_empty() || texts.iter().any(|text| name.contains(text.as_str()));

    let mut rows = Vec::new();
    for (name, make) in objects::all() {
        if !wanted(name) {
            continue;
        }
        let object = make();
        let memory = extra_memory(&object);
        let mut contenders = ours(&object);
        contenders.extend((object.peers)(&object.bytes));
        let roots: Vec<_> = contenders.iter_mut().map(|(name, root)| (*name, root())).collect();
        for (contender, root) in &roots {
            assert_eq!(*root, roots[0].1, "{contender} computes another root of {name} than {}", roots[0].0);
        }
        // a large object needs few samples, but its contenders take longer than the budget allows
        let budget = Duration::from_secs_f64(if quick { 3.0 } else { 20.0 });
        let medians = race(&mut contenders, budget);
        println!("\n{name} ({} bytes; one root takes {memory} beside them)", object.bytes.len());
        for ((contender, _), ms) in contenders.iter().zip(&medians) {
            println!("  {contender:24}{ms:12.5} ms{:8.2} times ours/auto", ms / medians[0]);
            rows.push(row(name, contender, 1, *ms));
        }
        drop(contenders);
        let mut threads = vec![ours_on_threads(&object, 1), ours_on_threads(&object, 2)];
        let medians = race(&mut threads, budget / 4);
        println!(
            "  ours/auto, 2 threads    {:12.5} ms{:8.2} times as fast as 1",
            medians[1],
            medians[0] / medians[1]
        );
        rows.push(row(name, "ours/auto", 2, medians[1]));
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("bench").join("roots.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("{{\"rows\": [\n{}\n]}}\n", rows.join(",\n"))).unwrap();
    println!("\nalso in {}", path.display());
}

fn row(object: &str, implementation: &str, threads: usize, ms: f64) -> String {
    format!(
        r#"  {{"object": "{object}", "implementation": "{implementation}", "threads": {threads}, "ms": {ms:.6}}}"#
    )
}

fn ours(object: &Object) -> Vec<Contender> {
    let backend = |name| find(name).and_then(|backend| backend.hasher().ok());
    let backends = [
        ("ours/auto", Some(auto(Family::Sha256))),
        ("ours/hashtree-rs", backend("sha256/hashtree")),
        ("ours/sha2", backend("sha256/digest")),
    ];
    backends.into_iter().filter_map(|(name, hasher)| Some((name, compute(object, hasher?, false)))).collect()
}

fn compute(object: &Object, hasher: &'static dyn PairHasher, parallel: bool) -> Box<dyn FnMut() -> Node> {
    let (ty, bytes) = (object.ty.clone(), object.bytes.clone());
    let mut merkleizer = Merkleizer::new(hasher);
    merkleizer.set_parallel(parallel);
    Box::new(move || merkleizer.root(&ty, &bytes).expect("the object decodes"))
}

fn ours_on_threads(object: &Object, threads: usize) -> Contender {
    let pool: ThreadPool =
        ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    let (ty, bytes) = (object.ty.clone(), object.bytes.clone());
    let root = move || {
        pool.install(|| {
            let mut merkleizer = Merkleizer::new(auto(Family::Sha256));
            merkleizer.set_parallel(true);
            merkleizer.root(&ty, &bytes).expect("the object decodes")
        })
    };
    ("ours/auto", Box::new(root))
}

/// How much the process grows while it computes one root, where the system tells (Linux).
fn extra_memory(object: &Object) -> String {
    let kilobytes = |key: &str| -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        status.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_suffix(" kB")?.parse().ok())
    };
    // from now on the high-water mark is that of what follows
    let reset = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = kilobytes("VmRSS:");
    black_box(compute(object, auto(Family::Sha256), false)());
    match (reset, before, kilobytes("VmHWM:")) {
        (true, Some(before), Some(peak)) => format!("{} KiB", peak.saturating_sub(before)),
        _ => "an unknown amount".into(),
    }
}

/// Lets all contenders take turns until the time is up; the median time of one root of each, in milliseconds.
fn race(contenders: &mut [Contender], budget: Duration) -> Vec<f64> {
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
