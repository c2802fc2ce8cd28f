//! The checks that every hasher must pass: this crate's backends, and anyone's.
//!
//! ```
//! use pair_hashers::{Family, auto, testing};
//!
//! for check in testing::checks() {
//!     check.run(auto(Family::Sha256)).unwrap();
//! }
//! ```
//!
//! Each compares with the family's [`reference()`]. A hasher that reads or writes outside its slices may crash the process,
//! which is the point of the guard pages; run a hasher that you do not trust in a process of its own.

mod calls;
mod contents;
#[cfg(unix)]
mod guard_pages;
mod panics;

use std::sync::{LazyLock, OnceLock};

use sha2::{Digest, Sha256};
use sha3::Keccak256;

use crate::{Family, Node, Pair, PairHasher};

/// What every hasher of `family` must agree with: sha2's Sha256 or sha3's Keccak256, one pair at a time.
pub fn reference(family: Family) -> &'static dyn PairHasher {
    static SHA256: Reference = Reference {
        name: "sha256/reference",
        family: Family::Sha256,
        hash: |pair| Sha256::digest(pair).into(),
    };
    static KECCAK256: Reference = Reference {
        name: "keccak256/reference",
        family: Family::Keccak256,
        hash: |pair| Keccak256::digest(pair).into(),
    };
    static RFC6962: Reference = Reference {
        name: "rfc6962/reference",
        family: Family::Rfc6962,
        hash: |pair| Sha256::new_with_prefix([0x01]).chain_update(pair).finalize().into(),
    };
    match family {
        Family::Sha256 => &SHA256,
        Family::Keccak256 => &KECCAK256,
        Family::Rfc6962 => &RFC6962,
    }
}

/// All checks, the quickest to find a fault first.
///
/// Those that a target has no means for are not in the list: guard pages need Unix, threads and caught panics no
/// WebAssembly.
pub fn checks() -> &'static [Check] {
    use About::{Memory, Nodes};
    &[
        Check { name: "batch-sizes", about: Nodes, run: batch_sizes },
        Check { name: "lanes", about: Nodes, run: lanes },
        Check { name: "zeros-and-ones", about: Nodes, run: zeros_and_ones },
        Check { name: "contents", about: Nodes, run: contents::check },
        Check { name: "calls", about: Nodes, run: calls::in_a_row },
        Check { name: "alignments", about: Memory, run: alignments },
        #[cfg(unix)]
        Check { name: "guard-pages", about: Memory, run: guard_pages::check },
        #[cfg(panic = "unwind")]
        Check { name: "wrong-lengths", about: Memory, run: panics::wrong_lengths },
        #[cfg(not(target_family = "wasm"))]
        Check { name: "threads", about: Nodes, run: calls::at_once },
    ]
}

/// One of the [`checks`].
#[derive(Clone, Copy, Debug)]
pub struct Check {
    name: &'static str,
    about: About,
    run: fn(&dyn PairHasher) -> Result<(), String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum About {
    /// What it computes.
    Nodes,
    /// How it treats the slices that it is given.
    Memory,
}

impl Check {
    /// A few words, joined by hyphens.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it is about how a hasher treats the memory that it is given, and so says nothing of a hasher that is given
    /// it by another process.
    pub fn is_about_memory(&self) -> bool {
        self.about == About::Memory
    }

    /// Runs it.
    ///
    /// # Errors
    ///
    /// The first disagreement: the check, the batch size and what else led to it, the pair, both nodes. Or the message of
    /// the hasher's panic.
    pub fn run(&self, hasher: &dyn PairHasher) -> Result<(), String> {
        let outcome = catch(|| (self.run)(hasher)).unwrap_or_else(Err);
        outcome.map_err(|why| format!("{}: {}: {why}", hasher.name(), self.name))
    }
}

pub use panics::catch;

/// Every batch size from 0 to 130, around every kernel's number of lanes and remainders; then some around powers of two,
/// for what happens in long batches only.
fn batch_sizes(hasher: &dyn PairHasher) -> Result<(), String> {
    let around = |n: usize| [n - 17, n - 1, n, n + 1, n + 17];
    for n in (0..=130).chain([256, 1024, 4096, 65536].into_iter().flat_map(around)) {
        agree(hasher, &PAINTED.pairs[..n], &PAINTED.nodes(hasher.family())[..n], "")?;
    }
    Ok(())
}

/// One pair at a time differs from all others, so that a node in another's place, or computed from another's bytes, shows.
fn lanes(hasher: &dyn PairHasher) -> Result<(), String> {
    const BACKGROUND: Pair = [0x55; 64];
    let background = node(hasher.family(), &BACKGROUND);
    for n in [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 20, 32, 35, 48, 51, 64, 97] {
        for lane in 0..n {
            let (mut pairs, mut nodes) = (vec![BACKGROUND; n], vec![background; n]);
            // A byte that moves with the lane.
            pairs[lane][lane % 64] ^= 0xff;
            nodes[lane] = node(hasher.family(), &pairs[lane]);
            agree(hasher, &pairs, &nodes, &format!(" where only pair {lane} differs"))?;
        }
    }
    Ok(())
}

/// Pairs of zeros, as in the empty part of every tree, and of ones.
fn zeros_and_ones(hasher: &dyn PairHasher) -> Result<(), String> {
    for byte in [0, 0xff] {
        let node = node(hasher.family(), &[byte; 64]);
        for n in [1, 2, 4, 8, 15, 16, 32, 48, 100] {
            agree(hasher, &vec![[byte; 64]; n], &vec![node; n], &format!(" of bytes {byte:#04x}"))?;
        }
    }
    Ok(())
}

/// Every misalignment of the pairs with every one of the nodes, to the size of a cache line.
fn alignments(hasher: &dyn PairHasher) -> Result<(), String> {
    const N: usize = 53;
    let expected = &PAINTED.nodes(hasher.family())[..N];
    let mut bytes = vec![0; N * size_of::<Pair>() + 128];
    let mut space = vec![0; N * size_of::<Node>() + 128];
    for of_pairs in 0..64 {
        let at = bytes.as_ptr().align_offset(64) + of_pairs;
        bytes[at..][..N * size_of::<Pair>()].copy_from_slice(PAINTED.pairs[..N].as_flattened());
        let pairs = &bytes[at..].as_chunks().0[..N];
        for of_nodes in 0..64 {
            let at = space.as_ptr().align_offset(64) + of_nodes;
            let nodes = &mut space[at..].as_chunks_mut().0[..N];
            nodes.fill([0; 32]);
            hasher.hash_pairs(pairs, nodes);
            same(nodes, expected)
                .map_err(|why| format!("pairs {of_pairs}, nodes {of_nodes} bytes off alignment: {why}"))?;
        }
    }
    Ok(())
}

/// Hashes and compares; also that nothing is written before or behind the nodes.
fn agree(hasher: &dyn PairHasher, pairs: &[Pair], expected: &[Node], of: &str) -> Result<(), String> {
    const UNTOUCHED: Node = [0xa5; 32];
    const MARGIN: usize = 64;
    let n = pairs.len();
    let mut space = vec![UNTOUCHED; n + 2 * MARGIN];
    hasher.hash_pairs(pairs, &mut space[MARGIN..][..n]);
    let (before, nodes) = space.split_at(MARGIN);
    let (nodes, behind) = nodes.split_at(n);
    same(nodes, expected).map_err(|why| format!("batch of {n}{of}: {why}"))?;
    if let Some(back) = before.iter().rev().position(|node| *node != UNTOUCHED) {
        return Err(format!("batch of {n}{of}: wrote to node {} before its start", back + 1));
    }
    match behind.iter().position(|node| *node != UNTOUCHED) {
        Some(on) => Err(format!("batch of {n}{of}: wrote to node {} after its end", on + 1)),
        None => Ok(()),
    }
}

fn same(nodes: &[Node], expected: &[Node]) -> Result<(), String> {
    match nodes.iter().zip(expected).position(|(node, expected)| node != expected) {
        Some(i) => Err(format!("node {i} is {}, expected {}", hex(&nodes[i]), hex(&expected[i]))),
        None => Ok(()),
    }
}

fn hex(node: &Node) -> String {
    node.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn node(family: Family, pair: &Pair) -> Node {
    let mut nodes = [[0; 32]];
    reference(family).hash_pairs(&[*pair], &mut nodes);
    nodes[0]
}

/// Pairs painted with a cycle of 251 bytes, a prime that no lane's offset divides.
struct Painted {
    pairs: Vec<Pair>,
    /// By family, computed when asked for.
    nodes: [OnceLock<Vec<Node>>; Family::ALL.len()],
}

static PAINTED: LazyLock<Painted> = LazyLock::new(|| {
    let mut pairs = vec![[0; 64]; 65536 + 17];
    for (i, byte) in pairs.as_flattened_mut().iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }
    Painted { pairs, nodes: Default::default() }
});

impl Painted {
    fn nodes(&self, family: Family) -> &[Node] {
        self.nodes[family as usize].get_or_init(|| {
            let mut nodes = vec![[0; 32]; self.pairs.len()];
            reference(family).hash_pairs(&self.pairs, &mut nodes);
            nodes
        })
    }
}

/// The plainest hasher of a family.
struct Reference {
    name: &'static str,
    family: Family,
    hash: fn(&Pair) -> Node,
}

impl PairHasher for Reference {
    fn name(&self) -> &str {
        self.name
    }

    fn family(&self) -> Family {
        self.family
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        assert_eq!(pairs.len(), nodes.len());
        for (pair, node) in pairs.iter().zip(nodes) {
            *node = (self.hash)(pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Spoil = fn(&[Pair], &mut [Node]);

    /// A hasher that is right but for what is done to its nodes afterwards.
    struct Spoiled(Family, Spoil);

    impl PairHasher for Spoiled {
        fn name(&self) -> &str {
            "spoiled"
        }

        fn family(&self) -> Family {
            self.0
        }

        fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
            let n = pairs.len().min(nodes.len());
            reference(self.0).hash_pairs(&pairs[..n], &mut nodes[..n]);
            (self.1)(pairs, nodes);
        }
    }

    #[test]
    fn each_check_finds_what_it_is_for() {
        let spoiled: &[(&str, Spoil)] = &[
            ("batch-sizes", |pairs, nodes| {
                if pairs.len() == 4097 {
                    nodes[4096][31] ^= 1;
                }
            }),
            ("lanes", |_, nodes| {
                if nodes.len() > 16 {
                    nodes.swap(3, 4);
                }
            }),
            ("zeros-and-ones", |pairs, nodes| {
                if pairs.first() == Some(&[0; 64]) {
                    nodes[0] = [0; 32];
                }
            }),
            ("alignments", |pairs, nodes| {
                if pairs.as_ptr().addr() % 64 == 63 && nodes.as_ptr().addr() % 64 == 1 {
                    nodes[0] = [0; 32];
                }
            }),
            #[cfg(panic = "unwind")]
            ("wrong-lengths", |_, _| {}),
        ];
        for &(name, spoil) in spoiled {
            let check = checks().iter().find(|check| check.name() == name).unwrap();
            for &family in Family::ALL {
                let error = check.run(&Spoiled(family, spoil)).expect_err(name);
                assert!(error.starts_with(&format!("spoiled: {name}: ")), "{error}");
                assert_eq!(check.run(reference(family)), Ok(()));
            }
        }
    }
}
