//! Which hashers take part in a run.

use pair_hashers::{Backend, Family, PairHasher, testing};

/// The function of Ethereum's consensus: the roots of the vectors are computed with it, and roots of another family agree
/// with nothing but each other.
pub const CONSENSUS: Family = Family::Sha256;

/// What has to be said beside every result of a family that is not of consensus.
pub fn not_consensus(family: Family) -> Option<String> {
    let reference = testing::reference(family).name();
    (family != CONSENSUS).then(|| {
        format!(
            "NOT CONSENSUS: these roots are of {family}; each was compared with that of {reference}, none with a \
             vector's, which is of {CONSENSUS}"
        )
    })
}

/// The hashers of one family that take part, and those that were asked for and cannot run here.
pub struct Backends<'h> {
    family: Family,
    available: Vec<&'h dyn PairHasher>,
    unavailable: Vec<(String, String)>,
}

/// A hasher that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// A name that no backend has.
    #[error("unknown backend {name}: expected one of {known}")]
    Unknown {
        /// As asked for.
        name: String,
        /// Names of those that there are.
        known: String,
    },
    /// In a report, nobody could tell them apart.
    #[error("two hashers are named {0}: expected a name of its own for each")]
    NamedTwice(String),
    /// Hashers of two functions have nothing to agree on.
    #[error("{name} is of {family}: expected a hasher of {expected}, as this run is (--family)")]
    OtherFamily {
        /// Of the hasher.
        name: String,
        /// What it computes.
        family: Family,
        /// What the others compute.
        expected: Family,
    },
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

/// The built-in backends of a family with these names; without any, all of the family.
///
/// # Errors
///
/// The first name that there is none of, or that of another family.
pub fn built_in(family: Family, names: &[String]) -> Result<Vec<&'static Backend>, BackendError> {
    let all = pair_hashers::backends();
    if names.is_empty() {
        return Ok(all.iter().filter(|backend| backend.family() == family).collect());
    }
    let find = |name: &String| {
        let backend = pair_hashers::find(name).ok_or_else(|| BackendError::unknown(name, &[]))?;
        check_family(name, backend.family(), family)?;
        Ok(backend)
    };
    names.iter().map(find).collect()
}

fn check_family(name: &str, family: Family, expected: Family) -> Result<(), BackendError> {
    if family == expected {
        Ok(())
    } else {
        Err(BackendError::OtherFamily { name: name.into(), family, expected })
    }
}

impl BackendError {
    /// No built-in backend has this name, nor one of these others.
    fn unknown(name: &str, others: &[&str]) -> Self {
        let mut known: Vec<&str> = pair_hashers::backends().iter().map(Backend::name).collect();
        known.extend(others);
        Self::Unknown { name: name.into(), known: known.join(", ") }
    }
}

impl Backends<'static> {
    /// Every built-in backend of a family.
    pub fn all(family: Family) -> Self {
        let mut all = Self::none(family);
        for backend in pair_hashers::backends().iter().filter(|backend| backend.family() == family) {
            match backend.hasher() {
                Ok(hasher) => all.available.push(hasher),
                Err(reason) => all.add_unavailable(backend.name(), reason),
            }
        }
        all
    }
}

impl<'h> Backends<'h> {
    /// No hasher, until some of this family are added.
    pub fn none(family: Family) -> Self {
        Self { family, available: Vec::new(), unavailable: Vec::new() }
    }

    /// Only these hashers, of the first one's family.
    ///
    /// # Errors
    ///
    /// If one is of another family, or has the name of another.
    pub fn only(hashers: &[&'h dyn PairHasher]) -> Result<Self, BackendError> {
        let mut only = Self::none(hashers.first().map_or(CONSENSUS, |hasher| hasher.family()));
        hashers.iter().try_for_each(|hasher| only.add(*hasher))?;
        Ok(only)
    }

    /// One more.
    ///
    /// # Errors
    ///
    /// If it is of another family, or has the name of another.
    pub fn add(&mut self, hasher: &'h dyn PairHasher) -> Result<(), BackendError> {
        check_family(hasher.name(), hasher.family(), self.family)?;
        if self.knows(hasher.name()) {
            return Err(BackendError::NamedTwice(hasher.name().into()));
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
    pub fn check_names(&self, names: &[String]) -> Result<(), BackendError> {
        let unknown = names.iter().find(|name| !self.knows(name) && pair_hashers::find(name).is_none());
        let others = self.available.iter().map(|hasher| hasher.name());
        let others = others.filter(|name| pair_hashers::find(name).is_none()).collect::<Vec<_>>();
        unknown.map_or(Ok(()), |name| Err(BackendError::unknown(name, &others)))
    }

    /// The function that all of them compute.
    pub fn family(&self) -> Family {
        self.family
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
