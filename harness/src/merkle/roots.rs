//! The roots of many values of one type, by the type's kind.

use pair_hashers::Node;

use super::batch::{Batch, Column};
use super::reduce::{depth_of, stride};
use super::sequences::Sequence;
use super::{Malformed, Merkleizer, ZERO_CHUNK, spine};
use crate::ssz::layout::{self, Span};
use crate::types::{Field, Kind, Type};

/// Rows of leaves are made for as many containers at once as fill about this much.
const ROWS_BYTES: usize = 64 * 1024;

impl Merkleizer<'_> {
    /// Writes the root of each value of `batch` to `roots`.
    pub(super) fn roots_into(
        &mut self,
        ty: &Type,
        batch: Batch<'_, '_>,
        mut roots: Column<'_>,
    ) -> Result<(), Malformed> {
        match ty.kind() {
            Kind::Boolean => {
                expect_size(&batch, 1)?;
                for (index, root) in roots.entries(batch.len()).enumerate() {
                    let value = layout::boolean(Span::whole(batch.get(index)), 0)?;
                    *root = ZERO_CHUNK;
                    root[0] = value.into();
                }
                Ok(())
            }
            Kind::Byte | Kind::Uint { size: 1 } => copy_chunks::<1>(&batch, &mut roots),
            Kind::Uint { size: 2 } => copy_chunks::<2>(&batch, &mut roots),
            Kind::Uint { size: 4 } => copy_chunks::<4>(&batch, &mut roots),
            Kind::Uint { size: 8 } => copy_chunks::<8>(&batch, &mut roots),
            Kind::Uint { size: 16 } => copy_chunks::<16>(&batch, &mut roots),
            Kind::Uint { .. } | Kind::ByteVector { length: 32 } => copy_chunks::<32>(&batch, &mut roots),
            Kind::ByteVector { length } => self.byte_vectors(*length, batch, roots),
            Kind::Container { fields } => {
                self.containers(ty, fields, batch, roots, |merkleizer, fields, columns, roots| {
                    let places: Vec<_> = (0..fields.len()).map(Some).collect();
                    merkleizer.field_trees(fields, columns, &places, depth_of(fields.len() as u64), roots)
                })
            }
            Kind::ProgressiveContainer { active_fields, fields } => {
                let active = active_node(active_fields);
                self.containers(ty, fields, batch, roots, |merkleizer, fields, columns, roots| {
                    merkleizer.field_spines(fields, columns, active_fields, roots)?;
                    merkleizer.reducer.mix_in(roots, |_| active);
                    Ok(())
                })
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
        let block = (ROWS_BYTES / 32 / width).max(1);
        for from in (0..batch.len()).step_by(block) {
            let to = batch.len().min(from + block);
            let mut rows = self.reducer.take((to - from) * stride(width));
            for (row, index) in rows.chunks_exact_mut(stride(width)).zip(from..to) {
                let bytes = row.as_flattened_mut();
                bytes[..length].copy_from_slice(batch.get(index));
                bytes[length..width * 32].fill(0);
            }
            let depth = depth_of(width as u64);
            self.reducer.reduce_rows(&mut rows, to - from, width, (0, depth), &mut roots.skip(from));
            self.reducer.give_back(rows);
        }
        Ok(())
    }

    /// Containers, block by block: finds the fields of each, and has `compute` make their roots.
    fn containers(
        &mut self,
        ty: &Type,
        fields: &[Field],
        batch: Batch<'_, '_>,
        mut roots: Column<'_>,
        compute: impl Fn(&mut Self, &[Field], &[Batch<'_, '_>], &mut [Node]) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        let block = (ROWS_BYTES / 32 / fields.len()).clamp(1, 1024);
        for from in (0..batch.len()).step_by(block) {
            let values = batch.slice(from, batch.len().min(from + block));
            let mut block_roots = self.reducer.take(values.len());
            let computed = with_columns(ty, fields, values, |columns| {
                compute(self, fields, columns, &mut block_roots[..values.len()])
            });
            roots.skip(from).copy_from(&block_roots[..values.len()]);
            self.reducer.give_back(block_roots);
            computed?;
        }
        Ok(())
    }

    /// Trees of one depth whose leaf `i` is the field that `places[i]` names, or zero.
    fn field_trees(
        &mut self,
        fields: &[Field],
        columns: &[Batch<'_, '_>],
        places: &[Option<usize>],
        depth: usize,
        roots: &mut [Node],
    ) -> Result<(), Malformed> {
        let (count, width) = (roots.len(), places.len());
        let mut rows = self.reducer.take(count * stride(width));
        for (at, place) in places.iter().enumerate() {
            let mut column = Column::of_rows(&mut rows, at, stride(width));
            match place {
                Some(field) => self.roots_into(&fields[*field].ty, columns[*field], column)?,
                None => column.entries(count).for_each(|node| *node = ZERO_CHUNK),
            }
        }
        self.reducer.reduce_rows(&mut rows, count, width, (0, depth), &mut Column::new(roots));
        self.reducer.give_back(rows);
        Ok(())
    }

    /// Progressive trees over the positions of progressive containers.
    fn field_spines(
        &mut self,
        fields: &[Field],
        columns: &[Batch<'_, '_>],
        active_fields: &[bool],
        roots: &mut [Node],
    ) -> Result<(), Malformed> {
        let mut next = 0..fields.len();
        let places: Vec<_> =
            active_fields.iter().map(|&active| if active { next.next() } else { None }).collect();
        let mut subtrees = self.reducer.take(roots.len());
        roots.fill(ZERO_CHUNK);
        for (range, depth) in spine::subtrees(places.len()).rev() {
            self.field_trees(fields, columns, &places[range], depth, &mut subtrees[..roots.len()])?;
            self.climb_spine(&subtrees[..roots.len()], roots);
        }
        self.reducer.give_back(subtrees);
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
    for (index, root) in roots.entries(batch.len()).enumerate() {
        let mut chunk = ZERO_CHUNK;
        chunk[..SIZE].copy_from_slice(batch.get(index));
        *root = chunk;
    }
    Ok(())
}

/// Hands the fields of many containers to `then`, a batch for each field.
fn with_columns<R>(
    ty: &Type,
    fields: &[Field],
    values: Batch<'_, '_>,
    then: impl FnOnce(&[Batch<'_, '_>]) -> Result<R, Malformed>,
) -> Result<R, Malformed> {
    if let Some(size) = ty.fixed_size() {
        expect_size(&values, size)?;
        let mut offset = 0;
        let columns: Vec<_> = fields
            .iter()
            .map(|field| {
                let size = field.ty.size_in_parent();
                offset += size;
                values.part(offset - size, size)
            })
            .collect();
        return then(&columns);
    }
    // field by field, the spans of all values: a table of columns
    let mut table = vec![&[][..]; fields.len() * values.len()];
    for index in 0..values.len() {
        for (field, span) in layout::fields(fields, Span::whole(values.get(index)))?.into_iter().enumerate() {
            table[field * values.len() + index] = span.bytes;
        }
    }
    let columns: Vec<_> = table.chunks(values.len()).map(Batch::many).collect();
    then(&columns)
}

/// The active positions of a progressive container as the 256-bit vector that is mixed in (EIP-7495).
fn active_node(active_fields: &[bool]) -> Node {
    let mut node = ZERO_CHUNK;
    for (at, _) in active_fields.iter().enumerate().filter(|(_, active)| **active) {
        node[at / 8] |= 1 << (at % 8);
    }
    node
}
