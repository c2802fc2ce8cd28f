//! Room on the disk.

use std::path::Path;

use super::FetchError;

/// How many bytes to leave free whatever happens.
const RESERVE: u64 = 16 << 20;

/// Fails unless the disk of `folder` has room for so many more bytes.
pub(super) fn check(folder: &Path, needed: u64) -> Result<(), FetchError> {
    let free = fs4::available_space(folder).map_err(|error| FetchError::io(folder, error))?;
    let needed = needed.saturating_add(RESERVE);
    if free < needed {
        return Err(FetchError::DiskFull { folder: folder.to_owned(), free, needed });
    }
    Ok(())
}

/// About how much an archive of so many bytes takes when unpacked, small files rounded up to the disk's blocks.
pub(super) fn unpacked(archive: u64, all_runners: bool) -> u64 {
    /// Seen from 2 to 9 times, and more for small archives, which are mostly folders and small files.
    const GROWTH: u64 = 9;
    const FOLDERS: u64 = 64 << 20;
    /// The SSZ part of a preset has about 1 GiB, however large the rest of its archive is.
    const MOST_SSZ: u64 = 2 << 30;
    let all = archive.saturating_mul(GROWTH).saturating_add(FOLDERS);
    if all_runners { all } else { all.min(MOST_SSZ) }
}

/// The error of a disk that became full on the way.
pub(super) fn full(folder: &Path) -> FetchError {
    let free = fs4::available_space(folder).unwrap_or(0);
    FetchError::DiskFull { folder: folder.to_owned(), free, needed: RESERVE }
}
