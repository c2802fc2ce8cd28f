//! Whether what was found on a CPU is what its cell expects.

use std::collections::BTreeSet;

use super::cells::{self, Expectation, Expects, MANY, Machine};
use super::machine::Findings;
use crate::doctor::facts::{Facts, State, std_features};

/// What a cell expects, settled for this machine.
pub(crate) struct Expected {
    features: BTreeSet<String>,
    backends: BTreeSet<String>,
    auto: &'static [(&'static str, &'static str)],
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
        if facts.auto.is_empty() && !facts.problems.is_empty() {
            return Vec::new(); // that it did not answer has been told of
        }
        let choices = self.auto.iter().flat_map(|(one, many)| [(1, *one), (MANY, *many)]);
        let differing = choices.filter_map(|(pairs, expected)| {
            let choice = facts
                .auto
                .iter()
                .find(|choice| choice.pairs == pairs && expected.starts_with(&format!("{}/", choice.family)));
            let most = choice.and_then(|choice| choice.shares.iter().max_by_key(|share| share.1));
            let most = most.map_or("nothing", |share| share.0.as_str());
            (most != expected).then(|| format!("auto gives {pairs} pairs to {most}, expected {expected}"))
        });
        differing.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::facts::{BackendFacts, Choice, Cpu, Feature};
    use crate::matrix::cells::{Model, WITH_AVX};
    use crate::matrix::machine::Vectors;
    use crate::matrix::platform::X86_64;

    fn expected() -> Expected {
        let expects = Expects::Stated(&WITH_AVX);
        Machine { platform: &X86_64, cpu: Model::Own, expects }.expected().unwrap()
    }

    /// What a CPU with AVX and without AVX2 has to show.
    fn right() -> Facts {
        let feature = |name: &&str| {
            let has = WITH_AVX.features.contains(name);
            Feature { name: (*name).to_owned(), present: has, usable: has, std: has }
        };
        let backend = |backend: &pair_hashers::Backend| {
            let runs = WITH_AVX.backends.concat().contains(&backend.name());
            let state = if runs { State::Available } else { State::Unavailable("no".to_owned()) };
            BackendFacts { name: backend.name().to_owned(), lanes: 1, requires: Vec::new(), state }
        };
        let choice = |(pairs, name): (usize, &str)| Choice {
            family: name.split_once('/').unwrap().0.to_owned(),
            pairs,
            shares: vec![(name.to_owned(), pairs)],
        };
        let choices = WITH_AVX.auto.iter().flat_map(|(one, many)| [(1, *one), (MANY, *many)]);
        Facts {
            cpu: Cpu {
                features: ["ssse3", "sse4.1", "avx", "avx2", "sha"].iter().map(feature).collect(),
                ..Cpu::default()
            },
            backends: pair_hashers::backends().iter().map(backend).collect(),
            auto: choices.map(choice).collect(),
            problems: Vec::new(),
        }
    }

    fn judge(spoil: impl FnOnce(&mut Facts)) -> Vec<String> {
        let mut facts = right();
        spoil(&mut facts);
        let vectors = Vectors { cases: 1, ..Vectors::default() };
        expected().judge(&Findings { facts: Some(facts), vectors, ..Findings::default() })
    }

    fn set(facts: &mut Facts, name: &str, state: State) {
        facts.backends.iter_mut().find(|backend| backend.name == name).unwrap().state = state;
    }

    #[test]
    fn what_is_expected_passes() {
        assert_eq!(judge(|_| {}), [""; 0]);
    }

    #[test]
    fn a_backend_that_does_not_run_fails_with_its_reason() {
        let failures =
            judge(|facts| set(facts, "sha256/sse41", State::Unavailable("the self-test".to_owned())));
        assert_eq!(failures, ["sha256/sse41 has to run: the self-test"]);
    }

    #[test]
    fn a_backend_that_should_not_run_fails() {
        let failures = judge(|facts| set(facts, "sha256/avx2", State::Available));
        assert_eq!(failures, ["sha256/avx2 runs, which is not expected here"]);
    }

    #[test]
    fn a_feature_too_many_or_too_few_fails() {
        let failures = judge(|facts| facts.cpu.features[2].usable = false);
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert!(failures[0].starts_with("features"), "{failures:?}");
        assert_eq!(judge(|facts| facts.cpu.features[4].usable = true).len(), 1);
    }

    #[test]
    fn another_choice_of_auto_fails() {
        let failures = judge(|facts| facts.auto[1].shares[0].0 = "sha256/portable".to_owned());
        assert_eq!(failures, ["auto gives 1024 pairs to sha256/portable, expected sha256/sse41"]);
        assert_eq!(judge(|facts| facts.auto.clear()).len(), 2 * WITH_AVX.auto.len());
        let unanswered = |facts: &mut Facts| {
            facts.auto.clear();
            facts.problems.push("the choice of auto: crashed".to_owned());
        };
        assert_eq!(judge(unanswered), [""; 0], "a problem is told of by whoever found it");
    }

    #[test]
    fn a_run_without_a_case_fails() {
        let findings = Findings { facts: Some(right()), ..Findings::default() };
        assert_eq!(expected().judge(&findings), ["no case passed"]);
    }
}
