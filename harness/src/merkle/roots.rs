//! The roots of many values of one type, by the type's kind.

use pair_hashers::Node;

use super::batch::{Batch, Column};
use super::reduce::{BLOCK, depth_of, stride};
use super::sequences::Sequence;
use super::small::{padded, small_root};
use super::{Malformed, Merkleizer, ZERO_CHUNK, spine};
use crate::ssz::Rule;
use crate::ssz::layout::{self, Span};
use crate::types::{Field, Kind, Type};

/// How many rows of `width` leaves are made at once: as fill 256 KiB, at least one and at most a block.
fn rows_of(width: usize) -> usize {
    (8192 >> depth_of(width as u64)).clamp(1, BLOCK)
}

impl Merkleizer<'_> {
    /// Writes the root of each value of `batch` to `roots`.
    pub(super) fn roots_into(
        &mut self,
        ty: &Type,
        batch: Batch<'_, '_>,
        mut roots: Column<'_>,
    ) -> Result<(), Malformed> {
        if batch.len() == 1 && ty.is_small() {
            *roots.entry(0) = small_root(&mut self.reducer, ty, Span::whole(batch.get(0)))?;
            return Ok(());
        }
        match ty.kind() {
            Kind::Boolean => {
                expect_size(&batch, 1)?;
                let mut seen = 0;
                fill(&batch, &mut roots, |value| {
                    seen |= value[0];
                    pad(&[value[0]])
                });
                // some value is no boolean: which one, the decoder tells
                if seen > 1 { Err(Span::whole(&[seen]).error(0, Rule::Boolean(seen)).into()) } else { Ok(()) }
            }
            Kind::Byte | Kind::Uint { size: 1 } => copy_chunks::<1>(&batch, &mut roots),
            Kind::Uint { size: 2 } => copy_chunks::<2>(&batch, &mut roots),
            Kind::Uint { size: 4 } => copy_chunks::<4>(&batch, &mut roots),
            Kind::Uint { size: 8 } => copy_chunks::<8>(&batch, &mut roots),
            Kind::Uint { size: 16 } => copy_chunks::<16>(&batch, &mut roots),
            Kind::Uint { .. } | Kind::ByteVector { length: 32 } => copy_chunks::<32>(&batch, &mut roots),
            Kind::ByteVector { length } => self.byte_vectors(*length, batch, roots),
            Kind::Container { fields } => self.containers(ty, fields, None, batch, roots),
            Kind::ProgressiveContainer { active_fields, fields } => {
                self.containers(ty, fields, Some(active_fields), batch, roots)
            }
            Kind::Union { options } => {
                self.unions(batch, roots, |selector| layout::union_option(options, selector))
            }
            Kind::CompatibleUnion { options } => {
                self.unions(batch, roots, |selector| layout::compatible_option(options, selector))
            }
            Kind::BitVector { .. }
            | Kind::BitList { .. }
            | Kind::ProgressiveBitList
            | Kind::ByteList { .. }
            | Kind::ProgressiveByteList
            | Kind::Vector { .. }
            | Kind::List { .. }
            | Kind::ProgressiveList { .. } => match Sequence::of(ty) {
                Some(sequence) => self.sequences(&sequence, batch, roots),
                None => unreachable!("each of these kinds is a sequence"),
            },
        }
    }

    /// Byte vectors of one size, as many keys and signatures are: rows of equal width.
    fn byte_vectors(
        &mut self,
        length: usize,
        batch: Batch<'_, '_>,
        mut roots: Column<'_>,
    ) -> Result<(), Malformed> {
        expect_size(&batch, length)?;
        let width = length.div_ceil(32);
        let block = rows_of(width);
        let mut from = 0;
        while from < batch.len() {
            let to = batch.len().min(from + block);
            let mut rows = self.reducer.take((to - from) * stride(width));
            let mut next = rows.chunks_exact_mut(stride(width));
            batch.slice(from, to).for_each(|value| {
                let Some(row) = next.next() else { return };
                let (whole, rest) = value.as_chunks();
                row.iter_mut().zip(whole).for_each(|(node, chunk)| *node = *chunk);
                if !rest.is_empty() {
                    row[whole.len()] = padded(rest);
                }
            });
            let depth = depth_of(width as u64);
            self.reducer.reduce_rows(&mut rows, to - from, width, (0, depth), &mut roots.skip(from));
            self.reducer.give_back(rows);
            from = to;
        }
        Ok(())
    }

    /// Containers, block by block; progressive ones where `active_fields` is given.
    fn containers(
        &mut self,
        ty: &Type,
        fields: &[Field],
        active_fields: Option<&[bool]>,
        batch: Batch<'_, '_>,
        mut roots: Column<'_>,
    ) -> Result<(), Malformed> {
        let block = rows_of(fields.len());
        let mut from = 0;
        while from < batch.len() {
            let values = batch.slice(from, batch.len().min(from + block));
            let mut roots = roots.skip(from);
            from += block;
            match ty.fixed_size() {
                Some(size) => {
                    expect_size(&values, size)?;
                    let columns = Columns::Fixed { values, offsets: ty.field_offsets() };
                    self.block_of_containers(fields, active_fields, &columns, values.len(), &mut roots)?;
                }
                None => {
                    let spans = field_spans(fields, &values)?;
                    let columns = Columns::Spans { spans: &spans, count: values.len() };
                    self.block_of_containers(fields, active_fields, &columns, values.len(), &mut roots)?;
                }
            }
        }
        Ok(())
    }

    fn block_of_containers(
        &mut self,
        fields: &[Field],
        active_fields: Option<&[bool]>,
        columns: &Columns<'_, '_>,
        count: usize,
        roots: &mut Column<'_>,
    ) -> Result<(), Malformed> {
        let Some(active_fields) = active_fields else {
            let depth = depth_of(fields.len() as u64);
            return self.field_trees(fields, columns, 0..fields.len(), None, depth, count, roots);
        };
        let mut spines = self.reducer.take(count);
        self.field_spines(fields, columns, active_fields, &mut spines[..count])?;
        let active = active_node(active_fields);
        self.reducer.mix_in(&mut spines[..count], |_| active);
        roots.copy_from(&spines[..count]);
        self.reducer.give_back(spines);
        Ok(())
    }

    /// Progressive trees over the positions of progressive containers.
    fn field_spines(
        &mut self,
        fields: &[Field],
        columns: &Columns<'_, '_>,
        active_fields: &[bool],
        roots: &mut [Node],
    ) -> Result<(), Malformed> {
        let count = roots.len();
        let mut subtrees = self.reducer.take(count);
        roots.fill(ZERO_CHUNK);
        for (range, depth) in spine::subtrees(active_fields.len()).rev() {
            let before = active_fields[..range.start].iter().filter(|active| **active).count();
            let active = &active_fields[range];
            let within = active.iter().filter(|active| **active).count();
            let here = before..before + within;
            let mut column = Column::new(&mut subtrees);
            self.field_trees(fields, columns, here, Some(active), depth, count, &mut column)?;
            self.climb_spine(&subtrees[..count], roots);
        }
        self.reducer.give_back(subtrees);
        Ok(())
    }

    /// Trees of one depth whose leaves are the fields `range`: one after the other, or at the places that are active.
    #[expect(clippy::too_many_arguments, reason = "the one place where containers' leaves are made")]
    fn field_trees(
        &mut self,
        fields: &[Field],
        columns: &Columns<'_, '_>,
        mut range: std::ops::Range<usize>,
        active: Option<&[bool]>,
        depth: usize,
        count: usize,
        roots: &mut Column<'_>,
    ) -> Result<(), Malformed> {
        let width = active.map_or(range.len(), <[bool]>::len);
        let mut rows = self.reducer.take(count * stride(width));
        for at in 0..width {
            let mut column = Column::of_rows(&mut rows, at, stride(width));
            match active.is_none_or(|active| active[at]).then(|| range.next()).flatten() {
                Some(field) => {
                    let ty = &fields[field].ty;
                    self.roots_into(ty, columns.get(field, ty.size_in_parent()), column)?;
                }
                None => column.entries(count).for_each(|node| *node = ZERO_CHUNK),
            }
        }
        self.reducer.reduce_rows(&mut rows, count, width, (0, depth), roots);
        self.reducer.give_back(rows);
        Ok(())
    }

    /// Unions: those of one selector together.
    fn unions<'t>(
        &mut self,
        batch: Batch<'_, '_>,
        mut roots: Column<'_>,
        find: impl Fn(u8) -> Option<Option<&'t Type>>,
    ) -> Result<(), Malformed> {
        let mut by_selector = std::collections::BTreeMap::new();
        for index in 0..batch.len() {
            let (selector, option) = layout::union(Span::whole(batch.get(index)), &find)?;
            let group =
                by_selector.entry(selector).or_insert_with(|| (option.map(|(ty, _)| ty), vec![], vec![]));
            group.1.push(index);
            group.2.extend(option.map(|(_, rest)| rest.bytes));
        }
        for (selector, (ty, places, values)) in by_selector {
            let mut contents = vec![ZERO_CHUNK; places.len()];
            if let Some(ty) = ty {
                self.roots_into(ty, Batch::many(&values), Column::new(&mut contents))?;
            }
            let mut word = ZERO_CHUNK;
            word[0] = selector;
            self.reducer.mix_in(&mut contents, |_| word);
            places.iter().zip(contents).for_each(|(&place, root)| *roots.entry(place) = root);
        }
        Ok(())
    }
}

/// That every value has `size` bytes.
fn expect_size(batch: &Batch<'_, '_>, size: usize) -> Result<(), Malformed> {
    if batch.common_size() == Some(size) {
        return Ok(());
    }
    (0..batch.len()).try_for_each(|index| Ok(Span::whole(batch.get(index)).expect_size(size)?))
}

/// Values that are one chunk each, padded at the end.
fn copy_chunks<const SIZE: usize>(batch: &Batch<'_, '_>, roots: &mut Column<'_>) -> Result<(), Malformed> {
    expect_size(batch, SIZE)?;
    fill(batch, roots, |value| match value.first_chunk::<SIZE>() {
        Some(value) => pad(value),
        None => ZERO_CHUNK,
    });
    Ok(())
}

/// Makes a node of each value.
#[inline(always)]
fn fill(batch: &Batch<'_, '_>, roots: &mut Column<'_>, mut make: impl FnMut(&[u8]) -> Node) {
    let mut index = 0;
    batch.for_each(|value| {
        *roots.entry(index) = make(value);
        index += 1;
    });
}

#[inline(always)]
fn pad<const SIZE: usize>(value: &[u8; SIZE]) -> Node {
    let mut chunk = ZERO_CHUNK;
    chunk[..SIZE].copy_from_slice(value);
    chunk
}

/// The fields of many containers, a batch for each field.
enum Columns<'a, 'b> {
    /// At the same place in every value.
    Fixed { values: Batch<'a, 'b>, offsets: &'a [usize] },
    /// All of the first field, then all of the second.
    Spans { spans: &'a [&'b [u8]], count: usize },
}

impl<'a, 'b> Columns<'a, 'b> {
    fn get(&self, field: usize, size: usize) -> Batch<'a, 'b> {
        match *self {
            Self::Fixed { values, offsets } => values.part(offsets[field], size),
            Self::Spans { spans, count } => Batch::many(&spans[field * count..(field + 1) * count]),
        }
    }
}

/// Where the fields of containers of variable size are.
fn field_spans<'b>(fields: &[Field], values: &Batch<'_, 'b>) -> Result<Vec<&'b [u8]>, Malformed> {
    let mut spans = vec![&[][..]; fields.len() * values.len()];
    for index in 0..values.len() {
        for (field, span) in layout::fields(fields, Span::whole(values.get(index)))?.into_iter().enumerate() {
            spans[field * values.len() + index] = span.bytes;
        }
    }
    Ok(spans)
}

/// The active positions of a progressive container as the 256-bit vector that is mixed in (EIP-7495).
fn active_node(active_fields: &[bool]) -> Node {
    let mut node = ZERO_CHUNK;
    for (at, _) in active_fields.iter().enumerate().filter(|(_, active)| **active) {
        node[at / 8] |= 1 << (at % 8);
    }
    node
}
