//! What registries and name servers were asked, and what they said: values that discovery hands to
//! the store, so that nobody is asked twice and a decision can be made again from the record.

use crate::{Cause, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LookupKind {
    Dns,
    Whois,
    Rdap,
    /// The certificate of a server.
    Tls,
    /// A page, such as an imprint.
    Web,
    /// A certificate in an export of a log, which a person imported.
    Log,
}

impl LookupKind {
    pub const ALL: [LookupKind; 6] = [
        LookupKind::Dns,
        LookupKind::Whois,
        LookupKind::Rdap,
        LookupKind::Tls,
        LookupKind::Web,
        LookupKind::Log,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            LookupKind::Dns => "dns",
            LookupKind::Whois => "whois",
            LookupKind::Rdap => "rdap",
            LookupKind::Tls => "tls",
            LookupKind::Web => "web",
            LookupKind::Log => "log",
        }
    }

    pub fn parse(text: &str) -> Option<LookupKind> {
        LookupKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// One question to one server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LookupKey {
    pub kind: LookupKind,
    /// Who was asked; empty for whoever resolves names here.
    pub server: String,
    pub question: String,
}

impl fmt::Display for LookupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.server.as_str() {
            "" => write!(f, "{} {}", self.kind.as_str(), self.question),
            server => write!(f, "{} {server} {}", self.kind.as_str(), self.question),
        }
    }
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupAnswer {
    Found(Vec<u8>),
    /// The server says there is no such thing.
    Absent(String),
    /// There was no answer, or none that can be used; never taken for "there is nothing".
    Failed(Cause),
}

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupRecord {
    pub key: LookupKey,
    pub answer: LookupAnswer,
    pub at: Timestamp,
    /// Asked again after this.
    pub until: Timestamp,
}
