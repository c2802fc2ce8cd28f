//! `ssz_json`: the JSON form of values, strictly one form for each.

use alloy_primitives::{U256, hex};
use serde::de::DeserializeSeed;
use serde_json::Value as Json;

use super::{Attempt, Failure, Refusal, Subject, values};
use crate::ssz::{Rule, ValueSeed, decode, encode, first_difference};
use crate::types::{Kind, Type};

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
        Err(error) => return Ok(Err(Refusal::new(fault(ty, &document), error))),
    };
    // the reader also takes what other vectors write: here only the one form counts
    let written = values::write(ty, &read).unwrap_or(Json::Null);
    if written == document {
        return Ok(Ok(()));
    }
    Ok(Err(Refusal::new(fault(ty, &document), format_args!("the form of this value is {written}"))))
}

/// The first thing that is wrong with a document, in the words of ssz-specs.
fn fault(ty: &Type, json: &Json) -> Option<&'static str> {
    match ty.kind() {
        Kind::Boolean => (!json.is_boolean()).then_some("ELEMENT_KIND"),
        Kind::Uint { size } => uint_fault(json, *size),
        Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => {
            let Json::Object(found) = json else { return Some("STRUCT_NOT_AN_OBJECT") };
            if fields.iter().any(|field| !found.contains_key(&field.name)) {
                return Some("MISSING_FIELD");
            }
            if found.len() > fields.len() {
                return Some("UNDECLARED_FIELD");
            }
            fields.iter().find_map(|field| fault(&field.ty, &found[&field.name]))
        }
        Kind::Vector { element, .. } => elements_fault(element, json, u64::MAX),
        Kind::List { element, limit } => elements_fault(element, json, *limit),
        Kind::ProgressiveList { element } => elements_fault(element, json, u64::MAX),
        Kind::Union { .. } | Kind::CompatibleUnion { .. } => {
            let Json::Object(found) = json else { return Some("ELEMENT_KIND") };
            let (Some(selector), Some(data)) = (found.get("selector"), found.get("data")) else {
                return Some("MISSING_FIELD");
            };
            let Some(selector) = selector.as_str() else { return Some("ELEMENT_KIND") };
            match selector.parse().ok().and_then(|selector| ty.option(selector)) {
                None => Some("UNDECLARED_SELECTOR"),
                Some(option) => option.and_then(|option| fault(option, data)),
            }
        }
        _ => hex_fault(ty, json),
    }
}

fn elements_fault(element: &Type, json: &Json, limit: u64) -> Option<&'static str> {
    let Json::Array(found) = json else { return Some("ELEMENT_KIND") };
    if found.len() as u64 > limit {
        return Some("OVER_LIMIT");
    }
    found.iter().find_map(|json| fault(element, json))
}

fn uint_fault(json: &Json, size: usize) -> Option<&'static str> {
    let Some(text) = json.as_str() else { return Some("ELEMENT_KIND") };
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some("ELEMENT_KIND");
    }
    let in_range = U256::from_str_radix(text, 10).is_ok_and(|number| number.bit_len() <= size * 8);
    if in_range { None } else { Some("UINT_RANGE") }
}

fn hex_fault(ty: &Type, json: &Json) -> Option<&'static str> {
    let Some(text) = json.as_str() else { return Some("ELEMENT_KIND") };
    let Some(digits) = text.strip_prefix("0x") else { return Some("HEX_PREFIX") };
    let Ok(bytes) = hex::decode(digits) else { return Some("HEX_DIGITS") };
    match decode(ty, &bytes).err()?.rule() {
        Rule::Limit { .. } => Some("OVER_LIMIT"),
        Rule::Padding(_) => Some("BITFIELD_PADDING"),
        Rule::Empty => Some("BITFIELD_DELIMITER"),
        Rule::NoDelimiter if bytes.iter().any(|&byte| byte != 0) => Some("BITFIELD_TRAILING_ZEROS"),
        Rule::NoDelimiter => Some("BITFIELD_DELIMITER"),
        _ => Some("HEX_LENGTH"),
    }
}
