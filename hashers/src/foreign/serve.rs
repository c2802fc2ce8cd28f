//! The child's side of the protocol, for a hasher in Rust.

use std::io::{self, Read, Write};

use super::protocol::{CHECK, Hello, MOST_PAIRS, frame};
use crate::{Node, Pair, PairHasher};

/// Hashes for the process at the other end of `input` and `output`, until `input` ends. Also runs the
/// [checks](crate::testing::checks) that it is asked for, where the cargo feature `testing` is on.
///
/// A program whose whole `main` is `serve(&Mine, stdin().lock(), stdout().lock())` can be given to the harness as a
/// command; nothing else may write to its standard output.
///
/// # Errors
///
/// If the other end is gone in the midst of a message, or sends something else than the protocol has.
///
/// # Panics
///
/// If the hasher does: the other end is told of it by the process's end.
pub fn serve(hasher: &dyn PairHasher, mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut answer = |payload: &[u8]| {
        output.write_all(&frame(payload))?;
        output.flush()
    };
    let (name, family) = (hasher.name(), hasher.family());
    let name = name.strip_prefix(family.name()).and_then(|name| name.strip_prefix('/')).unwrap_or(name);
    let hello = Hello { family, name: name.into(), checks: cfg!(feature = "testing") };
    answer(hello.to_string().as_bytes())?;

    let (mut pairs, mut nodes) = (Vec::<Pair>::new(), Vec::<Node>::new());
    while let Some(length) = next_length(&mut input)? {
        if !length.is_multiple_of(size_of::<Pair>()) {
            let mut request = vec![0; length];
            input.read_exact(&mut request)?;
            answer(run_check(hasher, &request)?.as_bytes())?;
            continue;
        }
        pairs.resize(length / size_of::<Pair>(), [0; 64]);
        input.read_exact(pairs.as_flattened_mut())?;
        // what a hasher does not write is not to look like the nodes of an earlier batch
        nodes.clear();
        nodes.resize(pairs.len(), [0xa5; 32]);
        hasher.hash_pairs(&pairs, &mut nodes);
        answer(nodes.as_flattened())?;
    }
    Ok(())
}

/// The length of the next request, unless there is none.
fn next_length(input: &mut impl Read) -> io::Result<Option<usize>> {
    let mut bytes = [0; 4];
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u32::from_le_bytes(bytes) as usize;
    if length > MOST_PAIRS * size_of::<Pair>() {
        return Err(invalid(format!("a request of {length} bytes: expected at most {MOST_PAIRS} pairs")));
    }
    Ok(Some(length))
}

/// What a check finds; nothing if all is well.
fn run_check(hasher: &dyn PairHasher, request: &[u8]) -> io::Result<String> {
    let name = std::str::from_utf8(request).ok().and_then(|text| text.strip_prefix(CHECK));
    let name = name.ok_or_else(|| invalid(format!("a request of {} bytes is no pairs", request.len())))?;
    #[cfg(feature = "testing")]
    if let Some(check) = crate::testing::checks().iter().find(|check| check.name() == name) {
        return Ok(check.run(hasher).err().unwrap_or_default());
    }
    Err(invalid(format!("{} knows no check {name}", hasher.name())))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
