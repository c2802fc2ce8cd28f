//! Merkle roots of encoded values, with any [`PairHasher`].
//!
//! The roots of many values of one type are computed together: each level of all their trees is one call of
//! `hash_pairs`, so that small containers fill a wide hasher too. Bytes go straight into leaves; no value is built.
//! Padding is virtual: a subtree of zero chunks is one node, computed once.
//!
//! Source of the rules: `ssz/simple-serialize.md` of the consensus specifications (Merkleization), [EIP-7495] and
//! [EIP-7916].
//!
//! ```
//! use ssz_conformance::{merkle, schema};
//!
//! let electra = schema::select(None);
//! let checkpoint = schema::find_type(&electra, "mainnet", "electra", "Checkpoint")?;
//! let hasher = pair_hashers::auto(pair_hashers::Family::Sha256);
//! let root = merkle::hash_tree_root(&checkpoint, &[0; 40], hasher)?;
//! assert_eq!(root[..4], [0xf5, 0xa5, 0xfd, 0x42]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [EIP-7495]: https://eips.ethereum.org/EIPS/eip-7495
//! [EIP-7916]: https://eips.ethereum.org/EIPS/eip-7916

mod batch;
mod gindex;
mod leaves;
mod locate;
mod nodes;
mod path;
mod place;
mod proof;
mod reduce;
mod roots;
mod sequences;
mod shape;
pub(crate) mod small;
mod spine;

use pair_hashers::{Node, PairHasher};

use self::batch::Batch;
pub use self::gindex::{GeneralizedIndex, NotAnIndex};
pub use self::locate::{BatchPlace, Fault, locate};
pub use self::nodes::NodeError;
pub use self::path::{ParsePathError, Path, Step, Word};
pub use self::place::{
    Part, PathError, PathFault, Place, PlaceError, chunk_count, generalized_index, place_in, place_of,
};
pub use self::proof::{
    BranchError, IndicesError, Multiproof, MultiproofError, Proof, ProofError, helper_indices,
    root_from_branch, root_from_multiproof,
};
use self::reduce::Reducer;
use self::small::small_root;
use crate::schema::Progressive;
use crate::ssz::layout::Span;
use crate::ssz::{DecodeError, decode};
use crate::types::Type;

/// A chunk of zeros: what pads a tree.
const ZERO_CHUNK: Node = [0; 32];

/// The root of one encoded value of type `ty`.
///
/// To compute many roots, keep a [`Merkleizer`]: it keeps its buffers and zero subtrees.
///
/// # Errors
///
/// If the bytes are not the encoding of a value of the type.
pub fn hash_tree_root(ty: &Type, bytes: &[u8], hasher: &dyn PairHasher) -> Result<Node, DecodeError> {
    Merkleizer::new(hasher).root(ty, bytes)
}

/// The roots of many encoded values of type `ty`, in their order, computed together.
///
/// # Errors
///
/// If one of the values is not the encoding of a value of the type: the first such value, and its error.
pub fn hash_tree_roots(
    ty: &Type,
    values: &[&[u8]],
    hasher: &dyn PairHasher,
) -> Result<Vec<Node>, (usize, DecodeError)> {
    Merkleizer::new(hasher).roots(ty, values)
}

/// Computes roots with one hasher, and keeps what it can use again: buffers, and the roots of zero subtrees.
///
/// Beside the input it holds one node for every 32 elements of the lists that it is in, and a few MiB of buffers: for
/// 1,000,000 validators one 121st of the input, and in no case more than the input's size for each level of nesting.
pub struct Merkleizer<'h> {
    reducer: Reducer<'h>,
    progressive: Progressive,
    parallel: bool,
}

impl<'h> Merkleizer<'h> {
    /// With the progressive trees of EIP-7916.
    pub fn new(hasher: &'h dyn PairHasher) -> Self {
        Self::with_progressive(hasher, Progressive::SubtreeFirst)
    }

    /// With the progressive trees of the release that the bytes are from.
    pub fn with_progressive(hasher: &'h dyn PairHasher, progressive: Progressive) -> Self {
        Self { reducer: Reducer::new(hasher), progressive, parallel: false }
    }

    /// From now on with these progressive trees.
    pub fn set_progressive(&mut self, progressive: Progressive) {
        self.progressive = progressive;
    }

    /// From now on over the threads of rayon's current pool, where a list is long enough to share. The roots are the
    /// same at any number of threads.
    pub fn set_parallel(&mut self, parallel: bool) {
        self.parallel = parallel;
    }

    /// The root of one encoded value.
    ///
    /// # Errors
    ///
    /// If the bytes are not the encoding of a value of the type.
    pub fn root(&mut self, ty: &Type, bytes: &[u8]) -> Result<Node, DecodeError> {
        let mut root = [ZERO_CHUNK];
        let computed = match ty.is_small() {
            true => small_root(&mut self.reducer, ty, Span::whole(bytes)).map(|node| root[0] = node),
            false => self.compute(ty, Batch::one(bytes), &mut root),
        };
        match computed {
            Ok(()) => Ok(root[0]),
            Err(malformed) => Err(malformed.explain(ty, bytes)),
        }
    }

    /// The roots of many encoded values, in their order, computed together.
    ///
    /// # Errors
    ///
    /// If one of the values is not the encoding of a value of the type: the first such value, and its error.
    pub fn roots(&mut self, ty: &Type, values: &[&[u8]]) -> Result<Vec<Node>, (usize, DecodeError)> {
        let mut roots = vec![ZERO_CHUNK; values.len()];
        match self.compute(ty, Batch::many(values), &mut roots) {
            Ok(()) => Ok(roots),
            Err(malformed) => {
                let failing = values.iter().position(|bytes| decode(ty, bytes).is_err()).unwrap_or(0);
                Err((failing, malformed.explain(ty, values.get(failing).copied().unwrap_or_default())))
            }
        }
    }

    fn compute(&mut self, ty: &Type, batch: Batch<'_, '_>, roots: &mut [Node]) -> Result<(), Malformed> {
        self.roots_into(ty, batch, batch::Column::new(roots))
    }
}

/// Some value does not decode. Which one, and why, the decoder tells when asked again.
#[derive(Debug)]
struct Malformed(Box<DecodeError>);

impl Malformed {
    /// The decoder's error, with the field's path. (Its offset counts from the value's own start, where that of `self`
    /// counts from that of a part.)
    fn explain(self, ty: &Type, bytes: &[u8]) -> DecodeError {
        decode(ty, bytes).err().unwrap_or(*self.0)
    }
}

impl From<DecodeError> for Malformed {
    fn from(error: DecodeError) -> Self {
        Self(Box::new(error))
    }
}

#[cfg(test)]
mod tests;
