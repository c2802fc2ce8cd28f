//! Which hashers take part in a run.

use pair_hashers::{Backend, Family, PairHasher};

/// The hashers that take part, and those that were asked for and cannot run here.
#[derive(Default)]
pub struct Backends<'h> {
    available: Vec<&'h dyn PairHasher>,
    unavailable: Vec<(String, String)>,
}

/// A name that was asked for and that no backend has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown backend {name}: expected one of {known}")]
pub struct UnknownBackend {
    name: String,
    known: String,
}

/// A hasher with the name of another that takes part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two hashers are named {0}: expected a name of its own for each")]
pub struct NamedTwice(String);

/// A backend that has to run and cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("required backend {name} did not run: {reason}")]
pub struct RequiredBackend {
    /// As asked for.
    pub name: String,
    /// Why it cannot run.
    pub reason: String,
}

/// The built-in backends of these names; without any, all of SHA-256, the function of Ethereum's consensus.
///
/// # Errors
///
/// If there is none of some name.
pub fn built_in(names: &[String]) -> Result<Vec<&'static Backend>, UnknownBackend> {
    let all = pair_hashers::backends();
    if names.is_empty() {
        return Ok(all.iter().filter(|backend| backend.family() == Family::Sha256).collect());
    }
    let find = |name: &String| pair_hashers::find(name).ok_or_else(|| UnknownBackend::new(name, &[]));
    names.iter().map(find).collect()
}

impl UnknownBackend {
    /// No built-in backend has this name, nor one of these others.
    fn new(name: &str, others: &[&str]) -> Self {
        let mut known: Vec<&str> = pair_hashers::backends().iter().map(Backend::name).collect();
        known.extend(others);
        Self { name: name.into(), known: known.join(", ") }
    }
}

impl Backends<'static> {
    /// Every built-in backend of SHA-256, the function of Ethereum's consensus.
    pub fn all() -> Self {
        Self::of(pair_hashers::backends().iter().filter(|backend| backend.family() == Family::Sha256))
    }

    /// The built-in backends of these names.
    ///
    /// # Errors
    ///
    /// If there is none of some name.
    pub fn named(names: &[String]) -> Result<Self, UnknownBackend> {
        if names.is_empty() { Ok(Self::default()) } else { Ok(Self::of(built_in(names)?)) }
    }

    fn of(backends: impl IntoIterator<Item = &'static Backend>) -> Self {
        let mut chosen = Self::default();
        for backend in backends {
            match backend.hasher() {
                Ok(hasher) => chosen.available.push(hasher),
                Err(reason) => chosen.add_unavailable(backend.name(), reason),
            }
        }
        chosen
    }
}

impl<'h> Backends<'h> {
    /// Only these hashers.
    pub fn only(hashers: &[&'h dyn PairHasher]) -> Self {
        Self { available: hashers.to_vec(), unavailable: Vec::new() }
    }

    /// One more.
    ///
    /// # Errors
    ///
    /// If another has its name: in a report, nobody could tell them apart.
    pub fn add(&mut self, hasher: &'h dyn PairHasher) -> Result<(), NamedTwice> {
        if self.knows(hasher.name()) {
            return Err(NamedTwice(hasher.name().into()));
        }
        self.available.push(hasher);
        Ok(())
    }

    /// One more that cannot run here, for this reason.
    pub fn add_unavailable(&mut self, name: &str, reason: impl ToString) {
        self.unavailable.push((name.into(), reason.to_string()));
    }

    fn knows(&self, name: &str) -> bool {
        self.available.iter().any(|hasher| hasher.name() == name)
            || self.unavailable.iter().any(|(unavailable, _)| unavailable == name)
    }

    /// That each of these is the name of a hasher that takes part or cannot run here, or of a built-in backend.
    ///
    /// # Errors
    ///
    /// The first that is not.
    pub fn check_names(&self, names: &[String]) -> Result<(), UnknownBackend> {
        let unknown = names.iter().find(|name| !self.knows(name) && pair_hashers::find(name).is_none());
        let others = self.available.iter().map(|hasher| hasher.name());
        let others = others.filter(|name| pair_hashers::find(name).is_none()).collect::<Vec<_>>();
        unknown.map_or(Ok(()), |name| Err(UnknownBackend::new(name, &others)))
    }

    /// The hashers that take part.
    pub fn available(&self) -> &[&'h dyn PairHasher] {
        &self.available
    }

    /// Names of those that cannot run here, with the reason.
    pub fn unavailable(&self) -> &[(String, String)] {
        &self.unavailable
    }

    /// That each of these takes part.
    ///
    /// # Errors
    ///
    /// The first that does not, with the reason.
    pub fn require(&self, names: &[String]) -> Result<(), RequiredBackend> {
        let missing = names.iter().find(|name| !self.available.iter().any(|hasher| hasher.name() == *name));
        missing.map_or(Ok(()), |name| {
            let reason = self.unavailable.iter().find(|(unavailable, _)| unavailable == name);
            let reason = reason.map_or("it was not chosen for this run", |(_, reason)| reason);
            Err(RequiredBackend { name: name.clone(), reason: reason.into() })
        })
    }
}

/// The plainest backend of a family, which the others are measured by.
pub(crate) fn reference(family: Family) -> &'static dyn PairHasher {
    let name = format!("{family}/portable");
    match pair_hashers::find(&name).map(Backend::hasher) {
        Some(Ok(hasher)) => hasher,
        _ => pair_hashers::auto(family),
    }
}
