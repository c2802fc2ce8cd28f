//! The maintainer's commands: `cargo xtask <command>`.

#![forbid(unsafe_code)]

mod certify;
mod conform;
mod corpus;
mod explain;
#[cfg(feature = "fetch")]
mod fetch_vectors;
mod hashers;
mod output;
mod serve;
mod sources;

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
    /// Fetches a release of the vectors, verified, and unpacks it
    #[cfg(feature = "fetch")]
    FetchVectors(fetch_vectors::FetchVectors),
    /// Hashes for another process of this program: see hashers/PROTOCOL.md
    #[command(hide = true)]
    Serve(serve::Serve),
}

/// The exit status of a command that was used wrongly, or given input that cannot be read.
const WRONG_USE: u8 = 2;

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Conform(conform) => conform.run(),
        Command::Certify(certify) => certify.run(),
        Command::Corpus(corpus) => corpus.run(),
        Command::Explain(explain) => explain.run(),
        #[cfg(feature = "fetch")]
        Command::FetchVectors(fetch) => fetch.run(),
        Command::Serve(serve) => serve.run(),
    }
}
