//! ssz_rs 0.9, which has no type for electra's state here.

use ssz_rs::prelude::*;

use super::Contender;
use super::electra::small_containers;

pub(super) fn contender<T: Deserialize + Merkleized + 'static>(bytes: &[u8]) -> Contender {
    let mut value = T::deserialize(bytes).expect("ssz_rs decodes the object");
    let root =
        move || value.hash_tree_root().expect("the value has a root").as_ref().try_into().expect("32 bytes");
    ("peer/ssz_rs", Box::new(root))
}

type Bytes32 = [u8; 32];
type Bytes48 = Vector<u8, 48>;

pub(super) type Validators = List<Validator, { 1 << 40 }>;
pub(super) type Numbers = List<u64, { 1 << 40 }>;
pub(super) type Chunks = Vector<Bytes32, 4096>;

small_containers!(Default, SimpleSerialize);
