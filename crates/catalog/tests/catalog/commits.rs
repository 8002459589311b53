//! Commits: whole or not at all, and never twice.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::time::Duration;

on_both_engines! {
    a_window_is_stored_once
    a_failed_window_leaves_nothing
    known_requests_are_not_offered_again
    requests_change_their_state
    the_last_word_on_a_row_counts
    servers_keep_signs_clocks_and_sums
    long_and_odd_texts_are_stored
    large_windows
}

async fn a_window_is_stored_once(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit { servers: servers([1]), offers: vec![offer(1, 1)], ..Default::default() };
    assert_eq!(harvest.try_commit(&commit).await.unwrap(), Committed::Applied { new_requests: 1 });
    assert_eq!(harvest.again(&commit).await.unwrap(), Committed::AlreadyApplied);
    harvest.window = 0;
    assert_eq!(harvest.again(&commit).await.unwrap(), Committed::AlreadyApplied);
    assert_eq!(harvest.catalog.runs().await.unwrap()[0].last_window, 1);

    harvest.run = RunId(77);
    let unknown = harvest.again(&commit).await;
    assert!(matches!(unknown, Err(CatalogError::Conflict { .. })), "{unknown:?}");
    // Another run counts its windows anew.
    harvest.crash().await;
    assert_eq!(harvest.commit(Commit::default()).await, 0);
}

async fn a_failed_window_leaves_nothing(place: Database) {
    let mut harvest = Harvest::new(place).await;
    harvest.commit(Commit { servers: servers([1]), ..Default::default() }).await;
    let broken = Commit {
        servers: servers([2]),
        offers: vec![offer(1, 1)],
        captures: vec![capture(1, 1, 1, harvest.run), capture(1, 1, 1, harvest.run)],
        warcs: vec![warc()],
        ..Default::default()
    };
    let refused = harvest.try_commit(&broken).await.unwrap_err();
    assert!(matches!(refused, CatalogError::Conflict { .. }) && !refused.is_temporary());
    assert_eq!(harvest.catalog.servers().await.unwrap().len(), 1);
    assert_eq!(harvest.state(1).await, None);
    assert!(harvest.catalog.warcs().await.unwrap().is_empty());
    // The window's number is free again.
    let mended = Commit { captures: vec![capture(1, 1, 1, harvest.run)], ..broken };
    assert_eq!(harvest.again(&mended).await.unwrap(), Committed::Applied { new_requests: 1 });
}

async fn known_requests_are_not_offered_again(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let first = Commit {
        servers: servers([1]),
        offers: (1..=50).map(|id| offer(id, 1)).collect(),
        changes: vec![done(3, 1)],
        ..Default::default()
    };
    assert_eq!(harvest.commit(first).await, 50);
    let mut repeats: Vec<Offer> = (1..=50).map(|id| offer(id, 1)).collect();
    for repeat in &mut repeats {
        repeat.id.0 += 1000;
    }
    repeats.push(offer(51, 1));
    repeats.push(Offer { id: RequestId(2000), ..offer(51, 1) });
    assert_eq!(harvest.commit(Commit { offers: repeats, ..Default::default() }).await, 1);
    assert_eq!(harvest.state(3).await, Some(State::Done));
    assert_eq!(harvest.state(1003).await, None);
    let keys = [offer(3, 1).key, offer(51, 1).key, offer(99, 1).key];
    let found = harvest.catalog.find_keys(&keys).await.unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(found[&keys[1]].id, RequestId(51));
}

async fn requests_change_their_state(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let refused = cause(CauseKind::Scope, "host");
    let offers = vec![
        offer(1, 1),
        offer(2, 1),
        offer(3, 1),
        offer(4, 1),
        Offer { state: State::Refused, cause: Some(refused.clone()), ..offer(5, 1) },
    ];
    harvest.commit(Commit { servers: servers([1]), offers, ..Default::default() }).await;
    let timeout = cause(CauseKind::Timeout, "after 30 s");
    let again = |attempts| Change::Again {
        not_before: seconds(60),
        attempts,
        cause: Some(timeout.clone()),
    };
    let changes = vec![
        done(1, 7),
        change(2, Change::Failed { cause: timeout.clone() }),
        change(3, Change::Refused { cause: cause(CauseKind::Robots, "/") }),
        change(4, again(2)),
    ];
    harvest.commit(Commit { changes, ..Default::default() }).await;

    #[rustfmt::skip]
    let expected = [
        // id, state,        cause,                             attempts, capture
        (1, State::Done,     None,                              0, Some(CaptureId(7))),
        (2, State::Failed,   Some(timeout.clone()),             0, None),
        (3, State::Refused,  Some(cause(CauseKind::Robots, "/")), 0, None),
        (4, State::Queued,   Some(timeout.clone()),             2, None),
        (5, State::Refused,  Some(refused),                     0, None),
    ];
    for (id, state, cause, attempts, capture) in expected {
        let known = harvest.catalog.request(RequestId(id)).await.unwrap().unwrap();
        assert_eq!(
            (known.state, known.cause, known.attempts, known.capture),
            (state, cause, attempts, capture),
            "{id}"
        );
    }
    assert_eq!(harvest.lease_at("w", 9, seconds(59)).await, []);
    let leases = harvest.lease_at("w", 9, seconds(60)).await;
    assert_eq!(leases[0].pending[0].attempts, 2);
}

async fn the_last_word_on_a_row_counts(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let clock = |next| Clock {
        server: ServerId(1),
        address: None,
        last_end: NOW,
        next_at: seconds(next),
        delay: Duration::from_millis(1500),
        failures: 1,
    };
    let robots = |status| RobotsCopy {
        server: ServerId(1),
        fetched: NOW,
        expires: seconds(86_400),
        status,
        body: b"User-agent: *".to_vec(),
    };
    let commit = Commit {
        servers: servers([1]),
        offers: vec![offer(1, 1)],
        changes: vec![done(1, 1), change(1, Change::Failed { cause: cause(CauseKind::Tls, "") })],
        clocks: vec![clock(-5), clock(-3)],
        robots: vec![robots(404), robots(200)],
        warcs: vec![warc(), WarcProgress { length: 2_000_000, ..warc() }],
        ..Default::default()
    };
    harvest.commit(commit).await;
    assert_eq!(harvest.state(1).await, Some(State::Failed));
    assert_eq!(harvest.catalog.warcs().await.unwrap()[0].length, 2_000_000);
    harvest.commit(Commit { offers: vec![offer(2, 1)], ..Default::default() }).await;
    let lease = &harvest.lease("w", 1).await[0];
    assert_eq!(lease.clock, clock(-3));
    assert_eq!(lease.robots, Some(robots(200)));
}

async fn servers_keep_signs_clocks_and_sums(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let address = Some("2001:db8::1".parse().unwrap());
    let clock = Clock {
        server: ServerId(1),
        address,
        last_end: NOW,
        next_at: NOW,
        delay: Duration::from_secs(2),
        failures: 0,
    };
    let sign = |software: Option<&str>| ServerSigns {
        server: ServerId(1),
        software: software.map(str::to_owned),
        http_version: "HTTP/1.0".to_owned(),
    };
    for number in 1..=2 {
        let commit = Commit {
            servers: if number == 1 { servers([1, 2]) } else { Vec::new() },
            offers: vec![offer(number, 1), offer(number + 10, 1)],
            captures: vec![capture(number, number, 1, harvest.run)],
            changes: vec![done(number, number)],
            signs: vec![sign((number == 1).then_some("Apache/1.3"))],
            clocks: vec![Clock { address: address.filter(|_| number == 1), ..clock.clone() }],
            warcs: vec![warc()],
            ..Default::default()
        };
        harvest.commit(commit).await;
    }
    let queues = harvest.catalog.server_queues(10).await.unwrap();
    assert_eq!(queues.len(), 2);
    let queue = &queues[0];
    assert_eq!((queue.captures, queue.bytes, queue.queued), (2, 2000, 2));
    // A later answer without a Server header does not make the server forget its name.
    assert_eq!(queue.software.as_deref(), Some("Apache/1.3"));
    assert_eq!(queue.clock, clock);
    assert_eq!(queue.label.as_deref(), Some("GI"));
    let lease = &harvest.lease("w", 1).await[0];
    assert_eq!((lease.captures, lease.bytes), (2, 2000));
}

async fn long_and_odd_texts_are_stored(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let host = format!("{}.example", ["a23456789"; 24].join("."));
    let origin = Origin::parse(&format!("https://{host}:8443")).unwrap();
    let long = format!("https://{host}:8443/{}", "ä'\"\\%00/".repeat(5_000));
    let request = Request::new(
        Method::Post,
        long.parse().unwrap(),
        Some(("text/plain".to_owned(), vec![0, 1, 255])),
    )
    .unwrap();
    let offer = Offer { key: request.key(&long), request: request.clone(), ..offer(1, 1) };
    let failed = cause(CauseKind::Protocol, "garbage \0 \u{1} 'quoted'; DROP TABLE request; --");
    let commit = Commit {
        servers: vec![NewServer { id: ServerId(1), origin: origin.clone(), label: None }],
        offers: vec![offer],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let lease = harvest.lease("it's me", 1).await.remove(0);
    assert_eq!((lease.origin, lease.label), (origin, None));
    assert_eq!(lease.pending[0].request, request);

    let changes = vec![change(1, Change::Failed { cause: failed })];
    harvest.commit(Commit { changes, ..Default::default() }).await;
    let known = harvest.catalog.request(RequestId(1)).await.unwrap().unwrap();
    let detail = "garbage \u{2400} \u{1} 'quoted'; DROP TABLE request; --";
    assert_eq!(known.cause, Some(cause(CauseKind::Protocol, detail)));
    assert_eq!(known.method, Method::Post);
}

async fn large_windows(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let commit = Commit {
        servers: servers(1..=200),
        offers: (1..=3_001).map(|id| offer(id, id % 200 + 1)).collect(),
        captures: (1..=517).map(|id| capture(id, id, id % 200 + 1, run)).collect(),
        changes: (1..=517).map(|id| done(id, id)).collect(),
        warcs: vec![warc()],
        ..Default::default()
    };
    assert_eq!(harvest.commit(commit).await, 3_001);
    let status = harvest.catalog.status().await.unwrap();
    assert_eq!(status.requests[&State::Done], 517);
    assert_eq!(status.requests[&State::Queued], 3_001 - 517);
    assert_eq!(status.captures, 517);
    let again = Change::Again { not_before: NOW, attempts: 1, cause: None };
    let changes = (1..=9_000).map(|id| change(id, again.clone())).collect();
    harvest.commit(Commit { changes, ..Default::default() }).await;
    assert_eq!(harvest.catalog.status().await.unwrap().requests[&State::Queued], 3_001);
    assert_eq!(harvest.lease("w", 1000).await.len(), 200);
    assert_eq!(harvest.catalog.check().await.unwrap(), Vec::<String>::new());
}
