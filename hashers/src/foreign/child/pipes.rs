//! A child's three pipes, each served by a thread, so that nothing the child does or leaves undone can block a caller.

use std::io::{Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::lock;

/// Takes what to write to the child; ends with the sender, or when the child no longer reads.
///
/// One request waits at most: a child that lets more wait answers without reading.
pub(super) fn writer(mut stdin: ChildStdin) -> SyncSender<Vec<u8>> {
    let (send, receive) = sync_channel::<Vec<u8>>(1);
    thread::spawn(move || receive.into_iter().try_for_each(|bytes| stdin.write_all(&bytes)));
    send
}

/// Gives what the child writes, in pieces; ends with its output. A child that floods is made to wait.
pub(super) fn reader(mut stdout: ChildStdout) -> Receiver<Vec<u8>> {
    const PIECE: usize = 1 << 16;
    const WAITING: usize = 4;
    let (send, receive) = sync_channel(WAITING);
    thread::spawn(move || {
        let mut buffer = vec![0; PIECE];
        while let Ok(read @ 1..) = stdout.read(&mut buffer) {
            if send.send(buffer[..read].to_vec()).is_err() {
                break;
            }
        }
    });
    receive
}

/// The end of what the child wrote to its standard error.
#[derive(Debug)]
pub(super) struct LastWords {
    tail: Arc<Mutex<Vec<u8>>>,
    /// Closed when its standard error is.
    ended: Receiver<()>,
}

impl LastWords {
    /// The most bytes that are kept.
    const KEPT: usize = 4096;
    /// The most lines that are told.
    const LINES: usize = 10;

    pub(super) fn of(mut stderr: ChildStderr) -> Self {
        let tail = Arc::<Mutex<Vec<u8>>>::default();
        let (send, ended) = channel();
        let kept = Arc::clone(&tail);
        thread::spawn(move || {
            let _open: Sender<()> = send;
            let mut buffer = [0; Self::KEPT];
            while let Ok(read @ 1..) = stderr.read(&mut buffer) {
                let mut kept = lock(&kept);
                kept.extend_from_slice(&buffer[..read]);
                let surplus = kept.len().saturating_sub(Self::KEPT);
                kept.drain(..surplus);
            }
        });
        Self { tail, ended }
    }

    /// The last lines, of a child that has ended. What it left running may hold its standard error open: that is not
    /// waited for long.
    pub(super) fn lines(&self) -> Vec<String> {
        let _ = self.ended.recv_timeout(Duration::from_millis(500));
        let tail = lock(&self.tail);
        let text = String::from_utf8_lossy(&tail);
        let lines: Vec<_> =
            text.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        lines[lines.len().saturating_sub(Self::LINES)..].to_vec()
    }
}
