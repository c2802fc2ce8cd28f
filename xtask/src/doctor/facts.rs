//! What a program finds out about the CPU that it runs on.
//!
//! Each fact is asked of a process of its own: a backend whose detection is wrong kills the process that tries it, and only
//! that one. So it works under an emulator too, where the processes are the emulated ones.

use std::path::Path;

use pair_hashers::cpu::{self, Support};
use pair_hashers::{Backend, Family, auto_shares, backends, find};
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::launch::{Ending, Launcher};

/// Batch sizes on both sides of where `auto` changes its ways.
const BATCHES: [usize; 12] = [1, 2, 3, 4, 8, 16, 32, 64, 256, 1024, 4096, 65536];

/// All that was found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Facts {
    pub(crate) cpu: Cpu,
    pub(crate) backends: Vec<BackendFacts>,
    pub(crate) auto: Vec<Choice>,
    /// Questions that got no answer.
    pub(crate) problems: Vec<String>,
}

/// The CPU as the hashers see it, and as the standard library does.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Cpu {
    pub(crate) arch: String,
    pub(crate) os: String,
    pub(crate) features: Vec<Feature>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Feature {
    pub(crate) name: String,
    /// The CPU says that it has it.
    pub(crate) present: bool,
    /// The operating system has enabled its registers too.
    pub(crate) usable: bool,
    /// The standard library's answer, which is found another way.
    pub(crate) std: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BackendFacts {
    pub(crate) name: String,
    pub(crate) lanes: usize,
    pub(crate) requires: Vec<String>,
    pub(crate) state: State,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Available,
    Unavailable(String),
    /// The process that was asked ended without an answer.
    Crashed(String),
}

/// Which backends `auto` gives a batch to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Choice {
    pub(crate) family: String,
    pub(crate) pairs: usize,
    pub(crate) shares: Vec<(String, usize)>,
}

impl Facts {
    /// Asks a program that answers as [`answer`] does.
    pub(crate) fn ask(launcher: &Launcher, program: &Path) -> Self {
        let mut problems = Vec::new();
        let cpu = ask(launcher, program, "cpu").unwrap_or_else(|why| {
            problems.push(format!("the CPU's features: {why}"));
            Cpu::default()
        });
        let auto = ask(launcher, program, "auto").unwrap_or_else(|why| {
            problems.push(format!("the choice of auto: {why}"));
            Vec::new()
        });
        let backends = backends().par_iter().map(|backend| {
            ask(launcher, program, backend.name()).unwrap_or_else(|why| BackendFacts::crashed(backend, why))
        });
        Self { cpu, backends: backends.collect(), auto, problems }
    }

    /// Names of the features that can be used.
    pub(crate) fn usable(&self) -> Vec<&str> {
        self.cpu
            .features
            .iter()
            .filter(|feature| feature.usable)
            .map(|feature| feature.name.as_str())
            .collect()
    }

    /// Names of the backends that can run.
    pub(crate) fn available(&self) -> Vec<&str> {
        let available = self.backends.iter().filter(|backend| backend.state == State::Available);
        available.map(|backend| backend.name.as_str()).collect()
    }
}

/// # Errors
///
/// How the process ended instead of answering.
fn ask<T: DeserializeOwned>(launcher: &Launcher, program: &Path, question: &str) -> Result<T, String> {
    let ran = launcher.run(program, &["doctor", "--ask", question]);
    match ran.ending {
        Ending::Success => {
            serde_json::from_str(&ran.stdout).map_err(|error| format!("answered {:?}: {error}", ran.stdout))
        }
        Ending::Crash(_) => Err(ran.ending.to_string()),
        _ => Err(ran.last_words()),
    }
}

/// The answer to a question of [`Facts::ask`], as JSON; none to an unknown one.
pub(crate) fn answer(question: &str) -> Option<String> {
    let answer = match question {
        "cpu" => serde_json::to_string(&Cpu::here()),
        "auto" => serde_json::to_string(&Choice::all()),
        name => serde_json::to_string(&BackendFacts::of(find(name)?)),
    };
    answer.ok()
}

impl Cpu {
    fn here() -> Self {
        let std = std_features();
        let features = cpu::features().map(|(feature, support)| Feature {
            name: feature.name().to_owned(),
            present: support != Support::Missing,
            usable: support == Support::Usable,
            std: std.contains(&feature.name()),
        });
        Self { arch: cpu::ARCH.to_owned(), os: std::env::consts::OS.to_owned(), features: features.collect() }
    }
}

impl BackendFacts {
    fn of(backend: &Backend) -> Self {
        let state = match backend.availability() {
            Ok(()) => State::Available,
            Err(why) => State::Unavailable(why.to_string()),
        };
        Self { state, ..Self::unknown(backend) }
    }

    fn crashed(backend: &Backend, why: String) -> Self {
        Self { state: State::Crashed(why), ..Self::unknown(backend) }
    }

    fn unknown(backend: &Backend) -> Self {
        Self {
            name: backend.name().to_owned(),
            lanes: backend.lanes(),
            requires: backend.requires().iter().map(|feature| feature.name().to_owned()).collect(),
            state: State::Unavailable(String::new()),
        }
    }
}

impl Choice {
    fn all() -> Vec<Self> {
        let mut families: Vec<Family> = Vec::new();
        for backend in backends() {
            if !families.contains(&backend.family()) {
                families.push(backend.family());
            }
        }
        families.into_iter().flat_map(|family| BATCHES.map(|pairs| Self::of(family, pairs))).collect()
    }

    fn of(family: Family, pairs: usize) -> Self {
        let shares = auto_shares(family, pairs).map(|(backend, pairs)| (backend.name().to_owned(), pairs));
        Self { family: family.name().to_owned(), pairs, shares: shares.collect() }
    }
}

/// The features that the standard library finds, of those that it knows on this architecture.
pub(crate) fn std_features() -> Vec<&'static str> {
    let found = cfg_select! {
        target_arch = "x86_64" => {
            [
                ("ssse3", std::arch::is_x86_feature_detected!("ssse3")),
                ("sse4.1", std::arch::is_x86_feature_detected!("sse4.1")),
                ("avx", std::arch::is_x86_feature_detected!("avx")),
                ("avx2", std::arch::is_x86_feature_detected!("avx2")),
                ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
                ("avx512bw", std::arch::is_x86_feature_detected!("avx512bw")),
                ("avx512vl", std::arch::is_x86_feature_detected!("avx512vl")),
                ("sha", std::arch::is_x86_feature_detected!("sha")),
            ]
        }
        target_arch = "aarch64" => {
            [
                ("neon", std::arch::is_aarch64_feature_detected!("neon")),
                ("sha2", std::arch::is_aarch64_feature_detected!("sha2")),
                ("sha3", std::arch::is_aarch64_feature_detected!("sha3")),
            ]
        }
        _ => { [("simd128", cfg!(target_feature = "simd128"))] }
    };
    found.into_iter().filter(|(_, found)| *found).map(|(name, _)| name).collect()
}
