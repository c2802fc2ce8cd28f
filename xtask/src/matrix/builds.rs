//! Builds other than the usual one: what each runs, in order.

use std::process::Command;

use super::machine::passed;
use super::platform::{BARE, HERE, Platform, Toolchain, Tools};
use crate::launch::{self, Ending};

/// Commands that have to succeed.
pub(crate) struct Build {
    pub(crate) steps: &'static [Step],
}

/// One call of cargo.
pub(crate) struct Step {
    platform: &'static Platform,
    compiler: Compiler,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// A target directory of its own, below the usual one, where another's artifacts would be replaced, or would do.
    apart: Option<&'static str>,
}

/// Which compiler.
#[derive(Clone, Copy, PartialEq)]
enum Compiler {
    /// The one that built this program.
    This,
    /// The oldest that the workspace supports, where that is another.
    Oldest,
}

/// What a build came to.
#[derive(Debug, Default)]
pub(crate) struct Built {
    pub(crate) tests: u64,
    pub(crate) cases: u64,
    pub(crate) notes: Vec<String>,
    pub(crate) failures: Vec<String>,
}

const USUAL: Step =
    Step { platform: &HERE, compiler: Compiler::This, arguments: &[], environment: &[], apart: None };

/// The corpus, checked by a program that is built with these arguments before.
macro_rules! conform {
    ($($argument:literal),*) => {
        &["run", "--package", "xtask", $($argument,)* "--", "conform", "--embedded"]
    };
}

pub(crate) const NO_STD: Build = Build {
    steps: &[Step {
        platform: &BARE,
        arguments: &["build", "-p", "pair-hashers", "--no-default-features"],
        ..USUAL
    }],
};

const NO_C: &[(&str, &str)] = &[("CC", "no-compiler-is-here")];
/// Built apart: C that was compiled for another build would not be missed.
pub(crate) const NO_FEATURES: Build = Build {
    steps: &[
        Step {
            arguments: &["build", "--workspace", "--no-default-features"],
            environment: NO_C,
            apart: Some("without-c"),
            ..USUAL
        },
        Step {
            arguments: conform!("--no-default-features"),
            environment: NO_C,
            apart: Some("without-c"),
            ..USUAL
        },
    ],
};

pub(crate) const NO_HASHTREE: Build = Build {
    steps: &[Step {
        arguments: &["test", "-p", "pair-hashers", "--no-default-features", "--features", "std,sha2,sha3"],
        ..USUAL
    }],
};

const NATIVE: &[(&str, &str)] = &[("RUSTFLAGS", "-Ctarget-cpu=native")];
pub(crate) const TARGET_CPU_NATIVE: Build = Build {
    steps: &[
        Step {
            arguments: &["test", "--release", "-p", "pair-hashers", "--lib", "--tests"],
            environment: NATIVE,
            apart: Some("target-cpu-native"),
            ..USUAL
        },
        Step {
            arguments: conform!("--release", "--no-default-features", "--features", "hashtree"),
            environment: NATIVE,
            apart: Some("target-cpu-native"),
            ..USUAL
        },
    ],
};

pub(crate) const DEBUG: Build = Build {
    steps: &[
        Step { arguments: &["test", "-p", "pair-hashers", "--lib", "--tests"], ..USUAL },
        Step { arguments: conform!(), ..USUAL },
    ],
};

pub(crate) const OLDEST_RUST: Build = Build {
    steps: &[Step {
        compiler: Compiler::Oldest,
        arguments: &["check", "--workspace", "--all-targets"],
        apart: Some("oldest-rust"),
        ..USUAL
    }],
};

impl Build {
    /// What is missing to run it, if something is.
    pub(crate) fn toolchains(&self, tools: &Tools) -> Result<Vec<Toolchain>, String> {
        self.steps.iter().map(|step| step.platform.toolchain(tools)).collect()
    }

    /// Runs the steps, to the first that fails.
    pub(crate) fn run(&self, tools: &Tools, toolchains: &[Toolchain]) -> Built {
        let mut built = Built::default();
        for (step, toolchain) in self.steps.iter().zip(toolchains) {
            step.run(tools, toolchain, &mut built);
            if !built.failures.is_empty() {
                break;
            }
        }
        built
    }
}

impl Step {
    fn run(&self, tools: &Tools, toolchain: &Toolchain, built: &mut Built) {
        let mut command = toolchain.cargo(tools, self.platform.name);
        if self.compiler == Compiler::Oldest {
            let oldest = env!("CARGO_PKG_RUST_VERSION");
            if is_this(oldest, tools) {
                built.notes.push(format!("this is Rust {oldest}"));
                return;
            }
            command.env("RUSTUP_TOOLCHAIN", oldest).env_remove("RUSTC");
        }
        if let Some(folder) = self.apart {
            command.env("CARGO_TARGET_DIR", tools.target.join("matrix").join(folder));
        }
        // cargo's own options come before those of the program that it runs
        let program =
            self.arguments.iter().position(|&argument| argument == "--").unwrap_or(self.arguments.len());
        let (of_cargo, of_program) = self.arguments.split_at(program);
        command.args(of_cargo).args(toolchain.options()).args(of_program);
        command.envs(self.environment.iter().copied());
        let ran = launch::run(&mut command);
        let count = passed(&ran.stdout);
        match of_program.is_empty() {
            true => built.tests += count,
            false => built.cases += count,
        }
        if ran.ending != Ending::Success {
            built.failures.push(format!("cargo {}: {}", self.arguments.join(" "), ran.last_words()));
        }
    }
}

/// Whether the compiler is of this version: `1.95` of `rustc 1.95.0 (...)`.
fn is_this(version: &str, tools: &Tools) -> bool {
    let ran = launch::run(Command::new("rustc").arg("-V").current_dir(&tools.workspace));
    let this = ran.stdout.split(' ').nth(1).unwrap_or_default();
    this.strip_prefix(version).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
