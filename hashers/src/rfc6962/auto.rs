//! The plans of `rfc6962/auto`.

use crate::auto::{Auto, Plan, all};
use crate::{Node, Pair};

/// Hashes all pairs by the first plan whose backends are available.
///
/// # Safety
///
/// Equal lengths.
#[inline]
pub(crate) unsafe fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    // SAFETY: the caller's promise.
    unsafe { AUTO.hash_pairs(pairs, nodes) }
}

pub(crate) static AUTO: Auto =
    Auto::new(&[Plan { wide: "rfc6962/portable", narrow: "rfc6962/portable", few: 4, split: all }]);
