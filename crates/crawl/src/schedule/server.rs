//! One server in the scheduler: its queue in memory, its clock, and what stands before its pages.

use super::GroupKey;
use crate::{RobotsRules, Used};
use auslese_model::{Cause, Clock, Origin, Pending, RequestId, ServerId, Timestamp};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;
use url::Url;

#[derive(Debug)]
pub(super) struct Server {
    pub(super) id: ServerId,
    pub(super) origin: Origin,
    pub(super) policy: Policy,
    pub(super) gate: Gate,
    /// Whether the answer to a question of the gate (address, robots.txt) is awaited.
    pub(super) asking: bool,
    pub(super) queue: Queue,
    pub(super) active: u32,
    pub(super) group: GroupKey,
    /// The valid entry among the turns of its group, if any.
    pub(super) scheduled: Option<(Timestamp, u64)>,
    pub(super) used: Used,
    /// Pages after which it is retired.
    pub(super) max_pages: Option<u64>,
    /// Its budget is used up; its requests stay in the store.
    pub(super) retired: bool,
    pub(super) address: Option<IpAddr>,
    pub(super) last_end: Timestamp,
    pub(super) next_at: Timestamp,
    /// The delay in force, without back-off.
    pub(super) delay: Duration,
    pub(super) crawl_delay: Option<Duration>,
    pub(super) failures: u32,
    /// Whether the clock changed since it was last saved.
    pub(super) clock_changed: bool,
}

/// How this server is treated, exceptions for its host included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policy {
    pub(super) delay: Duration,
    pub(super) connections: u32,
    pub(super) obey_robots: bool,
}

/// What has to be known before pages are asked for.
#[derive(Debug)]
pub(super) enum Gate {
    /// The address, which decides on the politeness group.
    Address { attempts: u16 },
    /// The robots.txt.
    Robots(RobotsQuestion),
    /// Nothing: pages may be asked for until the rules expire.
    Open { rules: Box<RobotsRules>, expires: Timestamp },
    /// Everything is refused, for a time or for the rest of the run.
    Shut { cause: Cause, until: Option<Timestamp> },
}

#[derive(Debug, Default)]
pub(super) struct RobotsQuestion {
    /// Rules that have expired; they count on if no new ones can be had.
    pub(super) previous: Option<Box<RobotsRules>>,
    pub(super) attempts: u16,
    /// Where a redirect has led to.
    pub(super) at: Option<Url>,
    pub(super) redirects: u8,
}

impl Server {
    /// When its next turn is; `None` if something else has to happen first.
    pub(super) fn due(&self) -> Option<Timestamp> {
        let busy = self.active >= self.policy.connections || self.may_reach_budget();
        if self.asking || self.retired || busy {
            return None;
        }
        self.queue.first_due().map(|first| first.max(self.next_at))
    }

    /// Whether what is on its way may use up the budget; whether it does, only its end will tell.
    fn may_reach_budget(&self) -> bool {
        let expected = self.used.pages.saturating_add(u64::from(self.active));
        self.active > 0 && self.max_pages.is_some_and(|max| expected >= max)
    }

    /// Whether nothing is left to do, in memory or in the store.
    pub(super) fn is_idle(&self) -> bool {
        self.active == 0 && !self.asking && self.queue.is_finished()
    }

    pub(super) fn clock(&self) -> Clock {
        Clock {
            server: self.id,
            address: self.address,
            last_end: self.last_end,
            next_at: self.next_at,
            delay: self.delay,
            failures: self.failures,
        }
    }
}

/// The requests of a server that are in memory, in the order of their priority.
#[derive(Debug)]
pub(super) struct Queue {
    limit: usize,
    ready: BTreeMap<(i16, u64), Pending>,
    /// Requests that must wait, by the time until which.
    later: BTreeMap<(Timestamp, u64), Pending>,
    arrivals: u64,
    /// Every request that is queued here, on its way, or not yet settled in the store.
    known: FxHashMap<RequestId, Known>,
    /// Whether the store holds requests that are not here.
    pub(super) more: bool,
    refill: Refill,
}

/// A request that a refill must not bring again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Known {
    /// Whether it is queued here or on its way.
    here: bool,
    /// Results that were reported and are not yet in the store.
    unsettled: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refill {
    Idle,
    /// Asked for and not yet answered.
    Asked,
    /// The last answer brought nothing new: ask again when something was settled, or after a while
    /// (the store may hold only requests that must wait).
    Stalled {
        until: Timestamp,
    },
}

/// How long a store that had nothing new is left alone.
const STALL: Duration = Duration::from_secs(5);

impl Queue {
    pub(super) fn new(limit: usize) -> Queue {
        Queue {
            limit: limit.max(1),
            ready: BTreeMap::new(),
            later: BTreeMap::new(),
            arrivals: 0,
            known: FxHashMap::default(),
            more: false,
            refill: Refill::Idle,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ready.len() + self.later.len()
    }

    fn is_finished(&self) -> bool {
        self.len() == 0 && !self.more && self.known.is_empty()
    }

    /// The time from which on the first request may be sent.
    fn first_due(&self) -> Option<Timestamp> {
        if !self.ready.is_empty() {
            return Some(Timestamp(i64::MIN));
        }
        let later = self.later.first_key_value().map(|((time, _), _)| *time);
        let stalled = match self.refill {
            Refill::Stalled { until } if self.more => Some(until),
            _ => None,
        };
        later.into_iter().chain(stalled).min()
    }

    /// Adds a request that is not known yet; whether it is now in memory. If the queue is full, the
    /// least urgent request is left to the store.
    pub(super) fn push(&mut self, pending: Pending, now: Timestamp) -> bool {
        let id = pending.id;
        if self.knows(id) {
            return true;
        }
        self.put(pending, now);
        if self.len() <= self.limit {
            return true;
        }
        self.more = true;
        let dropped = self.later.pop_last().or_else(|| self.ready.pop_last().map(as_later));
        let Some((_, dropped)) = dropped else {
            return true;
        };
        self.forget(dropped.id);
        dropped.id != id
    }

    pub(super) fn knows(&self, request: RequestId) -> bool {
        self.known.contains_key(&request)
    }

    /// A result is reported: the request is over here, and remembered until that is settled.
    pub(super) fn end(&mut self, request: RequestId) {
        let known = self.known.entry(request).or_default();
        *known = Known { here: false, unsettled: known.unsettled + 1 };
    }

    /// A result is reported after which the request is queued again.
    pub(super) fn put_again(&mut self, pending: Pending, now: Timestamp) {
        self.end(pending.id);
        self.put(pending, now);
    }

    /// The request is left to the store.
    pub(super) fn forget(&mut self, request: RequestId) {
        if let Some(known) = self.known.get_mut(&request) {
            known.here = false;
            if known.unsettled == 0 {
                self.known.remove(&request);
            }
        }
    }

    /// Puts a request into its place.
    pub(super) fn put(&mut self, pending: Pending, now: Timestamp) {
        self.arrivals += 1;
        self.known.entry(pending.id).or_default().here = true;
        if pending.not_before > now {
            self.later.insert((pending.not_before, self.arrivals), pending);
        } else {
            self.ready.insert((pending.priority, self.arrivals), pending);
        }
    }

    /// Takes the most urgent request that may be sent now.
    pub(super) fn pop(&mut self, now: Timestamp) -> Option<Pending> {
        while let Some(entry) = self.later.first_entry()
            && entry.key().0 <= now
        {
            let ((_, arrival), pending) = entry.remove_entry();
            self.ready.insert((pending.priority, arrival), pending);
        }
        self.ready.pop_first().map(|(_, pending)| pending)
    }

    /// Takes everything, as over.
    pub(super) fn drain(&mut self) -> Vec<Pending> {
        self.take_matching(&mut |_| true)
    }

    /// Whether no result waits for its commit.
    pub(super) fn has_nothing_unsettled(&self) -> bool {
        self.known.values().all(|known| known.unsettled == 0)
    }

    /// The store holds requests that are not here.
    pub(super) fn has_more(&mut self) {
        self.more = true;
        if matches!(self.refill, Refill::Stalled { .. }) {
            self.refill = Refill::Idle;
        }
    }

    /// Leaves everything to the store.
    pub(super) fn leave(&mut self) {
        let ready = std::mem::take(&mut self.ready).into_values();
        for pending in ready.chain(std::mem::take(&mut self.later).into_values()) {
            self.forget(pending.id);
        }
        self.more = false;
    }

    /// Takes the requests that match, as over.
    pub(super) fn take_matching(
        &mut self,
        matches: &mut dyn FnMut(&Pending) -> bool,
    ) -> Vec<Pending> {
        let ready = self.ready.extract_if(.., |_, pending| matches(pending));
        let mut taken: Vec<Pending> = ready.map(|(_, pending)| pending).collect();
        let later = self.later.extract_if(.., |_, pending| matches(pending));
        taken.extend(later.map(|(_, pending)| pending));
        for pending in &taken {
            self.end(pending.id);
        }
        taken
    }

    /// A reported result is in the store.
    pub(super) fn settle(&mut self, request: RequestId) {
        if let Some(known) = self.known.get_mut(&request) {
            known.unsettled = known.unsettled.saturating_sub(1);
            if *known == Known::default() {
                self.known.remove(&request);
            }
        }
        if matches!(self.refill, Refill::Stalled { .. }) {
            self.refill = Refill::Idle;
        }
    }

    /// Asks the store again that had nothing new, if it was left alone long enough.
    pub(super) fn ask_again(&mut self, now: Timestamp) -> Option<usize> {
        match self.refill {
            Refill::Stalled { until } if until <= now => {
                self.refill = Refill::Idle;
                self.ask_refill()
            }
            _ => None,
        }
    }

    /// How many requests to ask the store for, if it is time to: as many as there is room for, and
    /// those that the store still counts as queued although they are known here.
    pub(super) fn ask_refill(&mut self) -> Option<usize> {
        let wanted = self.more && self.refill == Refill::Idle && self.len() <= self.limit / 4;
        wanted.then(|| {
            self.refill = Refill::Asked;
            self.limit + self.known.len()
        })
    }

    /// Takes the store's answer; the requests that are new here.
    pub(super) fn refilled(
        &mut self,
        pending: Vec<Pending>,
        more: bool,
        now: Timestamp,
    ) -> Vec<Pending> {
        let is_new = |pending: &Pending| !self.knows(pending.id);
        let new: Vec<Pending> = pending.into_iter().filter(is_new).collect();
        self.more = more;
        self.refill = match new.is_empty() && more {
            true => Refill::Stalled { until: now.plus(STALL) },
            false => Refill::Idle,
        };
        new
    }
}

fn as_later(((_, arrival), pending): ((i16, u64), Pending)) -> ((Timestamp, u64), Pending) {
    ((pending.not_before, arrival), pending)
}
