//! `ssz_generic/<handler>/valid` and `/invalid`: types of every kind, and what must be refused. The type is in the name.

use spec_vectors::Case;

use super::parts::Parts;
use super::ssz_static::check_value;
use super::times::timed;
use super::{Bench, Failure, Stop};
use crate::schema::{self, SchemaError, Selection};
use crate::ssz::decode;
use crate::types::Type;

/// The definitions that names of containers are looked up in.
const SCOPE: (&str, &str) = ("general", "ssz_generic");

pub(super) fn check(
    case: &Case,
    selection: &Selection,
    parts: &mut Parts<'_>,
    bench: &mut Bench<'_>,
    failures: &mut Vec<Failure>,
) -> Result<(), Stop> {
    let text = type_text(selection, &case.id.handler, &case.id.name)?;
    let ty = schema::read_type(selection, SCOPE.0, SCOPE.1, &text);
    match (case.id.suite.as_str(), ty) {
        ("valid", Ok(ty)) => {
            let root = parts.root("meta.yaml", &[])?;
            check_value(parts, &ty, root, selection.progressive(), bench, failures)
        }
        ("invalid", Ok(ty)) => Ok(check_refused(parts, &ty, bench, failures)?),
        // a type that cannot be made refuses everything
        ("invalid", Err(SchemaError::Illegal { .. })) => Ok(parts.ssz("serialized").map(drop)?),
        ("valid" | "invalid", Err(error)) => Err(Stop::from_schema(&error)),
        (suite, _) => Err(Stop::Failed(Failure::new(format!(
            "unknown suite {suite}: add what has to hold to harness/src/check/ssz_generic.rs"
        )))),
    }
}

/// That neither the decoder nor the Merkle tree takes the bytes.
fn check_refused(
    parts: &mut Parts<'_>,
    ty: &Type,
    bench: &mut Bench<'_>,
    failures: &mut Vec<Failure>,
) -> Result<(), Failure> {
    let bytes = parts.ssz("serialized")?;
    if timed(&mut bench.times.decoding, || decode(ty, &bytes)).is_ok() {
        failures.push(Failure::new(format!("decodes as {ty}, but is invalid")));
    }
    if bench.computes_root(ty, &bytes) {
        failures.push(Failure::new(format!("has a root as {ty}, but is invalid")));
    }
    Ok(())
}

/// The type that a case's name names, in the schemas' notation. What follows it in the name describes the case.
fn type_text(selection: &Selection, handler: &str, name: &str) -> Result<String, Failure> {
    let words: Vec<_> = name.split('_').collect();
    let text = match (handler, words.as_slice()) {
        ("boolean", _) => Some("boolean".into()),
        ("uints", ["uint", bits, ..]) => Some(format!("uint{bits}")),
        ("basic_vector", ["vec", element, length, ..]) => Some(format!("Vector[{element}, {length}]")),
        ("basic_progressive_list", ["proglist", element, ..]) => Some(format!("ProgressiveList[{element}]")),
        ("bitvector", ["bitvec", length, ..]) => Some(format!("BitVector[{length}]")),
        // older releases name no limit here: whatever it is, the delimiter is missing
        ("bitlist", ["bitlist", "no", "delimiter", ..]) => Some(format!("BitList[{}]", u64::MAX)),
        ("bitlist", ["bitlist", limit, ..]) => Some(format!("BitList[{limit}]")),
        ("progressive_bitlist", ["progbitlist", ..]) => Some("ProgressiveBitList".into()),
        ("containers" | "progressive_containers" | "compatible_unions", [container, ..]) => {
            Some((*container).into())
        }
        (
            "uints"
            | "basic_vector"
            | "basic_progressive_list"
            | "bitvector"
            | "bitlist"
            | "progressive_bitlist",
            _,
        ) => None,
        _ => {
            let message = format!(
                "unknown handler {handler}: add how it names types to harness/src/check/ssz_generic.rs"
            );
            return Err(Failure::new(message));
        }
    };
    let known = selection.set();
    text.ok_or_else(|| {
        Failure::new(format!("the case's name gives no type of {handler}, as those of {known} do"))
    })
}
