//! One file of SSZ bytes, outside of any release.

use std::fs;
use std::path::Path;

use crate::error::cannot_read;
use crate::{VectorError, snappy};

/// The bytes of a file; decompressed if its name ends in `snappy`, from one block of the raw format that releases use.
///
/// # Errors
///
/// If it cannot be read; if its block is corrupt, or claims more bytes than its size can give.
pub fn read_ssz_file(path: &Path) -> Result<Vec<u8>, VectorError> {
    let location = path.display();
    let bytes = fs::read(path)
        .map_err(|error| VectorError::in_source(&location, cannot_read(&error), "a file of SSZ bytes"))?;
    match path.extension() {
        Some(extension) if extension.to_string_lossy().ends_with("snappy") => snappy::decompress(&bytes)
            .map_err(|(found, expected)| VectorError::in_source(&location, found, expected)),
        _ => Ok(bytes),
    }
}
