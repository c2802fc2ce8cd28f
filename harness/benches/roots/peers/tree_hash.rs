//! tree_hash 0.12 with ethereum_hashing 0.8, as Lighthouse uses them.

use ssz::Decode;
use ssz_derive::{Decode, Encode};
use ssz_types::{BitVector, FixedVector, VariableList};
use tree_hash::TreeHash;
use tree_hash_derive::TreeHash;
use typenum::{U4, U32, U512, U2048, U4096, U8192, U65536, U262144, U16777216, U134217728, U1099511627776};

use super::Contender;
use super::electra::{small_containers, state_containers};

pub(super) fn contender<T: Decode + TreeHash + 'static>(bytes: &[u8]) -> Contender {
    let value = T::from_ssz_bytes(bytes).expect("ethereum_ssz decodes the object");
    ("peer/tree_hash", Box::new(move || value.tree_hash_root().0))
}

type Bytes20 = [u8; 20];
type Bytes32 = [u8; 32];
type Bytes48 = [u8; 48];
type Bytes96 = [u8; 96];
type LogsBloom = [u8; 256];
type ExtraData = VariableList<u8, U32>;
type Pubkeys = FixedVector<Bytes48, U512>;
type HistoricalRootVector = FixedVector<Bytes32, U8192>;
type HistoricalRootList = VariableList<Bytes32, U16777216>;
type Eth1DataVotes = VariableList<Eth1Data, U2048>;
type RandaoMixes = FixedVector<Bytes32, U65536>;
type Slashings = FixedVector<u64, U8192>;
type Participation = VariableList<u8, U1099511627776>;
type JustificationBits = BitVector<U4>;
type HistoricalSummaries = VariableList<HistoricalSummary, U16777216>;
type PendingDeposits = VariableList<PendingDeposit, U134217728>;
type PendingPartialWithdrawals = VariableList<PendingPartialWithdrawal, U134217728>;
type PendingConsolidations = VariableList<PendingConsolidation, U262144>;

pub(super) type Validators = VariableList<Validator, U1099511627776>;
pub(super) type Numbers = VariableList<u64, U1099511627776>;
pub(super) type Chunks = FixedVector<Bytes32, U4096>;

small_containers!(Encode, Decode, TreeHash);
state_containers!(Encode, Decode, TreeHash);
