//! All backends, by name.

use crate::backend::{Code, Requires};
use crate::cpu::Feature::{Avx, Neon, Sha2, Ssse3};
use crate::sha256::{auto, avx2, avx512, foreign, hashtree, portable, shani, sse41};
use crate::{Backend, Family, PairHasher};

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
    };
    find(name)
        .and_then(|backend| backend.hasher().ok())
        .expect("each family has an auto that requires nothing")
}

#[rustfmt::skip] // a table
static BACKENDS: [Backend; 21] = {
    const fn sha256(name: &'static str, lanes: usize, requires: Requires, code: Code) -> Backend {
        Backend::new(Family::Sha256, name, lanes, requires, code)
    }
    [
        sha256("sha256/auto", 1, || &[], Ok(auto::hash_pairs)),
        sha256("sha256/portable", 1, || &[], Ok(portable::hash_pairs)),
        sha256("sha256/sse41", 4, || sse41::REQUIRES, Ok(sse41::hash_pairs)),
        sha256("sha256/avx2", 8, || avx2::REQUIRES, Ok(avx2::hash_pairs)),
        sha256("sha256/avx512", 16, || avx512::REQUIRES, Ok(avx512::hash_pairs)),
        sha256("sha256/shani", 4, || shani::REQUIRES, Ok(shani::hash_pairs)),
        sha256("sha256/shani-sse", 4, || shani::REQUIRES, Ok(shani::hash_pairs_sse)),
        sha256("sha256/shani-avx", 4, || shani::REQUIRES_AVX, Ok(shani::hash_pairs_avx)),
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
    ]
};
