//! Bytes to a value.

use alloy_primitives::U256;

use super::layout::{self, Count, Elements, Span};
use super::{Bits, DecodeError, Value};
use crate::types::{Kind, Type};

/// Decodes a value of type `ty` from all of `bytes`.
///
/// Takes time and memory in proportion to `bytes`, whatever they claim.
///
/// # Errors
///
/// If the bytes are not what [`encode`](super::encode) gives for some value of the type: the first place where they
/// are not, and the rule that they break.
pub fn decode(ty: &Type, bytes: &[u8]) -> Result<Value, DecodeError> {
    decode_span(ty, Span::whole(bytes))
}

fn decode_span(ty: &Type, span: Span<'_>) -> Result<Value, DecodeError> {
    match ty.kind() {
        Kind::Boolean => {
            span.expect_size(1)?;
            layout::boolean(span, 0).map(Value::Boolean)
        }
        Kind::Byte => uint(span, 1),
        Kind::Uint { size } => uint(span, *size),
        Kind::BitVector { length } => {
            layout::bit_vector(span, *length)?;
            Ok(Value::Bits(Bits { bytes: span.bytes.to_vec(), length: *length }))
        }
        Kind::BitList { limit } => bit_list(span, Count::AtMost(*limit)),
        Kind::ProgressiveBitList => bit_list(span, Count::Any),
        Kind::ByteVector { length } => {
            span.expect_size(*length)?;
            Ok(Value::Bytes(span.bytes.to_vec()))
        }
        Kind::ByteList { limit } => {
            Count::AtMost(*limit).check(span, span.bytes.len())?;
            Ok(Value::Bytes(span.bytes.to_vec()))
        }
        Kind::ProgressiveByteList => Ok(Value::Bytes(span.bytes.to_vec())),
        Kind::Vector { element, length } => sequence(element, span, Count::Exactly(*length)),
        Kind::List { element, limit } => sequence(element, span, Count::AtMost(*limit)),
        Kind::ProgressiveList { element } => sequence(element, span, Count::Any),
        Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => {
            if let Some(size) = ty.fixed_size() {
                span.expect_size(size)?;
            }
            let spans = layout::fields(fields, span)?;
            let decode_field = |(field, span): (&crate::types::Field, Span<'_>)| {
                decode_span(&field.ty, span).map_err(|error| error.in_field(&field.name))
            };
            fields.iter().zip(spans).map(decode_field).collect::<Result<_, _>>().map(Value::Container)
        }
        Kind::Union { options } => union(span, |selector| layout::union_option(options, selector)),
        Kind::CompatibleUnion { options } => {
            union(span, |selector| layout::compatible_option(options, selector))
        }
    }
}

fn uint(span: Span<'_>, size: usize) -> Result<Value, DecodeError> {
    span.expect_size(size)?;
    Ok(Value::Uint(U256::from_le_slice(span.bytes)))
}

fn bit_list(span: Span<'_>, count: Count) -> Result<Value, DecodeError> {
    let length = layout::bit_list(span, count)?;
    let mut bytes = span.bytes.to_vec();
    // the delimiter goes, and with it the byte that held nothing else
    bytes[length / 8] &= !(1 << (length % 8));
    bytes.truncate(length.div_ceil(8));
    Ok(Value::Bits(Bits { bytes, length }))
}

fn sequence(element: &Type, span: Span<'_>, count: Count) -> Result<Value, DecodeError> {
    let decode_element = |(index, span): (usize, Result<Span<'_>, DecodeError>)| {
        decode_span(element, span?).map_err(|error| error.in_element(index))
    };
    match element.fixed_size() {
        Some(size) => {
            let length = layout::fixed_elements(span, size, count)?;
            if element.is_basic() {
                if *element.kind() == Kind::Boolean {
                    (0..length).try_for_each(|at| match layout::boolean(span, at) {
                        Ok(_) => Ok(()),
                        Err(error) => Err(error.in_element(at)),
                    })?;
                }
                return Ok(Value::Packed(span.bytes.to_vec()));
            }
            let spans = (0..length).map(|index| Ok(span.cut(index * size, (index + 1) * size)));
            spans.enumerate().map(decode_element).collect::<Result<_, _>>().map(Value::Sequence)
        }
        None => {
            let elements = Elements::new(span, count)?;
            elements.enumerate().map(decode_element).collect::<Result<_, _>>().map(Value::Sequence)
        }
    }
}

fn union<'t>(span: Span<'_>, find: impl Fn(u8) -> Option<Option<&'t Type>>) -> Result<Value, DecodeError> {
    let (selector, option) = layout::union(span, find)?;
    let value = match option {
        None => None,
        Some((ty, rest)) => Some(Box::new(decode_span(ty, rest)?)),
    };
    Ok(Value::Union(selector, value))
}
