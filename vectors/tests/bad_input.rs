//! Bad input gets an error that names the place and what was expected, and the walk goes on to what is whole.

mod common;

use std::fs;
use std::path::Path;

use common::{Archive, Folder, Given, gzip, open, small_release, walk_path};
use spec_vectors::{Case, Scope, Source, VectorError};
use tar::EntryType;

const CASE: &str = "tests/minimal/electra/ssz_static/Fork/ssz_random/case_0";

#[track_caller]
fn assert_says(error: &VectorError, words: &[&str]) {
    // Whatever separates names on this system.
    let text = error.to_string().replace('\\', "/");
    assert!(words.iter().all(|word| text.contains(word)), "{text}\nlacks one of {words:?}");
}

#[track_caller]
fn open_error(path: &Path) -> VectorError {
    open(path).expect_err("an error")
}

/// A case whose part `serialized.ssz_snappy` has these bytes, from a folder.
fn case_with(folder: &Folder, serialized: &[u8]) -> Case {
    folder.write(&format!("{CASE}/serialized.ssz_snappy"), serialized);
    walk_path(folder.path()).cases.pop().expect("a case")
}

// ---- Parts ----

#[test]
fn a_snappy_header_that_claims_4_gib_is_refused() {
    let folder = Folder::new();
    let case = case_with(&folder, b"\xff\xff\xff\xff\x0f\x00a");
    let error = case.read_snappy("serialized.ssz_snappy").unwrap_err();
    assert_says(&error, &["case_0/serialized.ssz_snappy", "offset 0", "claims 4294967295 bytes", "at most"]);
    assert_eq!(error.scope(), Scope::Case);
}

#[test]
fn a_truncated_snappy_block_is_refused() {
    let folder = Folder::new();
    let case = case_with(&folder, b"\x03\x08ab");
    let error = case.read_snappy("serialized.ssz_snappy").unwrap_err();
    assert_says(
        &error,
        &["case_0/serialized.ssz_snappy", "corrupt snappy block", "expected a block of 3 bytes"],
    );
}

#[test]
fn a_corrupt_snappy_block_is_refused() {
    let folder = Folder::new();
    // A copy from before the block's beginning.
    let case = case_with(&folder, b"\x08\x00a\x0d\x40");
    let error = case.read_snappy("serialized.ssz_snappy").unwrap_err();
    assert_says(&error, &["case_0/serialized.ssz_snappy", "corrupt snappy block"]);
}

#[test]
fn an_empty_part_is_no_snappy_block() {
    let folder = Folder::new();
    let error = case_with(&folder, b"").read_snappy("serialized.ssz_snappy").unwrap_err();
    assert_says(&error, &["case_0/serialized.ssz_snappy", "no snappy header"]);
}

#[test]
fn a_missing_part_is_named_beside_those_that_are_there() {
    let folder = Folder::new();
    let error = case_with(&folder, b"\x00").read("roots.yaml").unwrap_err();
    assert_says(
        &error,
        &["case_0/roots.yaml", "the case has serialized.ssz_snappy", "expected the part roots.yaml"],
    );
}

#[test]
fn a_part_cannot_be_named_out_of_its_case() {
    let folder = Folder::new();
    folder.write(&format!("{CASE}/../secret"), "secret");
    let case = case_with(&folder, b"\x00");
    assert!(case.read("../secret").is_err());
}

#[test]
fn a_part_that_vanishes_after_the_walk_is_an_error() {
    let folder = Folder::new();
    let case = case_with(&folder, b"\x00");
    fs::remove_dir_all(folder.path().join("tests")).unwrap();
    let error = case.read("serialized.ssz_snappy").unwrap_err();
    assert_says(&error, &["case_0/serialized.ssz_snappy", "cannot be read"]);
}

#[test]
fn text_that_is_not_utf_8_is_refused_with_its_offset() {
    let folder = Folder::new();
    let error = case_with(&folder, b"root\xff").read_text("serialized.ssz_snappy").unwrap_err();
    assert_says(&error, &["case_0/serialized.ssz_snappy", "offset 4", "UTF-8"]);
}

// ---- Paths ----

#[test]
fn a_path_that_does_not_exist() {
    let folder = Folder::new();
    let error = open_error(&folder.path().join("nowhere"));
    assert_says(&error, &["nowhere", "cannot be read", "expected a .tar.gz, or a folder"]);
    assert_eq!(error.scope(), Scope::Source);
}

#[test]
fn an_empty_folder() {
    let folder = Folder::new();
    let error = open_error(folder.path());
    assert_says(&error, &["the folder holds no vectors", "expected a .tar.gz, or a folder"]);
}

#[test]
fn a_folder_of_other_things() {
    let folder = Folder::new();
    folder.write("src/lib.rs", "");
    folder.write("tests/it_works.rs", "");
    assert_says(&open_error(folder.path()), &["the folder holds no vectors"]);
}

#[test]
fn empty_levels_of_a_release_are_named() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("tests/minimal/electra/ssz_static/Fork")).unwrap();
    let given = walk_path(folder.path());
    assert_says(&given.problems[0], &["ssz_static/Fork", "an empty folder", "at least one suite"]);
    assert_eq!(given.walked.cases, 0);
}

#[test]
fn a_file_that_is_no_archive() {
    let folder = Folder::new();
    let error = open_error(&folder.write("notes.txt", "hello"));
    assert_says(&error, &["notes.txt", "expected a whole tar.gz archive"]);
}

#[test]
fn a_gzip_that_holds_no_tar() {
    let folder = Folder::new();
    let error = open_error(&folder.write("general.tar.gz", gzip(&[7; 2000])));
    assert_says(&error, &["general.tar.gz", "offset", "expected a whole tar.gz archive"]);
}

#[test]
fn an_archive_of_other_things() {
    let folder = Folder::new();
    let path = folder.write("general.tar.gz", Archive::new().file("readme.md", b"hello").gz());
    assert_says(&open_error(&path), &["general.tar.gz", "without tests/", "expected tests/<preset>/"]);
}

#[test]
fn one_bad_archive_does_not_hide_the_others() {
    let folder = Folder::new();
    folder.write("v1.6.0/general.tar.gz", "no archive");
    folder.write("v1.6.0/minimal.tar.gz", Archive::of(small_release()).gz());
    let sources = Source::open(folder.path());
    assert_eq!(sources.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn files_below_tests_that_belong_to_no_case() {
    let files = [
        ("tests/README.md", &b"x"[..]),
        ("tests/minimal/electra/ssz_static/Fork/notes", b"x"),
        ("tests/minimal/electra/ssz_static/Fork/ssz_random/case_0/deep/part", b"x"),
    ];
    let folder = Folder::new();
    folder.write_all(small_release());
    folder.write_all(files);
    let from_folder = walk_path(folder.path());

    let archive = Folder::new();
    let mut entries = small_release();
    entries.splice(2..2, files);
    let from_archive = walk_path(&archive.write("minimal.tar.gz", Archive::of(entries).gz()));

    for given in [from_folder, from_archive] {
        assert_eq!(given.walked.cases, 2);
        let mut problems: Vec<String> =
            given.problems.iter().map(|error| error.to_string().replace('\\', "/")).collect();
        problems.sort();
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].contains("tests/README.md: a file that belongs to no case"), "{problems:?}");
        assert!(problems[1].contains("Fork/notes: a file that belongs to no case"), "{problems:?}");
        assert!(problems[2].contains("a folder inside a case; expected tests/<preset>/"), "{problems:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_neither_file_nor_folder_is_not_read() {
    let folder = Folder::new();
    let case = folder.write(&format!("{CASE}/roots.yaml"), "x");
    std::os::unix::fs::symlink("nowhere", case.with_file_name("dangling")).unwrap();
    std::os::unix::net::UnixListener::bind(case.with_file_name("socket")).unwrap();
    let given = walk_path(folder.path());
    assert_eq!(given.cases[0].part_names(), ["roots.yaml"]);
    assert_says(&given.problems[0], &["case_0/dangling", "neither a file nor a folder"]);
    assert_says(&given.problems[1], &["case_0/socket", "neither a file nor a folder"]);
}

// ---- Archives ----

/// Walks an archive that is the small release with `change` made to it.
fn walk_changed(change: impl FnOnce(Archive) -> Archive) -> Given {
    let folder = Folder::new();
    let path = folder.write("minimal.tar.gz", change(Archive::of(small_release())).gz());
    walk_path(&path)
}

#[test]
fn an_archive_cut_short_gives_the_cases_before_the_cut() {
    let whole = Archive::of(small_release()).gz();
    for len in [whole.len() - 1, whole.len() - 9, whole.len() - 20] {
        let folder = Folder::new();
        let given = walk_path(&folder.write("minimal.tar.gz", &whole[..len]));
        assert_eq!(given.problems.len(), 1, "cut to {len}");
        assert_says(&given.problems[0], &["minimal.tar.gz", "cut short", "expected a whole"]);
        assert_eq!(given.problems[0].scope(), Scope::Source);
        assert!(given.cases.len() < 2, "the case at the cut is not given");
    }
}

#[test]
fn a_tar_cut_short_before_it_was_compressed() {
    let whole = Archive::of(small_release()).tar();
    // Within the last part, and at the border between two entries.
    for (len, cases) in
        [(whole.len() - 1024 - 510, 1), (whole.len() - 1024 - 1024, 1), (whole.len() - 1024, 1)]
    {
        let folder = Folder::new();
        let given = walk_path(&folder.write("minimal.tar.gz", gzip(&whole[..len])));
        assert_eq!(given.cases.len(), cases, "cut to {len}");
        assert_says(&given.problems[0], &["minimal.tar.gz", "cut short"]);
    }
}

#[test]
fn a_tar_cut_short_among_zeros_does_not_pass_for_its_end() {
    let path = "tests/minimal/electra/ssz_static/Fork/ssz_random/case_2/serialized.ssz_snappy";
    let whole = Archive::of(small_release()).file(path, &[0; 8192]).tar();
    let folder = Folder::new();
    let given = walk_path(&folder.write("minimal.tar.gz", gzip(&whole[..whole.len() - 1024 - 4096])));
    assert_eq!(given.cases.len(), 2);
    assert_says(&given.problems[0], &[path, "cut short after 4096 bytes", "expected 8192"]);
}

#[test]
fn a_corrupt_gzip_is_noticed() {
    let mut bytes = Archive::of(small_release()).gz();
    // The checksum.
    let at = bytes.len() - 5;
    bytes[at] ^= 1;
    let folder = Folder::new();
    let given = walk_path(&folder.write("minimal.tar.gz", bytes));
    assert_says(&given.problems[0], &["minimal.tar.gz", "damaged", "expected a whole tar.gz archive"]);
}

#[test]
fn data_after_the_end_is_noticed() {
    let mut tar = Archive::of(small_release()).tar();
    tar.extend_from_slice(&Archive::of(small_release()).tar());
    let folder = Folder::new();
    let given = walk_path(&folder.write("minimal.tar.gz", gzip(&tar)));
    assert_eq!(given.cases.len(), 1, "the last case may go on in what follows");
    assert_says(&given.problems[0], &["minimal.tar.gz", "data after the end"]);
}

#[test]
fn entries_that_climb_out_are_refused_one_by_one() {
    let paths = ["tests/../../escape", "/tests/minimal/a", "tests/..", "tests/minimal\\..\\..\\escape"];
    for path in paths {
        let given = walk_changed(|archive| archive.file(path, b"x"));
        assert_eq!(given.cases.len(), 2, "{path}");
        assert_says(
            &given.problems[0],
            &["minimal.tar.gz!", &path.replace('\\', "/"), "leaves the archive's folder"],
        );
        assert_eq!(given.problems[0].scope(), Scope::Case);
    }
}

#[test]
fn links_and_devices_are_refused() {
    let kinds = [
        (EntryType::Symlink, "a symbolic link"),
        (EntryType::Link, "a hard link"),
        (EntryType::Char, "a device"),
        (EntryType::Fifo, "a pipe"),
    ];
    for (kind, name) in kinds {
        let given = walk_changed(|archive| archive.entry(kind, "tests/minimal/link", 0, b""));
        assert_eq!(given.cases.len(), 2, "{name}");
        assert_says(
            &given.problems[0],
            &["minimal.tar.gz!tests/minimal/link", name, "expected a file or a folder"],
        );
    }
}

#[test]
fn an_entry_of_absurd_size_is_refused() {
    let size = 1 << 32;
    let path = format!("{CASE}/value.yaml");
    let given = walk_changed(|archive| archive.entry(EntryType::Regular, &path, size, b""));
    assert_says(&given.problems[0], &["case_0/value.yaml", "4294967296 bytes", "expected at most"]);
    assert_says(&given.problems[1], &["minimal.tar.gz", "cut short"]);
}

#[test]
fn an_extension_header_of_absurd_size_is_refused() {
    let header = vec![b'a'; 1 << 20];
    let given = walk_changed(|archive| archive.entry(EntryType::GNULongName, "long", 1 << 20, &header));
    assert_says(&given.problems[0], &["minimal.tar.gz", "an extension header of 1048576 bytes"]);
}

#[test]
fn entries_of_a_case_that_stand_apart_are_noticed() {
    let path = format!("{CASE}/value.yaml");
    let given = walk_changed(|archive| archive.file(&path, b"x"));
    assert_says(&given.problems[0], &["minimal.tar.gz!", CASE, "stand apart"]);
    assert_eq!(given.cases.len(), 2);
}

#[test]
fn a_part_that_comes_twice_is_noticed() {
    let path = "tests/minimal/electra/ssz_static/Fork/ssz_random/case_1/roots.yaml";
    let given = walk_changed(|archive| archive.file(path, b"root: '0x02'\n"));
    assert_says(&given.problems[0], &["case_1/roots.yaml", "a second entry"]);
    assert_eq!(given.cases[1].read("roots.yaml").unwrap(), &b"root: '0x01'\n"[..]);
}
