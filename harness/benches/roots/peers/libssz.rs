//! libssz 0.3, with its default hasher over sha2; and, of trees that have none of its zero subtrees, over another function.

use libssz::SszDecode;
use libssz_derive::{HashTreeRoot, SszDecode, SszEncode};
use libssz_merkle::{HashTreeRoot, Sha2Hasher, Sha256Hasher};
use libssz_types::{SszBitvector, SszList, SszVector};
use pair_hashers::Family;
use sha2::{Digest, Sha256};
use sha3::Keccak256;

use super::Contender;
use super::electra::{small_containers, state_containers};

pub(super) fn contender<T: SszDecode + HashTreeRoot + 'static>(bytes: &[u8]) -> Contender {
    let value = T::from_ssz_bytes(bytes).expect("libssz decodes the object");
    ("peer/libssz", Box::new(move || value.hash_tree_root(&Sha2Hasher)))
}

/// With a family's function, one pair at a time.
pub(super) fn contender_of<T: SszDecode + HashTreeRoot + 'static>(
    family: Family,
    bytes: &[u8],
) -> Option<Contender> {
    let value = T::from_ssz_bytes(bytes).expect("libssz decodes the object");
    match family {
        Family::Keccak256 => Some(("peer/libssz over sha3", Box::new(move || value.hash_tree_root(&Keccak)))),
        Family::Rfc6962 => Some(("peer/libssz over sha2", Box::new(move || value.hash_tree_root(&Interior)))),
        _ => None,
    }
}

struct Keccak;

impl Sha256Hasher for Keccak {
    fn hash(&self, data: &[u8]) -> [u8; 32] {
        Keccak256::digest(data).into()
    }
}

/// An interior node of RFC 6962.
struct Interior;

impl Sha256Hasher for Interior {
    fn hash(&self, data: &[u8]) -> [u8; 32] {
        Sha256::new_with_prefix([0x01]).chain_update(data).finalize().into()
    }
}

type Bytes20 = [u8; 20];
type Bytes32 = [u8; 32];
type Bytes96 = [u8; 96];
type LogsBloom = [u8; 256];
type ExtraData = SszList<u8, 32>;

/// Key bytes. (An array by itself is taken for a basic type in vectors.)
type Bytes48 = [u8; 48];
type Pubkeys = SszVector<Bytes48, 512>;
type HistoricalRootVector = SszVector<Bytes32, 8192>;
type HistoricalRootList = SszList<Bytes32, { 1 << 24 }>;
type Eth1DataVotes = SszList<Eth1Data, 2048>;
type RandaoMixes = SszVector<Bytes32, 65536>;
type Slashings = SszVector<u64, 8192>;
type Participation = SszList<u8, { 1 << 40 }>;
type JustificationBits = SszBitvector<4>;
type HistoricalSummaries = SszList<HistoricalSummary, { 1 << 24 }>;
type PendingDeposits = SszList<PendingDeposit, { 1 << 27 }>;
type PendingPartialWithdrawals = SszList<PendingPartialWithdrawal, { 1 << 27 }>;
type PendingConsolidations = SszList<PendingConsolidation, { 1 << 18 }>;

pub(super) type Validators = SszList<Validator, { 1 << 40 }>;
pub(super) type Numbers = SszList<u64, { 1 << 40 }>;
pub(super) type Chunks = SszVector<Bytes32, 4096>;

small_containers!(SszEncode, SszDecode, HashTreeRoot);
state_containers!(SszEncode, SszDecode, HashTreeRoot);
