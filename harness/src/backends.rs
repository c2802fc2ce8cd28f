//! Which hashers take part in a run.

use pair_hashers::{Backend, Family, PairHasher};

/// The hashers that take part, and those that were asked for and cannot run here.
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

/// A backend that has to run and cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("required backend {name} did not run: {reason}")]
pub struct RequiredBackend {
    /// As asked for.
    pub name: String,
    /// Why it cannot run.
    pub reason: String,
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
        let find = |name: &String| {
            pair_hashers::find(name).ok_or_else(|| {
                let known: Vec<_> = pair_hashers::backends().iter().map(Backend::name).collect();
                UnknownBackend { name: name.clone(), known: known.join(", ") }
            })
        };
        Ok(Self::of(names.iter().map(find).collect::<Result<Vec<_>, _>>()?))
    }

    fn of(backends: impl IntoIterator<Item = &'static Backend>) -> Self {
        let mut chosen = Self { available: Vec::new(), unavailable: Vec::new() };
        for backend in backends {
            match backend.hasher() {
                Ok(hasher) => chosen.available.push(hasher),
                Err(reason) => chosen.unavailable.push((backend.name().into(), reason.to_string())),
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
