//! Who says which nodes are right.

use std::collections::BTreeMap;

use pair_hashers::{Family, Node, testing};

use crate::backends::CONSENSUS;
use crate::merkle::{Merkleizer, Multiproof, Proof};
use crate::schema::Progressive;
use crate::types::Type;

/// Says what every backend has to compute. Of the family of consensus it is what the vectors give. Of another, and where
/// they give nothing, it is what the family's reference makes of the object.
pub(super) struct Oracle {
    family: Family,
    reference: Merkleizer<'static>,
    not_compared: BTreeMap<&'static str, u64>,
}

/// An encoded value, whose tree is in question.
#[derive(Clone, Copy)]
pub(super) struct Object<'o> {
    pub(super) ty: &'o Type,
    pub(super) bytes: &'o [u8],
    pub(super) progressive: Progressive,
}

impl Oracle {
    pub(super) fn of(family: Family) -> Self {
        let reference = Merkleizer::new(testing::reference(family));
        Self { family, reference, not_compared: BTreeMap::new() }
    }

    /// Whether the nodes of the vectors are what is expected.
    pub(super) fn is_vectors(&self) -> bool {
        self.family == CONSENSUS
    }

    /// What the vectors gave and nothing was compared with, as it is of another function: how often, by what it is.
    pub(super) fn not_compared(&self) -> &BTreeMap<&'static str, u64> {
        &self.not_compared
    }

    /// The root of an object, which a vector may give.
    pub(super) fn root(&mut self, object: Object<'_>, given: Option<Node>) -> Result<Node, String> {
        match self.trusted("root", given) {
            Some(given) => Ok(given),
            None => self
                .merkleizer(object)
                .root(object.ty, object.bytes)
                .map_err(|error| format!("the object decodes, but has no root: {error}")),
        }
    }

    /// The proof of a node of an object, as a vector gives it.
    pub(super) fn proof(&mut self, object: Object<'_>, given: &Proof) -> Result<Proof, String> {
        if let Some(given) = self.trusted("branch", Some(given)) {
            return Ok(given.clone());
        }
        let made = self.merkleizer(object).prove(object.ty, object.bytes, &given.index);
        let made = made.map_err(|error| format!("no proof can be made of the object: {error}"))?;
        same_count("nodes of the branch", made.branch.len(), given.branch.len())?;
        Ok(made)
    }

    /// The proof of several nodes of an object, as a vector gives it.
    pub(super) fn multiproof(
        &mut self,
        object: Object<'_>,
        given: &Multiproof,
    ) -> Result<Multiproof, String> {
        if let Some(given) = self.trusted("multiproof", Some(given)) {
            return Ok(given.clone());
        }
        let made = self.merkleizer(object).prove_many(object.ty, object.bytes, &given.indices);
        let made = made.map_err(|error| format!("no multiproof can be made of the object: {error}"))?;
        same_count("leaves of the multiproof", made.leaves.len(), given.leaves.len())?;
        same_count("helper nodes of the multiproof", made.helpers.len(), given.helpers.len())?;
        Ok(made)
    }

    /// What a vector gives, if it is of the family; if not, that is taken account of.
    fn trusted<T>(&mut self, what: &'static str, given: Option<T>) -> Option<T> {
        if !self.is_vectors() && given.is_some() {
            *self.not_compared.entry(what).or_default() += 1;
            return None;
        }
        given
    }

    fn merkleizer(&mut self, object: Object<'_>) -> &mut Merkleizer<'static> {
        self.reference.set_progressive(object.progressive);
        &mut self.reference
    }
}

/// The nodes of a vector are of another function, but their number is not.
fn same_count(what: &str, expected: usize, given: usize) -> Result<(), String> {
    if given == expected {
        Ok(())
    } else {
        Err(format!("the vector gives {given} {what}, expected {expected}"))
    }
}
