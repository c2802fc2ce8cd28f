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

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use crate::{Family, Node, Pair, PairHasher};

/// What every hasher of `family` must agree with: sha2's Digest, one pair at a time.
pub fn reference(family: Family) -> &'static dyn PairHasher {
    match family {
        Family::Sha256 => &Sha2,
    }
}

/// All checks, the quickest to find a fault first.
///
/// Those that a target has no means for are not in the list: guard pages need Unix, threads and caught panics no
/// WebAssembly.
pub fn checks() -> &'static [Check] {
    &[
        Check { name: "batch-sizes", run: batch_sizes },
        Check { name: "lanes", run: lanes },
        Check { name: "zeros-and-ones", run: zeros_and_ones },
        Check { name: "alignments", run: alignments },
        #[cfg(unix)]
        Check { name: "guard-pages", run: guard_pages::check },
        #[cfg(panic = "unwind")]
        Check { name: "wrong-lengths", run: wrong_lengths },
        #[cfg(not(target_family = "wasm"))]
        Check { name: "threads", run: threads },
    ]
}

/// One of the [`checks`].
#[derive(Clone, Copy, Debug)]
pub struct Check {
    name: &'static str,
    run: fn(&dyn PairHasher) -> Result<(), String>,
}

impl Check {
    /// A few words, joined by hyphens.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Runs it.
    ///
    /// # Errors
    ///
    /// The first disagreement: the check, the batch size and what else led to it, the pair, both nodes.
    pub fn run(&self, hasher: &dyn PairHasher) -> Result<(), String> {
        (self.run)(hasher).map_err(|why| format!("{}: {}: {why}", hasher.name(), self.name))
    }
}

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

/// A slice of nodes that is shorter or longer than that of pairs makes every hasher panic.
#[cfg(panic = "unwind")]
fn wrong_lengths(hasher: &dyn PairHasher) -> Result<(), String> {
    for (n, m) in [(0, 1), (1, 0), (1, 2), (16, 15), (16, 17), (33, 32), (64, 65), (100, 0)] {
        let pairs = &PAINTED.pairs[..n];
        let mut nodes = vec![[0; 32]; m];
        if !panics(|| hasher.hash_pairs(pairs, &mut nodes)) {
            return Err(format!("{n} pairs and {m} nodes did not make it panic"));
        }
    }
    Ok(())
}

/// Whether `f` panics; no message of it is printed.
#[cfg(panic = "unwind")]
fn panics(f: impl FnOnce()) -> bool {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
    use std::sync::Once;

    thread_local!(static EXPECTED: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !EXPECTED.get() {
                others(panic);
            }
        }));
    });
    EXPECTED.set(true);
    let panicked = catch_unwind(AssertUnwindSafe(f)).is_err();
    EXPECTED.set(false);
    panicked
}

/// Several threads use it at once.
#[cfg(not(target_family = "wasm"))]
fn threads(hasher: &dyn PairHasher) -> Result<(), String> {
    std::thread::scope(|scope| {
        let run = |first: usize| {
            (0..50).try_for_each(|n| {
                let range = first..first + 3 * n;
                let expected = &PAINTED.nodes(hasher.family())[range.clone()];
                agree(hasher, &PAINTED.pairs[range], expected, " on one of several threads")
            })
        };
        let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || run(1000 * thread))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "panicked".to_string())?)
    })
}

/// Both buffers end where a page without access begins, and begin where one ends: a single byte read or written outside
/// of them is a crash.
#[cfg(unix)]
mod guard_pages {
    use super::*;

    pub(super) fn check(hasher: &dyn PairHasher) -> Result<(), String> {
        const MOST: usize = 200;
        let (mut pairs, mut nodes) = (Guarded::<Pair>::new(MOST), Guarded::<Node>::new(MOST));
        for n in (0..=130).chain([MOST]) {
            for (pairs_side, nodes_side) in [(END, END), (START, START), (END, START), (START, END)] {
                let pairs = pairs.slice(n, pairs_side);
                pairs.copy_from_slice(&PAINTED.pairs[..n]);
                let nodes = nodes.slice(n, nodes_side);
                nodes.fill([0; 32]);
                hasher.hash_pairs(pairs, nodes);
                same(nodes, &PAINTED.nodes(hasher.family())[..n])
                    .map_err(|why| format!("batch of {n} beside a guard page: {why}"))?;
            }
        }
        Ok(())
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Side {
        Start,
        End,
    }
    const START: Side = Side::Start;
    const END: Side = Side::End;

    /// Pages with room for a number of elements, between two pages without access.
    struct Guarded<T> {
        map: *mut u8,
        map_len: usize,
        page: usize,
        element: core::marker::PhantomData<T>,
    }

    /// Elements are arrays of bytes: any bytes are a value, any address is aligned.
    trait Bytes: Copy {}
    impl<const N: usize> Bytes for [u8; N] {}

    impl<T: Bytes> Guarded<T> {
        fn new(elements: usize) -> Self {
            // SAFETY: asks for a number; a new mapping disturbs no other; its inner pages are made accessible.
            unsafe {
                let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
                let inner = (elements * size_of::<T>()).next_multiple_of(page);
                let map_len = inner + 2 * page;
                let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
                let map = libc::mmap(core::ptr::null_mut(), map_len, libc::PROT_NONE, flags, -1, 0);
                assert_ne!(map, libc::MAP_FAILED, "no memory for guard pages");
                let map = map.cast::<u8>();
                let made = libc::mprotect(map.add(page).cast(), inner, libc::PROT_READ | libc::PROT_WRITE);
                assert_eq!(made, 0, "cannot make guard pages");
                Self { map, map_len, page, element: core::marker::PhantomData }
            }
        }

        fn slice(&mut self, n: usize, side: Side) -> &mut [T] {
            let room = self.map_len - 2 * self.page;
            let bytes = n * size_of::<T>();
            assert!(bytes <= room);
            let at = self.page + if side == END { room - bytes } else { 0 };
            // SAFETY: these bytes are between the guard pages, zero or written before, and borrowed as `self` is.
            unsafe { core::slice::from_raw_parts_mut(self.map.add(at).cast(), n) }
        }
    }

    impl<T> Drop for Guarded<T> {
        fn drop(&mut self) {
            // SAFETY: our own mapping; no slice of it outlives `self`.
            unsafe { libc::munmap(self.map.cast(), self.map_len) };
        }
    }
}

/// Hashes and compares; also that nothing is written behind the nodes.
fn agree(hasher: &dyn PairHasher, pairs: &[Pair], expected: &[Node], of: &str) -> Result<(), String> {
    const UNTOUCHED: Node = [0xa5; 32];
    let n = pairs.len();
    let mut nodes = vec![UNTOUCHED; n + 64];
    hasher.hash_pairs(pairs, &mut nodes[..n]);
    same(&nodes[..n], expected).map_err(|why| format!("batch of {n}{of}: {why}"))?;
    match nodes[n..].iter().position(|node| *node != UNTOUCHED) {
        Some(behind) => Err(format!("batch of {n}{of}: wrote to node {} after its end", behind + 1)),
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
    sha256: Vec<Node>,
}

static PAINTED: LazyLock<Painted> = LazyLock::new(|| {
    let mut pairs = vec![[0; 64]; 65536 + 17];
    for (i, byte) in pairs.as_flattened_mut().iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }
    let mut sha256 = vec![[0; 32]; pairs.len()];
    reference(Family::Sha256).hash_pairs(&pairs, &mut sha256);
    Painted { pairs, sha256 }
});

impl Painted {
    fn nodes(&self, family: Family) -> &[Node] {
        match family {
            Family::Sha256 => &self.sha256,
        }
    }
}

struct Sha2;

impl PairHasher for Sha2 {
    fn name(&self) -> &str {
        "sha256/reference"
    }

    fn family(&self) -> Family {
        Family::Sha256
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        assert_eq!(pairs.len(), nodes.len());
        for (pair, node) in pairs.iter().zip(nodes) {
            *node = Sha256::digest(pair).into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Spoil = fn(&[Pair], &mut [Node]);

    /// A hasher that is right but for what is done to its nodes afterwards.
    struct Spoiled(Spoil);

    impl PairHasher for Spoiled {
        fn name(&self) -> &str {
            "sha256/spoiled"
        }

        fn family(&self) -> Family {
            Family::Sha256
        }

        fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
            let n = pairs.len().min(nodes.len());
            Sha2.hash_pairs(&pairs[..n], &mut nodes[..n]);
            (self.0)(pairs, nodes);
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
            let error = check.run(&Spoiled(spoil)).expect_err(name);
            assert!(error.starts_with(&format!("sha256/spoiled: {name}: ")), "{error}");
            assert_eq!(check.run(reference(Family::Sha256)), Ok(()));
        }
    }
}
