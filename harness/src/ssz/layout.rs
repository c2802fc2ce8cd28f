//! Where the parts of an encoded value lie: fields, elements, bits, options. The decoder and the Merkle trees both read
//! encodings through this module, so that neither accepts what the other refuses.

use ::ssz::{BYTES_PER_LENGTH_OFFSET, DecodeError as SszError, SszDecoderBuilder, read_offset};

use super::{DecodeError, Rule};
use crate::types::{Field, Type};

/// A piece of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span<'b> {
    pub(crate) bytes: &'b [u8],
    /// Offset of the first byte in the whole input.
    pub(crate) start: usize,
}

impl<'b> Span<'b> {
    /// The whole input.
    pub(crate) fn whole(bytes: &'b [u8]) -> Self {
        Self { bytes, start: 0 }
    }

    /// An error at the byte `at` of this piece.
    pub(crate) fn error(&self, at: usize, rule: Rule) -> DecodeError {
        DecodeError::new(self.start + at, rule)
    }

    /// The bytes `from..to`, which lie within this piece.
    pub(crate) fn cut(&self, from: usize, to: usize) -> Self {
        Self { bytes: &self.bytes[from..to], start: self.start + from }
    }

    /// That a value of fixed size fills the piece.
    pub(crate) fn expect_size(&self, expected: usize) -> Result<(), DecodeError> {
        match self.bytes.len() {
            found if found == expected => Ok(()),
            found => Err(self.error(found.min(expected), Rule::Size { expected, found })),
        }
    }
}

/// The fields of a container, in order.
pub(crate) fn fields<'b>(fields: &[Field], span: Span<'b>) -> Result<Vec<Span<'b>>, DecodeError> {
    let fixed_part = fields.iter().map(|field| field.ty.size_in_parent()).sum::<usize>();
    if span.bytes.len() < fixed_part {
        return Err(
            span.error(span.bytes.len(), Rule::TooShort { expected: fixed_part, found: span.bytes.len() })
        );
    }
    let mut builder = SszDecoderBuilder::new(span.bytes);
    let (mut at, mut previous, mut first_offset) = (0, 0, None);
    for Field { name, ty } in fields {
        let fixed = ty.fixed_size().is_some();
        let registered = builder.register_type_parameterized(fixed, ty.size_in_parent());
        registered.map_err(|error| span.error(at, offset_rule(error, span, previous)).in_field(name))?;
        if !fixed {
            first_offset.get_or_insert((at, name));
            previous = read_offset(&span.bytes[at..]).unwrap_or(previous);
        }
        at += ty.size_in_parent();
    }
    let mut decoder = builder.build().map_err(|error| match (error, first_offset) {
        (
            SszError::OffsetIntoFixedPortion(found) | SszError::OffsetSkipsVariableBytes(found),
            Some((at, name)),
        ) => span.error(at, Rule::FirstOffset { expected: fixed_part, found }).in_field(name),
        _ => span.error(fixed_part, Rule::Size { expected: fixed_part, found: span.bytes.len() }),
    })?;
    let mut next =
        || decoder.decode_next_with(Ok).map_err(|error| span.error(0, offset_rule(error, span, 0)));
    fields.iter().map(|_| next().map(|bytes| span_within(span, bytes))).collect()
}

/// A slice of `span`'s bytes, with its place in the whole input.
fn span_within<'b>(span: Span<'b>, bytes: &'b [u8]) -> Span<'b> {
    let distance = (bytes.as_ptr() as usize).wrapping_sub(span.bytes.as_ptr() as usize);
    Span { bytes, start: span.start + distance.min(span.bytes.len()) }
}

fn offset_rule(error: SszError, span: Span<'_>, previous: usize) -> Rule {
    let end = span.bytes.len();
    match error {
        SszError::OffsetOutOfBounds(found) => Rule::OffsetPastEnd { end, found },
        SszError::OffsetsAreDecreasing(found) => Rule::OffsetDecreases { previous, found },
        SszError::OffsetIntoFixedPortion(found) => Rule::OffsetDecreases { previous, found },
        SszError::InvalidByteLength { len, expected } | SszError::InvalidLengthPrefix { len, expected } => {
            Rule::TooShort { expected, found: len }
        }
        _ => Rule::TooShort { expected: end, found: end },
    }
}

/// How many elements a sequence may have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Count {
    Exactly(usize),
    AtMost(u64),
    Any,
}

impl Count {
    /// That `found` elements are allowed.
    pub(crate) fn check(self, span: Span<'_>, found: usize) -> Result<(), DecodeError> {
        match self {
            Self::AtMost(limit) if found as u64 > limit => Err(span.error(0, Rule::Limit { limit, found })),
            _ => Ok(()),
        }
    }
}

/// The number of elements of `size` bytes that fill the piece.
pub(crate) fn fixed_elements(span: Span<'_>, size: usize, count: Count) -> Result<usize, DecodeError> {
    let found = span.bytes.len();
    if let Count::Exactly(length) = count {
        // a vector's size was found not to overflow when its type was made
        return span.expect_size(size * length).map(|()| length);
    }
    if !found.is_multiple_of(size) {
        return Err(span.error(found - found % size, Rule::Indivisible { element: size, found }));
    }
    count.check(span, found / size)?;
    Ok(found / size)
}

/// The elements of a sequence whose elements are of variable size, each behind an offset.
pub(crate) struct Elements<'b> {
    span: Span<'b>,
    count: usize,
    index: usize,
    /// Of the next element.
    offset: usize,
}

impl<'b> Elements<'b> {
    pub(crate) fn new(span: Span<'b>, count: Count) -> Result<Self, DecodeError> {
        let first = match (span.bytes, count) {
            ([], Count::AtMost(_) | Count::Any) => return Ok(Self { span, count: 0, index: 0, offset: 0 }),
            (bytes, _) => read_offset(bytes).map_err(|_| {
                span.error(0, Rule::TooShort { expected: BYTES_PER_LENGTH_OFFSET, found: bytes.len() })
            })?,
        };
        let found = match count {
            Count::Exactly(length) => {
                let expected = length.saturating_mul(BYTES_PER_LENGTH_OFFSET);
                if first != expected {
                    return Err(span.error(0, Rule::FirstOffset { expected, found: first }));
                }
                length
            }
            Count::AtMost(_) | Count::Any => {
                if first == 0 || !first.is_multiple_of(BYTES_PER_LENGTH_OFFSET) {
                    return Err(span.error(0, Rule::OffsetUnaligned(first)));
                }
                first / BYTES_PER_LENGTH_OFFSET
            }
        };
        if first > span.bytes.len() {
            return Err(span.error(0, Rule::OffsetPastEnd { end: span.bytes.len(), found: first }));
        }
        count.check(span, found)?;
        Ok(Self { span, count: found, index: 0, offset: first })
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Where the element after the current one starts, which is where the current one ends.
    fn next_offset(&self) -> Result<usize, DecodeError> {
        let (span, end) = (self.span, self.span.bytes.len());
        let next = self.index + 1;
        if next == self.count {
            return Ok(end);
        }
        // the first offset is within the piece, so all the offsets before it are
        let at = next * BYTES_PER_LENGTH_OFFSET;
        let found = read_offset(&span.bytes[at..]).unwrap_or(usize::MAX);
        let rule = if found > end {
            Rule::OffsetPastEnd { end, found }
        } else if found < self.offset {
            Rule::OffsetDecreases { previous: self.offset, found }
        } else {
            return Ok(found);
        };
        Err(span.error(at, rule).in_element(next))
    }
}

impl<'b> Iterator for Elements<'b> {
    type Item = Result<Span<'b>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.index == self.count {
            return None;
        }
        match self.next_offset() {
            Ok(end) => {
                let element = self.span.cut(self.offset, end);
                self.offset = end;
                self.index += 1;
                Some(Ok(element))
            }
            Err(error) => {
                self.index = self.count;
                Some(Err(error))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.count - self.index))
    }
}

/// Checks a boolean.
pub(crate) fn boolean(span: Span<'_>, at: usize) -> Result<bool, DecodeError> {
    match span.bytes[at] {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(span.error(at, Rule::Boolean(other))),
    }
}

/// Checks a bit vector: its size, and that no bit past its length is set.
pub(crate) fn bit_vector(span: Span<'_>, length: usize) -> Result<(), DecodeError> {
    span.expect_size(length.div_ceil(8))?;
    let last = span.bytes.len() - 1;
    if !length.is_multiple_of(8) && span.bytes[last] >> (length % 8) != 0 {
        return Err(span.error(last, Rule::Padding(length)));
    }
    Ok(())
}

/// Checks a bit list and gives its length in bits, without the delimiter.
pub(crate) fn bit_list(span: Span<'_>, count: Count) -> Result<usize, DecodeError> {
    let Some((&last, rest)) = span.bytes.split_last() else {
        return Err(span.error(0, Rule::Empty));
    };
    if last == 0 {
        return Err(span.error(rest.len(), Rule::NoDelimiter));
    }
    let length = rest.len() * 8 + last.ilog2() as usize;
    count.check(span, length)?;
    Ok(length)
}

/// A union's selector, and the option that it names with what follows the selector, unless that is `None`.
pub(crate) type Selected<'t, 'b> = (u8, Option<(&'t Type, Span<'b>)>);

/// Finds the option of a union.
pub(crate) fn union<'b, 't>(
    span: Span<'b>,
    find: impl Fn(u8) -> Option<Option<&'t Type>>,
) -> Result<Selected<'t, 'b>, DecodeError> {
    let Some(&selector) = span.bytes.first() else {
        return Err(span.error(0, Rule::NoSelector));
    };
    let rest = span.cut(1, span.bytes.len());
    match find(selector) {
        None => Err(span.error(0, Rule::UnknownSelector(selector))),
        Some(None) if !rest.bytes.is_empty() => Err(rest.error(0, Rule::NoneWithBytes(rest.bytes.len()))),
        Some(None) => Ok((selector, None)),
        Some(Some(ty)) => Ok((selector, Some((ty, rest)))),
    }
}

/// The option that a selector names in a compatible union.
pub(crate) fn compatible_option(options: &[(u8, Type)], selector: u8) -> Option<Option<&Type>> {
    let at = options.binary_search_by_key(&selector, |(selector, _)| *selector).ok()?;
    Some(Some(&options[at].1))
}

/// The option that a selector names in a union.
pub(crate) fn union_option(options: &[Option<Type>], selector: u8) -> Option<Option<&Type>> {
    options.get(usize::from(selector)).map(Option::as_ref)
}
