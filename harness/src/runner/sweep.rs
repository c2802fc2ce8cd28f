//! All cases of some sources, on all backends, over all cores: the facts of a run as one [`Report`].

use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use spec_vectors::{Case, Filter, Item, Source, VectorError};

use crate::backends::Backends;
use crate::check::{Bench, Times, Verdict, check, timed};
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
    /// Checks every case. One thread reads the sources, as many as there are cores check; where there are no threads, as on
    /// WebAssembly, the only one does both.
    pub fn run(&self, progress: &dyn Progress) -> Report {
        let mut report = Report::new(self.backends);
        match thread::available_parallelism() {
            Ok(workers) => self.run_on(workers.get(), progress, &mut report),
            Err(_) => {
                let mut worker = Worker::new(self);
                self.read(&mut |case| worker.check(&case, progress), progress, &mut report);
                worker.report(&mut report);
            }
        }
        report.finish();
        report
    }

    fn run_on(&self, workers: usize, progress: &dyn Progress, report: &mut Report) {
        let (send, receive) = sync_channel::<Case>(workers * 16);
        let receive = Mutex::new(receive);
        thread::scope(|scope| {
            let work = || {
                let mut worker = Worker::new(self);
                while let Some(case) = next(&receive) {
                    worker.check(&case, progress);
                }
                worker
            };
            let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            // the workers outlive this thread's walk, so the channel is open
            self.read(&mut |case| drop(send.send(case)), progress, report);
            drop(send);
            for handle in handles {
                // a check that panics is a fault of this crate, not of a backend: let it be seen as one
                let worker = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                worker.report(report);
            }
        });
    }

    /// Gives every case to `check`, and takes account of the rest.
    fn read(&self, check: &mut dyn FnMut(Case), progress: &dyn Progress, report: &mut Report) {
        let (mut all, mut checking) = (0.0, 0.0);
        timed(&mut all, || {
            self.walk(&mut |case| timed(&mut checking, || check(case)), progress, report);
        });
        report.add_times(Times { reading: all - checking, ..Times::default() });
    }

    fn walk(&self, check: &mut dyn FnMut(Case), progress: &dyn Progress, report: &mut Report) {
        for source in self.sources {
            match source {
                Ok(source) => {
                    progress.source(source.label());
                    report.add_source(source);
                    let walked = source.walk(self.filter, &mut |item| match item {
                        Item::Case(case) => check(case),
                        Item::LeftOut(left_out) => report.add_left_out(&left_out),
                        Item::Problem(error) => report.add_problem(&error),
                    });
                    report.filtered += walked.filtered;
                }
                Err(error) => report.add_problem(error),
            }
        }
    }
}

fn next(cases: &Mutex<Receiver<Case>>) -> Option<Case> {
    cases.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// What one thread does.
struct Worker<'s> {
    sweep: &'s Sweep<'s>,
    bench: Bench<'s>,
    verdicts: Vec<(CaseName, Verdict)>,
}

impl<'s> Worker<'s> {
    fn new(sweep: &'s Sweep<'s>) -> Self {
        Self { sweep, bench: Bench::new(sweep.backends), verdicts: Vec::new() }
    }

    fn check(&mut self, case: &Case, progress: &dyn Progress) {
        let verdict = check(case, self.sweep.ledger, &mut self.bench);
        self.verdicts.push((CaseName::of(case), verdict));
        progress.case();
    }

    fn report(self, report: &mut Report) {
        for (case, verdict) in self.verdicts {
            report.add_verdict(&case, verdict);
        }
        report.add_times(self.bench.times());
        report.add_work(&self.bench.work().collect::<Vec<_>>());
        self.bench.not_compared().for_each(|(what, count)| report.add_not_compared(what, count));
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
