//! The maintainer's commands: `cargo xtask <command>`.

#![forbid(unsafe_code)]

mod certify;
mod conform;
mod corpus;
mod doctor;
mod explain;
#[cfg(feature = "fetch")]
mod fetch_vectors;
mod hashers;
mod launch;
mod matrix;
mod output;
mod serve;
mod sources;
mod text;

use std::io::{self, Write};
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
    /// Checks one hasher, in any language, in every way, and measures its speed
    Certify(certify::Certify),
    /// Makes the embedded corpus again, with the specification's own generators
    Corpus(corpus::Corpus),
    /// Decodes a file of SSZ bytes, and shows a part of it with its generalized index and its proof
    Explain(explain::Explain),
    /// Tells what this CPU has, which backends run and what auto chooses: for bug reports
    Doctor(doctor::Doctor),
    /// Fetches a release of the vectors, verified, and unpacks it
    #[cfg(feature = "fetch")]
    FetchVectors(fetch_vectors::FetchVectors),
    /// Hashes for another process of this program: see hashers/PROTOCOL.md
    #[command(hide = true)]
    Serve(serve::Serve),
    /// Tests every CPU feature and every build, each in a cell of its own, and prints one table
    Matrix(matrix::Matrix),
}

/// The exit status of a command that was used wrongly, or given input that cannot be read.
const WRONG_USE: u8 = 2;

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Conform(conform) => conform.run(),
        Command::Certify(certify) => certify.run(),
        Command::Corpus(corpus) => corpus.run(),
        Command::Explain(explain) => explain.run(),
        Command::Doctor(doctor) => doctor.run(),
        #[cfg(feature = "fetch")]
        Command::FetchVectors(fetch) => fetch.run(),
        Command::Serve(serve) => serve.run(),
        Command::Matrix(matrix) => matrix.run(),
    }
}

/// Prints a report and gives `status`. Whoever reads it may have seen enough before its end.
fn print(report: &str, status: ExitCode) -> ExitCode {
    match writeln!(io::stdout(), "{report}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: the report cannot be written: {error}");
            ExitCode::from(WRONG_USE)
        }
        _ => status,
    }
}
