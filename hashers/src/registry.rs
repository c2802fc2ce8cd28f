//! All backends, by name.

use crate::backend::{Code, Requires, on_arch};
use crate::cpu::Feature::{Avx, Avx2, Avx512bw, Avx512f, Neon, Sha, Sha2, Sha3, Simd128, Sse41, Ssse3};
use crate::rfc6962::Interior;
use crate::sha256::*;
use crate::{Backend, Family, PairHasher, keccak256, rfc6962, sha256};

/// Every backend that the crate knows, for any CPU and any build: those that cannot run here say why.
pub fn backends() -> &'static [Backend] {
    &BACKENDS
}

/// The backend of that name, as in `sha256/avx2`.
pub fn find(name: &str) -> Option<&'static Backend> {
    BACKENDS.iter().find(|backend| backend.name() == name)
}

/// The fastest choice for this CPU, by batch size too. Always succeeds: every family has a portable backend.
pub fn auto(family: Family) -> &'static dyn PairHasher {
    let name = match family {
        Family::Sha256 => "sha256/auto",
        Family::Keccak256 => "keccak256/auto",
        Family::Rfc6962 => "rfc6962/auto",
    };
    find(name)
        .and_then(|backend| backend.hasher().ok())
        .expect("each family has an auto that requires nothing")
}

/// Which backends [`auto`] gives `n` pairs to on this CPU, each with its number of them, in the order of the pairs.
///
/// ```
/// use pair_hashers::{Family, auto_shares};
///
/// for (backend, pairs) in auto_shares(Family::Sha256, 100) {
///     println!("{pairs} of 100 pairs by {}", backend.name());
/// }
/// ```
pub fn auto_shares(family: Family, n: usize) -> impl Iterator<Item = (&'static Backend, usize)> {
    let auto = match family {
        Family::Sha256 => &sha256::auto::AUTO,
        Family::Keccak256 => &keccak256::auto::AUTO,
        Family::Rfc6962 => &rfc6962::auto::AUTO,
    };
    auto.shares(n).into_iter().filter(|&(_, pairs)| pairs > 0)
}

/// The kernel for WebAssembly, where the compiler was told that the engine has vectors.
#[cfg(target_arch = "wasm32")]
macro_rules! simd128 {
    ($message:ty) => {
        cfg_select! {
            target_feature = "simd128" => { Ok(simd128::hash_pairs::<$message>) }
            _ => { Err(crate::Unavailable::Build("built without -C target-feature=+simd128")) }
        }
    };
}

#[rustfmt::skip] // a table
pub(crate) static BACKENDS: [Backend; 42] = {
    const fn sha256(name: &'static str, lanes: usize, requires: Requires, code: Code) -> Backend {
        Backend::new(Family::Sha256, name, lanes, requires, code)
    }
    const fn keccak256(name: &'static str, lanes: usize, requires: Requires, code: Code) -> Backend {
        Backend::new(Family::Keccak256, name, lanes, requires, code)
    }
    const fn rfc6962(name: &'static str, lanes: usize, requires: Requires, code: Code) -> Backend {
        Backend::new(Family::Rfc6962, name, lanes, requires, code)
    }
    [
        sha256("sha256/auto", 1, || &[], Ok(auto::hash_pairs)),
        sha256("sha256/portable", 1, || &[], Ok(portable::hash_pairs::<Alone>)),

        sha256("sha256/sse41", 4, || &[Ssse3, Sse41], on_arch!("x86_64", Ok(sse41::hash_pairs::<Alone>))),
        sha256("sha256/avx2", 8, || &[Avx, Avx2], on_arch!("x86_64", Ok(avx2::hash_pairs::<Alone>))),
        sha256("sha256/avx512", 16, || &[Avx, Avx2, Avx512f, Avx512bw], on_arch!("x86_64", Ok(avx512::hash_pairs::<Alone>))),
        sha256("sha256/shani", 4, || &[Ssse3, Sse41, Sha], on_arch!("x86_64", Ok(shani::hash_pairs::<Alone>))),
        sha256("sha256/shani-sse", 4, || &[Ssse3, Sse41, Sha], on_arch!("x86_64", Ok(shani::hash_pairs_sse::<Alone>))),
        sha256("sha256/shani-avx", 4, || &[Ssse3, Sse41, Avx, Sha], on_arch!("x86_64", Ok(shani::hash_pairs_avx::<Alone>))),
        sha256("sha256/neon", 4, || &[Neon], on_arch!("aarch64", Ok(neon::hash_pairs::<Alone>))),
        sha256("sha256/armv8", 4, || &[Neon, Sha2], on_arch!("aarch64", Ok(armv8::hash_pairs::<Alone>))),
        sha256("sha256/simd128", 4, || &[Simd128], on_arch!("wasm32", simd128!(Alone))),

        sha256("sha256/digest", 1, || &[], foreign::DIGEST),
        sha256("sha256/compress", 1, || &[], foreign::COMPRESS),

        sha256("sha256/hashtree", 1, hashtree::requires_of_its_choice, hashtree::AS_IT_SHIPS),
        sha256("sha256/hashtree-generic", 1, || &[], hashtree::GENERIC),
        sha256("sha256/hashtree-sse", 1, || &[Ssse3], hashtree::SSE),
        sha256("sha256/hashtree-avx-x1", 1, || &[Avx], hashtree::AVX_X1),
        sha256("sha256/hashtree-avx-x4", 4, || &[Avx], hashtree::AVX_X4),
        sha256("sha256/hashtree-avx2", 8, || hashtree::REQUIRES_AVX2, hashtree::AVX2),
        sha256("sha256/hashtree-avx512", 16, || hashtree::REQUIRES_AVX512, hashtree::AVX512),
        sha256("sha256/hashtree-shani", 2, || hashtree::REQUIRES_SHANI, hashtree::SHANI),
        sha256("sha256/hashtree-neon-x1", 1, || &[Neon], hashtree::NEON_X1),
        sha256("sha256/hashtree-neon-x4", 4, || &[Neon], hashtree::NEON_X4),
        sha256("sha256/hashtree-sha", 1, || &[Neon, Sha2], hashtree::SHA),

        keccak256("keccak256/auto", 1, || &[], Ok(keccak256::auto::hash_pairs)),
        keccak256("keccak256/portable", 1, || &[], Ok(keccak256::portable::hash_pairs)),
        keccak256("keccak256/avx2", 4, || &[Avx, Avx2], on_arch!("x86_64", Ok(keccak256::avx2::hash_pairs))),
        keccak256("keccak256/avx512", 8, || &[Avx, Avx2, Avx512f], on_arch!("x86_64", Ok(keccak256::avx512::hash_pairs))),
        keccak256("keccak256/armv8", 2, || &[Neon, Sha3], on_arch!("aarch64", Ok(keccak256::armv8::hash_pairs))),
        keccak256("keccak256/reference", 1, || &[], keccak256::reference::REFERENCE),

        rfc6962("rfc6962/auto", 1, || &[], Ok(rfc6962::auto::hash_pairs)),
        rfc6962("rfc6962/portable", 1, || &[], Ok(portable::hash_pairs::<Interior>)),
        rfc6962("rfc6962/sse41", 4, || &[Ssse3, Sse41], on_arch!("x86_64", Ok(sse41::hash_pairs::<Interior>))),
        rfc6962("rfc6962/avx2", 8, || &[Avx, Avx2], on_arch!("x86_64", Ok(avx2::hash_pairs::<Interior>))),
        rfc6962("rfc6962/avx512", 16, || &[Avx, Avx2, Avx512f, Avx512bw], on_arch!("x86_64", Ok(avx512::hash_pairs::<Interior>))),
        rfc6962("rfc6962/shani", 4, || &[Ssse3, Sse41, Sha], on_arch!("x86_64", Ok(shani::hash_pairs::<Interior>))),
        rfc6962("rfc6962/shani-sse", 4, || &[Ssse3, Sse41, Sha], on_arch!("x86_64", Ok(shani::hash_pairs_sse::<Interior>))),
        rfc6962("rfc6962/shani-avx", 4, || &[Ssse3, Sse41, Avx, Sha], on_arch!("x86_64", Ok(shani::hash_pairs_avx::<Interior>))),
        rfc6962("rfc6962/neon", 4, || &[Neon], on_arch!("aarch64", Ok(neon::hash_pairs::<Interior>))),
        rfc6962("rfc6962/armv8", 4, || &[Neon, Sha2], on_arch!("aarch64", Ok(armv8::hash_pairs::<Interior>))),
        rfc6962("rfc6962/simd128", 4, || &[Simd128], on_arch!("wasm32", simd128!(Interior))),
        rfc6962("rfc6962/reference", 1, || &[], rfc6962::reference::REFERENCE),
    ]
};
