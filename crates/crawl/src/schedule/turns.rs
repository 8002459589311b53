//! Whose turn it is.

use super::group::Turn;
use super::server::{Gate, RobotsQuestion};
use super::{EMPTY_GROUPS, Group, GroupKey, Next, Scheduler};
use auslese_model::{Cause, CauseKind, Pending, ServerId, Timestamp};

impl Scheduler {
    /// What to do now; call it again until it says to wait.
    pub fn next(&mut self, now: Timestamp) -> Next {
        if let Some(next) = self.hand_over() {
            return next;
        }
        if let Some(reached) = self.settings.budget.reached(&self.used, now) {
            return Next::Done(reached);
        }
        if self.paused {
            return Next::Idle;
        }
        // First, so that busy servers do not keep new ones from being found.
        if let Some(next) = self.resolve_next() {
            return next;
        }
        let active = self.active();
        let full = active >= self.settings.politeness.connections.max(1)
            || !self.settings.budget.has_room(&self.used, active);
        if full {
            return Next::Idle;
        }
        let next = match self.take_turn(now) {
            // The turns that were taken may have left something to hand over.
            waiting @ (Next::Wait(_) | Next::Idle) => {
                self.hand_over().or_else(|| self.resolve_next()).unwrap_or(waiting)
            }
            next => next,
        };
        match (next, self.settings.budget.ends(&self.used)) {
            (Next::Wait(time), Some(end)) => Next::Wait(time.min(end)),
            (Next::Idle, Some(end)) => Next::Wait(end),
            (next, _) => next,
        }
    }

    /// What needs neither time nor a connection: refusals and wishes to the store.
    fn hand_over(&mut self) -> Option<Next> {
        if let Some((pending, cause, until)) = self.refusals.pop_front() {
            return Some(Next::Refuse { pending, cause, until });
        }
        while let Some(server) = self.refills.pop_front() {
            let asked = self.servers.get_mut(&server).and_then(|s| s.queue.ask_refill());
            if let Some(limit) = asked {
                return Some(Next::Refill { server, limit });
            }
        }
        None
    }

    fn resolve_next(&mut self) -> Option<Next> {
        if self.resolving >= self.settings.politeness.lookups.max(1) {
            return None;
        }
        let id = self.to_resolve.pop_front()?;
        let host = self.servers.get(&id)?.origin.host.clone();
        self.resolving += 1;
        Some(Next::Resolve { server: id, host })
    }

    /// Goes through the groups whose turn it is, until one has something to do.
    fn take_turn(&mut self, now: Timestamp) -> Next {
        while let Some(turn) = self.turns.peek().copied() {
            let group = self.groups.get_mut(&turn.owner);
            let Some(group) = group.filter(|g| g.scheduled == Some((turn.due, turn.ticket))) else {
                self.turns.pop();
                continue;
            };
            if turn.due > now {
                return Next::Wait(turn.due);
            }
            self.turns.pop();
            group.scheduled = None;
            let ready = group.next_at <= now;
            let next = match ready {
                true => self.take_turn_in(turn.owner, now),
                false => None,
            };
            self.schedule_group(turn.owner);
            if let Some(next) = next {
                return next;
            }
        }
        Next::Idle
    }

    fn take_turn_in(&mut self, key: GroupKey, now: Timestamp) -> Option<Next> {
        let limit = self.group_limit(key);
        while let Some(group) = self.groups.get_mut(&key).filter(|group| group.active < limit) {
            let turn = group.turns.peek().copied()?;
            let server = self.servers.get_mut(&turn.owner);
            let current =
                server.filter(|s| s.group == key && s.scheduled == Some((turn.due, turn.ticket)));
            let Some(server) = current else {
                group.turns.pop();
                continue;
            };
            if turn.due > now {
                return None;
            }
            group.turns.pop();
            server.scheduled = None;
            let next = match server.due() {
                Some(due) if due <= now => self.serve(turn.owner, now),
                _ => None,
            };
            self.schedule_server(turn.owner);
            if next.is_some() {
                return next;
            }
        }
        None
    }

    /// Does what is next for a server whose turn it is.
    fn serve(&mut self, id: ServerId, now: Timestamp) -> Option<Next> {
        self.retire_if_spent(id, now);
        let server = self.servers.get_mut(&id).filter(|server| !server.retired)?;
        if let Some(limit) = server.queue.ask_again(now) {
            return Some(Next::Refill { server: id, limit });
        }
        if let Gate::Open { expires, .. } = &server.gate
            && *expires <= now
            && server.policy.obey_robots
        {
            let old = std::mem::replace(&mut server.gate, Gate::Robots(RobotsQuestion::default()));
            if let (Gate::Robots(question), Gate::Open { rules, .. }) = (&mut server.gate, old) {
                question.previous = Some(rules);
            }
        }
        match &server.gate {
            Gate::Address { .. } => {
                server.asking = true;
                self.to_resolve.push_back(id);
                None
            }
            Gate::Robots(question) => {
                let url = question.at.clone().or_else(|| server.origin.join("/robots.txt"));
                self.ask_robots(id, url, now)
            }
            Gate::Open { .. } => self.serve_request(id, now),
            Gate::Shut { cause, until } => {
                let (cause, until) = (cause.clone(), *until);
                self.refuse_queue(id, &cause, until);
                None
            }
        }
    }

    fn ask_robots(&mut self, id: ServerId, url: Option<url::Url>, now: Timestamp) -> Option<Next> {
        let Some(url) = url else {
            // An origin always joins with a path; if not, nothing of it can be asked at all.
            let cause = Cause::new(CauseKind::Url, "no address for robots.txt");
            self.shut(id, cause, None);
            return None;
        };
        let server = self.servers.get_mut(&id)?;
        server.asking = true;
        let key = server.group;
        self.robots_flights.insert(id, key);
        self.start(id, key, now);
        Some(Next::Robots { server: id, url })
    }

    fn serve_request(&mut self, id: ServerId, now: Timestamp) -> Option<Next> {
        let server = self.servers.get_mut(&id)?;
        let pending = server.queue.pop(now)?;
        let refusal = match &server.gate {
            Gate::Open { rules, .. } if server.policy.obey_robots => {
                rules.judge(&pending.request.url).refusal()
            }
            _ => None,
        };
        if refusal.is_some() {
            server.queue.end(pending.id);
        }
        self.want_refill(id);
        match refusal {
            Some(cause) => Some(Next::Refuse { pending, cause, until: None }),
            None => Some(self.send(pending, now)),
        }
    }

    fn send(&mut self, pending: Pending, now: Timestamp) -> Next {
        let id = pending.server;
        if let Some(server) = self.servers.get_mut(&id) {
            let key = server.group;
            server.used.since.get_or_insert(now);
            self.flights.insert(pending.id, (id, key));
            self.start(id, key, now);
        }
        Next::Fetch(pending)
    }

    /// Counts a request that is about to be sent. Where several connections are allowed, requests
    /// keep the delay between their beginnings, too.
    fn start(&mut self, id: ServerId, key: GroupKey, now: Timestamp) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        server.active += 1;
        server.next_at = server.next_at.max(now.plus(server.delay));
        let held = server.next_at;
        if let Some(group) = self.groups.get_mut(&key) {
            group.active += 1;
            group.hold_until(held);
        }
    }

    fn retire_if_spent(&mut self, id: ServerId, now: Timestamp) {
        if let Some(server) = self.servers.get_mut(&id)
            && self.settings.server_budget.reached(&server.used, now).is_some()
        {
            server.retired = true;
            server.queue.leave();
        }
    }

    /// Makes sure that a server's next turn is among those of its group.
    pub(super) fn schedule_server(&mut self, id: ServerId) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        let key = server.group;
        if let Some(due) = server.due()
            && server.scheduled.is_none_or(|(earlier, _)| due < earlier)
            && let Some(group) = self.groups.get_mut(&key)
        {
            self.tickets += 1;
            server.scheduled = Some((due, self.tickets));
            group.turns.push(Turn { due, ticket: self.tickets, owner: id });
        }
        self.schedule_group(key);
    }

    /// Makes sure that a group's next turn is among those of all groups.
    pub(super) fn schedule_group(&mut self, key: GroupKey) {
        let Some(group) = self.groups.get_mut(&key) else {
            return;
        };
        while let Some(turn) = group.turns.peek() {
            let valid = self.servers.get(&turn.owner).is_some_and(|server| {
                server.group == key && server.scheduled == Some((turn.due, turn.ticket))
            });
            if valid {
                break;
            }
            group.turns.pop();
        }
        let limit = self.group_limit(key);
        let Some(group) = self.groups.get_mut(&key).filter(|group| group.active < limit) else {
            return;
        };
        let Some(turn) = group.turns.peek() else {
            return;
        };
        let due = turn.due.max(group.next_at);
        if group.scheduled.is_none_or(|(earlier, _)| due < earlier) {
            self.tickets += 1;
            group.scheduled = Some((due, self.tickets));
            self.turns.push(Turn { due, ticket: self.tickets, owner: key });
        }
    }

    fn group_limit(&self, key: GroupKey) -> u32 {
        match key {
            // A group of one server needs no limit besides the server's own.
            GroupKey::Server(_) => u32::MAX,
            GroupKey::Address(_) => self.settings.politeness.per_group.max(1),
        }
    }

    pub(super) fn is_full(&self, key: GroupKey, group: &Group) -> bool {
        group.active >= self.group_limit(key)
    }

    pub(super) fn want_refill(&mut self, id: ServerId) {
        if let Some(server) = self.servers.get(&id)
            && server.queue.more
        {
            self.refills.push_back(id);
        }
    }

    pub(super) fn join_group(&mut self, id: ServerId, key: GroupKey) {
        let Some(server) = self.servers.get_mut(&id) else {
            return;
        };
        server.group = key;
        server.scheduled = None;
        let group = self.groups.entry(key).or_insert_with(|| {
            self.empty_groups += 1;
            Group::new()
        });
        if group.members == 0 {
            self.empty_groups -= 1;
        }
        group.members += 1;
    }

    pub(super) fn leave_group(&mut self, key: GroupKey, now: Timestamp) {
        let Some(group) = self.groups.get_mut(&key) else {
            return;
        };
        group.members = group.members.saturating_sub(1);
        if group.is_over(now) {
            self.groups.remove(&key);
        } else if group.members == 0 {
            self.empty_groups += 1;
        }
        if self.empty_groups > self.sweep_above {
            self.groups.retain(|_, group| !group.is_over(now));
            self.empty_groups = self.groups.values().filter(|group| group.members == 0).count();
            self.sweep_above = EMPTY_GROUPS.max(2 * self.empty_groups);
        }
    }
}
