//! The conductor: asks the scheduler what comes next, has it done, and reports back.
//!
//! One task holds all that changes while a crawl runs. Fetching happens in tasks of their own,
//! parsing and compressing on worker threads, storing in the committer; they answer by messages.
//! How much is under way between a request and its commit is limited here, so no queue behind it
//! can grow without bound.

use crate::book::Stored;
use crate::committing::{Entry, Question, Report, Task};
use crate::hidden::{Conversation, Conversations};
use crate::job::{DUE_SOON, SERVERS_LEASED, Seed};
use crate::judging::Judges;
use crate::numbers::{Numbers, Pace};
use crate::processing::{Purpose, Workshop};
use crate::sharing::Among;
use crate::stopping::Stopping;
use crate::workers::Workers;
use crate::{CrawlEnd, HarvestError};
use auslese_archive::Holdings;
use auslese_catalog::{CatalogError, HandDecision, HostPattern, Outlook};
use auslese_crawl::{BudgetReached, Next, Scheduler};
use auslese_model::{
    Cause, Fetched, HostName, Lease, Pending, RequestId, RunId, ServerId, Timestamp, Verdict,
};
use auslese_net::{Net, Resolution};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

/// Requests between being sent and being committed, at most.
pub(crate) const UNDER_WAY: usize = 768;
/// Payload bytes in memory between being received and being committed, at most.
pub(crate) const BYTES_UNDER_WAY: u64 = 12 << 20;
/// How long requests under way are waited for when the crawl is to end; what has not come by then
/// stays queued.
const GRACE: Duration = Duration::from_secs(20);
/// How often numbers are told and notes of other processes are looked for.
const TICK: Duration = Duration::from_millis(200);

/// What happened outside.
#[derive(Debug)]
pub(crate) enum Event {
    Fetched {
        pending: Box<Pending>,
        purpose: Purpose,
        started: Timestamp,
        result: Fetched,
        /// The lease under which it was sent.
        epoch: i64,
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
    /// A talk with a database has thought about what it heard.
    Heard {
        number: usize,
        conversation: Box<Conversation>,
    },
    /// A talk has waited as long as it wanted to.
    Rested {
        number: usize,
    },
    /// A host whose links wait to hear whether it belongs.
    Judged {
        verdict: Box<Verdict>,
        /// The decisions of people it takes into account, by their number.
        decided: u64,
    },
    /// What the other workers do, and the change of doings before which it was seen.
    LookedAround {
        outlook: Box<Outlook>,
        changes: u64,
    },
    /// A heartbeat came too late; these servers are still ours.
    BeatenLate {
        held: Vec<(ServerId, i64)>,
    },
    /// This worker is not one any more.
    Dismissed {
        error: CatalogError,
    },
}

impl Event {
    /// Whether it ends something that is counted as in flight.
    pub(crate) fn is_counted(&self) -> bool {
        use Event::{BeatenLate, Dismissed, Judged, LookedAround};
        !matches!(self, Judged { .. } | LookedAround { .. } | BeatenLate { .. } | Dismissed { .. })
    }
}

/// The wishes of whoever started the crawl.
#[derive(Debug, Clone)]
pub(crate) struct Outside {
    pub(crate) numbers: watch::Sender<Numbers>,
    pub(crate) stop: Stopping,
    /// Why the committer stands still.
    pub(crate) paused: watch::Receiver<Option<String>>,
}

pub(crate) struct Conductor {
    pub(crate) scheduler: Scheduler,
    pub(crate) net: Net,
    /// Who decides whether hosts belong; none in a crawl by scope rules alone.
    pub(crate) judges: Option<Judges>,
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
    pub(crate) run: RunId,
    /// Talks with databases.
    pub(crate) conversations: Conversations,
    pub(crate) archive: Holdings,
    pub(crate) state: Progressing,
    /// The other workers; none if the harvest is ours alone.
    pub(crate) among: Option<Among>,
    pub(crate) dismissed: Option<CatalogError>,
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
    /// Questions about hosts with parked links that are not answered yet.
    pub(crate) taking_up: usize,
    /// Hosts that nobody could decide on, and when it is worth asking again; their links stay
    /// parked.
    pub(crate) unsure: FxHashMap<HostName, Timestamp>,
    /// What people decided on hosts.
    pub(crate) decisions: Vec<HandDecision>,
    /// How often these changed: a verdict from before the last change is worth nothing.
    pub(crate) decided: u64,
    /// Hosts that people once accepted, and do not any more.
    pub(crate) withdrawn: Vec<HostPattern>,
    /// Hosts that did not belong by other profiles or settings, to be judged again.
    pub(crate) foreign_before: Vec<HostName>,
    /// Verdicts that are not stored yet.
    pub(crate) verdicts: Vec<Verdict>,
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
    /// Requests of talks whose server is not leased yet.
    pub(crate) unleased: Vec<Pending>,
}

impl Conductor {
    /// Offers the seeds, and has hosts judged again whose verdict people have overruled.
    pub(crate) fn sow(
        &mut self,
        seeds: &[Seed],
        outdated: Vec<Verdict>,
    ) -> Result<(), HarvestError> {
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
        self.catch_up_with_decisions(outdated);
        if !self.conversations.is_alone() {
            self.take_up_parked();
        }
        // Seeds are fetched whatever their host is; the verdict on it is wanted all the same.
        if self.judges.is_some() {
            let hosts: Vec<HostName> = found.iter().map(|found| found.request.host()).collect();
            hosts.into_iter().for_each(|host| self.locate(host));
        }
        self.enter(Entry::Seeds(found));
        // Who comes later takes no seed up again that others have just given up.
        if self.among.as_ref().is_none_or(|among| among.is_first) {
            self.ask(Question::Revive { keys });
        }
        self.begin_conversations();
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
        self.keep_verdicts();
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
        let mut ending: Option<Instant> = None;
        loop {
            let stopping = self.outside.stop.is_wanted();
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
            if stopping || budget.is_some() {
                let since = *ending.get_or_insert_with(Instant::now);
                let patience_is_over =
                    since.elapsed() > GRACE && self.state.under_way == self.state.in_flight;
                if self.state.under_way == 0 || patience_is_over {
                    return Ok(budget.map_or(CrawlEnd::Stopped, CrawlEnd::Budget));
                }
            }
            self.release_idle();
            self.let_go();
            if let Some(error) = self.dismissed.take() {
                return Err(error.into());
            }
            if !stopping && budget.is_none() {
                self.judge_by_new_yardstick();
            }
            if self.is_over() {
                return Ok(CrawlEnd::Done);
            }
            self.flush_if_waiting();
            let pause = wait.map_or(TICK, |time| time.since(Timestamp::now()).min(TICK));
            tokio::select! {
                Some(event) = self.events.recv() => self.take_event(event),
                Some(report) = self.reports.recv() => self.take_report(report)?,
                () = self.outside.stop.wanted(), if !stopping => {}
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
            if !self.may_send() {
                return Dispatched::Wait(None);
            }
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

    fn take_report(&mut self, report: Report) -> Result<(), HarvestError> {
        match report {
            Report::Committed(stored) => self.committed(stored),
            Report::Flushed => {}
            Report::Leased { leases } => {
                self.state.leasing = false;
                self.take_leases(leases);
            }
            Report::Claimed { server, claimed } => self.claimed(server, claimed),
            Report::Released => self.released(),
            // A lost server may have had a question on its way.
            Report::Refilled { server, .. } if !self.labels.contains_key(&server) => {}
            Report::Refilled { server, pending, more } => {
                let pending = self.admitted(pending);
                let more = more && !self.conversations.is_alone();
                self.scheduler.refilled(server, pending, more, Timestamp::now());
            }
            Report::Parked { host, pending, more } => self.unpark(&host, pending, more),
            Report::ParkedHosts(hosts) => {
                self.state.taking_up -= 1;
                hosts.into_iter().for_each(|host| self.locate(host));
            }
            Report::Excluded { requests } => {
                self.numbers.refused += requests;
                self.numbers.queued = self.numbers.queued.saturating_sub(requests);
            }
            Report::Moved { queued } => {
                self.state.moving -= 1;
                self.queue(queued);
            }
            Report::Controls(controls) => self.obey(controls),
            Report::Decisions(decisions) => self.decided_by_hand(decisions),
            Report::Reopened { requests } => {
                self.numbers.parked += requests;
                self.numbers.refused = self.numbers.refused.saturating_sub(requests);
            }
            Report::Refused { requests } => {
                self.numbers.refused += requests;
                self.numbers.queued = self.numbers.queued.saturating_sub(requests);
            }
            Report::Templates { server } => self.templates_decided(server),
            Report::Opened { number, key, opened } => self.opened(number, key, opened),
            Report::Broken(error) => return Err(error),
        }
        Ok(())
    }

    pub(crate) fn add_server(&mut self, mut lease: Lease) {
        self.labels.insert(lease.server, lease.label.clone());
        lease.pending = self.admitted(lease.pending);
        let now = Timestamp::now();
        let (server, next_at) = (lease.server, lease.clock.next_at);
        self.scheduler.add_server(lease, now);
        if self.quiet_until > now {
            self.scheduler.start_after(server, next_at.max(self.quiet_until));
        }
        self.push_unleased();
    }

    fn committed(&mut self, stored: Stored) {
        self.state.seeds_waiting = false;
        self.state.under_way -= stored.results;
        self.state.bytes_under_way -= stored.memory;
        self.numbers.discovered += stored.offered;
        self.numbers.downloaded += stored.captures;
        self.numbers.captured += stored.captures;
        self.numbers.captured_bytes += stored.bytes;
        for server in stored.lost {
            self.lose_server(server);
        }
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
            requests.into_iter().for_each(|request| self.tell_settled(request));
        }
        if stored.quarantined > 0 {
            self.drop_held();
        }
        self.queue(stored.queued);
        for host in stored.parked {
            self.locate(host);
        }
    }

    /// Gives new requests to the scheduler; those of servers that are not leased wait for a lease.
    pub(crate) fn queue(&mut self, mut queued: Vec<Pending>) {
        let now = Timestamp::now();
        if self.among.is_some() {
            let all = queued.len();
            queued.retain(|pending| self.labels.contains_key(&pending.server));
            self.state.lease_again |= queued.len() < all;
        }
        for pending in self.admitted(queued) {
            if self.labels.contains_key(&pending.server) {
                self.scheduler.push(pending, now);
            } else {
                self.state.lease_again = true;
            }
        }
    }

    /// Asks for more servers when there may be some, and commits early when nobody is busy.
    fn flush_if_waiting(&mut self) {
        if self.state.lease_again && !self.state.leasing {
            self.state.lease_again = false;
            self.state.leasing = true;
            // Requests of talks come first in every queue, and each talk has one.
            let per_server = match self.conversations.is_alone() {
                true => self.conversations.numbers().len(),
                false => self.workshop.crawl.frontier.queue,
            };
            let per_server = u32::try_from(per_server).unwrap_or(u32::MAX);
            let servers = self.lease_limit();
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
        let is_full = self.labels.len() >= SERVERS_LEASED as usize;
        if !is_full || self.state.under_way > 0 || self.among.is_some() {
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

    /// Whether there is nothing to do, unless something can be leased.
    pub(crate) fn is_quiet(&self) -> bool {
        let state = &self.state;
        state.under_way == 0
            && state.in_flight == 0
            && !state.seeds_waiting
            && !state.paused_by_hand
            && state.locating.is_empty()
            && state.foreign_before.is_empty()
            && state.moving == 0
            && state.taking_up == 0
            && self.conversations.opening == 0
            && self.scheduler.is_finished()
    }

    pub(crate) fn ask(&self, question: Question) {
        // A committer that is gone has sent its reason, which is read next.
        let _ = self.tasks.send(Task::Ask(question));
    }

    pub(crate) fn enter(&self, entry: Entry) {
        let _ = self.tasks.send(Task::Enter(entry));
    }
}

/// What [`Conductor::dispatch`] came to.
enum Dispatched {
    /// Nothing more can be handed out, before this time or before something happens.
    Wait(Option<Timestamp>),
    Budget(BudgetReached),
}
