//! Both buffers end where a page without access begins, and begin where one ends, and the pairs are in memory that may only
//! be read: a single byte read or written where it should not be is a crash.

use super::{PAINTED, same};
use crate::{Node, Pair, PairHasher};

pub(super) fn check(hasher: &dyn PairHasher) -> Result<(), String> {
    const MOST: usize = 200;
    let (mut pairs, mut nodes) =
        (Guarded::<Pair>::new(MOST, slack_of_pairs()), Guarded::<Node>::new(MOST, 0));
    for n in (0..=130).chain([MOST]) {
        for (pairs_side, nodes_side) in [(END, END), (START, START), (END, START), (START, END)] {
            let pairs = pairs.read_only(&PAINTED.pairs[..n], pairs_side);
            let nodes = nodes.slice(n, nodes_side);
            nodes.fill([0; 32]);
            hasher.hash_pairs(pairs, nodes);
            same(nodes, &PAINTED.nodes(hasher.family())[..n])
                .map_err(|why| format!("batch of {n} beside a guard page: {why}"))?;
        }
    }
    Ok(())
}

/// qemu (10.0) carries out `vinserti128` with a load of 32 bytes, where a CPU loads 16.
fn slack_of_pairs() -> usize {
    #[cfg(target_arch = "x86_64")]
    if core::arch::x86_64::__cpuid(0x4000_0000).ebx == u32::from_le_bytes(*b"TCGT") {
        return 16;
    }
    0
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Start,
    End,
}
const START: Side = Side::Start;
const END: Side = Side::End;

/// Pages with room for a number of elements, between two pages without access.
struct Guarded<T> {
    map: *mut u8,
    map_len: usize,
    page: usize,
    /// How many bytes short of the end a slice ends: none, but in an emulator that is known to read too far.
    slack: usize,
    element: core::marker::PhantomData<T>,
}

/// Elements are arrays of bytes: any bytes are a value, any address is aligned.
trait Bytes: Copy {}
impl<const N: usize> Bytes for [u8; N] {}

impl<T: Bytes> Guarded<T> {
    fn new(elements: usize, slack: usize) -> Self {
        // SAFETY: asks for a number; a new mapping disturbs no other; its inner pages are made accessible.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let inner = (elements * size_of::<T>() + slack).next_multiple_of(page);
            let map_len = inner + 2 * page;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            let map = libc::mmap(core::ptr::null_mut(), map_len, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(map, libc::MAP_FAILED, "no memory for guard pages");
            let map = map.cast::<u8>();
            let made = libc::mprotect(map.add(page).cast(), inner, libc::PROT_READ | libc::PROT_WRITE);
            assert_eq!(made, 0, "cannot make guard pages");
            Self { map, map_len, page, slack, element: core::marker::PhantomData }
        }
    }

    /// A copy of `elements` that cannot be written to.
    fn read_only(&mut self, elements: &[T], side: Side) -> &[T] {
        self.protect(libc::PROT_READ | libc::PROT_WRITE);
        self.slice(elements.len(), side).copy_from_slice(elements);
        self.protect(libc::PROT_READ);
        self.slice(elements.len(), side)
    }

    /// What may be done with the inner pages.
    fn protect(&mut self, access: libc::c_int) {
        // SAFETY: our own mapping, of which no slice exists while `self` is borrowed here.
        let done =
            unsafe { libc::mprotect(self.map.add(self.page).cast(), self.map_len - 2 * self.page, access) };
        assert_eq!(done, 0, "cannot change a page's protection");
    }

    fn slice(&mut self, n: usize, side: Side) -> &mut [T] {
        let room = self.map_len - 2 * self.page - self.slack;
        let bytes = n * size_of::<T>();
        assert!(bytes <= room);
        let at = self.page + if side == END { room - bytes } else { 0 };
        // SAFETY: these bytes are between the guard pages, zero or written before, and borrowed as `self` is.
        unsafe { core::slice::from_raw_parts_mut(self.map.add(at).cast(), n) }
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        // SAFETY: our own mapping; no slice of it outlives `self`.
        unsafe { libc::munmap(self.map.cast(), self.map_len) };
    }
}
