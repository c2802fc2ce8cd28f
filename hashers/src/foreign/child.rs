//! A program that hashes, in a process of its own.

mod command;
mod exit;
mod pipes;
mod process;

use std::ffi::OsString;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::process::Process;
use super::protocol::{CHECK, CHECKS, MOST_PAIRS};
use crate::{Family, Node, Pair, PairHasher};
pub use command::words;
pub use exit::crash;

/// A program that hashes over the protocol. Each thread that calls it at the same time has a process of its own.
///
/// A process that dies, takes too long or answers something else than nodes is ended, and the call fails with what
/// happened and the last lines of its standard error; the next call starts a fresh one, until [`Limits`] end that.
#[derive(Debug)]
pub struct ChildHasher {
    command: Vec<OsString>,
    name: String,
    family: Family,
    /// As its first hello said; not known of one that was not started yet.
    runs_checks: bool,
    limits: Limits,
    idle: Mutex<Vec<Process>>,
    losses: Mutex<Losses>,
}

/// What a child is allowed, so that a run ends whatever it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long the hello, the answer to a batch, or a check may take.
    pub patience: Duration,
    /// After how many failures no further process is started, and every call fails at once.
    pub failures: u32,
    /// The same for failures that used up the patience.
    pub timeouts: u32,
}

impl Default for Limits {
    /// 20 seconds, 256 failures, of which 3 may be timeouts.
    fn default() -> Self {
        Self { patience: Duration::from_secs(20), failures: 256, timeouts: 3 }
    }
}

impl ChildHasher {
    /// Starts a program, and learns its family and name from its hello.
    ///
    /// # Errors
    ///
    /// If the program cannot be started, or its first message is no hello.
    pub fn start(command: Vec<OsString>, limits: Limits) -> Result<Self, ChildError> {
        let (process, hello) = Process::start(&command, limits.patience)?;
        let mut child = Self::new(command, hello.family, &hello.name, limits);
        child.runs_checks = hello.checks;
        lock(&child.idle).push(process);
        Ok(child)
    }

    /// A program whose hello will have this family and name (without the family); it is started when it is first used.
    pub fn new(command: Vec<OsString>, family: Family, name: &str, limits: Limits) -> Self {
        Self {
            command,
            name: format!("{family}/{name}"),
            family,
            runs_checks: false,
            limits,
            idle: Mutex::default(),
            losses: Mutex::default(),
        }
    }

    /// As [`hash_pairs`](PairHasher::hash_pairs), with the child's failure as an error.
    ///
    /// # Errors
    ///
    /// What the child did instead of answering with one node for each pair. `nodes` may then hold anything.
    ///
    /// # Panics
    ///
    /// Unless the lengths are equal.
    pub fn try_hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) -> Result<(), ChildError> {
        assert_eq!(pairs.len(), nodes.len(), "hash_pairs needs one node for each pair");
        self.with_process(|process| {
            let (first, rest) = pairs.split_at(pairs.len().min(MOST_PAIRS));
            let (first_nodes, rest_nodes) = nodes.split_at_mut(first.len());
            // also if it is empty: no pairs are a batch as well
            process.hash(first, first_nodes)?;
            let batches = rest.chunks(MOST_PAIRS).zip(rest_nodes.chunks_mut(MOST_PAIRS));
            batches.into_iter().try_for_each(|(pairs, nodes)| process.hash(pairs, nodes))
        })
    }

    /// Whether the program that was started can run the checks itself: then it [`serve`](super::serve)s, in Rust.
    pub fn runs_checks(&self) -> bool {
        self.runs_checks
    }

    /// Has the child run one of the checks of the module `testing` itself, on the hasher in its own memory: only a child
    /// that [`serve`](super::serve)s can.
    ///
    /// # Errors
    ///
    /// What the check found, or how the child failed.
    pub fn check(&self, name: &str) -> Result<(), String> {
        let found = self.with_process(|process| process.check(&format!("{CHECK}{name}")));
        match found.map_err(|error| format!("{}: {name}: {error}", self.name))? {
            nothing if nothing.is_empty() => Ok(()),
            found => Err(found),
        }
    }

    /// Lends a process, an idle one or a fresh one, and ends it if the talk with it fails.
    fn with_process<T>(
        &self,
        talk: impl FnOnce(&mut Process) -> Result<T, Trouble>,
    ) -> Result<T, ChildError> {
        lock(&self.losses).allow(self.limits)?;
        // taken in a statement of its own, so that the lock is not held while a process starts
        let idle = lock(&self.idle).pop();
        let process = match idle {
            Some(process) => Ok(process),
            None => self.start_another(),
        };
        let outcome = process.and_then(|mut process| match talk(&mut process) {
            Ok(value) => {
                lock(&self.idle).push(process);
                Ok(value)
            }
            Err(trouble) => Err(process.bury(trouble)),
        });
        outcome.inspect_err(|error| lock(&self.losses).add(error))
    }

    fn start_another(&self) -> Result<Process, ChildError> {
        let (process, hello) = Process::start(&self.command, self.limits.patience)?;
        let name = format!("{}/{}", hello.family, hello.name);
        if name == self.name { Ok(process) } else { Err(process.bury(Trouble::Renamed(name))) }
    }
}

impl PairHasher for ChildHasher {
    fn name(&self) -> &str {
        &self.name
    }

    fn family(&self) -> Family {
        self.family
    }

    /// # Panics
    ///
    /// Also if the child fails: with what it did, and the last lines of its standard error.
    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        if let Err(error) = self.try_hash_pairs(pairs, nodes) {
            panic!("{error}");
        }
    }
}

/// How often a child failed.
#[derive(Debug, Default)]
struct Losses {
    failures: u32,
    timeouts: u32,
    last: String,
}

impl Losses {
    fn allow(&self, limits: Limits) -> Result<(), ChildError> {
        if self.failures < limits.failures && self.timeouts < limits.timeouts {
            return Ok(());
        }
        let (failures, last) = (self.failures, self.last.clone());
        Err(ChildError { trouble: Trouble::GivenUp { failures, last }, last_lines: Vec::new() })
    }

    fn add(&mut self, error: &ChildError) {
        self.failures += 1;
        self.timeouts += u32::from(matches!(error.trouble, Trouble::Late { .. }));
        self.last = error.trouble.to_string();
    }
}

/// A poisoned lock guards whole values all the same: each is changed in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a child did instead of hashing, and the last lines that it wrote to its standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildError {
    trouble: Trouble,
    last_lines: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Trouble {
    Unstarted { program: String, why: String },
    NoHello(String),
    Renamed(String),
    NoChecks,
    Ended { how: String, instead_of: String },
    Late { patience: Duration, to: String },
    WrongLength { got: [u8; 4], expected: usize, to: String },
    Unasked(usize),
    Unread,
    GivenUp { failures: u32, last: String },
}

impl fmt::Display for ChildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.trouble)?;
        if !self.last_lines.is_empty() {
            write!(f, "; the last lines of its stderr:")?;
        }
        self.last_lines.iter().try_for_each(|line| write!(f, "\n  | {line}"))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unstarted { program, why } => write!(f, "{program} cannot be started: {why}"),
            Self::NoHello(why) => write!(f, "the child's first message is no hello: {why}"),
            Self::Renamed(name) => {
                write!(f, "a fresh child calls itself {name}: expected the name of the first")
            }
            Self::NoChecks => write!(f, "the child runs no checks: its hello does not end with \"{CHECKS}\""),
            Self::Ended { how, instead_of } => write!(f, "the child {how} instead of {instead_of}"),
            Self::Late { patience, to } => {
                write!(f, "no answer to {to} within {} s; the child was ended", patience.as_secs_f64())
            }
            Self::WrongLength { got, expected, to } => {
                write!(
                    f,
                    "the child answered {to} with {} bytes: expected {expected}",
                    u32::from_le_bytes(*got)
                )?;
                if got.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
                    let text: String = got.iter().map(|&byte| char::from(byte)).collect();
                    write!(f, " (as text, that length is {text:?}: does something print to its stdout?)")?;
                }
                Ok(())
            }
            Self::Unasked(bytes) => {
                write!(f, "the child wrote at least {bytes} bytes more than its answer to stdout")
            }
            Self::Unread => write!(f, "the child answers without reading what it is asked"),
            Self::GivenUp { failures, last } => {
                write!(f, "given up on after {failures} failures, the last of them: {last}")
            }
        }
    }
}

impl std::error::Error for ChildError {}
