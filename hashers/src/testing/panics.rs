//! Panics that are expected, or that are somebody's result.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `f`, and gives a panic's message, with its place in the source, as an error. Nothing is printed of it.
///
/// # Errors
///
/// If `f` panics.
pub fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    let _quiet = hook::Quiet::new();
    catch_unwind(AssertUnwindSafe(f)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        match hook::place() {
            Some(place) => format!("panicked at {place}: {text}"),
            None => format!("panicked: {text}"),
        }
    })
}

/// A slice of nodes that is shorter or longer than that of pairs makes every hasher panic.
#[cfg(panic = "unwind")]
pub(super) fn wrong_lengths(hasher: &dyn crate::PairHasher) -> Result<(), String> {
    for (n, m) in [(0, 1), (1, 0), (1, 2), (16, 15), (16, 17), (33, 32), (64, 65), (100, 0)] {
        let pairs = &super::PAINTED.pairs[..n];
        let mut nodes = vec![[0; 32]; m];
        if catch(|| hasher.hash_pairs(pairs, &mut nodes)).is_ok() {
            return Err(format!("{n} pairs and {m} nodes did not make it panic"));
        }
    }
    Ok(())
}

/// One hook for the process, which keeps quiet on threads that ask for it.
mod hook {
    use std::cell::{Cell, RefCell};
    use std::panic::{set_hook, take_hook};
    use std::sync::Once;

    thread_local! {
        /// How many callers on this thread want quiet.
        static QUIET: Cell<u32> = const { Cell::new(0) };
        static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
    }

    pub(super) struct Quiet;

    impl Quiet {
        pub(super) fn new() -> Self {
            static HOOK: Once = Once::new();
            HOOK.call_once(|| {
                let others = take_hook();
                set_hook(Box::new(move |panic| {
                    if QUIET.get() == 0 {
                        others(panic);
                    } else {
                        PLACE.set(panic.location().map(ToString::to_string));
                    }
                }));
            });
            QUIET.set(QUIET.get() + 1);
            PLACE.set(None);
            Self
        }
    }

    impl Drop for Quiet {
        fn drop(&mut self) {
            QUIET.set(QUIET.get() - 1);
        }
    }

    /// Where the last quiet panic of this thread was.
    pub(super) fn place() -> Option<String> {
        PLACE.take()
    }
}
