//! How a release is laid out: `tests/<preset>/<fork>/<runner>/<handler>/<suite>/<case>/<part>`.
//!
//! Source: the test formats of ethereum/consensus-specs, and the runners of its generators in the releases from
//! v1.0.0 to v1.7.0-alpha.13.

/// The presets of a release, one archive each.
pub const PRESETS: [&str; 3] = ["general", "minimal", "mainnet"];

/// The form of a path below `tests/`, for messages.
pub(crate) const PATH: &str = "tests/<preset>/<fork>/<runner>/<handler>/<suite>/<case>/<part>";

/// The first name of the ids of ssz-specs cases, where those of consensus-specs have the preset.
pub const SSZ_SPECS: &str = "ssz-specs";

/// The form of an ssz-specs path, for messages.
pub(crate) const FIXTURE_PATH: &str = "fixtures/<format>/<kind>/<valid or invalid>/<case>.json";

/// What the levels below `tests/` are called, outermost first.
pub(crate) const LEVELS: [&str; 7] = ["preset", "fork", "runner", "handler", "suite", "case", "part"];

/// What a runner's cases hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Encoded objects with their roots or Merkle proofs: what this project checks.
    Ssz,
    /// Something else, known: accounted for, not checked.
    NotSsz,
    /// Nothing that this version knows of. Its cases must not pass for checked.
    Unknown,
}

/// What the cases of this runner and handler hold.
pub fn kind(runner: &str, handler: &str) -> Kind {
    match runner {
        "ssz_static" | "ssz_generic" => Kind::Ssz,
        "light_client" | "merkle_proof" if handler == "single_merkle_proof" => Kind::Ssz,
        "light_client" if LIGHT_CLIENT_NOT_SSZ.contains(&handler) => Kind::NotSsz,
        _ if NOT_SSZ.contains(&runner) => Kind::NotSsz,
        _ => Kind::Unknown,
    }
}

/// Runners whose cases, for every handler, test something other than SSZ.
const NOT_SSZ: [&str; 25] = [
    "bls",
    "confirmation_rule",
    "epoch_processing",
    "fast_confirmation",
    "finality",
    "fork",
    "fork_choice",
    "forks",
    "genesis",
    "kzg",
    "kzg_4844",
    "kzg_7594",
    // v1.1.0 to v1.2.0: a whole state with one proof, before `light_client/single_merkle_proof`.
    "merkle",
    "networking",
    "operations",
    "random",
    "rewards",
    "sanity",
    "shuffling",
    "state_transition",
    "sync",
    "sync_protocol",
    "transition",
    // Extensions that the specification tested for a while.
    "custody_game",
    "eip8025",
];

/// Handlers of `light_client` that test its protocol.
const LIGHT_CLIENT_NOT_SSZ: [&str; 3] = ["data_collection", "sync", "update_ranking"];

/// How what is left out of this runner and handler is called: the handler counts only where another one is SSZ.
pub(crate) fn left_out_name(runner: &str, handler: &str) -> String {
    match runner {
        "light_client" => format!("{runner}/{handler}"),
        _ => runner.to_owned(),
    }
}

/// Whether the folder with these names below `tests/` holds a preset's configuration, as in releases up to v1.1.
pub(crate) fn is_configuration(names: &[impl AsRef<str>]) -> bool {
    names.get(1).is_some_and(|fork| fork.as_ref() == "config")
}

/// The names below `tests/` of an entry's path, and whether there is such a folder in it.
pub(crate) fn below_tests(path: &str) -> Option<Vec<&str>> {
    let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    names.find(|name| *name == "tests")?;
    Some(names.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_told_apart() {
        assert_eq!(kind("ssz_static", "AnyType"), Kind::Ssz);
        assert_eq!(kind("ssz_generic", "uints"), Kind::Ssz);
        assert_eq!(kind("light_client", "single_merkle_proof"), Kind::Ssz);
        assert_eq!(kind("merkle_proof", "single_merkle_proof"), Kind::Ssz);
        assert_eq!(kind("light_client", "sync"), Kind::NotSsz);
        assert_eq!(kind("bls", "sign"), Kind::NotSsz);
        // A new handler beside a known one is not taken for it.
        assert_eq!(kind("light_client", "multiproof"), Kind::Unknown);
        assert_eq!(kind("merkle_proof", "multiproof"), Kind::Unknown);
        assert_eq!(kind("ssz_dynamic", "uints"), Kind::Unknown);
    }
}
