//! The cells: which CPUs and builds there are, and what has to be found on each.
//!
//! A new CPU is a row of [`CELLS`]; a new backend goes into the group of those that run wherever its features are.

use super::builds::{self, Build};
use super::platform::{AARCH64, HERE, Platform, WASM, X86_64};

/// One row of the matrix.
pub(crate) struct Cell {
    pub(crate) name: &'static str,
    /// What it is for.
    pub(crate) proves: &'static str,
    pub(crate) kind: Kind,
}

/// What is done in a cell.
pub(crate) enum Kind {
    /// The hashers' tests and the conformance suite on one CPU.
    Cpu(Machine),
    /// Builds and tests in another way than usual.
    Build(&'static Build),
}

/// A CPU, and what has to be found on it.
pub(crate) struct Machine {
    pub(crate) platform: &'static Platform,
    pub(crate) cpu: Model,
    pub(crate) expects: Expects,
}

/// Which CPU of a platform.
#[derive(Clone, Copy)]
pub(crate) enum Model {
    /// The one that is here.
    Own,
    /// As qemu calls it.
    Emulated(&'static str),
    /// That, but the system denies these bits of AT_HWCAP.
    Masked(&'static str, u64),
}

/// Where the expectations are.
pub(crate) enum Expects {
    /// Exactly these.
    Stated(&'static Expectation),
    /// The last of [`ALL`] whose features the standard library finds; and all features that it finds.
    WhatStdFinds,
}

/// What has to be found on a CPU: neither less nor more.
pub(crate) struct Expectation {
    pub(crate) arch: &'static str,
    pub(crate) features: &'static [&'static str],
    /// Groups of backends, of every family: all of them run, and no others.
    pub(crate) backends: &'static [&'static [&'static str]],
    /// For each family, the backend that `auto` gives a single pair to, and the one that it gives most of [`MANY`] to.
    pub(crate) auto: &'static [(&'static str, &'static str)],
}

/// So many pairs fill every backend's lanes, and leave none over.
pub(crate) const MANY: usize = 1024;

// Backends by what they need.
#[rustfmt::skip] // a family a line
const EVERYWHERE: &[&str] = &[
    "sha256/auto", "sha256/portable", "sha256/digest", "sha256/compress",
    "keccak256/auto", "keccak256/portable", "keccak256/reference",
    "rfc6962/auto", "rfc6962/portable", "rfc6962/reference",
];
const HASHTREE: &[&str] = &["sha256/hashtree", "sha256/hashtree-generic"];
const SSSE3_SSE41: &[&str] = &["sha256/sse41", "sha256/hashtree-sse", "rfc6962/sse41"];
const AVX: &[&str] = &["sha256/hashtree-avx-x1", "sha256/hashtree-avx-x4"];
const AVX2: &[&str] = &["sha256/avx2", "sha256/hashtree-avx2", "keccak256/avx2", "rfc6962/avx2"];
const AVX512: &[&str] = &["sha256/avx512", "sha256/hashtree-avx512", "keccak256/avx512", "rfc6962/avx512"];
const SHA: &[&str] =
    &["sha256/shani", "sha256/shani-sse", "sha256/hashtree-shani", "rfc6962/shani", "rfc6962/shani-sse"];
const SHA_AVX: &[&str] = &["sha256/shani-avx", "rfc6962/shani-avx"];
const NEON: &[&str] = &["sha256/neon", "sha256/hashtree-neon-x1", "sha256/hashtree-neon-x4", "rfc6962/neon"];
const SHA2: &[&str] = &["sha256/armv8", "sha256/hashtree-sha", "rfc6962/armv8"];
const SHA3: &[&str] = &["keccak256/armv8"];
const SIMD128: &[&str] = &["sha256/simd128", "rfc6962/simd128"];

/// Those that are there only where hashtree's C and assembly build.
pub(crate) fn is_hashtrees(backend: &str) -> bool {
    backend.starts_with("sha256/hashtree")
}

macro_rules! expectations {
    ($($name:ident on $arch:literal: $features:expr, $backends:expr, $($family:ident $one:literal $many:literal),+;)*) => {
        $(pub(crate) const $name: Expectation = Expectation {
            arch: $arch,
            features: &$features,
            backends: &$backends,
            auto: &[$((concat!(stringify!($family), "/", $one), concat!(stringify!($family), "/", $many))),+],
        };)*
        /// Every expectation, those with more features behind those with fewer.
        pub(crate) const ALL: &[Expectation] = &[$($name),*];
    };
}

#[rustfmt::skip] // a table: the features, the backends, and auto's choices for one pair and for many
expectations! {
    SSE2_ONLY on "x86_64": [],
        [EVERYWHERE, HASHTREE],
        sha256 "portable" "portable", keccak256 "portable" "portable", rfc6962 "portable" "portable";
    WITH_SSE41 on "x86_64": ["ssse3", "sse4.1"],
        [EVERYWHERE, HASHTREE, SSSE3_SSE41],
        sha256 "portable" "sse41", keccak256 "portable" "portable", rfc6962 "portable" "sse41";
    WITH_AVX on "x86_64": ["ssse3", "sse4.1", "avx"],
        [EVERYWHERE, HASHTREE, SSSE3_SSE41, AVX],
        sha256 "portable" "sse41", keccak256 "portable" "portable", rfc6962 "portable" "sse41";
    WITH_AVX2 on "x86_64": ["ssse3", "sse4.1", "avx", "avx2"],
        [EVERYWHERE, HASHTREE, SSSE3_SSE41, AVX, AVX2],
        sha256 "portable" "avx2", keccak256 "portable" "avx2", rfc6962 "portable" "avx2";
    WITH_AVX512 on "x86_64": ["ssse3", "sse4.1", "avx", "avx2", "avx512f", "avx512bw", "avx512vl"],
        [EVERYWHERE, HASHTREE, SSSE3_SSE41, AVX, AVX2, AVX512],
        sha256 "portable" "avx512", keccak256 "avx512" "avx512", rfc6962 "portable" "avx512";
    WITH_SHA_ALONE on "x86_64": ["ssse3", "sse4.1", "sha"],
        [EVERYWHERE, HASHTREE, SSSE3_SSE41, SHA],
        sha256 "shani-sse" "shani-sse", keccak256 "portable" "portable", rfc6962 "shani-sse" "shani-sse";
    WITH_SHA on "x86_64": ["ssse3", "sse4.1", "avx", "avx2", "sha"],
        [EVERYWHERE, HASHTREE, SSSE3_SSE41, AVX, AVX2, SHA, SHA_AVX],
        sha256 "shani-avx" "shani-avx", keccak256 "portable" "avx2", rfc6962 "shani-avx" "shani-avx";
    WITH_SHA_AND_AVX512 on "x86_64": ["ssse3", "sse4.1", "avx", "avx2", "avx512f", "avx512bw", "avx512vl", "sha"],
        [EVERYWHERE, HASHTREE, SSSE3_SSE41, AVX, AVX2, SHA, SHA_AVX, AVX512],
        sha256 "shani-avx" "avx512", keccak256 "avx512" "avx512", rfc6962 "shani-avx" "avx512";

    WITH_NEON on "aarch64": ["neon"],
        [EVERYWHERE, HASHTREE, NEON],
        sha256 "portable" "neon", keccak256 "portable" "portable", rfc6962 "portable" "neon";
    WITH_SHA2 on "aarch64": ["neon", "sha2"],
        [EVERYWHERE, HASHTREE, NEON, SHA2],
        sha256 "armv8" "armv8", keccak256 "portable" "portable", rfc6962 "armv8" "armv8";
    WITH_SHA3 on "aarch64": ["neon", "sha2", "sha3"],
        [EVERYWHERE, HASHTREE, NEON, SHA2, SHA3],
        sha256 "armv8" "armv8", keccak256 "armv8" "armv8", rfc6962 "armv8" "armv8";

    WITH_SIMD128 on "wasm32": ["simd128"],
        [EVERYWHERE, SIMD128],
        sha256 "portable" "simd128", keccak256 "portable" "portable", rfc6962 "portable" "simd128";
}

const fn on(platform: &'static Platform, cpu: Model, expects: &'static Expectation) -> Kind {
    Kind::Cpu(Machine { platform, cpu, expects: Expects::Stated(expects) })
}

// Bits of AT_HWCAP.
const HWCAP_SHA2: u64 = 1 << 6;
const HWCAP_SHA3: u64 = 1 << 17;
const HWCAP_SHA512: u64 = 1 << 21;

use Model::{Emulated, Masked, Own};

#[rustfmt::skip] // a table
pub(crate) const CELLS: &[Cell] = &[
    Cell { name: "native", proves: "every backend that this CPU has",
        kind: Kind::Cpu(Machine { platform: &HERE, cpu: Own, expects: Expects::WhatStdFinds }) },

    Cell { name: "qemu64", proves: "x86-64's baseline, SSE2", kind: on(&X86_64, Emulated("qemu64"), &SSE2_ONLY) },
    Cell { name: "nehalem", proves: "SSE4.1 without AVX", kind: on(&X86_64, Emulated("Nehalem"), &WITH_SSE41) },
    Cell { name: "sandybridge", proves: "AVX without AVX2", kind: on(&X86_64, Emulated("SandyBridge"), &WITH_AVX) },
    Cell { name: "haswell", proves: "AVX2", kind: on(&X86_64, Emulated("Haswell-noTSX"), &WITH_AVX2) },
    Cell { name: "no-sha", proves: "everything qemu has but SHA", kind: on(&X86_64, Emulated("max,-sha-ni"), &WITH_AVX2) },
    Cell { name: "denverton", proves: "SHA without AVX", kind: on(&X86_64, Emulated("Denverton"), &WITH_SHA_ALONE) },
    Cell { name: "epyc", proves: "AVX2 and SHA", kind: on(&X86_64, Emulated("EPYC"), &WITH_SHA) },

    Cell { name: "cortex-a72", proves: "NEON and SHA2", kind: on(&AARCH64, Emulated("cortex-a72"), &WITH_SHA2) },
    Cell { name: "neoverse-v1", proves: "the same with SHA3", kind: on(&AARCH64, Emulated("neoverse-v1"), &WITH_SHA3) },
    Cell { name: "neon-only", proves: "NEON without SHA2",
        kind: on(&AARCH64, Masked("cortex-a72", HWCAP_SHA2 | HWCAP_SHA3 | HWCAP_SHA512), &WITH_NEON) },

    Cell { name: "wasm-simd128", proves: "WebAssembly's vectors", kind: on(&WASM, Own, &WITH_SIMD128) },

    Cell { name: "no-std", proves: "the hashers' core needs no standard library", kind: Kind::Build(&builds::NO_STD) },
    Cell { name: "no-features", proves: "the workspace builds without default features, and without C", kind: Kind::Build(&builds::NO_FEATURES) },
    Cell { name: "no-hashtree", proves: "all backends but hashtree's", kind: Kind::Build(&builds::NO_HASHTREE) },
    Cell { name: "target-cpu-native", proves: "detection holds where the compiler assumes features", kind: Kind::Build(&builds::TARGET_CPU_NATIVE) },
    Cell { name: "debug", proves: "overflow checks and debug assertions", kind: Kind::Build(&builds::DEBUG) },
    Cell { name: "oldest-rust", proves: "the oldest supported compiler", kind: Kind::Build(&builds::OLDEST_RUST) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_backend_is_expected_somewhere() {
        for backend in pair_hashers::backends() {
            let expected = ALL.iter().any(|row| row.backends.concat().contains(&backend.name()));
            assert!(expected, "no group has {}", backend.name());
        }
    }

    #[test]
    fn every_expectation_names_backends_and_features_that_exist() {
        for row in ALL {
            let mut names = row.backends.concat();
            for name in row.auto.iter().flat_map(|(one, many)| [one, many]) {
                assert!(names.contains(name), "auto cannot choose {name} where it does not run");
            }
            names.retain(|name| pair_hashers::find(name).is_none());
            assert!(names.is_empty(), "no backend is named {names:?}");
        }
    }

    #[test]
    fn every_expectation_says_what_auto_chooses_in_each_family() {
        for backend in pair_hashers::backends() {
            let of_family = |name: &str| name.split_once('/').unwrap().0 == backend.family().name();
            for row in ALL {
                let choices = row.auto.iter().filter(|(one, many)| of_family(one) && of_family(many));
                assert_eq!(
                    choices.count(),
                    1,
                    "{} on {} with {:?}",
                    backend.family(),
                    row.arch,
                    row.features
                );
            }
        }
    }

    #[test]
    fn cells_have_names_of_their_own() {
        let mut names: Vec<_> = CELLS.iter().map(|cell| cell.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CELLS.len());
    }
}
