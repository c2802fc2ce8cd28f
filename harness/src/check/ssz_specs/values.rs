//! Values in JSON: read as every generation spells them, written as the newest does.

use alloy_primitives::hex;
use serde::de::DeserializeSeed;
use serde_json::{Map, Value as Json};

use crate::ssz::{Value, ValueSeed, decode, encode};
use crate::types::{Field, Kind, Type};

/// Reads a value of type `ty`: numbers as such or in strings, bits as hexadecimal or as an array of booleans, and
/// everything but containers and unions bare or wrapped in `{"data": ..}`.
pub(super) fn read(ty: &Type, json: &Json) -> Result<Value, String> {
    ValueSeed(ty).deserialize(&plain(ty, json)).map_err(|error| error.to_string())
}

/// The bare form of a value that may be wrapped.
fn plain(ty: &Type, json: &Json) -> Json {
    let element = |element: &Type, json: &Json| match json {
        Json::Array(values) => values.iter().map(|value| plain(element, value)).collect(),
        other => other.clone(),
    };
    match ty.kind() {
        Kind::Container { .. } | Kind::ProgressiveContainer { .. } => match json {
            Json::Object(fields) => {
                let field = |(name, json): (&String, &Json)| {
                    let field = ty.fields().iter().find(|field| field.name == *name);
                    (name.clone(), field.map_or_else(|| json.clone(), |field| plain(&field.ty, json)))
                };
                Json::Object(fields.iter().map(field).collect())
            }
            other => other.clone(),
        },
        Kind::Union { .. } | Kind::CompatibleUnion { .. } => plain_union(ty, json),
        kind => {
            let json = match json {
                Json::Object(wrapper) if wrapper.len() == 1 => wrapper.get("data").unwrap_or(json),
                json => json,
            };
            match kind {
                Kind::Vector { element: ty, .. }
                | Kind::List { element: ty, .. }
                | Kind::ProgressiveList { element: ty } => element(ty, json),
                Kind::BitVector { .. } => plain_bits(json, false),
                Kind::BitList { .. } | Kind::ProgressiveBitList => plain_bits(json, true),
                _ => json.clone(),
            }
        }
    }
}

/// The selector first, which the reader of unions needs.
fn plain_union(ty: &Type, json: &Json) -> Json {
    let Json::Object(fields) = json else { return json.clone() };
    let selector = fields.get("selector").cloned().unwrap_or_default();
    let number = selector.as_str().and_then(|text| text.parse().ok()).or(selector.as_u64());
    let option = number.and_then(|selector| ty.option(selector)).flatten();
    let mut ordered = Map::new();
    ordered.extend(fields.get("selector").map(|selector| ("selector".to_owned(), selector.clone())));
    for (key, json) in fields.iter().filter(|(key, _)| *key != "selector") {
        let json = match option {
            Some(ty) if key == "data" => plain(ty, json),
            _ => json.clone(),
        };
        ordered.insert(key.clone(), json);
    }
    Json::Object(ordered)
}

/// The hexadecimal form of an array of booleans.
fn plain_bits(json: &Json, delimited: bool) -> Json {
    let Json::Array(bits) = json else { return json.clone() };
    let Some(bits) = bits.iter().map(Json::as_bool).collect::<Option<Vec<_>>>() else { return json.clone() };
    let delimiter = if delimited { Some(true) } else { None };
    let mut bytes = vec![0u8; (bits.len() + usize::from(delimited)).div_ceil(8)];
    for (at, _) in bits.iter().copied().chain(delimiter).enumerate().filter(|(_, bit)| *bit) {
        bytes[at / 8] |= 1 << (at % 8);
    }
    hex::encode_prefixed(bytes).into()
}

/// Writes a value of type `ty` as the newest generation does.
pub(super) fn write(ty: &Type, value: &Value) -> Result<Json, String> {
    let mismatch = || format!("the value is not of type {ty}");
    Ok(match (ty.kind(), value) {
        (_, Value::Boolean(value)) => (*value).into(),
        (Kind::Byte, Value::Uint(value)) => hex::encode_prefixed([value.to::<u8>()]).into(),
        (_, Value::Uint(value)) => value.to_string().into(),
        (_, Value::Bytes(bytes)) => hex::encode_prefixed(bytes).into(),
        (_, Value::Bits(_)) => {
            hex::encode_prefixed(encode(ty, value).map_err(|error| error.to_string())?).into()
        }
        (
            Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element },
            Value::Packed(packed),
        ) => {
            let number = |bytes: &[u8]| {
                let value = decode(element, bytes).map_err(|error| error.to_string())?;
                write(element, &value)
            };
            packed.chunks(element.size_in_parent()).map(number).collect::<Result<Vec<_>, _>>()?.into()
        }
        (
            Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element },
            Value::Sequence(values),
        ) => values.iter().map(|value| write(element, value)).collect::<Result<Vec<_>, _>>()?.into(),
        (Kind::Container { .. } | Kind::ProgressiveContainer { .. }, Value::Container(values)) => {
            let field = |(field, value): (&Field, &Value)| Ok((field.name.clone(), write(&field.ty, value)?));
            let fields: Result<Map<_, _>, String> = ty.fields().iter().zip(values).map(field).collect();
            fields?.into()
        }
        (_, Value::Union(selector, content)) => {
            let option = ty.option((*selector).into()).ok_or_else(mismatch)?;
            let data = match (option, content) {
                (Some(ty), Some(value)) => write(ty, value)?,
                (None, None) => Json::Null,
                _ => return Err(mismatch()),
            };
            serde_json::json!({ "selector": selector.to_string(), "data": data })
        }
        _ => return Err(mismatch()),
    })
}
