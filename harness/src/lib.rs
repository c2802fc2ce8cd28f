//! Checks SSZ and Merkle roots against Ethereum's consensus-spec vectors, on every hash backend.

#![forbid(unsafe_code)]

pub mod merkle;
pub mod schema;
pub mod ssz;
pub mod types;
