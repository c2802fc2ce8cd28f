//! Digests, computed and expected.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{FetchError, Pin, Progress, Step};

/// The digest that an archive must have, and who says so.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    pub(super) sha256: String,
    pub(super) bytes: Option<u64>,
    pub(super) from: String,
}

impl Expected {
    pub(super) fn pinned(pin: &Pin) -> Self {
        let from = format!("pinned in releases.tsv, from: {}", pin.from);
        Self { sha256: pin.sha256.clone(), bytes: pin.bytes, from }
    }
}

/// SHA-256 of a file, in lowercase hexadecimal.
pub(super) fn of_file(path: &Path, name: &str, progress: &dyn Progress) -> Result<String, FetchError> {
    let error = |error| FetchError::io(path, error);
    let mut file = File::open(path).map_err(error)?;
    progress.begin(Step::Verify, name, Some(file.metadata().map_err(error)?.len()), 0);
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        let len = file.read(&mut buffer).map_err(error)?;
        if len == 0 {
            break;
        }
        hasher.update(&buffer[..len]);
        progress.advance(len as u64);
    }
    progress.end();
    Ok(hex(&hasher.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
