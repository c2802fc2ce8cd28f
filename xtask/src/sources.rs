//! The arguments that say where the vectors are.

use std::path::PathBuf;

use clap::Args;
use spec_vectors::{Release, Source, VectorError};
use ssz_conformance::runner::fetched;

#[derive(Args)]
pub(crate) struct SourceArguments {
    /// A release's folder or .tar.gz, or a folder of such [default: a fetched release, or the embedded corpus]
    #[arg(long, value_name = "PATH")]
    vectors: Vec<PathBuf>,
    /// Check the embedded corpus, whether or not a release was fetched
    #[arg(long, conflicts_with = "vectors")]
    embedded: bool,
    /// Take the vectors to be of this release, whatever their path says
    #[arg(long, value_name = "TAG")]
    release: Option<Release>,
}

impl SourceArguments {
    pub(crate) fn open(&self) -> Vec<Result<Source, VectorError>> {
        let sources = match self.vectors.as_slice() {
            [] if self.embedded => vec![Ok(Source::embedded())],
            [] => match fetched() {
                none if none.is_empty() => vec![Ok(Source::embedded())],
                fetched => fetched,
            },
            paths => paths.iter().flat_map(Source::open).collect(),
        };
        match self.release {
            Some(release) => sources.into_iter().map(|source| Ok(source?.with_release(release))).collect(),
            None => sources,
        }
    }
}
