//! Why a document was not read: a result to record, not a fault of the program.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Longest message kept of a process that died or panicked; the end of it says the most.
const MAX_WORDS: usize = 300;

/// The reason in words is its `Display`; [`Unread::kind`] is a fixed word to group by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unread {
    #[error("reading it took longer than {} s", .limit.as_secs_f32())]
    TimedOut { limit: Duration },
    #[error("reading it needs more than {} MiB of memory", .limit / (1024 * 1024))]
    TooMuchMemory { limit: u64 },
    #[error("it has {bytes} bytes, more than the {limit} that are read")]
    TooLarge { bytes: u64, limit: u64 },
    #[error("what was read in it exceeds {limit} bytes")]
    TooMuchText { limit: u64 },
    #[error("the reader broke off: {message}")]
    Panicked { message: String },
    #[error("the reader's process {how}{}", after_colon(.last_words))]
    Died { how: String, last_words: String },
    #[error("the reader's answer makes no sense")]
    Garbled,
    #[error("the reader's process could not be started: {cause}")]
    NotStarted { cause: String },
    #[error("there is no reader for {format}")]
    NoReader { format: String },
    #[error("{program} is not installed; install the package {package}")]
    NoHelper { program: String, package: String },
    #[error("it is encrypted")]
    Encrypted,
}

impl Unread {
    /// A fixed word, as oddities have one.
    pub fn kind(&self) -> &'static str {
        match self {
            Unread::TimedOut { .. } => "reader-timed-out",
            Unread::TooMuchMemory { .. } => "reader-out-of-memory",
            Unread::TooLarge { .. } => "document-too-large",
            Unread::TooMuchText { .. } => "too-much-text",
            Unread::Panicked { .. } => "reader-panicked",
            Unread::Died { .. } => "reader-died",
            Unread::Garbled => "reader-garbled",
            Unread::NotStarted { .. } => "reader-not-started",
            Unread::NoReader { .. } => "no-reader",
            Unread::NoHelper { .. } => "no-helper",
            Unread::Encrypted => "encrypted",
        }
    }
}

fn after_colon(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(": {words}") }
}

/// The end of what a process said, as one harmless line: strangers' documents may have a say in it.
pub(crate) fn last_words(said: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(said)
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let start = line.ceil_char_boundary(line.len().saturating_sub(MAX_WORDS));
    line[start..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_are_short_and_harmless() {
        let long = "ä".repeat(400);
        #[rustfmt::skip]
        let cases: [(&[u8], &str); 4] = [
            (b"",                                       ""),
            (b"\n thread 'main'\n\toverflowed\n",       "thread 'main' overflowed"),
            (b"\x1b[31mred\x07 \xff",                   "[31mred \u{fffd}"),
            (long.as_bytes(),                           &long[..300]),
        ];
        for (said, expected) in cases {
            assert_eq!(last_words(said), expected);
        }
    }

    #[test]
    fn reasons_are_sentences() {
        let died = |last_words: &str| Unread::Died {
            how: "was ended by signal 6".to_owned(),
            last_words: last_words.to_owned(),
        };
        #[rustfmt::skip]
        let cases = [
            (Unread::TimedOut { limit: Duration::from_millis(1500) }, "reading it took longer than 1.5 s"),
            (Unread::TooMuchMemory { limit: 64 << 20 }, "reading it needs more than 64 MiB of memory"),
            (died(""), "the reader's process was ended by signal 6"),
            (died("stack overflow"), "the reader's process was ended by signal 6: stack overflow"),
        ];
        for (unread, expected) in cases {
            assert_eq!(unread.to_string(), expected);
        }
    }
}
