//! Times every available backend and its peers: `cargo bench -p pair-hashers [-- [--quick] [TEXT]...]`.
//!
//! Prints nanoseconds a hash, and as a ratio to a peer of the family: the peer's time over the backend's. The peers are
//! hashtree-rs as it ships, sha3's Keccak256, and sha2's Sha256 for RFC 6962. With TEXTs, only contenders whose name contains
//! one of them, besides that peer. All contenders of a family take turns within one run, and each number is a median, so that
//! another program's load or a change of the clock meets them all alike. The same numbers go to `bench/hash_pairs.json` in the target directory (`target/`, or `CARGO_TARGET_DIR`):
//!
//! `{"rows": [{"backend": "sha256/auto", "n": 4096, "ns_per_hash": 14.0, "ratio": 2.7}, ...]}`
//!
//! where `n` is the number of pairs in a call, or `"chain"`: single pairs, each made of the node before.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use pair_hashers::{Family, Node, Pair, backends};

const SIZES: [usize; 13] = [1, 2, 3, 4, 8, 16, 32, 64, 256, 1024, 4096, 65536, 1 << 20];

/// What the ratios of a family are to.
fn yardstick(family: Family) -> &'static str {
    match family {
        Family::Sha256 => "peer/hashtree-rs",
        Family::Keccak256 => "peer/sha3",
        Family::Rfc6962 => "peer/sha2-rfc6962",
        _ => unreachable!("a family without peers"),
    }
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let quick = args.iter().any(|arg| arg == "--quick");
    args.retain(|arg| arg != "--quick");
    let mut pairs: Vec<Pair> = vec![[0; 64]; SIZES[SIZES.len() - 1]];
    for (i, byte) in pairs.as_flattened_mut().iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }

    let chosen = |c: &Contender| args.is_empty() || args.iter().any(|text| c.name.contains(text));
    let mut rows = Vec::new();
    for &family in Family::ALL {
        let mut contenders = contenders(family);
        if contenders.iter().any(chosen) {
            contenders.retain(|c| c.name == yardstick(family) || chosen(c));
            // For each size, shared by the contenders.
            let each = Duration::from_millis(if quick { 60 } else { 600 });
            let table = measure(family, &contenders, &pairs, each * contenders.len() as u32);
            println!("{}", table.text(&contenders));
            rows.extend(table.rows);
        }
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("bench").join("hash_pairs.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("{{\"rows\": [\n{}\n]}}\n", rows.join(",\n"))).unwrap();
    println!("also in {}", path.display());
}

/// Lets the contenders of a family hash batches of all sizes, then chains, for so long each.
fn measure(family: Family, contenders: &[Contender], pairs: &[Pair], budget: Duration) -> Table {
    let mut nodes = vec![[0; 32]; pairs.len()];
    let mut table = Table::of(family);
    for n in SIZES {
        let medians = race(contenders, budget, |c| {
            // Some 20 microseconds a sample, so that the clock's resolution does not matter.
            let calls = (512 / n).max(1);
            let start = Instant::now();
            for _ in 0..calls {
                (c.hash)(black_box(&pairs[..n]), black_box(&mut nodes[..n]));
            }
            start.elapsed().as_secs_f64() * 1e9 / (n * calls) as f64
        });
        table.add(&n.to_string(), contenders, &medians);
    }
    let medians = race(contenders, budget, |c| {
        const LINKS: usize = 512;
        let mut pair = [[0x5a; 64]];
        let start = Instant::now();
        for _ in 0..LINKS {
            let mut node = [[0; 32]];
            (c.hash)(&pair, &mut node);
            pair[0][..32].copy_from_slice(&node[0]);
        }
        black_box(&pair);
        start.elapsed().as_secs_f64() * 1e9 / LINKS as f64
    });
    table.add("\"chain\"", contenders, &medians);
    table
}

struct Contender {
    name: &'static str,
    hash: Box<HashPairs>,
}

type HashPairs = dyn Fn(&[Pair], &mut [Node]);

fn contenders(family: Family) -> Vec<Contender> {
    let of_family = backends().iter().filter(|backend| backend.family() == family);
    let available = of_family.filter_map(|backend| {
        let hasher = backend.hasher().inspect_err(|why| println!("{}: {why}", backend.name())).ok()?;
        Some(Contender {
            name: backend.name(),
            hash: Box::new(|pairs, nodes| hasher.hash_pairs(pairs, nodes)),
        })
    });
    available.chain(peers::of(family)).collect()
}

/// Lets all contenders take turns until the time is up, each first in turn; the median of each.
fn race(contenders: &[Contender], budget: Duration, mut sample: impl FnMut(&Contender) -> f64) -> Vec<f64> {
    let mut samples = vec![Vec::new(); contenders.len()];
    for contender in contenders {
        sample(contender); // warms up
    }
    let start = Instant::now();
    let least = 3;
    for turn in 0.. {
        if turn >= least && start.elapsed() > budget {
            break;
        }
        for i in 0..contenders.len() {
            let i = (turn + i) % contenders.len();
            samples[i].push(sample(&contenders[i]));
        }
    }
    samples.iter_mut().map(|samples| median(samples)).collect()
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

struct Table {
    family: Family,
    rows: Vec<String>,
    /// By contender: nanoseconds and ratio of each column.
    cells: BTreeMap<&'static str, Vec<(f64, Option<f64>)>>,
    columns: Vec<String>,
}

impl Table {
    fn of(family: Family) -> Self {
        Self { family, rows: Vec::new(), cells: BTreeMap::new(), columns: Vec::new() }
    }

    fn add(&mut self, n: &str, contenders: &[Contender], medians: &[f64]) {
        let yardstick = yardstick(self.family);
        let yardstick = contenders.iter().position(|c| c.name == yardstick).map(|i| medians[i]);
        self.columns.push(n.trim_matches('"').to_string());
        for (contender, &ns) in contenders.iter().zip(medians) {
            let name = contender.name;
            let ratio = yardstick.map(|yardstick| yardstick / ns);
            let json = ratio.map_or("null".to_string(), |ratio| format!("{ratio:.3}"));
            self.rows.push(format!(
                r#"  {{"backend": "{name}", "n": {n}, "ns_per_hash": {ns:.2}, "ratio": {json}}}"#
            ));
            self.cells.entry(name).or_default().push((ns, ratio));
        }
        eprintln!("measured {}, n = {n}", self.family);
    }

    fn text(&self, contenders: &[Contender]) -> String {
        let mut text = String::new();
        for (title, cell) in [
            ("ns a hash".into(), (|c| format!("{:8.1}", c.0)) as fn(&(f64, Option<f64>)) -> String),
            (format!("times {}", yardstick(self.family)), |c| {
                c.1.map_or("       -".into(), |ratio| format!("{ratio:8.2}"))
            }),
        ] {
            let header: String = self.columns.iter().map(|n| format!("{n:>8}")).collect();
            writeln!(text, "\n{title:24}{header}").unwrap();
            for Contender { name, .. } in contenders {
                writeln!(text, "{name:24}{}", self.cells[name].iter().map(cell).collect::<String>()).unwrap();
            }
        }
        text
    }
}

/// Other crates, called as their users call them.
mod peers {
    use super::Contender;
    use pair_hashers::{Family, Node, Pair};
    use sha2::Digest;

    pub(super) fn of(family: Family) -> Vec<Contender> {
        match family {
            Family::Sha256 => sha256(),
            Family::Keccak256 => vec![
                peer("peer/sha3", |pair| sha3::Keccak256::digest(pair).into()),
                peer("peer/keccak", keccak),
                peer("peer/tiny-keccak", tiny_keccak),
            ],
            Family::Rfc6962 => vec![peer("peer/sha2-rfc6962", |pair| {
                sha2::Sha256::new_with_prefix([0x01]).chain_update(pair).finalize().into()
            })],
            _ => Vec::new(),
        }
    }

    fn sha256() -> Vec<Contender> {
        let mut peers = vec![
            peer("peer/sha2-digest", |pair| sha2::Sha256::digest(pair).into()),
            peer("peer/sha2-compress", compress),
        ];
        #[cfg(not(target_family = "wasm"))]
        peers.push(peer("peer/ring", |pair| {
            ring::digest::digest(&ring::digest::SHA256, pair).as_ref().try_into().unwrap()
        }));
        // As the dependency in Cargo.toml.
        #[cfg(any(
            all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")),
            all(target_os = "macos", target_arch = "aarch64"),
        ))]
        peers.push(Contender {
            name: "peer/hashtree-rs",
            hash: Box::new(|pairs, nodes| {
                hashtree_rs::hash(nodes.as_flattened_mut(), pairs.as_flattened(), pairs.len());
            }),
        });
        peers
    }

    /// One that hashes a pair at a time.
    fn peer(name: &'static str, hash: impl Fn(&Pair) -> Node + 'static) -> Contender {
        let hash_pairs = move |pairs: &[Pair], nodes: &mut [Node]| {
            for (pair, node) in pairs.iter().zip(nodes) {
                *node = hash(pair);
            }
        };
        Contender { name, hash: Box::new(hash_pairs) }
    }

    fn compress(pair: &Pair) -> Node {
        const INITIAL: [u32; 8] =
            [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
        const PADDING: Pair = {
            let mut block = [0; 64];
            block[0] = 0x80;
            block[62] = 2;
            block
        };
        let mut state = INITIAL;
        sha2::block_api::compress256(&mut state, &[*pair, PADDING]);
        let mut node = [0; 32];
        for (bytes, word) in node.as_chunks_mut().0.iter_mut().zip(state) {
            *bytes = word.to_be_bytes();
        }
        node
    }

    /// The permutation alone, on a padded pair. Its SIMD needs an unstable compiler, but for ARMv8's instructions.
    fn keccak(pair: &Pair) -> Node {
        let mut state = [0; 25];
        for (word, bytes) in state.iter_mut().zip(pair.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        state[8] = 0x01;
        state[16] = 0x80 << 56;
        keccak::Keccak::new().with_f1600(|f1600| f1600(&mut state));
        let mut node = [0; 32];
        for (bytes, word) in node.as_chunks_mut().0.iter_mut().zip(state) {
            *bytes = word.to_le_bytes();
        }
        node
    }

    fn tiny_keccak(pair: &Pair) -> Node {
        use tiny_keccak::Hasher;

        let (mut hasher, mut node) = (tiny_keccak::Keccak::v256(), [0; 32]);
        hasher.update(pair);
        hasher.finalize(&mut node);
        node
    }
}
