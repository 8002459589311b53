//! What the scheduler learns: ended requests, addresses, robots.txt.

use super::server::{Gate, RobotsQuestion};
use super::{GroupKey, Scheduler};
use crate::retry::Meaning;
use crate::{Fate, Outcome, RobotsRules, Standing};
use auslese_model::{Cause, CauseKind, Pending, ServerId, Timestamp};
use std::net::IpAddr;
use url::Url;

impl Scheduler {
    /// A request has ended; what becomes of it. A request that is to be sent again is queued again.
    pub fn finished(&mut self, pending: &Pending, outcome: &Outcome, now: Timestamp) -> Fate {
        let fate = self.settings.retry.fate(pending.attempts, outcome);
        let Some((id, key)) = self.flights.remove(&pending.id) else {
            return fate;
        };
        self.end(id, key, outcome);
        self.count(id, outcome);
        self.requeue_or_end(pending, &fate, now);
        self.give_up_if_hopeless(id, outcome, now);
        self.schedule_server(id);
        self.want_refill(id);
        fate
    }

    /// A host was resolved, or could not be. `None` stands for an address that is not known here,
    /// as behind a proxy.
    pub fn resolved(
        &mut self,
        id: ServerId,
        address: Result<Option<IpAddr>, Cause>,
        now: Timestamp,
    ) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        if !server.asking || !matches!(server.gate, Gate::Address { .. }) {
            return;
        }
        server.asking = false;
        self.resolving = self.resolving.saturating_sub(1);
        match address {
            Ok(address) => {
                let obeys = server.policy.obey_robots;
                let gate = self.gate_behind_address(obeys, now);
                self.set_gate(id, gate);
                self.set_group(id, address, now);
            }
            Err(cause) => self.not_resolved(id, cause, now),
        }
        self.schedule_server(id);
    }

    fn not_resolved(&mut self, id: ServerId, cause: Cause, now: Timestamp) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        let Gate::Address { attempts } = &mut server.gate else {
            return;
        };
        *attempts += 1;
        let attempts = *attempts;
        if !cause.kind.is_temporary() {
            self.shut(id, cause, None);
        } else if attempts >= self.settings.retry.attempts {
            let until = now.plus(self.settings.robots.unreachable_for);
            self.shut(id, cause, Some(until));
        } else {
            server.next_at = server.next_at.max(now.plus(self.settings.retry.wait_after(attempts)));
        }
    }

    /// The address that a server was really asked at; its group goes by it from now on.
    pub fn set_group(&mut self, id: ServerId, address: Option<IpAddr>, now: Timestamp) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        if address.is_some() && server.address != address {
            server.address = address;
            self.note_clock(id);
        }
        let Some(server) = self.servers.get(&id) else {
            return;
        };
        let (old, new) = (server.group, self.group_key(server, address));
        if old == new {
            return;
        }
        let held = server.last_end.plus(server.delay);
        let asked_before = server.last_end > Timestamp::default();
        self.leave_group(old, now);
        self.join_group(id, new);
        if let Some(group) = self.groups.get_mut(&new)
            && asked_before
        {
            group.hold_until(held);
        }
        self.schedule_server(id);
    }

    /// A robots.txt was read, or could not be: `rules` are what follows from the answer.
    pub fn robots_answered(
        &mut self,
        id: ServerId,
        rules: RobotsRules,
        outcome: &Outcome,
        now: Timestamp,
    ) {
        let Some(question) = self.end_robots(id, rules.crawl_delay(), outcome) else {
            return;
        };
        match (rules.standing(), &outcome.result) {
            // Where a redirect has led to says nothing about the server itself.
            (_, Err(cause)) if !cause.kind.is_temporary() && question.redirects == 0 => {
                self.shut(id, cause.clone(), None);
            }
            (Standing::Unreachable { status }, _) => {
                self.robots_unreachable(id, question, status, outcome, now);
            }
            (Standing::Read | Standing::Missing { .. }, _) => {
                let gate = self.open_gate(rules, now);
                self.set_gate(id, gate);
            }
        }
        self.schedule_server(id);
        self.want_refill(id);
    }

    /// A robots.txt has moved; it is asked for at its new address after the usual delay. After too
    /// many moves it counts as missing.
    pub fn robots_redirected(&mut self, id: ServerId, to: Url, outcome: &Outcome, now: Timestamp) {
        let Some(question) = self.end_robots(id, None, outcome) else {
            return;
        };
        let gate = if question.redirects >= self.settings.robots.redirects {
            self.open_gate(RobotsRules::allow_all(), now)
        } else {
            let redirects = question.redirects + 1;
            Gate::Robots(RobotsQuestion { at: Some(to), redirects, ..question })
        };
        self.set_gate(id, gate);
        self.schedule_server(id);
    }

    fn set_gate(&mut self, id: ServerId, gate: Gate) {
        if let Some(server) = self.servers.get_mut(&id) {
            server.gate = gate;
        }
    }

    /// Ends the question that was under way; `None` if there was none.
    fn end_robots(
        &mut self,
        id: ServerId,
        crawl_delay: Option<std::time::Duration>,
        outcome: &Outcome,
    ) -> Option<RobotsQuestion> {
        let key = self.robots_flights.remove(&id)?;
        let server = self.servers.get_mut(&id)?;
        server.asking = false;
        let question = match &mut server.gate {
            Gate::Robots(question) => std::mem::take(question),
            _ => RobotsQuestion::default(),
        };
        let old_delay = question.previous.as_ref().and_then(|rules| rules.crawl_delay());
        server.crawl_delay = crawl_delay.or(old_delay);
        self.end(id, key, outcome);
        self.used.bytes = self.used.bytes.saturating_add(outcome.bytes);
        Some(question)
    }

    /// Old rules count on; without any, the question is put again, and then given up for a time.
    fn robots_unreachable(
        &mut self,
        id: ServerId,
        question: RobotsQuestion,
        status: u16,
        outcome: &Outcome,
        now: Timestamp,
    ) {
        let until = now.plus(self.settings.robots.unreachable_for);
        let attempts = question.attempts.saturating_add(1);
        if let Some(rules) = question.previous {
            self.set_gate(id, Gate::Open { rules, expires: until });
        } else if attempts >= self.settings.retry.attempts {
            let detail = match &outcome.result {
                Err(cause) => cause.to_string(),
                Ok(_) => format!("status {status}"),
            };
            self.shut(id, Cause::new(CauseKind::RobotsUnknown, detail), Some(until));
        } else {
            let wait = outcome.end.plus(self.settings.retry.wait_after(attempts));
            if let Some(server) = self.servers.get_mut(&id) {
                server.next_at = server.next_at.max(wait);
                server.gate =
                    Gate::Robots(RobotsQuestion { attempts, ..RobotsQuestion::default() });
            }
        }
    }

    /// Takes a request off the counts, and sets the clocks of its server and group.
    fn end(&mut self, id: ServerId, key: GroupKey, outcome: &Outcome) {
        if let Some(group) = self.groups.get_mut(&key) {
            group.active = group.active.saturating_sub(1);
        }
        let politeness = &self.settings.politeness;
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        server.active = server.active.saturating_sub(1);
        let in_trouble = matches!(Meaning::of(&outcome.result), Meaning::Trouble(_));
        server.failures = if in_trouble { server.failures.saturating_add(1) } else { 0 };
        let minimum = server.policy.delay;
        server.delay = politeness.delay_after(minimum, server.crawl_delay, outcome.duration);
        server.last_end = server.last_end.max(outcome.end);
        let hold = match minimum.is_zero() {
            true => server.delay,
            false => politeness.hold_after(id, server.failures, outcome.retry_after),
        };
        let group_until = outcome.end.plus(server.delay);
        server.next_at = server.next_at.max(group_until).max(outcome.end.plus(hold));
        let current = server.group;
        for key in [key, current] {
            if let Some(group) = self.groups.get_mut(&key) {
                group.hold_until(group_until);
            }
        }
        self.note_clock(id);
        self.schedule_group(key);
    }

    pub(super) fn note_clock(&mut self, id: ServerId) {
        if let Some(server) = self.servers.get_mut(&id)
            && !std::mem::replace(&mut server.clock_changed, true)
        {
            self.changed_clocks.push(id);
        }
    }

    fn count(&mut self, id: ServerId, outcome: &Outcome) {
        let pages = u64::from(outcome.result.is_ok());
        let server = self.servers.get_mut(&id).map(|server| &mut server.used);
        for used in [Some(&mut self.used), server].into_iter().flatten() {
            used.pages += pages;
            used.bytes = used.bytes.saturating_add(outcome.bytes);
        }
    }

    fn requeue_or_end(&mut self, pending: &Pending, fate: &Fate, now: Timestamp) {
        let Some(server) = self.servers.get_mut(&pending.server) else {
            return;
        };
        match fate {
            Fate::Again { not_before, attempts, .. } if !server.retired => {
                let (not_before, attempts) = (*not_before, *attempts);
                server.queue.put_again(Pending { not_before, attempts, ..pending.clone() }, now);
            }
            _ => server.queue.end(pending.id),
        }
    }

    fn give_up_if_hopeless(&mut self, id: ServerId, outcome: &Outcome, now: Timestamp) {
        let Some(server) = self.servers.get(&id) else {
            return;
        };
        let failures = server.failures;
        let limit = self.settings.politeness.give_up_after.max(1);
        if let Meaning::Trouble(cause) = Meaning::of(&outcome.result)
            && failures >= limit
        {
            let detail = format!("given up after {failures} failures in a row, last: {cause}");
            let until = now.plus(self.settings.robots.unreachable_for);
            self.shut(id, Cause::new(cause.kind, detail), Some(until));
        }
    }

    /// Refuses everything of a server from now on.
    pub(super) fn shut(&mut self, id: ServerId, cause: Cause, until: Option<Timestamp>) {
        self.refuse_queue(id, &cause, until);
        self.set_gate(id, Gate::Shut { cause, until });
        self.want_refill(id);
    }

    pub(super) fn refuse_queue(&mut self, id: ServerId, cause: &Cause, until: Option<Timestamp>) {
        if let Some(server) = self.servers.get_mut(&id) {
            let refused = server.queue.drain().into_iter();
            self.refusals.extend(refused.map(|pending| (pending, cause.clone(), until)));
        }
    }

    /// Tries a server again whose time has come.
    pub(super) fn reopen(&mut self, id: ServerId, now: Timestamp) {
        let Some(server) = self.servers.get(&id) else {
            return;
        };
        if !matches!(&server.gate, Gate::Shut { until: Some(until), .. } if *until <= now) {
            return;
        }
        let gate = match self.knows_group(server) {
            true => self.gate_behind_address(server.policy.obey_robots, now),
            false => Gate::Address { attempts: 0 },
        };
        self.set_gate(id, gate);
        if let Some(server) = self.servers.get_mut(&id) {
            server.failures = 0;
        }
    }
}
