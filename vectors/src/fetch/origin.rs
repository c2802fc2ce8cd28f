//! Places to fetch from, other than the official ones.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::{Archive, FetchError, Request};
use crate::Release;

/// A place that holds archives: `<place>/<release>/<archive>`, or `<place>/<archive>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The base URL of a mirror, `http://` or `https://`.
    Url(String),
    /// A folder, or one archive.
    Path(PathBuf),
}

impl FromStr for Origin {
    type Err = String;

    /// Reads a URL (`http:`, `https:` or `file:`) or a path.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("file:") {
            let path = path
                .strip_prefix("//localhost/")
                .map(|path| format!("/{path}"))
                .unwrap_or_else(|| path.strip_prefix("//").unwrap_or(path).to_owned());
            return Ok(Self::Path(percent_decoded(&path)?.into()));
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            return Ok(Self::Url(text.trim_end_matches('/').to_owned()));
        }
        match text.split_once("://") {
            Some((scheme, _)) => {
                Err(format!("{scheme}: is not supported: expected http, https, file, or a path"))
            }
            None => Ok(Self::Path(text.into())),
        }
    }
}

fn percent_decoded(text: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = (*first == b'%').then(|| tail.get(..2)).flatten();
        let decoded = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).map_err(|_| format!("{text:?} does not decode to a path in UTF-8"))
}

/// The URLs at which a mirror may have an archive.
pub(super) fn urls(base: &str, request: &Request, archive: &Archive) -> Vec<String> {
    vec![format!("{base}/{}/{}", request.release, archive.name), format!("{base}/{}", archive.name)]
}

/// An archive in a folder of archives.
pub(super) fn find(path: &Path, release: Release, archive: &str) -> Result<PathBuf, FetchError> {
    let places = match path.is_file() {
        true => vec![path.to_owned()],
        false => vec![path.join(release.to_string()).join(archive), path.join(archive)],
    };
    // One archive given by its path must be the one that is asked for.
    let found = places.iter().find(|place| place.is_file() && place.ends_with(archive));
    found.cloned().ok_or_else(|| FetchError::NotFound {
        archive: archive.to_owned(),
        tried: places.iter().map(|place| place.display().to_string()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_paths_are_told_apart() {
        let read = |text: &str| text.parse::<Origin>();
        assert_eq!(read("https://a/b/"), Ok(Origin::Url("https://a/b".into())));
        assert_eq!(read("file:///a%20b/c"), Ok(Origin::Path("/a b/c".into())));
        assert_eq!(read("file://localhost/a"), Ok(Origin::Path("/a".into())));
        assert_eq!(read("a/b"), Ok(Origin::Path("a/b".into())));
        assert!(read("ftp://a/b").is_err());
    }
}
