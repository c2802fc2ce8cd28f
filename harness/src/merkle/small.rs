//! One small value by itself: the same tree on the stack, without the bookkeeping that pays for many values.

use pair_hashers::Node;

use super::reduce::{Reducer, depth_of};
use super::{Malformed, ZERO_CHUNK};
use crate::ssz::layout::{self, Span};
use crate::types::{Kind, Type};

/// A small type's containers have at most this many fields, and its byte vectors this many chunks.
const WIDTH: usize = 8;

/// Whether [`small_root`] takes values of a type with these parts: of fixed size, and no tree in it is wider than
/// [`WIDTH`].
pub(crate) fn is_small(kind: &Kind) -> bool {
    match kind {
        Kind::Boolean | Kind::Byte | Kind::Uint { .. } => true,
        Kind::ByteVector { length } => *length <= WIDTH * 32,
        Kind::BitVector { length } => *length <= 256,
        Kind::Container { fields } => fields.len() <= WIDTH && fields.iter().all(|field| field.ty.is_small()),
        _ => false,
    }
}

/// Whether every byte string of the type's size is a value whose root is those bytes, padded.
pub(crate) fn is_chunk(kind: &Kind) -> bool {
    match kind {
        Kind::Byte | Kind::Uint { .. } => true,
        Kind::ByteVector { length } => *length <= 32,
        _ => false,
    }
}

/// The root of one value of a small type.
pub(super) fn small_root(reducer: &mut Reducer<'_>, ty: &Type, span: Span<'_>) -> Result<Node, Malformed> {
    span.expect_size(ty.size_in_parent())?;
    match ty.kind() {
        Kind::Container { fields } => {
            let mut leaves = [ZERO_CHUNK; WIDTH];
            for ((field, &offset), leaf) in fields.iter().zip(ty.field_offsets()).zip(&mut leaves) {
                let span = span.cut(offset, offset + field.ty.size_in_parent());
                *leaf = match field.ty.is_chunk() {
                    true => padded(span.bytes),
                    false => small_root(reducer, &field.ty, span)?,
                };
            }
            return Ok(reduce(reducer, &mut leaves, fields.len()));
        }
        Kind::ByteVector { length } if *length > 32 => {
            let mut leaves = [ZERO_CHUNK; WIDTH];
            leaves.as_flattened_mut()[..*length].copy_from_slice(span.bytes);
            return Ok(reduce(reducer, &mut leaves, length.div_ceil(32)));
        }
        Kind::Boolean => drop(layout::boolean(span, 0)?),
        Kind::BitVector { length } => layout::bit_vector(span, *length)?,
        _ => {}
    }
    Ok(padded(span.bytes))
}

/// At most 32 bytes as a chunk. The sizes that nearly all fields have are copied without a call.
#[inline]
pub(super) fn padded(bytes: &[u8]) -> Node {
    let mut chunk = ZERO_CHUNK;
    match bytes.len() {
        8 => chunk[..8].copy_from_slice(bytes),
        16 => chunk[..16].copy_from_slice(bytes),
        32 => chunk.copy_from_slice(bytes),
        size => chunk[..size].copy_from_slice(bytes),
    }
    chunk
}

/// The root over the first `width` leaves.
fn reduce(reducer: &mut Reducer<'_>, leaves: &mut [Node; WIDTH], mut width: usize) -> Node {
    let mut parents = [ZERO_CHUNK; WIDTH / 2];
    for level in 0..depth_of(width as u64) {
        if !width.is_multiple_of(2) {
            leaves[width] = reducer.zero(level);
            width += 1;
        }
        reducer.hash(&leaves[..width], &mut parents[..width / 2]);
        width /= 2;
        leaves[..width].copy_from_slice(&parents[..width]);
    }
    leaves[0]
}
