//! Many encoded values of one type, and where their roots go.

use pair_hashers::Node;

/// Encoded values of one type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Batch<'a, 'b> {
    /// Value `i` is `size` bytes at `i * stride`.
    Strided { bytes: &'b [u8], stride: usize, size: usize, count: usize },
    /// Value `i` is all of `values[i]`.
    Each(&'a [&'b [u8]]),
    /// Value `i` is `size` bytes at `offset` of `values[i]`.
    Part { values: &'a [&'b [u8]], offset: usize, size: usize },
}

impl<'a, 'b> Batch<'a, 'b> {
    pub(super) fn one(bytes: &'b [u8]) -> Self {
        Self::Strided { bytes, stride: bytes.len(), size: bytes.len(), count: 1 }
    }

    pub(super) fn many(values: &'a [&'b [u8]]) -> Self {
        Self::Each(values)
    }

    /// `count` values of `size` bytes, one after the other.
    pub(super) fn packed(bytes: &'b [u8], size: usize, count: usize) -> Self {
        Self::Strided { bytes, stride: size, size, count }
    }

    pub(super) fn len(&self) -> usize {
        match *self {
            Self::Strided { count, .. } => count,
            Self::Each(values) | Self::Part { values, .. } => values.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> &'b [u8] {
        match *self {
            Self::Strided { bytes, stride, size, .. } => &bytes[index * stride..][..size],
            Self::Each(values) => values[index],
            Self::Part { values, offset, size } => &values[index][offset..][..size],
        }
    }

    /// Every value, in order. (Which kind of batch it is, is asked once and not for each value.)
    #[inline(always)]
    pub(super) fn for_each(&self, mut give: impl FnMut(&'b [u8])) {
        match *self {
            Self::Strided { mut bytes, stride, size, count } => {
                for _ in 0..count {
                    give(&bytes[..size]);
                    bytes = bytes.get(stride..).unwrap_or_default();
                }
            }
            Self::Each(values) => values.iter().for_each(|value| give(value)),
            Self::Part { values, offset, size } => {
                values.iter().for_each(|value| give(&value[offset..][..size]))
            }
        }
    }

    /// The values `from..to`.
    pub(super) fn slice(&self, from: usize, to: usize) -> Self {
        match *self {
            Self::Strided { bytes, stride, size, .. } => Self::Strided {
                bytes: bytes.get(from * stride..).unwrap_or_default(),
                stride,
                size,
                count: to - from,
            },
            Self::Each(values) => Self::Each(&values[from..to]),
            Self::Part { values, offset, size } => Self::Part { values: &values[from..to], offset, size },
        }
    }

    /// Of each value, the `size` bytes at `offset`; each value is at least that long.
    pub(super) fn part(&self, offset: usize, size: usize) -> Self {
        match *self {
            Self::Strided { bytes, stride, count, .. } => {
                Self::Strided { bytes: bytes.get(offset..).unwrap_or_default(), stride, size, count }
            }
            Self::Each(values) => Self::Part { values, offset, size },
            Self::Part { values, offset: before, .. } => Self::Part { values, offset: before + offset, size },
        }
    }

    /// The values' sizes, if they are all the same.
    pub(super) fn common_size(&self) -> Option<usize> {
        match *self {
            Self::Strided { size, .. } | Self::Part { size, .. } => Some(size),
            Self::Each(values) => {
                let first = values.first()?.len();
                values.iter().all(|value| value.len() == first).then_some(first)
            }
        }
    }
}

/// Where the roots of a batch go: every `stride`th node.
#[derive(Debug)]
pub(super) struct Column<'o> {
    nodes: &'o mut [Node],
    stride: usize,
}

impl<'o> Column<'o> {
    /// One node after the other.
    pub(super) fn new(nodes: &'o mut [Node]) -> Self {
        Self { nodes, stride: 1 }
    }

    /// Column `at` of rows of `stride` nodes.
    pub(super) fn of_rows(rows: &'o mut [Node], at: usize, stride: usize) -> Self {
        Self { nodes: &mut rows[at..], stride }
    }

    /// The entries from `from` on.
    pub(super) fn skip(&mut self, from: usize) -> Column<'_> {
        let start = (from * self.stride).min(self.nodes.len());
        Column { nodes: &mut self.nodes[start..], stride: self.stride }
    }

    #[inline]
    pub(super) fn entry(&mut self, index: usize) -> &mut Node {
        &mut self.nodes[index * self.stride]
    }

    /// The first `count` entries, in order.
    #[inline]
    pub(super) fn entries(&mut self, count: usize) -> impl Iterator<Item = &mut Node> {
        self.nodes.iter_mut().step_by(self.stride).take(count)
    }

    pub(super) fn copy_from(&mut self, nodes: &[Node]) {
        if self.stride == 1 {
            self.nodes[..nodes.len()].copy_from_slice(nodes);
        } else {
            self.entries(nodes.len()).zip(nodes).for_each(|(entry, node)| *entry = *node);
        }
    }
}
