//! Finds releases that were fetched.

use std::path::{Path, PathBuf};

use crate::Release;

/// The name of the file that says what was fetched of a release; it is there once the release is whole.
pub(crate) const RECEIPT: &str = "receipt.json";

/// The folder that releases are fetched into unless another is named: `fetched` beside this crate's manifest.
pub fn default_folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fetched"))
}

/// The finished releases of ethereum/consensus-specs in a folder, oldest first, each with its own folder.
///
/// A folder that does not exist holds none.
pub fn fetched_releases(folder: &Path) -> Vec<(Release, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut releases: Vec<_> = entries
        .filter_map(|entry| {
            let release = entry.file_name().to_str()?.parse().ok()?;
            entry.path().join(RECEIPT).is_file().then(|| (release, entry.path()))
        })
        .collect();
    releases.sort();
    releases
}
