//! What the servers saw, with their own clock.
//!
//! This log is the oracle of politeness tests: an arrival is the moment the first byte of a request
//! was read, an end is the moment the last byte of the response had been handed to the socket. Both
//! carry the wall clock, to compare with other processes, and the monotonic clock, to measure.

use auslese_model::{Scheme, Timestamp};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One request and what became of it.
#[derive(Debug, Clone)]
pub struct Logged {
    /// Counts connections from 1, in the order they were accepted.
    pub connection: u64,
    pub scheme: Scheme,
    /// From the `Host` line or an absolute target, without port, in lower case; empty if missing.
    pub host: String,
    /// The port of the simulated internet, not the one of the local socket.
    pub port: u16,
    /// The address that was asked, if each address has its own socket.
    pub address: Option<IpAddr>,
    /// The name asked for in the TLS handshake.
    pub sni: Option<String>,
    pub method: String,
    /// As it stands in the request line.
    pub target: String,
    /// Request line and header lines with the empty line, byte for byte; empty in a brief log.
    pub head: Vec<u8>,
    pub body: Vec<u8>,
    pub arrived: Moment,
    /// Taken just before the last bytes are handed to the network, not after: on a busy machine
    /// the server may go on only when the client has long had them, and would log a pause that is
    /// too short. The price: a pause may look longer than it was by the time of that one write.
    pub ended: Option<Moment>,
    /// The status that was sent, if a status line can be recognised in what was sent.
    pub status: Option<u16>,
    /// How many bytes were sent, header included.
    pub sent: u64,
    pub outcome: Outcome,
}

impl Logged {
    /// `http://host:port/target`, as a person would write it.
    pub fn url(&self) -> String {
        match self.port == self.scheme.default_port() {
            true => format!("{}://{}{}", self.scheme, self.host, self.target),
            false => format!("{}://{}:{}{}", self.scheme, self.host, self.port, self.target),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Running,
    /// Everything that was to be sent was sent.
    Complete,
    /// The client went away or the connection broke.
    Broken(String),
}

/// A point in time on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    pub instant: Instant,
    pub at: Timestamp,
}

impl Moment {
    pub(crate) fn now() -> Moment {
        Moment { instant: Instant::now(), at: Timestamp::now() }
    }
}

/// One accepted connection.
#[derive(Debug, Clone)]
pub struct LoggedConnection {
    pub number: u64,
    pub scheme: Scheme,
    pub port: u16,
    pub opened: Moment,
    /// The name asked for in the TLS handshake, once it has been read.
    pub sni: Option<String>,
    /// Why no request could be read: a failed handshake, a header that never ended.
    pub problem: Option<String>,
}

/// One question to the name server.
#[derive(Debug, Clone)]
pub struct DnsQuery {
    pub at: Moment,
    /// Lower case, without a final dot.
    pub name: String,
    /// Such as `A` or `AAAA`.
    pub record_type: String,
    pub over_tcp: bool,
    /// The response code, such as `NoError` or `NXDomain`, or `silence`.
    pub answered: String,
}

/// One question to a WHOIS registry.
#[derive(Debug, Clone)]
pub struct WhoisQuery {
    pub at: Moment,
    /// The registry's name.
    pub server: String,
    /// The line that came, without its end.
    pub query: String,
    /// `answer`, `throttled`, `garbage`, `silence` or `endless`.
    pub answered: &'static str,
}

/// How much of each request is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogDetail {
    #[default]
    Full,
    /// Without header bytes and bodies, for benchmarks with millions of requests.
    Brief,
}

/// The shortest pause between two requests with the same key, from the end of one response to the
/// arrival of the next request; zero where they overlapped. `None` if no key occurs twice.
pub fn shortest_pause<K: Eq + Hash>(
    requests: &[Logged],
    key: impl Fn(&Logged) -> K,
) -> Option<Duration> {
    let mut sorted: Vec<&Logged> = requests.iter().collect();
    sorted.sort_by_key(|logged| logged.arrived);
    let mut last_end: HashMap<K, Option<Instant>> = HashMap::new();
    let mut shortest: Option<Duration> = None;
    for logged in sorted {
        let end = logged.ended.map(|moment| moment.instant);
        let earlier = last_end.entry(key(logged));
        if let std::collections::hash_map::Entry::Occupied(earlier) = &earlier {
            let pause = earlier
                .get()
                .map_or(Duration::ZERO, |end| logged.arrived.instant.duration_since(end));
            shortest = Some(shortest.map_or(pause, |known| known.min(pause)));
        }
        // A response that has not ended keeps its key busy for ever.
        earlier
            .and_modify(|known| *known = known.zip(end).map(|(known, end)| known.max(end)))
            .or_insert(end);
    }
    shortest
}

#[derive(Debug, Default)]
pub(crate) struct Log {
    detail: LogDetail,
    connections_accepted: AtomicU64,
    requests: Mutex<Requests>,
    connections: Mutex<Vec<LoggedConnection>>,
    queries: Mutex<Vec<DnsQuery>>,
    whois: Mutex<Vec<WhoisQuery>>,
}

/// Requests are numbered through all resets, so that one which ends after a reset is not mistaken
/// for another.
#[derive(Debug, Default)]
struct Requests {
    forgotten: usize,
    kept: Vec<Logged>,
}

/// Names a request in the log until its response has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticket(usize);

impl Log {
    pub(crate) fn new(detail: LogDetail) -> Log {
        Log { detail, ..Log::default() }
    }

    pub(crate) fn connection(&self, scheme: Scheme, port: u16) -> u64 {
        let number = self.connections_accepted.fetch_add(1, Ordering::Relaxed) + 1;
        let opened = Moment::now();
        let entry = LoggedConnection { number, scheme, port, opened, sni: None, problem: None };
        locked(&self.connections).push(entry);
        number
    }

    pub(crate) fn note_connection(&self, number: u64, note: impl FnOnce(&mut LoggedConnection)) {
        // The entry is nearly always one of the last; after a reset it may be gone.
        let mut connections = locked(&self.connections);
        if let Some(entry) = connections.iter_mut().rev().find(|entry| entry.number == number) {
            note(entry);
        }
    }

    pub(crate) fn arrived(&self, mut logged: Logged) -> Ticket {
        if self.detail == LogDetail::Brief {
            logged.head = Vec::new();
            logged.body = Vec::new();
        }
        let mut requests = locked(&self.requests);
        requests.kept.push(logged);
        Ticket(requests.forgotten + requests.kept.len() - 1)
    }

    pub(crate) fn ended(&self, ticket: Ticket, note: impl FnOnce(&mut Logged)) {
        let mut requests = locked(&self.requests);
        let Some(index) = ticket.0.checked_sub(requests.forgotten) else { return };
        if let Some(logged) = requests.kept.get_mut(index) {
            note(logged);
        }
    }

    pub(crate) fn query(&self, query: DnsQuery) {
        locked(&self.queries).push(query);
    }

    pub(crate) fn whois_query(&self, query: WhoisQuery) {
        locked(&self.whois).push(query);
    }

    /// All requests in the order of their arrival.
    pub(crate) fn requests(&self) -> Vec<Logged> {
        let mut requests = locked(&self.requests).kept.clone();
        requests.sort_by_key(|logged| logged.arrived);
        requests
    }

    pub(crate) fn request_count(&self) -> usize {
        locked(&self.requests).kept.len()
    }

    pub(crate) fn is_quiet(&self) -> bool {
        let requests = locked(&self.requests);
        requests.kept.iter().all(|logged| logged.outcome != Outcome::Running)
    }

    pub(crate) fn connections(&self) -> Vec<LoggedConnection> {
        locked(&self.connections).clone()
    }

    pub(crate) fn queries(&self) -> Vec<DnsQuery> {
        locked(&self.queries).clone()
    }

    pub(crate) fn whois_queries(&self) -> Vec<WhoisQuery> {
        locked(&self.whois).clone()
    }

    pub(crate) fn clear(&self) {
        let mut requests = locked(&self.requests);
        requests.forgotten += requests.kept.len();
        requests.kept.clear();
        drop(requests);
        locked(&self.connections).clear();
        locked(&self.queries).clear();
        locked(&self.whois).clear();
    }
}

/// The log stays readable even if a thread that held it panicked: entries are pushed whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses() {
        type Times = (&'static str, u64, Option<u64>);
        #[rustfmt::skip]
        let cases: &[(&[Times], Option<u64>)] = &[
            // host, arrival and end in ms                                     shortest pause
            (&[("a", 0, Some(10)), ("b", 11, Some(12))],                       None),
            (&[("a", 0, Some(10)), ("a", 110, Some(120)), ("a", 150, None)],   Some(30)),
            (&[("a", 0, Some(200)), ("a", 50, Some(60)), ("a", 300, None)],    Some(0)),
            (&[("a", 0, Some(200)), ("b", 50, Some(60)), ("a", 300, None)],    Some(100)),
            (&[("a", 0, None), ("a", 500, Some(600))],                         Some(0)),
        ];
        for (requests, expected) in cases {
            let start = Moment::now();
            let log: Vec<Logged> = requests
                .iter()
                .map(|(host, arrived, ended)| logged(host, start, *arrived, *ended))
                .collect();
            let pause = shortest_pause(&log, |logged| logged.host.clone());
            assert_eq!(pause, expected.map(Duration::from_millis), "{requests:?}");
        }
    }

    #[test]
    fn an_end_after_a_reset_changes_no_other_request() {
        let log = Log::new(LogDetail::Full);
        let old = log.arrived(logged("old", Moment::now(), 0, None));
        log.clear();
        let new = log.arrived(logged("new", Moment::now(), 0, None));
        log.ended(old, |logged| logged.status = Some(500));
        log.ended(new, |logged| logged.status = Some(200));
        assert_eq!(log.requests()[0].status, Some(200));
    }

    fn logged(host: &str, start: Moment, arrived: u64, ended: Option<u64>) -> Logged {
        let moment = |ms: u64| {
            let after = Duration::from_millis(ms);
            Moment { instant: start.instant + after, at: start.at.plus(after) }
        };
        Logged {
            connection: 1,
            scheme: Scheme::Http,
            host: host.to_owned(),
            port: 80,
            address: None,
            sni: None,
            method: "GET".to_owned(),
            target: "/".to_owned(),
            head: Vec::new(),
            body: Vec::new(),
            arrived: moment(arrived),
            ended: ended.map(moment),
            status: None,
            sent: 0,
            outcome: Outcome::Running,
        }
    }
}
