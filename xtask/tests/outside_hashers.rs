//! Hashers that others wrote and publish, each certified: OpenSSL and hashtree through C, Python's hashlib, and of npm
//! @chainsafe/as-sha256 and @noble/hashes. All but hashtree's are the examples that the README tells of.

#[path = "tools/certify.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use tools::{certify, compile, output, trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = tools::folder();
    let folder = folder.path();
    // what is only listed need not be there
    let make = |make: fn(&Path) -> Result<PathBuf, String>| {
        if arguments.list { Ok(PathBuf::new()) } else { make(folder) }
    };
    let mut trials = vec![trial("c/openssl".into(), "openssl", &make(openssl), certifies_library("".into()))];
    trials.extend(hashtree_trials(&make(hashtree)));
    trials.push(trial("python/hashlib".into(), "python3", &make(python), |script| {
        certifies("python3", script, "")
    }));
    let node = make(node);
    trials.push(trial("node/noble".into(), "node", &node, |folder| {
        certifies("node", &folder.join("noble.mjs"), "")
    }));
    for way in ["hashInto", "batchHash4UintArray64s", "batchHash4HashObjectInputs", "digest64"] {
        trials.push(trial(format!("node/as-sha256/{way}"), "node", &node, move |folder| {
            certifies("node", &folder.join("as-sha256.mjs"), way)
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn certifies(interpreter: &str, script: &Path, argument: &str) -> Result<(), Failed> {
    passes(&["--hasher-command", &format!("{interpreter} \"{}\" {argument}", script.display())])
}

fn certifies_library(symbol: String) -> impl FnOnce(&PathBuf) -> Result<(), Failed> {
    move |library| passes(&["--hasher-library", &format!("{}{symbol}", library.display())])
}

fn passes(arguments: &[&str]) -> Result<(), Failed> {
    let certified = certify(&[arguments, &["--hasher-timeout", "60"]].concat());
    match (certified.status, certified.caught()) {
        (0, caught) if caught.is_empty() => Ok(()),
        (status, caught) => {
            Err(format!("exit status {status}, caught by {caught:?}\n{:.4000}", certified.text).into())
        }
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("hashers").join("examples")
}

fn openssl(folder: &Path) -> Result<PathBuf, String> {
    compile(&[&examples().join("c/openssl.c")], folder, "openssl", &["-lcrypto"])
}

fn python(_: &Path) -> Result<PathBuf, String> {
    output(Command::new("python3").arg("--version"))?;
    Ok(examples().join("python/hashlib_hasher.py"))
}

/// The examples for node with the packages that they need, of exactly the versions that they name.
fn node(folder: &Path) -> Result<PathBuf, String> {
    let folder = folder.join("node");
    std::fs::create_dir_all(&folder).unwrap();
    for file in ["package.json", ".npmrc", "pair-hasher.mjs", "noble.mjs", "as-sha256.mjs"] {
        std::fs::copy(examples().join("node").join(file), folder.join(file)).unwrap();
    }
    output(Command::new("node").arg("--version"))?;
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    output(Command::new(npm).args(["install", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    Ok(folder)
}

/// hashtree's own library, of the sources that its crate brings.
fn hashtree(folder: &Path) -> Result<PathBuf, String> {
    // without the platform, it would want the crates of all others as well
    let rustc = output(Command::new("rustc").arg("-vV"))?;
    let platform =
        rustc.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("no host in rustc -vV")?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let metadata = output(
        Command::new(cargo)
            .args([
                "metadata",
                "--format-version",
                "1",
                "--offline",
                "--locked",
                "--filter-platform",
                platform,
            ])
            .current_dir(env!("CARGO_MANIFEST_DIR")),
    )?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    let package = packages.iter().find(|package| package["name"] == "hashtree-rs").ok_or("no hashtree-rs")?;
    let manifest = Path::new(package["manifest_path"].as_str().ok_or("no path")?);
    let sources = folder.join("hashtree");
    output(Command::new("cp").arg("-r").arg(manifest.parent().ok_or("no folder")?).arg(&sources))?;
    output(Command::new("make").env("OUT_DIR", sources.join("out")).current_dir(&sources))?;
    let archive = sources.join("out/lib/libhashtree.a");
    let archive = archive.to_str().ok_or("not UTF-8")?;
    let whole = match cfg!(target_os = "macos") {
        true => vec![format!("-Wl,-force_load,{archive}")],
        false => vec!["-Wl,--whole-archive".into(), archive.into(), "-Wl,--no-whole-archive".into()],
    };
    compile(&[], folder, "hashtree", &whole.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Each kernel of hashtree that this CPU can run, which the built-in backend of the same kernel knows.
fn hashtree_trials(library: &Result<PathBuf, String>) -> Vec<Trial> {
    #[rustfmt::skip] // a table
    let kernels: &[(&str, &str)] = match std::env::consts::ARCH {
        "x86_64" => &[
            ("hashtree_hash", "sha256/hashtree"),
            ("hashtree_sha256_generic", "sha256/hashtree-generic"),
            ("hashtree_sha256_sse_x1", "sha256/hashtree-sse"),
            ("hashtree_sha256_avx_x1", "sha256/hashtree-avx-x1"),
            ("hashtree_sha256_avx_x4", "sha256/hashtree-avx-x4"),
            ("hashtree_sha256_avx2_x8", "sha256/hashtree-avx2"),
            ("hashtree_sha256_avx512_x16", "sha256/hashtree-avx512"),
            ("hashtree_sha256_shani_x2", "sha256/hashtree-shani"),
        ],
        "aarch64" => &[
            ("hashtree_hash", "sha256/hashtree"),
            ("hashtree_sha256_generic", "sha256/hashtree-generic"),
            ("hashtree_sha256_neon_x1", "sha256/hashtree-neon-x1"),
            ("hashtree_sha256_neon_x4", "sha256/hashtree-neon-x4"),
            ("hashtree_sha256_sha_x1", "sha256/hashtree-sha"),
        ],
        _ => &[],
    };
    let of_kernel = |&(symbol, backend): &(&str, &str)| {
        let support = pair_hashers::find(backend).expect("a built-in backend").support();
        let (tool, library) = match support {
            Ok(()) => ("cc", library.clone()),
            Err(why) => (backend, Err(why.to_string())),
        };
        trial(format!("c/{symbol}"), tool, &library, certifies_library(format!(":{symbol}")))
    };
    kernels.iter().map(of_kernel).collect()
}
