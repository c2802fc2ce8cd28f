//! Other implementations on their own typed values, decoded from the same bytes.

mod electra;
mod libssz;
mod ssz_rs;
mod tree_hash;

use pair_hashers::Family;

use super::Contender;

/// Every peer that has the type.
macro_rules! peers {
    ($($name:ident: $ty:ident on $($peer:ident),+;)+) => {
        $(pub(crate) fn $name(bytes: &[u8]) -> Vec<Contender> {
            vec![$(self::$peer::contender::<self::$peer::$ty>(bytes)),+]
        })+
    };
}

peers! {
    checkpoint: Checkpoint on libssz, tree_hash, ssz_rs;
    validator: Validator on libssz, tree_hash, ssz_rs;
    attestation_data: AttestationData on libssz, tree_hash, ssz_rs;
    chunks: Chunks on libssz, tree_hash, ssz_rs;
    numbers: Numbers on libssz, tree_hash, ssz_rs;
    validators: Validators on libssz, tree_hash, ssz_rs;
    beacon_state: BeaconState on libssz, tree_hash;
}

/// The same chunks with another function than SHA-256.
pub(crate) fn chunks_of(family: Family, bytes: &[u8]) -> Vec<Contender> {
    self::libssz::contender_of::<self::libssz::Chunks>(family, bytes).into_iter().collect()
}
