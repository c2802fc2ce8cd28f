//! Fetches from a server on loopback that behaves well, badly, and worse.
#![cfg(feature = "fetch")]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::server::{Answer, Server, file};
use common::{Archive, Folder, gzip, walk};
use sha2::{Digest, Sha256};
use spec_vectors::fetch::{
    Catalog, FetchError, Origin, Patience, Progress, Project, Receipt, Request, Step, Token, fetch, list,
};
use spec_vectors::{Filter, Source, fetched_releases};
use tar::EntryType;

const RELEASE: &str = "v9.9.9-alpha.1";

// ---- What is fetched ----

/// A minimal.tar.gz of so many SSZ cases, 16 KiB each that do not compress, and one case of another runner.
fn archive(cases: usize) -> Vec<u8> {
    let mut noise = 1u64;
    let mut byte = || {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        noise as u8
    };
    let mut archive =
        Archive::new().file("tests/minimal/electra/sanity/blocks/pyspec_tests/empty/pre.ssz_snappy", b"x");
    for case in 0..cases {
        let bytes: Vec<u8> = (0..1 << 14).map(|_| byte()).collect();
        let folder = format!("tests/minimal/electra/ssz_static/Fork/ssz_random/case_{case}");
        archive = archive.file(&format!("{folder}/serialized.ssz_snappy"), &bytes);
    }
    archive.gz()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A catalog of one release at `server`, first at `/new`, then at `/old`, with the digest of `bytes` pinned.
fn catalog(server: &Server, bytes: &[u8]) -> Catalog {
    unpinned(
        server,
        &format!("pin\tconsensus-specs\t{RELEASE}\tminimal.tar.gz\t{}\t-\ta test\n", sha256(bytes)),
    )
}

fn unpinned(server: &Server, more: &str) -> Catalog {
    let url = server.url();
    let text = format!(
        "place\tconsensus-specs\t{url}/new\nplace\tconsensus-specs\t{url}/old\napi\tconsensus-specs\t{url}/api\n{more}"
    );
    text.parse().expect("a catalog")
}

fn request(into: &Path) -> Request {
    let patience = Patience {
        tries: 4,
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(4),
        silence: Duration::from_millis(500),
    };
    Request {
        project: Project::ConsensusSpecs,
        release: RELEASE.parse().expect("a tag"),
        presets: vec!["minimal".to_owned()],
        from: None,
        into: into.to_owned(),
        all_runners: false,
        keep_archives: false,
        force: false,
        trust_on_first_use: false,
        token: None,
        patience,
    }
}

/// Keeps what a person would read.
#[derive(Default)]
struct Notes {
    notes: Mutex<Vec<String>>,
    downloaded: AtomicUsize,
    is_download: Mutex<bool>,
}

impl Progress for Notes {
    fn begin(&self, step: Step, _archive: &str, _total: Option<u64>, _done: u64) {
        *self.is_download.lock().unwrap() = step == Step::Download;
    }

    fn advance(&self, bytes: u64) {
        if *self.is_download.lock().unwrap() {
            self.downloaded.fetch_add(bytes as usize, Ordering::Relaxed);
        }
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap().push(text.to_owned());
    }
}

impl Notes {
    #[track_caller]
    fn assert_say(&self, words: &str) {
        let notes = self.notes.lock().unwrap();
        assert!(notes.iter().any(|note| note.contains(words)), "{notes:#?}\nlack {words:?}");
    }
}

/// Fetches without listening.
fn quietly(catalog: &Catalog, request: &Request) -> Result<Receipt, FetchError> {
    fetch(catalog, request, &Notes::default())
}

/// The release is there as it should be, and nothing that is half made.
#[track_caller]
fn assert_fetched(into: &Path, cases: usize) {
    let release = into.join(RELEASE);
    let [source] = &Source::open(&release)[..] else { panic!("one source") };
    let given = walk(source.as_ref().expect("a source"), &Filter::default());
    assert_eq!((given.cases.len(), given.problems.len()), (cases, 0));
    assert!(given.cases.iter().all(|case| case.read("serialized.ssz_snappy").unwrap().len() == 1 << 14));
    assert_eq!(fetched_releases(into), [(RELEASE.parse().unwrap(), release)]);
    assert_nothing_half_made(into);
}

#[track_caller]
fn assert_nothing_fetched(into: &Path) {
    assert!(fetched_releases(into).is_empty());
    assert!(!into.join(RELEASE).exists());
}

/// No folder of work under way has a file in it.
#[track_caller]
fn assert_nothing_half_made(into: &Path) {
    for folder in [".partial", ".staging", ".replaced"] {
        let left = files_below(&into.join(folder));
        assert!(left.is_empty(), "{left:?}");
    }
}

fn files_below(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let below = entries.flat_map(|entry| match entry.path().is_dir() {
        true => files_below(&entry.path()),
        false => vec![entry.path().display().to_string()],
    });
    below.collect()
}

#[track_caller]
fn assert_says(error: &FetchError, words: &[&str]) {
    // Whatever separates names on this system.
    let text = error.to_string().replace('\\', "/");
    assert!(words.iter().all(|word| text.contains(word)), "{text}\nlacks one of {words:?}");
}

// ---- Good servers ----

#[test]
fn a_release_is_fetched_once() {
    let bytes = archive(3);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\""));
    let (folder, catalog) = (Folder::new(), catalog(&server, &bytes));

    let receipt = quietly(&catalog, &request(folder.path())).unwrap();
    assert_fetched(folder.path(), 3);
    assert_eq!(server.asked()[0].path, format!("/new/{RELEASE}/minimal.tar.gz"));
    let unpacked = &receipt.archives["minimal.tar.gz"];
    assert_eq!((unpacked.sha256.as_str(), unpacked.bytes), (sha256(&bytes).as_str(), bytes.len() as u64));
    let counted = unpacked.counts["minimal/electra/ssz_static"];
    assert_eq!((counted.cases, counted.files, counted.left_out), (3, 3, 0));
    let counted = unpacked.counts["minimal/electra/sanity"];
    assert_eq!((counted.cases, counted.files, counted.left_out), (1, 1, 1));
    assert_eq!(receipt.cases(), 3);

    folder.write(&format!(".partial/{RELEASE}/minimal.tar.gz"), "as a kill at the very end leaves it");
    let again = quietly(&catalog, &request(folder.path())).unwrap();
    assert_nothing_half_made(folder.path());
    assert_eq!((again, server.asked().len()), (receipt, 1), "what is there is not fetched again");
}

#[test]
fn what_is_fetched_is_listed() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\""));
    let (folder, catalog) = (Folder::new(), catalog(&server, &bytes));
    let is_fetched = || list(&catalog, folder.path()).unwrap()[0].archives["minimal.tar.gz"].is_fetched;
    assert!(!is_fetched());
    quietly(&catalog, &request(folder.path())).unwrap();
    assert!(is_fetched());
}

#[test]
fn redirects_are_followed() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| match asked.path.as_str() {
        "/storage" => file(asked, &served, "\"1\""),
        _ => Answer::new(302, "").header("Location", "/storage"),
    });
    let folder = Folder::new();
    quietly(&catalog(&server, &bytes), &request(folder.path())).unwrap();
    assert_fetched(folder.path(), 1);
}

#[test]
fn a_slow_server_is_waited_for() {
    let bytes = archive(4);
    let served = bytes.clone();
    // Longer in all than the patience for silence.
    let pause = Duration::from_millis(60);
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\"").slow(pause));
    let (folder, begun) = (Folder::new(), Instant::now());
    quietly(&catalog(&server, &bytes), &request(folder.path())).unwrap();
    assert!(begun.elapsed() > request(folder.path()).patience.silence);
    assert_eq!(server.asked().len(), 1);
    assert_fetched(folder.path(), 4);
}

#[test]
fn the_older_place_is_tried_after_a_404() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| match asked.path.starts_with("/old/") {
        true => file(asked, &served, "\"1\""),
        false => Answer::new(404, "no"),
    });
    let folder = Folder::new();
    let receipt = quietly(&catalog(&server, &bytes), &request(folder.path())).unwrap();
    assert!(receipt.archives["minimal.tar.gz"].from.contains("/old/"));
    assert_fetched(folder.path(), 1);
}

#[test]
fn a_mirror_may_have_the_archives_in_one_folder() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| match asked.path.as_str() {
        "/mirror/minimal.tar.gz" => file(asked, &served, "\"1\""),
        _ => Answer::new(404, "no"),
    });
    let folder = Folder::new();
    let from = Some(Origin::Url(format!("{}/mirror", server.url())));
    quietly(&catalog(&server, &bytes), &Request { from, ..request(folder.path()) }).unwrap();
    assert_fetched(folder.path(), 1);
}

#[test]
fn a_folder_of_archives_serves_without_a_network() {
    let bytes = archive(1);
    let (folder, archives) = (Folder::new(), Folder::new());
    archives.write(&format!("{RELEASE}/minimal.tar.gz"), &bytes);
    let catalog = format!("pin\tconsensus-specs\t{RELEASE}\tminimal.tar.gz\t{}\t-\ta test\n", sha256(&bytes));
    for from in [archives.path().display().to_string(), format!("file://{}", archives.path().display())] {
        let from = Some(from.parse().unwrap());
        let request = Request { from, force: true, ..request(folder.path()) };
        quietly(&catalog.parse().unwrap(), &request).unwrap();
        assert_fetched(folder.path(), 1);
    }
    assert!(archives.path().join(RELEASE).join("minimal.tar.gz").is_file(), "the origin is only read");
}

#[test]
fn an_archive_without_length_is_fetched() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |_, _| Answer::new(200, served.clone()).claiming(None));
    let folder = Folder::new();
    quietly(&catalog(&server, &bytes), &request(folder.path())).unwrap();
    assert_fetched(folder.path(), 1);
}

// ---- Bad connections ----

#[test]
fn a_download_that_was_cut_off_goes_on_where_it_was() {
    let bytes = archive(8);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\"").cut_after(20_000));
    let (folder, notes) = (Folder::new(), Notes::default());
    fetch(&catalog(&server, &bytes), &request(folder.path()), &notes).unwrap();
    let asked = server.asked();
    // More than the tries that may fail in a row: each of these makes progress.
    assert_eq!(asked.len(), bytes.len().div_ceil(20_000));
    assert_eq!(asked[1].header("range"), Some("bytes=20000-"));
    assert_eq!(asked[1].header("if-range"), Some("\"1\""));
    assert_eq!(notes.downloaded.load(Ordering::Relaxed), bytes.len(), "nothing comes twice");
    notes.assert_say("after 20000");
    assert_fetched(folder.path(), 8);
}

#[test]
fn a_download_that_fell_silent_goes_on() {
    let bytes = archive(8);
    let served = bytes.clone();
    let server = Server::new(move |number, asked| match number {
        0 => file(asked, &served, "\"1\"").silent_after(50_000),
        _ => file(asked, &served, "\"1\""),
    });
    let (folder, notes) = (Folder::new(), Notes::default());
    fetch(&catalog(&server, &bytes), &request(folder.path()), &notes).unwrap();
    notes.assert_say("fell silent");
    assert_eq!(server.asked()[1].header("range"), Some("bytes=50000-"));
    assert_fetched(folder.path(), 8);
}

#[test]
fn a_file_that_changed_between_two_parts_is_not_spliced() {
    let (old, new) = (archive(8), archive(9));
    let (first, second) = (old, new.clone());
    let server = Server::new(move |number, asked| match number {
        0 => file(asked, &first, "\"1\"").cut_after(50_000),
        _ => file(asked, &second, "\"2\""),
    });
    let folder = Folder::new();
    quietly(&catalog(&server, &new), &request(folder.path())).unwrap();
    assert_eq!(server.asked()[1].header("if-range"), Some("\"1\""));
    assert_fetched(folder.path(), 9);
}

#[test]
fn a_server_that_ignores_if_range_is_caught() {
    let new = archive(8);
    // Of the same length, so that only its tag tells it from the other.
    let old: Vec<u8> = new.iter().map(|byte| !byte).collect();
    let (first, second) = (old, new.clone());
    let server = Server::new(move |number, asked| match number {
        0 => file(asked, &first, "\"1\"").cut_after(50_000),
        1 => Answer::new(206, &second[50_000..])
            .header("ETag", "\"2\"")
            .header("Content-Range", format!("bytes 50000-{}/{}", second.len() - 1, second.len())),
        _ => file(asked, &second, "\"2\""),
    });
    let (folder, notes) = (Folder::new(), Notes::default());
    fetch(&catalog(&server, &new), &request(folder.path()), &notes).unwrap();
    notes.assert_say("starting again");
    assert_fetched(folder.path(), 8);
}

#[test]
fn a_server_may_send_less_than_the_rest() {
    let bytes = archive(8);
    let served = bytes.clone();
    let server = Server::new(move |number, asked| {
        let from = asked
            .header("range")
            .and_then(|range| range["bytes=".len()..].trim_end_matches('-').parse().ok());
        let from: usize = from.unwrap_or(0);
        let to = served.len().min(from + 30_000);
        match number {
            0 => file(asked, &served, "\"1\"").cut_after(30_000),
            _ => Answer::new(206, &served[from..to])
                .header("ETag", "\"1\"")
                .header("Content-Range", format!("bytes {from}-{}/{}", to - 1, served.len())),
        }
    });
    let folder = Folder::new();
    quietly(&catalog(&server, &bytes), &request(folder.path())).unwrap();
    assert_eq!(server.asked().len(), bytes.len().div_ceil(30_000));
    assert_fetched(folder.path(), 8);
}

#[test]
fn a_download_does_not_go_on_from_another_place() {
    let bytes = archive(8);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| match asked.path.starts_with("/a/") {
        true => Answer::new(200, served.clone()).header("ETag", "\"1\"").cut_after(50_000),
        false => file(asked, &served, "\"1\""),
    });
    let (folder, catalog) = (Folder::new(), catalog(&server, &bytes));
    let from = |place| Some(Origin::Url(format!("{}/{place}", server.url())));
    let error = quietly(&catalog, &Request { from: from("a"), ..request(folder.path()) }).unwrap_err();
    assert_says(&error, &["after 50000", "gave up"]);
    quietly(&catalog, &Request { from: from("b"), ..request(folder.path()) }).unwrap();
    assert_eq!(server.asked().last().unwrap().header("range"), None);
    assert_fetched(folder.path(), 8);
}

#[test]
fn without_ranges_a_download_starts_again() {
    let bytes = archive(8);
    let served = bytes.clone();
    let server = Server::new(move |number, _| {
        let answer = Answer::new(200, served.clone()).header("ETag", "\"1\"");
        if number == 0 { answer.cut_after(50_000) } else { answer }
    });
    let (folder, notes) = (Folder::new(), Notes::default());
    fetch(&catalog(&server, &bytes), &request(folder.path()), &notes).unwrap();
    assert_eq!(notes.downloaded.load(Ordering::Relaxed), bytes.len() + 50_000);
    assert_fetched(folder.path(), 8);
}

#[test]
fn a_server_error_passes() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |number, asked| match number {
        0 => Answer::new(500, "oops"),
        1 => Answer::new(429, "slower"),
        _ => file(asked, &served, "\"1\""),
    });
    let (folder, notes) = (Folder::new(), Notes::default());
    fetch(&catalog(&server, &bytes), &request(folder.path()), &notes).unwrap();
    notes.assert_say("answered 500");
    notes.assert_say("answered 429");
    assert_fetched(folder.path(), 1);
}

#[test]
fn a_server_error_that_stays_ends_the_fetch() {
    let server = Server::new(|_, _| Answer::new(503, "no"));
    let folder = Folder::new();
    let error = quietly(&catalog(&server, b""), &request(folder.path())).unwrap_err();
    assert_says(&error, &["answered 503", "gave up after 4 tries"]);
    assert_eq!(server.asked().len(), 4);
    assert_nothing_fetched(folder.path());
}

#[test]
fn a_refusal_is_not_tried_again() {
    let server = Server::new(|_, _| Answer::new(403, "no"));
    let folder = Folder::new();
    let error = quietly(&catalog(&server, b""), &request(folder.path())).unwrap_err();
    assert_says(&error, &["answered 403"]);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn an_archive_that_is_nowhere_is_said_to_be() {
    let server = Server::new(|_, _| Answer::new(404, "no"));
    let folder = Folder::new();
    let error = quietly(&catalog(&server, b""), &request(folder.path())).unwrap_err();
    assert_says(&error, &["minimal.tar.gz is in none of the places", "/new/", "/old/"]);
    assert_nothing_fetched(folder.path());
}

#[test]
fn a_server_that_is_not_there_is_tried_again_and_named() {
    let folder = Folder::new();
    let from = Some(Origin::Url("http://127.0.0.1:9".to_owned()));
    let request = Request { from, trust_on_first_use: true, ..request(folder.path()) };
    let error = quietly(&Catalog::default(), &request).unwrap_err();
    assert_says(&error, &["http://127.0.0.1:9", "gave up after 4 tries"]);
}

// ---- Lies ----

#[test]
fn a_length_that_is_too_long_is_seen_through() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| match asked.header("range") {
        None => file(asked, &served, "\"1\"").claiming(Some(served.len() + 1000)),
        Some(_) => file(asked, &served, "\"1\""),
    });
    let (folder, notes) = (Folder::new(), Notes::default());
    fetch(&catalog(&server, &bytes), &request(folder.path()), &notes).unwrap();
    notes.assert_say(&format!("after {}", bytes.len()));
    assert_fetched(folder.path(), 1);
}

#[test]
fn a_length_that_is_too_short_fails_by_the_digest() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\"").claiming(Some(1000)));
    let folder = Folder::new();
    let error = quietly(&catalog(&server, &bytes), &request(folder.path())).unwrap_err();
    assert_says(
        &error,
        &["minimal.tar.gz is not the expected archive", &sha256(&bytes), &sha256(&bytes[..1000])],
    );
    assert_nothing_fetched(folder.path());
}

#[test]
fn a_length_beyond_all_bounds_is_refused_before_anything_comes() {
    let server = Server::new(|_, _| Answer::new(200, "").claiming(Some(1 << 50)));
    let folder = Folder::new();
    let error = quietly(&catalog(&server, b""), &request(folder.path())).unwrap_err();
    assert_says(&error, &["1125899906842624 bytes", "expected at most"]);
    assert_nothing_half_made(folder.path());
}

#[test]
fn a_wrong_digest_names_both_and_keeps_nothing() {
    let (expected, served) = (archive(1), archive(2));
    let found = sha256(&served);
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\""));
    let folder = Folder::new();
    let error = quietly(&catalog(&server, &expected), &request(folder.path())).unwrap_err();
    assert_says(&error, &[&sha256(&expected), "pinned in releases.tsv, from: a test", &found, &server.url()]);
    assert_nothing_fetched(folder.path());
    assert_nothing_half_made(folder.path());
}

#[test]
fn a_release_that_was_fetched_survives_a_failure() {
    let (good, bad) = (archive(3), archive(4));
    let (first, second) = (good.clone(), bad);
    let server = Server::new(move |number, asked| match number {
        0 => file(asked, &first, "\"1\""),
        _ => file(asked, &second, "\"2\""),
    });
    let (folder, catalog) = (Folder::new(), catalog(&server, &good));
    let receipt = quietly(&catalog, &request(folder.path())).unwrap();
    let error = quietly(&catalog, &Request { force: true, ..request(folder.path()) }).unwrap_err();
    assert_says(&error, &["is not the expected archive"]);
    assert_fetched(folder.path(), 3);
    assert_eq!(quietly(&catalog, &request(folder.path())).unwrap(), receipt);
}

#[test]
fn a_digest_that_nobody_knows_is_trusted_once() {
    let (first, second) = (archive(1), archive(2));
    let (one, other) = (first.clone(), second.clone());
    let server = Server::new(move |_, asked| match asked.path.as_str() {
        path if path.starts_with("/api/") => Answer::new(404, "no"),
        path if path.starts_with("/changed/") => file(asked, &other, "\"2\""),
        _ => file(asked, &one, "\"1\""),
    });
    let (folder, catalog) = (Folder::new(), unpinned(&server, ""));
    let error = quietly(&catalog, &request(folder.path())).unwrap_err();
    assert_says(&error, &[RELEASE, "no digest is pinned", "--trust-on-first-use"]);
    assert_nothing_fetched(folder.path());

    let trusting = Request { trust_on_first_use: true, ..request(folder.path()) };
    let receipt = quietly(&catalog, &trusting).unwrap();
    assert_eq!(receipt.archives["minimal.tar.gz"].digest_from, "seen at first use");
    assert_fetched(folder.path(), 1);

    let from = Some(Origin::Url(format!("{}/changed", server.url())));
    let error = quietly(&catalog, &Request { from, force: true, ..trusting }).unwrap_err();
    assert_says(&error, &[&sha256(&first), "recorded at first use in", "digests.lock", &sha256(&second)]);
    assert_fetched(folder.path(), 1);
}

#[test]
fn the_release_api_is_asked_for_a_digest() {
    let bytes = archive(1);
    let (served, digest) = (bytes.clone(), sha256(&bytes));
    let server = Server::new(move |_, asked| match asked.path.starts_with("/api/") {
        true => Answer::new(
            200,
            format!(
                r#"{{"tag_name":"x","assets":[{{"name":"general.tar.gz","digest":null}},{{"name":"minimal.tar.gz","size":{},"digest":"sha256:{digest}"}}]}}"#,
                served.len()
            ),
        ),
        false => file(asked, &served, "\"1\""),
    });
    let folder = Folder::new();
    let receipt = quietly(&unpinned(&server, ""), &request(folder.path())).unwrap();
    assert!(receipt.archives["minimal.tar.gz"].digest_from.starts_with("release API, http"));
    assert_eq!(server.asked()[0].path, format!("/api/{RELEASE}"));
}

#[test]
fn a_release_that_lacks_cases_is_an_error() {
    let bytes = archive(3);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\""));
    let count = format!("count\tconsensus-specs\t{RELEASE}\tminimal\tssz_static\t4\ta test\n");
    let pin = format!("pin\tconsensus-specs\t{RELEASE}\tminimal.tar.gz\t{}\t-\ta test\n", sha256(&bytes));
    let (folder, catalog) = (Folder::new(), unpinned(&server, &(count + &pin)));
    let error = quietly(&catalog, &request(folder.path())).unwrap_err();
    assert_says(&error, &["minimal.tar.gz has 3 cases of ssz_static", "expected 4 (a test)"]);
    assert_nothing_fetched(folder.path());
    assert_nothing_half_made(folder.path());

    // A mirror may hold a part on purpose.
    let (from, notes) = (Some(Origin::Url(server.url())), Notes::default());
    fetch(&catalog, &Request { from, ..request(folder.path()) }, &notes).unwrap();
    notes.assert_say("a part of the release");
}

#[test]
fn a_token_goes_nowhere_in_the_clear() {
    let bytes = archive(1);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\""));
    let folder = Folder::new();
    let token = Some(Token::new("secret"));
    let request = Request { token, ..request(folder.path()) };
    assert!(!format!("{request:?}").contains("secret"));
    quietly(&catalog(&server, &bytes), &request).unwrap();
    assert_eq!(server.asked()[0].header("authorization"), None);
}

// ---- Bad archives, whose digest is as expected ----

#[track_caller]
fn assert_refused(bytes: &[u8], words: &[&str]) {
    let served = bytes.to_vec();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\""));
    let folder = Folder::new();
    let error = quietly(&catalog(&server, bytes), &request(folder.path())).unwrap_err();
    assert_says(&error, words);
    assert_nothing_fetched(folder.path());
    assert_nothing_half_made(folder.path());
    assert!(!folder.path().join("escape").exists() && !folder.path().join(".staging/escape").exists());
}

#[test]
fn a_truncated_gzip_is_refused() {
    let bytes = archive(2);
    assert_refused(&bytes[..bytes.len() - 10], &["minimal.tar.gz", "cut short"]);
}

#[test]
fn entries_that_no_release_has_are_refused() {
    let path = "tests/minimal/electra/ssz_static/Fork/ssz_random/case_0/roots.yaml";
    let with = |entry: Archive| entry.file(path, b"x").gz();
    assert_refused(
        &with(Archive::new().file("tests/../../escape", b"x")),
        &["../../escape", "leaves the archive"],
    );
    assert_refused(&with(Archive::new().file("/tmp/escape", b"x")), &["/tmp/escape", "leaves the archive"]);
    assert_refused(
        &with(Archive::new().entry(EntryType::Symlink, "tests/minimal/a", 0, b"")),
        &["tests/minimal/a", "a symbolic link"],
    );
    assert_refused(
        &with(Archive::new().entry(EntryType::Char, "tests/minimal/a", 0, b"")),
        &["tests/minimal/a", "a device"],
    );
    assert_refused(
        &with(Archive::new().entry(EntryType::Regular, "tests/minimal/a", 1 << 40, b"")),
        &["tests/minimal/a", "1099511627776 bytes"],
    );
    assert_refused(&with(Archive::new().file(path, b"y")), &[path, "a second entry"]);
    assert_refused(
        &with(Archive::new().file("tests/mainnet/a", b"x")),
        &["tests/mainnet/a", "another place"],
    );
    assert_refused(&Archive::new().gz(), &["no cases"]);
}

#[test]
fn an_archive_that_grows_beyond_measure_is_refused() {
    // 80 MiB of zeros in some 80 KB.
    let folder = "tests/minimal/electra/ssz_static/Fork/ssz_random";
    let zeros = vec![0; 8 << 20];
    let add =
        |archive: Archive, case| archive.file(&format!("{folder}/case_{case}/serialized.ssz_snappy"), &zeros);
    let tar = (0..10).fold(Archive::new(), add).gz();
    assert_refused(&tar, &["bytes so far", "from an archive of this size"]);
}

#[test]
fn an_archive_that_is_no_gzip_is_refused() {
    assert_refused(b"<html>not found</html>", &["minimal.tar.gz", "expected a whole tar.gz archive"]);
    assert_refused(&gzip(b"no tar"), &["minimal.tar.gz"]);
}

// ---- More of a release ----

/// A server of minimal.tar.gz and general.tar.gz, with both pinned.
fn two_presets() -> (Server, Catalog) {
    let minimal = archive(2);
    let general =
        Archive::new().file("tests/general/phase0/ssz_generic/uints/valid/uint_8_max/meta.yaml", b"x").gz();
    let pin = |name: &str, bytes: &[u8]| {
        format!("pin\tconsensus-specs\t{RELEASE}\t{name}.tar.gz\t{}\t-\ta test\n", sha256(bytes))
    };
    let pins = pin("minimal", &minimal) + &pin("general", &general);
    let server = Server::new(move |_, asked| match asked.path.ends_with("general.tar.gz") {
        true => file(asked, &general, "\"g\""),
        false => file(asked, &minimal, "\"m\""),
    });
    let catalog = unpinned(&server, &pins);
    (server, catalog)
}

#[test]
fn presets_can_be_added_one_by_one() {
    let (server, catalog) = two_presets();
    let folder = Folder::new();
    for (presets, archives) in [(vec!["minimal"], 1), (vec!["general", "minimal"], 2)] {
        let presets = presets.into_iter().map(str::to_owned).collect();
        let receipt = quietly(&catalog, &Request { presets, ..request(folder.path()) }).unwrap();
        assert_eq!(receipt.archives.len(), archives);
    }
    assert_eq!(server.asked().len(), 2);
    let tests = folder.path().join(RELEASE).join("tests");
    assert!(tests.join("general").is_dir() && tests.join("minimal").is_dir());
    assert_nothing_half_made(folder.path());
}

#[test]
fn an_unknown_preset_is_a_wrong_request() {
    let (_, catalog) = two_presets();
    let folder = Folder::new();
    let request = Request { presets: vec!["maximal".to_owned()], ..request(folder.path()) };
    let error = quietly(&catalog, &request).unwrap_err();
    assert!(matches!(error, FetchError::Usage(_)));
    assert_says(&error, &["maximal", "general, minimal, mainnet"]);
}

#[test]
fn all_runners_are_unpacked_on_demand() {
    let (server, catalog) = two_presets();
    let folder = Folder::new();
    let sanity = folder.path().join(RELEASE).join("tests/minimal/electra/sanity");
    quietly(&catalog, &request(folder.path())).unwrap();
    assert!(!sanity.exists());
    quietly(&catalog, &Request { all_runners: true, ..request(folder.path()) }).unwrap();
    assert!(sanity.exists());
    assert_eq!(server.asked().len(), 2, "the archive was not kept");
    quietly(&catalog, &request(folder.path())).unwrap();
    assert!(sanity.exists(), "more than was asked for is there already");
}

#[test]
fn an_archive_that_was_kept_is_used_again() {
    let (server, catalog) = two_presets();
    let folder = Folder::new();
    quietly(&catalog, &Request { keep_archives: true, ..request(folder.path()) }).unwrap();
    quietly(&catalog, &Request { all_runners: true, ..request(folder.path()) }).unwrap();
    assert_eq!(server.asked().len(), 1);
    assert_fetched(folder.path(), 2);
    // It does not count as vectors beside the release that came out of it.
    assert_eq!(Source::open(folder.path()).len(), 1);
}

#[test]
fn a_folder_that_was_not_fetched_is_not_touched() {
    let (_, catalog) = two_presets();
    let folder = Folder::new();
    let own = folder.write(&format!("{RELEASE}/tests/minimal/mine"), "mine");
    for force in [false, true] {
        let error = quietly(&catalog, &Request { force, ..request(folder.path()) }).unwrap_err();
        assert_says(&error, &[RELEASE, "was not fetched", "move it away"]);
        assert_eq!(fs::read(&own).unwrap(), b"mine");
    }
}

#[test]
fn ssz_specs_are_fetched_too() {
    let bytes = Archive::new().file("fixtures/ssz/ssz/test_uints/test_uint8.json", b"{}").gz();
    let (folder, archives) = (Folder::new(), Folder::new());
    archives.write("ssz-test-vectors-v0.1.0.tar.gz", &bytes);
    let request = Request {
        project: Project::SszSpecs,
        release: "v0.1.0".parse().unwrap(),
        from: Some(Origin::Path(archives.path().to_owned())),
        trust_on_first_use: true,
        ..request(folder.path())
    };
    let receipt = quietly(&Catalog::default(), &request).unwrap();
    assert_eq!(receipt.cases(), 1);
    let place = folder.path().join("ssz-specs-v0.1.0");
    assert!(place.join("fixtures/ssz/ssz/test_uints/test_uint8.json").is_file());
    quietly(&Catalog::default(), &Request { force: true, ..request }).unwrap();
    assert!(place.join("fixtures/ssz").is_dir());
    assert_nothing_half_made(folder.path());
}

// ---- Interruptions ----

/// What a test runs as a process of its own, to kill it: fetches as the environment says.
#[test]
#[ignore = "started by other tests"]
fn child() {
    let Ok(into) = std::env::var("FETCH_INTO") else { return };
    let catalog = std::env::var("FETCH_CATALOG").unwrap().parse().unwrap();
    let force = std::env::var("FETCH_FORCE").is_ok();
    let mut request = Request { force, ..request(Path::new(&into)) };
    request.patience.silence = Duration::from_secs(30);
    quietly(&catalog, &request).unwrap();
}

fn start_child(into: &Path, catalog: &str, force: bool) -> std::process::Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--ignored", "--nocapture"]);
    command.env("FETCH_INTO", into).env("FETCH_CATALOG", catalog);
    if force {
        command.env("FETCH_FORCE", "1");
    }
    command.stdout(std::process::Stdio::null()).spawn().unwrap()
}

fn catalog_text(server: &Server, bytes: &[u8]) -> String {
    let url = server.url();
    let digest = sha256(bytes);
    format!(
        "place\tconsensus-specs\t{url}/new\npin\tconsensus-specs\t{RELEASE}\tminimal.tar.gz\t{digest}\t-\ta test\n"
    )
}

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} does not come");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_fetch_that_was_killed_while_downloading_goes_on() {
    let bytes = archive(40);
    let served = bytes.clone();
    let server = Server::new(move |number, asked| match number {
        0 => file(asked, &served, "\"1\"").silent_after(200_000),
        _ => file(asked, &served, "\"1\""),
    });
    let folder = Folder::new();
    let mut child = start_child(folder.path(), &catalog_text(&server, &bytes), false);
    let partial = folder.path().join(".partial").join(RELEASE).join("minimal.tar.gz");
    wait_for("the first part", || fs::metadata(&partial).is_ok_and(|metadata| metadata.len() == 200_000));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_nothing_fetched(folder.path());

    quietly(&catalog_text(&server, &bytes).parse().unwrap(), &request(folder.path())).unwrap();
    assert_eq!(server.asked()[1].header("range"), Some("bytes=200000-"));
    assert_fetched(folder.path(), 40);
}

#[test]
fn a_fetch_that_is_killed_anywhere_loses_nothing() {
    let bytes = archive(60);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\""));
    let text = catalog_text(&server, &bytes);
    let folder = Folder::new();
    let begun = Instant::now();
    quietly(&text.parse().unwrap(), &request(folder.path())).unwrap();
    let usual = begun.elapsed();
    for step in 0..12 {
        let mut child = start_child(folder.path(), &text, true);
        std::thread::sleep(usual * step / 8);
        child.kill().unwrap();
        child.wait().unwrap();
        let receipt = quietly(&text.parse().unwrap(), &request(folder.path())).unwrap();
        assert_eq!(receipt.cases(), 60);
        let source = Source::open(folder.path().join(RELEASE)).remove(0).unwrap();
        assert_eq!(walk(&source, &Filter::default()).walked.cases, 60, "after {step}");
        assert_nothing_half_made(folder.path());
    }
}

#[test]
fn a_replacement_that_was_not_finished_is_undone() {
    let (_, catalog) = two_presets();
    let folder = Folder::new();
    let release = folder.path().join(RELEASE);
    let receipt = quietly(&catalog, &request(folder.path())).unwrap();
    // As a kill leaves it between the two moves: the old part is away, the new one not yet there.
    let replaced = folder.path().join(".replaced").join(RELEASE);
    fs::create_dir_all(&replaced).unwrap();
    fs::copy(release.join("receipt.json"), replaced.join("receipt.json")).unwrap();
    fs::rename(release.join("tests/minimal"), replaced.join("tests+minimal")).unwrap();
    assert_eq!(quietly(&catalog, &request(folder.path())).unwrap(), receipt);
    assert_fetched(folder.path(), 2);

    // And after both moves, before the receipt: what it speaks of is put back.
    fs::create_dir_all(&replaced).unwrap();
    fs::copy(release.join("receipt.json"), replaced.join("receipt.json")).unwrap();
    fs::rename(release.join("tests/minimal"), replaced.join("tests+minimal")).unwrap();
    folder.write(&format!("{RELEASE}/tests/minimal/new"), "new");
    quietly(&catalog, &request(folder.path())).unwrap();
    assert_fetched(folder.path(), 2);
}

#[test]
fn two_at_once_take_turns() {
    let bytes = archive(4);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\"").slow(Duration::from_millis(20)));
    let (folder, catalog) = (Folder::new(), catalog(&server, &bytes));
    let notes = Notes::default();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| fetch(&catalog, &request(folder.path()), &notes));
        let second = scope.spawn(|| fetch(&catalog, &request(folder.path()), &notes));
        assert_eq!(first.join().unwrap().unwrap(), second.join().unwrap().unwrap());
    });
    notes.assert_say("another fetch into");
    notes.assert_say("fetched before");
    assert_eq!(server.asked().len(), 1);
    assert_fetched(folder.path(), 4);
}

// ---- A full disk ----

/// A disk of so many MiB, in memory; needs root.
struct SmallDisk(Folder);

impl SmallDisk {
    fn new(mebibytes: u32) -> Self {
        let folder = Folder::new();
        let size = format!("size={mebibytes}m");
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).status();
        assert!(mount.expect("mount").success(), "mounting a tmpfs needs root");
        Self(folder)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
#[ignore = "needs root: mounts small disks"]
fn a_full_disk_is_noticed_before_and_on_the_way() {
    let bytes = archive(200);
    let served = bytes.clone();
    let server = Server::new(move |_, asked| file(asked, &served, "\"1\""));
    let catalog = catalog(&server, &bytes);

    let small = SmallDisk::new(17);
    let error = quietly(&catalog, &request(small.0.path())).unwrap_err();
    assert_says(&error, &["bytes are free", "are needed"]);
    assert_nothing_fetched(small.0.path());

    // Enough by estimate, until someone else fills it.
    let large = SmallDisk::new(120);
    struct Filler<'a>(&'a Path);
    impl Progress for Filler<'_> {
        fn begin(&self, step: Step, _archive: &str, _total: Option<u64>, _done: u64) {
            if step == Step::Unpack {
                // As much as there is room for.
                _ = fs::write(self.0.join("other"), vec![1; 118 << 20]);
            }
        }
    }
    let error = fetch(&catalog, &request(large.0.path()), &Filler(large.0.path())).unwrap_err();
    assert_says(&error, &["bytes are free", "are needed"]);
    assert_nothing_fetched(large.0.path());
    fs::remove_file(large.0.path().join("other")).unwrap();
    quietly(&catalog, &request(large.0.path())).unwrap();
    assert_fetched(large.0.path(), 200);
}
