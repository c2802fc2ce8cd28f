//! Embeds every file of `schemas/`, so that a new fork or release is a new file and no code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let schemas = manifest.join("schemas");
    println!("cargo::rerun-if-changed={}", schemas.display());

    let mut files = Vec::new();
    collect(&schemas, &mut files)?;
    files.sort();

    let mut table = String::from("[\n");
    for file in &files {
        let name: Vec<_> = file
            .strip_prefix(&schemas)
            .expect("found below it")
            .iter()
            .map(|part| part.to_string_lossy())
            .collect();
        writeln!(table, "    ({:?}, include_str!({file:?})),", name.join("/")).expect("a string grows");
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    fs::write(out.join("schemas.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
