//! Makes small releases, whole and broken.

// Each test target uses some of these.
#![allow(dead_code)]

#[cfg(feature = "fetch")]
pub(crate) mod server;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use spec_vectors::{Case, Filter, Item, LeftOut, Source, VectorError, Walked};
use tar::{EntryType, Header};

/// A folder of one test, gone when the test ends.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file at a path below the folder.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, bytes).expect("a file");
        path
    }

    /// Writes each file of a release.
    pub(crate) fn write_all<'a>(&self, files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> &Path {
        for (path, bytes) in files {
            self.write(path, bytes);
        }
        self.path()
    }
}

/// The files of a release of two cases to check and one to leave out.
pub(crate) fn small_release() -> Vec<(&'static str, &'static [u8])> {
    vec![
        ("tests/general/phase0/bls/sign/bls/sign_case_1/data.yaml", b"input: 1\n"),
        ("tests/minimal/electra/ssz_static/Fork/ssz_random/case_0/roots.yaml", b"root: '0x00'\n"),
        ("tests/minimal/electra/ssz_static/Fork/ssz_random/case_0/serialized.ssz_snappy", b"\x03\x08abc"),
        ("tests/minimal/electra/ssz_static/Fork/ssz_random/case_1/roots.yaml", b"root: '0x01'\n"),
        ("tests/minimal/electra/ssz_static/Fork/ssz_random/case_1/serialized.ssz_snappy", b"\x03\x08abd"),
    ]
}

/// Builds a tar.gz entry by entry, also such as no archiver would write.
pub(crate) struct Archive(Vec<u8>);

impl Archive {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        files.into_iter().fold(Self::new(), |archive, (path, bytes)| archive.file(path, bytes))
    }

    pub(crate) fn file(self, path: &str, bytes: &[u8]) -> Self {
        self.entry(EntryType::Regular, path, bytes.len() as u64, bytes)
    }

    /// An entry whose header says `size`, whatever its contents have.
    pub(crate) fn entry(mut self, kind: EntryType, path: &str, size: u64, bytes: &[u8]) -> Self {
        let mut header = Header::new_ustar();
        let name = &mut header.as_ustar_mut().expect("a ustar header").name;
        if path.len() <= name.len() {
            name[..path.len()].copy_from_slice(path.as_bytes());
        } else {
            header.set_path(path).expect("a path of usual length");
        }
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(size);
        header.set_cksum();
        self.0.extend_from_slice(header.as_bytes());
        self.0.extend_from_slice(bytes);
        self.0.resize(self.0.len().next_multiple_of(512), 0);
        self
    }

    /// The tar, with its end marker.
    pub(crate) fn tar(mut self) -> Vec<u8> {
        self.0.resize(self.0.len() + 1024, 0);
        self.0
    }

    pub(crate) fn gz(self) -> Vec<u8> {
        gzip(&self.tar())
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// All that a walk gave.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) cases: Vec<Case>,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) problems: Vec<VectorError>,
    pub(crate) walked: Walked,
}

pub(crate) fn walk(source: &Source, filter: &Filter) -> Given {
    let mut given = Given::default();
    let walked = source.walk(filter, &mut |item| match item {
        Item::Case(case) => given.cases.push(case),
        Item::LeftOut(left_out) => given.left_out.push(left_out),
        Item::Problem(error) => given.problems.push(error),
    });
    Given { walked, ..given }
}

/// The one source that `path` stands for.
pub(crate) fn open(path: &Path) -> Result<Source, VectorError> {
    let mut sources = Source::open(path);
    assert_eq!(sources.len(), 1, "{sources:?}");
    sources.pop().expect("one")
}

pub(crate) fn walk_path(path: &Path) -> Given {
    walk(&open(path).expect("a source"), &Filter::default())
}
