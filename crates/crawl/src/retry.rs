//! Decides what an outcome means: done, to be tried again, or failed.

use crate::duration_text;
use auslese_model::{Cause, CauseKind, DateReading, Exchange, Headers, Timestamp, read_http_date};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// When a request that failed is sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetrySettings {
    /// Attempts in all, the first included. Default: 3.
    pub attempts: u16,
    /// The wait before the second attempt; each further one waits four times as long.
    /// Default: "5s".
    #[serde(with = "duration_text")]
    pub wait: Duration,
    /// The longest wait. Default: "10m".
    #[serde(with = "duration_text")]
    pub max_wait: Duration,
}

impl Default for RetrySettings {
    fn default() -> RetrySettings {
        RetrySettings {
            attempts: 3,
            wait: Duration::from_secs(5),
            max_wait: Duration::from_secs(600),
        }
    }
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// When the response ended, or the attempt was given up.
    pub end: Timestamp,
    /// From the sending of the request to the end.
    pub duration: Duration,
    /// What a `Retry-After` header asked for.
    pub retry_after: Option<Duration>,
    /// Payload bytes received, for budgets.
    pub bytes: u64,
    pub result: Result<u16, Cause>,
}

impl Outcome {
    pub fn answered(exchange: &Exchange) -> Outcome {
        let end = exchange.started.plus(exchange.timings.total);
        Outcome {
            end,
            duration: exchange.timings.total,
            retry_after: retry_after(&exchange.response.headers, end),
            bytes: exchange.response.payload().len(),
            result: Ok(exchange.response.status),
        }
    }

    pub fn failed(cause: Cause, started: Timestamp, end: Timestamp) -> Outcome {
        let duration = end.since(started);
        Outcome { end, duration, retry_after: None, bytes: 0, result: Err(cause) }
    }
}

/// What a `Retry-After` header asks for: seconds, or a date.
fn retry_after(headers: &Headers, now: Timestamp) -> Option<Duration> {
    let text = headers.get("retry-after")?;
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(Duration::from_secs(u64::from(seconds)));
    }
    match read_http_date(&text) {
        DateReading::Legal(date) | DateReading::Irregular(date) => Some(date.since(now)),
        DateReading::Unreadable => None,
    }
}

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It has its answer.
    Done,
    /// It goes back into the queue (the scheduler has put it there).
    Again {
        not_before: Timestamp,
        attempts: u16,
        cause: Cause,
    },
    Failed {
        cause: Cause,
    },
}

/// What an outcome says about the request and about the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    Answered,
    /// Final for the request.
    Final(Cause),
    /// The request may succeed later.
    Passing(Cause),
    /// The request may succeed later, and the server is in trouble.
    Trouble(Cause),
}

impl Meaning {
    pub(crate) fn of(result: &Result<u16, Cause>) -> Meaning {
        match result {
            Ok(status) => Meaning::of_status(*status),
            Err(cause) => Meaning::of_cause(cause),
        }
    }

    fn of_status(status: u16) -> Meaning {
        let cause = || Cause::new(CauseKind::ServerBusy, format!("status {status}"));
        match status {
            429 | 503 => Meaning::Trouble(cause()),
            // "Not implemented" and "version not supported" will not change by asking again.
            501 | 505 => Meaning::Answered,
            408 | 425 | 500..=599 => Meaning::Passing(cause()),
            _ => Meaning::Answered,
        }
    }

    fn of_cause(cause: &Cause) -> Meaning {
        use CauseKind::{Connect, Dns, Proxy, ServerBusy, Timeout, Tls, TooSlow};
        match cause.kind {
            Connect | Dns | Proxy | ServerBusy | Timeout | Tls | TooSlow => {
                Meaning::Trouble(cause.clone())
            }
            kind if kind.is_temporary() => Meaning::Passing(cause.clone()),
            _ => Meaning::Final(cause.clone()),
        }
    }
}

impl RetrySettings {
    /// What becomes of a request that had `attempts` before this one.
    pub(crate) fn fate(&self, attempts: u16, outcome: &Outcome) -> Fate {
        match Meaning::of(&outcome.result) {
            Meaning::Answered => Fate::Done,
            Meaning::Final(cause) => Fate::Failed { cause },
            Meaning::Passing(cause) | Meaning::Trouble(cause) => {
                let attempts = attempts.saturating_add(1);
                // A full disk here is no fault of the page: it waits, however long that takes.
                if attempts >= self.attempts && cause.kind != CauseKind::Local {
                    return Fate::Failed { cause };
                }
                let wait = self.wait_after(attempts);
                Fate::Again { not_before: outcome.end.plus(wait), attempts, cause }
            }
        }
    }

    /// The wait after so many attempts.
    pub(crate) fn wait_after(&self, attempts: u16) -> Duration {
        let growth = 4u32.saturating_pow(u32::from(attempts.saturating_sub(1)));
        self.wait.checked_mul(growth).unwrap_or(self.max_wait).min(self.max_wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(attempts: u16, result: Result<u16, CauseKind>) -> String {
        let outcome = Outcome {
            end: Timestamp::from_seconds(100),
            duration: Duration::ZERO,
            retry_after: None,
            bytes: 0,
            result: result.map_err(|kind| Cause::new(kind, "")),
        };
        match RetrySettings::default().fate(attempts, &outcome) {
            Fate::Done => "done".to_owned(),
            Fate::Again { not_before, attempts, .. } => {
                format!("again at {} as {attempts}", not_before.seconds())
            }
            Fate::Failed { cause } => format!("failed: {}", cause.kind.as_str()),
        }
    }

    #[test]
    fn retry_after_header() {
        #[rustfmt::skip]
        let cases = [("120", Some(120)), ("0", Some(0)), ("-1", None), ("soon", None), ("99999999999999", None)];
        for (value, seconds) in cases {
            let headers = [("Retry-After", value)].into_iter().collect();
            let read = retry_after(&headers, Timestamp::from_seconds(0));
            assert_eq!(read, seconds.map(Duration::from_secs), "{value}");
        }
    }

    #[test]
    fn fates() {
        #[rustfmt::skip]
        let cases = [
            // attempts  result                        fate
            (0,          Ok(200),                      "done"),
            (0,          Ok(301),                      "done"),
            (0,          Ok(404),                      "done"),
            (0,          Ok(501),                      "done"),
            (0,          Ok(999),                      "done"),
            (0,          Ok(500),                      "again at 105 as 1"),
            (1,          Ok(503),                      "again at 120 as 2"),
            (2,          Ok(503),                      "failed: server-busy"),
            (0,          Ok(429),                      "again at 105 as 1"),
            (0,          Ok(408),                      "again at 105 as 1"),
            (0,          Err(CauseKind::Timeout),      "again at 105 as 1"),
            (2,          Err(CauseKind::Timeout),      "failed: timeout"),
            (0,          Err(CauseKind::NoSuchName),   "failed: no-such-name"),
            (0,          Err(CauseKind::Guarded),      "failed: guarded"),
            (0,          Err(CauseKind::Protocol),     "again at 105 as 1"),
            (u16::MAX,   Err(CauseKind::Closed),       "failed: closed"),
            (2,          Err(CauseKind::Local),        "again at 180 as 3"),
            (9,          Err(CauseKind::Local),        "again at 700 as 10"),
        ];
        for (attempts, result, fate) in cases {
            assert_eq!(check(attempts, result), fate, "{attempts} {result:?}");
        }
    }
}
