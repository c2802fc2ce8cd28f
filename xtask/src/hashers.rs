//! The arguments that say which hashers take part, shared by the commands that run some.

use std::error::Error;
use std::ffi::OsString;
use std::time::Duration;

use clap::Args;
use pair_hashers::foreign::{ChildHasher, LibraryHasher, Limits, words};
use pair_hashers::testing::Check;
use pair_hashers::{Backend, Family, PairHasher};
use ssz_conformance::backends::{BackendError, Backends, CONSENSUS, built_in};
use ssz_conformance::certify::{Candidate, Place};

#[derive(Args)]
pub(crate) struct HasherArguments {
    /// The function that the hashers compute: sha256, or one whose roots are not those of consensus, keccak256 or rfc6962
    /// [default: that of the backends named, or sha256]
    #[arg(long, value_name = "FAMILY")]
    family: Option<Family>,
    /// Of the built-in backends, only this one, as in sha256/portable
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Vec<String>,
    /// None of the built-in backends
    #[arg(long, conflicts_with = "backend")]
    no_built_in: bool,
    /// A shared library's function `void f(uint8_t *out, const uint8_t *in, uint64_t count)` [default symbol: hashtree_hash]
    #[arg(long, value_name = "PATH[:SYMBOL]")]
    hasher_library: Vec<String>,
    /// A program that hashes over the protocol of hashers/PROTOCOL.md, as in "node my-hasher.mjs"
    #[arg(long, value_name = "COMMAND")]
    hasher_command: Vec<String>,
    /// Run backends and libraries in processes of their own, so that a crash is one hasher's failure
    #[arg(long)]
    isolate: bool,
    /// How many seconds a program or isolated hasher may take to answer
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().patience.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=86400))]
    hasher_timeout: u64,
}

type Failed = Box<dyn Error>;

/// A hasher that is not built in or is isolated, ready to hash.
pub(crate) enum Given {
    Here(LibraryHasher),
    Elsewhere(ChildHasher),
}

impl Given {
    fn hasher(&self) -> &dyn PairHasher {
        match self {
            Given::Here(hasher) => hasher,
            Given::Elsewhere(child) => child,
        }
    }
}

impl HasherArguments {
    /// Loads or starts what is not built in, and what is and shall be isolated.
    pub(crate) fn given(&self) -> Result<Vec<Given>, Failed> {
        let mut given = Vec::new();
        if self.isolate {
            for backend in self.built_in()?.into_iter().filter(|backend| backend.support().is_ok()) {
                given.push(Given::Elsewhere(self.isolated_backend(backend)?));
            }
        }
        for library in &self.hasher_library {
            given.push(match self.isolate {
                true => Given::Elsewhere(self.isolated_library(library)?),
                false => Given::Here(self.open(library)?),
            });
        }
        for command in &self.hasher_command {
            given.push(Given::Elsewhere(self.program(command)?));
        }
        Ok(given)
    }

    /// What was given, beside the built-in backends.
    pub(crate) fn backends<'g>(&self, given: &'g [Given]) -> Result<Backends<'g>, Failed> {
        let mut backends = Backends::none(self.family());
        for backend in self.built_in()? {
            match (backend.support(), self.isolate) {
                (Err(why), _) => backends.add_unavailable(backend.name(), why),
                // it is among those given; whether it passes its self-test is for its process to find out
                (Ok(()), true) => {}
                (Ok(()), false) => match backend.hasher() {
                    Ok(hasher) => backends.add(hasher)?,
                    Err(why) => backends.add_unavailable(backend.name(), why),
                },
            }
        }
        given.iter().try_for_each(|given| backends.add(given.hasher()))?;
        Ok(backends)
    }

    fn built_in(&self) -> Result<Vec<&'static Backend>, Failed> {
        if self.no_built_in { Ok(Vec::new()) } else { Ok(built_in(self.family(), &self.backend)?) }
    }

    /// As told, or as the name of a backend tells.
    fn family(&self) -> Family {
        let named = self.backend.first().and_then(|name| pair_hashers::find(name));
        self.family.or(named.map(Backend::family)).unwrap_or(CONSENSUS)
    }

    /// The one hasher that is named.
    pub(crate) fn subject(&self) -> Result<Subject, Failed> {
        match (&self.backend[..], &self.hasher_library[..], &self.hasher_command[..]) {
            ([name], [], []) => self.backend_subject(name),
            ([], [library], []) => {
                // its process loads it first: if that crashes, this one goes on to say so
                let child = self.isolated_library(library)?;
                let here = if self.isolate { None } else { Some(self.open(library)?) };
                Ok(Subject { child, here: here.map_or(Here::No, Here::Library) })
            }
            ([], [], [command]) => {
                let child = self.program(command)?;
                // of whatever family it says it is, unless another is asked for
                if let Some(expected) = self.family.filter(|family| *family != child.family()) {
                    let (name, family) = (child.name().to_owned(), child.family());
                    return Err(BackendError::OtherFamily { name, family, expected }.into());
                }
                Ok(Subject { child, here: Here::No })
            }
            _ => Err("expected one hasher: one of --hasher-library, --hasher-command and --backend".into()),
        }
    }

    fn backend_subject(&self, name: &str) -> Result<Subject, Failed> {
        let backend = built_in(self.family(), &[name.to_owned()])?[0];
        backend.support().map_err(|why| format!("{name} cannot run here: {why}"))?;
        let child = self.start(name, isolated(&["--backend", name])?)?;
        let here = if self.isolate { Here::No } else { Here::BuiltIn(backend.hasher()?) };
        Ok(Subject { child, here })
    }

    fn isolated_backend(&self, backend: &Backend) -> Result<ChildHasher, Failed> {
        let (family, name) = (backend.family(), backend.name());
        let short = name.strip_prefix(family.name()).and_then(|name| name.strip_prefix('/')).unwrap_or(name);
        Ok(ChildHasher::new(isolated(&["--backend", name])?, family, short, self.limits()))
    }

    fn isolated_library(&self, library: &str) -> Result<ChildHasher, Failed> {
        let family = self.family();
        self.start(library, isolated(&["--hasher-library", library, "--family", family.name()])?)
    }

    fn open(&self, library: &str) -> Result<LibraryHasher, Failed> {
        let (path, symbol) = LibraryHasher::split(library);
        Ok(LibraryHasher::open(path, symbol, self.family())?)
    }

    fn program(&self, line: &str) -> Result<ChildHasher, Failed> {
        self.start(line, words(line)?)
    }

    fn start(&self, what: &str, command: Vec<OsString>) -> Result<ChildHasher, Failed> {
        ChildHasher::start(command, self.limits()).map_err(|error| format!("{what}: {error}").into())
    }

    fn limits(&self) -> Limits {
        Limits { patience: Duration::from_secs(self.hasher_timeout), ..Limits::default() }
    }
}

/// A hasher to be certified: in a process of its own, and here as well for its speed.
pub(crate) struct Subject {
    child: ChildHasher,
    here: Here,
}

enum Here {
    No,
    BuiltIn(&'static dyn PairHasher),
    Library(LibraryHasher),
}

impl Subject {
    /// Lends the candidate that it is.
    pub(crate) fn with_candidate<T>(&self, f: impl FnOnce(&Candidate<'_>) -> T) -> T {
        let run_check = |check: &Check| self.child.check(check.name());
        let here = match &self.here {
            Here::No => None,
            Here::BuiltIn(hasher) => Some(*hasher),
            Here::Library(hasher) => Some(hasher as &dyn PairHasher),
        };
        let place = match self.child.runs_checks() {
            true => Place::Isolated { run_check: &run_check, here },
            false => Place::Elsewhere,
        };
        f(&Candidate { hasher: &self.child, place })
    }
}

/// This program, as it hashes for itself.
fn isolated(arguments: &[&str]) -> Result<Vec<OsString>, Failed> {
    let program =
        std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
    let words = ["serve"].iter().chain(arguments).map(OsString::from);
    Ok(std::iter::once(program.into()).chain(words).collect())
}
