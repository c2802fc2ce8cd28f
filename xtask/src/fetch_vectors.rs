//! `cargo xtask fetch-vectors`

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use spec_vectors::fetch::{
    Catalog, FetchError, KnownRelease, Origin, Patience, Progress, Project, Receipt, Request, Step, Token,
    fetch, list,
};
use spec_vectors::{Release, default_folder};

use crate::WRONG_USE;

#[derive(Args)]
pub(crate) struct FetchVectors {
    /// Which release [default: the newest stable one of which all digests are pinned]
    #[arg(long, value_name = "TAG")]
    release: Option<Release>,
    /// Which presets of it
    #[arg(long, value_delimiter = ',', default_value = "general,minimal,mainnet")]
    preset: Vec<String>,
    /// Whose release: consensus-specs or ssz-specs
    #[arg(long, value_name = "PROJECT", default_value_t = Project::ConsensusSpecs)]
    source: Project,
    /// A mirror's base URL, a folder of archives, or a file: URL, instead of the official place
    #[arg(long, value_name = "URL-OR-PATH")]
    from: Option<Origin>,
    /// The folder for releases [default: vectors/fetched]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Unpack everything, not only what holds SSZ
    #[arg(long)]
    all_runners: bool,
    /// Keep the archives beside what came out of them
    #[arg(long)]
    keep_archives: bool,
    /// Fetch anew what is there already
    #[arg(long)]
    force: bool,
    /// Fetch an archive whose digest nobody knows, and record the digest that it has
    #[arg(long)]
    trust_on_first_use: bool,
    /// Show the known releases, and which are fetched, instead
    #[arg(long)]
    list: bool,
}

impl FetchVectors {
    pub(crate) fn run(self) -> ExitCode {
        let catalog = Catalog::built_in();
        let result = if self.list { self.show_list(&catalog) } else { self.fetch(&catalog) };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(if matches!(error, FetchError::Usage(_)) { WRONG_USE } else { 1 })
            }
        }
    }

    fn folder(&self) -> PathBuf {
        self.into.clone().unwrap_or_else(|| default_folder().to_owned())
    }

    fn fetch(self, catalog: &Catalog) -> Result<(), FetchError> {
        let newest = match self.source {
            Project::ConsensusSpecs => catalog.newest_stable(),
            Project::SszSpecs => catalog.newest_ssz_specs(),
        };
        let none =
            || FetchError::Usage("no release has all its digests pinned: name one by --release".to_owned());
        let request = Request {
            project: self.source,
            release: self.release.or(newest).ok_or_else(none)?,
            into: self.folder(),
            presets: self.preset,
            from: self.from,
            all_runners: self.all_runners,
            keep_archives: self.keep_archives,
            force: self.force,
            trust_on_first_use: self.trust_on_first_use,
            token: Token::from_environment(),
            patience: Patience::default(),
        };
        let receipt = fetch(catalog, &request, &*progress())?;
        show_receipt(&receipt, &request);
        Ok(())
    }

    fn show_list(self, catalog: &Catalog) -> Result<(), FetchError> {
        let known = list(catalog, &self.folder())?;
        let wanted = |known: &&KnownRelease| self.release.is_none_or(|release| known.release == release);
        let mut out = io::stdout().lock();
        for known in known.iter().filter(wanted) {
            // Whoever reads the list may have seen enough.
            if show_known(&mut out, known).is_err() {
                break;
            }
        }
        Ok(())
    }
}

fn show_known(out: &mut impl Write, known: &KnownRelease) -> io::Result<()> {
    writeln!(out, "{} {}", known.project, known.release)?;
    for (name, archive) in &known.archives {
        let state = if archive.is_fetched { "fetched" } else { "" };
        let bytes = archive.bytes.map_or("size unknown".to_owned(), |bytes| format!("{bytes} bytes"));
        writeln!(out, "  {name:<16} {state:<8} {bytes:>16}  {}  {}", archive.sha256, archive.from)?;
    }
    Ok(())
}

fn show_receipt(receipt: &Receipt, request: &Request) {
    for (name, unpacked) in &receipt.archives {
        println!("{name}: {} bytes from {}", unpacked.bytes, unpacked.from);
        println!("  SHA-256 {} ({})", unpacked.sha256, unpacked.digest_from);
        for (what, counted) in &unpacked.counts {
            let left_out = if counted.left_out > 0 { ", not unpacked" } else { "" };
            println!("  {what}: {} cases in {} files{left_out}", counted.cases, counted.files);
        }
    }
    println!(
        "{} {}: {} cases in {}",
        receipt.project,
        receipt.release,
        receipt.cases(),
        request.into.display()
    );
}

/// Bars on a terminal, quiet lines elsewhere.
fn progress() -> Box<dyn Progress> {
    if io::stderr().is_terminal() {
        Box::new(Bar(Mutex::new(None)))
    } else {
        Box::new(Lines(Mutex::new(None)))
    }
}

fn name(step: Step) -> &'static str {
    match step {
        Step::Download => "downloading",
        Step::Verify => "verifying",
        Step::Unpack => "unpacking",
    }
}

/// The bar of the step under way.
struct Bar(Mutex<Option<ProgressBar>>);

impl Bar {
    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        act(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    }
}

impl Progress for Bar {
    fn begin(&self, step: Step, archive: &str, total: Option<u64>, done: u64) {
        let (bar, template) = match total {
            Some(total) => (
                ProgressBar::new(total),
                "{msg} {wide_bar} {bytes} of {total_bytes}, {binary_bytes_per_sec}, {eta} left",
            ),
            None => (ProgressBar::new_spinner(), "{msg} {spinner} {bytes}, {binary_bytes_per_sec}"),
        };
        let bar = bar.with_position(done);
        bar.reset_eta();
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_message(format!("{archive}: {}", name(step)));
        bar.enable_steady_tick(Duration::from_millis(200));
        self.with(|current| *current = Some(bar));
    }

    fn advance(&self, bytes: u64) {
        self.with(|bar| bar.iter().for_each(|bar| bar.inc(bytes)));
    }

    fn end(&self) {
        self.with(|bar| bar.take().iter().for_each(ProgressBar::finish_and_clear));
    }

    fn note(&self, text: &str) {
        eprintln!("{text}");
    }
}

/// One line for each step that was done: what it was and when it began.
struct Lines(Mutex<Option<(String, Instant)>>);

impl Progress for Lines {
    fn begin(&self, step: Step, archive: &str, _total: Option<u64>, _done: u64) {
        let line = format!("{archive}: {}", name(step));
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some((line, Instant::now()));
    }

    fn end(&self) {
        let step = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if let Some((line, begun)) = step {
            eprintln!("{line} took {:.1?}", begun.elapsed());
        }
    }

    fn note(&self, text: &str) {
        eprintln!("{text}");
    }
}
