//! The newest format of ssz-specs vectors, which no release could be had in, and types of the first: 904 cases that
//! `ssz_specs/make.py` made with the specification's own package. And that a spoiled document fails.

use std::fs;
use std::path::{Path, PathBuf};

use pair_hashers::{Family, auto};
use serde_json::{Value, json};
use spec_vectors::{Case, Document, Filter, Item, Source};
use ssz_conformance::backends::Backends;
use ssz_conformance::ledger::Ledger;
use ssz_conformance::report::{ForkReport, Report};
use ssz_conformance::runner::sweep::{Silent, Sweep};
use tempfile::TempDir;

fn archive() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ssz_specs/vectors.tar.gz")
}

fn run(path: &Path, backends: &Backends<'_>) -> Report {
    let (sources, filter) = (Source::open(path), Filter::default());
    Sweep { sources: &sources, filter: &filter, backends, ledger: Ledger::embedded() }.run(&Silent)
}

fn only_auto() -> Backends<'static> {
    Backends::only(&[auto(Family::Sha256)]).unwrap()
}

#[test]
fn every_format_passes_on_every_backend() {
    let report = run(&archive(), &Backends::all(Family::Sha256));
    assert_eq!((report.passed, report.failed), (904, 0), "{report}");
    let row = |row: &ForkReport| format!("{} {} {}", row.fork, row.preset, row.passed);
    let rows: Vec<_> = report.forks.iter().map(row).collect();
    let expected = [
        "type-descriptors multiproof 148",
        "type-descriptors proof 148",
        "type-descriptors ssz 167",
        "type-descriptors ssz_gindex 252",
        "type-descriptors ssz_json 148",
        "type-descriptors ssz_type_rejection 19",
        "type-names ssz 22",
    ];
    assert_eq!(rows, expected);
    let roots: Vec<_> = report.backends.iter().filter(|b| b.available).map(|b| b.work.roots).collect();
    assert!(roots.iter().all(|count| *count == roots[0] && *count > 400), "{roots:?}");
    // a reason that differs is information: most agree
    assert!(report.notes.len() < 100, "{}", report.notes.len());
}

/// The first case of a format, and its document.
fn first(format: &str, valid: &str, wanted: &str) -> (Case, Value) {
    let filter = Filter { runners: vec![format.into()], texts: vec![wanted.into()], ..Filter::default() };
    let mut found = None;
    for source in Source::open(archive()) {
        source.unwrap().walk(&filter, &mut |item| match item {
            Item::Case(case) if case.id.suite == valid && found.is_none() => {
                let bytes = case.read(&format!("{}.json", case.id.name)).unwrap().into_owned();
                found = Some((case, serde_json::from_slice(&bytes).unwrap()));
            }
            _ => {}
        });
    }
    found.unwrap_or_else(|| panic!("no {valid} {wanted} of {format}"))
}

/// A folder with one document, and what comes of it.
fn conform(path: &str, document: &str) -> Report {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("fixtures").join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, document).unwrap();
    run(folder.path(), &only_auto())
}

fn expect_failure(path: &str, document: &str, expected: &str) {
    let text = conform(path, document).to_string();
    assert!(text.ends_with("0 passed, 1 failed"), "{text}");
    assert!(text.contains(expected), "expected {expected} in\n{text}");
    assert!(text.contains(path.trim_end_matches(".json")) || text.contains(path), "{text}");
}

/// Spoils a case that passes, and expects that it fails.
fn spoiled(format: &str, valid: &str, wanted: &str, spoil: impl Fn(&mut Value), expected: &str) {
    let (case, document) = first(format, valid, wanted);
    let path = format!("{}/{}/{}/{}.json", case.id.runner, case.id.handler, case.id.suite, case.id.name);
    let whole = conform(&path, &document.to_string()).to_string();
    assert!(whole.ends_with("1 passed, 0 failed"), "{whole}");
    let mut document = document;
    spoil(&mut document);
    expect_failure(&path, &document.to_string(), expected);
}

fn flip(hex: &mut Value) {
    let text = hex.as_str().unwrap();
    let last = if text.ends_with('0') { "1" } else { "0" };
    *hex = json!(format!("{}{last}", &text[..text.len() - 1]));
}

#[test]
fn a_spoiled_document_fails_in_every_format() {
    spoiled("ssz", "valid", "/var-", |d| flip(&mut d["root"]), "the root differs");
    spoiled(
        "ssz",
        "valid",
        "/var-",
        |d| flip(&mut d["value"]["a"]),
        "the decoded value is not that of value: a is",
    );
    spoiled("ssz", "valid", "/var-", |d| flip(&mut d["value"]["a"]), "they differ in a, at byte 0");
    spoiled("ssz", "valid", "uint64", |d| d["serialized"] = json!("0x00"), "does not decode");
    let accepted = |d: &mut Value| d["serialized"] = json!("0x00");
    spoiled("ssz", "invalid", "boolean", accepted, "is accepted, but is to be refused: ");
    spoiled("ssz_gindex", "valid", "/var-", |d| d["gindex"] = json!("9999"), "the generalized index is ");
    spoiled("ssz_gindex", "valid", "/var-", |d| d["depth"] = json!(77), "expected 77");
    spoiled("ssz_gindex", "valid", "/var-", |d| d["chunkCount"] = json!(77), "chunkCount is ");
    spoiled(
        "ssz_gindex",
        "invalid",
        "/var-",
        |d| d["path"] = json!(["a"]),
        "is accepted, but is to be refused",
    );
    spoiled("proof", "valid", "/mixed-", |d| flip(&mut d["leaf"]), "the root that the branch gives differs");
    spoiled(
        "proof",
        "valid",
        "/mixed-",
        |d| flip(&mut d["branch"][0]),
        "the leaf and branch made of the object differs",
    );
    spoiled("proof", "valid", "/mixed-", |d| d["branchIndices"][0] = json!("3"), "branchIndices are ");
    spoiled(
        "proof",
        "valid",
        "/mixed-",
        |d| d["path"] = json!([{"field": "id"}]),
        "the path's generalized index is ",
    );
    let (_, good) = first("proof", "valid", "/mixed-");
    let mend = move |d: &mut Value| {
        let valid = good.clone();
        for key in ["leaf", "branch", "path", "index", "value", "serialized", "root"] {
            d[key] = valid[key].clone();
        }
    };
    spoiled(
        "proof",
        "invalid",
        "mixed-tampered-leaf",
        mend,
        "is accepted, but is to be refused: it proves nothing",
    );
    spoiled(
        "multiproof",
        "valid",
        "/mixed-",
        |d| flip(&mut d["proof"][0]),
        "the root that the multiproof gives differs",
    );
    spoiled("multiproof", "valid", "/mixed-", |d| flip(&mut d["helperIndices"][0]), "helperIndices are ");
    spoiled("ssz_json", "valid", "/var-", |d| flip(&mut d["document"]["a"]), "the value is written as");
    let document = |d: &mut Value| d["document"] = json!("7");
    spoiled("ssz_json", "invalid", "uint64", document, "is accepted, but is to be refused: ");
    let legal = |d: &mut Value| d["typeDescriptor"] = json!({"kind": "Boolean"});
    spoiled(
        "ssz_type_rejection",
        "invalid",
        "vector-empty",
        legal,
        "is accepted, but is to be refused: VECTOR_EMPTY",
    );
    let unknown = |d: &mut Value| d["typeDescriptor"] = json!({"kind": "Matrix"});
    spoiled("ssz_type_rejection", "invalid", "vector-empty", unknown, "typeDescriptor: unknown kind Matrix");
    spoiled(
        "ssz",
        "valid",
        "/var-",
        |d| d["novelty"] = json!(1),
        "unknown key novelty: add what it has to hold",
    );
    spoiled(
        "ssz",
        "valid",
        "/var-",
        |d| d["_info"]["fixtureFormat"] = json!("proof_test"),
        "fixtureFormat is proof_test",
    );
}

#[test]
fn bad_input_is_named_with_its_file() {
    let path = "ssz/uint8/valid/a.json";
    expect_failure(path, "{", "a.json: not JSON (");
    expect_failure(path, "[1]", "a.json: JSON, but no object; expected a document with typeDescriptor");
    expect_failure(
        path,
        r#"{"type": 1, "bytes": 2}"#,
        "an object with the keys type, bytes; expected a document with",
    );
    let deep = format!("{}1{}", "[".repeat(1000), "]".repeat(1000));
    expect_failure(path, &format!(r#"{{"typeDescriptor": {deep}}}"#), "recursion limit");
    let descriptor = r#"{"kind":"List","limit":1,"elementType":"#;
    let nested = format!("{}{{\"kind\":\"Boolean\"}}{}", descriptor.repeat(1000), "}".repeat(1000));
    expect_failure(path, &format!(r#"{{"typeDescriptor": {nested}}}"#), "recursion limit");
    expect_failure("ssz_dreams/uint8/valid/a.json", r#"{"typeDescriptor": {}}"#, "unknown format ssz_dreams");
    expect_failure(
        "ssz/a.json",
        r#"{"typeDescriptor": {}}"#,
        "a file that is no case; expected fixtures/<format>/",
    );
    let named = r#"{"typeName": "A", "serialized": "0x", "root": "0x"}"#;
    expect_failure("ssz/ssz/test_new/a.json", named, "harness/schemas/ssz-specs/test_new.txt");
    let named = r#"{"typeName": "Uint8", "serialized": "0x", "root": ""}"#;
    expect_failure("ssz/ssz/test_basic_types/a.json", named, "root is \"\"; expected 0x and 64 digits");
}

#[test]
fn the_release_s_own_counts_are_held_against_its_files() {
    let folder = TempDir::new().unwrap();
    let fixtures = folder.path().join("fixtures");
    let (case, document) = first("ssz", "valid", "uint8");
    let file = fixtures.join("ssz/uint8/valid").join(format!("{}.json", case.id.name));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, document.to_string()).unwrap();
    let manifest = |text: &str| {
        fs::write(fixtures.join("manifest.json"), text).unwrap();
        run(folder.path(), &only_auto()).to_string()
    };
    assert!(manifest(r#"{"formatVersion": 1, "caseCount": 1}"#).ends_with("1 passed, 0 failed"));
    let text = manifest(r#"{"formatVersion": 1, "caseCount": 2}"#);
    assert!(text.contains("manifest.json: it counts 2 cases, but there are 1 files"), "{text}");
    assert!(text.ends_with("1 passed, 1 failed"), "{text}");
    let text = manifest(r#"{"formatVersion": 2, "caseCount": 1}"#);
    assert!(text.contains("formatVersion is 2; expected 1"), "{text}");
}

#[test]
fn a_case_is_found_by_its_exact_name_in_a_folder_and_an_archive() {
    let (case, document) = first("proof", "valid", "mixed");
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("fixtures/proof/container/valid").join(format!("{}.json", case.id.name));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, document.to_string()).unwrap();
    for path in [folder.path(), &archive(), &folder.path().join("fixtures"), file.parent().unwrap()] {
        let source = Source::open(path).remove(0).unwrap();
        let found = source.case(&case.id).unwrap().expect("the case");
        assert_eq!(
            found.id.to_string(),
            format!("ssz-specs/type-descriptors/proof/container/valid/{}", case.id.name)
        );
        let other = "ssz-specs/type-names/proof/container/valid/x".parse().unwrap();
        assert!(source.case(&other).unwrap().is_none());
    }
}

#[test]
fn older_spellings_of_values_are_read() {
    let case = |name: &str, value: Value, serialized: &str, root: &str| {
        let inner = json!({"typeName": name, "value": value, "serialized": serialized, "root": root});
        let folder = if name.ends_with("Numbers") { "test_compatible_unions" } else { "test_basic_types" };
        let path = format!("ssz/ssz/{folder}/a.json");
        let report = conform(&path, &json!({ "tests/x.py::test_a[ssz_test]": inner }).to_string());
        assert_eq!((report.passed, report.failed), (1, 0), "{report}");
        assert_eq!(report.forks[0].fork, "type-names");
    };
    let padded = |bytes: &str| format!("0x{bytes:0<64}");
    // v0.1.0: bits as booleans, integers as numbers
    case(
        "SampleBitVector8",
        json!({"data": [true, false, true, false, false, false, false, false]}),
        "0x05",
        &padded("05"),
    );
    case("SampleBitVector8", json!({"data": "0x05"}), "0x05", &padded("05"));
    case("SampleUint16Vector3", json!({"data": [1, 2, 3]}), "0x010002000300", &padded("010002000300"));
    case("SampleUint16Vector3", json!({"data": ["1", "2", "3"]}), "0x010002000300", &padded("010002000300"));
    case("SampleUint16Vector3", json!(["1", 2, 3]), "0x010002000300", &padded("010002000300"));
    let union = [
        json!({"selector": 1, "data": {"data": [1, 2]}}),
        json!({"data": {"data": ["1", "2"]}, "selector": "1"}),
    ];
    let document = first_root();
    union.into_iter().for_each(|value| case("SampleNumbers", value, "0x0101000200", &document));
    assert_eq!(Document::read(b"{}").unwrap_err().found, "an object with the keys ");
}

/// Of `SampleNumbers` with selector 1 and the numbers 1 and 2.
fn first_root() -> String {
    use ssz_conformance::{merkle, schema};
    let ty =
        schema::find_type(&schema::select_ssz_specs(), "general", "test_compatible_unions", "SampleNumbers");
    let root = merkle::hash_tree_root(&ty.unwrap(), &[1, 1, 0, 2, 0], auto(Family::Sha256)).unwrap();
    alloy_primitives::hex::encode_prefixed(root)
}
