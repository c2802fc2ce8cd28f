//! Version tags of releases.

use std::cmp::Ordering;
use std::fmt;
use std::path::{Component, Path};
use std::str::FromStr;

/// The version tag of a release, as in `v1.7.0-alpha.13` or `v1.6.0`.
///
/// Ordered as semantic versioning orders them: `alpha.2 < alpha.11 < beta.0 < rc.0 <` the release itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    /// First number.
    pub major: u64,
    /// Second number.
    pub minor: u64,
    /// Third number.
    pub patch: u64,
    /// Stage and number of a release that came before the one with these three numbers.
    pub pre: Option<(Stage, u64)>,
}

/// What a release is on its way to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// `-alpha.N`
    Alpha,
    /// `-beta.N`
    Beta,
    /// `-rc.N`
    Rc,
}

impl Release {
    /// The tag in the first component of `path`, from the left, that contains one.
    ///
    /// What stands around the tag is ignored: `official-v1.7.0-alpha.11` and `vectors-v1.6.0.tar.gz` both have one.
    pub fn in_path(path: &Path) -> Option<Self> {
        path.components().find_map(|component| match component {
            Component::Normal(name) => Self::in_name(&name.to_string_lossy()),
            _ => None,
        })
    }

    fn in_name(name: &str) -> Option<Self> {
        let starts = name.match_indices('v').map(|(at, _)| at);
        // `rev1.2.3` is not a tag: the `v` must begin a word.
        let mut words = starts.filter(|&at| !name[..at].ends_with(|before: char| before.is_alphanumeric()));
        words.find_map(|at| Self::at_start(&name[at..])).map(|(release, _)| release)
    }

    /// The tag that `text` starts with, and what follows it.
    fn at_start(text: &str) -> Option<(Self, &str)> {
        let (major, rest) = number(text.strip_prefix('v')?)?;
        let (minor, rest) = number(rest.strip_prefix('.')?)?;
        let (patch, rest) = number(rest.strip_prefix('.')?)?;
        let (pre, rest) = match stage(rest) {
            Some((pre, rest)) => (Some(pre), rest),
            None => (None, rest),
        };
        Some((Self { major, minor, patch, pre }, rest))
    }
}

fn stage(text: &str) -> Option<((Stage, u64), &str)> {
    let text = text.strip_prefix('-')?;
    let named = [Stage::Alpha, Stage::Beta, Stage::Rc].into_iter();
    let (stage, rest) = named.filter_map(|stage| Some((stage, text.strip_prefix(stage.word())?))).next()?;
    let (number, rest) = number(rest.strip_prefix('.')?)?;
    Some(((stage, number), rest))
}

/// The decimal number that `text` starts with: no sign, no leading zero, as in semantic versioning.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().ok()?, rest))
}

impl Stage {
    fn word(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Rc => "rc",
        }
    }
}

impl Ord for Release {
    fn cmp(&self, other: &Self) -> Ordering {
        // No stage comes after every stage.
        let key = |release: &Self| {
            (release.major, release.minor, release.patch, release.pre.is_none(), release.pre)
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Release {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}.{}.{}", self.major, self.minor, self.patch)?;
        match self.pre {
            Some((stage, number)) => write!(f, "-{}.{number}", stage.word()),
            None => Ok(()),
        }
    }
}

/// A text that is not a version tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a version tag: expected one such as v1.6.0 or v1.7.0-alpha.13")]
pub struct ParseReleaseError(String);

impl FromStr for Release {
    type Err = ParseReleaseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match Self::at_start(text) {
            Some((release, "")) => Ok(release),
            _ => Err(ParseReleaseError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Release {
        text.parse().expect(text)
    }

    #[test]
    fn tags_are_ordered_by_semantic_versioning() {
        let tags = [
            "v0.12.2",
            "v1.1.0-alpha.8",
            "v1.6.0-alpha.6",
            "v1.6.0",
            "v1.6.1",
            "v1.7.0-alpha.2",
            "v1.7.0-alpha.11",
            "v1.7.0-beta.0",
            "v1.7.0-rc.0",
            "v1.7.0",
            "v1.10.0",
        ];
        assert!(tags.windows(2).all(|pair| tag(pair[0]) < tag(pair[1])));
        assert!(tags.iter().all(|text| tag(text).to_string() == *text));
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        for text in
            ["", "1.6.0", "v1.6", "v1.6.0.tar.gz", "v1.6.0-gamma.1", "v1.6.0-alpha", "v01.6.0", "v1.6.0 "]
        {
            assert!(text.parse::<Release>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_component_with_a_tag_counts() {
        let cases = [
            ("vectors/official-v1.7.0-alpha.11/general.tar.gz", Some("v1.7.0-alpha.11")),
            ("/a/v1.6.0/b/v1.7.0", Some("v1.6.0")),
            ("ssz-test-vectors-v0.1.0.tar.gz", Some("v0.1.0")),
            ("v1.7.0-alpha.11.tar.gz", Some("v1.7.0-alpha.11")),
            ("v1.6.0-general.tar.gz", Some("v1.6.0")),
            ("rev1.2.3/v1.6/general.tar.gz", None),
        ];
        for (path, expected) in cases {
            assert_eq!(Release::in_path(Path::new(path)), expected.map(tag), "{path}");
        }
    }
}
