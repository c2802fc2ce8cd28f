//! Paths from a value to a part of it.

use std::fmt;
use std::str::FromStr;

/// The steps from a value to one of its parts, as in `validators[3].pubkey` or `balances.__len__`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path(pub Vec<Step>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// To the field of this name.
    Field(String),
    /// To the element or bit at this position; of a union, to the option of this selector.
    Position(u64),
    /// To a mixed-in word.
    Word(Word),
}

/// A word that is hashed with the contents: the right child of a value's root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// The number of elements or bits of a list: `__len__`.
    Length,
    /// The active fields of a progressive container: `__active_fields__`.
    ActiveFields,
    /// The selector of a union: `__selector__`.
    Selector,
}

impl Word {
    const ALL: [Self; 3] = [Self::Length, Self::ActiveFields, Self::Selector];

    /// How it is written in a path.
    pub fn name(self) -> &'static str {
        match self {
            Self::Length => "__len__",
            Self::ActiveFields => "__active_fields__",
            Self::Selector => "__selector__",
        }
    }

    /// The word that is written so.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.name() == name)
    }
}

impl Path {
    /// The path to the value itself.
    pub fn whole() -> Self {
        Self::default()
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }
}

/// Without the dot that would stand before it.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Position(position) => write!(f, "[{position}]"),
            Self::Word(word) => f.write_str(word.name()),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            let dot = if at == 0 || matches!(step, Step::Position(_)) { "" } else { "." };
            write!(f, "{dot}{step}")?;
        }
        Ok(())
    }
}

/// A text that is not a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no path: at character {at}, expected {expected}, as in validators[3].pubkey")]
pub struct ParsePathError {
    text: String,
    at: usize,
    expected: &'static str,
}

impl FromStr for Path {
    type Err = ParsePathError;

    fn from_str(text: &str) -> Result<Self, ParsePathError> {
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let error = |expected| {
                let at = text.len() - rest.len();
                Err(ParsePathError { text: text.to_owned(), at, expected })
            };
            if let Some(bracket) = rest.strip_prefix('[') {
                let (position, after) = bracket.split_once(']').unwrap_or_default();
                let Some(position) = decimal(position) else { return error("[ and a position and ]") };
                steps.push(Step::Position(position));
                rest = after;
                continue;
            }
            let name = match (steps.is_empty(), rest.strip_prefix('.')) {
                (true, None) => rest,
                (false, Some(name)) => name,
                (true, Some(_)) => return error("a name or a position"),
                (false, None) => return error("a dot or a position"),
            };
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, after) = name.split_at(end);
            if name.is_empty() || name.contains(']') {
                return error("a name");
            }
            steps.push(Word::of_name(name).map_or_else(|| Step::Field(name.to_owned()), Step::Word));
            rest = after;
        }
        Ok(Self(steps))
    }
}

fn decimal(digits: &str) -> Option<u64> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        let texts =
            ["", "slot", "[3]", "validators[3].pubkey", "a[1][2].__len__", "body.x.__active_fields__"];
        for text in texts {
            assert_eq!(text.parse::<Path>().expect(text).to_string(), text);
        }
        let path: Path = "a[7].__selector__".parse().unwrap();
        let expected = [Step::Field("a".into()), Step::Position(7), Step::Word(Word::Selector)];
        assert_eq!(path.steps(), expected);
    }

    #[test]
    fn what_is_no_path_is_refused_at_its_place() {
        let refused = [
            (".a", 0),
            ("a.", 1),
            ("a..b", 1),
            ("a[", 1),
            ("a[x]", 1),
            ("a[-1]", 1),
            ("a[1]b", 4),
            ("a]", 0),
            ("a[18446744073709551616]", 1),
        ];
        for (text, at) in refused {
            let error = text.parse::<Path>().expect_err(text);
            assert_eq!(error.at, at, "{error}");
        }
    }
}
