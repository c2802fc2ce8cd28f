//! The plans of `keccak256/auto`.

use crate::auto::{Auto, Plan, all, split_lanes};
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

pub(crate) static AUTO: Auto = Auto::new(&[
    // Eight states take less time than one by the portable backend.
    Plan { wide: "keccak256/avx512", narrow: "keccak256/avx512", few: 8, split: all },
    Plan { wide: "keccak256/avx2", narrow: "keccak256/portable", few: 1, split: split_lanes::<4, 1> },
    Plan { wide: "keccak256/armv8", narrow: "keccak256/armv8", few: 2, split: all },
    Plan { wide: "keccak256/portable", narrow: "keccak256/portable", few: 4, split: all },
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_next_where_one_is_unavailable() {
        let chosen = |names: &[&str]| AUTO.chosen_of(names);
        let all = ["keccak256/avx512", "keccak256/avx2", "keccak256/portable"];
        assert_eq!(chosen(&all), ("keccak256/avx512", "keccak256/avx512"));
        assert_eq!(chosen(&all[1..]), ("keccak256/avx2", "keccak256/portable"));
        assert_eq!(
            chosen(&["keccak256/armv8", "keccak256/portable"]),
            ("keccak256/armv8", "keccak256/armv8")
        );
        assert_eq!(chosen(&[]), ("keccak256/portable", "keccak256/portable"));
    }

    #[test]
    fn splits_give_the_wide_backend_all_but_few() {
        AUTO.assert_splits_leave_at_most(1);
    }
}
