//! JSON vectors of ethereum/ssz-specs: recognised, counted, and left out until they can be read.
//!
//! This is where they will become cases: the walk below has every file in hand.

use std::ops::ControlFlow;
use std::path::Path;

use super::{HeldAs, Source, discover};
use crate::archive::each_entry;
use crate::walk::Walk;
use crate::{VectorError, layout};

const REASON: &str = "JSON vectors of ethereum/ssz-specs, which are not read yet";

pub(super) fn walk(source: &Source, held_as: &HeldAs, walk: &mut Walk<'_>) {
    let files = match held_as {
        HeldAs::Archive(path) => count_in_archive(path, source.label()),
        HeldAs::Directory(folder, _) => count_in_folder(folder, 0),
        HeldAs::Embedded => return,
    };
    match files {
        Ok(files) => walk.left_out_for(source.label().to_owned(), files, files, REASON),
        Err(error) => walk.problem(error),
    }
}

fn count_in_archive(path: &Path, label: &str) -> Result<u64, VectorError> {
    let mut files = 0;
    each_entry(super::archive::open(path)?, label, &mut |entry| {
        files += u64::from(!entry?.is_folder);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(files)
}

fn count_in_folder(folder: &Path, depth: usize) -> Result<u64, VectorError> {
    let mut files = 0;
    for path in discover::sorted_entries(folder)? {
        files += match path.is_dir() {
            true if depth < layout::LEVELS.len() => count_in_folder(&path, depth + 1)?,
            true => 0,
            false => 1,
        };
    }
    Ok(files)
}
