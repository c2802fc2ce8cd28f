//! Roots by the batching engine against a plain transcription of the specification over decoded values.

mod faults;
mod proofs;

use pair_hashers::{Family, auto, testing};

use super::*;
use crate::schema;
use crate::ssz::Value;
use crate::types::Kind;

/// The specification's functions, for a hash function and an order of progressive trees.
#[derive(Clone, Copy)]
struct Plain {
    family: Family,
    order: Progressive,
}

/// That of today's consensus.
const PLAIN: Plain = Plain { family: Family::Sha256, order: Progressive::SubtreeFirst };

impl Plain {
    fn hash(self, left: Node, right: Node) -> Node {
        let (pair, mut nodes) = ([left, right].concat(), [ZERO_CHUNK]);
        testing::reference(self.family).hash_pairs(pair.as_chunks().0, &mut nodes);
        nodes[0]
    }

    /// `merkleize(chunks, limit)`
    fn merkleize(self, chunks: &[Node], limit: u64) -> Node {
        self.subtree(chunks, limit.max(1).next_power_of_two().trailing_zeros())
    }

    fn subtree(self, chunks: &[Node], depth: u32) -> Node {
        match (chunks, depth) {
            ([], 0) => ZERO_CHUNK,
            ([], _) => {
                let child = self.subtree(&[], depth - 1);
                self.hash(child, child)
            }
            (_, 0) => chunks[0],
            _ => {
                let half = chunks.len().min(1usize.checked_shl(depth - 1).unwrap_or(usize::MAX));
                let (left, right) = chunks.split_at(half);
                self.hash(self.subtree(left, depth - 1), self.subtree(right, depth - 1))
            }
        }
    }

    /// `merkleize_progressive(chunks, num_leaves)`
    fn merkleize_progressive(self, chunks: &[Node], leaves: usize) -> Node {
        if chunks.is_empty() {
            return ZERO_CHUNK;
        }
        let split = chunks.len().min(leaves);
        let subtree = self.merkleize(&chunks[..split], leaves as u64);
        let rest = self.merkleize_progressive(&chunks[split..], leaves * 4);
        match self.order {
            Progressive::SubtreeFirst => self.hash(subtree, rest),
            Progressive::RestFirst => self.hash(rest, subtree),
        }
    }

    /// `hash_tree_root(value)`
    fn root(self, ty: &Type, value: &Value) -> Node {
        let roots = |element: &Type, values: &[Value]| {
            values.iter().map(|v| self.root(element, v)).collect::<Vec<_>>()
        };
        match (ty.kind(), value) {
            (Kind::Boolean, Value::Boolean(value)) => word((*value).into()),
            (_, Value::Uint(value)) => value.to_le_bytes(),
            (Kind::BitVector { length }, Value::Bits(bits)) => {
                self.merkleize(&pack(bits.as_bytes()), length.div_ceil(256) as u64)
            }
            (Kind::BitList { limit }, Value::Bits(bits)) => {
                self.hash(self.merkleize(&pack(bits.as_bytes()), limit.div_ceil(256)), word(bits.len()))
            }
            (Kind::ProgressiveBitList, Value::Bits(bits)) => {
                self.hash(self.merkleize_progressive(&pack(bits.as_bytes()), 1), word(bits.len()))
            }
            (Kind::ByteVector { .. }, Value::Bytes(bytes)) => {
                self.merkleize(&pack(bytes), bytes.len().div_ceil(32) as u64)
            }
            (Kind::ByteList { limit }, Value::Bytes(bytes)) => {
                self.hash(self.merkleize(&pack(bytes), limit.div_ceil(32)), word(bytes.len()))
            }
            (Kind::ProgressiveByteList, Value::Bytes(bytes)) => {
                self.hash(self.merkleize_progressive(&pack(bytes), 1), word(bytes.len()))
            }
            (Kind::Vector { .. }, Value::Packed(packed)) => {
                self.merkleize(&pack(packed), packed.len().div_ceil(32) as u64)
            }
            (Kind::List { element, limit }, Value::Packed(packed)) => {
                let size = element.fixed_size().unwrap();
                self.hash(
                    self.merkleize(&pack(packed), limit.div_ceil(32 / size as u64)),
                    word(packed.len() / size),
                )
            }
            (Kind::ProgressiveList { element }, Value::Packed(packed)) => {
                let length = packed.len() / element.fixed_size().unwrap();
                self.hash(self.merkleize_progressive(&pack(packed), 1), word(length))
            }
            (Kind::Vector { element, length }, Value::Sequence(values)) => {
                self.merkleize(&roots(element, values), *length as u64)
            }
            (Kind::List { element, limit }, Value::Sequence(values)) => {
                self.hash(self.merkleize(&roots(element, values), *limit), word(values.len()))
            }
            (Kind::ProgressiveList { element }, Value::Sequence(values)) => {
                self.hash(self.merkleize_progressive(&roots(element, values), 1), word(values.len()))
            }
            (Kind::Container { fields }, Value::Container(values)) => {
                let chunks: Vec<_> =
                    fields.iter().zip(values).map(|(field, v)| self.root(&field.ty, v)).collect();
                self.merkleize(&chunks, chunks.len() as u64)
            }
            (Kind::ProgressiveContainer { active_fields, fields }, Value::Container(values)) => {
                let mut parts = fields.iter().zip(values).map(|(field, v)| self.root(&field.ty, v));
                let chunks: Vec<_> = active_fields
                    .iter()
                    .map(|&on| if on { parts.next().unwrap() } else { ZERO_CHUNK })
                    .collect();
                let mut active = ZERO_CHUNK;
                active_fields
                    .iter()
                    .enumerate()
                    .for_each(|(at, &on)| active[at / 8] |= u8::from(on) << (at % 8));
                self.hash(self.merkleize_progressive(&chunks, 1), active)
            }
            (Kind::Union { options }, Value::Union(selector, value)) => {
                let option = options[usize::from(*selector)].as_ref();
                let content = option.zip(value.as_ref()).map_or(ZERO_CHUNK, |(ty, v)| self.root(ty, v));
                self.hash(content, word((*selector).into()))
            }
            (Kind::CompatibleUnion { options }, Value::Union(selector, Some(value))) => {
                let (_, ty) = options.iter().find(|(option, _)| option == selector).unwrap();
                self.hash(self.root(ty, value), word((*selector).into()))
            }
            _ => panic!("{ty} {value:?}"),
        }
    }
}

fn pack(bytes: &[u8]) -> Vec<Node> {
    bytes.chunks(32).map(|chunk| std::array::from_fn(|at| chunk.get(at).copied().unwrap_or(0))).collect()
}

fn word(number: usize) -> Node {
    pack(&number.to_le_bytes())[0]
}

/// A random encoding of a value, by splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Small lengths often, long ones now and then.
    fn length(&mut self, limit: u64) -> usize {
        let scale = [2, 5, 9, 34, 70][self.next() as usize % 5];
        (self.next() % (scale + 1)).min(limit) as usize
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }

    fn parts<'t>(&mut self, types: impl Iterator<Item = &'t Type> + Clone) -> Vec<u8> {
        let mut offset = types.clone().map(Type::size_in_parent).sum::<usize>();
        let (mut fixed, mut variable) = (Vec::new(), Vec::new());
        for ty in types {
            let bytes = self.value(ty);
            if ty.fixed_size().is_some() {
                fixed.extend(bytes);
            } else {
                fixed.extend((offset as u32).to_le_bytes());
                offset += bytes.len();
                variable.extend(bytes);
            }
        }
        fixed.extend(variable);
        fixed
    }

    fn bit_list(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = self.bytes(length / 8 + 1);
        bytes[length / 8] &= (1 << (length % 8)) - 1;
        bytes[length / 8] |= 1 << (length % 8);
        bytes
    }

    fn value(&mut self, ty: &Type) -> Vec<u8> {
        let repeat = |random: &mut Self, element, length| random.parts(std::iter::repeat_n(element, length));
        match ty.kind() {
            Kind::Boolean => vec![self.next() as u8 & 1],
            Kind::Byte => self.bytes(1),
            Kind::Uint { size } => self.bytes(*size),
            Kind::BitVector { length } => {
                let mut bytes = self.bytes(length.div_ceil(8));
                if length % 8 != 0 {
                    bytes[length / 8] &= (1 << (length % 8)) - 1;
                }
                bytes
            }
            Kind::BitList { limit } => {
                let length = (self.next() % (limit + 1)) as usize;
                self.bit_list(length)
            }
            Kind::ProgressiveBitList => {
                let length = self.next() as usize % 3000;
                self.bit_list(length)
            }
            Kind::ByteVector { length } => self.bytes(*length),
            Kind::ByteList { limit } => {
                let length = (self.next() % (limit + 1)) as usize;
                self.bytes(length)
            }
            Kind::ProgressiveByteList => {
                let length = self.next() as usize % 3000;
                self.bytes(length)
            }
            Kind::Vector { element, length } => repeat(self, element, *length),
            Kind::List { element, limit } => {
                let length = self.length(*limit);
                repeat(self, element, length)
            }
            Kind::ProgressiveList { element } => {
                let length = self.length(u64::MAX);
                repeat(self, element, length)
            }
            Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => {
                self.parts(fields.iter().map(|field| &field.ty))
            }
            Kind::Union { options } => {
                let selector = self.next() as usize % options.len();
                let content = options[selector].as_ref().map(|ty| self.value(ty)).unwrap_or_default();
                [vec![selector as u8], content].concat()
            }
            Kind::CompatibleUnion { options } => {
                let (selector, ty) = &options[self.next() as usize % options.len()];
                [vec![*selector], self.value(ty)].concat()
            }
        }
    }
}

fn ty(text: &str) -> Type {
    schema::read_type(&schema::select(None), "minimal", "ssz_generic", text).unwrap()
}

#[test]
fn roots_of_random_values_agree_with_the_definition_alone_and_together() {
    let names = [
        "boolean",
        "byte",
        "uint16",
        "uint128",
        "uint256",
        "Bitvector[3]",
        "Bitvector[300]",
        "Bitlist[9]",
        "Bitlist[2000]",
        "Bitlist[0]",
        "ProgressiveBitlist",
        "ByteVector[1]",
        "ByteVector[48]",
        "ByteVector[96]",
        "ByteVector[161]",
        "ByteList[100]",
        "ByteList[5000]",
        "ProgressiveList[byte]",
        "Vector[uint8, 33]",
        "Vector[boolean, 70]",
        "Vector[Bytes32, 5]",
        "Vector[Bytes48, 5]",
        "List[uint64, 1000]",
        "List[uint64, 0]",
        "List[boolean, 70]",
        "List[uint256, 9]",
        "List[Bytes32, 1099511627776]",
        "List[Bytes48, 77]",
        "List[SmallTestStruct, 77]",
        "List[VarTestStruct, 77]",
        "ProgressiveList[uint64]",
        "ProgressiveList[Bytes32]",
        "ProgressiveList[VarTestStruct]",
        "Vector[List[uint16, 40], 5]",
        "List[List[List[uint16, 40], 9], 9]",
        "List[Bitlist[600], 40]",
        "ProgressiveList[ProgressiveBitlist]",
        "Vector[ProgressiveList[uint64], 3]",
        "SingleFieldTestStruct",
        "FixedTestStruct",
        "ComplexTestStruct",
        "ProgressiveTestStruct",
        "BitsStruct",
        "ProgressiveBitsStruct",
        "ProgressiveVarTestStruct",
        "ProgressiveComplexTestStruct",
        "CompatibleUnionABCA",
        "List[CompatibleUnionBC, 50]",
        "Union[None, uint64, List[uint16, 4]]",
        "List[Union[None, uint64], 50]",
        "List[ProgressiveSingleFieldContainerTestStruct, 60]",
    ];
    let mut random = Random(1);
    let orders = [Progressive::SubtreeFirst, Progressive::RestFirst];
    for (family, order) in Family::ALL.iter().flat_map(|&family| orders.map(|order| (family, order))) {
        let mut wide = Merkleizer::with_progressive(auto(family), order);
        // one pair at a time, with a hasher's own buffers nowhere near
        let mut narrow = Merkleizer::with_progressive(testing::reference(family), order);
        let plain = Plain { family, order };
        for name in names {
            let ty = ty(name);
            let values: Vec<_> = (0..40).map(|_| random.value(&ty)).collect();
            let expected: Vec<_> =
                values.iter().map(|bytes| plain.root(&ty, &decode(&ty, bytes).unwrap())).collect();
            let one_by_one: Vec<_> = values.iter().map(|bytes| wide.root(&ty, bytes).unwrap()).collect();
            assert!(one_by_one == expected, "{name} {order} {family}");
            let slices: Vec<_> = values.iter().map(Vec::as_slice).collect();
            assert!(wide.roots(&ty, &slices).unwrap() == expected, "{name} {order} {family}, together");
            assert!(
                narrow.roots(&ty, &slices).unwrap() == expected,
                "{name} {order} {family}, one pair at a time"
            );
        }
    }
}

#[test]
fn every_number_of_chunks_around_the_block_sizes_has_its_root() {
    let mut random = Random(2);
    let mut merkleizer = Merkleizer::new(auto(Family::Sha256));
    let mut lengths: Vec<usize> = (0..70).collect();
    for power in 7..=13 {
        lengths.extend((1 << power) - 2..=(1 << power) + 2);
    }
    lengths.extend([1024 * 32 - 1, 1024 * 32, 1024 * 32 + 1, 1024 * 33 + 31]);
    for length in lengths {
        let bytes = random.bytes(length * 32);
        let chunks = pack(&bytes);
        let list = PLAIN.hash(PLAIN.merkleize(&chunks, 1 << 40), word(length));
        assert_eq!(merkleizer.root(&ty("List[Bytes32, 1099511627776]"), &bytes).unwrap(), list, "{length}");
        let progressive = PLAIN.merkleize_progressive(&chunks, 1);
        let progressive = PLAIN.hash(progressive, word(length));
        assert_eq!(
            merkleizer.root(&ty("ProgressiveList[Bytes32]"), &bytes).unwrap(),
            progressive,
            "{length}"
        );
        if length > 0 {
            let vector = Type::vector(Type::byte(), length as u64 * 32).unwrap();
            assert_eq!(
                merkleizer.root(&vector, &bytes).unwrap(),
                PLAIN.merkleize(&chunks, length as u64),
                "{length}"
            );
        }
    }
}

#[test]
fn threads_change_no_root_and_find_the_same_errors() {
    let mut random = Random(4);
    let (validators, packed) = (ty("List[FixedTestStruct, 1099511627776]"), ty("ProgressiveList[uint64]"));
    let flags = ty("List[boolean, 1099511627776]");
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut alone = Merkleizer::new(auto(Family::Sha256));
        let mut together = Merkleizer::new(auto(Family::Sha256));
        together.set_parallel(true);
        for length in [2 * 16 * 1024, 2 * 16 * 1024 + 1, 100_003, 131_072] {
            let (elements, numbers) = (random.bytes(length * 13), random.bytes(length * 32 + 8));
            let root = pool.install(|| together.root(&validators, &elements));
            assert_eq!(root, alone.root(&validators, &elements), "{length} elements, {threads} threads");
            let root = pool.install(|| together.root(&packed, &numbers));
            assert_eq!(root, alone.root(&packed, &numbers), "{length} chunks, {threads} threads");
        }
        let mut spoiled = vec![0; 32 * 100_000];
        spoiled[32 * 77_777] = 2;
        let error = pool.install(|| together.root(&flags, &spoiled)).unwrap_err().to_string();
        assert_eq!(error, "[2488864]: at byte 2488864: expected a boolean, 0x00 or 0x01, found 0x02");
    }
}

#[test]
fn what_does_not_decode_has_no_root_but_the_decoder_s_error() {
    let mut merkleizer = Merkleizer::new(auto(Family::Sha256));
    let mut random = Random(3);
    let mut refused = 0;
    for name in [
        "ComplexTestStruct",
        "ProgressiveBitsStruct",
        "List[VarTestStruct, 9]",
        "CompatibleUnionABCA",
        "List[boolean, 40]",
    ] {
        let ty = ty(name);
        for _ in 0..2000 {
            let mut bytes = random.value(&ty);
            for _ in 0..=random.next() % 3 {
                match (random.next() as usize % (bytes.len() + 1), random.next() % 4) {
                    (at, 0) => bytes.truncate(at),
                    (_, 1) => bytes.push(random.next() as u8),
                    (at, _) if at < bytes.len() => bytes[at] = random.next() as u8,
                    _ => {}
                }
            }
            let decoded = decode(&ty, &bytes).map(|value| PLAIN.root(&ty, &value));
            refused += usize::from(decoded.is_err());
            assert_eq!(merkleizer.root(&ty, &bytes), decoded, "{name} {bytes:02x?}");
        }
    }
    assert!(refused > 1000, "only {refused}");
    let (list, good) = (ty("List[uint16, 4]"), [1, 0]);
    let (at, error) = hash_tree_roots(&list, &[&good, &[1, 0, 2]], auto(Family::Sha256)).unwrap_err();
    assert_eq!((at, error.to_string().as_str()), (1, "at byte 2: 3 bytes do not divide into elements of 2"));
}

#[test]
fn a_branch_gives_its_root_and_must_fit_its_index() {
    let nodes: Vec<Node> = (0..8u8).map(|number| [number; 32]).collect();
    let root = PLAIN.merkleize(&nodes, 8);
    let branch = [nodes[4], PLAIN.hash(nodes[6], nodes[7]), PLAIN.merkleize(&nodes[..4], 4)];
    let hasher = auto(Family::Sha256);
    let root_at = |index: u64| root_from_branch(nodes[5], &branch, &index.try_into().unwrap(), hasher);
    assert_eq!(root_at(13), Ok(root));
    assert_ne!(root_at(12), Ok(root));
    let error = root_at(25).unwrap_err().to_string();
    assert_eq!(error, "a branch for generalized index 25 has 4 nodes, found 3");
    assert_eq!(root_from_branch(root, &[], &GeneralizedIndex::root(), hasher), Ok(root));
}
