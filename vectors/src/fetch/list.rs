//! What is known, and what of it is there.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Catalog, FetchError, Project, Receipt};
use crate::{Release, fetched_releases};

/// A release that is known or fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRelease {
    /// Whose release.
    pub project: Project,
    /// Its tag.
    pub release: Release,
    /// Its archives, as far as they are known, by name.
    pub archives: BTreeMap<String, KnownArchive>,
}

/// An archive that is known or fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownArchive {
    /// Its SHA-256.
    pub sha256: String,
    /// Its size, where known.
    pub bytes: Option<u64>,
    /// Where the digest is from.
    pub from: String,
    /// Whether it is fetched.
    pub is_fetched: bool,
}

/// All releases that the catalog knows or that are fetched into `folder`, newest first.
///
/// # Errors
///
/// If the receipt of a fetched release cannot be read.
pub fn list(catalog: &Catalog, folder: &Path) -> Result<Vec<KnownRelease>, FetchError> {
    let mut releases: BTreeMap<(Release, Project), BTreeMap<String, KnownArchive>> = BTreeMap::new();
    for pin in catalog.pins() {
        let known = KnownArchive {
            sha256: pin.sha256.clone(),
            bytes: pin.bytes,
            from: pin.from.clone(),
            is_fetched: false,
        };
        releases.entry((pin.release, pin.project)).or_default().insert(pin.archive.clone(), known);
    }
    for (release, project, receipt) in receipts(catalog, folder)? {
        let archives = releases.entry((release, project)).or_default();
        for (name, unpacked) in receipt.archives {
            let fetched = KnownArchive {
                sha256: unpacked.sha256,
                bytes: Some(unpacked.bytes),
                from: unpacked.digest_from,
                is_fetched: true,
            };
            archives.insert(name, fetched);
        }
    }
    let known = releases.into_iter().rev();
    Ok(known.map(|((release, project), archives)| KnownRelease { project, release, archives }).collect())
}

fn receipts(catalog: &Catalog, folder: &Path) -> Result<Vec<(Release, Project, Receipt)>, FetchError> {
    let consensus =
        fetched_releases(folder).into_iter().map(|(release, _)| (release, Project::ConsensusSpecs));
    let pinned = catalog.pins().iter().map(|pin| (pin.release, pin.project));
    let ssz_specs = pinned.filter(|(_, project)| *project == Project::SszSpecs);
    let mut receipts = Vec::new();
    for (release, project) in consensus.chain(ssz_specs) {
        if let Some(receipt) = Receipt::read(&folder.join(project.folder(release)))? {
            receipts.push((release, project, receipt));
        }
    }
    Ok(receipts)
}
