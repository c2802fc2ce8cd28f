//! Where a hasher goes wrong in a tree: the first node, from the root down, whose children it had right and itself not.
//!
//! Both hashers compute the root once more, each call of `hash_pairs` written down. A node is then looked up by its
//! value: the pair that it was computed from are its children. That takes no second tree and no other batches than those
//! in which the fault showed, so that a fault of one lane or of wide batches is found where it happened.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use alloy_primitives::hex;
use pair_hashers::{Family, Node, Pair, PairHasher};

use super::gindex::GeneralizedIndex;
use super::{Merkleizer, place_in};
use crate::schema::Progressive;
use crate::ssz::DecodeError;
use crate::types::Type;

/// The first node in which two hashers' trees of one value differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What stands at the node, as in `validators[3].pubkey`.
    pub place: String,
    /// Where it is.
    pub index: GeneralizedIndex,
    /// The call of `hash_pairs` that computed it, unless it is a leaf that nobody computed.
    pub batch: Option<BatchPlace>,
    /// By the reference.
    pub expected: Node,
    /// By the hasher in question.
    pub computed: Node,
}

/// A pair's place in a call of `hash_pairs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchPlace {
    /// Counted from 0.
    pub pair: usize,
    /// How many pairs the call was of.
    pub pairs: usize,
}

impl Fault {
    /// How many steps the node is below the root.
    pub fn level(&self) -> usize {
        self.index.depth()
    }
}

/// Without the two hashes.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, generalized index {}, level {}", self.place, self.index, self.level())?;
        match self.batch {
            Some(BatchPlace { pair, pairs }) => write!(f, ", pair {pair} of a batch of {pairs}"),
            None => f.write_str(", a leaf"),
        }
    }
}

/// Finds the first node that `suspect` computes otherwise than `reference` in the tree of one encoded value; `None` if
/// both now give the same root. Takes a few hundred bytes for each pair of the tree.
///
/// # Errors
///
/// If the bytes are not the encoding of a value of the type.
///
/// # Panics
///
/// Where a hasher does.
pub fn locate(
    ty: &Type,
    bytes: &[u8],
    suspect: &dyn PairHasher,
    reference: &dyn PairHasher,
    progressive: Progressive,
) -> Result<Option<Fault>, DecodeError> {
    let trace = |hasher| {
        let trace = Trace::new(hasher);
        let root = Merkleizer::with_progressive(&trace, progressive).root(ty, bytes)?;
        Ok((root, trace.into_calls()))
    };
    let (expected, right) = trace(reference)?;
    let (computed, wrong) = trace(suspect)?;
    if expected == computed {
        return Ok(None);
    }
    let (index, batch, expected, computed) = descend(&right, &wrong, expected, computed);
    let place = match place_in(ty, bytes, &index, progressive) {
        Ok(place) => place.to_string(),
        Err(error) => error.to_string(),
    };
    Ok(Some(Fault { place, index, batch, expected, computed }))
}

type Found = (GeneralizedIndex, Option<BatchPlace>, Node, Node);

/// Walks down while a child differs.
fn descend(right: &Calls, wrong: &Calls, mut expected: Node, mut computed: Node) -> Found {
    let mut index = GeneralizedIndex::root();
    loop {
        let Some(pair) = right.pairs.get(&expected) else { return (index, None, expected, computed) };
        // a wrong node may have come out of several pairs: if of the right one too, the fault is here
        if let Some(place) = wrong.places.get(&(*pair, computed)) {
            return (index, Some(*place), expected, computed);
        }
        let Some(wrong_pair) = wrong.pairs.get(&computed) else { return (index, None, expected, computed) };
        let ([left, right_child], [wrong_left, wrong_right]) = (halves(pair), halves(wrong_pair));
        let to_the_right = left == wrong_left;
        (expected, computed) = if to_the_right { (right_child, wrong_right) } else { (left, wrong_left) };
        index.push(to_the_right);
    }
}

fn halves(pair: &Pair) -> [Node; 2] {
    let (halves, _) = pair.as_chunks();
    [halves[0], halves[1]]
}

/// What a hasher was asked for and answered.
#[derive(Default)]
struct Calls {
    /// The pair that a node was last computed from.
    pairs: HashMap<Node, Pair>,
    /// Where a pair first gave this node.
    places: HashMap<(Pair, Node), BatchPlace>,
}

/// A hasher whose calls are written down.
struct Trace<'h> {
    hasher: &'h dyn PairHasher,
    calls: Mutex<Calls>,
}

impl<'h> Trace<'h> {
    fn new(hasher: &'h dyn PairHasher) -> Self {
        Self { hasher, calls: Mutex::default() }
    }

    fn into_calls(self) -> Calls {
        self.calls.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PairHasher for Trace<'_> {
    fn name(&self) -> &str {
        self.hasher.name()
    }

    fn family(&self) -> Family {
        self.hasher.family()
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        self.hasher.hash_pairs(pairs, nodes);
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, (pair, node)) in pairs.iter().zip(nodes).enumerate() {
            let place = BatchPlace { pair: at, pairs: pairs.len() };
            calls.pairs.insert(*node, *pair);
            calls.places.entry((*pair, *node)).or_insert(place);
        }
    }
}

impl serde::Serialize for Fault {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("Fault", 7)?;
        fields.serialize_field("place", &self.place)?;
        fields.serialize_field("generalized_index", &self.index.to_string())?;
        fields.serialize_field("level", &self.level())?;
        fields.serialize_field("pair", &self.batch.map(|batch| batch.pair))?;
        fields.serialize_field("pairs", &self.batch.map(|batch| batch.pairs))?;
        fields.serialize_field("expected", &hex::encode_prefixed(self.expected))?;
        fields.serialize_field("computed", &hex::encode_prefixed(self.computed))?;
        fields.end()
    }
}
