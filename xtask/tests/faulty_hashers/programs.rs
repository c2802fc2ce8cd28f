//! Programs that speak the protocol wrongly.

use std::io::{self, Read, Write};
use std::process::ExitCode;
#[cfg(unix)]
use std::process::{Command, Stdio};
use std::time::Duration;

use pair_hashers::{Family, Node, Pair, auto};
use sha3::{Digest, Sha3_256};
use ssz_conformance::rfc6962::leaf_hash;

/// Name, the stage that has to catch it, and what the message has to say.
#[rustfmt::skip] // a table
pub(crate) const ALL: &[(&str, &str, &str)] = &[
    ("right", "-", ""),
    ("right-with-chatter-on-stderr", "-", ""),
    ("exits-at-once", "start", "| no such module"),
    ("says-nothing", "start", "no answer to its start within 2 s"),
    ("greets-people", "start", "\"Hell\""),
    ("other-version", "start", "expected pair-hasher/1 as the first word"),
    ("other-family", "start", "as the second word, there is no such family: expected one of sha256,"),
    ("big-endian-lengths", "start", "expected 256"),
    ("one-bit", "batch-sizes", "node 5 is"),
    ("dies-after-100", "batch-sizes", "| out of batteries"),
    ("aborts-at-50", "batch-sizes", "instead of answering a batch of 50 pairs"),
    ("hangs-at-50", "batch-sizes", "no answer to a batch of 50 pairs within 2 s"),
    ("short", "batch-sizes", "with 31 bytes: expected 32"),
    ("long", "batch-sizes", "with 64 bytes: expected 32"),
    ("long-behind-its-length", "batch-sizes", "more than its answer"),
    ("prints", "batch-sizes", "does something print to its stdout?"),
    ("one-batch-behind", "batch-sizes", "node 0 is"),
    ("ignores-empty-batches", "batch-sizes", "no answer to a batch of 0 pairs within 2 s"),
    #[cfg(unix)]
    ("closes-its-output", "batch-sizes", "closed its standard output"),
    ("never-reads", "batch-sizes", ""),
    // of another family, which the name begins with
    ("keccak256/right", "-", ""),
    ("keccak256/sha3s-padding", "batch-sizes", "batch of 1: node 0 is"),
    ("keccak256/one-lane", "lanes", "where only pair 0 differs: node 1 is"),
    ("rfc6962/right", "-", ""),
    ("rfc6962/prefix-of-leaves", "batch-sizes", "batch of 1: node 0 is"),
    ("rfc6962/no-prefix", "vectors", "the root differs"),
    ("rfc6962/one-lane", "vectors", "\"pair\": 1,"),
];

/// Is that program.
pub(crate) fn run(name: &str) -> ExitCode {
    let (family, name) = name.split_once('/').unwrap_or(("sha256", name));
    let hello = format!("pair-hasher/1 {family} {name}");
    let family = family.parse().expect("a family's name");
    match name {
        "exits-at-once" => {
            eprintln!("no such module");
            return ExitCode::from(3);
        }
        "says-nothing" => forever(),
        "greets-people" => write(b"Hello, world\n"),
        "other-version" => answer(b"pair-hasher/9 sha256 mine"),
        "other-family" => answer(b"pair-hasher/1 md5 mine"),
        "big-endian-lengths" => {
            write(&(hello.len() as u32).to_be_bytes());
            write(hello.as_bytes());
        }
        "never-reads" => {
            answer(hello.as_bytes());
            loop {
                write(&[0; 4096]);
            }
        }
        _ => answer(hello.as_bytes()),
    }
    let mut last = Vec::new();
    for batch in 0.. {
        let Some(pairs) = read() else { break };
        let mut nodes = vec![[0; 32]; pairs.len() / 64];
        hash(name, family, pairs.as_chunks().0, &mut nodes);
        spoil(name, batch, &mut nodes, &mut last);
    }
    ExitCode::SUCCESS
}

/// By the family's function, or another that is nearly that.
fn hash(name: &str, family: Family, pairs: &[Pair], nodes: &mut [Node]) {
    match name {
        "sha3s-padding" => {
            pairs.iter().zip(nodes).for_each(|(pair, node)| *node = Sha3_256::digest(pair).into())
        }
        "prefix-of-leaves" => pairs.iter().zip(nodes).for_each(|(pair, node)| *node = leaf_hash(pair)),
        "no-prefix" => auto(Family::Sha256).hash_pairs(pairs, nodes),
        _ => auto(family).hash_pairs(pairs, nodes),
    }
}

/// Answers with the nodes, or whatever the fault is.
fn spoil(name: &str, batch: usize, nodes: &mut [[u8; 32]], last: &mut Vec<u8>) {
    let n = nodes.len();
    match name {
        "right-with-chatter-on-stderr" => eprintln!("{}", "batch ".repeat(1000)),
        "one-bit" if n > 5 => nodes[5][0] ^= 1,
        "one-lane" if n > 1 => nodes[1][0] ^= 1,
        "dies-after-100" if batch == 100 => {
            eprintln!("warming up\nout of batteries");
            std::process::exit(1);
        }
        "aborts-at-50" if n == 50 => std::process::abort(),
        "hangs-at-50" if n == 50 => forever(),
        "short" if n == 1 => return answer(&nodes[0][..31]),
        "long" if n == 1 => return answer(&[nodes[0], nodes[0]].concat()),
        "ignores-empty-batches" if n == 0 => return,
        #[cfg(unix)]
        "closes-its-output" if n == 20 => {
            use std::os::unix::process::CommandExt;
            // becomes another program, which lives on without this one's standard output
            let error = Command::new("sleep").arg("60").stdout(Stdio::null()).exec();
            panic!("sleep: {error}");
        }
        "prints" if n == 30 => write(b"hashed 30 pairs\n"),
        "one-batch-behind" => {
            let mut late = std::mem::replace(last, nodes.as_flattened().to_vec());
            late.resize(32 * n, 0);
            return answer(&late);
        }
        _ => {}
    }
    answer(nodes.as_flattened());
    if name == "long-behind-its-length" {
        write(&[0; 32]);
    }
}

fn read() -> Option<Vec<u8>> {
    let mut length = [0; 4];
    io::stdin().read_exact(&mut length).ok()?;
    let mut payload = vec![0; u32::from_le_bytes(length) as usize];
    io::stdin().read_exact(&mut payload).ok()?;
    Some(payload)
}

fn answer(payload: &[u8]) {
    write(&[&(payload.len() as u32).to_le_bytes(), payload].concat());
}

/// The other end may be gone: then this is over as well.
fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn forever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}
