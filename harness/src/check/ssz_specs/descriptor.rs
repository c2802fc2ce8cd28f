//! `typeDescriptor`: a type described in full. And `ssz_type_rejection`, whose descriptions are of illegal types.

use serde_json::{Map, Value};

use super::{Attempt, Failure, Refusal, Subject, reasons};
use crate::types::{Field, Type, TypeError};

pub(super) fn valid(subject: &mut Subject<'_, '_>) -> Result<(), Failure> {
    subject.legal_type().map(drop)
}

pub(super) fn invalid(subject: &mut Subject<'_, '_>) -> Result<Attempt, Failure> {
    let made = std::mem::replace(&mut subject.ty, Err(Refusal::new(None, "")));
    Ok(made.map(drop))
}

/// Reads a description: the type, or why it is illegal.
///
/// # Errors
///
/// If it is not a description as they are known here: an unknown kind or key, or a value of another form. Nesting is as
/// deep as the JSON reader allows.
pub(super) fn read(descriptor: &Value) -> Result<Result<Type, Refusal>, String> {
    match type_of(descriptor) {
        Ok(ty) => Ok(Ok(ty)),
        Err(Unmade::Illegal(refusal)) => Ok(Err(refusal)),
        Err(Unmade::Unknown(message)) => Err(message),
    }
}

/// Why a description gives no type.
enum Unmade {
    Illegal(Refusal),
    Unknown(String),
}

impl From<TypeError> for Unmade {
    fn from(error: TypeError) -> Self {
        Self::Illegal(Refusal::new(reasons::of_type(&error), error))
    }
}

fn illegal(reason: &'static str, message: impl ToString) -> Unmade {
    Unmade::Illegal(Refusal::new(reason, message))
}

/// The keys that describe a part of some kind, beside `kind`.
const KEYS: [&str; 7] = ["bits", "length", "limit", "elementType", "fields", "activeFields", "options"];

fn type_of(descriptor: &Value) -> Result<Type, Unmade> {
    let Value::Object(keys) = descriptor else {
        return Err(Unmade::Unknown(format!("{descriptor} is no description of a type; expected an object")));
    };
    let Some(Value::String(kind)) = keys.get("kind") else {
        return Err(Unmade::Unknown("the key kind is missing".into()));
    };
    let keys = Keys { kind, keys };
    match kind.as_str() {
        "Boolean" => keys.only(&[]).map(|_| Type::boolean()),
        "Byte" => keys.only(&["bits"]).map(|_| Type::byte()),
        "BitVector" => {
            keys.only(&["length"])?.number("length").and_then(|length| Ok(Type::bit_vector(length)?))
        }
        "BitList" => keys.only(&["limit"])?.number("limit").map(Type::bit_list),
        "ProgressiveBitList" => keys.only(&[]).map(|_| Type::progressive_bit_list()),
        "ByteVector" => keys
            .only(&["length"])?
            .number("length")
            .and_then(|length| Ok(Type::vector(Type::byte(), length)?)),
        "ByteList" => {
            keys.only(&["limit"])?.number("limit").and_then(|limit| Ok(Type::list(Type::byte(), limit)?))
        }
        "Vector" => {
            let keys = keys.only(&["length", "elementType"])?;
            Ok(Type::vector(keys.element()?, keys.number("length")?)?)
        }
        "List" => {
            let keys = keys.only(&["limit", "elementType"])?;
            Ok(Type::list(keys.element()?, keys.number("limit")?)?)
        }
        "ProgressiveList" => Ok(Type::progressive_list(keys.only(&["elementType"])?.element()?)?),
        "Container" => Ok(Type::container(keys.only(&["fields"])?.fields()?)?),
        "ProgressiveContainer" => {
            let keys = keys.only(&["activeFields", "fields"])?;
            Ok(Type::progressive_container(keys.active_fields()?, keys.fields()?)?)
        }
        "CompatibleUnion" => Ok(Type::compatible_union(keys.only(&["options"])?.options()?)?),
        _ => keys.uint(),
    }
}

/// The keys of one description.
struct Keys<'v> {
    kind: &'v str,
    keys: &'v Map<String, Value>,
}

impl<'v> Keys<'v> {
    /// That there is no key but these: a capacity that the kind does not have is illegal, anything else unknown.
    fn only(self, allowed: &[&str]) -> Result<Self, Unmade> {
        let mut others = self.keys.keys().filter(|key| *key != "kind" && !allowed.contains(&key.as_str()));
        match others.next() {
            None => {}
            Some(key) if KEYS.contains(&key.as_str()) => {
                return Err(illegal("NOT_ENTITLED", format_args!("a {} has no {key}", self.kind)));
            }
            Some(key) => return Err(Unmade::Unknown(format!("unknown key {key} of a {}", self.kind))),
        }
        Ok(self)
    }

    fn get(&self, key: &str) -> Result<&'v Value, Unmade> {
        let missing = || illegal("UNDECLARED", format_args!("a {} has to have {key}", self.kind));
        self.keys.get(key).filter(|value| !value.is_null()).ok_or_else(missing)
    }

    fn unknown(&self, key: &str, value: &Value, expected: &str) -> Unmade {
        Unmade::Unknown(format!("{key} of a {} is {value}; expected {expected}", self.kind))
    }

    fn number(&self, key: &str) -> Result<u64, Unmade> {
        let value = self.get(key)?;
        match (value.as_u64(), value.as_i64()) {
            (Some(number), _) => Ok(number),
            (None, Some(number)) => Err(illegal("CAPACITY_NEGATIVE", format_args!("{key} is {number}"))),
            _ => Err(self.unknown(key, value, "a number below 2^64")),
        }
    }

    fn array(&self, key: &str) -> Result<&'v [Value], Unmade> {
        let value = self.get(key)?;
        value.as_array().map(Vec::as_slice).ok_or_else(|| self.unknown(key, value, "an array"))
    }

    fn element(&self) -> Result<Type, Unmade> {
        type_of(self.get("elementType")?)
    }

    fn fields(&self) -> Result<Vec<Field>, Unmade> {
        let field = |field: &Value| match (field.get("name"), field.get("type")) {
            (Some(Value::String(name)), Some(ty)) => Ok(Field { name: name.clone(), ty: type_of(ty)? }),
            _ => Err(self.unknown("fields", field, "an object of name and type")),
        };
        self.array("fields")?.iter().map(field).collect()
    }

    fn active_fields(&self) -> Result<Vec<bool>, Unmade> {
        let bits = self.array("activeFields")?;
        if bits.is_empty() {
            return Err(illegal("LAYOUT_WIDTH", "activeFields is empty"));
        }
        let bit = |bit: &Value| match bit.as_u64() {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            _ => Err(illegal("LAYOUT_NOT_BITS", format_args!("activeFields has the entry {bit}"))),
        };
        bits.iter().map(bit).collect()
    }

    fn options(&self) -> Result<Vec<(u64, Type)>, Unmade> {
        let option =
            |option: &Value| match (option.get("selector").and_then(Value::as_i64), option.get("type")) {
                (Some(selector), Some(ty)) => {
                    let range = |_| illegal("UNION_SELECTOR_RANGE", format_args!("a selector is {selector}"));
                    Ok((u64::try_from(selector).map_err(range)?, type_of(ty)?))
                }
                _ => Err(self.unknown("options", option, "an object of selector and type")),
            };
        self.array("options")?.iter().map(option).collect()
    }

    /// `Uint8` to `Uint256`, whose width `bits` gives again.
    fn uint(self) -> Result<Type, Unmade> {
        let digits = self.kind.strip_prefix("Uint").and_then(|digits| digits.parse::<u64>().ok());
        let Some(width) = digits else {
            return Err(Unmade::Unknown(format!("unknown kind {}", self.kind)));
        };
        let keys = self.only(&["bits"])?;
        match keys.keys.get("bits").map(Value::as_u64) {
            None => {}
            Some(Some(bits)) if bits == width => {}
            Some(bits) => {
                return Err(illegal("UINT_WIDTH", format_args!("bits of {} is {bits:?}", keys.kind)));
            }
        }
        Ok(Type::uint(width)?)
    }
}
