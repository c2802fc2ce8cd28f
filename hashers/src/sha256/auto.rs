//! The choice by CPU and by batch size.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::registry::BACKENDS;
use crate::{Backend, Node, Pair};

/// Hashes all pairs by the first plan whose backends are available: whole groups of its wide backend's lanes, then the
/// rest by the narrow one if they are few, else with the groups.
///
/// # Safety
///
/// Equal lengths.
#[inline]
pub(crate) unsafe fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    let Choice { plan, wide, narrow } = choice();
    let split = plan.split(pairs.len());
    let (wide_nodes, narrow_nodes) = nodes.split_at_mut(split);
    let (wide_pairs, narrow_pairs) = pairs.split_at(split);
    // SAFETY: both are available, and the lengths are equal.
    unsafe {
        if !wide_pairs.is_empty() {
            wide.kernel_unchecked()(wide_pairs, wide_nodes);
        }
        if !narrow_pairs.is_empty() {
            narrow.kernel_unchecked()(narrow_pairs, narrow_nodes);
        }
    }
}

/// Two backends that share the work.
struct Plan {
    wide: &'static str,
    /// The logarithm of the wide backend's lanes.
    lanes: u32,
    narrow: &'static str,
    /// After `g` whole groups of lanes, up to `few[g % few.len()]` pairs are left to the narrow backend: as many as it
    /// hashes in less time than one more group adds, which is more where the group begins a call of its own.
    few: &'static [usize],
}

/// Best first.
static PLANS: [Plan; 10] = [
    Plan { wide: "sha256/avx512", lanes: 4, narrow: "sha256/shani-avx", few: &[8, 3, 4] },
    Plan::alone("sha256/shani-avx"),
    Plan::alone("sha256/shani-sse"),
    Plan { wide: "sha256/avx512", lanes: 4, narrow: "sha256/portable", few: &[1, 0, 0] },
    Plan { wide: "sha256/avx2", lanes: 3, narrow: "sha256/portable", few: &[2, 0] },
    Plan { wide: "sha256/sse41", lanes: 2, narrow: "sha256/portable", few: &[2, 0] },
    Plan::alone("sha256/armv8"),
    Plan { wide: "sha256/neon", lanes: 2, narrow: "sha256/portable", few: &[2, 0] },
    Plan { wide: "sha256/simd128", lanes: 2, narrow: "sha256/portable", few: &[2, 0] },
    Plan::alone("sha256/portable"),
];

impl Plan {
    const fn alone(name: &'static str) -> Self {
        Plan { wide: name, lanes: 0, narrow: name, few: &[0] }
    }

    /// How many of `n` pairs the wide backend takes.
    #[inline]
    fn split(&self, n: usize) -> usize {
        if n <= self.few[0] {
            return 0; // the shortest way for the smallest batches
        }
        let groups = n >> self.lanes;
        let rest = n - (groups << self.lanes);
        if rest <= self.few[groups % self.few.len()] { n - rest } else { n }
    }
}

struct Choice {
    plan: &'static Plan,
    wide: &'static Backend,
    narrow: &'static Backend,
}

/// Chooses once. Without the standard library there is no cell for the choice, so it is kept as indices in one word; a
/// thread that races another stores the same.
#[inline]
fn choice() -> Choice {
    static CHOSEN: AtomicU32 = AtomicU32::new(0);
    let mut chosen = CHOSEN.load(Ordering::Relaxed);
    if chosen == 0 {
        chosen = choose(|name| find(name).is_some_and(|i| BACKENDS[i].availability().is_ok()));
        CHOSEN.store(chosen, Ordering::Relaxed);
    }
    let [plan, wide, narrow, _] = chosen.to_le_bytes().map(usize::from);
    Choice { plan: &PLANS[plan], wide: &BACKENDS[wide], narrow: &BACKENDS[narrow] }
}

/// Indices of the first plan whose backends are available, and of these, as bytes; the highest byte is 1.
#[cold]
fn choose(available: impl Fn(&str) -> bool) -> u32 {
    let usable = |plan: &Plan| available(plan.wide) && available(plan.narrow);
    // The last one needs nothing.
    let plan = PLANS.iter().position(usable).unwrap_or(PLANS.len() - 1);
    let index = |name| find(name).expect("plans name backends") as u8;
    u32::from_le_bytes([plan as u8, index(PLANS[plan].wide), index(PLANS[plan].narrow), 1])
}

fn find(name: &str) -> Option<usize> {
    BACKENDS.iter().position(|backend| backend.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The wide and the narrow backend chosen where only `names` are available.
    fn chosen(names: &[&str]) -> (&'static str, &'static str) {
        let [plan, wide, narrow, _] = choose(|name| names.contains(&name)).to_le_bytes().map(usize::from);
        assert_eq!((PLANS[plan].wide, PLANS[plan].narrow), (BACKENDS[wide].name(), BACKENDS[narrow].name()));
        (PLANS[plan].wide, PLANS[plan].narrow)
    }

    #[test]
    fn takes_the_next_where_one_is_unavailable() {
        let all = ["sha256/avx512", "sha256/shani-avx", "sha256/shani-sse", "sha256/avx2", "sha256/portable"];
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
    fn splits_leave_few_pairs_and_whole_groups() {
        for plan in &PLANS {
            let lanes = BACKENDS[find(plan.wide).unwrap()].lanes();
            assert!(plan.wide == plan.narrow || lanes == 1 << plan.lanes, "{}", plan.wide);
            for n in 0..200 {
                let split = plan.split(n);
                assert!(split == n || split % (1 << plan.lanes) == 0 && n - split <= plan.few[0]);
            }
        }
        // Nine pairs are a group of their own, but three more than 16 are not.
        assert_eq!([8, 9, 19, 20, 48, 56, 57].map(|n| PLANS[0].split(n)), [0, 9, 16, 20, 48, 48, 57]);
    }
}
