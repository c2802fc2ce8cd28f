//! Which part of a value a byte of its encoding belongs to.

use std::fmt;

use super::layout::{self, Count, Elements, Span};
use crate::types::{Kind, Type};

/// The innermost part that a byte belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytePlace {
    /// As in `body.attestations[3].data.slot`; empty for the value itself.
    pub path: String,
    /// Whether the byte is of the offset that points to that part, and not of the part.
    pub offset: bool,
}

impl fmt::Display for BytePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the value" } else { &self.path };
        if self.offset { write!(f, "the offset of {path}") } else { f.write_str(path) }
    }
}

/// The part of a value of type `ty` that the byte `at` of its encoding belongs to. In bytes that are no such encoding it
/// is the part in which they cease to be one.
pub fn part_at(ty: &Type, bytes: &[u8], at: usize) -> BytePlace {
    let mut path = String::new();
    let offset = find(ty, Span::whole(bytes), at, &mut path).is_some_and(|found| found == Found::Offset);
    BytePlace { path, offset }
}

#[derive(PartialEq)]
enum Found {
    Part,
    Offset,
}

/// Adds the steps to the byte `at` of the whole input. `None` where the bytes cannot be followed.
fn find(ty: &Type, span: Span<'_>, at: usize, path: &mut String) -> Option<Found> {
    match ty.kind() {
        Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => {
            let spans = layout::fields(fields, span).ok()?;
            let mut fixed = span.start;
            for (field, span) in fields.iter().zip(spans) {
                let dot = if path.is_empty() { "" } else { "." };
                let is_in = span.start <= at && at < span.start + span.bytes.len();
                let is_offset = field.ty.fixed_size().is_none() && (fixed..fixed + 4).contains(&at);
                if is_in || is_offset {
                    path.push_str(&format!("{dot}{}", field.name));
                    return if is_offset { Some(Found::Offset) } else { find(&field.ty, span, at, path) };
                }
                fixed += field.ty.size_in_parent();
            }
            None
        }
        Kind::Vector { element, length } => find_element(element, Count::Exactly(*length), span, at, path),
        Kind::List { element, limit } => find_element(element, Count::AtMost(*limit), span, at, path),
        Kind::ProgressiveList { element } => find_element(element, Count::Any, span, at, path),
        Kind::Union { .. } | Kind::CompatibleUnion { .. } if at > span.start => {
            let (selector, rest) = layout::union(span, |selector| ty.option(selector.into())).ok()?;
            let (option, rest) = rest?;
            path.push_str(&format!("[{selector}]"));
            find(option, rest, at, path)
        }
        _ => Some(Found::Part),
    }
}

fn find_element(element: &Type, count: Count, span: Span<'_>, at: usize, path: &mut String) -> Option<Found> {
    let from_start = at.checked_sub(span.start)?;
    if let Some(size) = element.fixed_size() {
        let index = from_start / size;
        path.push_str(&format!("[{index}]"));
        let end = span.bytes.len().min((index + 1) * size);
        return find(element, span.cut(end.min(index * size), end), at, path);
    }
    let elements = Elements::new(span, count).ok()?;
    if from_start < elements.len() * 4 {
        path.push_str(&format!("[{}]", from_start / 4));
        return Some(Found::Offset);
    }
    for (index, element_span) in elements.enumerate() {
        let element_span = element_span.ok()?;
        if at < element_span.start + element_span.bytes.len() {
            path.push_str(&format!("[{index}]"));
            return find(element, element_span, at, path);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn every_byte_is_named_by_its_part() {
        let ty = schema::read_type(&schema::select(None), "general", "ssz_generic", "VarTestStruct").unwrap();
        let lists = Type::list(ty.clone(), 4).unwrap();
        // A: 2 bytes, B: an offset, then two numbers, C: 1 byte
        let value = [1, 0, 7, 0, 0, 0, 9, 10, 0, 11, 0];
        let bytes = [vec![8, 0, 0, 0, 19, 0, 0, 0], value.to_vec(), value.to_vec()].concat();
        let named = |at| part_at(&lists, &bytes, at).to_string();
        assert_eq!(named(0), "the offset of [0]");
        assert_eq!(named(7), "the offset of [1]");
        assert_eq!(named(8), "[0].A");
        assert_eq!(named(9 + 11), "[1].A");
        assert_eq!(named(10), "the offset of [0].B");
        assert_eq!(named(14), "[0].C");
        assert_eq!(named(17), "[0].B[1]");
        assert_eq!(named(19 + 10), "[1].B[1]");
        let union =
            schema::read_type(&schema::select(None), "general", "ssz_generic", "CompatibleUnionA").unwrap();
        assert_eq!(part_at(&union, &[1, 5], 0).to_string(), "the value");
        assert_eq!(part_at(&union, &[1, 5], 1).to_string(), "[1].A");
        // past the end, and of what does not decode
        assert_eq!(part_at(&ty, &value, 11).path, "");
        assert_eq!(part_at(&ty, &[1], 0).path, "");
    }
}
