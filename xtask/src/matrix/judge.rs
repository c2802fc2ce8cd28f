//! Whether what was found on a CPU is what its cell expects.

use std::collections::BTreeSet;

use super::cells::{self, Expectation, Expects, Machine};
use super::machine::Findings;
use crate::doctor::facts::{Facts, State, std_features};

/// What a cell expects, settled for this machine.
pub(crate) struct Expected {
    features: BTreeSet<String>,
    backends: BTreeSet<String>,
    auto: &'static [(usize, &'static str)],
}

impl Machine {
    /// # Errors
    ///
    /// If no expectation is for this CPU.
    pub(crate) fn expected(&self) -> Result<Expected, String> {
        let (expectation, features) = match self.expects {
            Expects::Stated(expectation) => (expectation, expectation.features.to_vec()),
            Expects::WhatStdFinds => {
                let found = std_features();
                (Expectation::of(&found)?, found)
            }
        };
        let backends = expectation.backends.concat().into_iter();
        let backends = backends.filter(|name| self.platform.hashtree || !cells::is_hashtrees(name));
        Ok(Expected {
            features: features.into_iter().map(str::to_owned).collect(),
            backends: backends.map(str::to_owned).collect(),
            auto: expectation.auto,
        })
    }
}

impl Expectation {
    /// The one with the most features, of those that need no feature that this CPU lacks.
    fn of(found: &[&str]) -> Result<&'static Self, String> {
        let fits = |row: &&Self| {
            row.arch == pair_hashers::cpu::ARCH && row.features.iter().all(|feature| found.contains(feature))
        };
        cells::ALL.iter().filter(fits).max_by_key(|row| row.features.len()).ok_or_else(|| {
            format!("what to expect of {} with {found:?}: a row in cells.rs", pair_hashers::cpu::ARCH)
        })
    }
}

impl Expected {
    /// Everything in which the findings differ.
    pub(crate) fn judge(&self, findings: &Findings) -> Vec<String> {
        let mut failures = findings.failures.clone();
        if let Some(facts) = &findings.facts {
            failures.extend(self.features(facts));
            failures.extend(self.backends(facts));
            failures.extend(self.auto(facts));
        }
        if findings.vectors.cases == 0 {
            failures.push("no case passed".to_owned());
        }
        failures
    }

    fn features(&self, facts: &Facts) -> Option<String> {
        // Only what the hashers know of: the standard library may know more.
        let known: Vec<_> = facts.cpu.features.iter().map(|feature| &feature.name).collect();
        let expected: Vec<_> = self.features.iter().filter(|name| known.contains(name)).collect();
        let mut found = facts.usable();
        found.sort_unstable();
        (found != expected).then(|| format!("features {found:?} were found, expected {expected:?}"))
    }

    fn backends(&self, facts: &Facts) -> Vec<String> {
        let differing = facts.backends.iter().filter_map(|backend| {
            match (&backend.state, self.backends.contains(&backend.name)) {
                (State::Available, false) => {
                    Some(format!("{} runs, which is not expected here", backend.name))
                }
                (State::Unavailable(why), true) => Some(format!("{} has to run: {why}", backend.name)),
                // a crash has been told of
                _ => None,
            }
        });
        differing.collect()
    }

    fn auto(&self, facts: &Facts) -> Vec<String> {
        let differing = self.auto.iter().filter_map(|&(pairs, expected)| {
            let choice = facts
                .auto
                .iter()
                .find(|choice| choice.pairs == pairs && expected.starts_with(&choice.family));
            let most = choice.and_then(|choice| choice.shares.iter().max_by_key(|share| share.1));
            let most = most.map_or("nothing", |share| share.0.as_str());
            (most != expected).then(|| format!("auto gives {pairs} pairs to {most}, expected {expected}"))
        });
        differing.collect()
    }
}
