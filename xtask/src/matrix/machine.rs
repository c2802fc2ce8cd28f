//! What a cell does on one CPU: asks what is there, runs every backend's checks in a process of its own, then the hashers'
//! other tests, then all cases of the vectors on all backends, family by family.

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::build::Programs;
use crate::doctor::facts::{Facts, State};
use crate::launch::{Ending, Launcher, Ran};

/// What was found on one CPU.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Findings {
    pub(crate) facts: Option<Facts>,
    /// Checks of single backends, and tests of the hashers, that passed.
    pub(crate) tests: u64,
    pub(crate) vectors: Vectors,
    /// Everything that did not hold.
    pub(crate) failures: Vec<String>,
}

/// What came of the vectors. Each family runs every case.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Vectors {
    pub(crate) sources: Vec<String>,
    pub(crate) cases: u64,
    /// Cases that agree with the ledger of known disagreements, and cases that are left out, with a reason.
    pub(crate) known: u64,
    pub(crate) left_out: u64,
    pub(crate) roots: u64,
}

/// What came of one program's tests.
struct Tested {
    passed: u64,
    failures: Vec<String>,
    crashed: bool,
}

/// One CPU, ready to run programs.
pub(crate) struct Bench<'b> {
    pub(crate) launcher: Launcher,
    pub(crate) programs: &'b Programs,
    /// None: the embedded corpus.
    pub(crate) vectors: Option<&'b Path>,
}

impl Bench<'_> {
    pub(crate) fn run(&self) -> Findings {
        let facts = Facts::ask(&self.launcher, &self.programs.xtask);
        let mut findings = Findings { failures: facts.problems.clone(), ..Findings::default() };
        for backend in &facts.backends {
            if let State::Crashed(how) = &backend.state {
                findings.failures.push(format!("{} {how}", backend.name));
            }
        }
        let available = facts.available();
        let checked: Vec<_> = available.par_iter().map(|name| self.check(name)).collect();
        let tested: Vec<_> = self.programs.tests.par_iter().map(|program| self.test(program)).collect();
        // who crashed has been told of, and would only take the others down
        let alive = available.iter().zip(&checked).filter(|(_, checked)| !checked.crashed);
        let alive: Vec<_> = alive.map(|(name, _)| *name).collect();
        for tested in checked.into_iter().chain(tested) {
            findings.tests += tested.passed;
            findings.failures.extend(tested.failures);
        }
        for backends in alive.chunk_by(|one, next| family(one) == family(next)) {
            let (vectors, failures) = self.conform(backends);
            findings.vectors.add(vectors);
            findings.failures.extend(failures);
        }
        Findings { facts: Some(facts), ..findings }
    }

    /// All checks of one backend. If it crashes, the check that had been started last tells where.
    fn check(&self, backend: &str) -> Tested {
        let arguments = [&format!("{backend}/"), "--test-threads=1", "--format=json"];
        let ran = self.launcher.run(&self.programs.agreement, &arguments);
        let events: Vec<Value> =
            ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let of = |kind: &'static str| {
            events.iter().filter(move |event| event["event"] == kind && event["type"] == "test")
        };
        let passed = of("ok").count() as u64;
        let mut failures: Vec<_> = of("failed")
            .map(|event| {
                format!("{}: {}", event["name"], event["stdout"].as_str().unwrap_or_default().trim())
            })
            .collect();
        match (&ran.ending, of("started").next_back()) {
            (Ending::Success, _) if passed == 0 => failures.push(format!("{backend}: no check ran")),
            (Ending::Success, _) => {}
            (Ending::Status(_), _) if !failures.is_empty() => {}
            (ending, Some(last)) => failures.push(format!("{backend} {ending} in {}", last["name"])),
            (_, None) => failures.push(format!("{backend}: its checks {}", ran.last_words())),
        }
        Tested { passed, failures, crashed: matches!(ran.ending, Ending::Crash(_)) }
    }

    /// One of the hashers' other tests.
    fn test(&self, program: &Path) -> Tested {
        let ran = self.launcher.run::<&str>(program, &[]);
        let passed = passed(&ran.stdout);
        let failures = match ran.ending {
            Ending::Success if passed > 0 => Vec::new(),
            _ => vec![format!("tests of pair-hashers ({}): {}", stem(program), ran.last_words())],
        };
        Tested { passed, failures, crashed: matches!(ran.ending, Ending::Crash(_)) }
    }

    /// All cases, on all of a family's backends at once. If the process crashes, on each alone, so that the crash has a name.
    fn conform(&self, backends: &[&str]) -> (Vectors, Vec<String>) {
        let ran = self.conform_on(backends);
        match (&ran.ending, serde_json::from_str::<Value>(&ran.stdout)) {
            (Ending::Success | Ending::Status(_), Ok(report)) => {
                (Vectors::of(&report), complaints(&report, backends))
            }
            (Ending::Crash(_), _) if backends.len() > 1 => {
                let alone = backends.par_iter().map(|backend| self.conform(&[*backend]).1);
                (Vectors::default(), blame(alone.collect(), &ran))
            }
            _ => {
                let who = backends.join(", ");
                (Vectors::default(), vec![format!("{who}: the vectors: {}", ran.last_words())])
            }
        }
    }

    fn conform_on(&self, backends: &[&str]) -> Ran {
        let mut arguments = vec!["conform".to_owned(), "--format=json".to_owned()];
        arguments.extend(backends.iter().map(|name| format!("--backend={name}")));
        arguments.push(match self.vectors {
            Some(path) => format!("--vectors={}", path.display()),
            None => "--embedded".to_owned(),
        });
        self.launcher.run(&self.programs.xtask, &arguments)
    }
}

impl Vectors {
    /// What another family's backends made of the same sources.
    fn add(&mut self, other: Self) {
        self.sources = other.sources;
        self.cases += other.cases;
        self.known += other.known;
        self.left_out += other.left_out;
        self.roots += other.roots;
    }

    fn of(report: &Value) -> Self {
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
        Self {
            sources: list("sources")
                .iter()
                .map(|source| source["label"].as_str().unwrap_or("?").to_owned())
                .collect(),
            cases: number(&report["passed"]),
            known: list("known").len() as u64,
            left_out: list("left_out").iter().map(|entry| number(&entry["cases"])).sum(),
            roots: list("backends").iter().map(|backend| number(&backend["roots"])).sum(),
        }
    }
}

/// The family of a backend, which its name begins with.
fn family(backend: &str) -> &str {
    backend.split('/').next().unwrap_or_default()
}

/// What to say of a crash that took all backends down, of what each backend did alone.
fn blame(alone: Vec<Vec<String>>, together: &Ran) -> Vec<String> {
    let failed = alone.iter().filter(|failures| !failures.is_empty()).count();
    match failed {
        0 => {
            vec![format!("the vectors: no backend failed alone, but all together: {}", together.last_words())]
        }
        _ if failed == alone.len() => {
            vec![format!("the vectors: whichever backend runs: {}", together.last_words())]
        }
        _ => alone.concat(),
    }
}

/// What did not hold, of a report of `conform`.
fn complaints(report: &Value, backends: &[&str]) -> Vec<String> {
    let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
    let mut complaints = Vec::new();
    for case in list("failures") {
        complaints.push(format!("{}: {}", case["case"].as_str().unwrap_or("?"), case["failures"]));
    }
    for problem in list("problems") {
        complaints.push(problem["message"].as_str().unwrap_or("?").to_owned());
    }
    let most = list("backends").iter().filter_map(|backend| backend["cases"].as_u64()).max().unwrap_or(0);
    for name in backends {
        let rows = list("backends");
        let row = rows.iter().find(|row| row["name"] == *name);
        let cases = row.and_then(|row| row["cases"].as_u64()).unwrap_or(0);
        if cases == 0 || cases < most {
            complaints.push(format!("{name} ran {cases} of {most} cases"));
        }
    }
    complaints
}

/// How many tests the closing lines of a test program say passed, or cases those of `conform`.
pub(crate) fn passed(output: &str) -> u64 {
    let count = |before: &str| before.split_whitespace().next_back()?.parse::<u64>().ok();
    output.lines().filter_map(|line| count(line.split_once(" passed")?.0)).sum()
}

fn stem(program: &Path) -> String {
    program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_counted() {
        assert_eq!(passed("test result: ok. 12 passed; 0 failed; 1 ignored\n\n30 passed, 2 failed\n"), 42);
        assert_eq!(passed("fork  preset  passed  failed\n"), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_crash_is_blamed_on_those_who_crash_alone() {
        // stands for `conform`: runs the script with the backends among its arguments
        let vectors = |script: &str, backends: &[&str]| {
            let emulator = ["sh", "-c", script].map(Into::into).to_vec();
            let programs =
                Programs { xtask: "xtask".into(), agreement: "agreement".into(), tests: Vec::new() };
            let launcher = Launcher { emulator, environment: Vec::new() };
            Bench { launcher, programs: &programs, vectors: None }.conform(backends).1
        };
        const BAD_CRASHES: &str = r#"case "$*" in *bad*) kill -ILL $$ ;; esac
            name=${3#--backend=}; echo "{\"backends\": [{\"name\": \"$name\", \"cases\": 1}]}""#;
        let failures = vectors(BAD_CRASHES, &["good", "bad", "right"]);
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert!(failures[0].starts_with("bad: the vectors: crashed: SIGILL"), "{failures:?}");
        for (script, expected) in [
            ("kill -ILL $$", "the vectors: whichever backend runs: crashed: SIGILL"),
            (&BAD_CRASHES.replace("*bad*", "*good*right*"), "the vectors: no backend failed alone"),
        ] {
            let failures = vectors(script, &["good", "right"]);
            assert_eq!(failures.len(), 1, "{failures:?}");
            assert!(failures[0].starts_with(expected), "{failures:?}");
        }
    }

    #[test]
    fn a_report_that_lacks_a_backend_is_complained_of() {
        let report = serde_json::json!({
            "failures": [{"case": "minimal/a", "failures": ["root"]}],
            "problems": [{"message": "no folder"}],
            "backends": [{"name": "sha256/a", "cases": 9}, {"name": "sha256/b", "cases": 8}],
        });
        let expected =
            ["minimal/a: [\"root\"]", "no folder", "sha256/b ran 8 of 9 cases", "sha256/c ran 0 of 9 cases"];
        assert_eq!(complaints(&report, &["sha256/a", "sha256/b", "sha256/c"]), expected);
    }
}
