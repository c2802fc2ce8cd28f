//! The corpus that is embedded in this crate.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use super::Source;
use super::archive::walk_archive;
use crate::archive::gunzip;
use crate::walk::{Fate, Walk};
use crate::{Case, CaseId, Filter, Item, Release, Stage, VectorError};

pub(super) const LABEL: &str = "embedded corpus";

static ARCHIVE: &[u8] = include_bytes!("../../corpus/corpus.tar.gz");

/// The release whose generators made the corpus.
pub(super) fn release() -> Release {
    Release { major: 1, minor: 7, patch: 0, pre: Some((Stage::Alpha, 13)) }
}

pub(super) fn walk(source: &Source, walk: &mut Walk<'_>) {
    let cases = match index() {
        Ok(cases) => cases,
        Err(error) => return walk.problem(error.clone()),
    };
    for case in cases.values() {
        match walk.fate(&case.id.names()) {
            Fate::Filtered => walk.filtered(1),
            Fate::LeftOut => walk.left_out(&case.id.names(), 1, case.part_names().len() as u64),
            Fate::Given => walk.case(Case { release: source.release, ..case.clone() }),
        }
        if walk.stopped() {
            return;
        }
    }
}

pub(super) fn case(source: &Source, id: &CaseId) -> Result<Option<Case>, VectorError> {
    let cases = index().as_ref().map_err(Clone::clone)?;
    Ok(cases.get(id).map(|case| Case { release: source.release, ..case.clone() }))
}

/// All cases by name, unpacked at the first use.
fn index() -> &'static Result<BTreeMap<CaseId, Case>, VectorError> {
    static INDEX: OnceLock<Result<BTreeMap<CaseId, Case>, VectorError>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut cases = BTreeMap::new();
        let mut problem = None;
        let give = &mut |item| match item {
            Item::Case(case) => {
                cases.insert(case.id.clone(), case);
                ControlFlow::Continue(())
            }
            Item::Problem(error) => {
                problem = Some(error);
                ControlFlow::Break(())
            }
            Item::LeftOut(_) => ControlFlow::Continue(()),
        };
        let filter = Filter::default();
        let mut walk = Walk::new(&filter, give);
        walk_archive(gunzip(ARCHIVE), LABEL, Some(release()), &mut walk);
        walk.finish();
        problem.map_or(Ok(cases), Err)
    })
}
