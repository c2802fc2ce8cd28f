//! How a process ended, in words.

use std::process::ExitStatus;

/// As in "was killed by SIGSEGV" or "exited with status 3".
pub(super) fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match SIGNALS.iter().find(|(number, _)| *number == signal) {
            Some((_, name)) => format!("was killed by {name}"),
            None => format!("was killed by signal {signal}"),
        };
    }
    match status.code() {
        #[cfg(windows)]
        Some(code) if let Some((_, name)) = EXCEPTIONS.iter().find(|(number, _)| *number == code as u32) => {
            format!("was ended by {name}")
        }
        Some(code) => format!("exited with status {code}"),
        None => format!("ended ({status})"),
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
