//! Types by name: which definitions serve a release, and what a name means in a fork under a preset.
//!
//! The definitions are the files of `schemas/`, in the specification's notation: one folder a release, one file a fork.
//! A fork inherits what it does not define again, and so does a release that `releases.txt` says extends another.

mod notation;
mod releases;
mod resolve;

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, Mutex, PoisonError};

use spec_vectors::{Release, layout};

pub use self::notation::NotationError;
use self::releases::Releases;
pub use self::releases::{Progressive, Selection};
use crate::types::{Type, TypeError};

/// The embedded definitions.
static SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| {
    Schemas::read(include!(concat!(env!("OUT_DIR"), "/schemas.rs")).as_slice())
        .expect("the embedded schemas are read by a test")
});

/// Chooses the definitions for a release; `None` stands for an unknown one, which gets the newest.
pub fn select(release: Option<&Release>) -> Selection {
    SCHEMAS.releases.select(release)
}

/// The definitions of the ethereum/ssz-specs vectors, whose cases name their types: a fork there is a folder of cases.
pub fn select_ssz_specs() -> Selection {
    SCHEMAS.releases.apart(layout::SSZ_SPECS).expect("the embedded schemas are read by a test")
}

/// The type that `name` means in `fork` under `preset`.
///
/// # Errors
///
/// If the fork, the preset, the name or a name that its definition uses is unknown; if a definition is illegal; if the
/// release is one in which the type's definition is not known ([`SchemaError::Unsettled`]).
pub fn find_type(selection: &Selection, preset: &str, fork: &str, name: &str) -> Result<Type, SchemaError> {
    SCHEMAS.find_type(selection, preset, fork, name)
}

/// Reads a type written in the notation, as in `List[Checkpoint, 4]`, with the names of `fork` under `preset`.
///
/// # Errors
///
/// As [`find_type`], and where the text is not in the notation.
pub fn read_type(selection: &Selection, preset: &str, fork: &str, text: &str) -> Result<Type, SchemaError> {
    let expr = notation::read_type(text)
        .map_err(|error| SchemaError::Notation { file: format!("{text:?}"), error })?;
    SCHEMAS.scope(selection.set(), preset, fork)?.resolve(&expr)
}

/// The names of the types that can be found in `fork`, sorted.
///
/// # Errors
///
/// If the fork is unknown.
pub fn type_names(selection: &Selection, fork: &str) -> Result<Vec<String>, SchemaError> {
    SCHEMAS.scope(selection.set(), "general", fork).map(|scope| scope.names())
}

/// The forks of all sets that releases choose, each after the one that it builds on, with their old names.
pub fn fork_order() -> Vec<String> {
    let chosen = |set: &str| SCHEMAS.releases.apart(set).is_none();
    let files = || SCHEMAS.sets.iter().filter(|(name, _)| chosen(name)).flat_map(|(_, set)| &set.forks);
    let mut order: Vec<String> = Vec::new();
    let mut waiting: Vec<&String> = files().map(|(name, _)| name).collect();
    while !waiting.is_empty() {
        let ready = |name: &String, order: &[String]| {
            let mut extends =
                files().filter(|(fork, _)| *fork == name).filter_map(|(_, fork)| fork.extends.as_ref());
            extends.all(|base| order.contains(base))
        };
        let next = waiting.iter().position(|name| ready(name, &order)).unwrap_or(0);
        let next = waiting.remove(next).clone();
        if !order.contains(&next) {
            order.extend(SCHEMAS.releases.old_names(&next).map(str::to_owned));
            order.push(next);
        }
    }
    order
}

/// Why a name gives no type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// No file defines the fork.
    #[error("unknown fork {fork}: add harness/schemas/{set}/{fork}.txt (known: {known})")]
    UnknownFork {
        /// As asked for.
        fork: String,
        /// The set of definitions that was searched.
        set: String,
        /// The forks that there are.
        known: String,
    },
    /// `constants.tsv` has no column of this name.
    #[error(
        "unknown preset {0}: add a column to constants.tsv in harness/schemas (known: general, minimal, mainnet)"
    )]
    UnknownPreset(String),
    /// Neither the fork nor one before it defines the name.
    #[error("unknown type {name}: define it in harness/schemas/{set}/{fork}.txt")]
    UnknownType {
        /// As asked for, or as used in a definition.
        name: String,
        /// The fork that was searched, with those before it.
        fork: String,
        /// The set of definitions that was searched.
        set: String,
    },
    /// `constants.tsv` does not have the constant.
    #[error("unknown constant {0}: add it to constants.tsv in harness/schemas")]
    UnknownConstant(String),
    /// A type is defined by itself.
    #[error("the definition of {0} leads back to itself")]
    Circular(String),
    /// The arguments in brackets do not fit the type before them.
    #[error("{0} takes {1}")]
    Arguments(String, &'static str),
    /// The arithmetic of a length or limit leaves the 64-bit integers.
    #[error("a length or limit in {0} is out of range")]
    Arithmetic(String),
    /// The type breaks a rule.
    #[error("{name}: {error}")]
    Illegal {
        /// The type's name, or its text.
        name: String,
        /// The rule.
        error: TypeError,
    },
    /// A schema file or a type's text is not in the notation.
    #[error("{file}: {error}")]
    Notation {
        /// Below `harness/schemas`.
        file: String,
        /// The line, and what was expected.
        error: NotationError,
    },
    /// The release's definition of the type is not among those known here.
    #[error(
        "{name} of {fork} in {release} is not described here: it changed in v1.7.0-alpha.2 and again up to {settled}"
    )]
    Unsettled {
        /// The type.
        name: String,
        /// The fork.
        fork: String,
        /// The release whose vectors use it.
        release: String,
        /// The first release whose definition is not known.
        from: String,
        /// A release whose definition is known again.
        settled: String,
    },
}

/// All definitions of all sets.
struct Schemas {
    releases: Releases,
    sets: BTreeMap<String, Set>,
    /// Types that were resolved before, by set, preset, fork and name.
    found: Mutex<HashMap<[String; 4], Type>>,
}

/// The definitions of one release.
#[derive(Default)]
struct Set {
    forks: BTreeMap<String, Fork>,
    /// By name, then by preset.
    constants: HashMap<String, HashMap<String, u64>>,
}

#[derive(Default)]
struct Fork {
    extends: Option<String>,
    definitions: HashMap<String, notation::Expr>,
}

impl Schemas {
    fn read(files: &[(&str, &str)]) -> Result<Self, String> {
        let mut releases = None;
        let mut sets: BTreeMap<String, Set> = BTreeMap::new();
        for &(path, text) in files {
            let in_file = |error: &dyn std::fmt::Display| format!("harness/schemas/{path}: {error}");
            match path.split_once('/') {
                None if path == "releases.txt" => {
                    releases = Some(Releases::read(text).map_err(|error| in_file(&error))?);
                }
                Some((set, "constants.tsv")) => {
                    let constants = read_constants(text).map_err(|error| in_file(&error))?;
                    sets.entry(set.into()).or_default().constants = constants;
                }
                Some((set, fork)) if fork.ends_with(".txt") => {
                    let file = notation::read_file(text).map_err(|error| in_file(&error))?;
                    let definitions = file.definitions.into_iter().collect();
                    let fork_name = fork.trim_end_matches(".txt").to_owned();
                    let fork = Fork { extends: file.extends, definitions };
                    sets.entry(set.into()).or_default().forks.insert(fork_name, fork);
                }
                _ => return Err(in_file(&"neither releases.txt, a fork's .txt nor constants.tsv")),
            }
        }
        let releases = releases.ok_or("harness/schemas/releases.txt is missing")?;
        Ok(Self { releases, sets, found: Mutex::default() })
    }

    fn find_type(
        &self,
        selection: &Selection,
        preset: &str,
        fork: &str,
        name: &str,
    ) -> Result<Type, SchemaError> {
        let fork = self.releases.current_name(fork);
        let key = [selection.set(), preset, fork, name].map(str::to_owned);
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let ty = match found {
            Some(ty) => ty,
            None => {
                let ty = self.scope(selection.set(), preset, fork)?.resolve_name(name)?;
                self.found.lock().unwrap_or_else(PoisonError::into_inner).insert(key, ty.clone());
                ty
            }
        };
        self.check_settled(selection, preset, fork, name, &ty)?;
        Ok(ty)
    }

    /// In a release between two sets, only a type on which both agree is known.
    fn check_settled(
        &self,
        selection: &Selection,
        preset: &str,
        fork: &str,
        name: &str,
        ty: &Type,
    ) -> Result<(), SchemaError> {
        let Some(unsettled) = selection.unsettled() else { return Ok(()) };
        let scope = self.scope(selection.set(), preset, fork)?;
        if !scope.forks().contains(&unsettled.fork.as_str()) {
            return Ok(());
        }
        let older = self.releases.extended(selection.set()).and_then(|set| {
            let older_fork = if self.sets[set].forks.contains_key(fork) { fork } else { &unsettled.fork };
            self.scope(set, preset, older_fork).ok()?.resolve_name(name).ok()
        });
        if older.as_ref() == Some(ty) {
            return Ok(());
        }
        Err(SchemaError::Unsettled {
            name: name.into(),
            fork: fork.into(),
            release: selection.release().map(Release::to_string).unwrap_or_default(),
            from: unsettled.from.to_string(),
            settled: selection.set().into(),
        })
    }

    fn scope<'s>(&'s self, set: &str, preset: &str, fork: &str) -> Result<resolve::Scope<'s>, SchemaError> {
        resolve::Scope::new(self, set, preset, self.releases.current_name(fork))
    }
}

/// A table of names with a column for each preset.
fn read_constants(text: &str) -> Result<HashMap<String, HashMap<String, u64>>, String> {
    let mut lines = text.lines();
    let presets: Vec<_> = lines.next().unwrap_or_default().split('\t').skip(1).collect();
    lines
        .enumerate()
        .map(|(number, line)| {
            let mut cells = line.split('\t');
            let name = cells.next().unwrap_or_default().to_owned();
            let values: Result<Vec<u64>, _> = cells.map(str::parse).collect();
            match values {
                Ok(values) if values.len() == presets.len() => {
                    Ok((name, presets.iter().map(|&preset| preset.to_owned()).zip(values).collect()))
                }
                _ => Err(format!("line {}: expected a number for each of {presets:?}", number + 2)),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
