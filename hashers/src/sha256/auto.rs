//! The choice by CPU and by batch size.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::registry::BACKENDS;
use crate::{Backend, Node, Pair};

/// Hashes all pairs by the first plan whose backends are available.
///
/// # Safety
///
/// Equal lengths.
#[inline]
pub(crate) unsafe fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    // The shortest way for the smallest batches. Before the choice, none is fewer than zero.
    let [_, _, narrow, fewer_than] = CHOSEN.load(Ordering::Relaxed).to_le_bytes().map(usize::from);
    // SAFETY: what is chosen is available, and the lengths are equal, as the caller promises.
    unsafe {
        match BACKENDS.get(narrow) {
            Some(narrow) if pairs.len() < fewer_than => narrow.kernel_unchecked()(pairs, nodes),
            _ => hash_many(pairs, nodes),
        }
    }
}

/// Hashes any number of pairs, part by the wide and part by the narrow backend.
unsafe fn hash_many(pairs: &[Pair], nodes: &mut [Node]) {
    let [plan, wide, narrow, fewer_than] = chosen();
    let split = split(pairs.len(), plan, fewer_than);
    let (wide_nodes, narrow_nodes) = nodes.split_at_mut(split);
    let (wide_pairs, narrow_pairs) = pairs.split_at(split);
    // SAFETY: both are available, and the lengths are equal.
    unsafe {
        if !wide_pairs.is_empty() {
            BACKENDS[wide].kernel_unchecked()(wide_pairs, wide_nodes);
        }
        if !narrow_pairs.is_empty() {
            BACKENDS[narrow].kernel_unchecked()(narrow_pairs, narrow_nodes);
        }
    }
}

/// How many of `n` pairs are the wide backend's, the first ones; the rest is the narrow one's.
fn split(n: usize, plan: usize, fewer_than: usize) -> usize {
    if n < fewer_than { 0 } else { (PLANS[plan].split)(n).min(n) }
}

/// Who hashes how many of `n` pairs: the wide and the narrow backend.
pub(crate) fn shares(n: usize) -> [(&'static Backend, usize); 2] {
    let [plan, wide, narrow, fewer_than] = chosen();
    let split = split(n, plan, fewer_than);
    [(&BACKENDS[wide], split), (&BACKENDS[narrow], n - split)]
}

/// Two backends that share the work.
struct Plan {
    wide: &'static str,
    narrow: &'static str,
    /// Up to so many pairs are the narrow one's alone.
    few: u8,
    /// How many of more pairs the wide one takes; the rest is the narrow one's too.
    split: fn(usize) -> usize,
}

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

/// A call of the wide backend takes the time of two pairs by the narrow one, or little more.
fn split_lanes<const LANES: usize>(n: usize) -> usize {
    if n % LANES <= 2 { n - n % LANES } else { n }
}

fn all(n: usize) -> usize {
    n
}

/// Best first.
static PLANS: [Plan; 10] = [
    Plan { wide: "sha256/avx512", narrow: "sha256/shani-avx", few: 8, split: split_avx512_shani },
    Plan { wide: "sha256/shani-avx", narrow: "sha256/shani-avx", few: 4, split: all },
    Plan { wide: "sha256/shani-sse", narrow: "sha256/shani-sse", few: 4, split: all },
    Plan { wide: "sha256/avx512", narrow: "sha256/portable", few: 2, split: split_lanes::<16> },
    Plan { wide: "sha256/avx2", narrow: "sha256/portable", few: 2, split: split_lanes::<8> },
    Plan { wide: "sha256/sse41", narrow: "sha256/portable", few: 2, split: split_lanes::<4> },
    Plan { wide: "sha256/armv8", narrow: "sha256/armv8", few: 4, split: all },
    Plan { wide: "sha256/neon", narrow: "sha256/portable", few: 2, split: split_lanes::<4> },
    Plan { wide: "sha256/simd128", narrow: "sha256/portable", few: 2, split: split_lanes::<4> },
    Plan { wide: "sha256/portable", narrow: "sha256/portable", few: 4, split: all },
];

/// The choice as `choose` gives it, zero before it is made. Without the standard library there is no cell for more than a
/// word; a thread that races another to choose stores the same.
static CHOSEN: AtomicU32 = AtomicU32::new(0);

fn chosen() -> [usize; 4] {
    let mut chosen = CHOSEN.load(Ordering::Relaxed);
    if chosen == 0 {
        chosen = choose(|name| find(name).is_some_and(|i| BACKENDS[i].availability().is_ok()));
        CHOSEN.store(chosen, Ordering::Relaxed);
    }
    chosen.to_le_bytes().map(usize::from)
}

/// The first plan whose backends are available, as bytes: the indices of it and of its two backends, and one more than its
/// `few`.
#[cold]
fn choose(available: impl Fn(&str) -> bool) -> u32 {
    let usable = |plan: &Plan| available(plan.wide) && available(plan.narrow);
    // The last one needs nothing.
    let plan = PLANS.iter().position(usable).unwrap_or(PLANS.len() - 1);
    let index = |name| find(name).expect("plans name backends") as u8;
    let Plan { wide, narrow, few, .. } = PLANS[plan];
    u32::from_le_bytes([plan as u8, index(wide), index(narrow), few + 1])
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
    fn splits_give_the_wide_backend_all_but_few() {
        for plan in &PLANS {
            for n in usize::from(plan.few) + 1..500 {
                let split = (plan.split)(n);
                assert!(0 < split && split <= n && n - split <= 16, "{} of {n} to {}", split, plan.wide);
            }
        }
        let splits = [9, 48, 49, 56, 57, 64, 65, 96, 112, 113, 1024].map(split_avx512_shani);
        assert_eq!(splits, [9, 48, 48, 48, 57, 64, 64, 96, 112, 113, 1008]);
    }
}
