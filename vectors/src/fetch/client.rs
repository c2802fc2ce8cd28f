//! Brings archives over HTTP, on a bad connection too.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;

use serde::Deserialize;
use ureq::config::RedirectAuthHeaders;
use ureq::http::{Response, StatusCode, header};
use ureq::{Agent, Body};

use super::catalog::checked_digest;
use super::digest::Expected;
use super::partial::{Mark, Partial};
use super::{Archive, Catalog, FetchError, Patience, Progress, Request, Step, Token, disk};

/// No archive of a release comes near this size.
const MAX_ARCHIVE: u64 = 32 << 30;

/// What the release API may answer with, at most.
const MAX_API_ANSWER: u64 = 16 << 20;

pub(super) struct Client {
    agent: Agent,
    patience: Patience,
    token: Option<Token>,
}

/// What came of one try.
enum Try {
    Done,
    /// The place does not have it.
    Absent,
    /// Failed in a way that may pass.
    Failed(String),
}

impl Client {
    pub(super) fn new(patience: &Patience, token: Option<&Token>) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A token is for the host that it was given for: storage behind a redirect must not see it.
            .redirect_auth_headers(RedirectAuthHeaders::Never)
            .timeout_resolve(Some(patience.silence))
            .timeout_connect(Some(patience.silence))
            .timeout_recv_response(Some(patience.silence))
            .user_agent(concat!("spec-vectors/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.into(), patience: patience.clone(), token: token.cloned() }
    }

    /// Downloads from the first of `urls` that has the archive; the answer is which.
    pub(super) fn download(
        &self,
        urls: &[String],
        partial: &Partial,
        known_len: Option<u64>,
        official: bool,
        progress: &dyn Progress,
    ) -> Result<String, FetchError> {
        let mut tried = Vec::new();
        for url in urls {
            let one = Download { client: self, url, partial, known_len, official, progress };
            let done = self.persist(url, progress, || partial.len(), || one.once())?;
            if done {
                return Ok(url.clone());
            }
            tried.push(format!("{url} (not found)"));
        }
        Err(FetchError::NotFound { archive: partial.name().to_owned(), tried })
    }

    /// Tries again after failures that may pass, as long as patience lasts; false if the place does not have it.
    fn persist(
        &self,
        url: &str,
        progress: &dyn Progress,
        done: impl Fn() -> u64,
        once: impl Fn() -> Result<Try, FetchError>,
    ) -> Result<bool, FetchError> {
        let (mut failures, mut best, mut pause) = (0, done(), self.patience.first_pause);
        loop {
            let what = match once()? {
                Try::Done => return Ok(true),
                Try::Absent => return Ok(false),
                Try::Failed(what) => what,
            };
            if done() > best {
                (failures, best, pause) = (0, done(), self.patience.first_pause);
            }
            failures += 1;
            if failures >= self.patience.tries {
                let what = format!("{what}; gave up after {failures} tries in a row without progress");
                return Err(FetchError::Network { url: url.to_owned(), what });
            }
            progress.note(&format!("{url}: {what}; next try in {pause:?}"));
            thread::sleep(pause);
            pause = (pause * 2).min(self.patience.longest_pause);
        }
    }

    fn get(&self, url: &str, official: bool, headers: &[(&str, String)]) -> Result<Response<Body>, String> {
        // Archives are compressed already, and ranges are of the bytes as they are.
        let mut request = self.agent.get(url).header(header::ACCEPT_ENCODING, "identity");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        if let Some(token) = self.token.as_ref().filter(|_| official && url.starts_with("https://")) {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", token.0));
        }
        request.call().map_err(|error| error.to_string())
    }

    /// The digest that the release API gives for an archive, where it answers.
    pub(super) fn digest_from_api(
        &self,
        catalog: &Catalog,
        request: &Request,
        archive: &Archive,
        progress: &dyn Progress,
    ) -> Result<Option<Expected>, FetchError> {
        for api in catalog.apis(request.project) {
            let url = format!("{api}/{}", request.release);
            match self.ask_api(&url, &archive.name) {
                Ok(Some(expected)) => return Ok(Some(expected)),
                Ok(None) => {}
                Err(what) => progress.note(&format!("{url}: no digest from there ({what})")),
            }
        }
        Ok(None)
    }

    fn ask_api(&self, url: &str, archive: &str) -> Result<Option<Expected>, String> {
        let response = self.get(url, true, &[("accept", "application/json".to_owned())])?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Ok(None),
            status => return Err(status.to_string()),
        }
        let answer = response.into_body().into_with_config().limit(MAX_API_ANSWER).read_to_string();
        let answer = answer.map_err(|error| error.to_string())?;
        let release: ApiRelease = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        let Some(asset) = release.assets.into_iter().find(|asset| asset.name == archive) else {
            return Ok(None);
        };
        let Some(digest) = asset.digest else { return Ok(None) };
        let sha256 = digest.strip_prefix("sha256:").ok_or_else(|| format!("{digest:?} is no SHA-256"))?;
        let sha256 = checked_digest(sha256)?;
        Ok(Some(Expected { sha256, bytes: asset.size, from: format!("release API, {url}") }))
    }
}

/// The part of the release API's answer that is of use.
#[derive(Deserialize)]
struct ApiRelease {
    assets: Vec<ApiAsset>,
}

#[derive(Deserialize)]
struct ApiAsset {
    name: String,
    digest: Option<String>,
    size: Option<u64>,
}

/// The download of one archive from one URL.
struct Download<'a> {
    client: &'a Client,
    url: &'a str,
    partial: &'a Partial,
    known_len: Option<u64>,
    official: bool,
    progress: &'a dyn Progress,
}

impl Download<'_> {
    fn once(&self) -> Result<Try, FetchError> {
        let resume = self.partial.resume(self.url);
        if let Some((len, mark)) = &resume
            && mark.total == Some(*len)
        {
            return Ok(Try::Done);
        }
        // If-Range: where the file has changed meanwhile, all of the new one comes instead of its end.
        let headers = match &resume {
            Some((len, mark)) => {
                vec![("range", format!("bytes={len}-")), ("if-range", mark.validator.clone())]
            }
            None => Vec::new(),
        };
        let response = match self.client.get(self.url, self.official, &headers) {
            Ok(response) => response,
            Err(what) => return Ok(Try::Failed(what)),
        };
        match (response.status(), resume) {
            (StatusCode::OK, _) => self.whole(response),
            (StatusCode::PARTIAL_CONTENT, Some((len, mark))) => self.rest(response, len, &mark),
            (StatusCode::RANGE_NOT_SATISFIABLE, Some((len, _))) => self.no_rest(&response, len),
            (StatusCode::NOT_FOUND | StatusCode::GONE, _) => Ok(Try::Absent),
            (status, _) if may_pass(status) => Ok(Try::Failed(format!("answered {status}"))),
            (status, _) => Err(self.error(format!("answered {status}"))),
        }
    }

    /// All of the archive comes.
    fn whole(&self, response: Response<Body>) -> Result<Try, FetchError> {
        let total = text(&response, header::CONTENT_LENGTH).and_then(|len| len.parse().ok());
        self.check_room(total, 0)?;
        let mark =
            Mark { url: self.url.to_owned(), validator: validator(&response).unwrap_or_default(), total };
        self.partial.begin(&mark)?;
        self.body(response, 0, total)
    }

    /// What is missing comes, if it is what was asked for.
    fn rest(&self, response: Response<Body>, len: u64, mark: &Mark) -> Result<Try, FetchError> {
        let range = text(&response, header::CONTENT_RANGE).and_then(content_range);
        let same = validator(&response).is_none_or(|validator| validator == mark.validator);
        match range {
            Some((from, total)) if from == len && same && (mark.total.is_none() || total == mark.total) => {
                self.check_room(total, len)?;
                self.body(response, len, total)
            }
            _ => {
                self.partial.clear()?;
                Ok(Try::Failed("answered with another part than was asked for; starting again".to_owned()))
            }
        }
    }

    /// There is nothing after what is here: it is all, or something else.
    fn no_rest(&self, response: &Response<Body>, len: u64) -> Result<Try, FetchError> {
        let total = text(response, header::CONTENT_RANGE).and_then(|range| range.strip_prefix("bytes */"));
        if total.and_then(|total| total.parse().ok()) == Some(len) {
            return Ok(Try::Done);
        }
        self.partial.clear()?;
        Ok(Try::Failed("the file has become shorter; starting again".to_owned()))
    }

    fn check_room(&self, total: Option<u64>, here: u64) -> Result<(), FetchError> {
        let Some(total) = total else { return Ok(()) };
        if let Some(known) = self.known_len.filter(|known| *known != total) {
            return Err(self.error(format!("the archive has {total} bytes; expected {known}")));
        }
        if total > MAX_ARCHIVE {
            return Err(self.error(format!("the archive has {total} bytes; expected at most {MAX_ARCHIVE}")));
        }
        disk::check(self.partial.folder(), total.saturating_sub(here))
    }

    /// Writes the body of a response after the `here` bytes that are there.
    fn body(&self, response: Response<Body>, here: u64, total: Option<u64>) -> Result<Try, FetchError> {
        self.progress.begin(Step::Download, self.partial.name(), total, here);
        let result = self.write(pieces(response.into_body().into_reader()), here, total);
        self.progress.end();
        result
    }

    fn write(
        &self,
        pieces: Receiver<io::Result<Vec<u8>>>,
        here: u64,
        total: Option<u64>,
    ) -> Result<Try, FetchError> {
        let mut file = self.partial.append()?;
        let mut len = here;
        loop {
            match pieces.recv_timeout(self.client.patience.silence) {
                Ok(Ok(piece)) => {
                    len += piece.len() as u64;
                    if len > MAX_ARCHIVE {
                        return Err(self.error(format!("more than {MAX_ARCHIVE} bytes came")));
                    }
                    file.write(&piece)?;
                    self.progress.advance(piece.len() as u64);
                }
                Ok(Err(error)) => return Ok(Try::Failed(format!("broke off after {len} bytes ({error})"))),
                Err(RecvTimeoutError::Timeout) => {
                    let silence = self.client.patience.silence;
                    return Ok(Try::Failed(format!("fell silent for {silence:?} after {len} bytes")));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match total {
            Some(total) if len < total => Ok(Try::Failed(format!("closed after {len} of {total} bytes"))),
            _ => Ok(Try::Done),
        }
    }

    fn error(&self, what: String) -> FetchError {
        FetchError::Network { url: self.url.to_owned(), what }
    }
}

/// Reads in a thread of its own, so that whoever receives can tell when nothing comes.
fn pieces(mut body: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(8);
    thread::spawn(move || {
        loop {
            let mut piece = vec![0; 1 << 17];
            let read = body.read(&mut piece);
            let more = match read {
                Ok(0) => return,
                Ok(len) => {
                    piece.truncate(len);
                    sender.send(Ok(piece)).is_ok()
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
                Err(error) => {
                    // The receiver may have gone away: then nobody wants to know.
                    _ = sender.send(Err(error));
                    false
                }
            };
            if !more {
                return;
            }
        }
    });
    receiver
}

fn may_pass(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS)
}

fn text(response: &Response<Body>, name: header::HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

/// What tells this version of a file from another: a strong entity tag, else the date of change.
fn validator(response: &Response<Body>) -> Option<String> {
    let tag = text(response, header::ETAG).filter(|tag| tag.starts_with('"'));
    tag.or_else(|| text(response, header::LAST_MODIFIED)).map(str::to_owned)
}

/// First byte and total of `bytes 5-9/10`.
fn content_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (from, _) = range.split_once('-')?;
    Some((from.parse().ok()?, total.parse().ok()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest() {
        let pause = Duration::from_millis(1);
        let patience =
            Patience { tries: 4, first_pause: pause, longest_pause: 2 * pause, ..Patience::default() };
        struct Notes(std::sync::Mutex<Vec<String>>);
        impl Progress for Notes {
            fn note(&self, text: &str) {
                self.0.lock().unwrap().push(text.to_owned());
            }
        }
        let notes = Notes(Default::default());
        let once = || Ok(Try::Failed("no".to_owned()));
        let error = Client::new(&patience, None).persist("url", &notes, || 0, once).unwrap_err();
        assert!(error.to_string().contains("gave up after 4 tries"), "{error}");
        let notes = notes.0.into_inner().unwrap();
        let pauses: Vec<_> = notes.iter().map(|note| note.rsplit(' ').next().unwrap()).collect();
        assert_eq!(pauses, ["1ms", "2ms", "2ms"]);
    }
}
