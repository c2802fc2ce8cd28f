//! The plans of `rfc6962/auto`.

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

// The kernels are the family sha256's, and so are the ratios between them.
pub(crate) static AUTO: Auto = Auto::new(&[
    Plan { wide: "rfc6962/avx512", narrow: "rfc6962/shani-avx", few: 8, split: split_avx512_shani },
    Plan { wide: "rfc6962/shani-avx", narrow: "rfc6962/shani-avx", few: 4, split: all },
    Plan { wide: "rfc6962/shani-sse", narrow: "rfc6962/shani-sse", few: 4, split: all },
    Plan { wide: "rfc6962/avx512", narrow: "rfc6962/portable", few: 1, split: split_lanes::<16, 1> },
    Plan { wide: "rfc6962/avx2", narrow: "rfc6962/portable", few: 1, split: split_lanes::<8, 1> },
    Plan { wide: "rfc6962/sse41", narrow: "rfc6962/portable", few: 1, split: split_lanes::<4, 1> },
    Plan { wide: "rfc6962/armv8", narrow: "rfc6962/armv8", few: 4, split: all },
    Plan { wide: "rfc6962/neon", narrow: "rfc6962/portable", few: 1, split: split_lanes::<4, 1> },
    Plan { wide: "rfc6962/simd128", narrow: "rfc6962/portable", few: 1, split: split_lanes::<4, 1> },
    Plan { wide: "rfc6962/portable", narrow: "rfc6962/portable", few: 4, split: all },
]);

/// The wide backend hashes 16 or 32 pairs at a time, in that in which the narrow one hashes 8 or 12.
fn split_avx512_shani(n: usize) -> usize {
    if n > 32 && n % 32 <= 8 { n - n % 32 } else { n }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_next_where_one_is_unavailable() {
        let chosen = |names: &[&str]| AUTO.chosen_of(names);
        let all =
            ["rfc6962/avx512", "rfc6962/shani-avx", "rfc6962/shani-sse", "rfc6962/avx2", "rfc6962/portable"];
        assert_eq!(chosen(&all), ("rfc6962/avx512", "rfc6962/shani-avx"));
        assert_eq!(chosen(&all[1..]), ("rfc6962/shani-avx", "rfc6962/shani-avx"));
        assert_eq!(chosen(&all[2..]), ("rfc6962/shani-sse", "rfc6962/shani-sse"));
        assert_eq!(chosen(&["rfc6962/avx512", "rfc6962/portable"]), ("rfc6962/avx512", "rfc6962/portable"));
        assert_eq!(chosen(&all[3..]), ("rfc6962/avx2", "rfc6962/portable"));
        assert_eq!(chosen(&["rfc6962/sse41", "rfc6962/portable"]), ("rfc6962/sse41", "rfc6962/portable"));
        assert_eq!(chosen(&["rfc6962/neon", "rfc6962/armv8"]), ("rfc6962/armv8", "rfc6962/armv8"));
        assert_eq!(chosen(&["rfc6962/neon", "rfc6962/portable"]), ("rfc6962/neon", "rfc6962/portable"));
        assert_eq!(chosen(&[]), ("rfc6962/portable", "rfc6962/portable"));
    }

    #[test]
    fn splits_give_the_wide_backend_all_but_few() {
        AUTO.assert_splits_leave_at_most(8);
    }
}
