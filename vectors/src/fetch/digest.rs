//! Digests, computed and expected.

use std::fs::File;
use std::io::{self, Read};
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
    let open = || -> io::Result<(File, u64)> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok((file, len))
    };
    let (file, len) = open().map_err(|error| FetchError::io(path, error))?;
    progress.begin(Step::Verify, name, Some(len), 0);
    let digest = of_stream(file, progress);
    progress.end();
    digest.map_err(|error| FetchError::io(path, error))
}

fn of_stream(mut stream: impl Read, progress: &dyn Progress) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(len) => {
                hasher.update(&buffer[..len]);
                progress.advance(len as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
