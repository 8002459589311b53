//! The conductor: asks the scheduler what comes next, has it done, and reports back.
//!
//! One task holds all that changes while a crawl runs. Fetching happens in tasks of their own,
//! parsing and compressing on worker threads, storing in the committer; they answer by messages.
//! How much is under way between a request and its commit is limited here, so no queue behind it
//! can grow without bound.

use crate::book::Stored;
use crate::committing::{Entry, Question, Report, Task};
use crate::job::{DUE_SOON, SERVERS_LEASED, Seed, StoringRules};
use crate::numbers::{Bottleneck, Numbers, Pace};
use crate::processing::{Outcome, Processed, Purpose, Work, Workshop};
use crate::workers::Workers;
use crate::{CrawlEnd, HarvestError};
use auslese_archive::encode_resource;
use auslese_crawl::{self as crawl, Fate, Next, RobotsRules, Scheduler};
use auslese_model::{
    Cause, CauseKind, Change, Exchange, Fetched, Headers, HopPath, HostName, Lease, Method,
    Pending, Request, RequestId, Response, RobotsCopy, ServerId, StateChange, Timestamp,
};
use auslese_net::{Net, Resolution, ResponseHead, Wanted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use url::Url;

/// Requests between being sent and being committed, at most.
const UNDER_WAY: usize = 768;
/// Payload bytes in memory between being received and being committed, at most.
const BYTES_UNDER_WAY: u64 = 48 << 20;
/// How often numbers are told and notes of other processes are looked for.
const TICK: Duration = Duration::from_millis(200);
/// Ticks between two looks at the notes.
const TICKS_PER_LOOK: u32 = 5;
/// How much of a robots.txt is kept.
const ROBOTS_KEPT: usize = crawl::ROBOTS_BYTES;

/// What happened outside.
#[derive(Debug)]
pub(crate) enum Event {
    Fetched {
        pending: Box<Pending>,
        purpose: Purpose,
        started: Timestamp,
        result: Fetched,
    },
    Resolved {
        server: ServerId,
        result: Result<Arc<Resolution>, Cause>,
    },
    /// A host that was asked without having been looked up before.
    Named {
        result: Result<Arc<Resolution>, Cause>,
    },
    /// A host whose links wait for its addresses.
    Located {
        host: HostName,
        result: Result<Arc<Resolution>, Cause>,
    },
}

/// The wishes of whoever started the crawl.
#[derive(Debug, Clone)]
pub(crate) struct Outside {
    pub(crate) numbers: watch::Sender<Numbers>,
    pub(crate) stop: watch::Receiver<bool>,
    /// Why the committer stands still.
    pub(crate) paused: watch::Receiver<Option<String>>,
}

pub(crate) struct Conductor {
    pub(crate) scheduler: Scheduler,
    pub(crate) net: Net,
    pub(crate) workshop: Arc<Workshop>,
    pub(crate) workers: Workers,
    pub(crate) tasks: mpsc::UnboundedSender<Task>,
    pub(crate) reports: mpsc::UnboundedReceiver<Report>,
    pub(crate) events: mpsc::UnboundedReceiver<Event>,
    pub(crate) sender: mpsc::UnboundedSender<Event>,
    pub(crate) outside: Outside,
    pub(crate) numbers: Numbers,
    pub(crate) pace: Pace,
    /// Labels of the servers in the scheduler.
    pub(crate) labels: FxHashMap<ServerId, Option<String>>,
    /// No server is asked before this: the last crawl died, and its last requests are unknown.
    pub(crate) quiet_until: Timestamp,
    pub(crate) state: Progressing,
}

/// How far things are.
#[derive(Debug, Default)]
pub(crate) struct Progressing {
    /// Requests sent or being processed, not yet committed.
    pub(crate) under_way: usize,
    pub(crate) in_flight: usize,
    pub(crate) bytes_under_way: u64,
    /// A lease was asked for and not answered yet.
    pub(crate) leasing: bool,
    /// Something was queued for servers that are not leased.
    pub(crate) lease_again: bool,
    pub(crate) locating: FxHashSet<HostName>,
    /// Batches of judged links on their way into the queues.
    pub(crate) moving: usize,
    /// Hosts whose addresses are in the archive, or about to be.
    pub(crate) archived: FxHashSet<HostName>,
    /// Hosts without an address, and why they have none.
    pub(crate) unlocated: FxHashMap<HostName, Cause>,
    /// Requests from being sent (or lost) to being committed.
    pub(crate) taken: FxHashSet<RequestId>,
    pub(crate) flushed: bool,
    pub(crate) ticks: u32,
    pub(crate) documents: u64,
    pub(crate) bytes: u64,
    pub(crate) paused_by_hand: bool,
    pub(crate) seeds_waiting: bool,
}

impl Conductor {
    /// Offers the seeds.
    pub(crate) fn sow(&mut self, seeds: &[Seed]) -> Result<(), HarvestError> {
        let found = seeds
            .iter()
            .map(|seed| {
                let no_seed = || HarvestError::Seed { url: seed.url.to_string() };
                self.workshop.seed(seed).ok_or_else(no_seed)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let keys = found.iter().map(|found| found.key).collect();
        self.state.seeds_waiting = true;
        // Exclusions hold from the first request on; hosts that waited for their address when the
        // last run ended are asked for again.
        self.ask(Question::Controls);
        self.ask(Question::ParkedHosts);
        self.enter(Entry::Seeds(found));
        self.ask(Question::Revive { keys });
        Ok(())
    }

    /// Lets everything that works for the crawl come to its end; a failure of the committer counts
    /// even when the crawl itself was done.
    pub(crate) async fn finish(
        mut self,
        committing: JoinHandle<()>,
        result: Result<CrawlEnd, HarvestError>,
    ) -> (Numbers, Result<CrawlEnd, HarvestError>) {
        let failed = result.is_err();
        self.tell();
        self.workers.finish();
        drop(self.tasks);
        if failed {
            committing.abort();
        }
        // The committer tells its failures as a report; it does not panic.
        let _ = committing.await;
        let mut result = result;
        while let Ok(report) = self.reports.try_recv() {
            if let (Report::Broken(error), Ok(_)) = (report, &result) {
                result = Err(error);
            }
        }
        (self.numbers, result)
    }

    /// Works until nothing is left, a budget is used up, or a person wants to stop.
    pub(crate) async fn conduct(&mut self) -> Result<CrawlEnd, HarvestError> {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut budget = None;
        loop {
            let stopping = *self.outside.stop.borrow();
            let wait = if stopping || budget.is_some() {
                None
            } else {
                match self.dispatch() {
                    Dispatched::Wait(time) => time,
                    Dispatched::Budget(reached) => {
                        budget = Some(reached);
                        None
                    }
                }
            };
            if self.state.under_way == 0 && (stopping || budget.is_some()) {
                return Ok(budget.map_or(CrawlEnd::Stopped, CrawlEnd::Budget));
            }
            self.release_idle();
            if self.is_done() {
                return Ok(CrawlEnd::Done);
            }
            self.flush_if_waiting();
            let pause = wait.map_or(TICK, |time| time.since(Timestamp::now()).min(TICK));
            tokio::select! {
                Some(event) = self.events.recv() => self.take_event(event),
                Some(report) = self.reports.recv() => self.take_report(report)?,
                _ = self.outside.stop.changed(), if !stopping => {}
                () = tokio::time::sleep(pause), if wait.is_some() => {}
                _ = tick.tick() => self.tell(),
            }
            while let Ok(event) = self.events.try_recv() {
                self.take_event(event);
            }
            while let Ok(report) = self.reports.try_recv() {
                self.take_report(report)?;
            }
        }
    }

    /// Hands out everything that may be done now.
    fn dispatch(&mut self) -> Dispatched {
        loop {
            if self.state.under_way >= UNDER_WAY || self.state.bytes_under_way >= BYTES_UNDER_WAY {
                return Dispatched::Wait(None);
            }
            match self.scheduler.next(Timestamp::now()) {
                Next::Fetch(pending) => self.fetch(pending, Purpose::Queue),
                Next::Robots { server, url } => self.fetch_robots(server, url),
                Next::Resolve { server, host } => self.resolve(server, host),
                Next::Refill { server, limit } => {
                    let limit = u32::try_from(limit).unwrap_or(u32::MAX);
                    self.ask(Question::Refill { server, limit });
                }
                Next::Refuse { pending, cause, until } => self.refuse(pending, cause, until),
                Next::Wait(time) => return Dispatched::Wait(Some(time)),
                Next::Idle => return Dispatched::Wait(None),
                Next::Done(reached) => return Dispatched::Budget(reached),
            }
        }
    }

    fn fetch(&mut self, pending: Pending, purpose: Purpose) {
        self.state.under_way += 1;
        self.state.in_flight += 1;
        self.state.flushed = false;
        self.state.taken.insert(pending.id);
        let (net, sender, workshop) =
            (self.net.clone(), self.sender.clone(), self.workshop.clone());
        tokio::spawn(async move {
            // Without its body a robots.txt would allow everything.
            let hook = |head: &ResponseHead<'_>| match purpose {
                Purpose::Queue => wanted(&workshop.storing, head),
                Purpose::Robots(_) => Wanted::Body,
            };
            let started = Timestamp::now();
            let result = net.fetch(&pending.request, &Headers::default(), &hook).await;
            let pending = Box::new(pending);
            // The conductor waits for every fetch; if it is gone, the crawl has failed.
            let _ = sender.send(Event::Fetched { pending, purpose, started, result });
        });
    }

    fn fetch_robots(&mut self, server: ServerId, url: Url) {
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
        };
        self.fetch(pending, Purpose::Robots(server));
    }

    fn resolve(&mut self, server: ServerId, host: HostName) {
        let (net, sender) = (self.net.clone(), self.sender.clone());
        self.state.in_flight += 1;
        tokio::spawn(async move {
            let result = net.resolve(&host).await;
            let _ = sender.send(Event::Resolved { server, result });
        });
    }

    fn refuse(&mut self, pending: Pending, cause: Cause, until: Option<Timestamp>) {
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
        let processed = Processed {
            pending,
            prerequisite: None,
            outcome: Outcome::Lost(change),
            found: Vec::new(),
            clocks: self.scheduler.clocks_to_save(),
            robots: None,
        };
        self.enter(Entry::Result(Box::new(processed)));
    }

    fn take_event(&mut self, event: Event) {
        self.state.in_flight -= 1;
        match event {
            Event::Fetched { pending, purpose, started, result } => match purpose {
                Purpose::Queue => self.fetched(*pending, started, result),
                Purpose::Robots(server) => self.robots_fetched(*pending, server, started, result),
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
                self.scheduler.resolved(server, address, now);
            }
            Event::Named { result } => {
                if let Ok(resolution) = &result {
                    self.archive_resolution(resolution);
                }
            }
            Event::Located { host, result } => self.located(host, result),
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
    fn archive_resolution(&mut self, resolution: &Resolution) {
        let Some(text) = resolution.dns_text() else { return };
        let uri = format!("dns:{}", resolution.host);
        let settings = &self.workshop.archive;
        match encode_resource(&uri, "text/dns", text.as_bytes(), resolution.at, settings) {
            Ok(encoded) => self.enter(Entry::Record(encoded)),
            Err(error) => tracing::warn!("{uri} was not archived: {error}"),
        }
    }

    fn fetched(&mut self, pending: Pending, started: Timestamp, result: Fetched) {
        let now = Timestamp::now();
        let outcome = outcome_of(&result, started, now);
        let fate = self.scheduler.finished(&pending, &outcome, now);
        match result {
            Ok(exchange) => {
                self.regroup(pending.server, &exchange, now);
                let after = after(&fate);
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
        let outcome = outcome_of(&result, started, now);
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
            true => auslese_net::decode_content(response, self.workshop.decode).bytes,
            false => body,
        };
        let robots = &self.workshop.crawl.robots;
        let rules = RobotsRules::from_answer(response.status, &body, &robots.agent);
        let expires = now.plus(robots.keep);
        let copy = RobotsCopy { server, fetched: now, expires, status: response.status, body };
        self.scheduler.robots_answered(server, rules, &outcome, now);
        self.process(pending, Purpose::Robots(server), exchange, None, Some(copy));
    }

    /// The group of a server goes by the address it was really asked at.
    fn regroup(&mut self, server: ServerId, exchange: &Exchange, now: Timestamp) {
        if exchange.address.is_some() {
            self.scheduler.set_group(server, exchange.address, now);
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
        self.workers.give(Work {
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

    fn take_report(&mut self, report: Report) -> Result<(), HarvestError> {
        match report {
            Report::Committed(stored) => self.committed(stored),
            Report::Leased { leases } => {
                self.state.leasing = false;
                for lease in leases {
                    self.add_server(lease);
                }
            }
            Report::Refilled { server, pending, more } => {
                let pending = self.admitted(pending);
                self.scheduler.refilled(server, pending, more, Timestamp::now());
            }
            Report::Parked { host, pending, more } => self.unpark(&host, pending, more),
            Report::ParkedHosts(hosts) => hosts.into_iter().for_each(|host| self.locate(host)),
            Report::Excluded { requests } => {
                self.numbers.refused += requests;
                self.numbers.queued = self.numbers.queued.saturating_sub(requests);
            }
            Report::Moved { queued } => {
                self.state.moving -= 1;
                self.queue(queued);
            }
            Report::Controls(controls) => self.obey(controls),
            Report::Broken(error) => return Err(error),
        }
        Ok(())
    }

    fn add_server(&mut self, mut lease: Lease) {
        lease.pending = self.admitted(lease.pending);
        let now = Timestamp::now();
        self.labels.insert(lease.server, lease.label.clone());
        let (server, next_at) = (lease.server, lease.clock.next_at);
        self.scheduler.add_server(lease, now);
        if self.quiet_until > now {
            self.scheduler.start_after(server, next_at.max(self.quiet_until));
        }
    }

    fn committed(&mut self, stored: Stored) {
        self.state.seeds_waiting = false;
        self.state.under_way -= stored.results;
        self.state.bytes_under_way = self.state.bytes_under_way.saturating_sub(stored.bytes);
        self.numbers.discovered += stored.offered;
        self.numbers.downloaded += stored.captures;
        self.numbers.failed += stored.failed;
        self.numbers.refused += stored.refused;
        self.numbers.parked += stored.parked_requests;
        let settled = stored.finished + stored.refused_offers;
        self.numbers.queued =
            (self.numbers.queued + stored.offered).saturating_sub(settled + stored.parked_requests);
        for (server, requests) in stored.settled {
            for request in &requests {
                self.state.taken.remove(request);
            }
            self.scheduler.settled(server, &requests);
        }
        self.queue(stored.queued);
        for host in stored.parked {
            self.locate(host);
        }
    }

    /// Gives new requests to the scheduler; those of servers that are not leased wait for a lease.
    fn queue(&mut self, queued: Vec<Pending>) {
        let now = Timestamp::now();
        for pending in self.admitted(queued) {
            if self.labels.contains_key(&pending.server) {
                self.scheduler.push(pending, now);
            } else {
                self.state.lease_again = true;
            }
        }
    }

    /// Asks for the addresses of a host whose links cannot be judged without them.
    fn locate(&mut self, host: HostName) {
        if !self.state.locating.insert(host.clone()) {
            return;
        }
        self.state.in_flight += 1;
        let (net, sender) = (self.net.clone(), self.sender.clone());
        tokio::spawn(async move {
            let result = net.resolve(&host).await;
            let _ = sender.send(Event::Located { host, result });
        });
    }

    fn located(&mut self, host: HostName, result: Result<Arc<Resolution>, Cause>) {
        match result {
            Ok(resolution) => {
                if self.state.archived.insert(host.clone()) {
                    self.archive_resolution(&resolution);
                }
                self.workshop.facts.learn(host.clone(), resolution.addresses.clone());
            }
            Err(cause) if cause.kind.is_temporary() => {
                // Its links wait for the next run; what is found later asks again.
                tracing::info!("{host} is left waiting: {cause}");
                self.state.locating.remove(&host);
                return;
            }
            Err(cause) => {
                self.workshop.facts.learn(host.clone(), Vec::new());
                self.state.unlocated.insert(host.clone(), cause);
            }
        }
        self.ask(Question::Parked { host });
    }

    /// Judges the links of a host again, now that its addresses are known.
    fn unpark(&mut self, host: &HostName, parked: Vec<Pending>, more: bool) {
        let (mut moves, mut queued) = (Vec::new(), Vec::new());
        for pending in parked {
            let refusal = self.workshop.refusal(&pending);
            let unlocated = || self.state.unlocated.get(host).cloned();
            let change = match refusal.map(|cause| unlocated().unwrap_or(cause)) {
                Some(cause) if cause.kind == CauseKind::NoSuchName => Change::Failed { cause },
                Some(cause) => Change::Refused { cause },
                None => Change::Again { not_before: Timestamp(0), attempts: 0, cause: None },
            };
            self.numbers.parked = self.numbers.parked.saturating_sub(1);
            match change {
                Change::Refused { .. } => self.numbers.refused += 1,
                Change::Failed { .. } => self.numbers.failed += 1,
                _ => self.numbers.queued += 1,
            }
            moves.push(StateChange { request: pending.id, change: change.clone() });
            if matches!(change, Change::Again { .. }) {
                queued.push(pending);
            }
        }
        if !moves.is_empty() {
            self.state.moving += 1;
            self.ask(Question::Move { moves, queued });
        }
        if more {
            self.ask(Question::Parked { host: host.clone() });
        } else {
            self.state.locating.remove(host);
        }
    }

    /// Asks for more servers when there may be some, and commits early when nobody is busy.
    fn flush_if_waiting(&mut self) {
        if self.state.lease_again && !self.state.leasing {
            self.state.lease_again = false;
            self.state.leasing = true;
            let per_server = u32::try_from(self.workshop.crawl.frontier.queue).unwrap_or(u32::MAX);
            let leased = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
            let servers = SERVERS_LEASED.saturating_sub(leased);
            self.ask(Question::Lease { servers, per_server, due: DUE_SOON });
        } else if self.state.in_flight == 0
            && self.state.under_way > 0
            && self.workers.waiting() == 0
            && !self.state.flushed
        {
            self.state.flushed = true;
            self.ask(Question::Flush);
        }
    }

    /// Gives back servers that have nothing to do, when others wait for their place.
    fn release_idle(&mut self) {
        if self.labels.len() < SERVERS_LEASED as usize || self.state.under_way > 0 {
            return;
        }
        let now = Timestamp::now();
        let idle = self.scheduler.idle_servers().into_iter();
        let servers: Vec<ServerId> =
            idle.filter(|server| self.scheduler.remove_server(*server, now).is_some()).collect();
        for server in &servers {
            self.labels.remove(server);
        }
        if !servers.is_empty() {
            self.state.lease_again = true;
            self.ask(Question::Release { servers });
        }
    }

    fn is_done(&self) -> bool {
        let state = &self.state;
        state.under_way == 0
            && state.in_flight == 0
            && !state.leasing
            && !state.lease_again
            && !state.seeds_waiting
            && !state.paused_by_hand
            && state.locating.is_empty()
            && state.moving == 0
            && self.scheduler.is_finished()
    }

    /// Tells how things stand.
    fn tell(&mut self) {
        self.state.ticks = self.state.ticks.wrapping_add(1);
        if self.state.ticks.is_multiple_of(TICKS_PER_LOOK) {
            self.ask(Question::Controls);
        }
        let counts = self.scheduler.counts(Timestamp::now());
        self.numbers.active_servers = counts.servers as u64;
        self.numbers.in_flight = self.state.in_flight as u64;
        self.numbers.paused = match self.state.paused_by_hand {
            true => Some("by hand; `auslese control resume` goes on".to_owned()),
            false => self.outside.paused.borrow().clone(),
        };
        self.numbers.bottleneck = self.bottleneck(&counts);
        let (documents, bytes) = (self.state.documents, self.state.bytes);
        self.pace.measure(Instant::now(), documents, bytes, &mut self.numbers);
        self.outside.numbers.send_replace(self.numbers.clone());
    }

    fn bottleneck(&self, counts: &crawl::Counts) -> Bottleneck {
        let behind =
            self.state.under_way >= UNDER_WAY || self.state.bytes_under_way >= BYTES_UNDER_WAY;
        if self.numbers.paused.is_some() {
            return Bottleneck::Disk;
        }
        if behind && self.workers.waiting() > UNDER_WAY / 2 {
            return Bottleneck::Cpu;
        }
        if behind {
            return Bottleneck::Disk;
        }
        match counts.bottleneck() {
            crawl::Bottleneck::Network => Bottleneck::Network,
            crawl::Bottleneck::Politeness => Bottleneck::Politeness,
            crawl::Bottleneck::Dns => Bottleneck::Dns,
            crawl::Bottleneck::Nothing => Bottleneck::Nothing,
        }
    }

    pub(crate) fn ask(&self, question: Question) {
        // A committer that is gone has sent its reason, which is read next.
        let _ = self.tasks.send(Task::Ask(question));
    }

    fn enter(&self, entry: Entry) {
        let _ = self.tasks.send(Task::Enter(entry));
    }
}

/// What [`Conductor::dispatch`] came to.
enum Dispatched {
    /// Nothing more can be handed out, before this time or before something happens.
    Wait(Option<Timestamp>),
    Budget(crawl::BudgetReached),
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
        // The delay begins when we know of the end, which is never too early.
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
    use auslese_model::Body;
    [Some(&exchange.response.body), exchange.response.decoded.as_ref()]
        .into_iter()
        .flatten()
        .map(|body| match body {
            Body::Memory(bytes) => bytes.len() as u64,
            Body::Spilled { .. } => 0,
        })
        .sum()
}
