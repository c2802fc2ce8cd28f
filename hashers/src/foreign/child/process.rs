//! One running process and the talk with it.

use std::ffi::OsString;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use super::pipes::{self, LastWords};
use super::{ChildError, Trouble, exit};
use crate::foreign::protocol::{Hello, LONGEST_HELLO, frame};
use crate::{Node, Pair};

/// How long a process may take to end once its pipes are closed.
const TO_END: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    patience: Duration,
    /// Closed by taking it.
    requests: Option<SyncSender<Vec<u8>>>,
    answers: Receiver<Vec<u8>>,
    /// The piece of its output that is being read, and how far it has been.
    piece: (Vec<u8>, usize),
    last_words: LastWords,
    checks: bool,
}

impl Process {
    /// Starts a process and waits for its hello.
    pub(super) fn start(command: &[OsString], patience: Duration) -> Result<(Self, Hello), ChildError> {
        let unstarted = |why: String| {
            let program =
                command.first().map_or_else(String::new, |word| word.to_string_lossy().into_owned());
            ChildError { trouble: Trouble::Unstarted { program, why }, last_lines: Vec::new() }
        };
        let (program, arguments) = command.split_first().ok_or_else(|| unstarted("no command".into()))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // a group of its own, so that what it starts in turn can be ended with it
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| unstarted(error.to_string()))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three are piped") };
        let mut process = Self {
            child,
            patience,
            requests: Some(pipes::writer(stdin)),
            answers: pipes::reader(stdout),
            piece: (Vec::new(), 0),
            last_words: LastWords::of(stderr),
            checks: false,
        };
        match process.hello() {
            Ok(hello) => {
                process.checks = hello.checks;
                Ok((process, hello))
            }
            Err(trouble) => Err(process.bury(trouble)),
        }
    }

    fn hello(&mut self) -> Result<Hello, Trouble> {
        let waiting = Waiting::new(self.patience, "its start".into());
        let length = self.length(&waiting)?;
        let bytes = u32::from_le_bytes(length) as usize;
        if bytes > LONGEST_HELLO {
            let (got, expected, to) = (length, LONGEST_HELLO, waiting.to);
            return Err(Trouble::NoHello(Trouble::WrongLength { got, expected, to }.to_string()));
        }
        let mut hello = vec![0; bytes];
        self.read(&mut hello, &waiting)?;
        String::from_utf8_lossy(&hello).parse().map_err(Trouble::NoHello)
    }

    /// Has a batch hashed.
    pub(super) fn hash(&mut self, pairs: &[Pair], nodes: &mut [Node]) -> Result<(), Trouble> {
        let waiting = Waiting::new(self.patience, format!("a batch of {} pairs", pairs.len()));
        self.send(pairs.as_flattened())?;
        let nodes = nodes.as_flattened_mut();
        let got = self.length(&waiting)?;
        if u32::from_le_bytes(got) as usize != nodes.len() {
            return Err(Trouble::WrongLength { got, expected: nodes.len(), to: waiting.to });
        }
        self.read(nodes, &waiting)
    }

    /// Has a check run, and gives what it found.
    pub(super) fn check(&mut self, request: &str) -> Result<String, Trouble> {
        const LONGEST: usize = 1 << 16;
        if !self.checks {
            return Err(Trouble::NoChecks);
        }
        let waiting = Waiting::new(self.patience, format!("the request to {request}"));
        self.send(request.as_bytes())?;
        let got = self.length(&waiting)?;
        let bytes = u32::from_le_bytes(got) as usize;
        if bytes > LONGEST {
            return Err(Trouble::WrongLength { got, expected: LONGEST, to: waiting.to });
        }
        let mut found = vec![0; bytes];
        self.read(&mut found, &waiting)?;
        Ok(String::from_utf8_lossy(&found).into_owned())
    }

    fn send(&mut self, payload: &[u8]) -> Result<(), Trouble> {
        let unasked =
            self.piece.0.len() - self.piece.1 + self.answers.try_recv().map_or(0, |piece| piece.len());
        if unasked > 0 {
            return Err(Trouble::Unasked(unasked));
        }
        match self.requests.as_ref().map(|requests| requests.try_send(frame(payload))) {
            Some(Err(TrySendError::Full(_))) => Err(Trouble::Unread),
            // a child that no longer reads has ended or is about to: reading from it tells
            _ => Ok(()),
        }
    }

    fn length(&mut self, waiting: &Waiting) -> Result<[u8; 4], Trouble> {
        let mut length = [0; 4];
        self.read(&mut length, waiting)?;
        Ok(length)
    }

    /// Fills `bytes` from the child's output.
    fn read(&mut self, mut bytes: &mut [u8], waiting: &Waiting) -> Result<(), Trouble> {
        while !bytes.is_empty() {
            let (piece, at) = &mut self.piece;
            if *at == piece.len() {
                self.piece = (waiting.receive(&self.answers)?, 0);
                continue;
            }
            let n = bytes.len().min(piece.len() - *at);
            let (filled, rest) = bytes.split_at_mut(n);
            filled.copy_from_slice(&piece[*at..*at + n]);
            *at += n;
            bytes = rest;
        }
        Ok(())
    }

    /// Ends it, and says what happened.
    pub(super) fn bury(mut self, mut trouble: Trouble) -> ChildError {
        self.requests = None;
        if let Trouble::Ended { how, .. } = &mut trouble {
            // its output has ended: so has it, or it soon will
            *how = match self.wait(TO_END) {
                Some(status) => exit::describe(status),
                None => "closed its standard output".into(),
            };
        }
        self.end(Duration::ZERO);
        ChildError { trouble, last_lines: self.last_words.lines() }
    }

    /// Waits for it to end by itself, then makes it.
    fn end(&mut self, patience: Duration) {
        self.requests = None;
        if self.wait(patience).is_none() {
            self.kill();
            let _ = self.child.wait();
        }
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if start.elapsed() >= patience {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills it with all that it started. Only called while it has not been waited for, so that its number is still its
    /// own.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: a system call on a number.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(TO_END);
    }
}

/// What is being waited for, and until when.
struct Waiting {
    patience: Duration,
    deadline: Instant,
    to: String,
}

impl Waiting {
    fn new(patience: Duration, to: String) -> Self {
        Self { patience, deadline: Instant::now() + patience, to }
    }

    fn receive(&self, answers: &Receiver<Vec<u8>>) -> Result<Vec<u8>, Trouble> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        answers.recv_timeout(left).map_err(|why| match why {
            RecvTimeoutError::Timeout => Trouble::Late { patience: self.patience, to: self.to.clone() },
            RecvTimeoutError::Disconnected => {
                Trouble::Ended { how: String::new(), instead_of: format!("answering {}", self.to) }
            }
        })
    }
}
