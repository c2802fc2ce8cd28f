//! A function in a shared library, called in this process.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::{Family, Node, Pair, PairHasher};

/// The symbol that is called where none is named: hashtree's, so that its library and its replacements need none.
pub const DEFAULT_SYMBOL: &str = "hashtree_hash";

/// hashtree's signature: `void f(uint8_t *out, const uint8_t *in, uint64_t count)`.
type Function = unsafe extern "C" fn(*mut u8, *const u8, u64);

/// A function with hashtree's signature in a shared library.
///
/// `out` has room for `32 * count` bytes, `in` has `64 * count` bytes, neither is aligned in any way, they do not overlap,
/// and the function may be called from several threads at once.
#[derive(Debug)]
pub struct LibraryHasher {
    name: String,
    family: Family,
    function: Function,
    /// Keeps the function's code in memory.
    _code: Code,
}

impl LibraryHasher {
    /// Loads a library and looks up its function. The hasher is called after the file and, if it is not the default, the
    /// symbol: `sha256/libmine` or `sha256/libmine:my_hash`.
    ///
    /// # Trust
    ///
    /// This is as running a program is: what the library's code does in this process, no signature can bound, and that
    /// the symbol is a function of this signature, nothing can check. To run one that might misbehave, let a process of
    /// its own load and [`serve`](super::serve) it.
    ///
    /// # Errors
    ///
    /// If there is no such file, it is no library for this system, or it has no such symbol; on WebAssembly always.
    pub fn open(path: &Path, symbol: &str, family: Family) -> Result<Self, LibraryError> {
        let error = |what| LibraryError { path: path.into(), what };
        // a bare file name would be looked for in the system's folders
        let file = std::fs::canonicalize(path).map_err(|why| error(What::File(why.to_string())))?;
        let (function, code) = load(&file, symbol).map_err(error)?;
        Ok(Self { name: name(path, symbol, family), family, function, _code: code })
    }

    /// Splits `PATH[:SYMBOL]`; without a symbol, it is the default.
    pub fn split(text: &str) -> (&Path, &str) {
        let is_symbol = |text: &str| {
            let mut bytes = text.bytes();
            bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        match text.rsplit_once(':') {
            // one letter before the colon is a drive
            Some((path, symbol)) if path.len() > 1 && is_symbol(symbol) => (Path::new(path), symbol),
            _ => (Path::new(text), DEFAULT_SYMBOL),
        }
    }
}

#[cfg(not(target_family = "wasm"))]
type Code = libloading::Library;

#[cfg(not(target_family = "wasm"))]
fn load(file: &Path, symbol: &str) -> Result<(Function, Code), What> {
    // SAFETY: runs the library's initialisers. Whoever names a library to load vouches for them: see "Trust".
    let library = unsafe { Code::new(file) }.map_err(|why| What::Load(reason(&why)))?;
    // SAFETY: the type is what whoever names the symbol says it is: see "Trust".
    let function = unsafe { library.get::<Function>(symbol) }.map(|function| *function);
    Ok((function.map_err(|_| What::Symbol(symbol.into()))?, library))
}

#[cfg(target_family = "wasm")]
type Code = core::convert::Infallible;

#[cfg(target_family = "wasm")]
fn load(_: &Path, _: &str) -> Result<(Function, Code), What> {
    Err(What::Load("WebAssembly has none".into()))
}

/// The name of a library's hasher, which its file and symbol tell.
fn name(path: &Path, symbol: &str, family: Family) -> String {
    let stem = path.file_stem().unwrap_or(OsStr::new("library")).to_string_lossy();
    let stem = stem.replace(|c: char| c.is_whitespace() || c.is_control(), "-");
    match symbol {
        DEFAULT_SYMBOL => format!("{family}/{stem}"),
        _ => format!("{family}/{stem}:{symbol}"),
    }
}

impl PairHasher for LibraryHasher {
    fn name(&self) -> &str {
        &self.name
    }

    fn family(&self) -> Family {
        self.family
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        assert_eq!(pairs.len(), nodes.len(), "hash_pairs needs one node for each pair");
        // SAFETY: both buffers have as many bytes as the signature says of `count`; the library is loaded while `self`
        // lives. What the code does with them is whoever named it to answer for: see "Trust" at `open`.
        unsafe { (self.function)(nodes.as_mut_ptr().cast(), pairs.as_ptr().cast(), pairs.len() as u64) }
    }
}

/// A library that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryError {
    path: PathBuf,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    File(String),
    Load(String),
    Symbol(String),
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.what {
            What::File(why) => write!(f, "{path}: {why}: expected a shared library"),
            What::Load(why) => write!(f, "{path}: expected a shared library for this system: {why}"),
            What::Symbol(symbol) => write!(
                f,
                "{path} has no symbol {symbol}: expected a function void {symbol}(uint8_t *out, const uint8_t *in, \
                 uint64_t count); another is named by PATH:SYMBOL"
            ),
        }
    }
}

impl std::error::Error for LibraryError {}

/// What the system's loader says; libloading keeps that in the error's source.
#[cfg(not(target_family = "wasm"))]
fn reason(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_follows_the_last_colon() {
        for (text, path, symbol) in [
            ("libmine.so", "libmine.so", DEFAULT_SYMBOL),
            ("./libmine.so:my_hash", "./libmine.so", "my_hash"),
            ("a:b/libmine.so", "a:b/libmine.so", DEFAULT_SYMBOL),
            (r"C:\mine.dll", r"C:\mine.dll", DEFAULT_SYMBOL),
            (r"C:\mine.dll:_hash2", r"C:\mine.dll", "_hash2"),
            ("C:mine", "C:mine", DEFAULT_SYMBOL),
            ("libmine.so:", "libmine.so:", DEFAULT_SYMBOL),
        ] {
            assert_eq!(LibraryHasher::split(text), (Path::new(path), symbol), "{text}");
        }
    }

    #[cfg(not(target_family = "wasm"))] // there, nothing is
    #[test]
    fn what_is_no_library_is_named() {
        let open = |path: &Path| LibraryHasher::open(path, "f", Family::Sha256).unwrap_err().to_string();
        let missing = open(Path::new("no/such/library.so"));
        assert!(missing.starts_with("no/such/library.so: "), "{missing}");
        let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let no_library = open(&text);
        assert!(no_library.contains("expected a shared library for this system: "), "{no_library}");
    }
}
