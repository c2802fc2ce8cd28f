//! One encoded value, explained: a part of it, where that is in the tree, and the proof that it is there.

use std::fmt;

use alloy_primitives::{U256, hex};
use pair_hashers::{Family, Node, PairHasher};

use crate::backends::CONSENSUS;
use crate::merkle::{self, Merkleizer, NodeError, Path, PathError, Proof, Step, Word};
use crate::schema::Progressive;
use crate::ssz::{DecodeError, Shown, Value, decode};
use crate::types::{Kind, Type};

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// To the part.
    pub path: Path,
    /// The type of the part.
    pub ty: Type,
    /// The part.
    pub value: Value,
    /// Where the part is, or the chunk that it shares with its neighbours; what is there; and its branch.
    pub proof: Proof,
    /// What stands at that index, where it is more than the part.
    pub shared: Option<String>,
    /// Of the whole value.
    pub root: Node,
    /// The function that the nodes are computed with.
    pub family: Family,
}

/// Why there is nothing to explain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The bytes are no value of the type.
    #[error("{0}")]
    Malformed(DecodeError),
    /// The path leads nowhere in the type.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The path leads nowhere in this value.
    #[error("there is no {step} in {whole}: {found}", whole = named(path))]
    Absent {
        /// As far as it leads.
        path: Path,
        /// The step that leads nowhere.
        step: Step,
        /// What there is.
        found: String,
    },
    /// The tree of this value has no such node.
    #[error(transparent)]
    Node(#[from] NodeError),
}

fn named(path: &Path) -> String {
    if path.steps().is_empty() { "the value".into() } else { path.to_string() }
}

/// Explains the part of an encoded value to which `path` leads.
///
/// # Errors
///
/// If the bytes are no value of the type, or the path leads nowhere.
pub fn explain(
    ty: &Type,
    bytes: &[u8],
    path: &Path,
    progressive: Progressive,
    hasher: &dyn PairHasher,
) -> Result<Explanation, ExplainError> {
    let whole = decode(ty, bytes).map_err(ExplainError::Malformed)?;
    let index = merkle::generalized_index(ty, path, progressive)?;
    let (part_ty, value) = part(ty, &whole, path)?;
    let mut merkleizer = Merkleizer::with_progressive(hasher, progressive);
    let proof = merkleizer.prove(ty, bytes, &index)?;
    let root = match proof.branch.is_empty() {
        true => proof.leaf,
        false => merkleizer.root(ty, bytes).map_err(ExplainError::Malformed)?,
    };
    let place = merkle::place_in(ty, bytes, &index, progressive).ok();
    let shared = place.filter(|place| place.exact_path().is_none()).map(|place| place.to_string());
    Ok(Explanation { path: path.clone(), ty: part_ty, value, proof, shared, root, family: hasher.family() })
}

/// The part of a decoded value to which a path leads, and its type.
fn part(ty: &Type, value: &Value, path: &Path) -> Result<(Type, Value), ExplainError> {
    let (mut ty, mut value) = (ty.clone(), value.clone());
    for (at, step) in path.steps().iter().enumerate() {
        (ty, value) = part_of(&ty, value, step).map_err(|found| ExplainError::Absent {
            path: Path(path.steps()[..at].to_vec()),
            step: step.clone(),
            found,
        })?;
    }
    Ok((ty, value))
}

/// One step, which fits the type; or what there is where it leads.
fn part_of(ty: &Type, value: Value, step: &Step) -> Result<(Type, Value), String> {
    let number = |number: u64| Ok((word(64), Value::Uint(U256::from(number))));
    let absent = |length: usize| Err(format!("it has {length} positions"));
    match (step, value) {
        (Step::Word(Word::Length), value) => number(length(ty, &value) as u64),
        (Step::Word(Word::Selector), Value::Union(selector, _)) => number(selector.into()),
        (Step::Word(Word::ActiveFields), _) => Ok((word(256), Value::Uint(active_fields(ty)))),
        (Step::Field(name), Value::Container(values)) => {
            let mut fields = ty.fields().iter().zip(values);
            let field = fields.find(|(field, _)| field.name == *name);
            field.map(|(field, value)| (field.ty.clone(), value)).ok_or_else(|| "no such field".into())
        }
        (Step::Position(at), Value::Union(selector, value)) => {
            match (ty.option(selector.into()).flatten(), value) {
                (Some(option), Some(value)) if *at == u64::from(selector) => Ok((option.clone(), *value)),
                (None, None) if *at == u64::from(selector) => Err("it is None".into()),
                _ => Err(format!("its selector is {selector}")),
            }
        }
        (Step::Position(at), value) => {
            let at = usize::try_from(*at).unwrap_or(usize::MAX);
            match (ty.kind(), value) {
                (kind, Value::Sequence(values)) => match (element(kind), values.get(at)) {
                    (Some(element), Some(value)) => Ok((element.clone(), value.clone())),
                    _ => absent(values.len()),
                },
                (kind, Value::Packed(packed)) => {
                    let element = element(kind).cloned().unwrap_or_else(Type::byte);
                    let size = element.size_in_parent();
                    match packed.chunks_exact(size).nth(at).map(|bytes| decode(&element, bytes)) {
                        Some(Ok(value)) => Ok((element, value)),
                        _ => absent(packed.len() / size),
                    }
                }
                (_, Value::Bytes(bytes)) => match bytes.get(at) {
                    Some(byte) => Ok((Type::byte(), Value::Uint(U256::from(*byte)))),
                    None => absent(bytes.len()),
                },
                (_, Value::Bits(bits)) if at < bits.len() => {
                    let bit = bits.as_bytes()[at / 8] >> (at % 8) & 1 == 1;
                    Ok((Type::boolean(), Value::Boolean(bit)))
                }
                (_, Value::Bits(bits)) => absent(bits.len()),
                _ => Err("it has no positions".into()),
            }
        }
        _ => Err(format!("it is a {ty}")),
    }
}

/// An integer type of a width that there is.
fn word(bits: u64) -> Type {
    Type::uint(bits).unwrap_or_else(|_| Type::byte())
}

fn element(kind: &Kind) -> Option<&Type> {
    match kind {
        Kind::Vector { element, .. } | Kind::List { element, .. } | Kind::ProgressiveList { element } => {
            Some(element)
        }
        _ => None,
    }
}

fn length(ty: &Type, value: &Value) -> usize {
    match value {
        Value::Bytes(bytes) => bytes.len(),
        Value::Bits(bits) => bits.len(),
        Value::Packed(packed) => packed.len() / element(ty.kind()).map_or(1, Type::size_in_parent),
        Value::Sequence(values) => values.len(),
        _ => 0,
    }
}

fn active_fields(ty: &Type) -> U256 {
    let Kind::ProgressiveContainer { active_fields, .. } = ty.kind() else { return U256::ZERO };
    let active = active_fields.iter().enumerate().filter(|(_, active)| **active);
    active.fold(U256::ZERO, |word, (at, _)| word | U256::ONE << at)
}

/// For people: the part, its index, its proof, and the root.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Proof { index, leaf, branch } = &self.proof;
        if !self.path.steps().is_empty() {
            writeln!(f, "path               {}", self.path)?;
        }
        writeln!(f, "type               {}", shortened(&self.ty.to_string()))?;
        writeln!(f, "value              {}", Shown(&self.ty, &self.value))?;
        writeln!(f, "generalized index  {index}, level {}", index.depth())?;
        if let Some(shared) = &self.shared {
            writeln!(f, "in the chunk       {shared}")?;
        }
        if !branch.is_empty() {
            writeln!(f, "leaf               {}", hex::encode_prefixed(leaf))?;
            for (sibling, node) in index.branch().zip(branch) {
                writeln!(f, "branch             {} at {sibling}", hex::encode_prefixed(node))?;
            }
        }
        write!(f, "root               {}", hex::encode_prefixed(self.root))?;
        match self.family {
            CONSENSUS => Ok(()),
            family => write!(f, "\nfamily             {family}, NOT CONSENSUS"),
        }
    }
}

/// At most this much of a type is shown.
const SHOWN_CHARACTERS: usize = 200;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((cut, _)) => format!("{}..", &text[..cut]),
        None => text.to_owned(),
    }
}

/// The lines of a hex dump around a byte, which stands in brackets; past the end, the brackets are empty.
pub fn hex_excerpt(bytes: &[u8], at: usize) -> String {
    const LINE: usize = 16;
    let at = at.min(bytes.len());
    let first = (at / LINE).saturating_sub(1) * LINE;
    let lines = (first..(at / LINE + 2) * LINE).step_by(LINE).filter(|&start| start <= bytes.len());
    let line = |start: usize| {
        let shown = (start..start + LINE).filter(|&place| place < bytes.len() || place == at);
        let cells = shown.map(|place| match bytes.get(place) {
            Some(byte) if place == at => format!("[{byte:02x}]"),
            Some(byte) => format!(" {byte:02x} "),
            None => "[]".to_owned(),
        });
        format!("{start:08x}  {}", cells.collect::<String>()).trim_end().to_owned()
    };
    lines.map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use pair_hashers::auto;

    use super::*;
    use crate::schema;

    fn explained(text: &str, bytes: &[u8], path: &str) -> Result<Explanation, ExplainError> {
        let ty = schema::read_type(&schema::select(None), "general", "ssz_generic", text).unwrap();
        explain(&ty, bytes, &path.parse().unwrap(), Progressive::SubtreeFirst, auto(Family::Sha256))
    }

    #[test]
    fn a_part_is_shown_with_its_proof() {
        let bytes = [1, 0, 7, 0, 0, 0, 9, 10, 0, 11, 0];
        let whole = explained("VarTestStruct", &bytes, "").unwrap();
        assert_eq!((whole.proof.leaf, whole.proof.branch.len()), (whole.root, 0));
        let shown = |path: &str| {
            let explanation = explained("VarTestStruct", &bytes, path).unwrap();
            assert_eq!(explanation.proof.root(auto(Family::Sha256)), Ok(whole.root), "{path}");
            (Shown(&explanation.ty, &explanation.value).to_string(), explanation.proof.index.to_string())
        };
        assert_eq!(shown("A"), ("1".into(), "4".into()));
        assert_eq!(shown("B"), ("[10,11]".into(), "5".into()));
        assert_eq!(shown("B[1]"), ("11".into(), "640".into()));
        assert_eq!(shown("B.__len__"), ("2".into(), "11".into()));
        let text = explained("VarTestStruct", &bytes, "B[1]").unwrap().to_string();
        assert!(text.contains("in the chunk       B[0..16]"), "{text}");
        assert!(text.contains("generalized index  640, level 9"), "{text}");
        let union = explained("CompatibleUnionBC", &[3, 7, 9, 0, 0, 0, 9, 0, 0, 0, 1], "[3].A").unwrap();
        assert_eq!(Shown(&union.ty, &union.value).to_string(), "7");
        let bits = explained("ProgressiveBitlist", &[0b1010], "[1]").unwrap();
        assert_eq!(bits.value, Value::Boolean(true));
    }

    #[test]
    fn what_is_not_there_is_said() {
        let bytes = [1, 0, 7, 0, 0, 0, 9, 10, 0, 11, 0];
        let error = |path: &str| explained("VarTestStruct", &bytes, path).unwrap_err().to_string();
        assert_eq!(error("B[2]"), "there is no [2] in B: it has 2 positions");
        assert!(error("X").contains("no such field; expected one of A, B, C"));
        let union = explained("CompatibleUnionBC", &[3, 7, 9, 0, 0, 0, 9, 0, 0, 0, 1], "[2]").unwrap_err();
        assert_eq!(union.to_string(), "there is no [2] in the value: its selector is 3");
        let malformed = explained("VarTestStruct", &bytes[..5], "").unwrap_err();
        assert!(matches!(malformed, ExplainError::Malformed(_)));
    }

    #[test]
    fn an_excerpt_marks_its_byte() {
        let bytes: Vec<u8> = (0..40).collect();
        let lines = |at| hex_excerpt(&bytes, at).lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(lines(17)[1].starts_with("00000010   10 [11] 12 "), "{:?}", lines(17));
        assert_eq!(lines(17).len(), 3);
        assert!(lines(40)[1].ends_with("27 []"), "{:?}", lines(40));
        assert_eq!(lines(usize::MAX), lines(40));
        assert_eq!(hex_excerpt(&[], 0), "00000000  []");
    }
}
