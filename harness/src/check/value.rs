//! What holds of every valid value: its bytes, its written form and its root belong together.

use pair_hashers::Node;

use super::oracle::Object;
use super::times::timed;
use super::{Bench, Failure};
use crate::ssz::{self, Value, decode, encode, first_difference};
use crate::types::Type;

/// A value as a part of the case writes it.
pub(super) struct Written {
    pub(super) value: Value,
    /// Which part.
    pub(super) part: &'static str,
}

/// Bytes decode to the written value, which encodes to the bytes; and every backend computes the root, which the vector may
/// give. Gives the root that was expected of them.
pub(super) fn check(
    object: Object<'_>,
    written: Option<Written>,
    root: Option<Node>,
    bench: &mut Bench<'_>,
    failures: &mut Vec<Failure>,
) -> Option<Node> {
    let Object { ty, bytes, .. } = object;
    let decoded = match timed(&mut bench.times.decoding, || decode(ty, bytes)) {
        Ok(decoded) => Some(decoded),
        Err(error) => {
            failures.push(Failure::new(format!("does not decode: {error}")));
            None
        }
    };
    if let (Some(decoded), Some(Written { value, part })) = (&decoded, &written)
        && let Some(difference) = timed(&mut bench.times.decoding, || first_difference(ty, decoded, value))
    {
        failures.push(Failure::new(format!("the decoded value is not that of {part}: {difference}")));
    }
    let mut expected = None;
    if decoded.is_some() {
        match bench.compare_roots(object, root, failures) {
            Ok(root) => expected = Some(root),
            Err(failure) => failures.push(failure),
        }
    }
    let encoded = match (&written, &decoded) {
        (Some(Written { value, part }), _) => Some((value, *part)),
        (None, decoded) => decoded.as_ref().map(|value| (value, "the decoded bytes")),
    };
    let (value, part) = encoded?;
    match timed(&mut bench.times.decoding, || encode(ty, value)) {
        Ok(encoded) if encoded == bytes => {}
        Ok(encoded) => failures.push(Failure::new(bytes_differ(ty, part, &encoded, bytes))),
        Err(error) => failures.push(Failure::new(format!("does not encode: {error}"))),
    }
    expected
}

fn bytes_differ(ty: &Type, part: &str, encoded: &[u8], serialized: &[u8]) -> String {
    let at = encoded.iter().zip(serialized).position(|(a, b)| a != b);
    let what = match at {
        Some(at) => {
            let place = ssz::part_at(ty, encoded, at);
            format!("in {place}, at byte {at}: {:#04x}, expected {:#04x}", encoded[at], serialized[at])
        }
        None => format!("in size: {} bytes, expected {}", encoded.len(), serialized.len()),
    };
    format!("the value of {part} does not encode to the same bytes: they differ {what}")
}
