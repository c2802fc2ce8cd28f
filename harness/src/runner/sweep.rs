//! All cases of some sources, on all backends, over all cores: the facts of a run as one [`Report`].

use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use spec_vectors::{Case, Filter, Item, Source, VectorError};

use crate::backends::Backends;
use crate::check::{Bench, Verdict, Work, check};
use crate::ledger::Ledger;
use crate::report::Report;

/// What a run goes through.
pub struct Sweep<'r> {
    /// Where the cases are.
    pub sources: &'r [Result<Source, VectorError>],
    /// Which of them to check.
    pub filter: &'r Filter,
    /// The hashers that take part.
    pub backends: &'r Backends<'r>,
    /// What is known to disagree.
    pub ledger: &'r Ledger,
}

/// Told of every case that was checked; from several threads.
pub trait Progress: Sync {
    /// A source is opened.
    fn source(&self, label: &str);
    /// A case was checked.
    fn case(&self);
}

/// Tells nobody.
pub struct Silent;

impl Progress for Silent {
    fn source(&self, _: &str) {}
    fn case(&self) {}
}

impl Sweep<'_> {
    /// Checks every case. One thread reads the sources, as many as there are cores check.
    pub fn run(&self, progress: &dyn Progress) -> Report {
        let workers = thread::available_parallelism().map_or(1, NonZero::get);
        let (send, receive) = sync_channel(workers * 16);
        let receive = Mutex::new(receive);
        let mut report = Report::new(self.backends);
        thread::scope(|scope| {
            let handles: Vec<_> =
                (0..workers).map(|_| scope.spawn(|| self.work(&receive, progress))).collect();
            self.read(send, progress, &mut report);
            for handle in handles {
                // a check that panics is a fault of this crate, not of a backend: let it be seen as one
                let (verdicts, work) = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for (case, verdict) in verdicts {
                    report.add_verdict(&case, verdict);
                }
                report.add_work(&work);
            }
        });
        report.finish();
        report
    }

    /// Sends every case to the workers, and takes account of the rest.
    fn read(&self, send: SyncSender<Case>, progress: &dyn Progress, report: &mut Report) {
        for source in self.sources {
            match source {
                Ok(source) => {
                    progress.source(source.label());
                    report.add_source(source);
                    let walked = source.walk(self.filter, &mut |item| match item {
                        // the workers outlive this thread's walk, so the channel is open
                        Item::Case(case) => drop(send.send(case)),
                        Item::LeftOut(left_out) => report.add_left_out(&left_out),
                        Item::Problem(error) => report.add_problem(&error),
                    });
                    report.filtered += walked.filtered;
                }
                Err(error) => report.add_problem(error),
            }
        }
    }

    fn work(
        &self,
        cases: &Mutex<Receiver<Case>>,
        progress: &dyn Progress,
    ) -> (Vec<(CaseName, Verdict)>, Vec<Work>) {
        let mut bench = Bench::new(self.backends.available());
        let mut verdicts = Vec::new();
        loop {
            let next = cases.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(case) = next else { break };
            let verdict = check(&case, self.ledger, &mut bench);
            verdicts.push((CaseName::of(&case), verdict));
            progress.case();
        }
        (verdicts, bench.work().collect())
    }
}

/// What a report needs of a case, without its parts.
#[derive(Clone, Debug)]
pub struct CaseName {
    /// Path below `tests/`.
    pub path: String,
    /// What it is counted under: fork and preset, or generation and format.
    pub group: [String; 2],
    /// Where it is.
    pub location: String,
}

impl CaseName {
    fn of(case: &Case) -> Self {
        Self {
            path: case.id.to_string(),
            group: case.id.group().map(str::to_owned),
            location: case.location(),
        }
    }
}
