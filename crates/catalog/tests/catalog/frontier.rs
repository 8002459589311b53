//! Queues, leases, and what a crawl finds when it starts.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::collections::HashSet;
use std::time::Duration;

on_both_engines! {
    queues_are_served_in_order
    leases_are_fair_and_limited
    a_leased_server_is_left_alone
    finished_servers_sleep_until_requests_arrive
    recovery_waits_a_full_delay
    parked_requests_wait_for_a_verdict
    unreadable_requests_do_not_stop_a_queue
    the_next_moment_is_known
    workers_never_share_a_server
    what_is_known_can_be_read_back
}

fn ids(pending: &[Pending]) -> Vec<i64> {
    pending.iter().map(|pending| pending.id.0).collect()
}

fn clock(server: i64, next: i64, delay: u64) -> Clock {
    Clock {
        server: ServerId(server),
        address: None,
        last_end: NOW,
        next_at: seconds(next),
        delay: Duration::from_secs(delay),
        failures: 0,
    }
}

async fn queues_are_served_in_order(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let priorities = [(1, 10), (2, 5), (3, 10), (4, -3), (5, 5)];
    let offers = priorities.map(|(id, priority)| Offer { priority, ..offer(id, 1) }).to_vec();
    harvest.commit(Commit { servers: servers([1]), offers, ..Default::default() }).await;

    let terms = lease_terms("w", 1, 2, NOW, seconds(60));
    let lease = harvest.catalog.lease_servers(terms).await.unwrap().remove(0);
    assert_eq!(ids(&lease.pending), [4, 2]);
    assert!(lease.more);
    let taken: HashSet<RequestId> = lease.pending.iter().map(|pending| pending.id).collect();
    let catalog = &harvest.catalog;
    let rest = catalog.pending(ServerId(1), 2, NOW, &taken).await.unwrap();
    assert_eq!(ids(&rest), [5, 1]);
    // A request that arrives later may come first.
    let urgent = Offer { priority: -9, ..offer(6, 1) };
    harvest.commit(Commit { offers: vec![urgent], ..Default::default() }).await;
    let all = harvest.catalog.pending(ServerId(1), 100, NOW, &taken).await.unwrap();
    assert_eq!(ids(&all), [6, 5, 1, 3]);
    assert_eq!(harvest.catalog.pending(ServerId(9), 5, NOW, &taken).await.unwrap(), []);
}

async fn leases_are_fair_and_limited(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit {
        servers: servers(1..=100),
        offers: (1..=100).map(|id| offer(id, id)).collect(),
        // The higher its number, the longer a server has waited; 91 and up are not due.
        clocks: (1..=100).map(|id| clock(id, if id > 90 { 5 } else { -id }, 1)).collect(),
        ..Default::default()
    };
    harvest.commit(commit).await;
    let first = harvest.lease("a", 40).await;
    let order: Vec<i64> = first.iter().map(|lease| lease.server.0).collect();
    assert_eq!(order, (51..=90).rev().collect::<Vec<_>>());
    assert!(first.iter().all(|lease| lease.epoch == 1 && !lease.more));
    assert_eq!(harvest.lease("b", 1000).await.len(), 50);
    assert_eq!(harvest.lease("c", 1000).await.len(), 0);
    assert_eq!(harvest.lease_at("c", 1000, seconds(5)).await.len(), 10);
}

async fn a_leased_server_is_left_alone(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit {
        servers: servers([1, 2]),
        offers: vec![offer(1, 1), offer(2, 2)],
        clocks: vec![clock(1, 0, 7), clock(2, 0, 7)],
        ..Default::default()
    };
    harvest.commit(commit).await;
    assert_eq!(harvest.lease("a", 1).await[0].server, ServerId(1));
    assert_eq!(harvest.lease("b", 9).await[0].server, ServerId(2));

    // Only its worker can return it.
    harvest.catalog.release("b", &[ServerId(1), ServerId(2)]).await.unwrap();
    let lease = harvest.lease("b", 9).await.remove(0);
    assert_eq!((lease.server, lease.epoch), (ServerId(2), 2));
    assert_eq!(lease.clock.next_at, NOW, "a returned server need not wait");

    // A lease lasts as long as it is renewed; after it the server waits one full delay.
    assert_eq!(harvest.beat("a", seconds(200)).await, [(ServerId(1), 1)]);
    let late = harvest.lease_at("c", 9, seconds(100)).await;
    assert_eq!(late.iter().map(|lease| lease.server.0).collect::<Vec<_>>(), [2]);
    assert_eq!(late[0].clock.next_at, seconds(107));
    assert_eq!(harvest.beat("b", seconds(300)).await, []);
    assert_eq!(harvest.lease_at("c", 9, seconds(201)).await[0].epoch, 2);
}

async fn finished_servers_sleep_until_requests_arrive(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let offers = vec![offer(1, 1), parked(2, 2)];
    harvest.commit(Commit { servers: servers([1, 2, 3]), offers, ..Default::default() }).await;
    assert_eq!(harvest.lease("w", 9).await.len(), 1);
    harvest.commit(Commit { changes: vec![done(1, 1)], ..Default::default() }).await;
    harvest.catalog.release("w", &[ServerId(1)]).await.unwrap();
    assert_eq!(harvest.lease("w", 9).await, []);
    let idle = "SELECT 'h' || server_id FROM server_queue WHERE idle = 1 ORDER BY server_id";
    let names = harvest.place.texts(idle).await;
    assert_eq!(names.into_iter().flatten().collect::<Vec<_>>(), ["h1", "h2", "h3"]);

    // New requests, requests that go back into the queue, and verdicts wake a server.
    harvest.commit(Commit { offers: vec![offer(3, 3)], ..Default::default() }).await;
    assert_eq!(harvest.lease("w", 9).await[0].server, ServerId(3));
    let again = Change::Again { not_before: NOW, attempts: 0, cause: None };
    harvest.commit(Commit { changes: vec![change(1, again.clone())], ..Default::default() }).await;
    assert_eq!(harvest.lease("w", 9).await[0].server, ServerId(1));
    assert_eq!(harvest.catalog.change_parked(&[change(2, again)]).await.unwrap().len(), 1);
    assert_eq!(harvest.lease("w", 9).await[0].server, ServerId(2));
}

async fn recovery_waits_a_full_delay(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit {
        servers: servers([1, 2, 3]),
        offers: vec![offer(1, 1), offer(2, 2), offer(3, 3)],
        clocks: vec![clock(1, 0, 30), clock(2, 0, 0), clock(3, 0, 0)],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    assert_eq!(harvest.lease("w", 2).await.len(), 2);
    harvest.crash().await;

    let second = Duration::from_secs(1);
    let other = harvest.catalog.recover(Leases::Of("x"), NOW, second).await.unwrap();
    assert!(!other.unclean());
    let recovered = harvest.catalog.recover(Leases::All, NOW, second).await.unwrap();
    assert_eq!(recovered.leased, [ServerId(1), ServerId(2)]);
    assert_eq!(recovered.warcs, [warc()]);
    let again = harvest.catalog.recover(Leases::All, NOW, second).await.unwrap();
    assert!(!again.unclean());

    let due_at = |lease: &Lease| (lease.server.0, lease.clock.next_at);
    assert_eq!(harvest.lease("w", 9).await.iter().map(due_at).collect::<Vec<_>>(), [(3, NOW)]);
    let later = harvest.lease_at("w", 9, seconds(30)).await;
    let times: Vec<_> = later.iter().map(due_at).collect();
    assert_eq!(times, [(2, seconds(1)), (1, seconds(30))]);
}

async fn parked_requests_wait_for_a_verdict(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let secure = NewServer {
        id: ServerId(2),
        origin: Origin::parse("https://h1.example").unwrap(),
        label: None,
    };
    let commit = Commit {
        servers: vec![server(1), secure, server(3)],
        offers: (1..=9).map(|id| parked(id, id % 3 + 1)).chain([offer(10, 1)]).collect(),
        ..Default::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let host = |name: &str| HostName::parse(name).unwrap();
    let hosts = catalog.parked_hosts().await.unwrap();
    assert_eq!(hosts, [(host("h1.example"), 6), (host("h3.example"), 3)]);
    let first = catalog.parked(&host("h1.example"), RequestId(0), 4).await.unwrap();
    assert_eq!(ids(&first), [1, 3, 4, 6]);
    let rest = catalog.parked(&host("h1.example"), first[3].id, 4).await.unwrap();
    assert_eq!(ids(&rest), [7, 9]);

    let again = Change::Again { not_before: NOW, attempts: 0, cause: None };
    let refused = Change::Refused { cause: cause(CauseKind::Scope, "foreign") };
    let moves = [change(1, again), change(3, refused.clone()), change(10, refused)];
    let moved: Vec<RequestId> = catalog.change_parked(&moves).await.unwrap().into_iter().collect();
    assert_eq!(moved, [RequestId(1), RequestId(3)]);
    assert_eq!(harvest.state(1).await, Some(State::Queued));
    assert_eq!(harvest.state(3).await, Some(State::Refused));
    assert_eq!(harvest.state(10).await, Some(State::Queued), "it was not parked");
}

async fn unreadable_requests_do_not_stop_a_queue(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let offers = vec![offer(1, 1), offer(2, 1), offer(3, 1), offer(4, 2)];
    harvest.commit(Commit { servers: servers([1, 2]), offers, ..Default::default() }).await;
    harvest.place.sql("UPDATE request SET url = 'nonsense' WHERE id IN (1, 4)").await;
    harvest.place.sql("UPDATE request SET method = 'BREW' WHERE id = 2").await;
    let leases = harvest.lease("w", 9).await;
    assert_eq!(leases.len(), 1);
    assert_eq!(ids(&leases[0].pending), [3]);
    harvest.place.sql("UPDATE request SET method = 'GET' WHERE id = 2").await;
    for id in [1, 2, 4] {
        assert_eq!(harvest.state(id).await, Some(State::Failed), "{id}");
    }
    harvest.place.sql("UPDATE request SET url = 'nonsense' WHERE id = 3").await;
    let rest = harvest.catalog.pending(ServerId(1), 9, NOW, &HashSet::new()).await.unwrap();
    assert_eq!(rest, []);
    assert_eq!(harvest.state(3).await, Some(State::Failed));
}

async fn the_next_moment_is_known(place: Database) {
    let mut harvest = Harvest::new(place).await;
    assert_eq!(harvest.catalog.next_due(NOW).await.unwrap(), None);
    let commit = Commit {
        servers: servers([1, 2, 3]),
        offers: vec![offer(1, 1), offer(2, 2)],
        clocks: vec![clock(1, 5, 1), clock(2, 3, 1), clock(3, 1, 1)],
        changes: vec![change(
            2,
            Change::Again { not_before: seconds(4), attempts: 1, cause: None },
        )],
        ..Default::default()
    };
    harvest.commit(commit).await;
    assert_eq!(harvest.catalog.next_due(NOW).await.unwrap(), Some(seconds(4)));
    assert_eq!(harvest.lease_at("w", 9, seconds(4)).await.len(), 1);
    assert_eq!(harvest.catalog.next_due(NOW).await.unwrap(), Some(seconds(5)));
}

async fn workers_never_share_a_server(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit {
        servers: servers(1..=120),
        offers: (1..=120).map(|id| offer(id, id)).collect(),
        ..Default::default()
    };
    harvest.commit(commit).await;
    let mut workers = Vec::new();
    for number in 0..4 {
        let catalog = Catalog::open(&harvest.place.location, &CatalogSettings::default()).await;
        let catalog = catalog.unwrap();
        workers.push(tokio::spawn(async move {
            let worker = format!("worker {number}");
            let mut mine = Vec::new();
            loop {
                let terms = lease_terms(&worker, 7, 1, NOW, seconds(60));
                let leases = catalog.lease_servers(terms).await.unwrap();
                if leases.is_empty() {
                    return mine;
                }
                mine.extend(leases.into_iter().map(|lease| lease.server.0));
            }
        }));
    }
    let mut leased = Vec::new();
    for worker in workers {
        leased.extend(worker.await.unwrap());
    }
    // Workers skip candidates that others look at; whatever is left is leased afterwards.
    leased.extend(harvest.lease("last", 1000).await.into_iter().map(|lease| lease.server.0));
    leased.sort_unstable();
    assert_eq!(leased, (1..=120).collect::<Vec<_>>());
}

async fn what_is_known_can_be_read_back(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let offers: Vec<Offer> = (1..=2_500).map(|id| offer(id, id % 3 + 1)).collect();
    let mut keys: Vec<u64> = offers.iter().map(|offer| offer.key.short()).collect();
    let changes = vec![done(1, 1)];
    harvest
        .commit(Commit { servers: servers([1, 2, 3]), offers, changes, ..Default::default() })
        .await;

    let mut found = Vec::new();
    harvest.catalog.known_keys(&mut |key| found.push(key)).await.unwrap();
    keys.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, keys);

    let known = harvest.catalog.servers().await.unwrap();
    assert_eq!(known.len(), 3);
    assert_eq!((known[1].id, &known[1].origin), (ServerId(2), &server(2).origin));

    let (mut urls, mut threes) = (0, 0);
    let mut count = |queued: QueuedUrl<'_>| {
        urls += 1;
        threes += u32::from(queued.url.starts_with("http://h3.example/"));
    };
    harvest.catalog.queued_urls(&mut count).await.unwrap();
    assert_eq!((urls, threes), (2_499, 833));
}
