//! `cargo xtask explain`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use pair_hashers::{Family, auto};
use spec_vectors::Release;
use ssz_conformance::backends::CONSENSUS;
use ssz_conformance::explain::{ExplainError, explain, hex_excerpt};
use ssz_conformance::merkle::Path;
use ssz_conformance::schema::{self, SchemaError};
use ssz_conformance::types::Type;

use crate::WRONG_USE;

#[derive(Args)]
pub(crate) struct Explain {
    /// The bytes: an .ssz file, or an .ssz_snappy one as releases hold them
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Their type: a fork and a name, as in electra.BeaconState; or a type in the schemas' notation, with or without a
    /// fork before it, as in 'electra.List[Checkpoint, 4]' or 'List[uint64, 4]'
    #[arg(long = "type", value_name = "TYPE")]
    ty: String,
    /// The preset whose constants the type uses
    #[arg(long, default_value = "mainnet")]
    preset: String,
    /// The release whose definitions are meant [default: the newest]
    #[arg(long, value_name = "TAG")]
    release: Option<Release>,
    /// The function to compute nodes with: sha256, that of consensus, or keccak256 or rfc6962
    #[arg(long, value_name = "FAMILY", default_value_t = CONSENSUS)]
    family: Family,
    /// A part, as in `validators[3].pubkey`, `balances.__len__` or, of a union with selector 2, `[2].side`
    #[arg(long, value_name = "PATH", default_value = "")]
    path: Path,
}

impl Explain {
    pub(crate) fn run(self) -> ExitCode {
        let selection = schema::select(self.release.as_ref());
        let ty = match self.find_type(&selection) {
            Ok(ty) => ty,
            Err(error) => return wrong_use(&error),
        };
        let bytes = match spec_vectors::read_ssz_file(&self.file) {
            Ok(bytes) => bytes,
            Err(error) => return wrong_use(&error),
        };
        println!("file               {}: {} bytes", self.file.display(), bytes.len());
        match explain(&ty, &bytes, &self.path, selection.progressive(), auto(self.family)) {
            Ok(explanation) => {
                println!("{explanation}");
                ExitCode::SUCCESS
            }
            Err(ExplainError::Malformed(error)) => {
                eprintln!("error: {}: {error}", self.file.display());
                eprintln!("{}", hex_excerpt(&bytes, error.offset()));
                ExitCode::FAILURE
            }
            Err(error) => wrong_use(&error),
        }
    }

    fn find_type(&self, selection: &schema::Selection) -> Result<Type, SchemaError> {
        match self.ty.split_once('.') {
            Some((fork, text)) if fork.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => {
                schema::read_type(selection, &self.preset, fork, text)
            }
            _ => schema::read_type(selection, "general", "ssz_generic", &self.ty),
        }
    }
}

fn wrong_use(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(WRONG_USE)
}
