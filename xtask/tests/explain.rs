//! `cargo xtask explain` as its users run it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use spec_vectors::{Filter, Item, Source};
use tempfile::TempDir;

struct Outcome {
    status: i32,
    stdout: String,
    stderr: String,
}

fn explain(arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("explain").args(arguments).output().unwrap();
    Outcome {
        status: output.status.code().expect("it exits"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file of the corpus, compressed as it is there, and the root that goes with it.
fn state(folder: &TempDir) -> (PathBuf, String) {
    let only = |name: &str| vec![name.to_owned()];
    let filter = Filter {
        presets: only("minimal"),
        forks: only("electra"),
        handlers: only("BeaconState"),
        ..Filter::default()
    };
    let mut found = None;
    Source::embedded().walk(&filter, &mut |item| {
        if let Item::Case(case) = item {
            let roots = case.read_text("roots.yaml").unwrap();
            found = Some((case.read("serialized.ssz_snappy").unwrap().into_owned(), roots));
        }
    });
    let (bytes, roots) = found.expect("the corpus has a state");
    let path = folder.path().join("state.ssz_snappy");
    fs::write(&path, bytes).unwrap();
    let at = roots.find("0x").unwrap();
    (path, roots[at..at + 66].to_owned())
}

#[test]
fn a_part_of_a_state_is_shown_with_its_proof_and_root() {
    let folder = TempDir::new().unwrap();
    let (path, root) = state(&folder);
    let arguments = ["--type", "electra.BeaconState", "--preset", "minimal", path.to_str().unwrap()];
    let whole = explain(&arguments);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    assert!(whole.stdout.contains(&format!("root               {root}")), "{}", whole.stdout);
    let part = explain(&[&arguments[..], &["--path", "finalized_checkpoint.root"]].concat());
    assert_eq!(part.status, 0, "{}", part.stderr);
    // FINALIZED_ROOT_GINDEX_ELECTRA
    assert!(part.stdout.contains("generalized index  169, level 7"), "{}", part.stdout);
    assert_eq!(part.stdout.matches("branch ").count(), 7, "{}", part.stdout);
    assert!(part.stdout.contains(&root), "{}", part.stdout);
}

#[test]
fn another_familys_root_is_shown_as_such() {
    let folder = TempDir::new().unwrap();
    let (path, root) = state(&folder);
    let arguments = ["--type", "electra.BeaconState", "--preset", "minimal", path.to_str().unwrap()];
    let other = explain(&[&arguments[..], &["--family", "keccak256"]].concat());
    assert_eq!(other.status, 0, "{}", other.stderr);
    assert!(other.stdout.contains("\nroot               0x"), "{}", other.stdout);
    assert!(!other.stdout.contains(&root), "{}", other.stdout);
    assert!(other.stdout.ends_with("family             keccak256, NOT CONSENSUS\n"), "{}", other.stdout);
    let unknown = explain(&[&arguments[..], &["--family", "md5"]].concat());
    assert_eq!(unknown.status, 2, "{}", unknown.stderr);
}

#[test]
fn bad_bytes_are_shown_where_they_are_bad() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("list.ssz");
    fs::write(&path, [1, 0, 2, 0, 3]).unwrap();
    let outcome = explain(&["--type", "List[uint16, 4]", path.to_str().unwrap()]);
    assert_eq!(outcome.status, 1, "{}", outcome.stderr);
    let expected =
        "list.ssz: at byte 4: 5 bytes do not divide into elements of 2\n00000000   01  00  02  00 [03]\n";
    assert!(outcome.stderr.ends_with(expected), "{}", outcome.stderr);
}

#[test]
fn wrong_use_is_told_from_bad_bytes() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("list.ssz");
    fs::write(&path, [1, 0, 2, 0]).unwrap();
    let path = path.to_str().unwrap();
    let deep = format!("{}uint8{}", "List[".repeat(1000), ", 4]".repeat(1000));
    let wrong = [
        (&["--type", "electra.Spoon", path][..], "unknown type Spoon"),
        (&["--type", "zuse.Fork", path], "unknown fork zuse"),
        (&["--type", "List[uint16", path], "expected"),
        (&["--type", &deep, path], "nest"),
        (&["--type", "List[uint16, 4]", "no/such/file"], "no/such/file: cannot be read"),
        (&["--type", "List[uint16, 4]", path, "--path", "x"], "expected a position"),
        (
            &["--type", "List[uint16, 4]", path, "--path", "[3]"],
            "there is no [3] in the value: it has 2 positions",
        ),
        (&["--type", "List[uint16, 4]", path, "--path", "[3"], "is no path"),
    ];
    for (arguments, expected) in wrong {
        let outcome = explain(arguments);
        assert_eq!(outcome.status, 2, "{arguments:?}: {}{}", outcome.stdout, outcome.stderr);
        assert!(outcome.stderr.contains(expected), "expected {expected} in {}", outcome.stderr);
    }
}
