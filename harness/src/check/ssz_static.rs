//! `ssz_static/<Type>/<suite>`: an object of a fork, its encoding, its value and its root.

use pair_hashers::Node;
use spec_vectors::Case;

use super::oracle::Object;
use super::parts::Parts;
use super::value::{self, Written};
use super::{Bench, Failure, Stop};
use crate::schema::{self, Progressive, Selection};
use crate::ssz::Value;
use crate::types::Type;

/// The ways in which the generators choose values; none changes what is to hold.
const SUITES: [&str; 7] =
    ["ssz_random", "ssz_zero", "ssz_max", "ssz_nil", "ssz_one", "ssz_lengthy", "ssz_random_chaos"];

pub(super) fn check(
    case: &Case,
    selection: &Selection,
    parts: &mut Parts<'_>,
    bench: &mut Bench<'_>,
    failures: &mut Vec<Failure>,
) -> Result<(), Stop> {
    let id = &case.id;
    if !SUITES.contains(&id.suite.as_str()) {
        let message =
            format!("unknown suite {}: add it to SUITES in harness/src/check/ssz_static.rs", id.suite);
        return Err(Stop::Failed(Failure::new(message)));
    }
    let ty = schema::find_type(selection, &id.preset, &id.fork, &id.handler)
        .map_err(|error| Stop::from_schema(&error))?;
    // the signing root of releases before v0.10 is a root of a part
    let root = parts.root("roots.yaml", &["signing_root"])?;
    check_value(parts, &ty, root, selection.progressive(), bench, failures)
}

/// What holds of every valid value: bytes, value and root belong together.
pub(super) fn check_value(
    parts: &mut Parts<'_>,
    ty: &Type,
    root: Node,
    progressive: Progressive,
    bench: &mut Bench<'_>,
    failures: &mut Vec<Failure>,
) -> Result<(), Stop> {
    const YAML: &str = "value.yaml";
    let bytes = parts.ssz("serialized")?;
    let value = parts.parse(YAML, |text| Value::from_yaml(ty, text))?;
    let object = Object { ty, bytes: &bytes, progressive };
    value::check(object, Some(Written { value, part: YAML }), Some(root), bench, failures);
    Ok(())
}
