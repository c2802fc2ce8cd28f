//! A folder, an archive and the embedded corpus give the same cases, and account for the same things.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::{Archive, Folder, Given, open, small_release, walk, walk_path};
use spec_vectors::{CaseId, Filter, Form, Source};

/// Every part of every case, by its path.
fn contents(given: &Given) -> BTreeMap<String, Vec<u8>> {
    let parts = given.cases.iter().flat_map(|case| {
        let read = |part: &str| (format!("{}/{part}", case.id), case.read(part).unwrap().into_owned());
        case.part_names().into_iter().map(read).collect::<Vec<_>>()
    });
    parts.collect()
}

#[test]
fn the_corpus_is_the_same_from_everywhere() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/corpus.tar.gz");
    // One fork will do: files take their time on some systems.
    let filter = Filter { forks: vec!["electra".to_owned()], ..Filter::default() };
    let folder = Folder::new();
    let gz = flate2::read::GzDecoder::new(fs::File::open(&archive).unwrap());
    for entry in tar::Archive::new(gz).entries().unwrap() {
        let mut entry = entry.unwrap();
        if entry.path().unwrap().iter().any(|name| name == "electra") {
            entry.unpack_in(folder.path()).unwrap();
        }
    }

    let embedded = walk(&Source::embedded(), &filter);
    assert!(embedded.walked.cases > 100);
    for path in [archive.as_path(), folder.path()] {
        let given = walk(&open(path).unwrap(), &filter);
        assert_eq!(given.walked.cases, embedded.walked.cases, "{}", path.display());
        assert!(given.problems.is_empty(), "{:?}", given.problems);
        assert!(contents(&given) == contents(&embedded), "{}", path.display());
    }
    assert_eq!(walk(&open(&archive).unwrap(), &filter).walked, embedded.walked);
}

#[test]
fn what_is_left_out_is_counted_by_runner() {
    let mut files = small_release();
    files.extend([
        ("tests/general/phase0/bls/sign/bls/sign_case_2/data.yaml", &b"x"[..]),
        ("tests/general/phase0/bls/sign/bls/sign_case_2/manifest.yaml", b"x"),
        ("tests/minimal/altair/light_client/sync/pyspec_tests/advance/steps.yaml", b"x"),
        ("tests/minimal/config/phase0.yaml", b"x"),
    ]);
    files.sort();
    let folder = Folder::new();
    folder.write_all(files.clone());
    let archive = Folder::new();
    let path = archive.write("a.tar.gz", Archive::of(files).gz());
    for path in [folder.path(), &path] {
        let given = walk_path(path);
        let lines: Vec<String> = given.left_out.iter().map(ToString::to_string).collect();
        let expected = [
            "bls: 2 cases in 3 files left out (its runner is not SSZ)",
            "config: 0 cases in 1 files left out (a preset's configuration)",
            "light_client/sync: 1 cases in 1 files left out (its runner is not SSZ)",
        ];
        assert_eq!(lines, expected, "{}", path.display());
        assert_eq!((given.walked.cases, given.walked.left_out, given.problems.len()), (2, 3, 0));
    }
}

#[test]
fn a_runner_that_nobody_knows_is_given_as_a_case() {
    let folder = Folder::new();
    folder.write("tests/minimal/electra/ssz_dynamic/Fork/ssz_random/case_0/data.yaml", "x");
    let given = walk_path(folder.path());
    assert_eq!(given.cases[0].id.runner, "ssz_dynamic");
}

#[test]
fn a_filter_narrows_and_counts_what_it_drops() {
    let folder = Folder::new();
    folder.write_all(small_release());
    let archive = Folder::new();
    let path = archive.write("a.tar.gz", Archive::of(small_release()).gz());
    let filters = [
        (Filter { presets: vec!["minimal".into()], ..Filter::default() }, (2, 0, 1)),
        (Filter { forks: vec!["phase0".into()], ..Filter::default() }, (0, 1, 2)),
        (Filter { runners: vec!["ssz_static".into(), "bls".into()], ..Filter::default() }, (2, 1, 0)),
        (Filter { handlers: vec!["Fork".into()], ..Filter::default() }, (2, 0, 1)),
        (Filter { texts: vec!["random/case_1".into()], ..Filter::default() }, (1, 0, 2)),
    ];
    for (filter, expected) in filters {
        for path in [folder.path(), &path] {
            let walked = walk(&open(path).unwrap(), &filter).walked;
            assert_eq!(
                (walked.cases, walked.left_out, walked.filtered),
                expected,
                "{filter:?} {}",
                path.display()
            );
        }
    }
}

#[test]
fn one_case_is_found_by_its_name() {
    let folder = Folder::new();
    folder.write_all(small_release());
    let archive = Folder::new();
    let path = archive.write("a.tar.gz", Archive::of(small_release()).gz());
    let id: CaseId = "minimal/electra/ssz_static/Fork/ssz_random/case_1".parse().unwrap();
    for path in [folder.path(), &path] {
        let source = open(path).unwrap();
        let case = source.case(&id).unwrap().expect("the case");
        assert_eq!(case.id, id);
        assert_eq!(case.read_snappy("serialized.ssz_snappy").unwrap(), b"abd");
        assert!(case.location().ends_with("tests/minimal/electra/ssz_static/Fork/ssz_random/case_1"));
        let absent = CaseId { name: "case_10".into(), ..id.clone() };
        assert!(source.case(&absent).unwrap().is_none());
        let outside = CaseId { name: "../ssz_random/case_1".into(), ..id.clone() };
        assert!(source.case(&outside).unwrap().is_none());
        let left_out: CaseId = "general/phase0/bls/sign/bls/sign_case_1".parse().unwrap();
        assert!(source.case(&left_out).unwrap().is_none());
    }
}

#[test]
fn one_case_is_found_in_the_corpus() {
    let source = Source::embedded();
    let first = walk(&source, &Filter::default()).cases.swap_remove(0);
    let case = source.case(&first.id).unwrap().expect("the case");
    assert_eq!((case.location(), case.release), (first.location(), source.release()));
}

#[test]
fn a_folder_stands_for_all_that_is_below_it() {
    let folder = Folder::new();
    folder.write("v1.6.0/minimal.tar.gz", Archive::of(small_release()).gz());
    folder.write("README.md", "no vectors");
    folder.write(".partial/v1.6.0/minimal.tar.gz", "not finished");
    folder.write(
        "ssz-specs/ssz-test-vectors-v0.1.0.tar.gz",
        Archive::new().file("fixtures/ssz/ssz/test_a/a.json", br#"{"typeName":"A","serialized":"0x"}"#).gz(),
    );
    for (path, bytes) in small_release() {
        folder.write(&format!("nested/official-v1.7.0-alpha.11/general/{path}"), bytes);
    }
    let sources: Vec<Source> = Source::open(folder.path()).into_iter().map(Result::unwrap).collect();
    let found: Vec<_> = sources
        .iter()
        .map(|source| {
            let label = source.path().unwrap().strip_prefix(folder.path()).unwrap();
            let label = label.to_str().unwrap().replace('\\', "/");
            (label, source.form(), source.release().unwrap().to_string())
        })
        .collect();
    let expected = [
        ("nested/official-v1.7.0-alpha.11/general".to_owned(), Form::Release, "v1.7.0-alpha.11".to_owned()),
        ("ssz-specs/ssz-test-vectors-v0.1.0.tar.gz".to_owned(), Form::Json, "v0.1.0".to_owned()),
        ("v1.6.0/minimal.tar.gz".to_owned(), Form::Release, "v1.6.0".to_owned()),
    ];
    assert_eq!(found, expected);
    let json = walk(&sources[1], &Filter::default());
    assert_eq!((json.cases.len(), json.problems.len()), (1, 0));
}

#[test]
fn a_folder_inside_a_release_stands_for_its_part() {
    let folder = Folder::new();
    folder.write_all(small_release());
    let below = [("tests", 2), ("tests/minimal/electra", 2), ("tests/general", 0)];
    for (below, cases) in below {
        let given = walk_path(&folder.path().join(below));
        assert_eq!((given.cases.len(), given.problems.len()), (cases, 0), "{below}");
    }
    let case = "tests/minimal/electra/ssz_static/Fork/ssz_random/case_1";
    let given = walk_path(&folder.path().join(case));
    assert_eq!(given.cases[0].id.to_string(), &case["tests/".len()..]);
}
