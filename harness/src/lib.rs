//! Checks SSZ and Merkle roots against Ethereum's consensus-spec vectors, on every hash backend.
//!
//! - [`schema`]: types by name, from the specification's own notation; [`types`]: what a type is.
//! - [`ssz`]: values, decoded strictly and encoded; [`merkle`]: roots of encoded values, in batches.
//! - [`check`]: one case to one verdict; [`ledger`]: what is known to disagree; [`backends`]: who takes part.
//! - [`explain`]: one file, one of its parts, and the part's proof.
//! - [`runner`]: many cases, as one run or as named tests; [`report`]: what came of a run.
//! - [`certify`](mod@certify): everything there is to ask of one hasher.
//! - [`rfc6962`]: the trees of Certificate Transparency, which know no SSZ: over the hashers of that family.

#![forbid(unsafe_code)]

pub mod backends;
pub mod certify;
pub mod check;
pub mod explain;
pub mod ledger;
pub mod merkle;
pub mod report;
pub mod rfc6962;
pub mod runner;
pub mod schema;
pub mod ssz;
pub mod types;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeExamples;
