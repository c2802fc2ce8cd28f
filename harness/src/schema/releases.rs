//! Which set of definitions serves a release: reads `schemas/releases.txt`.

use std::collections::HashMap;
use std::fmt;

use spec_vectors::Release;

/// In which order the two parts of a progressive tree's node are hashed. It changed at v1.7.0-alpha.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Progressive {
    /// `hash(rest of the spine, this level's subtree)`: releases up to v1.7.0-alpha.1.
    RestFirst,
    /// `hash(this level's subtree, rest of the spine)`: EIP-7916 as it stands.
    SubtreeFirst,
}

/// The definitions that were chosen for a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    release: Option<Release>,
    set: String,
    progressive: Progressive,
    newest: bool,
    apart: bool,
    unsettled: Option<Unsettled>,
}

impl Selection {
    /// The release that was asked for.
    pub fn release(&self) -> Option<&Release> {
        self.release.as_ref()
    }

    /// The set's name: the release whose definitions it holds.
    pub fn set(&self) -> &str {
        &self.set
    }

    /// The order of the progressive tree.
    pub fn progressive(&self) -> Progressive {
        self.progressive
    }

    /// What a report has to say of the choice, where the release is unknown, or newer than every set.
    pub fn note(&self) -> Option<String> {
        match &self.release {
            None if self.apart => None,
            None => Some(format!("no release named: checked with the definitions of {}", self.set)),
            Some(release) if self.newest => Some(format!(
                "{release} is newer than the definitions known here: checked with those of {}",
                self.set
            )),
            Some(_) => None,
        }
    }

    pub(super) fn unsettled(&self) -> Option<&Unsettled> {
        self.unsettled.as_ref()
    }
}

/// A fork that, in these releases, is neither what one set says nor what the next does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unsettled {
    pub(super) fork: String,
    pub(super) from: Release,
    to: Release,
}

/// `releases.txt`
pub(super) struct Releases {
    /// In rising order of the first release served.
    sets: Vec<SetEntry>,
    /// Sets that no release of the specification chooses.
    apart: Vec<(String, Progressive)>,
    unsettled: Vec<Unsettled>,
    aliases: HashMap<String, String>,
}

struct SetEntry {
    name: String,
    from: Release,
    extends: Option<String>,
    progressive: Progressive,
}

impl Releases {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut releases =
            Self { sets: Vec::new(), apart: Vec::new(), unsettled: Vec::new(), aliases: HashMap::new() };
        for (number, line) in text.lines().enumerate() {
            let words: Vec<_> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
            releases.read_line(&words).map_err(|error| format!("line {}: {error}", number + 1))?;
        }
        releases.sets.sort_by_key(|set| set.from);
        if releases.sets.is_empty() {
            return Err("names no set".into());
        }
        Ok(releases)
    }

    fn read_line(&mut self, words: &[&str]) -> Result<(), String> {
        let tag = |text: &str| text.parse::<Release>().map_err(|error| error.to_string());
        match words {
            [] | ["#", ..] => {}
            ["set", name, "from", from, rest @ ..] => {
                let (extends, rest) = match rest {
                    ["extends", base, rest @ ..] => (Some((*base).to_owned()), rest),
                    rest => (None, rest),
                };
                let progressive = read_progressive(rest)?;
                let name = (*name).to_owned();
                self.sets.push(SetEntry { name, from: tag(from)?, extends, progressive });
            }
            ["set", name, rest @ ..] => self.apart.push(((*name).to_owned(), read_progressive(rest)?)),
            ["unsettled", fork, "from", from, "to", to] => {
                self.unsettled.push(Unsettled { fork: (*fork).into(), from: tag(from)?, to: tag(to)? });
            }
            ["alias", old, "=", new] => {
                self.aliases.insert((*old).into(), (*new).into());
            }
            _ => return Err("expected a set, unsettled or alias line".into()),
        }
        Ok(())
    }

    pub(super) fn select(&self, release: Option<&Release>) -> Selection {
        let serving = match release {
            Some(release) => self.sets.iter().rev().find(|set| set.from <= *release).unwrap_or(&self.sets[0]),
            None => &self.sets[self.sets.len() - 1],
        };
        let newer = |release: &Release| serving.name.parse::<Release>().is_ok_and(|set| set < *release);
        let last = serving.name == self.sets[self.sets.len() - 1].name;
        let covers = |entry: &&Unsettled| release.is_some_and(|tag| entry.from <= *tag && *tag <= entry.to);
        Selection {
            release: release.cloned(),
            set: serving.name.clone(),
            progressive: serving.progressive,
            apart: false,
            newest: last && release.is_some_and(newer),
            unsettled: self.unsettled.iter().find(covers).cloned(),
        }
    }

    /// The set of this name that no release chooses.
    pub(super) fn apart(&self, name: &str) -> Option<Selection> {
        let (set, progressive) = self.apart.iter().find(|(set, _)| set == name)?.clone();
        Some(Selection { release: None, set, progressive, newest: false, apart: true, unsettled: None })
    }

    /// The set that `set` extends.
    pub(super) fn extended(&self, set: &str) -> Option<&str> {
        self.sets.iter().find(|entry| entry.name == set)?.extends.as_deref()
    }

    /// What a fork was called before.
    pub(super) fn old_names(&self, fork: &str) -> impl Iterator<Item = &str> {
        self.aliases.iter().filter(move |(_, new)| *new == fork).map(|(old, _)| old.as_str())
    }

    /// Today's name of a fork.
    pub(super) fn current_name<'n>(&'n self, fork: &'n str) -> &'n str {
        self.aliases.get(fork).map_or(fork, String::as_str)
    }
}

fn read_progressive(words: &[&str]) -> Result<Progressive, String> {
    match words {
        ["progressive", "rest-first"] => Ok(Progressive::RestFirst),
        ["progressive", "subtree-first"] => Ok(Progressive::SubtreeFirst),
        _ => Err("expected progressive rest-first or subtree-first".into()),
    }
}

impl fmt::Display for Progressive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RestFirst => "rest first",
            Self::SubtreeFirst => "subtree first",
        })
    }
}
