//! The parts of a case, each of which some check must ask for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;

use pair_hashers::Node;
use serde::de::DeserializeOwned;
use spec_vectors::{Case, VectorError};

use super::times::timed;
use super::{Failure, Times};

/// The parts of one case, and which of them were asked for.
pub(super) struct Parts<'c> {
    case: &'c Case,
    read: Vec<String>,
    times: Times,
}

impl<'c> Parts<'c> {
    pub(super) fn new(case: &'c Case) -> Self {
        Self { case, read: Vec::new(), times: Times::default() }
    }

    /// How long getting and parsing them took.
    pub(super) fn times(&self) -> Times {
        self.times
    }

    pub(super) fn has(&self, part: &str) -> bool {
        self.case.part_names().contains(&part)
    }

    /// The SSZ bytes of a part: `serialized` is `serialized.ssz_snappy`, or, in releases before v1.0, `serialized.ssz`.
    pub(super) fn ssz(&mut self, name: &str) -> Result<Vec<u8>, VectorError> {
        let plain = format!("{name}.ssz");
        if self.has(&plain) {
            return self.bytes(&plain);
        }
        let compressed = format!("{name}.ssz_snappy");
        let bytes = timed(&mut self.times.decompressing, || self.case.read_snappy(&compressed));
        self.read.push(compressed);
        bytes
    }

    pub(super) fn bytes(&mut self, part: &str) -> Result<Vec<u8>, VectorError> {
        self.read.push(part.into());
        timed(&mut self.times.decompressing, || self.case.read(part).map(Cow::into_owned))
    }

    pub(super) fn text(&mut self, part: &str) -> Result<String, VectorError> {
        self.read.push(part.into());
        timed(&mut self.times.decompressing, || self.case.read_text(part))
    }

    /// A part in YAML or JSON; the error of `parse` is given the part's name.
    pub(super) fn parse<T, E: Display>(
        &mut self,
        part: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, Failure> {
        let text = self.text(part)?;
        let parsed = timed(&mut self.times.parsing, || parse(&text));
        parsed.map_err(|error| self.failure(part, &error.to_string()))
    }

    /// A part in YAML; the error names it.
    pub(super) fn yaml<T: DeserializeOwned>(&mut self, part: &str, expected: &str) -> Result<T, Failure> {
        let from_yaml = |text: &str| serde_yaml::from_str(text);
        self.parse(part, |text| from_yaml(text).map_err(|error| format!("{error}; expected {expected}")))
    }

    /// The root that a part such as `roots.yaml` gives.
    pub(super) fn root(&mut self, part: &str, also: &[&str]) -> Result<Node, Failure> {
        let roots: BTreeMap<String, String> = self.yaml(part, "a map with the key root")?;
        if let Some(key) = roots.keys().find(|key| *key != "root" && !also.contains(&key.as_str())) {
            return Err(self.failure(part, &format!("unknown key {key}; expected root")));
        }
        let root = roots.get("root").ok_or_else(|| self.failure(part, "the key root is missing"))?;
        self.node(part, "root", root)
    }

    /// A node in hexadecimal.
    pub(super) fn node(&self, part: &str, what: &str, text: &str) -> Result<Node, Failure> {
        let digits = text.strip_prefix("0x");
        let node = digits.and_then(|digits| alloy_primitives::hex::decode_to_array(digits).ok());
        node.ok_or_else(|| {
            self.failure(part, &format!("{what} is {text:?}; expected 0x and 64 hexadecimal digits"))
        })
    }

    /// A failure in a part.
    pub(super) fn failure(&self, part: &str, message: &str) -> Failure {
        Failure::new(format!("{}: {message}", self.case.part_location(part)))
    }

    /// That `manifest.yaml`, where there is one, says of the case what its path says.
    pub(super) fn check_manifest(&mut self) -> Result<(), Failure> {
        const PART: &str = "manifest.yaml";
        if !self.has(PART) {
            return Ok(());
        }
        let found: BTreeMap<String, String> =
            self.yaml(PART, "a map of preset, fork, runner, handler, suite, case")?;
        let id = &self.case.id;
        let expected = [
            ("preset", &id.preset),
            ("fork", &id.fork),
            ("runner", &id.runner),
            ("handler", &id.handler),
            ("suite", &id.suite),
            ("case", &id.name),
        ];
        for (key, expected) in expected {
            if found.get(key) != Some(expected) {
                let found = found.get(key).map_or("missing", String::as_str);
                return Err(
                    self.failure(PART, &format!("{key} is {found}; expected {expected}, as in the path"))
                );
            }
        }
        match found.keys().find(|key| expected.iter().all(|(known, _)| known != key)) {
            Some(key) => Err(self.failure(PART, &format!("unknown key {key}"))),
            None => Ok(()),
        }
    }

    /// A failure for each part that nobody asked for.
    pub(super) fn unread(&self) -> impl Iterator<Item = Failure> {
        let unread =
            self.case.part_names().into_iter().filter(|name| !self.read.iter().any(|read| read == name));
        unread.map(|name| {
            let runner = match self.case.id.runner.as_str() {
                runner @ ("ssz_static" | "ssz_generic") => runner,
                _ => "merkle_proof",
            };
            self.failure(
                name,
                &format!("unknown part: add what it has to hold to harness/src/check/{runner}.rs"),
            )
        })
    }
}
