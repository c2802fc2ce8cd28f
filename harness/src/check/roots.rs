//! One value's root on every backend.

use alloy_primitives::hex;
use pair_hashers::testing::catch;
use pair_hashers::{Family, Node, PairHasher};

use super::Failure;
use crate::backends;
use crate::merkle::{Fault, Merkleizer, locate};
use crate::schema::Progressive;
use crate::types::Type;

/// The backends that take part, each with its buffers, and what they did. One for each thread.
pub struct Bench<'h> {
    places: Vec<Place<'h>>,
}

struct Place<'h> {
    hasher: &'h dyn PairHasher,
    merkleizer: Merkleizer<'h>,
    work: Work,
}

/// What a backend did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Work {
    /// Cases that it took part in.
    pub cases: u64,
    /// Roots that it computed.
    pub roots: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.cases += other.cases;
        self.roots += other.roots;
    }
}

impl<'h> Bench<'h> {
    /// With these backends.
    pub fn new(hashers: &[&'h dyn PairHasher]) -> Self {
        let place = |&hasher| Place { hasher, merkleizer: Merkleizer::new(hasher), work: Work::default() };
        Self { places: hashers.iter().map(place).collect() }
    }

    /// What each backend did, in the order of the backends.
    pub fn work(&self) -> impl Iterator<Item = Work> {
        self.places.iter().map(|place| place.work)
    }

    /// Has every backend compute the root of a value that decodes, and compares it with `expected`. Where a backend's
    /// differs, finds the first node that it computes otherwise than the reference does.
    pub(super) fn compare_roots(
        &mut self,
        ty: &Type,
        bytes: &[u8],
        progressive: Progressive,
        expected: Node,
        failures: &mut Vec<Failure>,
    ) {
        self.places.iter_mut().for_each(|place| place.work.cases += 1);
        let root = |merkleizer: &mut Merkleizer<'h>, _| {
            merkleizer.set_progressive(progressive);
            merkleizer.root(ty, bytes).map_err(|error| format!("the value decodes, but has no root: {error}"))
        };
        let blame = |hasher: &dyn PairHasher| find_fault(ty, bytes, progressive, hasher);
        self.compare_and("root", &expected, failures, root, blame);
    }

    /// Whether a root can be computed of bytes that should be refused; that does not depend on the backend.
    pub(super) fn computes_root(&mut self, ty: &Type, bytes: &[u8]) -> bool {
        Merkleizer::new(backends::reference(Family::Sha256)).root(ty, bytes).is_ok()
    }

    /// The root by the portable backend, where no vector gives it.
    pub(super) fn reference_root(
        &self,
        ty: &Type,
        bytes: &[u8],
        progressive: Progressive,
    ) -> Result<Node, String> {
        Merkleizer::with_progressive(backends::reference(Family::Sha256), progressive)
            .root(ty, bytes)
            .map_err(|error| format!("the object decodes, but has no root: {error}"))
    }

    /// Has every backend compute something, and compares it with `expected`.
    ///
    /// A backend that panics has failed; the others go on.
    pub(super) fn compare<T: Compared>(
        &mut self,
        what: &str,
        expected: &T,
        failures: &mut Vec<Failure>,
        compute: impl FnMut(&mut Merkleizer<'h>, &'h dyn PairHasher) -> Result<T, String>,
    ) {
        self.compare_and(what, expected, failures, compute, |_| Blame::default());
    }

    fn compare_and<T: Compared>(
        &mut self,
        what: &str,
        expected: &T,
        failures: &mut Vec<Failure>,
        mut compute: impl FnMut(&mut Merkleizer<'h>, &'h dyn PairHasher) -> Result<T, String>,
        blame: impl Fn(&dyn PairHasher) -> Blame,
    ) {
        let mut computed = Vec::with_capacity(self.places.len());
        for place in &mut self.places {
            let hasher = place.hasher;
            let merkleizer = &mut place.merkleizer;
            let result = catch(|| compute(merkleizer, hasher)).unwrap_or_else(|panic| {
                *merkleizer = Merkleizer::new(hasher);
                Err(format!("the backend {panic}"))
            });
            place.work.roots += u64::from(result.is_ok());
            computed.push(result);
        }
        self.judge(what, expected, &computed, failures, blame);
    }

    fn judge<T: Compared>(
        &self,
        what: &str,
        expected: &T,
        computed: &[Result<T, String>],
        failures: &mut Vec<Failure>,
        blame: impl Fn(&dyn PairHasher) -> Blame,
    ) {
        let differs = |backend: String, computed: &T, message: String| Failure {
            backend: Some(backend),
            expected: Some(expected.text()),
            computed: Some(computed.text()),
            ..Failure::new(message)
        };
        // all alike and all wrong: no hasher is to blame
        if let [Ok(first), rest @ ..] = computed
            && first != expected
            && !rest.is_empty()
            && rest.iter().all(|other| other.as_ref() == Ok(first))
        {
            let message = format!("the {what} differs, the same on every backend: {NOT_A_HASHER}");
            failures.push(differs(format!("all {} backends", computed.len()), first, message));
            return;
        }
        for (place, computed) in self.places.iter().zip(computed) {
            let name = place.hasher.name().to_owned();
            match computed {
                Ok(computed) if computed == expected => {}
                Ok(computed) => {
                    let Blame { fault, remark } = blame(place.hasher);
                    let failure = differs(name, computed, format!("the {what} differs{remark}"));
                    failures.push(Failure { fault, ..failure });
                }
                Err(message) => {
                    failures.push(Failure { backend: Some(name), ..Failure::new(message.clone()) });
                }
            }
        }
    }
}

const NOT_A_HASHER: &str = "the types or the vector, not a hasher";

/// What every backend has to compute alike.
pub(super) trait Compared: PartialEq {
    /// For a report.
    fn text(&self) -> String;
}

impl Compared for Node {
    fn text(&self) -> String {
        hex::encode_prefixed(self)
    }
}

impl Compared for Vec<Node> {
    fn text(&self) -> String {
        let nodes: Vec<_> = self.iter().map(Compared::text).collect();
        format!("[{}]", nodes.join(", "))
    }
}

/// Where a backend's root goes wrong, or a remark on why that cannot be said.
#[derive(Default)]
struct Blame {
    fault: Option<Box<Fault>>,
    remark: &'static str,
}

/// Compares a backend's tree with that of its family's reference.
fn find_fault(ty: &Type, bytes: &[u8], progressive: Progressive, hasher: &dyn PairHasher) -> Blame {
    let reference = backends::reference(hasher.family());
    let found = catch(|| locate(ty, bytes, hasher, reference, progressive));
    let remark = match found {
        Ok(Ok(Some(fault))) => return Blame { fault: Some(Box::new(fault)), remark: "" },
        Ok(Ok(None)) if hasher.name() == reference.name() => "",
        // once more, in the same batches
        Ok(Ok(None)) => ", but computed once more it is that of the reference backend",
        Ok(Err(_)) | Err(_) => ", and cannot be computed once more",
    };
    Blame { fault: None, remark }
}
