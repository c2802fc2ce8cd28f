//! Many cases: all of some sources at once ([`sweep`]), or each as a test of its own ([`trials`]).

pub mod sweep;
pub mod trials;

use spec_vectors::{Source, VectorError, default_folder, fetched_releases};

/// The newest release that `cargo xtask fetch-vectors` fetched; nothing where none was.
pub fn fetched() -> Vec<Result<Source, VectorError>> {
    fetched_releases(default_folder()).pop().map(|(_, folder)| Source::open(folder)).unwrap_or_default()
}
