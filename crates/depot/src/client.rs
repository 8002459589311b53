//! Requests to one bucket: signed, sent over a connection that is kept, and sent again where that makes sense.
//!
//! Sent again is whatever a store or a network refuses for now: no connection, an answer that was cut off or did not
//! come in time, the statuses 408, 429 and 5xx, each after a pause that doubles. All our requests may be repeated:
//! what would matter is written under a condition, and whoever sends such a request looks whether the first attempt
//! had succeeded after all.

use crate::answers::{Reason, reason};
use crate::connection::{Connection, Connector, Head};
use crate::credentials::Credentials;
use crate::error::{DepotError, is_temporary};
use crate::settings::DepotSettings;
use crate::sign::{Signed, amazon_time, authorization, encoded, query_text, sha256};
use auslese_model::Timestamp;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Connections that are kept for the next request.
const KEPT: usize = 16;
/// The pause before the second attempt; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The most that a store may ask to wait with `Retry-After`.
const LONGEST_WISH: Duration = Duration::from_secs(30);
/// Bytes of an answer that is not a stretch of an object.
pub(crate) const LARGEST_ANSWER: u64 = 8 << 20;

/// A request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) key: &'a str,
    pub(crate) query: &'a [(&'a str, &'a str)],
    /// Names in small letters. Those that begin with `x-amz-` are signed.
    pub(crate) headers: &'a [(&'a str, &'a str)],
    pub(crate) body: &'a [u8],
    /// Bytes of the longest answer that is taken.
    pub(crate) limit: u64,
}

impl<'a> Request<'a> {
    pub(crate) fn new(method: &'a str, key: &'a str) -> Request<'a> {
        Request { method, key, query: &[], headers: &[], body: &[], limit: LARGEST_ANSWER }
    }
}

/// An answer that says yes.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
}

/// One bucket of a store.
#[derive(Debug)]
pub struct Depot {
    pub(crate) settings: DepotSettings,
    bucket: String,
    connector: Connector,
    /// Looked up with the first request: much can be done without asking the store.
    credentials: Mutex<Option<Credentials>>,
    kept: Mutex<Vec<Connection>>,
}

/// Why an attempt failed.
pub(crate) enum Failed {
    /// Nothing could be sent.
    Unsigned(DepotError),
    /// No whole answer.
    Connection(io::Error),
    Refused {
        status: u16,
        reason: Reason,
        wait: Option<Duration>,
    },
}

impl Depot {
    /// Prepares everything; nothing is sent yet.
    pub fn new(settings: DepotSettings, bucket: &str) -> Result<Depot, DepotError> {
        let endpoint = settings.endpoint_of(bucket)?;
        let connector = Connector::new(endpoint, &settings)
            .map_err(|cause| DepotError::Settings { why: cause.to_string() })?;
        Ok(Depot {
            settings,
            bucket: bucket.to_owned(),
            connector,
            credentials: Mutex::default(),
            kept: Mutex::default(),
        })
    }

    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// Where an object lies, for messages.
    pub fn address(&self, key: &str) -> String {
        format!("s3://{}/{key}", self.bucket)
    }

    /// Sends a request until it is answered, or the attempts are used up.
    pub(crate) fn ask(&self, request: &Request<'_>) -> Result<Answer, DepotError> {
        let mut body = Vec::new();
        let mut attempt = 0;
        loop {
            attempt += 1;
            body.clear();
            match self.attempt(request, &mut body) {
                Ok(head) => return Ok(Answer { head, body }),
                Err(failed) => self.pause_after(request, failed, attempt)?,
            }
        }
    }

    /// Waits before the next attempt, if there is to be one.
    pub(crate) fn pause_after(
        &self,
        request: &Request<'_>,
        failed: Failed,
        attempt: u32,
    ) -> Result<(), DepotError> {
        let is_last = attempt >= self.settings.attempts;
        let what = self.what(request);
        let wish = match failed {
            Failed::Unsigned(error) => return Err(error),
            Failed::Refused { status, reason, wait } => {
                let renewed = reason.code == "ExpiredToken" && attempt == 1 && self.renew();
                if !renewed && (is_last || !is_temporary(status, &reason.code)) {
                    let Reason { code, message } = reason;
                    return Err(match (status, request.key, code.as_str()) {
                        (404, key, "NoSuchKey" | "") if !key.is_empty() => {
                            DepotError::NotFound { address: self.address(key) }
                        }
                        _ => DepotError::Refused { what, status, code, message },
                    });
                }
                tracing::debug!("{what}: status {status} {}; once more", reason.code);
                wait
            }
            Failed::Connection(cause) => {
                // What is no HTTP, or has no right certificate, will not get one by waiting.
                if is_last || cause.kind() == io::ErrorKind::InvalidData {
                    return Err(DepotError::Unreachable { what, attempts: attempt, cause });
                }
                tracing::debug!("{what}: {cause}; once more");
                None
            }
        };
        std::thread::sleep(wish.unwrap_or_else(|| pause(attempt)));
        Ok(())
    }

    /// Sends a request once. What came of the body before a failure is kept.
    pub(crate) fn attempt(
        &self,
        request: &Request<'_>,
        body: &mut Vec<u8>,
    ) -> Result<Head, Failed> {
        let credentials = self.credentials().map_err(Failed::Unsigned)?;
        let sent = self.sent(request, &credentials);
        let (mut connection, head) = sent.map_err(Failed::Connection)?;
        let has_body = request.method != "HEAD";
        if (200..300).contains(&head.status) {
            let read = connection.read_body(&head, has_body, request.limit, body);
            if read.map_err(Failed::Connection)? {
                self.keep(connection);
            }
            return Ok(head);
        }
        let mut error = Vec::new();
        let read = connection.read_body(&head, has_body, LARGEST_ANSWER, &mut error);
        if read.is_ok_and(|usable| usable) {
            self.keep(connection);
        }
        let wait = head.field("retry-after").and_then(|text| text.parse().ok());
        let wait = wait.map(|seconds| Duration::from_secs(seconds).min(LONGEST_WISH));
        let reason = reason(&error).unwrap_or_default();
        Err(Failed::Refused { status: head.status, reason, wait })
    }

    /// A connection with an answer on it. One that was kept may have been closed meanwhile, which is no failure.
    fn sent(
        &self,
        request: &Request<'_>,
        credentials: &Credentials,
    ) -> io::Result<(Connection, Head)> {
        while let Some(mut connection) = lock(&self.kept).pop() {
            match connection.send(&self.head_of(request, credentials), request.body) {
                Ok(head) => return Ok((connection, head)),
                Err(cause) if cause.kind() == io::ErrorKind::TimedOut => return Err(cause),
                Err(_) => {}
            }
        }
        let mut connection = self.connector.connect()?;
        let head = connection.send(&self.head_of(request, credentials), request.body)?;
        Ok((connection, head))
    }

    fn keep(&self, connection: Connection) {
        let mut kept = lock(&self.kept);
        if kept.len() < KEPT {
            kept.push(connection);
        }
    }

    /// The header of a request, signed now.
    fn head_of(&self, request: &Request<'_>, credentials: &Credentials) -> String {
        let endpoint = self.connector.endpoint();
        let at = Timestamp::now();
        let path = format!("{}{}", endpoint.base, encoded(request.key, true));
        let body_digest = sha256(request.body);
        let mut signed = vec![
            ("host".to_owned(), endpoint.authority.clone()),
            ("x-amz-content-sha256".to_owned(), body_digest.clone()),
            ("x-amz-date".to_owned(), amazon_time(at)),
        ];
        signed.extend(
            credentials.token.iter().map(|it| ("x-amz-security-token".to_owned(), it.clone())),
        );
        let (amazon, others): (Vec<_>, Vec<_>) =
            request.headers.iter().partition(|(name, _)| name.starts_with("x-amz-"));
        signed.extend(amazon.into_iter().map(|&(name, value)| (name.to_owned(), value.to_owned())));
        signed.sort();
        let authorization = authorization(
            &Signed {
                method: request.method,
                path: &path,
                query: request.query,
                headers: &signed,
                body_digest: &body_digest,
            },
            credentials,
            &self.settings.region,
            at,
        );
        let query = query_text(request.query);
        let query = if query.is_empty() { query } else { format!("?{query}") };
        let mut head = format!("{} {path}{query} HTTP/1.1\r\n", request.method);
        let others = others.into_iter().map(|&(name, value)| (name, value));
        let fields = signed.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in fields.chain(others) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let length = request.body.len();
        let agent = concat!("auslese/", env!("CARGO_PKG_VERSION"));
        head.push_str(&format!(
            "authorization: {authorization}\r\nuser-agent: {agent}\r\naccept: */*\r\ncontent-length: {length}\r\n\r\n"
        ));
        head
    }

    fn credentials(&self) -> Result<Credentials, DepotError> {
        let mut known = lock(&self.credentials);
        if let Some(credentials) = &*known {
            return Ok(credentials.clone());
        }
        let found = find_credentials(&self.settings)?;
        *known = Some(found.clone());
        Ok(found)
    }

    /// Reads the credentials again, which others may have renewed; whether they are different now.
    fn renew(&self) -> bool {
        let Ok(found) = find_credentials(&self.settings) else { return false };
        let mut known = lock(&self.credentials);
        let is_new = known.as_ref() != Some(&found);
        *known = Some(found);
        is_new
    }

    /// A request in words.
    pub(crate) fn what(&self, request: &Request<'_>) -> String {
        let deed = match (request.method, request.query) {
            ("GET", [("list-type", _), ..]) => "listing",
            ("GET", [("uploads", _), ..]) => "listing the unfinished uploads in",
            ("GET" | "HEAD", _) => "reading",
            ("DELETE", [("uploadId", _)]) => "giving up an upload to",
            ("DELETE", _) => "deleting",
            _ => "writing",
        };
        match request.key {
            "" => format!("{deed} s3://{}", self.bucket),
            key => format!("{deed} {}", self.address(key)),
        }
    }
}

fn find_credentials(settings: &DepotSettings) -> Result<Credentials, DepotError> {
    Credentials::find(settings.credentials_file.as_deref(), |name| std::env::var(name).ok())
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The pause after an attempt: doubled with each, and between half of that and all of it, so that many who failed
/// together do not come back together.
fn pause(attempt: u32) -> Duration {
    let full = FIRST_PAUSE.saturating_mul(1 << attempt.saturating_sub(1).min(10));
    let full = full.min(LONGEST_PAUSE);
    let mut random = [0; 1];
    // Without random numbers the pause is the full one.
    let share = match getrandom::fill(&mut random) {
        Ok(()) => 0.5 + f64::from(random[0]) / 510.0,
        Err(_) => 1.0,
    };
    full.mul_f64(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_limit() {
        for attempt in 1..40 {
            let full = FIRST_PAUSE.saturating_mul(1 << (attempt - 1).min(10)).min(LONGEST_PAUSE);
            let found = pause(attempt);
            assert!(found <= full && found >= full / 2, "{attempt}: {found:?} of {full:?}");
        }
    }
}
