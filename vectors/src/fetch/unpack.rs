//! Unpacks an archive: one thread decompresses while another writes.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::{Archive, Counted, FetchError, Progress, Step, disk};
use crate::VectorError;
use crate::archive::{Entry, each_entry, gunzip};
use crate::layout::{self, Kind};

/// The most files that an archive may hold. A whole release has less than a million.
const MAX_FILES: u64 = 8_000_000;

/// An archive may grow by this factor and this much on top. Those of a release grow less than tenfold.
const MAX_GROWTH: u64 = 100;
const MAX_EXTRA: u64 = 64 << 20;

/// How much is decompressed ahead of the writer: so many pieces of so many bytes.
const PIECES: usize = 16;
const PIECE: usize = 1 << 17;

/// How many names make a case.
const CASE: usize = 6;

/// Unpacks `archive`, the file `path`, into `folder`, and counts what is in it.
pub(super) fn unpack(
    path: &Path,
    archive: &Archive,
    folder: &Path,
    all_runners: bool,
    progress: &dyn Progress,
) -> Result<BTreeMap<String, Counted>, FetchError> {
    let file = File::open(path).map_err(|error| FetchError::io(path, error))?;
    let len = file.metadata().map_err(|error| FetchError::io(path, error))?.len();
    let mut unpack = Unpack::new(archive, folder, all_runners, len);
    progress.begin(Step::Unpack, &archive.name, Some(len), 0);
    let result = thread::scope(|scope| {
        let (sender, receiver) = sync_channel(PIECES);
        scope.spawn(move || decompress(Watched { file, progress }, &sender));
        let stream = Pieces { receiver, piece: Vec::new(), at: 0 };
        each_entry(stream, &archive.name, &mut |entry| {
            unpack.entry(entry?)?;
            Ok(ControlFlow::Continue(()))
        })
    });
    progress.end();
    result.and_then(|()| unpack.finish())
}

/// Sends what comes out of an archive, until it ends or nobody receives any more.
fn decompress(archive: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut stream = gunzip(io::BufReader::with_capacity(PIECE, archive));
    loop {
        let mut piece = vec![0; PIECE];
        let result = stream.read(&mut piece);
        let is_last = !matches!(result, Ok(1..));
        let sent = result.map(|len| {
            piece.truncate(len);
            piece
        });
        if sender.send(sent).is_err() || is_last {
            return;
        }
    }
}

/// What [`decompress`] sends.
struct Pieces {
    receiver: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    at: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            // The sender is gone after the last piece, which is empty, or after an error.
            self.piece = self.receiver.recv().unwrap_or_else(|_| Ok(Vec::new()))?;
            self.at = 0;
        }
        let len = buffer.len().min(self.piece.len() - self.at);
        buffer[..len].copy_from_slice(&self.piece[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

/// Tells how much of an archive has been read.
struct Watched<'a> {
    file: File,
    progress: &'a dyn Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read(buffer)?;
        self.progress.advance(len as u64);
        Ok(len)
    }
}

/// The unpacking of one archive.
struct Unpack<'a> {
    archive: &'a Archive,
    folder: &'a Path,
    all_runners: bool,
    counts: BTreeMap<String, Counted>,
    /// Hashes of the names of all cases so far.
    cases: HashSet<u64>,
    hasher: RandomState,
    files: u64,
    bytes: u64,
    max_bytes: u64,
    /// The folder that was written to last.
    current: PathBuf,
    buffer: Vec<u8>,
}

impl<'a> Unpack<'a> {
    fn new(archive: &'a Archive, folder: &'a Path, all_runners: bool, len: u64) -> Self {
        Self {
            archive,
            folder,
            all_runners,
            counts: BTreeMap::new(),
            cases: HashSet::new(),
            hasher: RandomState::new(),
            files: 0,
            bytes: 0,
            max_bytes: len.saturating_mul(MAX_GROWTH).saturating_add(MAX_EXTRA),
            current: PathBuf::new(),
            buffer: vec![0; PIECE],
        }
    }

    fn entry(&mut self, entry: &mut Entry<'_>) -> Result<(), FetchError> {
        if entry.is_folder {
            return Ok(());
        }
        self.check_limits(entry)?;
        let path = entry.path.clone();
        let names = self.names(&path, &entry.location)?;
        let keep = self.count(&names);
        if keep { self.write(&names, entry) } else { Ok(()) }
    }

    fn check_limits(&mut self, entry: &Entry<'_>) -> Result<(), FetchError> {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(entry.size());
        let refused = |found: String, expected: String| {
            Err(FetchError::Archive(VectorError::in_source(&entry.location, found, expected)))
        };
        if self.files > MAX_FILES {
            return refused(format!("file number {}", self.files), format!("at most {MAX_FILES}"));
        }
        if self.bytes > self.max_bytes {
            let found = format!("{} bytes so far", self.bytes);
            return refused(found, format!("at most {} from an archive of this size", self.max_bytes));
        }
        Ok(())
    }

    /// The names of an entry below the archive's root, which are of the archive's preset if it has one.
    fn names<'p>(&self, path: &'p str, location: &str) -> Result<Vec<&'p str>, FetchError> {
        let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
        let root = names.next();
        let names: Vec<&str> = names.collect();
        let is_right = root == Some(self.archive.root)
            && !names.is_empty()
            && self.archive.preset().is_none_or(|preset| names[0] == preset);
        if is_right {
            return Ok(names);
        }
        let expected = format!("everything below {}/", self.archive.place());
        Err(VectorError::in_source(location, "an entry of another place", expected).into())
    }

    /// Counts a file; true if it is to be unpacked.
    fn count(&mut self, names: &[&str]) -> bool {
        let (key, keep) = match (self.archive.preset(), names) {
            (None, [.., _]) => (names[..names.len() - 1].join("/"), true),
            (_, [_, _, runner, handler, ..]) if names.len() > CASE => {
                let is_ssz = layout::kind(runner, handler) != Kind::NotSsz;
                (names[..3].join("/"), self.all_runners || is_ssz)
            }
            // No case: for whoever walks it to judge.
            _ => (names[..names.len() - 1].join("/"), self.all_runners || !layout::is_configuration(names)),
        };
        let case = if self.archive.preset().is_some() { names.get(..CASE) } else { Some(names) };
        let is_new = case.is_some_and(|case| self.cases.insert(self.hasher.hash_one(case)));
        let counted = self.counts.entry(key).or_default();
        counted.cases += u64::from(is_new && (self.archive.preset().is_none() || names.len() > CASE));
        counted.files += 1;
        counted.left_out += u64::from(!keep);
        keep
    }

    fn write(&mut self, names: &[&str], entry: &mut Entry<'_>) -> Result<(), FetchError> {
        let mut path = self.folder.join(self.archive.root);
        path.extend(names);
        let mut file = self.create(&path, entry)?;
        let mut buffer = std::mem::take(&mut self.buffer);
        let result = entry.read_pieces(&mut buffer, |piece| {
            file.write_all(piece).map_err(|error| self.cannot_write(&path, error))
        });
        self.buffer = buffer;
        result
    }

    fn create(&mut self, path: &Path, entry: &Entry<'_>) -> Result<File, FetchError> {
        let folder = path.parent().unwrap_or(self.folder);
        if folder != self.current {
            fs::create_dir_all(folder).map_err(|error| self.cannot_write(folder, error))?;
            folder.clone_into(&mut self.current);
        }
        File::create_new(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                VectorError::in_source(&entry.location, "a second entry of this name", "one").into()
            }
            _ => self.cannot_write(path, error),
        })
    }

    fn cannot_write(&self, path: &Path, error: io::Error) -> FetchError {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => disk::full(self.folder),
            _ => FetchError::io(path, error),
        }
    }

    fn finish(self) -> Result<BTreeMap<String, Counted>, FetchError> {
        if self.counts.values().all(|counted| counted.cases == 0) {
            let expected = format!("cases below {}/", self.archive.place());
            return Err(VectorError::in_source(&self.archive.name, "no cases", expected).into());
        }
        Ok(self.counts)
    }
}
