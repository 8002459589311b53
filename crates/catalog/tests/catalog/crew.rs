//! Several workers on one catalog: names, leases of addresses, and windows that come too late.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

on_both_engines! {
    a_name_belongs_to_one_directory
    servers_at_one_address_are_lent_to_one_worker
    a_found_address_is_claimed
    the_address_of_a_dead_worker_waits
    a_window_of_a_lost_server_is_refused_whole
    a_dismissed_worker_commits_nothing
    what_others_found_first_is_not_new
    workers_hear_of_requests_for_their_servers
    everything_is_over_when_all_wait
    notes_are_read_by_every_worker
}

fn clock(server: i64, address: &str, last_end: i64, delay: u64) -> Clock {
    Clock {
        server: ServerId(server),
        address: Some(address.parse().unwrap()),
        last_end: seconds(last_end),
        next_at: NOW,
        delay: Duration::from_secs(delay),
        failures: 0,
    }
}

fn window(harvest: &mut Harvest) -> Window {
    harvest.window += 1;
    Window { run: harvest.run, number: harvest.window, at: NOW }
}

fn numbers(leases: &[Lease]) -> Vec<i64> {
    leases.iter().map(|lease| lease.server.0).collect()
}

async fn a_name_belongs_to_one_directory(place: Database) {
    let harvest = Harvest::new(place).await;
    assert_eq!(harvest.join("a", NOW).await, Joined { incarnation: 1, is_first: true });
    assert_eq!(harvest.join("b", NOW).await, Joined { incarnation: 1, is_first: false });
    let again = harvest.join("a", seconds(1)).await;
    assert_eq!(again, Joined { incarnation: 2, is_first: false });
    let join = async |identity, machine, at: i64| {
        let (now, alive_until) = (seconds(at), seconds(at + 60));
        let stage = "crawl";
        let joining = Joining { name: "a", stage, identity, machine, process: 2, now, alive_until };
        harvest.catalog.join(joining).await
    };
    let other = join("x", "here", 500).await;
    assert!(matches!(other, Err(CatalogError::NameTaken { .. })), "{other:?}");
    let elsewhere = join("a", "there", 2).await;
    assert!(matches!(elsewhere, Err(CatalogError::NameTaken { .. })), "{elsewhere:?}");
    // The directory was moved to another machine after its worker had died.
    assert!(join("a", "there", 500).await.is_ok());
}

async fn servers_at_one_address_are_lent_to_one_worker(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit {
        servers: servers([1, 2, 3]),
        offers: (1..=3).map(|id| offer(id, id)).collect(),
        clocks: vec![
            clock(1, "198.18.0.1", -9, 4),
            clock(2, "198.18.0.1", -1, 4),
            clock(3, "198.18.0.3", -9, 4),
        ],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let first = harvest.lease("a", 1).await;
    assert_eq!(numbers(&first), [1]);
    assert_eq!(first[0].group_next_at, seconds(3), "its neighbour was asked a second ago");
    assert_eq!(numbers(&harvest.lease("b", 9).await), [3]);
    assert_eq!(numbers(&harvest.lease("a", 0).await), [2], "beyond the limit, being a neighbour");
    harvest.catalog.release("a", &[ServerId(1)]).await.unwrap();
    assert!(harvest.lease("b", 9).await.is_empty(), "the address is lent still");
    harvest.catalog.release("a", &[ServerId(2)]).await.unwrap();
    assert_eq!(numbers(&harvest.lease("b", 9).await), [1, 2]);
}

async fn a_found_address_is_claimed(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let offers = (1..=2).map(|id| offer(id, id)).collect();
    harvest.commit(Commit { servers: servers([1, 2]), offers, ..Default::default() }).await;
    let claim = async |worker, server, epoch| {
        let claim = GroupClaim {
            worker,
            server: ServerId(server),
            epoch,
            address: "198.18.0.1".parse().unwrap(),
            now: NOW,
            until: seconds(60),
            delay: Duration::from_secs(1),
        };
        harvest.catalog.claim_group(claim).await.unwrap()
    };
    assert_eq!(numbers(&harvest.lease("a", 1).await), [1]);
    assert_eq!(numbers(&harvest.lease("b", 1).await), [2]);
    assert_eq!(claim("a", 1, 7).await, Claimed::Lost, "another epoch");
    assert_eq!(claim("a", 1, 1).await, Claimed::Granted { next_at: Timestamp(0) });
    assert_eq!(claim("b", 2, 1).await, Claimed::Held);
    assert!(harvest.lease("b", 9).await.is_empty());
    assert_eq!(numbers(&harvest.lease("a", 9).await), [2], "the other server comes to the address");
}

async fn the_address_of_a_dead_worker_waits(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit {
        servers: servers([1, 2]),
        offers: (1..=2).map(|id| offer(id, id)).collect(),
        clocks: vec![clock(1, "198.18.0.1", -100, 3), clock(2, "198.18.0.1", -100, 5)],
        ..Default::default()
    };
    harvest.commit(commit).await;
    harvest.lease("a", 1).await;
    assert!(harvest.lease_at("b", 9, seconds(60)).await.is_empty());
    let leases = harvest.lease_at("b", 9, seconds(61)).await;
    assert_eq!(numbers(&leases), [1, 2]);
    let holds: BTreeSet<Timestamp> = leases.iter().map(|lease| lease.group_next_at).collect();
    assert_eq!(holds, BTreeSet::from([seconds(66)]), "a full delay of the slowest there");

    // A worker that starts again finds its own leases only, and its addresses wait as well.
    let second = Duration::from_secs(1);
    let recovered = harvest.catalog.recover(Leases::Of("b"), seconds(70), second).await.unwrap();
    assert_eq!(recovered.leased, [ServerId(1), ServerId(2)]);
    let leases = harvest.lease_at("c", 9, seconds(100)).await;
    assert!(leases.iter().all(|lease| lease.group_next_at == seconds(75)), "{leases:?}");
}

async fn a_window_of_a_lost_server_is_refused_whole(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let offers = (1..=2).map(|id| offer(id, id)).collect();
    harvest.commit(Commit { servers: servers([1, 2]), offers, ..Default::default() }).await;
    let mine = harvest.lease("a", 9).await;
    let epochs: BTreeMap<ServerId, i64> =
        mine.iter().map(|lease| (lease.server, lease.epoch)).collect();
    let fence = Fence { worker: "a", epochs: &epochs };
    harvest.catalog.release("a", &[ServerId(2)]).await.unwrap();
    assert_eq!(numbers(&harvest.lease("b", 9).await), [2]);

    let commit = Commit {
        offers: vec![offer(5, 1)],
        changes: vec![done(1, 1), done(2, 2)],
        warcs: vec![warc()],
        ..Default::default()
    };
    let at = window(&mut harvest);
    let refused = harvest.catalog.commit_fenced(&commit, at, &fence).await.unwrap_err();
    let CatalogError::LeaseLost { servers } = &refused else { panic!("{refused:?}") };
    assert_eq!(servers, &[ServerId(2)]);
    assert!(!refused.is_temporary());
    assert_eq!(harvest.state(1).await, Some(State::Queued));
    assert_eq!(harvest.state(5).await, None);
    assert_eq!(harvest.catalog.warcs().await.unwrap(), []);

    // Without the lost server the same window is stored, once.
    let commit = Commit { changes: vec![done(1, 1)], ..commit };
    let epochs = BTreeMap::from([(ServerId(1), 1)]);
    let fence = Fence { worker: "a", epochs: &epochs };
    for _ in 0..2 {
        let settled = harvest.catalog.commit_fenced(&commit, at, &fence).await.unwrap();
        assert_eq!(settled, Settled::default());
    }
    assert_eq!(harvest.state(1).await, Some(State::Done));
    assert_eq!(harvest.state(5).await, Some(State::Queued));

    // A lease that was given back and taken again is another one.
    harvest.catalog.release("a", &[ServerId(1)]).await.unwrap();
    assert_eq!(harvest.lease("a", 9).await[0].epoch, 2);
    let at = window(&mut harvest);
    let refused = harvest.catalog.commit_fenced(&Commit::default(), at, &fence).await;
    assert!(matches!(refused, Err(CatalogError::LeaseLost { .. })), "{refused:?}");
}

async fn a_dismissed_worker_commits_nothing(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let first = harvest.join("w", NOW).await;
    // The run was begun before the worker joined, so joining again ends it.
    let second = harvest.join("w", NOW).await;
    let beat = heartbeat("w", first.incarnation, Doing::Working, seconds(60));
    let refused = harvest.catalog.heartbeat(beat).await;
    assert!(matches!(refused, Err(CatalogError::Replaced { .. })), "{refused:?}");
    let beat = heartbeat("w", second.incarnation, Doing::Working, seconds(60));
    assert_eq!(harvest.catalog.heartbeat(beat).await.unwrap(), []);
    let epochs = BTreeMap::new();
    let commit = Commit { warcs: vec![warc()], ..Default::default() };
    let at = window(&mut harvest);
    let fence = Fence { worker: "w", epochs: &epochs };
    let refused = harvest.catalog.commit_fenced(&commit, at, &fence).await;
    assert!(matches!(refused, Err(CatalogError::Replaced { .. })), "{refused:?}");
    assert_eq!(harvest.catalog.runs().await.unwrap()[0].outcome.as_deref(), Some("died"));
}

async fn what_others_found_first_is_not_new(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let commit = Commit {
        servers: servers([1]),
        offers: vec![offer(1, 1), offer(2, 1)],
        ..Default::default()
    };
    harvest.commit(commit).await;
    // Server 1 and its page 2 were found by another worker, under other numbers; a robots.txt was
    // fetched that others have only seen a link to, and led to something new.
    let renumbered = NewServer { id: ServerId(9), ..server(1) };
    let offers = vec![
        Offer { id: RequestId(20), server: ServerId(9), ..offer(2, 1) },
        Offer { id: RequestId(21), server: ServerId(9), ..offer(1, 1) },
        Offer { id: RequestId(22), via: Some(RequestId(21)), ..offer(22, 1) },
    ];
    let commit = Commit {
        servers: vec![renumbered],
        offers,
        changes: vec![done(21, 1)],
        captures: vec![capture(1, 21, 1, harvest.run)],
        warcs: vec![warc()],
        ..Default::default()
    };
    let at = window(&mut harvest);
    let (worker, epochs) = ("w", BTreeMap::new());
    let fence = Fence { worker, epochs: &epochs };
    for _ in 0..2 {
        let settled = harvest.catalog.commit_fenced(&commit, at, &fence).await.unwrap();
        assert_eq!(settled.known, BTreeSet::from([RequestId(20), RequestId(21)]));
        assert_eq!(settled.servers, [(ServerId(9), ServerId(1))]);
    }
    assert_eq!(harvest.state(1).await, Some(State::Done));
    assert_eq!(harvest.state(2).await, Some(State::Queued));
    let led = harvest.catalog.request(RequestId(22)).await.unwrap().unwrap();
    assert_eq!((led.server, led.via), (ServerId(1), Some(RequestId(1))));
    assert_eq!(harvest.catalog.servers().await.unwrap().len(), 1);
    assert_eq!(harvest.catalog.check().await.unwrap(), Vec::<String>::new());
}

async fn workers_hear_of_requests_for_their_servers(place: Database) {
    let mut harvest = Harvest::new(place).await;
    harvest.join("a", NOW).await;
    harvest.join("b", NOW).await;
    let offers = vec![offer(1, 1), offer(2, 2)];
    harvest.commit(Commit { servers: servers([1, 2, 3]), offers, ..Default::default() }).await;
    assert_eq!(numbers(&harvest.lease("a", 1).await), [1]);
    let mut listener = harvest.catalog.listen().await.unwrap();
    let offers = vec![offer(11, 1), offer(12, 2)];
    let commit = Commit { offers, ..Default::default() };
    let epochs = BTreeMap::new();
    let at = window(&mut harvest);
    let fence = Fence { worker: "b", epochs: &epochs };
    harvest.catalog.commit_fenced(&commit, at, &fence).await.unwrap();
    if !harvest.place.is_file() {
        tokio::time::timeout(Duration::from_secs(10), listener.hear()).await.unwrap().unwrap();
    }
    let other = harvest.catalog.look_around("b", NOW, NOW).await.unwrap();
    assert!(other.unheard && other.news.is_empty() && !other.is_over());
    let outlook = harvest.catalog.look_around("a", NOW, NOW).await.unwrap();
    assert_eq!((outlook.news, outlook.free, outlook.busy), (vec![ServerId(1)], 1, 1));
    let again = harvest.catalog.look_around("a", NOW, NOW).await.unwrap();
    assert!(again.news.is_empty() && !again.unheard);
}

async fn everything_is_over_when_all_wait(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let offers = vec![offer(1, 1)];
    harvest.commit(Commit { servers: servers([1]), offers, ..Default::default() }).await;
    let a = harvest.join("a", NOW).await.incarnation;
    let b = harvest.join("b", NOW).await.incarnation;
    let look = async |worker, at: i64| {
        harvest.catalog.look_around(worker, seconds(at), seconds(at)).await.unwrap()
    };
    let beat = async |worker, incarnation, doing| {
        let beat = heartbeat(worker, incarnation, doing, seconds(60));
        harvest.catalog.heartbeat(beat).await.unwrap();
    };
    assert_eq!(harvest.lease("b", 9).await.len(), 1);
    beat("b", b, Doing::Working).await;
    beat("a", a, Doing::Waiting).await;
    let outlook = look("a", 0).await;
    assert_eq!((outlook.busy, outlook.waiting, outlook.free), (1, 0, 0));
    assert!(!outlook.is_over(), "the other may find something");
    // It dies: its server can be leased.
    let outlook = look("a", 61).await;
    assert_eq!((outlook.busy, outlook.died, outlook.free), (0, 1, 1));
    assert_eq!(harvest.lease_at("a", 9, seconds(61)).await.len(), 1);
    let words = harvest.place.texts("SELECT doing FROM worker WHERE name = 'a'").await;
    assert_eq!(words, [Some("working".to_owned())], "who leases something does not wait");
    harvest.place.sql("UPDATE request SET state = 'done'").await;
    beat("a", a, Doing::Waiting).await;
    beat("b", b, Doing::Waiting).await;
    assert!(look("a", 1).await.is_over());
    assert!(!harvest.catalog.leave("a", a, seconds(2)).await.unwrap());
    assert!(harvest.catalog.leave("b", b, seconds(2)).await.unwrap());
    let workers = harvest.catalog.workers().await.unwrap();
    let shown: Vec<_> =
        workers.iter().map(|it| (it.name.as_str(), it.doing, it.captures, it.servers)).collect();
    assert_eq!(shown, [("a", Doing::Ended, 3, 1), ("b", Doing::Ended, 3, 0)]);
    assert!(!workers[0].is_alive(NOW));
}

async fn notes_are_read_by_every_worker(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let body = serde_json::json!({});
    let pause = catalog.write_control("pause", &body, NOW).await.unwrap();
    let kinds = |notes: Vec<Control>| notes.into_iter().map(|it| it.kind).collect::<Vec<_>>();
    assert_eq!(kinds(catalog.standing_controls(true).await.unwrap()), ["pause"]);
    catalog.apply_control(pause, NOW).await.unwrap();
    assert_eq!(kinds(catalog.standing_controls(true).await.unwrap()), [""; 0]);
    assert_eq!(kinds(catalog.standing_controls(false).await.unwrap()), ["pause"]);
    let resume = catalog.write_control("resume", &body, NOW).await.unwrap();
    catalog.apply_control(resume, NOW).await.unwrap();
    assert_eq!(kinds(catalog.controls_after(pause).await.unwrap()), ["resume"]);
    assert_eq!(catalog.newest_control().await.unwrap(), resume);
}
