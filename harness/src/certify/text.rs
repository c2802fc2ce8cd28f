//! A certificate for people: one page.

use std::fmt;

use super::speed::{SIZES, Speed};
use super::{Certificate, Outcome};
use crate::backends::not_consensus;
use crate::report::table;

/// At most this many failed cases are written out; the JSON form has all.
const SHOWN_CASES: usize = 5;

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.hasher)?;
        writeln!(f, "\n1. Agreement with {}", self.family)?;
        self.agreement(f)?;
        writeln!(f, "\n2. Vectors")?;
        self.vectors(f)?;
        writeln!(f, "\n3. Speed, in nanoseconds a hash, by pairs in a batch")?;
        if let Some(speed) = &self.speed {
            speed.fmt(f)?;
        }
        if let Some(why) = &self.speed_missing {
            writeln!(f, "not measured: {why}")?;
        }
        self.verdict(f)
    }
}

impl Certificate {
    fn agreement(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.agreement.iter().map(|check| {
            let (outcome, note) = match &check.outcome {
                Outcome::Passed => ("passed", ""),
                Outcome::Failed(_) => ("FAILED", ""),
                Outcome::LeftOut(why) => ("left out", *why),
            };
            vec![check.check.into(), outcome.into(), format!("{:.2}", check.seconds), note.into()]
        });
        table(f, &["check", "outcome", "s", ""], 2, rows.collect())?;
        let failed = self.agreement.iter().filter_map(|check| match &check.outcome {
            Outcome::Failed(message) => Some(message),
            _ => None,
        });
        failed.into_iter().try_for_each(|message| writeln!(f, "FAILED {}", message.replace('\n', "\n  ")))
    }

    fn vectors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = &self.vectors;
        if let Some(remark) = not_consensus(report.family) {
            writeln!(f, "{remark}")?;
        }
        for source in &report.sources {
            writeln!(f, "{}", source.label)?;
        }
        let roots = report.backends.iter().find(|backend| backend.name == self.hasher);
        let roots = roots.map_or(0, |backend| backend.work.roots);
        writeln!(f, "{} cases passed, {} failed; {roots} roots", report.passed, report.failed)?;
        let left_out: u64 = report.left_out.iter().map(|entry| entry.cases).sum();
        if left_out > 0 {
            writeln!(f, "{left_out} cases left out: cargo xtask conform tells which, and why")?;
        }
        for case in report.failures.iter().take(SHOWN_CASES) {
            writeln!(f, "FAILED {}", case.case)?;
            for line in case
                .failures
                .iter()
                .flat_map(|failure| failure.to_string().lines().map(str::to_owned).collect::<Vec<_>>())
            {
                writeln!(f, "  {line}")?;
            }
        }
        if report.failures.len() > SHOWN_CASES {
            writeln!(f, "and {} more cases failed", report.failures.len() - SHOWN_CASES)?;
        }
        report.problems.iter().try_for_each(|problem| writeln!(f, "FAILED {}", problem.message))?;
        if report.cases() == 0 {
            writeln!(f, "FAILED no case was checked")?;
        }
        Ok(())
    }

    fn verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed = self.agreement.iter().filter(|check| check.failed()).count();
        match self.certified {
            true => write!(f, "\nCERTIFIED {}", self.hasher),
            false => write!(
                f,
                "\nNOT CERTIFIED {}: {failed} checks and {} cases failed",
                self.hasher, self.vectors.failed
            ),
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<_> = SIZES.iter().map(ToString::to_string).collect();
        let head: Vec<_> =
            std::iter::once("hasher").chain(sizes.iter().map(String::as_str)).chain([""]).collect();
        let rows = self.rows.iter().enumerate().map(|(i, row)| {
            let times = row.ns_per_hash.iter().map(|sample| format!("{:.0}", sample.ns));
            let mark = if i == 0 { "<" } else { "" };
            std::iter::once(row.hasher.clone()).chain(times).chain([mark.into()]).collect()
        });
        table(f, &head, 1, rows.collect())?;
        match self.note {
            Some(note) => writeln!(f, "{note}"),
            None => Ok(()),
        }
    }
}
