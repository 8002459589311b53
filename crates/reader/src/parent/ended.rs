//! Why a process ended, from what can be seen of it afterwards.

use crate::child::NOT_STARTED;
use crate::unread::{Unread, last_words};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// What a process may cost, and what it says when its memory is used up: the exit status of such a
/// process is that of any other that gave up.
#[derive(Debug)]
pub(super) struct Cost {
    pub(super) time: Duration,
    pub(super) memory: u64,
    pub(super) memory_words: &'static [&'static str],
}

/// `None`: it did its work.
pub(super) fn how_ended(status: ExitStatus, said: &[u8], cost: &Cost) -> Option<Unread> {
    let last_words = last_words(said);
    if status.success() {
        return None;
    }
    if status.code() == Some(NOT_STARTED.into()) {
        return Some(Unread::NotStarted { cause: last_words });
    }
    if status.signal() == Some(libc::SIGXCPU) {
        return Some(Unread::TimedOut { limit: cost.time });
    }
    let said = String::from_utf8_lossy(said);
    if cost.memory_words.iter().any(|words| said.contains(words)) {
        return Some(Unread::TooMuchMemory { limit: cost.memory });
    }
    let how = match (status.signal(), status.code()) {
        (Some(libc::SIGKILL), _) => "was killed, perhaps by the kernel for want of memory".into(),
        (Some(signal), _) => format!("was ended by signal {signal}"),
        (None, code) => format!("ended with exit code {}", code.unwrap_or_default()),
    };
    Some(Unread::Died { how, last_words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_and_last_words() {
        let time = Duration::from_secs(3);
        let cost = Cost { time, memory: 7, memory_words: &["memory allocation of"] };
        let died = |how: &str, last_words: &str| {
            Some(Unread::Died { how: how.to_owned(), last_words: last_words.to_owned() })
        };
        let exit = |code: i32| code << 8;
        #[rustfmt::skip]
        let cases = [
            // status         standard error                       expected
            (exit(0),         "",                                  None),
            (exit(0),         "memory allocation of a poem",       None),
            (exit(1),         "bad\n",                             died("ended with exit code 1", "bad")),
            (exit(120),       "no pipes",                          Some(Unread::NotStarted { cause: "no pipes".to_owned() })),
            (libc::SIGABRT,   "memory allocation of 9 bytes",      Some(Unread::TooMuchMemory { limit: 7 })),
            (libc::SIGABRT,   "overflowed its stack",              died("was ended by signal 6", "overflowed its stack")),
            (libc::SIGXCPU,   "",                                  Some(Unread::TimedOut { limit: time })),
            (libc::SIGKILL,   "",                                  died("was killed, perhaps by the kernel for want of memory", "")),
        ];
        for (status, said, expected) in cases {
            let status = ExitStatus::from_raw(status);
            assert_eq!(how_ended(status, said.as_bytes(), &cost), expected, "{status} {said}");
        }
    }
}
