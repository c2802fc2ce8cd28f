//! hashtree, Prysm's C and assembly: as it ships, and each of its kernels by itself.
//!
//! Its own choice never takes AVX-512 where there is SHA-NI, and looks at the CPU only; the kernels by themselves are
//! chosen by this crate's detection.

use crate::backend::{Code, on_arch};
use crate::cpu::{self, Feature, Support};

/// What `sha256/hashtree` will run here: hashtree chooses by what the CPU has, whether or not the system enables it.
pub(crate) fn requires_of_its_choice() -> &'static [Feature] {
    let has = |feature| cpu::support(feature) != Support::Missing;
    if has(Feature::Sha2) {
        &[Feature::Neon, Feature::Sha2]
    } else if has(Feature::Neon) {
        &[Feature::Neon]
    } else if has(Feature::Sha) {
        REQUIRES_SHANI
    } else if has(Feature::Avx512f) && has(Feature::Avx512vl) {
        REQUIRES_AVX512
    } else if has(Feature::Avx2) {
        REQUIRES_AVX2
    } else if has(Feature::Avx) {
        &[Feature::Avx]
    } else if has(Feature::Ssse3) {
        &[Feature::Ssse3]
    } else {
        &[]
    }
}

pub(crate) const REQUIRES_AVX2: &[Feature] = &[Feature::Avx, Feature::Avx2];
pub(crate) const REQUIRES_AVX512: &[Feature] =
    &[Feature::Avx, Feature::Avx512f, Feature::Avx512bw, Feature::Avx512vl];
pub(crate) const REQUIRES_SHANI: &[Feature] = &[Feature::Ssse3, Feature::Sse41, Feature::Sha];

// The condition of the dependency in Cargo.toml.
cfg_select! {
    all(
        feature = "hashtree",
        any(
            all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")),
            all(target_os = "macos", target_arch = "aarch64"),
        ),
    ) => {
        use hashtree_rs as _; // for its build script, which links the library

        macro_rules! code {
            ($symbol:ident) => {{
                unsafe extern "C" {
                    fn $symbol(nodes: *mut u8, pairs: *const u8, count: u64);
                }
                /// # Safety
                ///
                /// As for every kernel.
                unsafe fn run(pairs: &[crate::Pair], nodes: &mut [crate::Node]) {
                    initialise_once();
                    // SAFETY: hashtree reads `count` pairs and writes as many nodes, at any alignment. Both slices have
                    // that length, and the CPU the kernel's features, as the caller promises.
                    unsafe { $symbol(nodes.as_mut_ptr().cast(), pairs.as_ptr().cast(), pairs.len() as u64) }
                    clear_upper_halves();
                }
                Ok(run)
            }};
        }

        /// hashtree's AVX kernels leave the vector registers' upper halves dirty, and all SSE code that runs afterwards,
        /// sha2's and ring's too, at up to half its speed.
        fn clear_upper_halves() {
            #[cfg(target_arch = "x86_64")]
            if cpu::support(Feature::Avx) == Support::Usable {
                // SAFETY: the CPU has AVX.
                unsafe { core::arch::x86_64::_mm256_zeroupper() }
            }
        }

        /// hashtree chooses its kernel on its first call and keeps it in a plain static, so that two threads' first calls
        /// race. This makes the choice once before any.
        fn initialise_once() {
            static CHOSEN: std::sync::Once = std::sync::Once::new();
            unsafe extern "C" {
                fn hashtree_init(choice: Option<unsafe extern "C" fn(*mut u8, *const u8, u64)>);
            }
            // SAFETY: takes a kernel or null, for its own choice.
            CHOSEN.call_once(|| unsafe { hashtree_init(None) });
        }
    }
    _ => {
        macro_rules! code {
            ($symbol:ident) => { Err(NOT_LINKED) };
        }

        const NOT_LINKED: crate::Unavailable = crate::Unavailable::Build(if cfg!(feature = "hashtree") {
            "hashtree does not build for this target"
        } else {
            "the cargo feature `hashtree` is off"
        });
    }
}

macro_rules! kernels {
    ($($name:ident = $symbol:ident on $arch:literal;)*) => {
        $(pub(crate) const $name: Code = on_arch!($arch, code!($symbol));)*
    };
}

pub(crate) const AS_IT_SHIPS: Code = code!(hashtree_hash);
pub(crate) const GENERIC: Code = code!(hashtree_sha256_generic);

kernels! {
    SSE = hashtree_sha256_sse_x1 on "x86_64";
    AVX_X1 = hashtree_sha256_avx_x1 on "x86_64";
    AVX_X4 = hashtree_sha256_avx_x4 on "x86_64";
    AVX2 = hashtree_sha256_avx2_x8 on "x86_64";
    AVX512 = hashtree_sha256_avx512_x16 on "x86_64";
    SHANI = hashtree_sha256_shani_x2 on "x86_64";
    NEON_X1 = hashtree_sha256_neon_x1 on "aarch64";
    NEON_X4 = hashtree_sha256_neon_x4 on "aarch64";
    SHA = hashtree_sha256_sha_x1 on "aarch64";
}
