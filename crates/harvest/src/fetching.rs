//! The conductor sends requests and takes their answers.
//!
//! An answer first tells the scheduler (clocks, retries, robots rules), then goes to a worker; a
//! request without an answer goes to the committer at once.

use crate::committing::Entry;
use crate::conductor::{Conductor, Event};
use crate::job::StoringRules;
use crate::processing::{Outcome, Processed, Purpose, Work};
use auslese_archive::encode_resource;
use auslese_crawl::{self as crawl, Fate, RobotsRules};
use auslese_model::{
    Body, Cause, CauseKind, Change, Exchange, Fetched, Headers, HopPath, HostName, KnownCopy,
    Method, Pending, Request, RequestId, Response, RobotsCopy, ServerId, Timestamp,
};
use auslese_net::{Net, Resolution, ResponseHead, Wanted, decode_content};
use std::time::Duration;
use url::Url;

/// A server notes the end of its answer a moment after we have it, and judges our pauses by that.
/// Without any delay there is nothing to judge.
const SERVER_LAG: Duration = Duration::from_millis(2);
/// How much of a robots.txt is kept.
const ROBOTS_KEPT: usize = crawl::ROBOTS_BYTES;

impl Conductor {
    pub(crate) fn fetch(&mut self, pending: Pending, purpose: Purpose) {
        self.state.under_way += 1;
        self.state.in_flight += 1;
        self.state.flushed = false;
        self.state.taken.insert(pending.id);
        let (net, sender, workshop) =
            (self.net.clone(), self.sender.clone(), self.workshop.clone());
        let epoch = self.epoch(pending.server);
        tokio::spawn(async move {
            // Without its body a robots.txt would allow everything.
            let hook = |head: &ResponseHead<'_>| match purpose {
                Purpose::Queue => wanted(&workshop.storing, head),
                Purpose::Robots(_) => Wanted::Body,
            };
            let started = Timestamp::now();
            let conditions = pending.known.as_deref().map(conditions).unwrap_or_default();
            let result = net.fetch(&pending.request, &conditions, &hook).await;
            let pending = Box::new(pending);
            // The conductor waits for every fetch; if it is gone, the crawl has failed.
            let _ = sender.send(Event::Fetched { pending, purpose, started, result, epoch });
        });
    }

    pub(crate) fn fetch_robots(&mut self, server: ServerId, url: Url) {
        let now = Timestamp::now();
        let Some(request) = Request::new(Method::Get, url.clone(), None) else {
            // A redirect to something that is no web address: the same as no robots.txt.
            let outcome = crawl::Outcome {
                end: now,
                duration: Duration::ZERO,
                retry_after: None,
                bytes: 0,
                result: Ok(404),
            };
            self.scheduler.robots_answered(server, RobotsRules::allow_all(), &outcome, now);
            return;
        };
        let pending = Pending {
            // Numbered by the committer.
            id: RequestId(0),
            server,
            request,
            priority: 0,
            hops: HopPath("P".to_owned()),
            via: None,
            via_url: None,
            attempts: 0,
            not_before: now,
            known: None,
        };
        self.fetch(pending, Purpose::Robots(server));
    }

    pub(crate) fn resolve(&mut self, server: ServerId, host: HostName) {
        let (net, sender) = (self.net.clone(), self.sender.clone());
        self.state.in_flight += 1;
        tokio::spawn(async move {
            let result = net.resolve(&host).await;
            let _ = sender.send(Event::Resolved { server, result });
        });
    }

    pub(crate) fn refuse(&mut self, pending: Pending, cause: Cause, until: Option<Timestamp>) {
        let change = match until {
            Some(not_before) => {
                Change::Again { not_before, attempts: pending.attempts, cause: Some(cause) }
            }
            None if cause.kind == CauseKind::NoSuchName => Change::Failed { cause },
            None => Change::Refused { cause },
        };
        self.state.under_way += 1;
        self.lose(pending, change);
    }

    /// Enters a request that brought nothing.
    pub(crate) fn lose(&mut self, pending: Pending, change: Change) {
        self.state.flushed = false;
        self.state.taken.insert(pending.id);
        self.note_loss(&pending, &change);
        let epoch = self.epoch(pending.server);
        let processed = Processed {
            epoch,
            pending,
            prerequisite: None,
            outcome: Outcome::Lost(change),
            found: Vec::new(),
            clocks: self.scheduler.clocks_to_save(),
            robots: None,
            memory: 0,
        };
        self.enter(Entry::Result(Box::new(processed)));
    }

    pub(crate) fn take_event(&mut self, event: Event) {
        if event.is_counted() {
            self.state.in_flight -= 1;
        }
        match event {
            Event::Fetched { pending, purpose, started, result, epoch } => match (purpose, &result)
            {
                (purpose, Err(cause)) if cause.detail == Net::NOT_PERMITTED => {
                    self.not_sent(&pending, &purpose);
                }
                (purpose, _) if !self.is_ours(pending.server, epoch) => {
                    self.came_too_late(&pending, &purpose, started, &result);
                }
                (Purpose::Queue, _) => self.fetched(*pending, started, result),
                (Purpose::Robots(server), _) => {
                    self.robots_fetched(*pending, server, started, result);
                }
            },
            Event::Resolved { server, result } => {
                let now = Timestamp::now();
                if let Ok(resolution) = &result
                    && self.state.archived.insert(resolution.host.clone())
                {
                    self.archive_resolution(resolution);
                }
                let address = match result {
                    // Names that only the proxy can resolve are its business.
                    Err(_) if self.net.settings().proxy.is_some() => Ok(None),
                    result => result.map(|found| found.addresses.first().copied()),
                };
                let found = address.as_ref().ok().copied().flatten();
                if !self.must_claim(server, found) {
                    self.scheduler.resolved(server, address, now);
                }
            }
            Event::Named { result } => {
                if let Ok(resolution) = &result {
                    self.archive_resolution(resolution);
                }
            }
            Event::Heard { number, conversation } => self.go_on_talking(number, *conversation),
            Event::Rested { number } => self.open(number),
            Event::Located { host, result } => self.located(host, result),
            Event::Judged { verdict, decided } => self.judged(*verdict, decided),
            Event::LookedAround { outlook, changes } => self.looked_around(*outlook, changes),
            Event::BeatenLate { held } => self.beaten_late(&held),
            Event::Dismissed { error } => self.dismissed = Some(error),
        }
    }

    /// Asks once more for the addresses of a host that was just asked something, for the archive:
    /// without a delay hosts are not looked up beforehand. The answer is still remembered.
    fn name(&mut self, request: &Request) {
        let host = request.host();
        if host.address().is_some() || !self.state.archived.insert(host.clone()) {
            return;
        }
        self.state.in_flight += 1;
        let (net, sender) = (self.net.clone(), self.sender.clone());
        tokio::spawn(async move {
            let result = net.resolve(&host).await;
            let _ = sender.send(Event::Named { result });
        });
    }

    /// Writes the answer of the DNS into the archive, where there was one.
    pub(crate) fn archive_resolution(&mut self, resolution: &Resolution) {
        let Some(text) = resolution.dns_text() else { return };
        let uri = format!("dns:{}", resolution.host);
        let settings = &self.workshop.archive;
        match encode_resource(&uri, "text/dns", text.as_bytes(), resolution.at, settings) {
            Ok(encoded) => self.enter(Entry::Record(encoded)),
            Err(error) => tracing::warn!("{uri} was not archived: {error}"),
        }
    }

    /// The leases ran out before a request was sent: it stays queued.
    fn not_sent(&mut self, pending: &Pending, purpose: &Purpose) {
        self.state.under_way -= 1;
        self.state.taken.remove(&pending.id);
        match purpose {
            Purpose::Queue => self.scheduler.unsent(pending, Timestamp::now()),
            Purpose::Robots(server) => self.scheduler.robots_unsent(*server),
        }
    }

    /// An answer from a server that is another worker's by now: nothing of it is kept.
    fn came_too_late(
        &mut self,
        pending: &Pending,
        purpose: &Purpose,
        started: Timestamp,
        result: &Fetched,
    ) {
        let now = Timestamp::now();
        let outcome = outcome_of(result, started, self.ended(now));
        self.state.under_way -= 1;
        self.state.taken.remove(&pending.id);
        match purpose {
            Purpose::Queue => _ = self.scheduler.finished(pending, &outcome, now),
            Purpose::Robots(server) => {
                let rules = RobotsRules::from_answer(0, &[], "");
                self.scheduler.robots_answered(*server, rules, &outcome, now);
            }
        }
    }

    fn fetched(&mut self, pending: Pending, started: Timestamp, result: Fetched) {
        let now = Timestamp::now();
        let outcome = outcome_of(&result, started, self.ended(now));
        let fate = self.scheduler.finished(&pending, &outcome, now);
        match result {
            Ok(exchange) => {
                self.regroup(pending.server, &exchange, now);
                let after = after(&fate);
                if !matches!(after, Some(Change::Again { .. })) {
                    self.note_answer(&pending, &exchange);
                }
                self.process(pending, Purpose::Queue, exchange, after, None);
            }
            Err(cause) => {
                let change = after(&fate).unwrap_or(Change::Failed { cause });
                self.lose(pending, change);
            }
        }
    }

    fn robots_fetched(
        &mut self,
        pending: Pending,
        server: ServerId,
        started: Timestamp,
        result: Fetched,
    ) {
        let now = Timestamp::now();
        let outcome = outcome_of(&result, started, self.ended(now));
        let Ok(exchange) = result else {
            self.scheduler.robots_answered(
                server,
                RobotsRules::from_answer(0, &[], ""),
                &outcome,
                now,
            );
            self.state.under_way -= 1;
            return;
        };
        // A redirect may have led to another host, whose address says nothing about this one.
        if self.scheduler.origin(server).is_some_and(|own| own.host == pending.request.host()) {
            self.regroup(server, &exchange, now);
        }
        let response = &exchange.response;
        if response.is_redirect()
            && let Some(to) = redirect_target(&pending.request.url, response)
        {
            self.scheduler.robots_redirected(server, to, &outcome, now);
            self.process(pending, Purpose::Robots(server), exchange, None, None);
            return;
        }
        let body = response.payload().prefix(ROBOTS_KEPT).unwrap_or_default();
        let body = match response.headers.contains("content-encoding") {
            true => decode_content(response, self.workshop.decode).bytes.into_owned(),
            false => body,
        };
        let robots = &self.workshop.crawl.robots;
        let rules = RobotsRules::from_answer(response.status, &body, &robots.agent);
        let expires = now.plus(robots.keep);
        let copy = RobotsCopy { server, fetched: now, expires, status: response.status, body };
        self.scheduler.robots_answered(server, rules, &outcome, now);
        self.process(pending, Purpose::Robots(server), exchange, None, Some(copy));
    }

    /// When an answer that ends now has ended for its server.
    fn ended(&self, now: Timestamp) -> Timestamp {
        match self.workshop.crawl.politeness.delay.is_zero() {
            true => now,
            false => now.plus(SERVER_LAG),
        }
    }

    /// The group of a server goes by the address it was really asked at.
    fn regroup(&mut self, server: ServerId, exchange: &Exchange, now: Timestamp) {
        if exchange.address.is_some() {
            self.scheduler.set_group(server, exchange.address, now);
            self.must_claim(server, exchange.address);
        }
    }

    fn process(
        &mut self,
        pending: Pending,
        purpose: Purpose,
        exchange: Box<Exchange>,
        after: Option<Change>,
        robots: Option<RobotsCopy>,
    ) {
        if exchange.address.is_some() {
            self.name(&pending.request);
        }
        let bytes = exchange.response.body.len();
        self.state.documents += 1;
        self.state.bytes += bytes;
        self.numbers.bytes += bytes;
        let memory = in_memory(&exchange);
        self.state.bytes_under_way += memory;
        let label = self.labels.get(&pending.server).cloned().flatten();
        let clocks = self.scheduler.clocks_to_save();
        let epoch = self.epoch(pending.server);
        self.workers.give(Work {
            epoch,
            pending,
            purpose,
            exchange,
            after,
            clocks,
            robots,
            memory,
            label,
        });
    }
}

/// Header lines that ask for a body only if it is another than the known one. Only what the server
/// itself said is sent back: it knows best what it meant.
fn conditions(known: &KnownCopy) -> Headers {
    let etag = known.etag.as_deref().map(|value| ("If-None-Match", value));
    let date = known.last_modified.as_deref().map(|value| ("If-Modified-Since", value));
    etag.into_iter().chain(date).collect()
}

/// Whether a body is fetched, judged by its header.
fn wanted(rules: &StoringRules, head: &ResponseHead<'_>) -> Wanted {
    let media_type = head.headers.get("content-type");
    let media_type = media_type.as_deref().and_then(|value| value.split(';').next());
    let media_type = media_type.map(|value| value.trim().to_ascii_lowercase());
    match rules.refusal(head.request.url.path(), media_type.as_deref(), head.length) {
        Some(reason) => Wanted::HeaderOnly(reason),
        None => Wanted::Body,
    }
}

fn outcome_of(result: &Fetched, started: Timestamp, now: Timestamp) -> crawl::Outcome {
    match result {
        // The delay begins when we know of the end, not when the last byte came.
        Ok(exchange) => crawl::Outcome { end: now, ..crawl::Outcome::answered(exchange) },
        Err(cause) => crawl::Outcome::failed(cause.clone(), started, now),
    }
}

/// What a fate means for the request; none if it is simply done.
fn after(fate: &Fate) -> Option<Change> {
    match fate.clone() {
        Fate::Done => None,
        Fate::Again { not_before, attempts, cause } => {
            Some(Change::Again { not_before, attempts, cause: Some(cause) })
        }
        Fate::Failed { cause } => Some(match cause.kind {
            CauseKind::Guarded | CauseKind::NotMapped | CauseKind::NoContact => {
                Change::Refused { cause }
            }
            _ => Change::Failed { cause },
        }),
    }
}

fn redirect_target(base: &Url, response: &Response) -> Option<Url> {
    base.join(response.headers.get("location")?.trim()).ok()
}

fn in_memory(exchange: &Exchange) -> u64 {
    [Some(&exchange.response.body), exchange.response.decoded.as_ref()]
        .into_iter()
        .flatten()
        .map(|body| match body {
            Body::Memory(bytes) => bytes.len() as u64,
            Body::Spilled { .. } => 0,
        })
        .sum()
}
