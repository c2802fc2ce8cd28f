//! A value's text form, as in the vectors: read from any format that serde reads, and written.
//!
//! | type | form |
//! |---|---|
//! | boolean | `true`, `false` |
//! | byte, uint8 to uint64 | decimal number |
//! | uint128, uint256 | decimal number in quotes |
//! | byte vectors and lists | `'0x..'` |
//! | bit vectors and lists | `'0x..'` of their encoding |
//! | other vectors and lists | sequence |
//! | containers | map |
//! | unions | map of `selector`, then `data` |
//!
//! Reading takes either form of a number, and a sequence of numbers for bytes, as older releases wrote them.

use std::fmt;

use alloy_primitives::{U256, hex};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::layout::{self, Count, Span};
use super::{Value, decode};
use crate::types::{Field, Kind, Type};

/// Reads a value of a type, by serde's [`DeserializeSeed`]. What is read keeps every rule of the type: lengths, limits,
/// ranges, and each field exactly once.
#[derive(Clone, Copy, Debug)]
pub struct ValueSeed<'t>(pub &'t Type);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => {
                write!(f, "a map of {} fields from {}", fields.len(), fields[0].name)
            }
            Kind::Union { .. } | Kind::CompatibleUnion { .. } => f.write_str("a map of selector and data"),
            Kind::Vector { length, .. } => write!(f, "a sequence of {length} elements"),
            Kind::List { .. } | Kind::ProgressiveList { .. } => f.write_str("a sequence"),
            Kind::Boolean => f.write_str("true or false"),
            Kind::Byte | Kind::Uint { .. } => write!(f, "a decimal number for {}", self.0),
            _ => write!(f, "hexadecimal digits after 0x for {}", self.0),
        }
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        match self.0.kind() {
            Kind::Boolean => Ok(Value::Boolean(value)),
            _ => Err(E::invalid_type(Unexpected::Bool(value), &self)),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Err(E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.number(U256::from(value))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        self.number(U256::from(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        match self.0.kind() {
            Kind::Byte if text.starts_with("0x") => match parse_hex(text) {
                Some(bytes) if bytes.len() == 1 => Ok(Value::Uint(U256::from(bytes[0]))),
                _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
            },
            Kind::Byte | Kind::Uint { .. } => match parse_decimal(text) {
                Some(value) => self.number(value),
                None => Err(E::invalid_value(Unexpected::Str(text), &self)),
            },
            Kind::Boolean | Kind::Container { .. } | Kind::ProgressiveContainer { .. } => {
                Err(E::invalid_type(Unexpected::Str(text), &self))
            }
            Kind::Union { .. } | Kind::CompatibleUnion { .. } => {
                Err(E::invalid_type(Unexpected::Str(text), &self))
            }
            Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element }
                if *element.kind() != (Kind::Uint { size: 1 }) =>
            {
                Err(E::invalid_type(Unexpected::Str(text), &self))
            }
            // hexadecimal forms are the encoding itself, so the decoder checks them
            _ => match parse_hex(text) {
                Some(bytes) => decode(self.0, &bytes).map_err(E::custom),
                None => Err(E::invalid_value(Unexpected::Str(text), &self)),
            },
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let byte = Type::byte();
        let (element, count) = match self.0.kind() {
            Kind::ByteVector { length } => (&byte, Count::Exactly(*length)),
            Kind::ByteList { limit } => (&byte, Count::AtMost(*limit)),
            Kind::ProgressiveByteList => (&byte, Count::Any),
            Kind::Vector { element, length } => (element, Count::Exactly(*length)),
            Kind::List { element, limit } => (element, Count::AtMost(*limit)),
            Kind::ProgressiveList { element } => (element, Count::Any),
            _ => return Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        };
        let (mut packed, mut values, mut length) = (Vec::new(), Vec::new(), 0);
        while let Some(value) = sequence.next_element_seed(ValueSeed(element))? {
            match value {
                Value::Uint(number) => {
                    packed.extend_from_slice(&number.as_le_slice()[..element.size_in_parent()])
                }
                Value::Boolean(value) => packed.push(value.into()),
                value => values.push(value),
            }
            length += 1;
        }
        match count {
            Count::Exactly(exactly) if length != exactly => {
                return Err(A::Error::invalid_length(length, &self));
            }
            count => count.check(Span::whole(&[]), length).map_err(A::Error::custom)?,
        }
        Ok(match self.0.kind() {
            Kind::ByteVector { .. } | Kind::ByteList { .. } | Kind::ProgressiveByteList => {
                Value::Bytes(packed)
            }
            _ if element.is_basic() => Value::Packed(packed),
            _ => Value::Sequence(values),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        match self.0.kind() {
            Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => {
                read_fields(fields, map)
            }
            Kind::Union { options } => read_union(map, |selector| layout::union_option(options, selector)),
            Kind::CompatibleUnion { options } => {
                read_union(map, |selector| layout::compatible_option(options, selector))
            }
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

impl ValueSeed<'_> {
    fn number<E: Error>(self, value: U256) -> Result<Value, E> {
        let size = match self.0.kind() {
            Kind::Byte => 1,
            Kind::Uint { size } => *size,
            _ => return Err(E::invalid_type(Unexpected::Other("a number"), &self)),
        };
        match value.bit_len() <= size * 8 {
            true => Ok(Value::Uint(value)),
            false => Err(E::custom(format_args!("{value} is out of range, expected {}", self.0))),
        }
    }
}

fn parse_decimal(text: &str) -> Option<U256> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { U256::from_str_radix(text, 10).ok() } else { None }
}

fn parse_hex(text: &str) -> Option<Vec<u8>> {
    hex::decode(text.strip_prefix("0x")?).ok()
}

fn read_fields<'de, A: MapAccess<'de>>(fields: &[Field], mut map: A) -> Result<Value, A::Error> {
    let mut values: Vec<Option<Value>> = vec![None; fields.len()];
    // fields come in the order of the definition, nearly always
    let mut guess = 0;
    while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
        let at = match fields.get(guess) {
            Some(field) if field.name == key => guess,
            _ => fields.iter().position(|field| field.name == key).ok_or_else(|| {
                A::Error::custom(format_args!("unknown field {key}, expected {}", field_names(fields)))
            })?,
        };
        if values[at].is_some() {
            return Err(A::Error::custom(format_args!("field {key} is given twice")));
        }
        values[at] = Some(map.next_value_seed(ValueSeed(&fields[at].ty))?);
        guess = at + 1;
    }
    let missing = fields.iter().zip(&values).find(|(_, value)| value.is_none());
    if let Some((field, _)) = missing {
        return Err(A::Error::custom(format_args!("field {} is missing", field.name)));
    }
    Ok(Value::Container(values.into_iter().flatten().collect()))
}

fn field_names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn read_union<'de, 't, A: MapAccess<'de>>(
    mut map: A,
    find: impl Fn(u8) -> Option<Option<&'t Type>>,
) -> Result<Value, A::Error> {
    let expect = |found: Option<String>, expected: &str| match found {
        Some(key) if key == expected => Ok(()),
        Some(key) => Err(A::Error::custom(format_args!("expected {expected} of a union, found {key}"))),
        None => Err(A::Error::custom(format_args!("{expected} of a union is missing"))),
    };
    expect(map.next_key()?, "selector")?;
    let selector = match map.next_value_seed(ValueSeed(&Type::byte()))? {
        Value::Uint(selector) => selector.to::<u8>(),
        _ => return Err(A::Error::custom("expected a number for a union's selector")),
    };
    let option = find(selector)
        .ok_or_else(|| A::Error::custom(format_args!("selector {selector} names no option of the union")))?;
    expect(map.next_key()?, "data")?;
    let value = match option {
        Some(ty) => Some(Box::new(map.next_value_seed(ValueSeed(ty))?)),
        None => {
            map.next_value::<()>()?;
            None
        }
    };
    match map.next_key::<String>()? {
        None => Ok(Value::Union(selector, value)),
        Some(key) => Err(A::Error::custom(format_args!("unknown field {key}, expected selector, data"))),
    }
}

/// A value with its type, in the text form: through serde, and as one line by [`Display`](fmt::Display).
#[derive(Clone, Copy, Debug)]
pub struct Shown<'v>(pub &'v Type, pub &'v Value);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Shown(ty, value) = *self;
        match (ty.kind(), value) {
            (_, Value::Boolean(value)) => serializer.serialize_bool(*value),
            (Kind::Uint { size: 16 | 32 }, Value::Uint(value)) => serializer.collect_str(value),
            (_, Value::Uint(value)) => serializer.serialize_u64(value.saturating_to()),
            (_, Value::Bytes(bytes)) => serializer.serialize_str(&hex::encode_prefixed(bytes)),
            (Kind::BitVector { .. }, Value::Bits(bits)) => {
                serializer.serialize_str(&hex::encode_prefixed(bits.as_bytes()))
            }
            (_, Value::Bits(bits)) => serializer.serialize_str(&hex::encode_prefixed(bits.delimited())),
            (
                Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element },
                Value::Packed(packed),
            ) => {
                let mut sequence = serializer.serialize_seq(None)?;
                for number in packed.chunks(element.size_in_parent()) {
                    let value = decode(element, number).map_err(serde::ser::Error::custom)?;
                    sequence.serialize_element(&Shown(element, &value))?;
                }
                sequence.end()
            }
            (
                Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element },
                Value::Sequence(values),
            ) => serializer.collect_seq(values.iter().map(|value| Shown(element, value))),
            (
                Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. },
                Value::Container(values),
            ) => {
                let named =
                    fields.iter().zip(values).map(|(field, value)| (&field.name, Shown(&field.ty, value)));
                serializer.collect_map(named)
            }
            (Kind::Union { options }, Value::Union(selector, value)) => {
                write_union(serializer, *selector, layout::union_option(options, *selector), value.as_deref())
            }
            (Kind::CompatibleUnion { options }, Value::Union(selector, value)) => write_union(
                serializer,
                *selector,
                layout::compatible_option(options, *selector),
                value.as_deref(),
            ),
            _ => Err(serde::ser::Error::custom(format_args!("the value is not of type {ty}"))),
        }
    }
}

fn write_union<S: Serializer>(
    serializer: S,
    selector: u8,
    option: Option<Option<&Type>>,
    value: Option<&Value>,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("selector", &selector)?;
    match (option.flatten(), value) {
        (Some(ty), Some(value)) => map.serialize_entry("data", &Shown(ty, value))?,
        _ => map.serialize_entry("data", &())?,
    }
    map.end()
}

/// At most this much of a value is shown on one line.
const SHOWN_CHARACTERS: usize = 200;

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).unwrap_or_else(|error| error.to_string());
        match text.char_indices().nth(SHOWN_CHARACTERS) {
            Some((cut, _)) => write!(f, "{}.. ({} characters)", &text[..cut], text.len()),
            None => f.write_str(&text),
        }
    }
}

impl Value {
    /// Reads a value of type `ty` from the YAML of the vectors.
    ///
    /// # Errors
    ///
    /// If the text is not YAML, or not the form of a value of the type: the field's path and the place in the text.
    pub fn from_yaml(ty: &Type, text: &str) -> Result<Self, serde_yaml::Error> {
        ValueSeed(ty).deserialize(serde_yaml::Deserializer::from_str(text))
    }

    /// Writes the value, of type `ty`, as YAML.
    ///
    /// # Errors
    ///
    /// If the value is not of the type.
    pub fn to_yaml(&self, ty: &Type) -> Result<String, serde_yaml::Error> {
        serde_yaml::to_string(&Shown(ty, self))
    }
}
