//! `ssz_gindex`: the generalized index of a path in a type.

use serde_json::Value;

use super::{Attempt, Failure, Refusal, Subject, reasons};
use crate::merkle::{self, GeneralizedIndex, Path, Step, Word};
use crate::schema::Progressive;
use crate::types::Type;

pub(super) fn valid(subject: &mut Subject<'_, '_>) -> Result<(), Failure> {
    let ty = subject.legal_type()?;
    let steps = subject.fields.array("path")?;
    let expected = subject.fields.index("gindex")?;
    let depth = subject.fields.number("depth")?;
    let path = read_path(&steps).map_err(|refusal| subject.fields.failure(&refusal.message))?;
    let failed = match merkle::generalized_index(&ty, &path, subject.progressive) {
        Err(error) => Some(error.to_string()),
        Ok(index) if index != expected => {
            Some(format!("the generalized index is {index}, expected {expected}"))
        }
        Ok(index) if index.depth() as u64 != depth => {
            Some(format!("the depth is {}, expected {depth}", index.depth()))
        }
        Ok(index) => way_back(&ty, &index, subject.progressive).err(),
    };
    subject.findings.failures.extend(failed.map(|message| Failure::new(format!("{path}: {message}"))));
    check_width(&ty, subject);
    Ok(())
}

/// That the path to which the index leads, leads to the index.
fn way_back(ty: &Type, index: &GeneralizedIndex, progressive: Progressive) -> Result<(), String> {
    let place = merkle::place_of(ty, index, progressive).map_err(|error| error.to_string())?;
    // a chunk that several positions share has no path of its own
    let Some(path) = place.exact_path() else { return Ok(()) };
    match merkle::generalized_index(ty, &path, progressive) {
        Ok(back) if back == *index => Ok(()),
        other => Err(format!("the index {index} leads back to {path}, whose index is {other:?}")),
    }
}

/// `chunkCount` and `treeWidth`, which speak of the type, and not of the path.
fn check_width(ty: &Type, subject: &mut Subject<'_, '_>) {
    let chunks = merkle::chunk_count(ty);
    let width = chunks.map(|chunks| u128::from(chunks.max(1)).next_power_of_two());
    for (key, found) in [("chunkCount", chunks.map(u128::from)), ("treeWidth", width)] {
        let expected = match subject.fields.take(key) {
            Some(value) => Some(value.to_string().trim_matches('"').to_owned()),
            None => continue,
        };
        let found = found.map(|number| number.to_string());
        if found != expected {
            let message = format!("{key} is {found:?}, expected {expected:?}");
            subject.findings.failures.push(Failure::new(message));
        }
    }
}

pub(super) fn invalid(subject: &mut Subject<'_, '_>) -> Result<Attempt, Failure> {
    let steps = subject.fields.array("path")?;
    for key in ["gindex", "depth", "chunkCount", "treeWidth"] {
        subject.fields.take(key);
    }
    let ty = match &subject.ty {
        Ok(ty) => ty,
        Err(refusal) => return Ok(Err(Refusal::new(refusal.reason, &refusal.message))),
    };
    let found = read_path(&steps).and_then(|path| index_of(ty, &path, subject.progressive));
    Ok(found.map(drop))
}

/// The index of a path, or why it leads nowhere.
pub(super) fn index_of(
    ty: &Type,
    path: &Path,
    progressive: Progressive,
) -> Result<GeneralizedIndex, Refusal> {
    merkle::generalized_index(ty, path, progressive)
        .map_err(|error| Refusal::new(reasons::of_path(error.fault()), error))
}

/// Reads a path in either of its spellings: steps that are names, numbers and `{"mixin": ..}`; or objects of `field`,
/// `position` or `mixin`.
pub(super) fn read_path(steps: &[Value]) -> Result<Path, Refusal> {
    steps.iter().map(read_step).collect::<Result<_, _>>().map(Path)
}

fn read_step(step: &Value) -> Result<Step, Refusal> {
    let refused = |reason| Err(Refusal::new(reason, format_args!("{step} is no step of a path")));
    match step {
        Value::String(name) => Ok(Word::of_name(name).map_or_else(|| Step::Field(name.clone()), Step::Word)),
        Value::Number(position) => {
            position.as_u64().map(Step::Position).map_or_else(|| refused("NO_SUCH_POSITION"), Ok)
        }
        Value::Object(object) if object.len() == 1 => match object.iter().next() {
            Some((key, Value::String(name))) if key == "field" => Ok(Step::Field(name.clone())),
            Some((key, Value::String(text))) if key == "mixin" => match word(text) {
                Some(word) => Ok(Step::Word(word)),
                None => refused("NO_MIXIN"),
            },
            Some((key, position)) if key == "position" => {
                let digits = position.as_str().map_or_else(|| position.to_string(), str::to_owned);
                digits.parse().map(Step::Position).or_else(|_| refused("NO_SUCH_POSITION"))
            }
            _ => refused("NOT_A_POSITION"),
        },
        _ => refused("NOT_A_POSITION"),
    }
}

fn word(name: &str) -> Option<Word> {
    match name {
        "elementCount" => Some(Word::Length),
        "fieldLayout" => Some(Word::ActiveFields),
        "typeSelector" => Some(Word::Selector),
        name => Word::of_name(name),
    }
}
