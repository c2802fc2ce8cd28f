//! A value to bytes.

use ::ssz::{BYTES_PER_LENGTH_OFFSET, SszEncoder};
use alloy_primitives::U256;

use super::{Value, layout};
use crate::types::{Kind, Type};

/// A value that is not of the type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the value is not of type {0}")]
pub struct Mismatch(String);

/// Encodes a value of type `ty`.
///
/// # Errors
///
/// If the value is of another type. A value that [`decode`](super::decode) or [`ValueSeed`](super::ValueSeed) gave for
/// the type never is.
pub fn encode(ty: &Type, value: &Value) -> Result<Vec<u8>, Mismatch> {
    let mut bytes = Vec::new();
    append(ty, value, &mut bytes)?;
    Ok(bytes)
}

fn append(ty: &Type, value: &Value, bytes: &mut Vec<u8>) -> Result<(), Mismatch> {
    let mismatch = || Err(Mismatch(ty.to_string()));
    match (ty.kind(), value) {
        (Kind::Boolean, Value::Boolean(value)) => bytes.push((*value).into()),
        (Kind::Byte, Value::Uint(value)) => append_uint(value, 1, bytes),
        (Kind::Uint { size }, Value::Uint(value)) => append_uint(value, *size, bytes),
        (Kind::BitVector { length }, Value::Bits(bits)) if bits.len() == *length => {
            bytes.extend_from_slice(bits.as_bytes())
        }
        (Kind::BitList { .. } | Kind::ProgressiveBitList, Value::Bits(bits)) => {
            bytes.extend(bits.delimited())
        }
        (Kind::ByteVector { length }, Value::Bytes(value)) if value.len() == *length => {
            bytes.extend_from_slice(value)
        }
        (Kind::ByteList { .. } | Kind::ProgressiveByteList, Value::Bytes(value)) => {
            bytes.extend_from_slice(value)
        }
        (
            Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element },
            Value::Packed(packed),
        ) if element.is_basic() => bytes.extend_from_slice(packed),
        (
            Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element },
            Value::Sequence(values),
        ) if !element.is_basic() => {
            return append_parts(
                values.iter().map(|value| (element, value)),
                values.len() * element.size_in_parent(),
                bytes,
            );
        }
        (
            Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. },
            Value::Container(values),
        ) if fields.len() == values.len() => {
            let fixed_part = fields.iter().map(|field| field.ty.size_in_parent()).sum();
            return append_parts(fields.iter().map(|field| &field.ty).zip(values), fixed_part, bytes);
        }
        (Kind::Union { options }, Value::Union(selector, value)) => {
            return append_union(
                ty,
                layout::union_option(options, *selector),
                *selector,
                value.as_deref(),
                bytes,
            );
        }
        (Kind::CompatibleUnion { options }, Value::Union(selector, value)) => {
            return append_union(
                ty,
                layout::compatible_option(options, *selector),
                *selector,
                value.as_deref(),
                bytes,
            );
        }
        _ => return mismatch(),
    }
    Ok(())
}

fn append_uint(value: &U256, size: usize, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&value.as_le_slice()[..size]);
}

/// The parts of a container or sequence: those of fixed size in place, the others behind offsets.
fn append_parts<'v>(
    parts: impl Iterator<Item = (&'v Type, &'v Value)>,
    fixed_part: usize,
    bytes: &mut Vec<u8>,
) -> Result<(), Mismatch> {
    debug_assert_eq!(BYTES_PER_LENGTH_OFFSET, 4);
    let mut encoder = SszEncoder::container(bytes, fixed_part);
    let result = std::cell::Cell::new(Ok(()));
    for (ty, value) in parts {
        encoder.append_parameterized(ty.fixed_size().is_some(), |bytes| {
            if let Err(mismatch) = append(ty, value, bytes) {
                result.set(Err(mismatch));
            }
        });
    }
    encoder.finalize();
    result.into_inner()
}

fn append_union(
    ty: &Type,
    option: Option<Option<&Type>>,
    selector: u8,
    value: Option<&Value>,
    bytes: &mut Vec<u8>,
) -> Result<(), Mismatch> {
    bytes.push(selector);
    match (option, value) {
        (Some(Some(option)), Some(value)) => append(option, value, bytes),
        (Some(None), None) => Ok(()),
        _ => Err(Mismatch(ty.to_string())),
    }
}
