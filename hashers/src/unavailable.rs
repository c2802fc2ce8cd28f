//! Why a backend cannot run here.

use core::fmt;

use crate::cpu::{self, Feature, FeatureSet, Support};

/// Why a backend cannot run here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// Its code is for another architecture, named as Rust's `target_arch` does.
    Architecture(&'static str),
    /// This build left it out; the text says why.
    Build(&'static str),
    /// The CPU lacks these features.
    Cpu(FeatureSet),
    /// The CPU has them, but the operating system or hypervisor does not enable their registers (XCR0).
    System(FeatureSet),
    /// It computed a wrong node for a known input.
    SelfTest,
}

impl Unavailable {
    /// Checks that all of `features` are usable.
    ///
    /// # Errors
    ///
    /// [`Cpu`](Self::Cpu) before [`System`](Self::System), each with all features that it concerns.
    pub(crate) fn check(features: &[Feature]) -> Result<(), Self> {
        let having = |support| {
            features.iter().copied().filter(|&f| cpu::support(f) == support).collect::<FeatureSet>()
        };
        let (missing, disabled) = (having(Support::Missing), having(Support::Disabled));
        match (missing.is_empty(), disabled.is_empty()) {
            (false, _) => Err(Unavailable::Cpu(missing)),
            (true, false) => Err(Unavailable::System(disabled)),
            (true, true) => Ok(()),
        }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::Architecture(arch) => write!(f, "for {arch}, this is {}", cpu::ARCH),
            Unavailable::Build(why) => f.write_str(why),
            Unavailable::Cpu(features) => write!(f, "the CPU lacks {features}"),
            Unavailable::System(features) => write!(f, "the operating system does not enable {features}"),
            Unavailable::SelfTest => f.write_str("failed its self-test: it computes wrong nodes on this CPU"),
        }
    }
}

impl core::error::Error for Unavailable {}
