//! Every available backend passes every check of `pair_hashers::testing`.
//!
//! What is unavailable is printed with its reason. `PAIR_HASHERS_REQUIRE`, names separated by commas, makes it a failure.

use pair_hashers::{backends, find, testing};

fn every_backend_passes(name: &str) {
    let check = testing::checks().iter().find(|check| check.name() == name).unwrap();
    for backend in backends() {
        match backend.hasher() {
            Ok(hasher) => check.run(hasher).unwrap(),
            Err(why) => println!("{} did not run: {why}", backend.name()),
        }
    }
}

#[test]
fn batch_sizes() {
    every_backend_passes("batch-sizes");
}

#[test]
fn lanes() {
    every_backend_passes("lanes");
}

#[test]
fn zeros_and_ones() {
    every_backend_passes("zeros-and-ones");
}

#[test]
fn contents() {
    every_backend_passes("contents");
}

#[test]
fn calls() {
    every_backend_passes("calls");
}

#[test]
fn alignments() {
    every_backend_passes("alignments");
}

#[cfg(unix)]
#[test]
fn guard_pages() {
    every_backend_passes("guard-pages");
}

#[cfg(panic = "unwind")]
#[test]
fn wrong_lengths() {
    every_backend_passes("wrong-lengths");
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn threads() {
    every_backend_passes("threads");
}

#[test]
fn required_backends_are_available() {
    let names = std::env::var("PAIR_HASHERS_REQUIRE").unwrap_or_default();
    for name in names.split(',').filter(|name| !name.is_empty()) {
        let backend = find(name).unwrap_or_else(|| panic!("no backend is named {name}"));
        if let Err(why) = backend.availability() {
            panic!("{name} is required: {why}");
        }
    }
}
