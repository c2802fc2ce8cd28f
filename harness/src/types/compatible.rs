//! Which types may share a union: those of the same tree ([EIP-8016], compatible Merkleization).
//!
//! [EIP-8016]: https://eips.ethereum.org/EIPS/eip-8016

use super::{Field, Kind, Type, TypeError};

/// Every option against every other.
pub(super) fn check_options(options: &[(u8, Type)]) -> Result<(), TypeError> {
    for (at, (selector, ty)) in options.iter().enumerate() {
        for (earlier, earlier_ty) in &options[..at] {
            compatible(earlier_ty, ty)
                .map_err(|why| TypeError::UnionIncompatible(*earlier, *selector, why))?;
        }
    }
    Ok(())
}

/// Says where two types part, if they do.
fn compatible(a: &Type, b: &Type) -> Result<(), String> {
    if a == b {
        return Ok(());
    }
    match (a.kind(), b.kind()) {
        (Kind::Byte, Kind::Uint { size: 1 }) | (Kind::Uint { size: 1 }, Kind::Byte) => Ok(()),
        (Kind::ByteVector { length: bytes }, Kind::Vector { element, length })
        | (Kind::Vector { element, length }, Kind::ByteVector { length: bytes })
            if bytes == length =>
        {
            compatible(&Type::byte(), element)
        }
        (Kind::ByteList { limit: bytes }, Kind::List { element, limit })
        | (Kind::List { element, limit }, Kind::ByteList { limit: bytes })
            if bytes == limit =>
        {
            compatible(&Type::byte(), element)
        }
        (Kind::ProgressiveByteList, Kind::ProgressiveList { element })
        | (Kind::ProgressiveList { element }, Kind::ProgressiveByteList) => {
            compatible(&Type::byte(), element)
        }
        (Kind::Vector { element: a, length: n }, Kind::Vector { element: b, length: m }) if n == m => {
            compatible(a, b)
        }
        (Kind::List { element: a, limit: n }, Kind::List { element: b, limit: m }) if n == m => {
            compatible(a, b)
        }
        (Kind::ProgressiveList { element: a }, Kind::ProgressiveList { element: b }) => compatible(a, b),
        (Kind::Container { fields: a }, Kind::Container { fields: b }) => same_fields(a, b),
        (
            Kind::ProgressiveContainer { active_fields: a_active, fields: a },
            Kind::ProgressiveContainer { active_fields: b_active, fields: b },
        ) => same_positions(&positions(a_active, a), &positions(b_active, b)),
        (Kind::CompatibleUnion { options: a }, Kind::CompatibleUnion { options: b }) => {
            a.iter().try_for_each(|(_, a)| b.iter().try_for_each(|(_, b)| compatible(a, b)))
        }
        _ => Err(format!("{a} and {b} have different trees")),
    }
}

fn same_fields(a: &[Field], b: &[Field]) -> Result<(), String> {
    if a.len() != b.len() {
        return Err(format!("{} fields and {} fields", a.len(), b.len()));
    }
    a.iter().zip(b).try_for_each(|(a, b)| same_field(a, b))
}

fn same_field(a: &Field, b: &Field) -> Result<(), String> {
    if a.name != b.name {
        return Err(format!("field {} stands where {} does", a.name, b.name));
    }
    compatible(&a.ty, &b.ty).map_err(|why| format!("field {}: {why}", a.name))
}

/// Each position of a progressive container with the field that it holds.
fn positions<'t>(active: &[bool], fields: &'t [Field]) -> Vec<Option<&'t Field>> {
    let mut fields = fields.iter();
    active.iter().map(|&active| if active { fields.next() } else { None }).collect()
}

/// A position that both hold is the same field; a name that both have stands at one position.
fn same_positions(a: &[Option<&Field>], b: &[Option<&Field>]) -> Result<(), String> {
    for (position, field) in a.iter().enumerate() {
        let Some(field) = field else { continue };
        if let Some(other) = b.get(position).copied().flatten() {
            same_field(field, other)?;
        }
        let elsewhere = b.iter().position(|other| other.is_some_and(|other| other.name == field.name));
        if elsewhere.is_some_and(|elsewhere| elsewhere != position) {
            return Err(format!("field {} stands at two positions", field.name));
        }
    }
    Ok(())
}
