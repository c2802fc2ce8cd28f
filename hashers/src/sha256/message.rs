//! What is hashed for a pair.

/// The pair's 64 bytes, or a byte more before them.
///
/// In both cases there are two blocks. The second is the same for all pairs in the former case; in the latter it begins
/// with their last byte.
pub(crate) trait Message {
    /// The byte before the pair.
    const PREFIX: Option<u8>;
}

/// The pair alone.
pub(crate) enum Alone {}

impl Message for Alone {
    const PREFIX: Option<u8> = None;
}

/// The second block of a 64-byte message: a one bit, zeros, the length in bits.
pub(super) const PADDING: [u32; 16] = [0x8000_0000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8 * 64];

/// The second block of a 65-byte message but for its first byte: the same after it.
pub(super) const SECOND_BLOCK: [u32; 16] = [0x0080_0000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8 * 65];
