//! `ssz`: bytes, the value that they encode, and its root; or bytes that are to be refused.

use super::super::oracle::Object;
use super::super::value::{self, Written};
use super::{Attempt, Failure, Refusal, Subject, reasons, values};
use crate::ssz::decode;

pub(super) fn valid(subject: &mut Subject<'_, '_>) -> Result<(), Failure> {
    let ty = subject.legal_type()?;
    let bytes = subject.fields.bytes("serialized")?;
    let root = subject.fields.root("root")?;
    let written = match subject.fields.take("value") {
        Some(json) => Some(
            values::read(&ty, &json).map_err(|error| subject.fields.failure(&format!("value: {error}")))?,
        ),
        None => None,
    };
    let written = written.map(|value| Written { value, part: "value" });
    let object = Object { ty: &ty, bytes: &bytes, progressive: subject.progressive };
    value::check(object, written, Some(root), subject.bench, &mut subject.findings.failures);
    Ok(())
}

pub(super) fn invalid(subject: &mut Subject<'_, '_>) -> Result<Attempt, Failure> {
    let bytes = subject.fields.bytes("serialized")?;
    // of older generations: the bytes again, no root, and a value that only shows the type
    if subject
        .fields
        .take("rawBytes")
        .is_some_and(|raw| super::fields::parse_hex(raw.as_str().unwrap_or_default()) != Some(bytes.clone()))
    {
        return Err(subject.fields.failure("rawBytes is not serialized"));
    }
    subject.fields.take("root");
    subject.fields.take("value");
    let ty = match std::mem::replace(&mut subject.ty, Err(Refusal::new(None, ""))) {
        Ok(ty) => ty,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if subject.bench.computes_root(&ty, &bytes) {
        subject.findings.failures.push(Failure::new(format!("has a root as {ty}, but is invalid")));
    }
    Ok(match decode(&ty, &bytes) {
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::new(reasons::of_rule(error.rule()), error)),
    })
}
