//! Where the time of a run goes, besides hashing, which [`Work`](super::Work) has by backend.

use std::ops::AddAssign;
use std::time::Instant;

use serde::Serialize;

/// Seconds by what was done, added up over the threads that did it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// Finding the cases and getting their files out of folders and archives.
    pub reading: f64,
    /// Getting parts out of cases, by snappy for the most.
    pub decompressing: f64,
    /// From YAML and JSON to values.
    pub parsing: f64,
    /// From bytes to values, and to bytes again.
    pub decoding: f64,
}

impl Times {
    /// What has been done, with how long it took.
    pub fn rows(&self) -> [(&'static str, f64); 4] {
        [
            ("reading", self.reading),
            ("decompressing", self.decompressing),
            ("parsing YAML and JSON", self.parsing),
            ("decoding and encoding", self.decoding),
        ]
    }
}

impl AddAssign for Times {
    fn add_assign(&mut self, other: Self) {
        self.reading += other.reading;
        self.decompressing += other.decompressing;
        self.parsing += other.parsing;
        self.decoding += other.decoding;
    }
}

/// Does something, and adds the seconds that it took.
pub(crate) fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *seconds += start.elapsed().as_secs_f64();
    result
}
