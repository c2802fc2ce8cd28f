//! The choice by CPU and by batch size.

use core::sync::atomic::{AtomicU8, Ordering};

use super::portable;
use crate::{Node, Pair};

/// Fastest first.
const PREFERENCE: [&str; 2] = ["sha256/hashtree", "sha256/compress"];

pub(crate) fn hash_pairs(pairs: &[Pair], nodes: &mut [Node]) {
    /// 0 before the choice is made, then the index in `PREFERENCE` plus one, or one past its end for portable.
    static CHOICE: AtomicU8 = AtomicU8::new(0);
    let available = |name| crate::find(name).and_then(|backend| backend.kernel().ok());
    let mut choice = CHOICE.load(Ordering::Relaxed);
    if choice == 0 {
        let first = PREFERENCE.iter().position(|name| available(*name).is_some()).unwrap_or(PREFERENCE.len());
        choice = first as u8 + 1;
        CHOICE.store(choice, Ordering::Relaxed);
    }
    match PREFERENCE.get(usize::from(choice) - 1).and_then(|name| available(*name)) {
        // SAFETY: a checked kernel, and the caller's slices have the same length.
        Some(kernel) => unsafe { kernel(pairs, nodes) },
        None => portable::hash_pairs(pairs, nodes),
    }
}
