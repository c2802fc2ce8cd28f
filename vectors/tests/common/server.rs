//! A small HTTP server on loopback that can behave badly.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What a client asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    headers: Vec<(String, String)>,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// What it is answered.
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// What the header says of the body's length.
    claimed: Option<usize>,
    /// How many bytes to send before the connection is closed.
    cut: usize,
    /// How many bytes to send before falling silent.
    silent: usize,
    /// The pause after every piece.
    pause: Duration,
}

impl Answer {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let (claimed, pause) = (Some(body.len()), Duration::ZERO);
        Self { status, headers: Vec::new(), body, claimed, cut: usize::MAX, silent: usize::MAX, pause }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Claims a length that the body does not have; `None`: says nothing of its length.
    pub(crate) fn claiming(self, claimed: Option<usize>) -> Self {
        Self { claimed, ..self }
    }

    pub(crate) fn cut_after(self, cut: usize) -> Self {
        Self { cut, ..self }
    }

    pub(crate) fn silent_after(self, silent: usize) -> Self {
        Self { silent, ..self }
    }

    pub(crate) fn slow(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    fn send(&self, mut stream: &TcpStream) -> std::io::Result<()> {
        write!(stream, "HTTP/1.1 {} Status\r\nConnection: close\r\n", self.status)?;
        for (name, value) in &self.headers {
            write!(stream, "{name}: {value}\r\n")?;
        }
        if let Some(claimed) = self.claimed {
            write!(stream, "Content-Length: {claimed}\r\n")?;
        }
        write!(stream, "\r\n")?;
        let end = self.body.len().min(self.cut).min(self.silent);
        for piece in self.body[..end].chunks(1 << 12) {
            stream.write_all(piece)?;
            thread::sleep(self.pause);
        }
        if self.silent < self.body.len() {
            thread::sleep(Duration::from_secs(20));
        }
        Ok(())
    }
}

/// A file that can be had in parts, and is told from another by `tag`.
pub(crate) fn file(asked: &Asked, bytes: &[u8], tag: &str) -> Answer {
    let is_same = asked.header("if-range").is_none_or(|given| given == tag);
    let range = asked
        .header("range")
        .filter(|_| is_same)
        .and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse::<usize>().ok());
    let answer = match range {
        Some(from) if from < bytes.len() => Answer::new(206, &bytes[from..])
            .header("Content-Range", format!("bytes {from}-{}/{}", bytes.len() - 1, bytes.len())),
        Some(_) => Answer::new(416, "").header("Content-Range", format!("bytes */{}", bytes.len())),
        None => Answer::new(200, bytes),
    };
    answer.header("ETag", tag).header("Accept-Ranges", "bytes")
}

/// A server, as long as the test runs.
pub(crate) struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Answers the request number `n`, from 0, by `answer(n, request)`.
    pub(crate) fn new(answer: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
        let address = listener.local_addr().expect("an address").to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (asked.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (log.clone(), answer.clone());
                thread::spawn(move || {
                    let request = read(&stream);
                    let number = {
                        let mut log = log.lock().expect("no panic");
                        log.push(request.clone());
                        log.len() - 1
                    };
                    // A client that was killed is no concern of the server.
                    _ = answer(number, &request).send(&stream);
                    _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        Self { address, asked }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no panic").clone()
    }
}

fn read(stream: &TcpStream) -> Asked {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let headers = lines.take_while(|line| !line.is_empty());
    let headers = headers.filter_map(|line| {
        let (name, value) = line.split_once(": ")?;
        Some((name.to_owned(), value.to_owned()))
    });
    Asked { path, headers: headers.collect() }
}
