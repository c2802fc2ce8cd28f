//! One value's root on every backend.

use std::panic::{AssertUnwindSafe, catch_unwind};

use alloy_primitives::hex;
use pair_hashers::{Family, Node, PairHasher};

use super::Failure;
use crate::backends;
use crate::merkle::Merkleizer;
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

    /// Has every backend compute the root of a value that decodes, and compares it with `expected`.
    pub(super) fn compare_roots(
        &mut self,
        ty: &Type,
        bytes: &[u8],
        progressive: Progressive,
        expected: Node,
        failures: &mut Vec<Failure>,
    ) {
        self.places.iter_mut().for_each(|place| place.work.cases += 1);
        self.compare("root", expected, failures, |merkleizer, _| {
            merkleizer.set_progressive(progressive);
            merkleizer.root(ty, bytes).map_err(|error| format!("the value decodes, but has no root: {error}"))
        });
    }

    /// Whether a root can be computed of bytes that should be refused; that does not depend on the backend.
    pub(super) fn computes_root(&mut self, ty: &Type, bytes: &[u8]) -> bool {
        Merkleizer::new(pair_hashers::auto(Family::Sha256)).root(ty, bytes).is_ok()
    }

    /// The root by the family's portable backend, where no vector gives it.
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

    /// Has every backend compute a node, and compares it with `expected`.
    ///
    /// A backend that panics has failed; the others go on.
    pub(super) fn compare(
        &mut self,
        what: &str,
        expected: Node,
        failures: &mut Vec<Failure>,
        mut compute: impl FnMut(&mut Merkleizer<'h>, &'h dyn PairHasher) -> Result<Node, String>,
    ) {
        let mut computed = Vec::with_capacity(self.places.len());
        for place in &mut self.places {
            let hasher = place.hasher;
            let merkleizer = &mut place.merkleizer;
            let result =
                catch_unwind(AssertUnwindSafe(|| compute(merkleizer, hasher))).unwrap_or_else(|panic| {
                    *merkleizer = Merkleizer::new(hasher);
                    Err(format!("the backend panicked: {}", panic_message(&*panic)))
                });
            place.work.roots += u64::from(result.is_ok());
            computed.push(result);
        }
        self.judge(what, expected, &computed, failures);
    }

    fn judge(
        &self,
        what: &str,
        expected: Node,
        computed: &[Result<Node, String>],
        failures: &mut Vec<Failure>,
    ) {
        let differs = |backend: String, node: &Node, message: String| Failure {
            backend: Some(backend),
            message,
            expected: Some(hex::encode_prefixed(expected)),
            computed: Some(hex::encode_prefixed(node)),
        };
        // all alike and all wrong: no hasher is to blame
        if let [Ok(first), rest @ ..] = computed
            && *first != expected
            && !rest.is_empty()
            && rest.iter().all(|other| other.as_ref() == Ok(first))
        {
            let message = format!(
                "the {what} differs, the same on every backend: the types or the vector, not a hasher"
            );
            failures.push(differs(format!("all {} backends", computed.len()), first, message));
            return;
        }
        for (place, computed) in self.places.iter().zip(computed) {
            let name = place.hasher.name().to_owned();
            match computed {
                Ok(node) if *node == expected => {}
                Ok(node) => failures.push(differs(name, node, format!("the {what} differs"))),
                Err(message) => {
                    failures.push(Failure { backend: Some(name), ..Failure::new(message.clone()) });
                }
            }
        }
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
