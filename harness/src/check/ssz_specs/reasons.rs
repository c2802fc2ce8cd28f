//! What ssz-specs calls the rules that this crate's errors name.

use crate::merkle::{IndicesError, MultiproofError, NodeError, PathFault};
use crate::ssz::Rule;
use crate::types::TypeError;

pub(super) fn of_rule(rule: &Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::Size { .. } | Rule::NoneWithBytes(_) => "SCOPE",
        Rule::TooShort { .. } => "SCOPE_TOO_SMALL",
        Rule::Boolean(_) => "NOT_A_BIT",
        Rule::Padding(_) => "PADDING_BITS",
        Rule::Empty => "EMPTY_ENCODING",
        Rule::NoDelimiter => "NO_DELIMITER",
        Rule::Limit { .. } => "LIMIT",
        Rule::Indivisible { .. } => "SCOPE_UNDIVIDED",
        Rule::FirstOffset { .. } => "FIRST_OFFSET",
        Rule::OffsetUnaligned(0) => "OFFSET_BELOW_TABLE",
        Rule::OffsetUnaligned(_) => "OFFSET_UNALIGNED",
        Rule::OffsetDecreases { .. } => "OFFSET_UNORDERED",
        Rule::OffsetPastEnd { .. } => "OFFSET_PAST_SCOPE",
        Rule::NoSelector => "NO_SELECTOR",
        Rule::UnknownSelector(_) => "UNKNOWN_SELECTOR",
    })
}

pub(super) fn of_type(error: &TypeError) -> Option<&'static str> {
    Some(match error {
        TypeError::UintWidth(_) => "UINT_WIDTH",
        TypeError::VectorEmpty(_) => "VECTOR_EMPTY",
        TypeError::ContainerEmpty => "CONTAINER_EMPTY",
        TypeError::LayoutFieldCount { .. } => "LAYOUT_FIELD_COUNT",
        TypeError::LayoutTrailingGap => "LAYOUT_TRAILING_GAP",
        TypeError::LayoutTooWide(_) => "LAYOUT_TOO_WIDE",
        TypeError::UnionEmpty => "UNION_EMPTY",
        TypeError::UnionSelectorRange(..) => "UNION_SELECTOR_RANGE",
        TypeError::UnionIncompatible(..) => "UNION_INCOMPATIBLE",
        _ => return None,
    })
}

pub(super) fn of_path(fault: &PathFault) -> Option<&'static str> {
    Some(match fault {
        PathFault::NoParts(_) => "NO_PARTS",
        PathFault::NoPartsOfWord(_) => "NO_PARTS_MIXIN",
        PathFault::NoWord(..) => "NO_MIXIN",
        PathFault::NoSuchField(_) => "NO_SUCH_FIELD",
        PathFault::NoSuchOption(_) => "NO_SUCH_OPTION",
        PathFault::NoSuchPosition(..) => "NO_SUCH_POSITION",
        PathFault::NotAPosition(_) => "NOT_A_POSITION",
    })
}

pub(super) fn of_node(error: &NodeError) -> Option<&'static str> {
    Some(match error {
        NodeError::Malformed(error) => return of_rule(error.rule()),
        NodeError::BelowWord(_) => "PATH_INTO_MIXIN",
        NodeError::BelowChunk(_) => "PATH_INTO_PACKED",
        NodeError::BelowAbsent(_) => "PATH_INTO_GAP",
        NodeError::PastSpine(_) => "PATH_PAST_SPINE",
    })
}

pub(super) fn of_indices(error: &IndicesError) -> Option<&'static str> {
    Some(match error {
        IndicesError::Empty => "EMPTY_REQUEST",
        IndicesError::Repeated(_) => "REPEATED_INDEX",
        IndicesError::Nested(..) => "NESTED_INDEX",
    })
}

pub(super) fn of_multiproof(error: &MultiproofError) -> Option<&'static str> {
    Some(match error {
        MultiproofError::Indices(error) => return of_indices(error),
        MultiproofError::Leaves { .. } => "LEAF_COUNT",
        MultiproofError::Helpers { .. } => "PROOF_LENGTH",
    })
}
