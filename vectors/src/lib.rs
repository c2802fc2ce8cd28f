//! Where cases come from: releases of Ethereum's consensus-spec test vectors, read from a directory, an archive, or
//! the corpus embedded in this crate.
//!
//! All three give the same [`Case`]s, and account for everything they hold:
//!
//! ```
//! use spec_vectors::{Filter, Item, Source};
//!
//! let source = Source::embedded();
//! let filter = Filter { handlers: vec!["Checkpoint".into()], ..Filter::default() };
//! source.walk(&filter, &mut |item| match item {
//!     Item::Case(case) => {
//!         let ssz = case.read_snappy("serialized.ssz_snappy").expect("the corpus is whole");
//!         println!("{}: {} bytes", case.id, ssz.len());
//!     }
//!     Item::LeftOut(left_out) => println!("{left_out}"),
//!     Item::Problem(error) => panic!("{error}"),
//! });
//! ```
//!
//! This crate knows how a release is laid out, not what SSZ is: what the parts of a case mean is for its user to say.

#![forbid(unsafe_code)]

mod archive;
mod case;
mod case_id;
mod document;
mod error;
#[cfg(feature = "fetch")]
pub mod fetch;
mod fetched;
mod filter;
pub mod layout;
mod release;
mod snappy;
mod source;
mod ssz_file;
mod walk;

pub use case::Case;
pub use case_id::{CaseId, ParseCaseIdError};
pub use document::{Document, DocumentError, Generation};
pub use error::{Scope, VectorError};
pub use fetched::{default_folder, fetched_releases};
pub use filter::Filter;
pub use release::{ParseReleaseError, Release, Stage};
pub use source::{Form, Source};
pub use ssz_file::read_ssz_file;
pub use walk::{Item, LeftOut, Walked};
