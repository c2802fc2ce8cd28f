//! The maintainer's commands: `cargo xtask <command>`.

#![forbid(unsafe_code)]

mod conform;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The maintainer's commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Checks every case of some vectors on every hash backend that this CPU can run
    Conform(conform::Conform),
}

/// The exit status of a command that was used wrongly, or given input that cannot be read.
const WRONG_USE: u8 = 2;

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Conform(conform) => conform.run(),
    }
}
