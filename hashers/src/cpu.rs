//! What the CPU has and the operating system has enabled.
//!
//! Detected with the crate's own CPUID and XGETBV code on x86-64, so that it works without the standard library and
//! the same everywhere.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

/// The features that matter to this crate, of the architecture that it was built for.
///
/// ```
/// for (feature, support) in pair_hashers::cpu::features() {
///     println!("{feature}: {support:?}");
/// }
/// ```
pub fn features() -> impl Iterator<Item = (Feature, Support)> {
    ALL.iter().copied().filter(|feature| feature.arch() == ARCH).map(|feature| (feature, support(feature)))
}

/// Whether code that uses `feature` can run.
pub fn support(feature: Feature) -> Support {
    let Detected { present, enabled } = detected();
    match (present.contains(feature), enabled.contains(feature)) {
        (false, _) => Support::Missing,
        (true, false) => Support::Disabled,
        (true, true) => Support::Usable,
    }
}

/// The architecture that the crate was built for, as Rust's `target_arch`.
pub const ARCH: &str = if cfg!(target_arch = "x86_64") {
    "x86_64"
} else if cfg!(target_arch = "aarch64") {
    "aarch64"
} else if cfg!(target_arch = "wasm32") {
    "wasm32"
} else {
    "another"
};

/// Answer of [`support`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// The CPU has it, and the operating system keeps its registers.
    Usable,
    /// The CPU has it, but the operating system or hypervisor does not enable its registers in XCR0.
    Disabled,
    /// The CPU lacks it, or it belongs to another architecture.
    Missing,
}

macro_rules! features {
    ($($(#[$doc:meta])* $variant:ident = $name:literal on $arch:literal,)*) => {
        /// An extension of an instruction set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Feature {
            $($(#[$doc])* $variant,)*
        }

        const ALL: &[Feature] = &[$(Feature::$variant,)*];

        impl Feature {
            /// Its name in Rust's `target_feature`.
            pub const fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name,)* }
            }

            /// The `target_arch` that it belongs to.
            pub const fn arch(self) -> &'static str {
                match self { $(Feature::$variant => $arch,)* }
            }
        }
    };
}

features! {
    /// Byte shuffles (2006).
    Ssse3 = "ssse3" on "x86_64",
    /// 128-bit integer operations (2008).
    Sse41 = "sse4.1" on "x86_64",
    /// 256-bit registers and three-operand encodings (2011).
    Avx = "avx" on "x86_64",
    /// 256-bit integer operations (2013).
    Avx2 = "avx2" on "x86_64",
    /// 512-bit registers, rotates and three-input logic.
    Avx512f = "avx512f" on "x86_64",
    /// 512-bit byte shuffles.
    Avx512bw = "avx512bw" on "x86_64",
    /// AVX-512's instructions on shorter registers.
    Avx512vl = "avx512vl" on "x86_64",
    /// SHA-1 and SHA-256 rounds; comes with and without AVX.
    Sha = "sha" on "x86_64",
    /// 128-bit vectors.
    Neon = "neon" on "aarch64",
    /// SHA-256 rounds.
    Sha2 = "sha2" on "aarch64",
    /// Three-input logic and rotates of 64-bit words, for SHA-3.
    Sha3 = "sha3" on "aarch64",
    /// 128-bit vectors, a choice at compile time.
    Simd128 = "simd128" on "wasm32",
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Several features, in the order of [`Feature`]. Displays as their names.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct FeatureSet(u32);

impl FeatureSet {
    /// Whether it has `feature`.
    pub const fn contains(self, feature: Feature) -> bool {
        self.0 & (1 << feature as u32) != 0
    }

    /// Its features.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        ALL.iter().copied().filter(move |&feature| self.contains(feature))
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Feature> for FeatureSet {
    fn from_iter<I: IntoIterator<Item = Feature>>(features: I) -> Self {
        Self(features.into_iter().fold(0, |bits, feature| bits | 1 << feature as u32))
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, feature) in self.iter().enumerate() {
            write!(f, "{}{feature}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// What was found; `enabled` leaves out what the operating system does not support.
#[derive(Clone, Copy)]
struct Detected {
    present: FeatureSet,
    enabled: FeatureSet,
}

/// Detects once: CPUID traps in virtual machines, at some 20 microseconds each.
fn detected() -> Detected {
    // The top bit says that the word is filled in. Racing threads store the same words.
    const READY: u32 = 1 << 31;
    static PRESENT: AtomicU32 = AtomicU32::new(0);
    static ENABLED: AtomicU32 = AtomicU32::new(0);

    let (present, enabled) = (PRESENT.load(Ordering::Relaxed), ENABLED.load(Ordering::Relaxed));
    if present & enabled & READY != 0 {
        return Detected { present: FeatureSet(present & !READY), enabled: FeatureSet(enabled & !READY) };
    }
    let found = detect();
    PRESENT.store(found.present.0 | READY, Ordering::Relaxed);
    ENABLED.store(found.enabled.0 | READY, Ordering::Relaxed);
    found
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Detected {
    use core::arch::x86_64::{__cpuid, __cpuid_count, __get_cpuid_max, _xgetbv};

    #[target_feature(enable = "xsave")]
    fn xcr0() -> u64 {
        // SAFETY: XCR0 exists wherever XGETBV does, which this function's caller has checked.
        unsafe { _xgetbv(0) }
    }

    let leaf_1 = __cpuid(1);
    let (leaf_7_ebx, _leaf_7_ecx) = match __get_cpuid_max(0).0 {
        7.. => {
            let leaf = __cpuid_count(7, 0);
            (leaf.ebx, leaf.ecx)
        }
        _ => (0, 0),
    };
    const OSXSAVE: u32 = 1 << 27;
    // SAFETY: OSXSAVE says that the CPU has XGETBV and that the system has enabled it.
    let xcr0 = if leaf_1.ecx & OSXSAVE != 0 { unsafe { xcr0() } } else { 0 };
    x86_features(leaf_1.ecx, leaf_7_ebx, xcr0)
}

/// What the words of CPUID (leaf 1's ECX, leaf 7's EBX) and XCR0 say. Intel's manual, volume 1, sections 14.3 and 15.2.
#[cfg(any(target_arch = "x86_64", test))]
fn x86_features(leaf_1_ecx: u32, leaf_7_ebx: u32, xcr0: u64) -> Detected {
    // XMM and YMM; with the mask registers and both halves of ZMM.
    const AVX_STATE: u64 = 0b110;
    const AVX512_STATE: u64 = 0b1110_0110;
    let table = [
        (Feature::Ssse3, leaf_1_ecx, 9, 0),
        (Feature::Sse41, leaf_1_ecx, 19, 0),
        (Feature::Avx, leaf_1_ecx, 28, AVX_STATE),
        (Feature::Avx2, leaf_7_ebx, 5, AVX_STATE),
        (Feature::Avx512f, leaf_7_ebx, 16, AVX512_STATE),
        (Feature::Avx512bw, leaf_7_ebx, 30, AVX512_STATE),
        (Feature::Avx512vl, leaf_7_ebx, 31, AVX512_STATE),
        (Feature::Sha, leaf_7_ebx, 29, 0),
    ];
    let present = table.iter().filter(|(_, word, bit, _)| word & (1 << bit) != 0);
    let enabled = present.clone().filter(|(.., state)| xcr0 & state == *state);
    Detected { present: present.map(|row| row.0).collect(), enabled: enabled.map(|row| row.0).collect() }
}

#[cfg(target_arch = "aarch64")]
fn detect() -> Detected {
    #[cfg(feature = "std")]
    let found = [
        (Feature::Neon, std::arch::is_aarch64_feature_detected!("neon")),
        (Feature::Sha2, std::arch::is_aarch64_feature_detected!("sha2")),
        (Feature::Sha3, std::arch::is_aarch64_feature_detected!("sha3")),
    ];
    #[cfg(not(feature = "std"))]
    let found = [
        (Feature::Neon, cfg!(target_feature = "neon")),
        (Feature::Sha2, cfg!(target_feature = "sha2")),
        (Feature::Sha3, cfg!(target_feature = "sha3")),
    ];
    // The system reports only what it has enabled.
    let present = found.into_iter().filter(|row| row.1).map(|row| row.0).collect();
    Detected { present, enabled: present }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn detect() -> Detected {
    // A WebAssembly engine refuses a module with instructions that it does not know, so there is nothing to detect.
    let present = cfg!(target_feature = "simd128").then_some(Feature::Simd128).into_iter().collect();
    Detected { present, enabled: present }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SSE_AND_AVX: u32 = 1 << 9 | 1 << 19 | 1 << 28;
    const AVX2_AVX512_SHA: u32 = 1 << 5 | 1 << 16 | 1 << 30 | 1 << 31 | 1 << 29;

    fn names(set: FeatureSet) -> String {
        set.to_string()
    }

    #[test]
    fn a_system_that_enables_nothing_leaves_the_sse_features() {
        let found = x86_features(SSE_AND_AVX, AVX2_AVX512_SHA, 0);
        assert_eq!(names(found.enabled), "ssse3, sse4.1, sha");
        assert_eq!(names(found.present), "ssse3, sse4.1, avx, avx2, avx512f, avx512bw, avx512vl, sha");
    }

    #[test]
    fn avx_state_alone_does_not_enable_avx512() {
        let found = x86_features(SSE_AND_AVX, AVX2_AVX512_SHA, 0b111);
        assert_eq!(names(found.enabled), "ssse3, sse4.1, avx, avx2, sha");
        // The mask registers without the upper half of the registers, as a hypervisor may leave it.
        let found = x86_features(SSE_AND_AVX, AVX2_AVX512_SHA, 0b10_0111);
        assert_eq!(names(found.enabled), "ssse3, sse4.1, avx, avx2, sha");
    }

    #[test]
    fn sha_is_found_without_avx() {
        let found = x86_features(1 << 9 | 1 << 19, 1 << 29, 0);
        assert_eq!(names(found.enabled), "ssse3, sse4.1, sha");
        assert_eq!(found.enabled, found.present);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn agrees_with_the_standard_library() {
        let std = [
            (Feature::Ssse3, is_x86_feature_detected!("ssse3")),
            (Feature::Sse41, is_x86_feature_detected!("sse4.1")),
            (Feature::Avx, is_x86_feature_detected!("avx")),
            (Feature::Avx2, is_x86_feature_detected!("avx2")),
            (Feature::Avx512f, is_x86_feature_detected!("avx512f")),
            (Feature::Avx512bw, is_x86_feature_detected!("avx512bw")),
            (Feature::Avx512vl, is_x86_feature_detected!("avx512vl")),
            (Feature::Sha, is_x86_feature_detected!("sha")),
        ];
        for (feature, found) in std {
            assert_eq!(support(feature) == Support::Usable, found, "{feature}");
        }
    }
}
