//! The plans of `sha256/auto`.

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
    Plan { wide: "sha256/avx512", narrow: "sha256/shani-avx", few: 8, split: split_avx512_shani },
    Plan { wide: "sha256/shani-avx", narrow: "sha256/shani-avx", few: 4, split: all },
    Plan { wide: "sha256/shani-sse", narrow: "sha256/shani-sse", few: 4, split: all },
    Plan { wide: "sha256/avx512", narrow: "sha256/portable", few: 2, split: split_lanes::<16, 2> },
    Plan { wide: "sha256/avx2", narrow: "sha256/portable", few: 2, split: split_lanes::<8, 2> },
    Plan { wide: "sha256/sse41", narrow: "sha256/portable", few: 2, split: split_lanes::<4, 2> },
    Plan { wide: "sha256/armv8", narrow: "sha256/armv8", few: 4, split: all },
    Plan { wide: "sha256/neon", narrow: "sha256/portable", few: 2, split: split_lanes::<4, 2> },
    Plan { wide: "sha256/simd128", narrow: "sha256/portable", few: 2, split: split_lanes::<4, 2> },
    Plan { wide: "sha256/portable", narrow: "sha256/portable", few: 4, split: all },
]);

/// The wide backend hashes 16, 32 or 48 pairs at a time, in that in which the narrow one hashes 8, 12 or 16.
fn split_avx512_shani(n: usize) -> usize {
    match n {
        ..=256 if n % 48 > 8 => {
            if n > 32 && n % 32 <= 8 {
                n - n % 32
            } else {
                n
            }
        }
        _ if n % 48 <= 16 => n - n % 48,
        _ => n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_next_where_one_is_unavailable() {
        let all = ["sha256/avx512", "sha256/shani-avx", "sha256/shani-sse", "sha256/avx2", "sha256/portable"];
        let chosen = |names: &[&str]| AUTO.chosen_of(names);
        assert_eq!(chosen(&all), ("sha256/avx512", "sha256/shani-avx"));
        assert_eq!(chosen(&all[1..]), ("sha256/shani-avx", "sha256/shani-avx"));
        assert_eq!(chosen(&all[2..]), ("sha256/shani-sse", "sha256/shani-sse"));
        assert_eq!(chosen(&["sha256/avx512", "sha256/portable"]), ("sha256/avx512", "sha256/portable"));
        assert_eq!(
            chosen(&["sha256/avx2", "sha256/sse41", "sha256/portable"]),
            ("sha256/avx2", "sha256/portable")
        );
        assert_eq!(chosen(&["sha256/sse41", "sha256/portable"]), ("sha256/sse41", "sha256/portable"));
        assert_eq!(
            chosen(&["sha256/neon", "sha256/armv8", "sha256/portable"]),
            ("sha256/armv8", "sha256/armv8")
        );
        assert_eq!(chosen(&["sha256/neon", "sha256/portable"]), ("sha256/neon", "sha256/portable"));
        assert_eq!(chosen(&["sha256/portable"]), ("sha256/portable", "sha256/portable"));
        assert_eq!(chosen(&[]), ("sha256/portable", "sha256/portable"));
    }

    #[test]
    fn splits_give_the_wide_backend_all_but_few() {
        AUTO.assert_splits_leave_at_most(16);
        let splits = [9, 48, 49, 56, 57, 64, 65, 96, 112, 113, 1024].map(split_avx512_shani);
        assert_eq!(splits, [9, 48, 48, 48, 57, 64, 64, 96, 112, 113, 1008]);
    }
}
