//! The containers of electra's state, written once for every peer: a peer's module has the names of its derives and of
//! its types of lists and vectors in scope.

macro_rules! small_containers {
    ($($derive:ident),+) => {
        #[derive($($derive),+)]
        pub(super) struct Checkpoint {
            pub(super) epoch: u64,
            pub(super) root: Bytes32,
        }

        #[derive($($derive),+)]
        pub(super) struct Validator {
            pub(super) pubkey: Bytes48,
            pub(super) withdrawal_credentials: Bytes32,
            pub(super) effective_balance: u64,
            pub(super) slashed: bool,
            pub(super) activation_eligibility_epoch: u64,
            pub(super) activation_epoch: u64,
            pub(super) exit_epoch: u64,
            pub(super) withdrawable_epoch: u64,
        }

        #[derive($($derive),+)]
        pub(super) struct AttestationData {
            pub(super) slot: u64,
            pub(super) index: u64,
            pub(super) beacon_block_root: Bytes32,
            pub(super) source: Checkpoint,
            pub(super) target: Checkpoint,
        }
    };
}

macro_rules! state_containers {
    ($($derive:ident),+) => {
        #[derive($($derive),+)]
        pub(super) struct Fork {
            previous_version: [u8; 4],
            current_version: [u8; 4],
            epoch: u64,
        }

        #[derive($($derive),+)]
        pub(super) struct BeaconBlockHeader {
            slot: u64,
            proposer_index: u64,
            parent_root: Bytes32,
            state_root: Bytes32,
            body_root: Bytes32,
        }

        #[derive($($derive),+)]
        pub(super) struct Eth1Data {
            deposit_root: Bytes32,
            deposit_count: u64,
            block_hash: Bytes32,
        }

        #[derive($($derive),+)]
        pub(super) struct SyncCommittee {
            pubkeys: Pubkeys,
            aggregate_pubkey: Bytes48,
        }

        #[derive($($derive),+)]
        pub(super) struct ExecutionPayloadHeader {
            parent_hash: Bytes32,
            fee_recipient: Bytes20,
            state_root: Bytes32,
            receipts_root: Bytes32,
            logs_bloom: LogsBloom,
            prev_randao: Bytes32,
            block_number: u64,
            gas_limit: u64,
            gas_used: u64,
            timestamp: u64,
            extra_data: ExtraData,
            // a uint256's root is its 32 bytes
            base_fee_per_gas: Bytes32,
            block_hash: Bytes32,
            transactions_root: Bytes32,
            withdrawals_root: Bytes32,
            blob_gas_used: u64,
            excess_blob_gas: u64,
        }

        #[derive($($derive),+)]
        pub(super) struct HistoricalSummary {
            block_summary_root: Bytes32,
            state_summary_root: Bytes32,
        }

        #[derive($($derive),+)]
        pub(super) struct PendingDeposit {
            pubkey: Bytes48,
            withdrawal_credentials: Bytes32,
            amount: u64,
            signature: Bytes96,
            slot: u64,
        }

        #[derive($($derive),+)]
        pub(super) struct PendingPartialWithdrawal {
            validator_index: u64,
            amount: u64,
            withdrawable_epoch: u64,
        }

        #[derive($($derive),+)]
        pub(super) struct PendingConsolidation {
            source_index: u64,
            target_index: u64,
        }

        #[derive($($derive),+)]
        pub(super) struct BeaconState {
            genesis_time: u64,
            genesis_validators_root: Bytes32,
            slot: u64,
            fork: Fork,
            latest_block_header: BeaconBlockHeader,
            block_roots: HistoricalRootVector,
            state_roots: HistoricalRootVector,
            historical_roots: HistoricalRootList,
            eth1_data: Eth1Data,
            eth1_data_votes: Eth1DataVotes,
            eth1_deposit_index: u64,
            validators: Validators,
            balances: Numbers,
            randao_mixes: RandaoMixes,
            slashings: Slashings,
            previous_epoch_participation: Participation,
            current_epoch_participation: Participation,
            justification_bits: JustificationBits,
            previous_justified_checkpoint: Checkpoint,
            current_justified_checkpoint: Checkpoint,
            finalized_checkpoint: Checkpoint,
            inactivity_scores: Numbers,
            current_sync_committee: SyncCommittee,
            next_sync_committee: SyncCommittee,
            latest_execution_payload_header: ExecutionPayloadHeader,
            next_withdrawal_index: u64,
            next_withdrawal_validator_index: u64,
            historical_summaries: HistoricalSummaries,
            deposit_requests_start_index: u64,
            deposit_balance_to_consume: u64,
            exit_balance_to_consume: u64,
            earliest_exit_epoch: u64,
            consolidation_balance_to_consume: u64,
            earliest_consolidation_epoch: u64,
            pending_deposits: PendingDeposits,
            pending_partial_withdrawals: PendingPartialWithdrawals,
            pending_consolidations: PendingConsolidations,
        }
    };
}

pub(super) use {small_containers, state_containers};
