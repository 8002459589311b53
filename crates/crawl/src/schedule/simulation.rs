//! The scheduler in a simulated world: servers with their own log, a store that learns of results
//! in batches, and a clock that jumps from event to event.

use super::tests::{SECOND, at, lease, pending, settings};
use super::*;
use crate::{Fate, Outcome};
use auslese_model::CauseKind;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How one simulated server behaves.
#[derive(Debug, Clone)]
struct Behaviour {
    address: u8,
    requests: usize,
    /// Milliseconds that its answers take.
    slowness: u64,
    robots: u8,
    /// One answer in so many is a failure.
    failing: u64,
}

#[derive(Debug, Clone)]
struct World {
    servers: Vec<Behaviour>,
    delay: u64,
    per_server: u32,
    per_group: u32,
    connections: u32,
    queue: usize,
    commit_every: usize,
}

/// Something that is under way in the world.
#[derive(Debug, Clone)]
enum Event {
    Request(Pending, Outcome),
    Robots(ServerId, RobotsRules, Outcome),
    Moved(ServerId, Outcome),
    Address(ServerId),
}

/// What the servers' own log would show, and a store that learns of results in batches.
struct Simulation {
    world: World,
    scheduler: Scheduler,
    now: Timestamp,
    events: BTreeMap<(Timestamp, u64), Event>,
    numbers: u64,
    store: BTreeMap<ServerId, BTreeMap<RequestId, Pending>>,
    uncommitted: Vec<(ServerId, RequestId, Option<Pending>)>,
    ended: BTreeSet<RequestId>,
    active: BTreeMap<ServerId, u32>,
    last_end: BTreeMap<u8, Timestamp>,
}

impl Simulation {
    fn new(world: World) -> Simulation {
        let mut settings = settings();
        settings.politeness.delay = Duration::from_millis(world.delay);
        settings.politeness.per_server = world.per_server;
        settings.politeness.per_group = world.per_group;
        settings.politeness.connections = world.connections;
        settings.frontier.queue = world.queue;
        let now = at(0);
        let mut scheduler = Scheduler::new(&settings, Used::default(), now);
        let mut store = BTreeMap::new();
        for (index, behaviour) in world.servers.iter().enumerate() {
            let server = index as i64;
            let requests: Vec<Pending> = (0..behaviour.requests as i64)
                .map(|number| pending(server, server * 1000 + number))
                .collect();
            let first = requests.iter().take(world.queue).cloned().collect();
            let more = requests.len() > world.queue;
            scheduler.add_server(Lease { more, ..lease(server, first) }, now);
            store.insert(ServerId(server), requests.into_iter().map(|p| (p.id, p)).collect());
        }
        Simulation {
            world,
            scheduler,
            now,
            events: BTreeMap::new(),
            numbers: 0,
            store,
            uncommitted: Vec::new(),
            ended: BTreeSet::new(),
            active: BTreeMap::new(),
            last_end: BTreeMap::new(),
        }
    }

    fn run(&mut self) {
        for step in 0.. {
            assert!(step < 100_000, "no end: {:?}", self.scheduler.counts(self.now));
            match self.scheduler.next(self.now) {
                Next::Fetch(pending) => self.fetch(pending),
                Next::Robots { server, url } => self.fetch_robots(server, &url),
                Next::Resolve { server, .. } => self.after(30, Event::Address(server)),
                Next::Refill { server, limit } => self.refill(server, limit),
                Next::Refuse { pending, .. } => self.end(pending.server, pending.id, None),
                Next::Wait(time) => {
                    assert!(time > self.now, "waiting for the past");
                    self.advance(Some(time));
                }
                Next::Idle if self.events.is_empty() && self.uncommitted.is_empty() => break,
                Next::Idle => self.advance(None),
                Next::Done(reached) => panic!("{reached}"),
            }
        }
        let left: usize = self.store.values().map(BTreeMap::len).sum();
        assert_eq!(left, 0, "requests are left over");
        assert!(self.scheduler.is_finished());
        assert_eq!(self.scheduler.idle_servers().len(), self.world.servers.len());
    }

    fn behaviour(&self, server: ServerId) -> Behaviour {
        self.world.servers[server.0 as usize].clone()
    }

    fn draw(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33
    }

    fn after(&mut self, millis: u64, event: Event) {
        self.numbers += 1;
        self.events.insert((self.now.plus(Duration::from_millis(millis)), self.numbers), event);
    }

    /// Checks that a request may be sent now, as the server would see it.
    fn sends(&mut self, server: ServerId) {
        let behaviour = self.behaviour(server);
        let active = self.active.entry(server).or_default();
        *active += 1;
        let limit = if self.world.delay == 0 { 8 } else { self.world.per_server };
        assert!(*active <= limit, "{active} connections");
        assert!(self.active.values().sum::<u32>() <= self.world.connections);
        if self.world.delay > 0 {
            let servers = self.world.servers.iter().enumerate();
            let neighbours = servers.filter(|(_, other)| other.address == behaviour.address);
            let in_group: u32 = neighbours
                .map(|(index, _)| self.active.get(&ServerId(index as i64)).copied().unwrap_or(0))
                .sum();
            assert!(in_group <= self.world.per_group, "{in_group} connections to an address");
            let last = self.last_end.get(&behaviour.address).copied().unwrap_or_default();
            let delay = Duration::from_millis(self.world.delay);
            assert!(self.now.since(last) >= delay, "an address was asked too early");
        }
    }

    fn ends(&mut self, server: ServerId) {
        *self.active.get_mut(&server).unwrap() -= 1;
        self.last_end.insert(self.behaviour(server).address, self.now);
    }

    fn outcome(&mut self, server: ServerId, result: Result<u16, CauseKind>) -> (u64, Outcome) {
        let slowness = self.behaviour(server).slowness;
        let millis = self.draw() % (slowness + 1);
        let duration = Duration::from_millis(millis);
        let retry_after = (result == Ok(503)).then_some(SECOND * 3);
        let result = result.map_err(|kind| Cause::new(kind, ""));
        let end = self.now.plus(duration);
        (millis, Outcome { end, duration, retry_after, bytes: 1, result })
    }

    fn fetch(&mut self, pending: Pending) {
        assert!(!self.ended.contains(&pending.id), "fetched again");
        assert!(pending.not_before <= self.now, "fetched before its time");
        self.sends(pending.server);
        let failing = self.behaviour(pending.server).failing;
        let result = match self.draw() % failing.max(1) {
            1 => Err(CauseKind::Timeout),
            2 => Ok(503),
            3 => Ok(500),
            4 => Err(CauseKind::Protocol),
            _ => Ok(200),
        };
        let (millis, outcome) = self.outcome(pending.server, result);
        self.after(millis, Event::Request(pending, outcome));
    }

    fn fetch_robots(&mut self, server: ServerId, url: &Url) {
        self.sends(server);
        let (status, body) = match self.behaviour(server).robots {
            0 => (200, "User-agent: *\nCrawl-delay: 3\nDisallow: /1"),
            1 => (404, ""),
            2 => (503, ""),
            3 if url.path() == "/robots.txt" => (301, ""),
            _ => (200, ""),
        };
        let (millis, outcome) = self.outcome(server, Ok(status));
        let event = match status {
            301 => Event::Moved(server, outcome),
            _ => {
                let rules = RobotsRules::from_answer(status, body.as_bytes(), "auslese");
                Event::Robots(server, rules, outcome)
            }
        };
        self.after(millis, event);
    }

    fn refill(&mut self, server: ServerId, limit: usize) {
        let rows = self.store.get(&server).map(|rows| rows.values().cloned().collect());
        let mut rows: Vec<Pending> = rows.unwrap_or_default();
        let more = rows.len() > limit;
        rows.truncate(limit);
        self.scheduler.refilled(server, rows, more, self.now);
    }

    fn end(&mut self, server: ServerId, request: RequestId, again: Option<Pending>) {
        if again.is_none() {
            assert!(self.ended.insert(request), "ended twice");
        }
        self.uncommitted.push((server, request, again));
        if self.uncommitted.len() >= self.world.commit_every {
            self.commit();
        }
    }

    fn commit(&mut self) {
        for (server, request, again) in std::mem::take(&mut self.uncommitted) {
            let rows = self.store.get_mut(&server).unwrap();
            match again {
                Some(pending) => rows.insert(request, pending),
                None => rows.remove(&request),
            };
            self.scheduler.settled(server, &[request]);
        }
    }

    /// Goes to the next event, or to `time` if that is earlier.
    fn advance(&mut self, time: Option<Timestamp>) {
        let Some((&(when, number), _)) = self.events.first_key_value() else {
            self.commit();
            self.now = time.unwrap_or(self.now);
            return;
        };
        if let Some(time) = time
            && time < when
        {
            self.now = time;
            return;
        }
        self.now = when;
        match self.events.remove(&(when, number)).unwrap() {
            Event::Request(pending, outcome) => {
                self.ends(pending.server);
                match self.scheduler.finished(&pending, &outcome, self.now) {
                    Fate::Again { not_before, attempts, .. } => {
                        let (server, id) = (pending.server, pending.id);
                        let again = Pending { not_before, attempts, ..pending };
                        self.end(server, id, Some(again));
                    }
                    Fate::Done | Fate::Failed { .. } => self.end(pending.server, pending.id, None),
                }
            }
            Event::Robots(server, rules, outcome) => {
                self.ends(server);
                self.scheduler.robots_answered(server, rules, &outcome, self.now);
            }
            Event::Moved(server, outcome) => {
                self.ends(server);
                let to = "http://moved.example/elsewhere".parse().unwrap();
                self.scheduler.robots_redirected(server, to, &outcome, self.now);
            }
            Event::Address(server) => {
                let address = IpAddr::from([192, 0, 2, self.behaviour(server).address]);
                self.scheduler.resolved(server, Ok(Some(address)), self.now);
            }
        }
    }
}

fn world() -> impl Strategy<Value = World> {
    let behaviour = (0u8..4, 0usize..25, 0u64..3000, 0u8..5, 0u64..12).prop_map(
        |(address, requests, slowness, robots, failing)| Behaviour {
            address,
            requests,
            slowness,
            robots,
            failing,
        },
    );
    let servers = prop::collection::vec(behaviour, 0..10);
    let delay = prop_oneof![Just(0u64), Just(1000u64), Just(2500u64)];
    (servers, delay, 1u32..4, 1u32..3, 1u32..6, 1usize..12, 1usize..9).prop_map(
        |(servers, delay, per_server, per_group, connections, queue, commit_every)| World {
            servers,
            delay,
            per_server,
            per_group,
            connections,
            queue,
            commit_every,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// No address is asked before its delay is over, no server over too many connections, and
    /// everything is fetched, failed or refused in the end, once.
    #[test]
    fn every_world_is_crawled_politely(world in world()) {
        Simulation::new(world).run();
    }
}
