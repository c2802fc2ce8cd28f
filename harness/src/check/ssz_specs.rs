//! The JSON vectors of ethereum/ssz-specs: one document a case, whose format says what is to hold.
//!
//! That an invalid case is refused is the requirement; the reason by which it is refused here is compared with the
//! vector's, and noted where it is another.

mod descriptor;
mod fields;
mod generalized_index;
mod mapping;
mod proofs;
mod reasons;
mod serialized;
mod values;

use spec_vectors::{Case, Document, Generation};

use self::fields::Fields;
use super::parts::Parts;
use super::{Bench, Failure, Findings, Stop};
use crate::schema::{self, Progressive, SchemaError, Selection};
use crate::types::Type;

/// Why something is refused: in the words of ssz-specs, where one fits, and in this crate's.
#[derive(Debug)]
struct Refusal {
    reason: Option<&'static str>,
    message: String,
}

impl Refusal {
    fn new(reason: impl Into<Option<&'static str>>, message: impl ToString) -> Self {
        Self { reason: reason.into(), message: message.to_string() }
    }
}

/// What a format's check says of an invalid case: refused, or accepted after all.
type Attempt = Result<(), Refusal>;

/// A document under check.
struct Subject<'a, 'h> {
    fields: Fields,
    ty: Result<Type, Refusal>,
    progressive: Progressive,
    bench: &'a mut Bench<'h>,
    findings: &'a mut Findings,
}

impl Subject<'_, '_> {
    /// The type, where one is needed that can be made.
    fn legal_type(&self) -> Result<Type, Failure> {
        let refused =
            |refusal: &Refusal| self.fields.failure(&format!("the type is illegal: {}", refusal.message));
        self.ty.as_ref().map(Type::clone).map_err(refused)
    }
}

/// What is to hold of a valid document of a format, and an attempt to accept an invalid one.
struct Format {
    valid: fn(&mut Subject<'_, '_>) -> Result<(), Failure>,
    invalid: fn(&mut Subject<'_, '_>) -> Result<Attempt, Failure>,
}

fn format(name: &str) -> Option<Format> {
    Some(match name {
        "ssz" => Format { valid: serialized::valid, invalid: serialized::invalid },
        "ssz_type_rejection" => Format { valid: descriptor::valid, invalid: descriptor::invalid },
        "ssz_gindex" => Format { valid: generalized_index::valid, invalid: generalized_index::invalid },
        "proof" => Format { valid: proofs::valid_single, invalid: proofs::invalid_single },
        "multiproof" => Format { valid: proofs::valid_multiple, invalid: proofs::invalid_multiple },
        "ssz_json" => Format { valid: mapping::valid, invalid: mapping::invalid },
        _ => return None,
    })
}

pub(super) fn check(
    case: &Case,
    selection: &Selection,
    parts: &mut Parts<'_>,
    bench: &mut Bench<'_>,
    findings: &mut Findings,
) -> Result<(), Stop> {
    let id = &case.id;
    let format = format(&id.runner).ok_or_else(|| {
        let message = format!(
            "unknown format {}: add what has to hold to harness/src/check/ssz_specs.rs (known: ssz, \
             ssz_type_rejection, ssz_gindex, proof, multiproof, ssz_json)",
            id.runner
        );
        Failure::new(message)
    })?;
    let part = format!("{}.json", id.name);
    let document = parts.parse(&part, |text| Document::read(text.as_bytes()))?;
    let generation = document.generation;
    let mut fields = Fields::new(document.fields, case.part_location(&part));
    fields.check_info(&id.runner)?;
    let verdict = fields.verdict()?;
    let name = fields.text("typeName")?;
    let ty = match generation {
        Generation::TypeDescriptors => descriptor::read(&fields.need("typeDescriptor")?)
            .map_err(|error| fields.failure(&format!("typeDescriptor: {error}")))?,
        _ => match schema::find_type(selection, "general", &id.suite, &name) {
            Ok(ty) => Ok(ty),
            Err(error @ SchemaError::Illegal { .. }) => Err(Refusal::new(None, error)),
            Err(error) => return Err(Stop::from_schema(&error)),
        },
    };
    let mut subject = Subject { fields, ty, progressive: selection.progressive(), bench, findings };
    if verdict.valid {
        (format.valid)(&mut subject)?;
    } else {
        let attempt = (format.invalid)(&mut subject)?;
        verdict.judge(attempt, subject.findings);
    }
    let unread = subject.fields.unread();
    findings.failures.extend(unread);
    Ok(())
}

/// What a document says is to come of it.
struct Verdict {
    valid: bool,
    reason: Option<String>,
    /// Why the specification would allow what is to be refused.
    stricter: Option<String>,
}

impl Verdict {
    fn judge(&self, attempt: Attempt, findings: &mut Findings) {
        let reason = self.reason.as_deref().unwrap_or("it proves nothing");
        match (attempt, &self.stricter, &self.reason) {
            (Ok(()), Some(stricter), _) => {
                findings.notes.push(format!(
                    "accepted, where the vectors are stricter than the specification ({stricter})"
                ));
            }
            (Ok(()), None, _) => {
                findings.failures.push(Failure::new(format!("is accepted, but is to be refused: {reason}")));
            }
            (Err(refusal), _, Some(expected)) if refusal.reason != Some(expected) => {
                let found = refusal.reason.unwrap_or("another reason");
                findings.notes.push(format!("refused by {found} instead of {expected}: {}", refusal.message));
            }
            (Err(_), ..) => {}
        }
    }
}
