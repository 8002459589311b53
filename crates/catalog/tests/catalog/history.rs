//! Random histories of a crawl: offers, leases, results, lost answers, crashes. Beside the catalog
//! a plain map keeps what should be in it; the two must never differ, and at the end every request
//! must have been served.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const SERVERS: i64 = 5;
const PAGES: i64 = 40;

#[derive(Debug, Clone)]
enum Step {
    /// Pages to offer, parked or not; many are known already.
    Offer(Vec<(i64, bool)>),
    Lease {
        worker: bool,
        servers: usize,
    },
    /// Results for what is in hand, chosen by the numbers.
    Results(Vec<u8>),
    /// The answer to the last commit was lost: it is sent again.
    CommitAgain,
    /// A commit that must fail as a whole.
    Broken,
    Release,
    Verdicts,
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => prop::collection::vec((1..=PAGES, prop::bool::weighted(0.2)), 0..20)
            .prop_map(Step::Offer),
        4 => (any::<bool>(), 1..4usize)
            .prop_map(|(worker, servers)| Step::Lease { worker, servers }),
        5 => prop::collection::vec(any::<u8>(), 0..12).prop_map(Step::Results),
        1 => Just(Step::CommitAgain),
        1 => Just(Step::Broken),
        1 => Just(Step::Release),
        1 => Just(Step::Verdicts),
        1 => Just(Step::Crash),
    ]
}

/// What should be in the catalog.
#[derive(Debug, Default)]
struct Expected {
    /// Page, number of its request, state.
    states: BTreeMap<i64, (i64, State)>,
    captures: u64,
    leased: BTreeMap<i64, &'static str>,
    in_hand: Vec<(i64, i64)>,
    next_request: i64,
    next_capture: i64,
    now: i64,
}

impl Expected {
    fn has_queued(&self, server: i64) -> bool {
        self.states
            .iter()
            .any(|(page, (_, state))| server_of(*page) == server && *state == State::Queued)
    }
}

fn server_of(page: i64) -> i64 {
    page % SERVERS + 1
}

/// The request for a page under a number of its own.
fn offer_of(page: i64, id: i64, state: State) -> Offer {
    Offer { id: RequestId(id), state, ..offer(page, server_of(page)) }
}

#[test]
fn on_sqlite() {
    histories(40, Database::file);
}

#[test]
fn on_postgresql() {
    histories(10, Database::server);
}

fn histories(cases: u32, place: fn() -> Database) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&prop::collection::vec(step(), 1..40), |steps| {
            runtime.block_on(history(place(), steps));
            Ok(())
        })
        .unwrap();
}

async fn history(place: Database, steps: Vec<Step>) {
    let mut harvest = Harvest::new(place).await;
    let first = Commit { servers: servers(1..=SERVERS), ..Default::default() };
    harvest.commit(first.clone()).await;
    let (mut expected, mut last) = (Expected::default(), first);
    for step in steps {
        take(&mut harvest, &mut expected, &mut last, step).await;
        compare(&harvest, &expected).await;
    }
    finish(&mut harvest, &mut expected, &mut last).await;
}

async fn take(harvest: &mut Harvest, expected: &mut Expected, last: &mut Commit, step: Step) {
    expected.now += 1;
    match step {
        Step::Offer(pages) => {
            let mut commit = Commit::default();
            let mut new = BTreeSet::new();
            for (page, parked) in pages {
                expected.next_request += 1;
                let id = expected.next_request;
                let state = if parked { State::Parked } else { State::Queued };
                commit.offers.push(offer_of(page, id, state));
                expected.states.entry(page).or_insert_with(|| {
                    new.insert(page);
                    (id, state)
                });
            }
            assert_eq!(harvest.commit(commit.clone()).await, new.len() as u64);
            *last = commit;
        }
        Step::Lease { worker, servers } => {
            let worker = if worker { "a" } else { "b" };
            lease(harvest, expected, worker, servers).await;
        }
        Step::Results(fates) => *last = results(harvest, expected, &fates).await,
        Step::CommitAgain => {
            let outcome = harvest.again(last).await.unwrap();
            // After a crash the new run has no window yet, and there is nothing to repeat.
            if harvest.window > 0 {
                assert_eq!(outcome, Committed::AlreadyApplied);
            }
        }
        Step::Broken => {
            let mut broken = Commit { servers: servers([1]), ..Default::default() };
            broken.offers = vec![offer_of(PAGES + 1, 1_000_000, State::Queued)];
            harvest.try_commit(&broken).await.unwrap_err();
            harvest.window -= 1;
        }
        Step::Release => {
            let servers: Vec<ServerId> =
                expected.leased.keys().map(|server| ServerId(*server)).collect();
            harvest.catalog.release("a", &servers).await.unwrap();
            let kept = |server: &i64| expected.leased.get(server) == Some(&"b");
            expected.in_hand.retain(|(page, _)| kept(&server_of(*page)));
            expected.leased.retain(|_, worker| *worker == "b");
        }
        Step::Verdicts => {
            let again = Change::Again { not_before: NOW, attempts: 0, cause: None };
            let parked = expected.states.values_mut().filter(|(_, state)| *state == State::Parked);
            let moves: Vec<StateChange> = parked
                .map(|(id, state)| {
                    *state = State::Queued;
                    change(*id, again.clone())
                })
                .collect();
            let moved = harvest.catalog.change_parked(&moves).await.unwrap();
            assert_eq!(moved.len(), moves.len());
        }
        Step::Crash => {
            harvest.crash().await;
            // An empty window first, so that there is one to repeat.
            *last = Commit::default();
            harvest.commit(last.clone()).await;
            let now = seconds(expected.now);
            let recovered =
                harvest.catalog.recover(Leases::All, now, Duration::ZERO).await.unwrap();
            let leased: Vec<i64> = recovered.leased.iter().map(|server| server.0).collect();
            assert_eq!(leased, expected.leased.keys().copied().collect::<Vec<_>>());
            expected.leased.clear();
            expected.in_hand.clear();
        }
    }
}

async fn lease(harvest: &Harvest, expected: &mut Expected, worker: &'static str, servers: usize) {
    let now = seconds(expected.now);
    let until = seconds(1_000_000);
    let terms = lease_terms(worker, servers, 3, now, until);
    let leases = harvest.catalog.lease_servers(terms).await.unwrap();
    let free = (1..=SERVERS)
        .filter(|server| !expected.leased.contains_key(server) && expected.has_queued(*server))
        .count();
    assert_eq!(leases.len(), servers.min(free));
    for lease in leases {
        assert!(expected.leased.insert(lease.server.0, worker).is_none());
        let queued = expected.states.iter().filter(|(page, (_, state))| {
            server_of(**page) == lease.server.0 && *state == State::Queued
        });
        let mut queued: Vec<i64> = queued.map(|(_, (id, _))| *id).collect();
        queued.sort_unstable();
        assert_eq!(lease.more, queued.len() > 3);
        queued.truncate(3);
        let pending: Vec<i64> = lease.pending.iter().map(|pending| pending.id.0).collect();
        assert_eq!(pending, queued);
        for pending in lease.pending {
            let page = pending.request.target().trim_start_matches('/').parse().unwrap();
            expected.in_hand.push((page, pending.id.0));
        }
    }
}

/// Commits results for what is in hand, as many as there are fates.
async fn results(harvest: &mut Harvest, expected: &mut Expected, fates: &[u8]) -> Commit {
    let mut commit = Commit { warcs: vec![warc()], ..Default::default() };
    let count = fates.len().min(expected.in_hand.len());
    for ((page, id), fate) in expected.in_hand.drain(..count).zip(fates) {
        let trouble = cause(CauseKind::Timeout, "");
        let (state, change_to) = match fate % 4 {
            0 => (State::Failed, Change::Failed { cause: trouble }),
            1 => (State::Refused, Change::Refused { cause: trouble }),
            2 => (
                State::Queued,
                Change::Again { not_before: NOW, attempts: 1, cause: Some(trouble) },
            ),
            _ => {
                expected.next_capture += 1;
                expected.captures += 1;
                let number = expected.next_capture;
                commit.captures.push(capture(number, id, server_of(page), harvest.run));
                (State::Done, Change::Done { capture: CaptureId(number) })
            }
        };
        commit.changes.push(change(id, change_to));
        expected.states.insert(page, (id, state));
    }
    harvest.commit(commit.clone()).await;
    commit
}

async fn compare(harvest: &Harvest, expected: &Expected) {
    let status = harvest.catalog.status().await.unwrap();
    for state in State::ALL {
        let count = expected.states.values().filter(|(_, other)| *other == state).count();
        assert_eq!(status.requests[&state], count as u64, "{state:?}");
    }
    assert_eq!(status.captures, expected.captures);
    assert_eq!(status.leased_servers, expected.leased.len() as u64);
    let mut keys = BTreeSet::new();
    harvest.catalog.known_keys(&mut |key| assert!(keys.insert(key))).await.unwrap();
    assert_eq!(keys.len(), expected.states.len());
}

/// Serves every request that is left: none may be lost.
async fn finish(harvest: &mut Harvest, expected: &mut Expected, last: &mut Commit) {
    take(harvest, expected, last, Step::Crash).await;
    take(harvest, expected, last, Step::Verdicts).await;
    for _ in 0..=PAGES {
        lease(harvest, expected, "a", 10).await;
        while !expected.in_hand.is_empty() {
            results(harvest, expected, &[3; 50]).await;
        }
        take(harvest, expected, last, Step::Release).await;
    }
    compare(harvest, expected).await;
    assert!(expected.states.values().all(|(_, state)| *state != State::Queued));
    assert_eq!(harvest.catalog.check().await.unwrap(), Vec::<String>::new());
}
