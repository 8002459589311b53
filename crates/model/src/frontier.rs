//! What the crawl and the store say to each other: plain values, in batches.
//!
//! The crawl offers requests, leases hosts, and commits results; one [`Commit`] is one transaction
//! and leaves a harvest that can be continued. Numbers are reserved from the store beforehand, so
//! that all parts of a commit can refer to each other.

use crate::{
    Capture, CaptureId, Cause, Digest, Origin, Request, RequestId, RequestKey, ServerId, Timestamp,
};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// How a request was reached, one letter per step: `L` link, `R` redirect, `E` embedded resource,
/// `S` sitemap, `P` prerequisite such as robots.txt; empty for a seed. Heritrix' notation, and `B`
/// for any step from a page that was read for its links only, `I` for what came with an archive that
/// others made, `Q` for a question to a database.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HopPath(pub String);

impl HopPath {
    /// Longer paths keep their end only.
    pub const MAX: usize = 60;

    pub fn then(&self, letter: char) -> HopPath {
        let mut path = self.0.clone();
        path.push(letter);
        let excess = path.len().saturating_sub(HopPath::MAX);
        HopPath(path.split_off(excess))
    }

    /// Links followed since the seed; redirects and embedded resources do not count.
    pub fn links(&self) -> usize {
        self.0.chars().filter(|letter| matches!(letter, 'L' | 'S' | 'B')).count()
    }

    /// Whether what was asked for is no document, but steers the crawl or answers for a database.
    pub fn serves_the_crawl(&self) -> bool {
        self.0.ends_with(['P', 'Q'])
    }

    /// How many of the last steps are `letter`.
    pub fn trailing(&self, letter: char) -> usize {
        self.0.chars().rev().take_while(|last| *last == letter).count()
    }
}

/// Where a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Queued,
    /// Waits for the verdict on its host.
    Parked,
    Done,
    Failed,
    /// Not asked for, by a rule: robots, scope, guard, budget, exclusion.
    Refused,
}

impl State {
    pub const ALL: [State; 5] =
        [State::Queued, State::Parked, State::Done, State::Failed, State::Refused];

    pub fn as_str(self) -> &'static str {
        match self {
            State::Queued => "queued",
            State::Parked => "parked",
            State::Done => "done",
            State::Failed => "failed",
            State::Refused => "refused",
        }
    }

    pub fn parse(text: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// A new request for the frontier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub id: RequestId,
    pub key: RequestKey,
    pub server: ServerId,
    pub request: Request,
    pub state: State,
    /// Lower comes first.
    pub priority: i16,
    pub hops: HopPath,
    /// The request in whose answer it was found; none for a seed.
    pub via: Option<RequestId>,
    /// Set for [`State::Refused`] only.
    pub cause: Option<Cause>,
}

/// A request taken from the store to be fetched (or judged again, if it was parked).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    pub id: RequestId,
    pub server: ServerId,
    pub request: Request,
    pub priority: i16,
    pub hops: HopPath,
    pub via: Option<RequestId>,
    /// The URL of that request, for the archive.
    pub via_url: Option<Arc<str>>,
    pub attempts: u16,
    /// Not to be sent earlier than this.
    pub not_before: Timestamp,
    /// What is there of it already, where it is asked for again.
    pub known: Option<Box<KnownCopy>>,
}

/// An archived copy of a document that is asked for again: what its server is told about it, and
/// what is referred to if it still holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownCopy {
    /// As the server wrote them.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// The capture that stores the body, and its record.
    pub capture: CaptureId,
    pub record_id: String,
    pub uri: String,
    pub at: Timestamp,
    pub digest: Option<Digest>,
}

/// A server not met before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewServer {
    pub id: ServerId,
    pub origin: Origin,
    /// The institution's label, where a harvest holds several.
    pub label: Option<String>,
}

/// What a server says of itself: the last `Server` header and HTTP version seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSigns {
    pub server: ServerId,
    pub software: Option<String>,
    pub http_version: String,
}

/// A leased server: its queue may be served by one worker until the lease ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub server: ServerId,
    pub origin: Origin,
    pub label: Option<String>,
    pub clock: Clock,
    /// Nothing is sent to its address before this, whichever server there was asked last.
    pub group_next_at: Timestamp,
    /// Fences writes of a worker that lost its lease.
    pub epoch: i64,
    pub robots: Option<RobotsCopy>,
    /// The first requests of the queue, in order.
    pub pending: Vec<Pending>,
    /// Whether the store holds more than `pending`.
    pub more: bool,
    /// Captures and payload bytes so far, for budgets.
    pub captures: u64,
    pub bytes: u64,
}

/// The politeness clock of a server, kept across restarts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    pub server: ServerId,
    /// The address its group goes by, once resolved.
    pub address: Option<IpAddr>,
    /// The end of the last response.
    pub last_end: Timestamp,
    /// Nothing is sent before this.
    pub next_at: Timestamp,
    /// The full delay in force, robots' included.
    pub delay: Duration,
    /// Failures in a row, for back-off.
    pub failures: u32,
}

/// The robots.txt of a server as last read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsCopy {
    pub server: ServerId,
    pub fetched: Timestamp,
    pub expires: Timestamp,
    /// The final status; 0 if the server could not be reached.
    pub status: u16,
    pub body: Vec<u8>,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateChange {
    pub request: RequestId,
    pub change: Change,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Done {
        capture: CaptureId,
    },
    Failed {
        cause: Cause,
    },
    Refused {
        cause: Cause,
    },
    /// Goes back into the queue.
    Again {
        not_before: Timestamp,
        attempts: u16,
        cause: Option<Cause>,
    },
}

/// How far a WARC file is committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcProgress {
    /// File name without directory and without `.open`.
    pub file: String,
    /// Bytes of whole records; whatever lies behind is cut off at the next start.
    pub length: u64,
    pub records: u64,
    pub closed: bool,
}

/// One window of results: applied whole or not at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Commit {
    pub servers: Vec<NewServer>,
    pub signs: Vec<ServerSigns>,
    pub offers: Vec<Offer>,
    pub captures: Vec<Capture>,
    pub changes: Vec<StateChange>,
    pub clocks: Vec<Clock>,
    pub robots: Vec<RobotsCopy>,
    pub warcs: Vec<WarcProgress>,
    /// Links between servers that no offer tells of, because they lead to requests known already.
    pub links: Vec<ServerLink>,
    /// What it brought of each URL template it tells of.
    pub templates: Vec<TemplateChange>,
}

/// What a window adds to the account of a URL template, which stands for the addresses of one make on
/// a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateChange {
    pub server: ServerId,
    pub template: Arc<str>,
    /// New requests.
    pub offered: u64,
    /// Addresses that were found and not entered, because the template is quarantined.
    pub withheld: u64,
    /// Pages, and those of them that brought something new.
    pub fetched: u64,
    pub novel: u64,
    /// One bit for each of the last pages, set if it brought something new; the lowest is the newest.
    pub recent: u64,
    /// The same, set if it brought nothing new but led to addresses of its server that were not known.
    pub leading: u64,
    /// Why it is quarantined from now on, if it is.
    pub quarantined: Option<String>,
}

/// Whether requests of a URL template are sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TemplateState {
    #[default]
    Open,
    Quarantined,
    /// A person let it pass; it is not judged any more.
    Released,
}

impl TemplateState {
    pub const ALL: &[TemplateState] =
        &[TemplateState::Open, TemplateState::Quarantined, TemplateState::Released];

    /// The name in the catalog and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            TemplateState::Open => "open",
            TemplateState::Quarantined => "quarantined",
            TemplateState::Released => "released",
        }
    }

    pub fn parse(name: &str) -> Option<TemplateState> {
        TemplateState::ALL.iter().copied().find(|state| state.as_str() == name)
    }
}

/// A page of one server leads to another server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerLink {
    pub server: ServerId,
    pub from: ServerId,
}

impl Commit {
    pub fn is_empty(&self) -> bool {
        self == &Commit::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hop_paths() {
        let path = "LLRE".chars().fold(HopPath::default(), |path, letter| path.then(letter));
        assert_eq!((path.0.as_str(), path.links(), path.trailing('E')), ("LLRE", 2, 1));
        let long = (0..100).fold(HopPath::default(), |path, _| path.then('L')).then('R');
        assert_eq!((long.0.len(), long.trailing('R')), (HopPath::MAX, 1));
    }
}
