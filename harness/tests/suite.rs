//! Suites that have to fail, and one that has not: this target starts itself as each of them.

use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use pair_hashers::{Family, Node, Pair, PairHasher, auto};
use ssz_conformance::runner::suite::Suite;

/// Says which suite to be.
const VARIABLE: &str = "TEST_SUITE";

fn main() -> ExitCode {
    match std::env::var(VARIABLE).as_deref() {
        Err(_) => libtest_mimic::run(&Arguments::from_args(), trials()).exit_code(),
        Ok("right") => Suite::only(&[&Mine { wrong: false }]).require("sha256/mine").main(),
        Ok("wrong") => Suite::built_in().with(&[&Mine { wrong: true }]).main(),
        Ok("twice") => Suite::built_in().with(&[&Mine { wrong: false }, &Mine { wrong: false }]).main(),
        Ok("built-in") => Suite::built_in().main(),
        Ok("mixed") => Suite::of(Family::Keccak256).with(&[&Mine { wrong: false }]).main(),
        Ok("required") => {
            Suite::built_in().without("sha256/mine", "for another CPU").require("sha256/mine").main()
        }
        Ok("without") => Suite::built_in().without("sha256/mine", "for another CPU").main(),
        Ok(other) => panic!("there is no suite {other}"),
    }
}

fn trials() -> Vec<Trial> {
    let trial = |suite: &'static str, succeeds: bool, says: &'static [&'static str]| {
        Trial::test(suite, move || expect(suite, succeeds, says))
    };
    vec![
        trial(
            "right",
            true,
            &["test agreement/sha256/mine/threads ... ok", "test backend/sha256/mine ... ok", "0 failed"],
        ),
        trial(
            "wrong",
            false,
            &["sha256/mine: batch-sizes: batch of 3", "Checkpoint", "sha256/mine: the root differs"],
        ),
        trial("twice", false, &["two hashers are named sha256/mine"]),
        trial("mixed", false, &["sha256/mine is of sha256: expected a hasher of keccak256"]),
        Trial::test("other-family", || {
            expect_with(
                &[("CONFORMANCE_FAMILY", "keccak256")],
                "built-in",
                true,
                &[
                    "NOT CONSENSUS: these roots are of keccak256",
                    "test backend/keccak256/portable ... ok",
                    "test keccak256/minimal/electra/ssz_static/Checkpoint/ssz_random/case_5 ... ok",
                    "0 failed",
                ],
            )
        }),
        Trial::test("no-such-family", || {
            let says =
                ["CONFORMANCE_FAMILY is md5: there is no such family: expected one of sha256, keccak256"];
            expect_with(&[("CONFORMANCE_FAMILY", "md5")], "built-in", false, &says)
        }),
        trial("required", false, &["test backend/sha256/mine ... FAILED", "for another CPU"]),
        trial("without", true, &["test backend/sha256/mine ... ignored", "0 failed"]),
    ]
}

/// Runs a suite on what is enough to see it fail.
fn expect(suite: &str, succeeds: bool, says: &[&str]) -> Result<(), Failed> {
    expect_with(&[], suite, succeeds, says)
}

/// The same, with these variables.
fn expect_with(variables: &[(&str, &str)], suite: &str, succeeds: bool, says: &[&str]) -> Result<(), Failed> {
    let output = Command::new(std::env::current_exe()?)
        .args([
            "--skip",
            "backend/sha256/neon",
            "--skip",
            "mainnet/",
            "--skip",
            "State",
            "--skip",
            "general/",
        ])
        .env(VARIABLE, suite)
        .envs(variables.iter().copied())
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let said = said
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
        .collect::<String>();
    if output.status.success() != succeeds {
        return Err(format!("{}\n{said:.4000}", output.status).into());
    }
    let missing: Vec<_> = says.iter().filter(|text| !said.contains(**text)).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("{missing:?} are missing from\n{said:.4000}").into())
    }
}

/// Right, or wrong in the third of some pairs.
struct Mine {
    wrong: bool,
}

impl PairHasher for Mine {
    fn name(&self) -> &str {
        "sha256/mine"
    }

    fn family(&self) -> Family {
        Family::Sha256
    }

    fn hash_pairs(&self, pairs: &[Pair], nodes: &mut [Node]) {
        auto(Family::Sha256).hash_pairs(pairs, nodes);
        if let (true, [_, _, third, ..]) = (self.wrong, nodes) {
            third[0] ^= 1;
        }
    }
}
