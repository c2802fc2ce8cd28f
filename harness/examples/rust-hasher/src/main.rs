//! The hasher as a program, for `cargo xtask certify --hasher-command`.

#![forbid(unsafe_code)]

use std::io::{Result, stdin, stdout};

fn main() -> Result<()> {
    pair_hashers::foreign::serve(&rust_hasher::Mine, stdin().lock(), stdout().lock())
}
