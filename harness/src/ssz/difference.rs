//! Where two values of one type part.

use std::fmt;

use super::{Shown, Value};
use crate::types::{Kind, Type};

/// The first part in which two values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// As in `body.attestations[3].data.slot`; empty for the value itself.
    pub path: String,
    /// The part in the first value, as text.
    pub first: String,
    /// The part in the second value, as text.
    pub second: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the value" } else { &self.path };
        write!(f, "{path} is {} and {}", self.first, self.second)
    }
}

/// Finds the first part in which two values of type `ty` differ, in the order of the encoding.
pub fn first_difference(ty: &Type, first: &Value, second: &Value) -> Option<Difference> {
    if first == second {
        return None;
    }
    Some(find(ty, first, second, String::new()))
}

fn find(ty: &Type, first: &Value, second: &Value, path: String) -> Difference {
    let nested =
        |ty, (first, second): (&Value, &Value), step: &str| find(ty, first, second, format!("{path}{step}"));
    match (ty.kind(), first, second) {
        (
            Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element },
            Value::Sequence(a),
            Value::Sequence(b),
        ) => {
            if let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) {
                return nested(element, (&a[at], &b[at]), &format!("[{at}]"));
            }
            lengths(path, a.len(), b.len())
        }
        (
            Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element },
            Value::Packed(a),
            Value::Packed(b),
        ) => {
            let size = element.size_in_parent();
            let mut pairs = a.chunks_exact(size).zip(b.chunks_exact(size));
            match pairs.position(|(a, b)| a != b) {
                Some(at) => {
                    let number = |packed: &[u8]| super::decode(element, &packed[at * size..(at + 1) * size]);
                    match (number(a), number(b)) {
                        (Ok(a), Ok(b)) => nested(element, (&a, &b), &format!("[{at}]")),
                        _ => shown(ty, first, second, path),
                    }
                }
                None => lengths(path, a.len() / size, b.len() / size),
            }
        }
        (
            Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. },
            Value::Container(a),
            Value::Container(b),
        ) => {
            let dot = if path.is_empty() { "" } else { "." };
            match a.iter().zip(b).position(|(a, b)| a != b).and_then(|at| Some((at, fields.get(at)?))) {
                Some((at, field)) => nested(&field.ty, (&a[at], &b[at]), &format!("{dot}{}", field.name)),
                None => shown(ty, first, second, path),
            }
        }
        _ => shown(ty, first, second, path),
    }
}

fn lengths(path: String, first: usize, second: usize) -> Difference {
    Difference { path, first: format!("{first} elements long"), second: format!("{second}") }
}

fn shown(ty: &Type, first: &Value, second: &Value, path: String) -> Difference {
    let (first, second) = (Shown(ty, first).to_string(), Shown(ty, second).to_string());
    Difference { path, first, second }
}
