//! The objects: types of mainnet's electra, and bytes that decode.

use std::sync::Arc;

use pair_hashers::Family;
use ssz_conformance::schema;
use ssz_conformance::types::{Kind, Type};

use super::Contender;
use super::peers;

/// A value of a type, and how to make the peers' contenders of it.
pub(crate) struct Object {
    pub(crate) ty: Type,
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) peers: fn(&[u8]) -> Vec<Contender>,
    /// Those that can compute with another function than SHA-256.
    pub(crate) other_peers: fn(Family, &[u8]) -> Vec<Contender>,
}

type Maker = Box<dyn Fn() -> Object>;

/// Every object by name, made when it is its turn.
pub(crate) fn all() -> Vec<(&'static str, Maker)> {
    vec![
        ("checkpoint", plain("Checkpoint", peers::checkpoint)),
        ("validator", plain("Validator", peers::validator)),
        ("attestation-data", plain("AttestationData", peers::attestation_data)),
        ("chunks/4096", full("Vector[Bytes32, 4096]", peers::chunks, peers::chunks_of)),
        ("uint64-list/100000", list("List[uint64, 1099511627776]", 100_000, peers::numbers)),
        ("validators/10000", list("List[Validator, VALIDATOR_REGISTRY_LIMIT]", 10_000, peers::validators)),
        (
            "validators/1000000",
            list("List[Validator, VALIDATOR_REGISTRY_LIMIT]", 1_000_000, peers::validators),
        ),
        ("beacon-state/16384", state(16_384)),
        ("beacon-state/100000", state(100_000)),
        ("beacon-state/300000", state(300_000)),
        ("beacon-state/1000000", state(1_000_000)),
    ]
}

fn read_type(text: &str) -> Type {
    schema::read_type(&schema::select(None), "mainnet", "electra", text).expect("a type of electra")
}

fn plain(text: &'static str, peers: fn(&[u8]) -> Vec<Contender>) -> Maker {
    list(text, 0, peers)
}

/// A value whose tree has no zero subtrees, so that peers can compute its root with another function.
fn full(
    text: &'static str,
    peers: fn(&[u8]) -> Vec<Contender>,
    other_peers: fn(Family, &[u8]) -> Vec<Contender>,
) -> Maker {
    let object = plain(text, peers);
    Box::new(move || Object { other_peers, ..object() })
}

/// A value whose lists over validators have this many elements.
fn list(text: &'static str, length: usize, peers: fn(&[u8]) -> Vec<Contender>) -> Maker {
    Box::new(move || {
        let ty = read_type(text);
        let bytes = Filler { state: 1, validators: length }.value(&ty).into();
        Object { ty, bytes, peers, other_peers: |_, _| Vec::new() }
    })
}

fn state(validators: usize) -> Maker {
    list("BeaconState", validators, peers::beacon_state)
}

/// Makes encodings of random values, by splitmix64.
struct Filler {
    state: u64,
    validators: usize,
}

impl Filler {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..length.div_ceil(8)).flat_map(|_| self.next().to_le_bytes()).collect();
        bytes.truncate(length);
        bytes
    }

    /// Lists over all validators are as long as they are many; others as long as they may be, up to 100.
    fn length(&self, limit: u64) -> usize {
        const VALIDATOR_REGISTRY_LIMIT: u64 = 1 << 40;
        if limit == VALIDATOR_REGISTRY_LIMIT { self.validators } else { limit.min(100) as usize }
    }

    fn value(&mut self, ty: &Type) -> Vec<u8> {
        match ty.kind() {
            Kind::Boolean => vec![self.next() as u8 & 1],
            Kind::BitVector { length } => {
                let mut bytes = self.bytes(length.div_ceil(8));
                let used = (length - 1) % 8 + 1;
                *bytes.last_mut().expect("at least one bit") &= 0xff >> (8 - used);
                bytes
            }
            Kind::ByteList { limit } => self.bytes(self.length(*limit)),
            Kind::List { element, limit } => self.parts(vec![element; self.length(*limit)]),
            Kind::Vector { element, length } => self.parts(vec![element; *length]),
            Kind::Container { fields } => self.parts(fields.iter().map(|field| &field.ty).collect()),
            _ => self.bytes(ty.fixed_size().expect("electra's state has no other variable types")),
        }
    }

    fn parts(&mut self, types: Vec<&Type>) -> Vec<u8> {
        let in_place = |ty: &&Type| ty.fixed_size().unwrap_or(4);
        let mut offset = types.iter().map(in_place).sum::<usize>();
        let (mut fixed, mut variable) = (Vec::new(), Vec::new());
        for ty in types {
            let bytes = self.value(ty);
            if ty.fixed_size().is_some() {
                fixed.extend(bytes);
            } else {
                fixed.extend((offset as u32).to_le_bytes());
                offset += bytes.len();
                variable.extend(bytes);
            }
        }
        fixed.extend(variable);
        fixed
    }
}
