//! Hashers that are not Rust: a function in a shared library ([`LibraryHasher`]), or a program of any language that
//! speaks a small protocol ([`ChildHasher`]).
//!
//! Both are [`PairHasher`](crate::PairHasher)s like any other. [`serve`] is the program's side of the protocol for hashers
//! in Rust, so that one which might crash can run in a process of its own.
//!
//! The protocol is written down byte by byte in `hashers/PROTOCOL.md`.

#[cfg(feature = "child")]
mod child;
#[cfg(feature = "library")]
mod library;
#[cfg(feature = "child")]
mod protocol;
#[cfg(feature = "child")]
mod serve;

#[cfg(feature = "child")]
pub use child::{ChildError, ChildHasher, Limits, crash, words};
#[cfg(feature = "library")]
pub use library::{DEFAULT_SYMBOL, LibraryError, LibraryHasher};
#[cfg(feature = "child")]
pub use serve::serve;
