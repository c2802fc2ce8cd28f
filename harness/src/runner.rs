//! Many cases: all of some sources at once ([`sweep`]), or each as a test of its own ([`suite`]).

pub mod suite;
pub mod sweep;
mod trials;

use spec_vectors::{Source, VectorError, default_folder, fetched_releases};

/// The newest release that `cargo xtask fetch-vectors` fetched; nothing where none was.
pub fn fetched() -> Vec<Result<Source, VectorError>> {
    let Some((release, folder)) = fetched_releases(default_folder()).pop() else { return Vec::new() };
    // its release is the folder's name, whatever the path to the checkout says
    Source::open(folder).into_iter().map(|source| Ok(source?.with_release(release))).collect()
}
