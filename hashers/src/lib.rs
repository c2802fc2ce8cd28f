//! Hashes many 64-byte pairs into 32-byte nodes, nothing else.
//!
//! ```
//! use pair_hashers::{Family, auto, backends, find};
//!
//! let pairs = [[0x11; 64], [0x22; 64]];
//! let mut nodes = [[0; 32]; 2];
//! auto(Family::Sha256).hash_pairs(&pairs, &mut nodes);
//!
//! // Every backend of SHA-256 that the crate knows, also those for other CPUs.
//! for backend in backends().iter().filter(|backend| backend.family() == Family::Sha256) {
//!     match backend.hasher() {
//!         Ok(hasher) => {
//!             let mut again = [[0; 32]; 2];
//!             hasher.hash_pairs(&pairs, &mut again);
//!             assert_eq!(again, nodes);
//!         }
//!         Err(why) => println!("{}: {why}", backend.name()),
//!     }
//! }
//! assert!(find("sha256/portable").unwrap().availability().is_ok());
//! ```
//!
//! A [`Backend`] gives its hasher only where this CPU has the instructions, the operating system has enabled their
//! registers, and the kernel has passed a self-test. So every function that can be reached from safe code is sound
//! everywhere; all of the workspace's `unsafe` code is in this crate.
//!
//! # Cargo features
//!
//! - `std` (default): on aarch64, detection at run time; without it only what the compiler was told the CPU has.
//! - `sha2` (default): the backends `sha256/digest`, `sha256/compress` and `rfc6962/reference`.
//! - `sha3` (default): the backend `keccak256/reference`.
//! - `hashtree` (default): hashtree's backends. Needs a C compiler and GNU make on Linux and on macOS for aarch64,
//!   and is without effect elsewhere.
//! - `testing`: the module of that name, with the checks that every hasher must pass.
//! - `library`, `child`: in the module `foreign`, hashers in shared libraries (not on WebAssembly), and in programs of any
//!   language.
//!
//! Without any, the crate is `no_std` and plain Rust.

#![cfg_attr(not(feature = "std"), no_std)]

mod auto;
mod backend;
pub mod cpu;
#[cfg(any(feature = "child", feature = "library"))]
pub mod foreign;
mod groups;
mod keccak256;
mod registry;
mod rfc6962;
mod self_test;
mod sha256;
#[cfg(feature = "testing")]
pub mod testing;
mod unavailable;

pub use backend::Backend;
pub use registry::{auto, auto_shares, backends, find};
pub use unavailable::Unavailable;

/// Two sibling nodes, left then right.
pub type Pair = [u8; 64];

/// One node of a Merkle tree.
pub type Node = [u8; 32];

/// The hash function that a backend computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// SHA-256 of the 64 bytes of a pair: the function of Ethereum's consensus.
    Sha256,
    /// Keccak-256 of the 64 bytes of a pair, with Keccak's first padding: the function of Ethereum's execution layer, which
    /// is not FIPS 202's SHA3-256.
    Keccak256,
    /// SHA-256 of a byte 0x01 and the 64 bytes of a pair: an interior node of Certificate Transparency's trees. RFC 6962,
    /// section 2.1.
    Rfc6962,
}

impl Family {
    /// Every family.
    pub const ALL: &[Self] = &[Family::Sha256, Family::Keccak256, Family::Rfc6962];

    /// The first component of its backends' names, as in `sha256`.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Sha256 => "sha256",
            Family::Keccak256 => "keccak256",
            Family::Rfc6962 => "rfc6962",
        }
    }
}

/// Reads a family's [`name`](Family::name).
impl core::str::FromStr for Family {
    type Err = UnknownFamily;

    fn from_str(name: &str) -> Result<Self, UnknownFamily> {
        Self::ALL.iter().copied().find(|family| family.name() == name).ok_or(UnknownFamily)
    }
}

/// A name that no family has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFamily;

impl core::fmt::Display for UnknownFamily {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("there is no such family: expected one of ")?;
        Family::ALL.iter().enumerate().try_for_each(|(at, family)| {
            f.write_str(if at == 0 { "" } else { ", " })?;
            f.write_str(family.name())
        })
    }
}

impl core::error::Error for UnknownFamily {}

impl core::fmt::Display for Family {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// Computes the parent node of each pair.
pub trait PairHasher: Send + Sync {
    /// Family and implementation, as in `sha256/avx512`.
    fn name(&self) -> &str;

    /// The function that [`hash_pairs`](Self::hash_pairs) computes.
    fn family(&self) -> Family;

    /// Writes the hash of `pairs[i]` to `nodes[i]`, for any number of pairs at any alignment.
    ///
    /// # Panics
    ///
    /// Unless `pairs` and `nodes` have the same length.
    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]);
}
