//! Reads a `.tar.gz` as a stream of checked entries, with memory that does not depend on the archive.
//!
//! The path of every entry given is relative and does not climb; links, devices and entries of absurd size are refused
//! one by one. Damage of the stream itself (cut short, corrupt, data after its end) is an error of the whole.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use tar::EntryType;

use crate::VectorError;
use crate::case::MAX_PART;
use crate::error::cannot_read;

/// The longest path that an entry may have. Those of a release have less than 300 bytes.
const MAX_PATH: u64 = 4096;

/// Size of a header, and of what contents are padded to.
const BLOCK: u64 = 512;

/// A file or folder in an archive.
pub(crate) struct Entry<'a> {
    /// Its path, relative, with `/` between names.
    pub(crate) path: String,
    pub(crate) is_folder: bool,
    /// Where it is: `general.tar.gz!tests/...`.
    pub(crate) location: String,
    size: u64,
    data: &'a mut dyn Read,
}

impl Entry<'_> {
    /// How many bytes the contents have.
    #[cfg(feature = "fetch")]
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The contents.
    pub(crate) fn read(&mut self) -> Result<Vec<u8>, VectorError> {
        // The size is believed only as far as there are bytes.
        let mut bytes = Vec::with_capacity(self.size.min(1 << 16) as usize);
        let read = self.data.read_to_end(&mut bytes);
        read.map_err(|error| self.unreadable(&error))?;
        self.check_len(bytes.len() as u64)?;
        Ok(bytes)
    }

    /// Gives the contents to `give` in pieces, as many bytes at a time as `buffer` takes.
    #[cfg(feature = "fetch")]
    pub(crate) fn read_pieces<E: From<VectorError>>(
        &mut self,
        buffer: &mut [u8],
        mut give: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut total = 0;
        loop {
            let len = self.data.read(buffer).map_err(|error| self.unreadable(&error))?;
            if len == 0 {
                break;
            }
            total += len as u64;
            give(&buffer[..len])?;
        }
        Ok(self.check_len(total)?)
    }

    fn unreadable(&self, error: &io::Error) -> VectorError {
        VectorError::in_source(&self.location, cannot_read(error), "a whole gzip stream")
    }

    fn check_len(&self, len: u64) -> Result<(), VectorError> {
        if len == self.size {
            return Ok(());
        }
        let found = format!("the archive is cut short after {len} bytes of this entry");
        Err(VectorError::in_source(&self.location, found, format_args!("{} bytes", self.size)))
    }
}

/// Decompresses an archive. Like gzip itself, all of its members if it has several.
pub(crate) fn gunzip<R: Read>(archive: R) -> MultiGzDecoder<R> {
    MultiGzDecoder::new(archive)
}

/// What is read of an archive: an entry, or the reason why one was refused.
pub(crate) type Reading<'a, 'b> = Result<&'a mut Entry<'b>, VectorError>;

/// Gives each entry of the tar `stream` in turn, until one is answered by a break.
///
/// # Errors
///
/// If the stream is damaged, after the entries before that have been given; or what `give` answers.
pub(crate) fn each_entry<E: From<VectorError>>(
    stream: impl Read,
    label: &str,
    give: &mut dyn FnMut(Reading<'_, '_>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut place = Place { label, entry: String::new(), watch: Rc::default() };
    let mut tar = tar::Archive::new(Watched { inner: stream, watch: place.watch.clone() });
    let mut long_path = None;
    // Raw: extension headers are read here, within limits, and not by the tar crate, which takes any size.
    for entry in tar.entries().map_err(|error| place.damaged(&error))?.raw(true) {
        let mut entry = entry.map_err(|error| place.damaged(&error))?;
        let kind = entry.header().entry_type();
        if is_extension(kind) {
            long_path =
                extension_path(&mut entry, kind).map_err(|error| place.damaged(&error))?.or(long_path);
            continue;
        }
        let path = long_path.take().unwrap_or_else(|| entry.path_bytes().into_owned());
        let (size, location) = (entry.size(), place.move_to(&path));
        let answer = match check(&path, kind, size) {
            Err((found, expected)) => give(Err(VectorError::in_case(location, found, expected)))?,
            Ok(path) => {
                // The oldest archives tell folders by the name alone.
                let is_folder = kind.is_dir() || path.ends_with('/');
                give(Ok(&mut Entry { path, is_folder, location, size, data: &mut entry }))?
            }
        };
        if answer.is_break() {
            return Ok(());
        }
    }
    check_end(tar.into_inner(), &place.watch).map_err(|error| place.damaged(&error))?;
    Ok(())
}

/// How far an archive has been read, for messages.
struct Place<'a> {
    label: &'a str,
    /// The path of the last entry.
    entry: String,
    watch: Rc<Watch>,
}

impl Place<'_> {
    /// The location of the entry that comes now.
    fn move_to(&mut self, path: &[u8]) -> String {
        self.entry = String::from_utf8_lossy(path).into_owned();
        format!("{}!{}", self.label, self.entry)
    }

    fn damaged(&self, error: &io::Error) -> VectorError {
        let offset = self.watch.len.get();
        let after = if self.entry.is_empty() { "before any entry" } else { "after " };
        let found = format!(
            "damaged or cut short at offset {offset} of the tar stream, {after}{} ({error})",
            self.entry
        );
        VectorError::in_source(self.label, found, "a whole tar.gz archive")
    }
}

fn is_extension(kind: EntryType) -> bool {
    kind.is_gnu_longname()
        || kind.is_gnu_longlink()
        || kind.is_pax_local_extensions()
        || kind.is_pax_global_extensions()
}

/// The path that an extension header gives to the entry after it, if it does.
fn extension_path(entry: &mut tar::Entry<'_, impl Read>, kind: EntryType) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // Room for the other fields of a pax header.
    entry.take(4 * MAX_PATH).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != entry.size() {
        return Err(io::Error::other(format!("an extension header of {} bytes", entry.size())));
    }
    if kind.is_gnu_longname() {
        bytes.truncate(bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()));
        return Ok(Some(bytes));
    }
    if !kind.is_pax_local_extensions() {
        return Ok(None);
    }
    let mut path = None;
    for field in tar::PaxExtensions::new(&bytes) {
        let field = field?;
        match field.key_bytes() {
            b"path" => path = Some(field.value_bytes().to_vec()),
            b"size" => {
                return Err(io::Error::other("a pax header with a size of its own, as for over 8 GiB"));
            }
            _ => {}
        }
    }
    Ok(path)
}

/// The path of an entry that may be read. On refusal: what was found, and what was expected.
fn check(path: &[u8], kind: EntryType, size: u64) -> Result<String, (String, String)> {
    let refused = |found: String, expected: &str| Err((found, expected.to_owned()));
    let Ok(path) = std::str::from_utf8(path) else {
        return refused("the entry's path is not UTF-8".into(), "the path of a file or folder");
    };
    if path.len() as u64 > MAX_PATH {
        return refused(format!("the entry's path has {} bytes", path.len()), "a path of a release");
    }
    if path.starts_with('/') || path.contains(['\\', '\0']) || path.split('/').any(|name| name == "..") {
        return refused(
            "the entry's path leaves the archive's folder".into(),
            "a relative path without `..`",
        );
    }
    if !(kind.is_file() || kind.is_dir()) {
        return refused(format!("the entry is {}", name_of(kind)), "a file or a folder");
    }
    if size > MAX_PART {
        return refused(format!("the entry has {size} bytes"), &format!("at most {MAX_PART}"));
    }
    Ok(path.to_owned())
}

fn name_of(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Link => "a hard link",
        EntryType::Symlink => "a symbolic link",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a pipe",
        EntryType::GNUSparse => "a sparse file",
        _ => "of an unknown type",
    }
}

/// Reads what follows the last entry: zeros, at least two blocks of them. The gzip checksum is checked on the way.
fn check_end(mut stream: impl Read, watch: &Watch) -> io::Result<()> {
    let mut buffer = [0; 8192];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) if watch.zeros.get() < 2 * BLOCK => {
                return Err(io::Error::other("no end-of-archive marker"));
            }
            Ok(0) => return Ok(()),
            Ok(len) if buffer[..len].iter().any(|&byte| byte != 0) => {
                return Err(io::Error::other("data after the end-of-archive marker"));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// How many bytes have passed, and how many zeros they end with.
#[derive(Default)]
struct Watch {
    len: Cell<u64>,
    zeros: Cell<u64>,
}

/// Watches what is read.
struct Watched<R> {
    inner: R,
    watch: Rc<Watch>,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        let read = &buffer[..len];
        self.watch.len.set(self.watch.len.get() + len as u64);
        match read.iter().rposition(|&byte| byte != 0) {
            Some(last) => self.watch.zeros.set((len - 1 - last) as u64),
            None => self.watch.zeros.set(self.watch.zeros.get() + len as u64),
        }
        Ok(len)
    }
}
