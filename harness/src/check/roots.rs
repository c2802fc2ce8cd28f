//! One value's root on every backend.

use alloy_primitives::hex;
use pair_hashers::testing::{self, catch};
use pair_hashers::{Node, PairHasher};

use super::oracle::{Object, Oracle};
use super::times::timed;
use super::{Failure, Times};
use crate::backends::{Backends, CONSENSUS};
use crate::merkle::{Fault, Merkleizer, locate};
use crate::types::Type;

/// The backends that take part, each with its buffers, and what they did. One for each thread.
pub struct Bench<'h> {
    places: Vec<Place<'h>>,
    pub(super) oracle: Oracle,
    pub(super) times: Times,
}

struct Place<'h> {
    hasher: &'h dyn PairHasher,
    merkleizer: Merkleizer<'h>,
    work: Work,
}

/// What a backend did.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Work {
    /// Cases that it took part in.
    pub cases: u64,
    /// Roots that it computed.
    pub roots: u64,
    /// Seconds in which it did, added up over the threads.
    pub seconds: f64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.cases += other.cases;
        self.roots += other.roots;
        self.seconds += other.seconds;
    }
}

impl<'h> Bench<'h> {
    /// With these backends.
    pub fn new(backends: &Backends<'h>) -> Self {
        let place = |&hasher| Place { hasher, merkleizer: Merkleizer::new(hasher), work: Work::default() };
        let places = backends.available().iter().map(place).collect();
        Self { places, oracle: Oracle::of(backends.family()), times: Times::default() }
    }

    /// Whether what the vectors say of nodes is what the backends have to compute.
    pub(super) fn is_consensus(&self) -> bool {
        self.oracle.is_vectors()
    }

    /// What the vectors gave and no backend was compared with, as it is of another function: how often, by what it is.
    pub fn not_compared(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.oracle.not_compared().iter().map(|(what, count)| (*what, *count))
    }

    /// How long all but the backends took.
    pub fn times(&self) -> Times {
        self.times
    }

    /// What each backend did, in the order of the backends.
    pub fn work(&self) -> impl Iterator<Item = Work> {
        self.places.iter().map(|place| place.work)
    }

    /// Has every backend compute the root of a value that decodes, which a vector may give, and gives the expected one.
    /// Where a backend's differs, finds the first node that it computes otherwise than the reference does.
    pub(super) fn compare_roots(
        &mut self,
        object: Object<'_>,
        given: Option<Node>,
        failures: &mut Vec<Failure>,
    ) -> Result<Node, Failure> {
        let expected = self.oracle.root(object, given).map_err(Failure::new)?;
        let Object { ty, bytes, progressive } = object;
        self.places.iter_mut().for_each(|place| place.work.cases += 1);
        let root = |merkleizer: &mut Merkleizer<'h>, _| {
            merkleizer.set_progressive(progressive);
            merkleizer.root(ty, bytes).map_err(|error| format!("the value decodes, but has no root: {error}"))
        };
        let blame = |hasher: &dyn PairHasher| find_fault(object, hasher);
        self.compare_and("root", &expected, failures, root, blame);
        Ok(expected)
    }

    /// Whether a root can be computed of bytes that should be refused; that does not depend on the backend.
    pub(super) fn computes_root(&mut self, ty: &Type, bytes: &[u8]) -> bool {
        Merkleizer::new(testing::reference(CONSENSUS)).root(ty, bytes).is_ok()
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
            let result = timed(&mut place.work.seconds, || catch(|| compute(merkleizer, hasher)));
            let result = result.unwrap_or_else(|panic| {
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
        // all alike and all other than the vector: no hasher is to blame
        if self.oracle.is_vectors()
            && let [Ok(first), rest @ ..] = computed
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
fn find_fault(Object { ty, bytes, progressive }: Object<'_>, hasher: &dyn PairHasher) -> Blame {
    let reference = testing::reference(hasher.family());
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
