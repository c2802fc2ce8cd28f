//! The choice by CPU and by batch size: what the backends `auto` of all families have in common.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::registry::BACKENDS;
use crate::{Backend, Node, Pair};

/// A family's plans, and which of them this CPU can run.
pub(crate) struct Auto {
    /// Best first. The last one needs nothing.
    plans: &'static [Plan],
    /// The choice as `choose` gives it, zero before it is made. Without the standard library there is no cell for more than
    /// a word; a thread that races another to choose stores the same.
    chosen: AtomicU32,
}

/// Two backends that share the work.
pub(crate) struct Plan {
    pub(crate) wide: &'static str,
    pub(crate) narrow: &'static str,
    /// Up to so many pairs are the narrow one's alone.
    pub(crate) few: u8,
    /// How many of more pairs the wide one takes; the rest is the narrow one's too.
    pub(crate) split: fn(usize) -> usize,
}

/// For a wide backend that hashes `LANES` pairs at a time, in that in which the narrow one hashes `FEW` or little more.
pub(crate) fn split_lanes<const LANES: usize, const FEW: usize>(n: usize) -> usize {
    if n % LANES <= FEW { n - n % LANES } else { n }
}

/// For a wide backend that needs no help.
pub(crate) fn all(n: usize) -> usize {
    n
}

impl Auto {
    pub(crate) const fn new(plans: &'static [Plan]) -> Self {
        Self { plans, chosen: AtomicU32::new(0) }
    }

    /// Hashes all pairs by the first plan whose backends are available.
    ///
    /// # Safety
    ///
    /// Equal lengths.
    #[inline]
    pub(crate) unsafe fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        // The shortest way for the smallest batches. Before the choice, none is fewer than zero.
        let [_, _, narrow, fewer_than] = self.chosen.load(Ordering::Relaxed).to_le_bytes().map(usize::from);
        // SAFETY: a choice that was made is of indices of backends that are available, and the lengths are equal, as the
        // caller promises.
        unsafe {
            if pairs.len() < fewer_than {
                BACKENDS.get_unchecked(narrow).kernel_unchecked()(pairs, nodes);
            } else {
                Self::hash_many(pairs, nodes, self);
            }
        }
    }

    /// Hashes any number of pairs, part by the wide and part by the narrow backend. `auto` comes last, for the slices to stay
    /// in their registers on the way.
    unsafe fn hash_many(pairs: &[Pair], nodes: &mut [Node], auto: &Self) {
        let [plan, wide, narrow, fewer_than] = auto.chosen();
        let split = auto.split(pairs.len(), plan, fewer_than);
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
    fn split(&self, n: usize, plan: usize, fewer_than: usize) -> usize {
        if n < fewer_than { 0 } else { (self.plans[plan].split)(n).min(n) }
    }

    /// Who hashes how many of `n` pairs: the wide and the narrow backend.
    pub(crate) fn shares(&self, n: usize) -> [(&'static Backend, usize); 2] {
        let [plan, wide, narrow, fewer_than] = self.chosen();
        let split = self.split(n, plan, fewer_than);
        [(&BACKENDS[wide], split), (&BACKENDS[narrow], n - split)]
    }

    fn chosen(&self) -> [usize; 4] {
        let mut chosen = self.chosen.load(Ordering::Relaxed);
        if chosen == 0 {
            chosen = self.choose(|name| BACKENDS[index(name)].availability().is_ok());
            self.chosen.store(chosen, Ordering::Relaxed);
        }
        chosen.to_le_bytes().map(usize::from)
    }

    /// The first plan whose backends are available, as bytes: the indices of it and of its two backends, and one more than
    /// its `few`.
    #[cold]
    fn choose(&self, available: impl Fn(&str) -> bool) -> u32 {
        let usable = |plan: &Plan| available(plan.wide) && available(plan.narrow);
        let plan = self.plans.iter().position(usable).unwrap_or(self.plans.len() - 1);
        let Plan { wide, narrow, few, .. } = self.plans[plan];
        u32::from_le_bytes([plan as u8, index(wide) as u8, index(narrow) as u8, few + 1])
    }
}

fn index(name: &str) -> usize {
    BACKENDS.iter().position(|backend| backend.name() == name).expect("plans name backends")
}

/// What the families' tests ask of their plans.
#[cfg(test)]
impl Auto {
    /// The wide and the narrow backend chosen where only `names` are available.
    pub(crate) fn chosen_of(&self, names: &[&str]) -> (&'static str, &'static str) {
        let [plan, wide, narrow, _] =
            self.choose(|name| names.contains(&name)).to_le_bytes().map(usize::from);
        let plan = &self.plans[plan];
        assert_eq!((plan.wide, plan.narrow), (BACKENDS[wide].name(), BACKENDS[narrow].name()));
        (plan.wide, plan.narrow)
    }

    /// That each plan's wide backend takes all but at most `rest` of any number of pairs over `few`.
    pub(crate) fn assert_splits_leave_at_most(&self, rest: usize) {
        for plan in self.plans {
            for n in usize::from(plan.few) + 1..500 {
                let split = (plan.split)(n);
                assert!(0 < split && split <= n && n - split <= rest, "{split} of {n} to {}", plan.wide);
            }
        }
    }
}
