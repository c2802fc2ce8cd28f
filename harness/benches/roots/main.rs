//! Times the Merkle roots of objects of the consensus layer: `cargo bench -p ssz-conformance --bench roots [-- [--quick] [TEXT]...]`.
//!
//! Ours, straight from the encoded bytes, with three backends, and peers on their own typed values, which are decoded
//! from the same bytes outside the timing. All compute the same roots, or nothing is timed. They take turns within one
//! run on one thread, and each number is a median; then ours runs on two threads. With TEXTs, only objects whose name
//! contains one of them.
//!
//! Of objects that are not too large, ours also computes the roots of the other families, by `auto` and by the family's
//! reference, one pair at a time. Last come the trees of RFC 6962, against a plain recursion.
//!
//! The numbers also go to `bench/roots.json` in the target directory:
//!
//! `{"rows": [{"object": "validators/1000000", "implementation": "ours/auto", "threads": 1, "ms": 140.0}, ...]}`

mod log;
mod objects;
mod peers;
mod stage;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use pair_hashers::{Family, Node, PairHasher, auto, find};
use rayon::{ThreadPool, ThreadPoolBuilder};
use ssz_conformance::merkle::Merkleizer;

use self::objects::Object;
use self::stage::{Contender, Stage, race, row};

/// Ours over SHA-256: names, and the backends that they stand for.
const CONSENSUS: [(&str, &str); 3] =
    [("ours/auto", "sha256/auto"), ("ours/hashtree-rs", "sha256/hashtree"), ("ours/sha2", "sha256/digest")];

/// The same over the functions that are not of consensus.
const OTHER_FAMILIES: [(Family, [(&str, &str); 2]); 2] = [
    (
        Family::Keccak256,
        [("ours/keccak256/auto", "keccak256/auto"), ("ours/keccak256/reference", "keccak256/reference")],
    ),
    (
        Family::Rfc6962,
        [("ours/rfc6962/auto", "rfc6962/auto"), ("ours/rfc6962/reference", "rfc6962/reference")],
    ),
];

/// Larger objects take a reference too long.
const LARGEST_OF_OTHER_FAMILIES: usize = 8 << 20;

fn main() {
    let mut texts: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let quick = texts.iter().any(|text| text == "--quick");
    texts.retain(|text| text != "--quick");
    let wanted = |name: &str| texts.is_empty() || texts.iter().any(|text| name.contains(text.as_str()));

    // a large object needs few samples, but its contenders take longer than the budget allows
    let budget = Duration::from_secs_f64(if quick { 3.0 } else { 20.0 });
    let mut rows = Vec::new();
    for (name, make) in objects::all().into_iter().filter(|(name, _)| wanted(name)) {
        let object = make();
        let memory = extra_memory(&object);
        println!("\n{name} ({} bytes; one root takes {memory} beside them)", object.bytes.len());
        stage(name, &object).run(name, budget, &mut rows);
        let mut threads = vec![ours_on_threads(&object, 1), ours_on_threads(&object, 2)];
        let medians = race(&mut threads, budget / 4);
        println!(
            "  ours/auto, 2 threads    {:12.5} ms{:8.2} times as fast as 1",
            medians[1],
            medians[0] / medians[1]
        );
        rows.push(row(name, "ours/auto", 2, medians[1]));
    }
    for (name, contenders) in log::all().into_iter().filter(|(name, _)| wanted(name)) {
        println!("\n{name}");
        let mut stage = Stage::default();
        stage.enter(name, contenders());
        stage.run(name, budget, &mut rows);
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("bench").join("roots.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("{{\"rows\": [\n{}\n]}}\n", rows.join(",\n"))).unwrap();
    println!("\nalso in {}", path.display());
}

/// All that compute an object's roots, family by family.
fn stage(name: &str, object: &Object) -> Stage {
    let mut stage = Stage::default();
    let mut contenders = ours(object, &CONSENSUS);
    contenders.extend((object.peers)(&object.bytes));
    stage.enter(name, contenders);
    if object.bytes.len() <= LARGEST_OF_OTHER_FAMILIES {
        for (family, backends) in OTHER_FAMILIES {
            let mut contenders = ours(object, &backends);
            contenders.extend((object.other_peers)(family, &object.bytes));
            stage.enter(name, contenders);
        }
    }
    stage
}

/// Ours, on those of these backends that can run here.
fn ours(object: &Object, backends: &[(&'static str, &str)]) -> Vec<Contender> {
    let available = backends.iter().filter_map(|&(name, of)| Some((name, find(of)?.hasher().ok()?)));
    available.map(|(name, hasher)| (name, compute(object, hasher, false))).collect()
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
