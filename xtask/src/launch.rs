//! Starts programs, on this CPU or on an emulated one, and says how they ended.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use pair_hashers::foreign::crash;

/// How to start a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Launcher {
    /// An emulator and its arguments; the program and the program's own come behind. None: the program by itself.
    pub(crate) emulator: Vec<OsString>,
    /// Set for the program.
    pub(crate) environment: Vec<(OsString, OsString)>,
}

/// A program that ran.
pub(crate) struct Ran {
    pub(crate) ending: Ending,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Launcher {
    /// Runs a program to its end.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, program: &Path, arguments: &[A]) -> Ran {
        let mut words = self.emulator.iter().map(OsString::as_os_str).chain([program.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or(program.as_os_str()));
        command.args(words).args(arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        run(&mut command)
    }
}

/// Runs a command to its end, without input.
pub(crate) fn run(command: &mut Command) -> Ran {
    match command.stdin(Stdio::null()).output() {
        Ok(output) => Ran {
            ending: Ending::of(output.status),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        },
        Err(error) => {
            let why = format!("{}: {error}", command.get_program().display());
            Ran { ending: Ending::NotStarted(why), stdout: String::new(), stderr: String::new() }
        }
    }
}

impl Ran {
    /// How it ended, and the last lines that it wrote: of its output too, however long its complaint.
    pub(crate) fn last_words(&self) -> String {
        let ending = self.ending.to_string();
        let last = [&self.stdout, &self.stderr].map(|text| {
            let lines: Vec<_> = text.lines().collect();
            lines[lines.len().saturating_sub(8)..].join("\n")
        });
        let words = [&ending].into_iter().chain(&last).filter(|words| !words.is_empty());
        words.cloned().collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Success,
    Status(i32),
    /// It was killed by what is named here.
    Crash(String),
    NotStarted(String),
}

impl Ending {
    fn of(status: ExitStatus) -> Self {
        match (status.success(), crash(status)) {
            (true, _) => Ending::Success,
            (false, Some(name)) => Ending::Crash(name),
            (false, None) => Ending::Status(status.code().unwrap_or(-1)),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Success => f.write_str("succeeded"),
            Ending::Status(status) => write!(f, "failed with exit status {status}"),
            Ending::Crash(name) => write!(f, "crashed: {name}"),
            Ending::NotStarted(why) => write!(f, "could not be started: {why}"),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Ran {
        run(Command::new("sh").args(["-c", script]))
    }

    #[test]
    fn an_illegal_instruction_is_a_crash_with_its_name() {
        assert!(matches!(shell("kill -ILL $$").ending, Ending::Crash(what) if what.starts_with("SIGILL (")));
        assert_eq!(shell("exit 3").ending, Ending::Status(3));
        assert_eq!(shell("echo one; echo two >&2").last_words(), "succeeded\none\ntwo");
        let missing = run(&mut Command::new("/no/such/program"));
        assert!(matches!(missing.ending, Ending::NotStarted(why) if why.starts_with("/no/such/program: ")));
    }

    #[test]
    fn the_emulator_comes_before_the_program() {
        let launcher =
            Launcher { emulator: ["echo", "-cpu"].map(OsString::from).to_vec(), environment: Vec::new() };
        assert_eq!(launcher.run(Path::new("program"), &["argument"]).stdout, "-cpu program argument\n");
    }
}
