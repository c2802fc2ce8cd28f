//! Generalized indices of any size (`ssz/merkle-proofs.md` of the consensus specifications).
//!
//! An index is kept as the turns on the way down from the root, not as an integer: a list of limit 2^40 alone takes 41
//! of them, lists nest, and a progressive spine adds one for each of its levels, so that no fixed width is enough. In
//! this form a child, a parent and a common ancestor are cheap, and only reading and writing decimals does arithmetic.

use std::fmt;
use std::str::FromStr;

/// A node of a Merkle tree, numbered from the root down: 1 is the root, and node `i` has the children `2i` and `2i + 1`.
///
/// Ordered as the integers are: the deeper of two indices is the greater, and of one depth the one further right.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeneralizedIndex {
    // The order of the fields, and that unused bits are 0, make the derived order that of the integers.
    depth: usize,
    /// The first turn is the highest bit of the first word; 1 is right.
    turns: Vec<u64>,
}

impl GeneralizedIndex {
    /// No type's tree is deeper: 128 types nest, each with a list's length, a spine of 32 levels and a tree over 2^62
    /// leaves at most.
    pub const MAX_DEPTH: usize = 16_384;

    /// Index 1.
    pub fn root() -> Self {
        Self { depth: 0, turns: Vec::new() }
    }

    /// How many steps below the root the node is; a branch for it has as many nodes.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether it is the root's.
    pub fn is_root(&self) -> bool {
        self.depth == 0
    }

    /// Whether turn `at` on the way down, counted from the root, is to the right.
    ///
    /// # Panics
    ///
    /// If the node is not that deep.
    pub fn turns_right(&self, at: usize) -> bool {
        assert!(at < self.depth, "turn {at} of an index of depth {}", self.depth);
        self.turns[at / 64] >> (63 - at % 64) & 1 == 1
    }

    /// Whether the node is its parent's right child. The root is not.
    pub fn is_right(&self) -> bool {
        self.depth > 0 && self.turns_right(self.depth - 1)
    }

    /// The left or right child.
    #[must_use]
    pub fn child(mut self, right: bool) -> Self {
        self.push(right);
        self
    }

    /// The node that this one is a child of; `None` of the root.
    pub fn parent(&self) -> Option<Self> {
        self.ancestor(self.depth.checked_sub(1)?)
    }

    /// The other child of its parent; `None` of the root.
    pub fn sibling(&self) -> Option<Self> {
        Some(self.parent()?.child(!self.is_right()))
    }

    /// The node at `depth` on the way down; `None` if this one is not that deep.
    pub fn ancestor(&self, depth: usize) -> Option<Self> {
        if depth > self.depth {
            return None;
        }
        let mut turns = self.turns[..depth.div_ceil(64)].to_vec();
        if let (Some(last), used @ 1..) = (turns.last_mut(), depth % 64) {
            *last &= u64::MAX << (64 - used);
        }
        Some(Self { depth, turns })
    }

    /// Whether the node is in the subtree of `other`, or is `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        self.ancestor(other.depth).as_ref() == Some(other)
    }

    /// The siblings of the nodes from this one up to the root, its own first: the nodes of its branch.
    pub fn branch(&self) -> impl Iterator<Item = Self> + '_ {
        (1..=self.depth).rev().filter_map(|depth| self.ancestor(depth)?.sibling())
    }

    /// The node that `inner` is when this node is the root of its tree.
    #[must_use]
    pub fn concat(mut self, inner: &Self) -> Self {
        (0..inner.depth).for_each(|at| self.push(inner.turns_right(at)));
        self
    }

    pub(super) fn push(&mut self, right: bool) {
        if self.depth.is_multiple_of(64) {
            self.turns.push(0);
        }
        self.turns[self.depth / 64] |= u64::from(right) << (63 - self.depth % 64);
        self.depth += 1;
    }

    /// Goes down to leaf `leaf` of a tree of depth `depth`.
    pub(super) fn push_leaf(&mut self, leaf: u128, depth: usize) {
        (0..depth).rev().for_each(|level| self.push(leaf >> level & 1 == 1));
    }

    /// The integer, its lowest 64 bits first.
    fn limbs(&self) -> Vec<u64> {
        let mut limbs = vec![0; self.depth / 64 + 1];
        limbs[self.depth / 64] |= 1 << (self.depth % 64);
        for at in (0..self.depth).filter(|&at| self.turns_right(at)) {
            let bit = self.depth - 1 - at;
            limbs[bit / 64] |= 1 << (bit % 64);
        }
        limbs
    }

    /// From an integer, its lowest 64 bits first; 0 is no index.
    fn from_limbs(limbs: &[u64]) -> Option<Self> {
        let top = limbs.iter().rposition(|&limb| limb != 0)?;
        let depth = top * 64 + limbs[top].ilog2() as usize;
        let mut index = Self::root();
        (0..depth).rev().for_each(|bit| index.push(limbs[bit / 64] >> (bit % 64) & 1 == 1));
        Some(index)
    }
}

/// The largest power of ten in 64 bits, and how many digits that takes off.
const TEN_TO_19: u64 = 10_000_000_000_000_000_000;
const DIGITS: usize = 19;

/// In decimal.
impl fmt::Display for GeneralizedIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut limbs = self.limbs();
        let mut groups = Vec::new();
        while limbs.iter().any(|&limb| limb != 0) {
            let mut remainder = 0;
            for limb in limbs.iter_mut().rev() {
                let dividend = u128::from(remainder) << 64 | u128::from(*limb);
                // the remainder is below the divisor, so the quotient fits
                *limb = (dividend / u128::from(TEN_TO_19)) as u64;
                remainder = (dividend % u128::from(TEN_TO_19)) as u64;
            }
            groups.push(remainder);
        }
        let mut text = groups.pop().unwrap_or_default().to_string();
        groups.iter().rev().for_each(|group| text.push_str(&format!("{group:0width$}", width = DIGITS)));
        f.pad_integral(true, "", &text)
    }
}

impl fmt::Debug for GeneralizedIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text or a number that is no generalized index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no generalized index: expected a decimal number from 1 to 2^{max}", max = GeneralizedIndex::MAX_DEPTH)]
pub struct NotAnIndex(String);

impl FromStr for GeneralizedIndex {
    type Err = NotAnIndex;

    fn from_str(text: &str) -> Result<Self, NotAnIndex> {
        // a bound on the digits bounds the arithmetic, which grows with their square
        const MAX_DIGITS: usize = GeneralizedIndex::MAX_DEPTH * 302 / 1000 + 1;
        let refused = || NotAnIndex(text.chars().take(40).collect());
        let digits = text.as_bytes();
        let plain = digits.iter().all(u8::is_ascii_digit) && !digits.starts_with(b"0");
        if !plain || digits.is_empty() || digits.len() > MAX_DIGITS {
            return Err(refused());
        }
        let mut limbs = vec![0u64];
        for group in digits.chunks(DIGITS) {
            let (mut carry, scale) = (0, 10u64.pow(group.len() as u32));
            group.iter().for_each(|digit| carry = carry * 10 + u64::from(digit - b'0'));
            for limb in &mut limbs {
                let product = u128::from(*limb) * u128::from(scale) + u128::from(carry);
                (*limb, carry) = (product as u64, (product >> 64) as u64);
            }
            if carry > 0 {
                limbs.push(carry);
            }
        }
        Self::from_limbs(&limbs).filter(|index| index.depth <= Self::MAX_DEPTH).ok_or_else(refused)
    }
}

impl TryFrom<u64> for GeneralizedIndex {
    type Error = NotAnIndex;

    fn try_from(index: u64) -> Result<Self, NotAnIndex> {
        Self::from_limbs(&[index]).ok_or_else(|| NotAnIndex(index.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str) -> GeneralizedIndex {
        text.parse().expect(text)
    }

    #[test]
    fn indices_read_and_write_as_decimals_of_any_size() {
        // 2^200 + 1, and the powers of ten around a group of digits
        let wide = "1606938044258990275541962092341162602522202993782792835301377";
        for text in ["1", "2", "105", "18446744073709551615", "18446744073709551616", wide] {
            assert_eq!(index(text).to_string(), text);
        }
        for zeros in [18, 19, 20, 37, 38, 39, 400] {
            let text = format!("1{}", "0".repeat(zeros));
            assert_eq!(index(&text).to_string(), text);
        }
        assert_eq!(index(wide).depth(), 200);
        assert!(index(wide).is_right() && !index(wide).turns_right(0));
    }

    #[test]
    fn what_is_no_index_is_refused() {
        let long = "9".repeat(1_000_000);
        for text in ["", "0", "01", "-1", "+1", "1.0", "0x10", "1 ", &long] {
            assert!(text.parse::<GeneralizedIndex>().is_err(), "{text}");
        }
        assert!(GeneralizedIndex::try_from(0).is_err());
    }

    #[test]
    fn relatives_are_those_of_the_integers() {
        for number in 1..600u64 {
            let index = GeneralizedIndex::try_from(number).unwrap();
            let as_number = |index: GeneralizedIndex| index.to_string().parse::<u64>().unwrap();
            assert_eq!(as_number(index.clone()), number);
            assert_eq!(index.depth(), number.ilog2() as usize);
            assert_eq!(as_number(index.clone().child(false)), number * 2);
            assert_eq!(as_number(index.clone().child(true)), number * 2 + 1);
            assert_eq!(index.parent().map(as_number), Some(number / 2).filter(|&parent| parent > 0));
            assert_eq!(index.sibling().map(as_number), Some(number ^ 1).filter(|_| number > 1));
            let branch: Vec<_> = index.branch().map(as_number).collect();
            let expected: Vec<_> = (0..number.ilog2()).map(|level| number >> level ^ 1).collect();
            assert_eq!(branch, expected);
            assert!(index < index.clone().child(false) && index.clone().child(false) < index.child(true));
        }
    }

    #[test]
    fn concatenation_is_that_of_the_specification() {
        assert_eq!(index("2").concat(&index("24")), index("40"));
        assert_eq!(index("1").concat(&index("24")), index("24"));
        let deep = (0..100).fold(GeneralizedIndex::root(), |deep, _| deep.concat(&index("3")));
        assert!(deep.is_within(&index("7")) && !deep.is_within(&index("6")));
        assert_eq!(deep.ancestor(64), Some(index("36893488147419103231")));
    }
}
