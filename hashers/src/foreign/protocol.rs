//! The messages of the protocol, as `hashers/PROTOCOL.md` describes them.

use std::fmt;
use std::str::FromStr;

use crate::Family;

/// The first word of a hello.
pub(super) const VERSION: &str = "pair-hasher/1";

/// The longest hello.
pub(super) const LONGEST_HELLO: usize = 256;

/// The most pairs in a batch: 64 MiB.
pub(super) const MOST_PAIRS: usize = 1 << 20;

/// What a request to run a check begins with; the check's name follows. Only for children whose hello ends with
/// [`CHECKS`]. Its length is never one of pairs: see the test.
pub(super) const CHECK: &str = "check ";

/// The last word of the hello of a child that runs checks.
pub(super) const CHECKS: &str = "checks";

/// The first message of a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) family: Family,
    /// Without the family.
    pub(super) name: String,
    /// Whether it can run checks itself.
    pub(super) checks: bool,
}

impl fmt::Display for Hello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VERSION} {} {}", self.family, self.name)?;
        if self.checks { write!(f, " {CHECKS}") } else { Ok(()) }
    }
}

impl FromStr for Hello {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = |what: &str| format!("{text:?}: expected {what}");
        let words: Vec<_> = text.split(' ').collect();
        let (version, family, name, checks) = match words[..] {
            [version, family, name] => (version, family, name, false),
            [version, family, name, CHECKS] => (version, family, name, true),
            _ => return Err(expected(&format!("three words, as in \"{VERSION} sha256 mine\""))),
        };
        if version != VERSION {
            return Err(expected(&format!("{VERSION} as the first word")));
        }
        let family = family.parse().map_err(|error| format!("{text:?}: as the second word, {error}"))?;
        if name.is_empty() || name.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(expected("a name of printable characters as the third word"));
        }
        Ok(Self { family, name: name.into(), checks })
    }
}

/// A payload behind its length.
pub(super) fn frame(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("payloads are at most 64 MiB");
    [&length.to_le_bytes(), payload].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hellos_are_read_as_written() {
        for checks in [false, true] {
            let hello = Hello { family: Family::Sha256, name: "libmine.so:f".into(), checks };
            assert_eq!(hello.to_string().parse(), Ok(hello));
        }
    }

    #[test]
    fn a_malformed_hello_says_what_was_expected() {
        for (text, expected) in [
            ("", "three words"),
            ("hello", "three words"),
            ("pair-hasher/1 sha256 two names", "three words"),
            ("pair-hasher/2 sha256 mine", "pair-hasher/1 as the first word"),
            (
                "pair-hasher/1 md5 mine",
                "as the second word, there is no such family: expected one of sha256, ",
            ),
            ("pair-hasher/1 sha256 ", "a name of printable characters"),
            ("pair-hasher/1 sha256 a\nb", "a name of printable characters"),
        ] {
            let error = text.parse::<Hello>().unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    #[cfg(feature = "testing")]
    fn a_check_is_never_taken_for_pairs() {
        for check in crate::testing::checks() {
            assert_ne!((CHECK.len() + check.name().len()) % size_of::<crate::Pair>(), 0, "{}", check.name());
        }
    }
}
