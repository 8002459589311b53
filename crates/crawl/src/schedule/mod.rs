//! Decides which request is sent next, and when.
//!
//! Servers have queues in memory, fed from the store; servers at one address form a politeness
//! group with one clock. The order is by due time, first come first served among equals, so no
//! server is starved and none is hurried. Before its first page a server is asked for its address
//! (which decides on the group) and its robots.txt.
//!
//! The scheduler is a state machine: time is an argument, nothing blocks, nothing is fetched. The
//! caller asks [`Scheduler::next`], does what it says, and reports back with `finished`,
//! `resolved`, `robots_answered`, `refilled` and `settled`. All steps take time logarithmic in the
//! number of servers.

mod answers;
mod counts;
mod group;
mod server;
mod turns;

pub use counts::{Bottleneck, Counts};

use crate::{
    BudgetReached, BudgetSettings, CrawlSettings, FrontierSettings, GroupBy, HostTable,
    PolitenessSettings, RetrySettings, RobotsRules, RobotsSettings, ServerBudget, Standing, Used,
    host_settings,
};
use auslese_model::{
    Cause, Clock, HostName, Lease, Origin, Pending, RequestId, RobotsCopy, ServerId, Timestamp,
};
use group::{Group, GroupTurns};
use rustc_hash::FxHashMap;
use server::{Gate, Policy, Queue, RobotsQuestion, Server};
use std::collections::VecDeque;
use std::net::IpAddr;
use std::time::Duration;
use url::Url;

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Send this request, and report with [`Scheduler::finished`].
    Fetch(Pending),
    /// Fetch this robots.txt, and report with [`Scheduler::robots_answered`] or
    /// [`Scheduler::robots_redirected`].
    Robots { server: ServerId, url: Url },
    /// Resolve this host, and report with [`Scheduler::resolved`].
    Resolve { server: ServerId, host: HostName },
    /// Take more requests of this server from the store, and report with
    /// [`Scheduler::refilled`].
    Refill { server: ServerId, limit: usize },
    /// This request is not to be sent: record why. If the reason passes, `until` says when.
    Refuse { pending: Pending, cause: Cause, until: Option<Timestamp> },
    /// Nothing can be done before this time, unless something is reported.
    Wait(Timestamp),
    /// Nothing can be done until something is reported or pushed.
    Idle,
    /// The budget for the whole crawl is used up.
    Done(BudgetReached),
}

/// Whether a pushed request is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pushed {
    Queued,
    /// It is left to the store: the queue in memory is full, the server retired or not leased.
    Left,
}

/// What servers are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum GroupKey {
    Server(ServerId),
    Address(IpAddr),
}

/// The order of all requests; see the module header.
#[derive(Debug)]
pub struct Scheduler {
    settings: Settings,
    servers: FxHashMap<ServerId, Server>,
    groups: FxHashMap<GroupKey, Group>,
    turns: GroupTurns,
    tickets: u64,
    /// The server and group that each request on its way was counted for.
    flights: FxHashMap<RequestId, (ServerId, GroupKey)>,
    /// The same for each robots.txt on its way.
    robots_flights: FxHashMap<ServerId, GroupKey>,
    /// Servers whose address is wanted, and how many are being looked up.
    to_resolve: VecDeque<ServerId>,
    resolving: usize,
    refusals: VecDeque<(Pending, Cause, Option<Timestamp>)>,
    refills: VecDeque<ServerId>,
    changed_clocks: Vec<ServerId>,
    /// Groups without members, which are kept until their delay is over.
    empty_groups: usize,
    /// How many of them there may be before they are looked through.
    sweep_above: usize,
    used: Used,
    paused: bool,
}

/// The part of the settings that the scheduler needs.
#[derive(Debug, Clone)]
struct Settings {
    politeness: PolitenessSettings,
    robots: RobotsSettings,
    retry: RetrySettings,
    budget: ServerBudget,
    server_budget: ServerBudget,
    frontier: FrontierSettings,
    hosts: HostTable,
}

/// Groups without members that are kept at least before they are looked through.
const EMPTY_GROUPS: usize = 1_024;

impl Scheduler {
    /// A scheduler without servers. `used` is what counts towards the budgets already; its time
    /// starts now if it has none.
    pub fn new(settings: &CrawlSettings, used: Used, now: Timestamp) -> Scheduler {
        let BudgetSettings { per_server, .. } = settings.budget.clone();
        Scheduler {
            settings: Settings {
                politeness: settings.politeness.clone(),
                robots: settings.robots.clone(),
                retry: settings.retry.clone(),
                budget: settings.budget.in_all(),
                server_budget: per_server,
                frontier: settings.frontier.clone(),
                hosts: settings.hosts.clone(),
            },
            servers: FxHashMap::default(),
            groups: FxHashMap::default(),
            turns: GroupTurns::new(),
            tickets: 0,
            flights: FxHashMap::default(),
            robots_flights: FxHashMap::default(),
            to_resolve: VecDeque::new(),
            resolving: 0,
            refusals: VecDeque::new(),
            refills: VecDeque::new(),
            changed_clocks: Vec::new(),
            empty_groups: 0,
            sweep_above: EMPTY_GROUPS,
            used: Used { since: used.since.or(Some(now)), ..used },
            paused: false,
        }
    }

    /// Takes a leased server in, with the first requests of its queue.
    pub fn add_server(&mut self, lease: Lease, now: Timestamp) {
        let id = lease.server;
        if !self.servers.contains_key(&id) {
            let server = self.new_server(&lease, now);
            let longest = self.settings.politeness.longest_wait(server.policy.delay);
            let group_held = lease.group_next_at.min(now.plus(longest));
            let key = server.group;
            let held = match server.policy.delay.is_zero() {
                true => server.last_end,
                false => server.last_end.plus(server.delay).max(group_held),
            };
            self.servers.insert(id, server);
            self.join_group(id, key);
            if let Some(group) = self.groups.get_mut(&key) {
                group.hold_until(held);
            }
        }
        self.refilled(id, lease.pending, lease.more, now);
    }

    fn new_server(&self, lease: &Lease, now: Timestamp) -> Server {
        let policy = self.policy(&lease.origin.host);
        let longest = self.settings.politeness.longest_wait(policy.delay);
        let at_most = now.plus(longest);
        let since = (lease.captures > 0).then_some(now);
        let mut server = Server {
            id: lease.server,
            origin: lease.origin.clone(),
            policy,
            gate: Gate::Address { attempts: 0 },
            asking: false,
            queue: Queue::new(self.settings.frontier.queue),
            active: 0,
            group: GroupKey::Server(lease.server),
            scheduled: None,
            used: Used { pages: lease.captures, bytes: lease.bytes, since },
            max_pages: self.settings.server_budget.max_pages,
            retired: false,
            address: lease.clock.address,
            last_end: lease.clock.last_end.min(now),
            next_at: lease.clock.next_at.min(at_most),
            delay: lease.clock.delay.max(policy.delay).min(longest),
            crawl_delay: None,
            failures: lease.clock.failures,
            clock_changed: false,
        };
        if policy.delay.is_zero() {
            (server.next_at, server.delay) = (server.next_at.min(now), Duration::ZERO);
        }
        if let Some(address) = lease.clock.address.or_else(|| lease.origin.host.address()) {
            server.group = self.group_key(&server, Some(address));
        }
        if self.knows_group(&server) {
            server.gate = self.first_gate(&mut server, lease, now);
        }
        server
    }

    /// The gate of a server whose group is known: its robots.txt, unless a copy is still good.
    fn first_gate(&self, server: &mut Server, lease: &Lease, now: Timestamp) -> Gate {
        match &lease.robots {
            Some(copy) if server.policy.obey_robots && is_usable(copy, now) => {
                let agent = &self.settings.robots.agent;
                let rules = RobotsRules::from_answer(copy.status, &copy.body, agent);
                server.crawl_delay = rules.crawl_delay();
                Gate::Open { rules: Box::new(rules), expires: copy.expires }
            }
            _ => self.gate_behind_address(server.policy.obey_robots, now),
        }
    }

    fn gate_behind_address(&self, obey_robots: bool, now: Timestamp) -> Gate {
        match obey_robots {
            true => Gate::Robots(RobotsQuestion::default()),
            false => self.open_gate(RobotsRules::allow_all(), now),
        }
    }

    fn open_gate(&self, rules: RobotsRules, now: Timestamp) -> Gate {
        Gate::Open { rules: Box::new(rules), expires: now.plus(self.settings.robots.keep) }
    }

    fn policy(&self, host: &HostName) -> Policy {
        let politeness = &self.settings.politeness;
        let exceptions = host_settings(&self.settings.hosts, host).cloned().unwrap_or_default();
        let delay = exceptions.delay.unwrap_or(politeness.delay);
        let usual = match delay.is_zero() {
            true => politeness.per_server_without_delay,
            false => politeness.per_server,
        };
        Policy {
            delay,
            connections: exceptions.connections.unwrap_or(usual).max(1),
            obey_robots: exceptions.obey_robots.unwrap_or(self.settings.robots.obey),
        }
    }

    /// Adds a request to the queue of its server. The store must hold it already: if memory is
    /// short, it is left there.
    pub fn push(&mut self, pending: Pending, now: Timestamp) -> Pushed {
        let id = pending.server;
        self.reopen(id, now);
        let Some(server) = self.servers.get_mut(&id) else {
            return Pushed::Left;
        };
        if server.retired {
            return Pushed::Left;
        }
        if let Gate::Shut { cause, until } = &server.gate {
            if !server.queue.knows(pending.id) {
                server.queue.end(pending.id);
                self.refusals.push_back((pending, cause.clone(), *until));
            }
            return Pushed::Queued;
        }
        let kept = server.queue.push(pending, now);
        self.schedule_server(id);
        if kept { Pushed::Queued } else { Pushed::Left }
    }

    /// Takes the store's answer to [`Next::Refill`].
    pub fn refilled(&mut self, id: ServerId, pending: Vec<Pending>, more: bool, now: Timestamp) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        if server.retired {
            return;
        }
        let new = server.queue.refilled(pending, more, now);
        for pending in new {
            self.push(pending, now);
        }
        self.schedule_server(id);
        self.want_refill(id);
    }

    /// Reported results of these requests are now in the store: name a request once for every
    /// change that was committed, whether done, failed, refused, dropped, or queued again. Until
    /// then the scheduler remembers it, so that a refill does not bring it back.
    pub fn settled(&mut self, id: ServerId, requests: &[RequestId]) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        for request in requests {
            server.queue.settle(*request);
        }
        self.want_refill(id);
    }

    /// Nothing is sent to this server before that time; for servers that were leased when the crawl
    /// died, whose last request may not be in any clock.
    pub fn start_after(&mut self, id: ServerId, time: Timestamp) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        server.next_at = server.next_at.max(time);
        let key = server.group;
        if let Some(group) = self.groups.get_mut(&key) {
            group.hold_until(time);
        }
        self.note_clock(id);
    }

    /// The full delay in force for a server.
    pub fn delay(&self, id: ServerId) -> Option<Duration> {
        self.servers.get(&id).map(|server| server.delay)
    }

    /// The rules of a server's robots.txt, while they are known.
    pub fn robots(&self, id: ServerId) -> Option<&RobotsRules> {
        match &self.servers.get(&id)?.gate {
            Gate::Open { rules, .. } => Some(rules),
            _ => None,
        }
    }

    pub fn origin(&self, id: ServerId) -> Option<&Origin> {
        self.servers.get(&id).map(|server| &server.origin)
    }

    /// Sends nothing until [`Scheduler::resume`]; what is on its way may end.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Takes all requests in memory that match out of the queues; the caller records them as
    /// refused. Requests on their way are not touched.
    pub fn drop_matching(&mut self, mut matches: impl FnMut(&Pending) -> bool) -> Vec<Pending> {
        let mut dropped = Vec::new();
        for server in self.servers.values_mut() {
            dropped.append(&mut server.queue.take_matching(&mut matches));
        }
        let ids: Vec<ServerId> = dropped.iter().map(|pending| pending.server).collect();
        for id in ids {
            self.want_refill(id);
        }
        dropped
    }

    /// The clocks that changed since the last call, to be committed with the results.
    pub fn clocks_to_save(&mut self) -> Vec<Clock> {
        let changed = std::mem::take(&mut self.changed_clocks);
        changed
            .into_iter()
            .filter_map(|id| {
                let server = self.servers.get_mut(&id)?;
                std::mem::take(&mut server.clock_changed).then(|| server.clock())
            })
            .collect()
    }

    /// Servers with nothing left to do, here or in the store; their leases can be given back after
    /// [`Scheduler::remove_server`]. Retired servers are not among them: the store holds requests
    /// of theirs and would lease them again.
    pub fn idle_servers(&self) -> Vec<ServerId> {
        let idle = self.servers.values().filter(|server| !server.retired && server.is_idle());
        idle.map(|server| server.id).collect()
    }

    /// Forgets a server that has nothing on its way, and returns its clock; `None` if it has, or is
    /// not known.
    pub fn remove_server(&mut self, id: ServerId, now: Timestamp) -> Option<Clock> {
        let server = self.servers.get(&id)?;
        if server.active > 0 || server.asking {
            return None;
        }
        let server = self.servers.remove(&id)?;
        self.leave_group(server.group, now);
        Some(server.clock())
    }

    /// Sends nothing more to a server: its lease is lost, or is to be given back. What is queued is left
    /// to the store; what is on its way may end. [`Scheduler::remove_server`] takes it out afterwards.
    pub fn retire(&mut self, id: ServerId) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        server.retired = true;
        server.queue.leave();
        let waits = server.asking && matches!(server.gate, Gate::Address { .. });
        if waits {
            // Whatever the answer is, nobody needs it any more.
            server.asking = false;
            match self.to_resolve.iter().position(|waiting| *waiting == id) {
                Some(place) => _ = self.to_resolve.remove(place),
                None => self.resolving = self.resolving.saturating_sub(1),
            }
        }
        let refused = self.refusals.iter().filter(|(pending, ..)| pending.server == id);
        let refused: Vec<RequestId> = refused.map(|(pending, ..)| pending.id).collect();
        self.refusals.retain(|(pending, ..)| pending.server != id);
        for request in refused {
            server.queue.settle(request);
        }
    }

    /// Whether all results of a server are in the store, and none is on its way.
    pub fn is_settled(&self, id: ServerId) -> bool {
        let server = self.servers.get(&id);
        server.is_none_or(|server| {
            server.active == 0 && !server.asking && server.queue.has_nothing_unsettled()
        })
    }

    /// The store has requests for a server that are not here: others have found them.
    pub fn has_more(&mut self, id: ServerId) {
        if let Some(server) = self.servers.get_mut(&id).filter(|server| !server.retired) {
            server.queue.has_more();
            self.want_refill(id);
            self.schedule_server(id);
        }
    }

    /// A request was not sent after all, and goes back into its queue.
    pub fn unsent(&mut self, pending: &Pending, now: Timestamp) {
        let Some((id, key)) = self.flights.remove(&pending.id) else {
            return;
        };
        self.take_back(id, key);
        if let Some(server) = self.servers.get_mut(&id) {
            match server.retired {
                true => server.queue.forget(pending.id),
                false => server.queue.put(pending.clone(), now),
            }
        }
        self.schedule_server(id);
    }

    /// A robots.txt was not asked for after all.
    pub fn robots_unsent(&mut self, id: ServerId) {
        let Some(key) = self.robots_flights.remove(&id) else {
            return;
        };
        self.take_back(id, key);
        if let Some(server) = self.servers.get_mut(&id) {
            server.asking = false;
        }
        self.schedule_server(id);
    }

    fn take_back(&mut self, id: ServerId, key: GroupKey) {
        if let Some(group) = self.groups.get_mut(&key) {
            group.active = group.active.saturating_sub(1);
        }
        if let Some(server) = self.servers.get_mut(&id) {
            server.active = server.active.saturating_sub(1);
        }
        self.schedule_group(key);
    }

    /// The servers of each group that has something to do.
    pub fn busy_groups(&self) -> Vec<Vec<ServerId>> {
        let mut groups: FxHashMap<GroupKey, Vec<ServerId>> = FxHashMap::default();
        for server in self.servers.values().filter(|server| !server.retired && !server.is_idle()) {
            groups.entry(server.group).or_default().push(server.id);
        }
        let mut groups: Vec<Vec<ServerId>> = groups.into_values().collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort_unstable();
        groups
    }

    /// What the whole crawl has used, where others use it up, too.
    pub fn note_used(&mut self, pages: u64, bytes: u64) {
        self.used.pages = self.used.pages.max(pages);
        self.used.bytes = self.used.bytes.max(bytes);
    }

    /// Whether nothing is queued, awaited or left in the store.
    pub fn is_finished(&self) -> bool {
        self.refusals.is_empty()
            && self.servers.values().all(|server| server.retired || server.is_idle())
            && self.flights.is_empty()
    }

    pub fn used(&self) -> Used {
        self.used
    }

    /// Requests in memory of each server, for the list of queues.
    pub fn queue_lengths(&self) -> impl Iterator<Item = (ServerId, usize)> {
        self.servers.values().map(|server| (server.id, server.queue.len()))
    }

    fn active(&self) -> u32 {
        u32::try_from(self.flights.len() + self.robots_flights.len()).unwrap_or(u32::MAX)
    }

    fn group_key(&self, server: &Server, address: Option<IpAddr>) -> GroupKey {
        // A server without delay is in nobody's way: the user said so.
        let alone =
            server.policy.delay.is_zero() || self.settings.politeness.group_by == GroupBy::Server;
        match address {
            Some(address) if !alone => GroupKey::Address(address.to_canonical()),
            _ => GroupKey::Server(server.id),
        }
    }

    /// Whether the group does not depend on an address that is still to be found.
    fn knows_group(&self, server: &Server) -> bool {
        matches!(server.group, GroupKey::Address(_))
            || server.policy.delay.is_zero()
            || self.settings.politeness.group_by == GroupBy::Server
    }
}

/// A copy of robots.txt from the store counts until it expires, unless it says only that nothing
/// could be read.
fn is_usable(copy: &RobotsCopy, now: Timestamp) -> bool {
    copy.expires > now && !matches!(Standing::of(copy.status), Standing::Unreachable { .. })
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
