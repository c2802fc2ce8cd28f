//! A report for people: tables, then what failed, then one line of counts.

use std::fmt;

use super::Report;
use crate::backends::not_consensus;
use crate::check::Work;

/// At most this many failed cases are written out; the JSON form has all.
const SHOWN_FAILURES: usize = 100;

/// At most this many notes on cases that passed.
const SHOWN_NOTES: usize = 20;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not_consensus = not_consensus(self.family);
        if let Some(remark) = &not_consensus {
            writeln!(f, "{remark}")?;
        }
        self.sources(f)?;
        self.forks(f)?;
        self.backends(f)?;
        self.times(f)?;
        self.left_out(f)?;
        self.failures(f)?;
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        match not_consensus {
            Some(_) => write!(f, " ({}, NOT CONSENSUS)", self.family),
            None => Ok(()),
        }
    }
}

impl Report {
    fn sources(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for source in &self.sources {
            let release = source.release.as_deref().unwrap_or("no release");
            write!(f, "{} ({release})", source.label)?;
            match &source.note {
                Some(note) => writeln!(f, ": {note}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }

    fn forks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.forks.iter().map(|row| {
            [&row.fork, &row.preset]
                .map(String::clone)
                .into_iter()
                .chain([row.passed, row.failed, row.known, row.left_out].map(|number| number.to_string()))
                .collect()
        });
        table(f, &["fork", "preset", "passed", "failed", "known", "left out"], 2, rows.collect())
    }

    fn backends(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.backends.iter().map(|backend| {
            let Work { cases, roots, seconds } = backend.work;
            let work = match backend.available {
                true => [cases.to_string(), roots.to_string(), format!("{seconds:.2}")],
                false => ["-", "-", "-"].map(str::to_owned),
            };
            let reason = backend.reason.clone().unwrap_or_default();
            [vec![backend.name.clone()], work.to_vec(), vec![reason]].concat()
        });
        table(f, &["backend", "cases", "roots", "seconds", "unavailable because"], 1, rows.collect())
    }

    fn times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hashing = self.backends.iter().map(|backend| backend.work.seconds).sum();
        let rows = self.seconds.rows().into_iter().chain([("computing roots", hashing)]);
        let rows = rows.map(|(what, seconds)| vec![what.to_owned(), format!("{seconds:.2}")]);
        table(f, &["time of all threads", "seconds"], 1, rows.collect())
    }

    fn left_out(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self
            .left_out
            .iter()
            .map(|entry| vec![entry.what.clone(), entry.cases.to_string(), entry.reason.clone()]);
        table(f, &["left out", "cases", "because"], 1, rows.collect())?;
        let rows = self
            .not_compared
            .iter()
            .map(|entry| vec![entry.what.clone(), entry.count.to_string(), entry.reason.clone()]);
        table(f, &["not compared: the vector's", "times", "because"], 1, rows.collect())?;
        let rows = self.known.iter().map(|known| vec![known.case.clone(), known.reason.clone()]);
        table(f, &["known disagreement", "because"], 2, rows.collect())?;
        let rows = self.notes.iter().take(SHOWN_NOTES).map(|note| vec![note.case.clone(), note.note.clone()]);
        table(f, &["passed", "but note that"], 2, rows.collect())?;
        if self.notes.len() > SHOWN_NOTES {
            writeln!(f, "and {} more such notes", self.notes.len() - SHOWN_NOTES)?;
        }
        if self.filtered > 0 {
            writeln!(f, "\n{} cases were not asked for", self.filtered)?;
        }
        Ok(())
    }

    fn failures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for case in self.failures.iter().take(SHOWN_FAILURES) {
            writeln!(f, "FAILED {} ({})", case.case, case.location)?;
            for failure in &case.failures {
                for line in failure.to_string().lines() {
                    writeln!(f, "  {line}")?;
                }
            }
        }
        if self.failures.len() > SHOWN_FAILURES {
            writeln!(f, "and {} more cases failed", self.failures.len() - SHOWN_FAILURES)?;
        }
        for problem in &self.problems {
            writeln!(f, "FAILED {}", problem.message)?;
        }
        for requirement in &self.requirements {
            writeln!(f, "FAILED {requirement}")?;
        }
        if self.cases() == 0 {
            writeln!(f, "FAILED no case was checked")?;
        }
        Ok(())
    }
}

/// Columns that are as wide as they need to be: the first `left` to the left, then numbers to the right, and what may be
/// long, the last one, as it is.
pub(crate) fn table(
    f: &mut fmt::Formatter<'_>,
    head: &[&str],
    left: usize,
    rows: Vec<Vec<String>>,
) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    let mut lines = vec![head.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>()];
    lines.extend(rows);
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..head.len()).map(width).collect();
    writeln!(f)?;
    for line in &lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let numeric = column >= left && lines[1..].iter().all(|line| is_number(&line[column]));
            if numeric { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

fn is_number(cell: &str) -> bool {
    cell == "-" || cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
