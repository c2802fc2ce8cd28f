//! `cargo xtask corpus`

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;

use crate::WRONG_USE;

/// Made anew, the corpus must not change: its digest is in `vectors/corpus/corpus.sha256`.
#[derive(Args)]
pub(crate) struct Corpus {
    /// A CPython 3.11
    #[arg(long, default_value = "python3.11")]
    python: OsString,
    /// Where to keep the specification's package [default: corpus-venv in the target folder]
    #[arg(long, value_name = "DIR")]
    venv: Option<PathBuf>,
}

impl Corpus {
    pub(crate) fn run(self) -> ExitCode {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
        let folder = root.join("vectors/corpus");
        let venv = self.venv.unwrap_or_else(|| root.join("target/corpus-venv"));
        let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        let (mut make_venv, mut install, mut make) =
            (Command::new(&self.python), Command::new(&python), Command::new(&python));
        make_venv.args(["-m", "venv"]).arg(&venv);
        install.args(["-m", "pip", "install", "--quiet", "-r"]).arg(folder.join("requirements.txt"));
        make.arg(folder.join("make.py"));
        for (what, step) in [
            ("making a virtual environment", make_venv),
            ("installing the specification's package", install),
            ("make.py", make),
        ] {
            if let Err(error) = run(what, step) {
                eprintln!("error: {error}");
                return ExitCode::from(WRONG_USE);
            }
        }
        println!("git diff vectors/corpus/corpus.sha256 tells whether the corpus changed");
        ExitCode::SUCCESS
    }
}

fn run(what: &str, mut step: Command) -> Result<(), String> {
    match step.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} ended with {status}")),
        Err(error) => Err(format!("{what} cannot be started: {error}; expected CPython 3.11")),
    }
}
