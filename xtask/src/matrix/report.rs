//! What came of the cells, as one table and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::ser::SerializeStruct;

use super::builds::Built;
use super::cells::{CELLS, Cell};
use super::judge::Expected;
use super::machine::{Findings, Vectors};
use crate::doctor::facts::{Facts, State};
use crate::text::{Table, wrap};

/// The cells that were asked for.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) passed: usize,
    /// Cells in which something did not hold, and cells that cannot run here.
    pub(crate) failed: usize,
    /// Cells left out by name.
    pub(crate) left_out: usize,
    pub(crate) cells: Vec<Row>,
}

/// One cell.
pub(crate) struct Row {
    pub(crate) cell: &'static Cell,
    pub(crate) outcome: Outcome,
    pub(crate) seconds: f64,
}

/// What came of one cell.
#[derive(Serialize)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Facts>,
    tests: u64,
    vectors: Vectors,
    notes: Vec<String>,
    failures: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Passed,
    Failed,
    /// Something that it needs is not here.
    CannotRun,
    LeftOut,
}

impl Outcome {
    pub(crate) fn of_machine(findings: Findings, expected: &Expected) -> Self {
        let failures = expected.judge(&findings);
        Self {
            facts: findings.facts,
            tests: findings.tests,
            vectors: findings.vectors,
            ..Self::with(failures)
        }
    }

    pub(crate) fn of_build(built: Built) -> Self {
        let vectors = Vectors { cases: built.cases, ..Vectors::default() };
        Self { tests: built.tests, vectors, notes: built.notes, ..Self::with(built.failures) }
    }

    /// A cell that cannot run here.
    pub(crate) fn missing(what: String) -> Self {
        Self { verdict: Verdict::CannotRun, ..Self::with(vec![format!("missing {what}")]) }
    }

    pub(crate) fn left_out() -> Self {
        Self { verdict: Verdict::LeftOut, ..Self::with(Vec::new()) }
    }

    fn with(failures: Vec<String>) -> Self {
        Self {
            verdict: if failures.is_empty() { Verdict::Passed } else { Verdict::Failed },
            facts: None,
            tests: 0,
            vectors: Vectors::default(),
            notes: Vec::new(),
            failures,
        }
    }
}

impl Report {
    pub(crate) fn new(cells: Vec<Row>) -> Self {
        let count = |verdict| cells.iter().filter(|row| row.outcome.verdict == verdict).count();
        Self {
            passed: count(Verdict::Passed),
            failed: count(Verdict::Failed) + count(Verdict::CannotRun),
            left_out: count(Verdict::LeftOut),
            cells,
        }
    }
}

impl Serialize for Row {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("Row", 4)?;
        row.serialize_field("cell", self.cell.name)?;
        row.serialize_field("proves", self.cell.proves)?;
        row.serialize_field("seconds", &self.seconds)?;
        row.serialize_field("outcome", &self.outcome)?;
        row.end()
    }
}

/// The cells and what they are for.
pub(crate) fn list() -> Table {
    let mut table = Table::new(&["cell", "proves"]);
    for cell in CELLS {
        table.row([cell.name.to_owned(), cell.proves.to_owned()]);
    }
    table
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} in {:.0} s", self.cell.name, self.outcome.verdict, self.seconds)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "FAILED",
            Verdict::CannotRun => "CANNOT RUN",
            Verdict::LeftOut => "left out",
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HEADER: [&str; 8] = [
            "cell",
            "features found",
            "backends that ran",
            "unavailable",
            "tests",
            "cases",
            "seconds",
            "result",
        ];
        let mut table = Table::new(&HEADER);
        self.cells.iter().for_each(|row| table.row(row.cells()));
        write!(f, "{table}")?;
        for row in &self.cells {
            row.outcome.notes(row.cell.name, f)?;
        }
        write!(f, "\n{} passed, {} failed", self.passed, self.failed)?;
        if self.left_out > 0 { write!(f, ", {} skipped", self.left_out) } else { Ok(()) }
    }
}

impl Row {
    fn cells(&self) -> [String; 8] {
        let outcome = &self.outcome;
        let [features, ran, unavailable] = match &outcome.facts {
            Some(facts) => [wrap(&facts.usable(), 16), ran(facts), unavailable(facts)],
            None => [String::new(), self.cell.proves.to_owned(), String::new()],
        };
        let [tests, cases] = [outcome.tests, outcome.vectors.cases].map(|number| number.to_string());
        let seconds = format!("{:.0}", self.seconds);
        [
            self.cell.name.to_owned(),
            features,
            ran,
            unavailable,
            tests,
            cases,
            seconds,
            outcome.verdict.to_string(),
        ]
    }
}

/// Without the family where it is the consensus one.
fn short(name: &str) -> &str {
    name.strip_prefix("sha256/").unwrap_or(name)
}

fn ran(facts: &Facts) -> String {
    let names: Vec<_> = facts.available().into_iter().map(short).collect();
    wrap(&names, 36)
}

/// By reason, in the order in which the reasons first occur; those for another architecture are only counted.
fn unavailable(facts: &Facts) -> String {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for backend in &facts.backends {
        match &backend.state {
            State::Unavailable(why) => reasons.entry(why).or_default().push(short(&backend.name)),
            State::Crashed(how) => reasons.entry(how).or_default().push(short(&backend.name)),
            State::Available => {}
        }
    }
    let lines = reasons.into_iter().map(|(why, names)| {
        let text = format!("{why}: {}", names.join(" "));
        wrap(&text.split(' ').collect::<Vec<_>>(), 48)
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Outcome {
    /// What the table has no room for.
    fn notes(&self, cell: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.vectors.known + self.vectors.left_out > 0 {
            let Vectors { known, left_out, .. } = self.vectors;
            writeln!(f, "{cell}: {known} cases disagree as known, {left_out} are not checked")?;
        }
        for note in &self.notes {
            writeln!(f, "{cell}: {note}")?;
        }
        for failure in &self.failures {
            writeln!(f, "{} {cell}: {}", self.verdict, failure.replace('\n', "\n    "))?;
        }
        Ok(())
    }
}
