//! One built-in backend: what it needs, whether it can run here, and the only safe way to its hasher.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::cpu::Feature;
use crate::{Family, Node, Pair, PairHasher, Unavailable, self_test};

/// One built-in implementation.
#[derive(Debug)]
pub struct Backend {
    hasher: Hasher,
    lanes: usize,
    requires: Requires,
    left_out: Option<Unavailable>,
    tested: AtomicU8,
}

impl Backend {
    /// Family and implementation, as in `sha256/avx2`.
    pub fn name(&self) -> &'static str {
        self.hasher.name
    }

    /// The function that it computes.
    pub fn family(&self) -> Family {
        self.hasher.family
    }

    /// How many pairs it hashes at once; batches of a multiple of it are the fastest.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Every CPU feature that its machine code uses beyond its architecture's baseline.
    pub fn requires(&self) -> &'static [Feature] {
        (self.requires)()
    }

    /// Whether it can run here. The first call runs the self-test; later ones only read the outcome.
    ///
    /// # Errors
    ///
    /// The first obstacle of: the build, the CPU, the operating system, the self-test.
    pub fn availability(&self) -> Result<(), Unavailable> {
        self.kernel().map(drop)
    }

    /// Whether the build has it and the CPU and the system should be able to run it. Unlike
    /// [`availability`](Self::availability) this runs nothing of it, for those who let another process find out.
    ///
    /// # Errors
    ///
    /// The first obstacle of: the build, the CPU, the operating system.
    pub fn support(&self) -> Result<(), Unavailable> {
        self.left_out.map_or_else(|| Unavailable::check(self.requires()), Err)
    }

    /// The hasher, if it can run here.
    ///
    /// # Errors
    ///
    /// As [`availability`](Self::availability).
    pub fn hasher(&'static self) -> Result<&'static dyn PairHasher, Unavailable> {
        self.kernel()?;
        Ok(&self.hasher)
    }

    /// The kernel, if it can run here. Then only the lengths are left to the caller.
    pub(crate) fn kernel(&self) -> Result<Kernel, Unavailable> {
        self.support()?;
        if self.passes_self_test() { Ok(self.hasher.kernel) } else { Err(Unavailable::SelfTest) }
    }

    /// The kernel of a backend that has been found to be available. Of others, calling it is undefined behaviour, as it
    /// is to call any kernel without its features.
    pub(crate) fn kernel_unchecked(&self) -> Kernel {
        self.hasher.kernel
    }

    fn passes_self_test(&self) -> bool {
        const UNKNOWN: u8 = 0;
        const PASSED: u8 = 1;
        const FAILED: u8 = 2;
        // Threads may race to run the test: it has one outcome, so the race is harmless.
        match self.tested.load(Ordering::Relaxed) {
            UNKNOWN => {
                // SAFETY: called after the check of all that the kernel requires.
                let passed = unsafe { self_test::passes(self.hasher.family, self.hasher.kernel) };
                self.tested.store(if passed { PASSED } else { FAILED }, Ordering::Relaxed);
                passed
            }
            outcome => outcome == PASSED,
        }
    }
}

/// How the families' tables describe their backends.
impl Backend {
    pub(crate) const fn new(
        family: Family,
        name: &'static str,
        lanes: usize,
        requires: Requires,
        code: Code,
    ) -> Self {
        let (kernel, left_out) = match code {
            Ok(kernel) => (kernel, None),
            Err(reason) => (unreachable_kernel as Kernel, Some(reason)),
        };
        Self { hasher: Hasher { name, family, kernel }, lanes, requires, left_out, tested: AtomicU8::new(0) }
    }
}

/// Hashes all pairs.
///
/// # Safety
///
/// The slices have the same length, and the CPU features that its backend requires are usable.
pub(crate) type Kernel = unsafe fn(&[Pair], &mut [Node]);

/// The features that a backend's machine code uses. A function, since hashtree's own choice depends on the CPU.
pub(crate) type Requires = fn() -> &'static [Feature];

/// A kernel, or why this build has none.
pub(crate) type Code = Result<Kernel, Unavailable>;

/// The code of a backend for one architecture; elsewhere it is not even looked up.
macro_rules! on_arch {
    ($arch:literal, $code:expr) => {
        cfg_select! {
            target_arch = $arch => { $code }
            _ => { Err($crate::Unavailable::Architecture($arch)) }
        }
    };
}
pub(crate) use on_arch;

/// Stands where a build has no kernel; `Backend::kernel` never gives it out.
fn unreachable_kernel(_: &[Pair], _: &mut [Node]) {
    unreachable!("a backend without a kernel was run");
}

/// What a caller gets of a backend. The one place where every built-in backend's lengths are checked.
#[derive(Debug)]
struct Hasher {
    name: &'static str,
    family: Family,
    kernel: Kernel,
}

impl PairHasher for Hasher {
    fn name(&self) -> &str {
        self.name
    }

    fn family(&self) -> Family {
        self.family
    }

    #[inline]
    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        assert_eq!(pairs.len(), nodes.len(), "hash_pairs needs one node for each pair");
        // SAFETY: the lengths are equal, and `Backend::hasher` gives out a reference only after checking the features.
        unsafe { (self.kernel)(pairs, nodes) }
    }
}
