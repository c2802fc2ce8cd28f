//! What is known of releases: where they are, what their archives are called, their digests and counts.

use std::fmt;
use std::str::FromStr;

use super::FetchError;
use crate::{Release, layout};

/// A project that releases vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Project {
    /// ethereum/consensus-specs: an archive for each preset, with `tests/` in it.
    ConsensusSpecs,
    /// ethereum/ssz-specs: one archive of JSON files, with `fixtures/` in it.
    SszSpecs,
}

impl Project {
    /// The name of a release's folder.
    pub(super) fn folder(self, release: Release) -> String {
        match self {
            Self::ConsensusSpecs => release.to_string(),
            // Both projects count from v0.1.0.
            Self::SszSpecs => format!("{self}-{release}"),
        }
    }

    /// The archives of a release that hold these presets.
    pub(super) fn archives(self, release: Release, presets: &[String]) -> Result<Vec<Archive>, FetchError> {
        if self == Self::SszSpecs {
            return Ok(vec![Archive {
                name: format!("ssz-test-vectors-{release}.tar.gz"),
                root: "fixtures",
                preset: None,
            }]);
        }
        let archive = |preset: &String| {
            if !layout::PRESETS.contains(&preset.as_str()) {
                let expected = layout::PRESETS.join(", ");
                return Err(FetchError::Usage(format!(
                    "{preset:?} is no preset: expected one of {expected}"
                )));
            }
            Ok(Archive { name: format!("{preset}.tar.gz"), root: "tests", preset: Some(preset.clone()) })
        };
        let is_new = |(at, preset): &(usize, &String)| !presets[..*at].contains(preset);
        presets.iter().enumerate().filter(is_new).map(|(_, preset)| archive(preset)).collect()
    }
}

impl fmt::Display for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ConsensusSpecs => "consensus-specs",
            Self::SszSpecs => "ssz-specs",
        })
    }
}

impl FromStr for Project {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let projects = [Self::ConsensusSpecs, Self::SszSpecs];
        let found = projects.into_iter().find(|project| project.to_string() == text);
        found.ok_or_else(|| format!("{text:?} is no project: expected consensus-specs or ssz-specs"))
    }
}

/// An archive of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// Its file name.
    pub name: String,
    /// The folder that everything in it is below.
    pub(super) root: &'static str,
    preset: Option<String>,
}

impl Archive {
    /// Where what is in it goes, below the release's folder.
    pub(super) fn place(&self) -> String {
        let preset = self.preset.iter().map(String::as_str);
        [self.root].into_iter().chain(preset).collect::<Vec<_>>().join("/")
    }

    /// The preset that it holds, where the project has presets.
    pub(super) fn preset(&self) -> Option<&str> {
        self.preset.as_deref()
    }
}

/// The known digest of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Whose archive.
    pub project: Project,
    /// Of which release.
    pub release: Release,
    /// Its file name.
    pub archive: String,
    /// SHA-256 of the archive, in lowercase hexadecimal.
    pub sha256: String,
    /// Its size, where known.
    pub bytes: Option<u64>,
    /// Where the digest was seen.
    pub from: String,
}

/// The known number of cases of a runner in a whole archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Whose archive.
    pub project: Project,
    /// Of which release.
    pub release: Release,
    /// The preset that the archive holds.
    pub preset: String,
    /// The runner.
    pub runner: String,
    /// How many cases.
    pub cases: u64,
    /// How that is known.
    pub from: String,
}

/// All that is known of releases.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    places: Vec<(Project, String)>,
    apis: Vec<(Project, String)>,
    pins: Vec<Pin>,
    counts: Vec<Count>,
}

impl Catalog {
    /// The catalog of this version: the file `releases.tsv`.
    ///
    /// # Panics
    ///
    /// Never: a test reads the file.
    pub fn built_in() -> Self {
        include_str!("../../releases.tsv").parse().expect("releases.tsv is well formed")
    }

    /// Everything that is pinned, in the order of the file: newest release first.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The newest release of consensus-specs, alphas and the like aside, of which all three digests are pinned.
    pub fn newest_stable(&self) -> Option<Release> {
        let releases = self.pins.iter().map(|pin| pin.release).filter(|release| release.pre.is_none());
        let is_whole = |release: &Release| {
            let archives = layout::PRESETS.map(|preset| format!("{preset}.tar.gz"));
            archives.iter().all(|archive| self.pin(Project::ConsensusSpecs, *release, archive).is_some())
        };
        releases.filter(is_whole).max()
    }

    /// The newest release of ssz-specs with a digest.
    pub fn newest_ssz_specs(&self) -> Option<Release> {
        let pins = self.pins.iter().filter(|pin| pin.project == Project::SszSpecs);
        pins.map(|pin| pin.release).max()
    }

    pub(super) fn pin(&self, project: Project, release: Release, archive: &str) -> Option<&Pin> {
        let is_it =
            |pin: &&Pin| (pin.project, pin.release, pin.archive.as_str()) == (project, release, archive);
        self.pins.iter().find(is_it)
    }

    pub(super) fn counts<'a>(
        &'a self,
        project: Project,
        release: Release,
        preset: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Count> {
        self.counts
            .iter()
            .filter(move |count| (count.project, count.release) == (project, release))
            .filter(move |count| Some(count.preset.as_str()) == preset)
    }

    /// Base URLs of a project's archives, in the order to try them.
    pub(super) fn places(&self, project: Project) -> impl Iterator<Item = &str> {
        self.places.iter().filter(move |place| place.0 == project).map(|place| place.1.as_str())
    }

    /// URLs that tell of a project's releases.
    pub(super) fn apis(&self, project: Project) -> impl Iterator<Item = &str> {
        self.apis.iter().filter(move |api| api.0 == project).map(|api| api.1.as_str())
    }
}

impl FromStr for Catalog {
    type Err = FetchError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut catalog = Self::default();
        for (number, line) in text.lines().enumerate() {
            if !line.is_empty() && !line.starts_with('#') {
                catalog.line(line).map_err(|error| {
                    FetchError::Usage(format!("catalog of releases, line {}: {error}: {line:?}", number + 1))
                })?;
            }
        }
        Ok(catalog)
    }
}

impl Catalog {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["place", project, url] => self.places.push((project.parse()?, url.to_owned())),
            ["api", project, url] => self.apis.push((project.parse()?, url.to_owned())),
            ["pin", project, release, archive, sha256, bytes, from] => self.pins.push(Pin {
                project: project.parse()?,
                release: release.parse().map_err(|error| format!("{error}"))?,
                archive: archive.to_owned(),
                sha256: checked_digest(sha256)?,
                bytes: (bytes != "-").then(|| number(bytes)).transpose()?,
                from: from.to_owned(),
            }),
            ["count", project, release, preset, runner, cases, from] => self.counts.push(Count {
                project: project.parse()?,
                release: release.parse().map_err(|error| format!("{error}"))?,
                preset: preset.to_owned(),
                runner: runner.to_owned(),
                cases: number(cases)?,
                from: from.to_owned(),
            }),
            _ => return Err("expected place, api, pin or count with its fields".to_owned()),
        }
        Ok(())
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text:?} is no number"))
}

/// A SHA-256 in lowercase hexadecimal.
pub(super) fn checked_digest(text: &str) -> Result<String, String> {
    let is_hex = text.len() == 64 && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c));
    if is_hex { Ok(text.to_owned()) } else { Err(format!("{text:?} is no SHA-256 of 64 hexadecimal digits")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_catalog_is_well_formed() {
        let catalog = Catalog::built_in();
        assert!(catalog.pins().len() > 200);
        assert_eq!(
            catalog.newest_stable().unwrap().to_string(),
            "v1.6.0",
            "v1.6.1 lacks a digest of mainnet"
        );
        let places: Vec<_> = catalog.places(Project::ConsensusSpecs).collect();
        assert!(places[0].contains("/consensus-specs/") && places[1].contains("/consensus-spec-tests/"));
    }

    #[test]
    fn an_archive_is_pinned_once() {
        let catalog = Catalog::built_in();
        let mut keys: Vec<_> =
            catalog.pins().iter().map(|pin| (pin.project, pin.release, &pin.archive)).collect();
        keys.sort();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_bad_line_is_named() {
        for line in ["pin\tconsensus-specs\tv1\ta\tb\t-\tx", "what", "place\tother\turl"] {
            let error = format!("# heading\n{line}\n").parse::<Catalog>().unwrap_err();
            assert!(error.to_string().contains("line 2"), "{error}");
        }
    }
}
