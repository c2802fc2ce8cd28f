//! `ssz_json`: the JSON form of values, strictly one form for each.

use serde_json::Value as Json;

use super::{Attempt, Failure, Refusal, Subject, values};
use crate::ssz::{ValueSeed, decode, encode, first_difference};
use serde::de::DeserializeSeed;

pub(super) fn valid(subject: &mut Subject<'_, '_>) -> Result<(), Failure> {
    let ty = subject.legal_type()?;
    let document = subject.fields.need("document")?;
    let bytes = subject.fields.bytes("serialized")?;
    let only_written = subject.fields.take("notReadBack").is_some();
    let failures = &mut subject.findings.failures;
    let decoded = match decode(&ty, &bytes) {
        Ok(decoded) => decoded,
        Err(error) => {
            failures.push(Failure::new(format!("does not decode: {error}")));
            return Ok(());
        }
    };
    match values::write(&ty, &decoded) {
        Ok(written) if written == document => {}
        Ok(written) => {
            failures.push(Failure::new(format!("the value is written as {written}, expected {document}")))
        }
        Err(error) => failures.push(Failure::new(error)),
    }
    if only_written {
        return Ok(());
    }
    match ValueSeed(&ty).deserialize(&document) {
        Ok(read) => {
            if let Some(difference) = first_difference(&ty, &decoded, &read) {
                failures
                    .push(Failure::new(format!("the decoded value is not that of document: {difference}")));
            }
            if encode(&ty, &read).ok().as_deref() != Some(&bytes) {
                failures.push(Failure::new("the value of document does not encode to serialized"));
            }
        }
        Err(error) => failures.push(Failure::new(format!("the document is not read: {error}"))),
    }
    Ok(())
}

pub(super) fn invalid(subject: &mut Subject<'_, '_>) -> Result<Attempt, Failure> {
    let document = subject.fields.need("document")?;
    subject.fields.take("serialized");
    let ty = match &subject.ty {
        Ok(ty) => ty,
        Err(refusal) => return Ok(Err(Refusal::new(refusal.reason, &refusal.message))),
    };
    let read = match ValueSeed(ty).deserialize(&document) {
        Ok(read) => read,
        Err(error) => return Ok(Err(Refusal::new(None, error))),
    };
    // the reader also takes what other vectors write: here only the one form counts
    let written = values::write(ty, &read).unwrap_or(Json::Null);
    if written == document {
        return Ok(Ok(()));
    }
    Ok(Err(Refusal::new(None, format_args!("the form of this value is {written}"))))
}
