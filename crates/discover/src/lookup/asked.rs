//! How a question ends: what becomes of it in memory, and what its asker gets to know.

use super::settings::LookupSettings;
use auslese_model::{Cause, CauseKind, LookupAnswer, LookupKey};
use std::time::Duration;

/// What asking ended with.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) answer: LookupAnswer,
    /// How long it holds; zero: the next one asks again.
    pub(super) keep: Duration,
    /// Whether anybody was asked, rather than waited for in vain.
    pub(super) reached: bool,
}

impl Asked {
    pub(super) fn found(bytes: Vec<u8>, keep: Duration) -> Asked {
        Asked { answer: LookupAnswer::Found(bytes), keep, reached: true }
    }

    pub(super) fn absent(text: &[u8], keep: Duration) -> Asked {
        /// What is kept of a longer text; it says no more than "no".
        const KEPT: usize = 4096;
        let text = String::from_utf8_lossy(&text[..text.len().min(KEPT)]).trim().to_owned();
        Asked { answer: LookupAnswer::Absent(text), keep, reached: true }
    }

    pub(super) fn failed(cause: Cause, keep: Duration) -> Asked {
        Asked { answer: LookupAnswer::Failed(cause), keep, reached: true }
    }

    pub(super) fn vain(vain: Vain, settings: &LookupSettings) -> Asked {
        match vain {
            Vain::NoTurn(cause) => {
                Asked { answer: LookupAnswer::Failed(cause), keep: Duration::ZERO, reached: false }
            }
            Vain::NoAnswer(cause) => Asked::failed(cause, settings.keep_failed),
            Vain::Throttled { cause, pause } => Asked::failed(cause, pause),
        }
    }
}

/// Why there is no answer that says anything.
#[derive(Debug)]
pub(super) enum Vain {
    /// The server was not asked: its turn would have come too late.
    NoTurn(Cause),
    NoAnswer(Cause),
    /// It answered that there are too many questions, and is left alone for a time.
    Throttled {
        cause: Cause,
        pause: Duration,
    },
}

/// Why a question has no answer. A replay must not go on to another server when an answer is
/// missing in the record, as it does after a failure: it would end otherwise than the recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    Failed(Cause),
    NotRecorded(LookupKey),
}

impl From<Cause> for Trouble {
    fn from(cause: Cause) -> Trouble {
        Trouble::Failed(cause)
    }
}

impl From<Trouble> for Cause {
    fn from(trouble: Trouble) -> Cause {
        match trouble {
            Trouble::Failed(cause) => cause,
            Trouble::NotRecorded(key) => {
                Cause::new(CauseKind::Local, format!("the record has no answer for: {key}"))
            }
        }
    }
}
