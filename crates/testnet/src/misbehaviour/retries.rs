//! Servers that ask to come back later.

use crate::answer::Answer;
use crate::http_date::http_date;
use auslese_model::Timestamp;
use std::time::Duration;

/// What stands in the `Retry-After` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// There is none.
    Unsaid,
    Seconds(u64),
    /// The date that is so far away when the request comes.
    DateIn(Duration),
    Text(&'static str),
}

/// 429 or 503 with its `Retry-After`.
pub fn busy(status: u16, retry_after: RetryAfter) -> Answer {
    match retry_after {
        RetryAfter::Unsaid => Answer::error(status),
        RetryAfter::Seconds(seconds) => with_line(status, &seconds.to_string()),
        RetryAfter::Text(text) => with_line(status, text),
        RetryAfter::DateIn(wait) => {
            Answer::from_fn(move |_| with_line(status, &http_date(Timestamp::now().plus(wait))))
        }
    }
}

/// Busy at first, so many times, then the answer.
pub fn busy_at_first(times: usize, busy: Answer, then: Answer) -> Answer {
    Answer::sequence(std::iter::repeat_n(busy, times).chain([then]))
}

fn with_line(status: u16, value: &str) -> Answer {
    Answer::error(status).header("Retry-After", value)
}
