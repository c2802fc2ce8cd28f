//! Known answers, and the definitions of RFC 6962 written down as they stand there.

use pair_hashers::auto;

use super::*;

fn hasher() -> &'static dyn PairHasher {
    auto(Family::Rfc6962)
}

/// Section 2.1, word for word.
mod definition {
    use super::{Digest, Node, Sha256};

    /// The largest power of two smaller than n.
    fn k(n: usize) -> usize {
        let mut k = 1;
        while k * 2 < n {
            k *= 2;
        }
        k
    }

    pub(super) fn mth(d: &[Vec<u8>]) -> Node {
        match d {
            [] => Sha256::digest([]).into(),
            [leaf] => Sha256::digest([&[0x00], leaf.as_slice()].concat()).into(),
            _ => {
                let (left, right) = d.split_at(k(d.len()));
                Sha256::digest([&[0x01], mth(left).as_slice(), &mth(right)].concat()).into()
            }
        }
    }

    /// Section 2.1.1.
    pub(super) fn path(m: usize, d: &[Vec<u8>]) -> Vec<Node> {
        if d.len() == 1 {
            return vec![];
        }
        let k = k(d.len());
        let (left, right) = d.split_at(k);
        match m < k {
            true => [path(m, left), vec![mth(right)]].concat(),
            false => [path(m - k, right), vec![mth(left)]].concat(),
        }
    }

    /// Section 2.1.2.
    pub(super) fn proof(m: usize, d: &[Vec<u8>]) -> Vec<Node> {
        subproof(m, d, true)
    }

    fn subproof(m: usize, d: &[Vec<u8>], b: bool) -> Vec<Node> {
        if m == d.len() {
            return if b { vec![] } else { vec![mth(d)] };
        }
        let k = k(d.len());
        let (left, right) = d.split_at(k);
        match m <= k {
            true => [subproof(m, left, b), vec![mth(right)]].concat(),
            false => [subproof(m - k, right, false), vec![mth(left)]].concat(),
        }
    }
}

/// The algorithms of RFC 9162, step by step.
mod rfc9162 {
    use super::{Node, hasher, parent};

    /// Section 2.1.3.2.
    pub(super) fn is_included(
        hash: &Node,
        leaf_index: u64,
        tree_size: u64,
        path: &[Node],
        root_hash: &Node,
    ) -> bool {
        if leaf_index >= tree_size {
            return false;
        }
        let (mut fn_, mut sn, mut r) = (leaf_index, tree_size - 1, *hash);
        for p in path {
            if sn == 0 {
                return false;
            }
            if fn_ & 1 == 1 || fn_ == sn {
                r = parent(p, &r, hasher());
                while fn_ & 1 == 0 && fn_ != 0 {
                    (fn_, sn) = (fn_ >> 1, sn >> 1);
                }
            } else {
                r = parent(&r, p, hasher());
            }
            (fn_, sn) = (fn_ >> 1, sn >> 1);
        }
        sn == 0 && r == *root_hash
    }

    /// Section 2.1.4.2, of trees of different sizes.
    pub(super) fn is_consistent(
        (first, first_hash): (u64, &Node),
        (second, second_hash): (u64, &Node),
        path: &[Node],
    ) -> bool {
        if path.is_empty() {
            return false;
        }
        let path = match first.is_power_of_two() {
            true => [&[*first_hash], path].concat(),
            false => path.to_vec(),
        };
        let (mut fn_, mut sn) = (first - 1, second - 1);
        while fn_ & 1 == 1 {
            (fn_, sn) = (fn_ >> 1, sn >> 1);
        }
        let (mut fr, mut sr) = (path[0], path[0]);
        for c in &path[1..] {
            if sn == 0 {
                return false;
            }
            if fn_ & 1 == 1 || fn_ == sn {
                fr = parent(c, &fr, hasher());
                sr = parent(c, &sr, hasher());
                while fn_ & 1 == 0 && fn_ != 0 {
                    (fn_, sn) = (fn_ >> 1, sn >> 1);
                }
            } else {
                sr = parent(&sr, c, hasher());
            }
            (fn_, sn) = (fn_ >> 1, sn >> 1);
        }
        fr == *first_hash && sr == *second_hash && sn == 0
    }
}

/// As many leaves, of different lengths.
fn leaves(n: usize) -> Vec<Vec<u8>> {
    (0..n).map(|i| (0..i % 40).map(|at| (i * 7 + at) as u8).collect()).collect()
}

fn tree(leaves: &[Vec<u8>]) -> Tree<'static> {
    let mut tree = Tree::new(hasher()).unwrap();
    tree.extend(leaves);
    tree
}

/// Pseudo-random numbers, by splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

#[test]
fn known_answers() {
    assert_eq!(
        hex(&merkle_tree_hash([""; 0], hasher()).unwrap()),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    for (leaf, expected) in [
        ("", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        ("L123456", "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56"),
    ] {
        assert_eq!(hex(&leaf_hash(leaf.as_bytes())), expected, "{leaf:?}");
    }
    let leaves =
        ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
            .map(|digits| alloy_primitives::hex::decode(digits).unwrap());
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let whole = tree(&leaves);
    for (n, expected) in (1..).zip(roots) {
        assert_eq!(hex(&merkle_tree_hash(&leaves[..n], hasher()).unwrap()), expected, "{n} leaves");
        assert_eq!(hex(&whole.root_of(n as u64).unwrap()), expected, "the first {n} leaves");
    }
}

/// Section 2.1.3: the names are those of its figures, whose leaf hashes are a to f and j.
#[test]
fn the_examples_of_the_rfc() {
    let leaves = leaves(7);
    let tree = tree(&leaves);
    let [a, b, c, d, e, f, j] = [0, 1, 2, 3, 4, 5, 6].map(|at| leaf_hash(&leaves[at]));
    let of = |left: &Node, right: &Node| parent(left, right, hasher());
    let [g, h, i] = [of(&a, &b), of(&c, &d), of(&e, &f)];
    let [k, l] = [of(&g, &h), of(&i, &j)];
    assert_eq!(tree.root(), of(&k, &l));
    assert_eq!(tree.audit_path(0, 7).unwrap(), [b, h, l]);
    assert_eq!(tree.audit_path(3, 7).unwrap(), [c, g, l]);
    assert_eq!(tree.audit_path(4, 7).unwrap(), [f, j, k]);
    assert_eq!(tree.audit_path(6, 7).unwrap(), [i, k]);
    assert_eq!(tree.consistency_proof(3, 7).unwrap(), [c, d, g, l]);
    assert_eq!(tree.consistency_proof(4, 7).unwrap(), [l]);
    assert_eq!(tree.consistency_proof(6, 7).unwrap(), [i, j, k]);
}

/// Compares all that a tree of all leaves gives of the tree of the first `size` with the definitions, and verifies it.
fn agrees(
    tree: &Tree<'_>,
    leaves: &[Vec<u8>],
    indices: impl Iterator<Item = usize>,
    olders: impl Iterator<Item = usize>,
) {
    let size = leaves.len() as u64;
    let root = definition::mth(leaves);
    assert_eq!(tree.root_of(size), Ok(root), "{size} leaves");
    for index in indices {
        let path = tree.audit_path(index as u64, size).unwrap();
        assert_eq!(path, definition::path(index, leaves), "leaf {index} of {size}");
        let leaf = leaf_hash(&leaves[index]);
        assert_eq!(verify_audit_path(&leaf, index as u64, size, &path, &root, hasher()), Ok(()));
    }
    for older in olders {
        let proof = tree.consistency_proof(older as u64, size).unwrap();
        assert_eq!(proof, definition::proof(older, leaves), "from {older} to {size}");
        let older_root = definition::mth(&leaves[..older]);
        let (older, newer) = ((older as u64, &older_root), (size, &root));
        assert_eq!(verify_consistency(older, newer, &proof, hasher()), Ok(()));
    }
}

#[test]
fn small_trees_are_as_defined_whole_and_as_parts() {
    let all = leaves(70);
    let grown = tree(&all);
    for size in 0..=all.len() {
        let leaves = &all[..size];
        agrees(&grown, leaves, 0..size, 1..=size);
        assert_eq!(tree(leaves).root(), definition::mth(leaves), "{size} leaves");
    }
}

#[test]
fn larger_trees_are_as_defined() {
    let all = leaves(5000);
    let (grown, mut random) = (tree(&all), Random(1));
    for _ in 0..30 {
        let size = 1 + random.below(all.len());
        let indices = [random.below(size), 0, size - 1].into_iter();
        let olders = [1 + random.below(size), 1 + random.below(size)].into_iter();
        agrees(&grown, &all[..size], indices, olders);
    }
}

#[test]
fn a_tree_that_grew_in_any_steps_is_the_same() {
    let (all, mut random) = (leaves(3000), Random(2));
    for _ in 0..10 {
        let mut grown = Tree::new(hasher()).unwrap();
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let (leaves, after) = rest.split_at(random.below(rest.len().min(400) + 1));
            grown.extend(leaves);
            rest = after;
        }
        assert_eq!((grown.size(), grown.root()), (3000, definition::mth(&all)));
    }
    let mut hashed = Tree::new(hasher()).unwrap();
    hashed.extend_hashed(all.iter().map(|leaf| leaf_hash(leaf)));
    assert_eq!(hashed.root(), definition::mth(&all));
}

/// Every proof that differs from a right one: a byte of a node, a node missing, twice, or in another's place.
fn spoiled(proof: &[Node]) -> Vec<Vec<Node>> {
    let mut spoiled = Vec::new();
    let mut add = |change: &dyn Fn(&mut Vec<Node>)| {
        let mut changed = proof.to_vec();
        change(&mut changed);
        if changed != proof {
            spoiled.push(changed);
        }
    };
    for at in 0..proof.len() {
        (0..32).for_each(|byte| add(&|proof| proof[at][byte] ^= 1 << (byte % 8)));
        (0..proof.len()).for_each(|other| add(&|proof| proof.swap(at, other)));
        add(&|proof| {
            proof.remove(at);
        });
        add(&|proof| proof.insert(at, proof[at]));
    }
    add(&|proof| proof.push([0; 32]));
    add(&|proof| proof.insert(0, [0; 32]));
    add(&|proof| proof.clear());
    spoiled
}

#[test]
fn a_wrong_audit_path_is_refused() {
    for size in [1, 2, 3, 6, 7, 8, 21, 64] {
        let leaves = leaves(size);
        let (tree, size) = (tree(&leaves), size as u64);
        let root = tree.root();
        for index in 0..size {
            let path = tree.audit_path(index, size).unwrap();
            let leaf = leaf_hash(&leaves[index as usize]);
            let verify = |leaf: &Node, index, size, path: &[Node], root: &Node| {
                verify_audit_path(leaf, index, size, path, root, hasher())
            };
            assert_eq!(verify(&leaf, index, size, &path, &root), Ok(()));
            for wrong in spoiled(&path) {
                assert!(verify(&leaf, index, size, &wrong, &root).is_err(), "{index} of {size}: {wrong:?}");
            }
            for other in (0..size + 2).filter(|other| *other != index) {
                assert!(verify(&leaf, other, size, &path, &root).is_err(), "{index} of {size} as {other}");
            }
            assert!(verify(&leaf_hash(b"another leaf"), index, size, &path, &root).is_err());
            assert!(verify(&leaf, index, size, &path, &leaf_hash(b"another root")).is_err());
        }
    }
}

/// A path that turns alike in a tree of another size is taken for one of that: the root says nothing of its tree's size.
#[test]
fn whatever_index_and_size_are_claimed_rfc_9162_agrees() {
    let leaves = leaves(21);
    let tree = tree(&leaves);
    for index in 0..21 {
        let path = tree.audit_path(index, 21).unwrap();
        let leaf = leaf_hash(&leaves[index as usize]);
        for (claimed, size) in (0..40).flat_map(|claimed| (0..70).map(move |size| (claimed, size))) {
            let verified = verify_audit_path(&leaf, claimed, size, &path, &tree.root(), hasher());
            let expected = rfc9162::is_included(&leaf, claimed, size, &path, &tree.root());
            assert_eq!(verified.is_ok(), expected, "{index} of 21 as {claimed} of {size}");
        }
    }
}

#[test]
fn whatever_sizes_are_claimed_rfc_9162_agrees() {
    let tree = tree(&leaves(21));
    let root = |size| tree.root_of(size).unwrap();
    for older in 1..21 {
        let proof = tree.consistency_proof(older, 21).unwrap();
        for (first, second) in (2..40).flat_map(|second| (1..second).map(move |first| (first, second))) {
            let (first, second) = ((first, &root(older)), (second, &root(21)));
            let verified = verify_consistency(first, second, &proof, hasher());
            let expected = rfc9162::is_consistent(first, second, &proof);
            assert_eq!(verified.is_ok(), expected, "{older} to 21 as {first:?} to {second:?}");
        }
    }
}

#[test]
fn a_wrong_consistency_proof_is_refused() {
    let leaves = leaves(33);
    let tree = tree(&leaves);
    let root = |size| tree.root_of(size).unwrap();
    let verify = |older: u64, newer: u64, roots: [Node; 2], proof: &[Node]| {
        verify_consistency((older, &roots[0]), (newer, &roots[1]), proof, hasher())
    };
    for (older, newer) in (1..=33).flat_map(|newer| (1..=newer).map(move |older| (older, newer))) {
        let proof = tree.consistency_proof(older, newer).unwrap();
        let roots = [root(older), root(newer)];
        assert_eq!(verify(older, newer, roots, &proof), Ok(()), "{older} to {newer}");
        for wrong in spoiled(&proof) {
            assert!(verify(older, newer, roots, &wrong).is_err(), "{older} to {newer}: {wrong:?}");
        }
        let other = leaf_hash(b"another root");
        assert!(verify(older, newer, [other, roots[1]], &proof).is_err(), "{older} to {newer}");
        assert!(verify(older, newer, [roots[0], other], &proof).is_err(), "{older} to {newer}");
        if older != newer {
            assert!(verify(older, newer, [roots[1], roots[0]], &proof).is_err(), "{older} to {newer}");
            assert!(verify(newer, older, [roots[1], roots[0]], &proof).is_err(), "{newer} to {older}");
        }
        // sizes that are not those of the roots
        for other in (1..=newer).filter(|other| *other != older) {
            assert!(
                verify(other, newer, roots, &proof).is_err(),
                "{older} to {newer}, given as from {other}"
            );
        }
    }
}

#[test]
fn what_there_is_no_proof_of_is_named() {
    let tree = tree(&leaves(7));
    let text = |error: Error| error.to_string();
    assert_eq!(text(tree.audit_path(7, 7).unwrap_err()), "there is no leaf 7 in a tree of 7");
    assert_eq!(text(tree.audit_path(0, 0).unwrap_err()), "there is no leaf 0 in a tree of 0");
    assert_eq!(text(tree.audit_path(0, 8).unwrap_err()), "there is no tree of 8 leaves yet: there are 7");
    assert_eq!(
        text(tree.root_of(u64::MAX).unwrap_err()),
        format!("there is no tree of {} leaves yet: there are 7", u64::MAX)
    );
    assert_eq!(tree.consistency_proof(0, 7), Err(Error::FromEmpty));
    assert_eq!(tree.consistency_proof(0, 0), Err(Error::FromEmpty));
    assert_eq!(tree.consistency_proof(5, 4), Err(Error::Backwards { older: 5, newer: 4 }));
    assert_eq!(tree.consistency_proof(5, 8), Err(Error::NoSuchTree { size: 8, leaves: 7 }));
    let root = tree.root();
    let wrong = verify_consistency((7, &root), (7, &leaf_hash(b"")), &[], hasher()).unwrap_err();
    assert!(text(wrong).starts_with("the proof gives another root of the tree of 7: "));
}

#[test]
fn sizes_up_to_the_largest_are_verified() {
    let (leaf, root) = (leaf_hash(b"one"), leaf_hash(b"root"));
    for (index, size) in [(0, u64::MAX), (u64::MAX - 1, u64::MAX), (1 << 63, u64::MAX), (5, 1 << 63)] {
        let expected = descent::to_leaf(index, size).count();
        assert!((1..=64).contains(&expected), "{expected}");
        assert_eq!(
            verify_audit_path(&leaf, index, size, &[], &root, hasher()),
            Err(Error::Length { expected, found: 0 })
        );
        assert!(root_from_audit_path(&leaf, index, size, &vec![root; expected], hasher()).is_ok());
        let consistent = verify_consistency((index.max(1), &leaf), (size, &root), &[], hasher());
        assert!(matches!(consistent, Err(Error::Length { .. })), "{consistent:?}");
    }
}

#[test]
fn a_hasher_of_another_family_is_refused() {
    let sha256 = auto(Family::Sha256);
    let node = [0; 32];
    let error = merkle_tree_hash(["a"], sha256).unwrap_err();
    assert_eq!(error.to_string(), "sha256/auto is a hasher of sha256: expected one of rfc6962");
    assert_eq!(root_from_audit_path(&node, 0, 1, &[], sha256), Err(error.clone()));
    assert_eq!(verify_consistency((1, &node), (1, &node), &[], sha256), Err(error));
}
