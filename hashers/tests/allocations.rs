//! No backend allocates memory, however many pairs it is given.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use pair_hashers::{Node, Pair, backends};

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: counts, and leaves the rest to the system's allocator. What grows or is zeroed comes through `alloc` too.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise; the memory is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// How often this thread allocates in `f`.
fn allocations(f: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    f();
    ALLOCATIONS.get() - before
}

#[test]
fn an_allocation_is_counted() {
    assert_eq!(allocations(|| drop(black_box(vec![1]))), 1);
}

#[test]
fn no_backend_allocates() {
    let pairs: Vec<Pair> = vec![[0x5a; 64]; 1000];
    let mut nodes: Vec<Node> = vec![[0; 32]; 1000];
    for backend in backends() {
        let Ok(hasher) = backend.hasher() else { continue };
        for n in (0..=130).chain([1000]) {
            let count = allocations(|| hasher.hash_pairs(&pairs[..n], &mut nodes[..n]));
            assert_eq!(count, 0, "{} with {n} pairs", backend.name());
        }
    }
}
