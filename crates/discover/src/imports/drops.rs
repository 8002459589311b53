//! What a list holds besides hosts: counted by reason, with the first few as examples.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Examples that are kept of each reason.
pub(crate) const MAX_EXAMPLES: usize = 20;

/// Longest text of an example, in characters.
const MAX_EXAMPLE_TEXT: usize = 200;

/// One thing that names no host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dropped {
    pub text: String,
    /// The line, from 1.
    pub place: u64,
    pub why: DropReason,
}

/// Why something is no host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// Certificates may be for people.
    MailAddress,
    /// An IP address is no name.
    Address,
    /// A wildcard that is not the first part, such as `www.*.uni.example`.
    Wildcard,
    /// A name without a dot.
    Unqualified,
    /// A name such as `_dmarc.uni.example`.
    Service,
    /// A URL or record of another kind than web pages.
    NotWeb,
    /// Cannot be a name in the DNS.
    Unreadable,
    /// A line, record or object that is not of the list's format.
    Malformed,
    /// Longer than 4 MiB.
    TooLong,
    /// Beyond the most hosts of one import.
    TooMany,
}

impl DropReason {
    pub fn words(self) -> &'static str {
        match self {
            DropReason::MailAddress => "a mail address",
            DropReason::Address => "an IP address",
            DropReason::Wildcard => "a wildcard within a name",
            DropReason::Unqualified => "a name without a dot",
            DropReason::Service => "the name of a service, not of a host",
            DropReason::NotWeb => "not a web address",
            DropReason::Unreadable => "not a host name",
            DropReason::Malformed => "not of the list's format",
            DropReason::TooLong => "too long",
            DropReason::TooMany => "too many hosts",
        }
    }
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

#[derive(Debug, Default)]
pub(crate) struct Drops {
    counts: BTreeMap<DropReason, u64>,
    examples: Vec<Dropped>,
}

impl Drops {
    pub(crate) fn add(&mut self, text: &str, place: u64, why: DropReason) {
        let count = self.counts.entry(why).or_default();
        *count += 1;
        if *count <= MAX_EXAMPLES as u64 {
            let text = text.chars().take(MAX_EXAMPLE_TEXT).collect();
            self.examples.push(Dropped { text, place, why });
        }
    }

    pub(crate) fn into_parts(self) -> (Vec<Dropped>, BTreeMap<DropReason, u64>) {
        (self.examples, self.counts)
    }
}
