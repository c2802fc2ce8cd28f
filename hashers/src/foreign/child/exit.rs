//! How a process ended, in words.

use std::process::ExitStatus;

/// As in "was killed by SIGSEGV" or "exited with status 3".
pub(super) fn describe(status: ExitStatus) -> String {
    match (crash(status), status.code()) {
        (Some(what), _) => format!("was killed by {what}"),
        (None, Some(code)) => format!("exited with status {code}"),
        (None, None) => format!("ended ({status})"),
    }
}

/// What killed a process that did not exit by itself, as in "SIGSEGV (memory that it may not touch)".
pub fn crash(status: ExitStatus) -> Option<String> {
    cfg_select! {
        unix => {
            let signal = std::os::unix::process::ExitStatusExt::signal(&status)?;
            let known = SIGNALS.iter().find(|(number, _)| *number == signal);
            Some(known.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned()))
        }
        windows => {
            let exception = status.code()? as u32;
            let known = EXCEPTIONS.iter().find(|(number, _)| *number == exception);
            Some(known?.1.to_owned())
        }
        _ => {
            let _ = status;
            None
        }
    }
}

/// The signals that a fault in a hasher raises, and those that others send it.
#[cfg(unix)]
const SIGNALS: [(i32, &str); 12] = [
    (libc::SIGILL, "SIGILL (an instruction that this CPU does not have)"),
    (libc::SIGSEGV, "SIGSEGV (memory that it may not touch)"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGTRAP, "SIGTRAP"),
    (libc::SIGSYS, "SIGSYS"),
    (libc::SIGKILL, "SIGKILL"),
    (libc::SIGTERM, "SIGTERM"),
    (libc::SIGPIPE, "SIGPIPE"),
    (libc::SIGINT, "SIGINT"),
    (libc::SIGXCPU, "SIGXCPU"),
];

#[cfg(windows)]
const EXCEPTIONS: [(u32, &str); 5] = [
    (0xC000_001D, "an illegal instruction"),
    (0xC000_0005, "an access violation"),
    (0xC000_00FD, "a stack overflow"),
    (0xC000_0374, "a corrupted heap"),
    (0xC000_0409, "an abort"),
];
