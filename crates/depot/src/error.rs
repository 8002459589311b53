//! What can go wrong with a store: each error names the object, says why, and knows what to do.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum DepotError {
    #[error("{text:?} is no address of a store: {why}")]
    Address { text: String, why: &'static str },
    #[error("the store cannot be used: {why}")]
    Settings { why: String },
    #[error("there are no credentials for the store: {why}")]
    NoCredentials { why: String },
    /// The store answered, and said no.
    #[error("{what} was refused: {} ({})", said(*status, code, message), meaning(code))]
    Refused { what: String, status: u16, code: String, message: String },
    #[error("{address} is not in the store")]
    NotFound { address: String },
    /// Whatever lies there was not written by us, or is something else.
    #[error("{address} is there already, and is not the same: {why}")]
    Taken { address: String, why: String },
    /// No answer that could be used, however often it was asked.
    #[error("{what} failed {attempts} times: {cause}")]
    Unreachable { what: String, attempts: u32, cause: io::Error },
    #[error("the answer to {what} cannot be understood: {why}")]
    Answer { what: String, why: String },
    #[error("cannot read or write {}", file.display())]
    File {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("{address} does not hold what was stored there: {why}")]
    Changed { address: String, why: String },
    /// A person wanted to stop.
    #[error("stopped before {address} was stored")]
    Stopped { address: String },
}

impl DepotError {
    /// What to do about it, where that is known.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            DepotError::Address { .. } => "write it as s3://BUCKET/PREFIX",
            DepotError::NoCredentials { .. } => {
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file with archive.store.credentials_file"
            }
            DepotError::Refused { code, status, .. } => {
                return Some(advice(code, *status).to_owned());
            }
            DepotError::Unreachable { cause, .. } => match cause.kind() {
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                    "the store answers too slowly; is it overloaded? archive.store.timeout is how long is waited"
                }
                io::ErrorKind::InvalidData => {
                    "is the scheme of archive.store.endpoint right? a private authority belongs into net.ca_files"
                }
                _ => {
                    "is archive.store.endpoint right, and can this machine reach it? `auslese doctor` checks the store"
                }
            },
            DepotError::Taken { .. } => {
                "choose another prefix, or look at the object; nothing in a store is ever overwritten"
            }
            DepotError::NotFound { .. } => {
                "was it deleted, or does archive.store.url name another prefix than when it was stored?"
            }
            DepotError::Changed { .. } => {
                "compare it with a backup; objects of a harvest never change"
            }
            DepotError::Stopped { .. } => "the same command goes on",
            DepotError::Settings { .. } | DepotError::Answer { .. } | DepotError::File { .. } => {
                return None;
            }
        };
        Some(hint.to_owned())
    }

    /// Whether the same attempt may succeed later.
    pub fn may_pass(&self) -> bool {
        match self {
            DepotError::Unreachable { .. } => true,
            DepotError::Refused { status, code, .. } => is_temporary(*status, code),
            _ => false,
        }
    }

    /// The error behind an I/O error that a reader of the store gave.
    pub fn behind(error: &io::Error) -> Option<&DepotError> {
        error.get_ref()?.downcast_ref()
    }
}

/// For readers that know nothing of stores. Only an object that is not there is `NotFound`: that is a fault of the
/// archive, all else one of the store.
impl From<DepotError> for io::Error {
    fn from(error: DepotError) -> io::Error {
        let kind = match &error {
            DepotError::NotFound { .. } => io::ErrorKind::NotFound,
            DepotError::Refused { status: 401 | 403, .. } => io::ErrorKind::PermissionDenied,
            DepotError::Unreachable { cause, .. } if cause.kind() == io::ErrorKind::TimedOut => {
                io::ErrorKind::TimedOut
            }
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}

/// Answers that say "not now".
pub(crate) fn is_temporary(status: u16, code: &str) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504)
        || matches!(code, "RequestTimeout" | "SlowDown" | "InternalError")
}

fn said(status: u16, code: &str, message: &str) -> String {
    let mut text = format!("status {status}");
    for part in [code, message].into_iter().filter(|part| !part.is_empty()) {
        text.push_str(", ");
        text.push_str(part);
    }
    text
}

/// What the codes mean that stores answer with.
fn meaning(code: &str) -> &'static str {
    match code {
        "NoSuchBucket" => "there is no such bucket",
        "InvalidAccessKeyId" => "the store does not know the access key",
        "SignatureDoesNotMatch" => "the secret key is wrong",
        "ExpiredToken" | "TokenRefreshRequired" | "InvalidToken" => "the credentials have expired",
        "RequestTimeTooSkewed" => "the clocks of this machine and of the store differ too much",
        "AccessDenied" | "AllAccessDisabled" => "these credentials may not do this",
        "PermanentRedirect"
        | "TemporaryRedirect"
        | "AuthorizationHeaderMalformed"
        | "IllegalLocationConstraintException" => "the bucket lies in another region",
        "SlowDown" | "ServiceUnavailable" => "the store is busy",
        "NotImplemented" => "the store cannot do this",
        "EntityTooLarge" => "the object is too large for the store",
        "QuotaExceeded" | "XMinioStorageFull" => "the store is full",
        _ => "the store gave no further reason",
    }
}

fn advice(code: &str, status: u16) -> &'static str {
    match (code, status) {
        ("NoSuchBucket", _) => {
            "create the bucket, or correct archive.store.url; auslese never creates buckets"
        }
        ("InvalidAccessKeyId" | "SignatureDoesNotMatch", _) => {
            "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file archive.store.credentials_file names"
        }
        ("ExpiredToken" | "TokenRefreshRequired" | "InvalidToken", _) => {
            "get new credentials; what was not stored yet is kept here and stored at the next start"
        }
        ("RequestTimeTooSkewed", _) => "set the clock of this machine (NTP)",
        ("PermanentRedirect" | "TemporaryRedirect" | "AuthorizationHeaderMalformed", _) => {
            "correct archive.store.region, or archive.store.endpoint"
        }
        ("NotImplemented", 501) => {
            "if the store knows no conditional writes, set archive.store.conditional = false"
        }
        (_, 401 | 403) => {
            "the credentials need s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload, s3:ListBucket and s3:ListBucketMultipartUploads there"
        }
        (_, 404) => "check archive.store.url and archive.store.endpoint",
        (_, 301 | 302 | 307 | 308) => "correct archive.store.region, or archive.store.endpoint",
        (_, 429 | 500..=599) => "try again later; the store is in trouble or busy",
        _ => "`auslese doctor` checks the store",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, code: &str) -> DepotError {
        DepotError::Refused {
            what: "PUT s3://bucket/key".to_owned(),
            status,
            code: code.to_owned(),
            message: String::new(),
        }
    }

    #[test]
    fn errors_say_what_to_do() {
        #[rustfmt::skip]
        let cases = [
            (refused(403, "AccessDenied"),         "may not do this",     "s3:PutObject",         false),
            (refused(403, "InvalidAccessKeyId"),   "access key",          "AWS_ACCESS_KEY_ID",    false),
            (refused(404, "NoSuchBucket"),         "no such bucket",      "create the bucket",    false),
            (refused(503, "SlowDown"),             "busy",                "try again later",      true),
            (refused(301, "PermanentRedirect"),    "another region",      "region",               false),
            (refused(501, "NotImplemented"),       "cannot do this",      "conditional = false",  false),
        ];
        for (error, words, hint, passes) in cases {
            let text = error.to_string();
            assert!(text.contains(words) && text.contains("s3://bucket/key"), "{text}");
            assert!(error.hint().unwrap().contains(hint), "{:?}", error.hint());
            assert_eq!(error.may_pass(), passes, "{text}");
        }
    }
}
