//! The scheduler step by step.

use super::*;
use crate::{Fate, Outcome};
use auslese_model::{CauseKind, HopPath, Request, RobotsCopy};

pub(super) const SECOND: Duration = Duration::from_secs(1);

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(1_000_000 + seconds)
}

pub(super) fn pending(server: i64, id: i64) -> Pending {
    Pending {
        id: RequestId(id),
        server: ServerId(server),
        request: Request::get(format!("http://s{server}.example/{id}").parse().unwrap()),
        priority: 0,
        hops: HopPath::default(),
        via: None,
        via_url: None,
        attempts: 0,
        not_before: Timestamp::default(),
        known: None,
    }
}

pub(super) fn lease(server: i64, pending: Vec<Pending>) -> Lease {
    Lease {
        server: ServerId(server),
        origin: Origin::parse(&format!("http://s{server}.example")).unwrap(),
        label: None,
        clock: Clock {
            server: ServerId(server),
            address: None,
            last_end: Timestamp::default(),
            next_at: Timestamp::default(),
            delay: Duration::ZERO,
            failures: 0,
        },
        group_next_at: Timestamp::default(),
        epoch: 1,
        robots: None,
        pending,
        more: false,
        captures: 0,
        bytes: 0,
    }
}

fn ended(seconds: i64, result: Result<u16, CauseKind>) -> Outcome {
    Outcome {
        end: at(seconds),
        duration: Duration::from_millis(100),
        retry_after: None,
        bytes: 10,
        result: result.map_err(|kind| Cause::new(kind, "")),
    }
}

pub(super) fn settings() -> CrawlSettings {
    CrawlSettings::default()
}

/// A server at its address, with its robots.txt read, that ended its last answer at second 0.
fn opened(settings: &CrawlSettings, server: i64, robots: &str, count: i64) -> Scheduler {
    let mut scheduler = Scheduler::new(settings, Used::default(), at(0));
    let requests = (1..=count).map(|id| pending(server, id)).collect();
    scheduler.add_server(lease(server, requests), at(0));
    open(&mut scheduler, server, robots);
    scheduler
}

fn open(scheduler: &mut Scheduler, server: i64, robots: &str) {
    let id = ServerId(server);
    if let Next::Resolve { .. } = scheduler.next(at(0)) {
        scheduler.resolved(id, Ok(Some("192.0.2.1".parse().unwrap())), at(0));
        assert!(matches!(scheduler.next(at(0)), Next::Robots { .. }));
    }
    let rules = RobotsRules::from_answer(200, robots.as_bytes(), "auslese");
    scheduler.robots_answered(id, rules, &ended(0, Ok(200)), at(0));
}

fn fetch(scheduler: &mut Scheduler, seconds: i64) -> Pending {
    match scheduler.next(at(seconds)) {
        Next::Fetch(pending) => pending,
        other => panic!("{other:?} at {seconds}"),
    }
}

#[test]
fn prerequisites_come_first() {
    let mut scheduler = Scheduler::new(&settings(), Used::default(), at(0));
    scheduler.add_server(lease(1, vec![pending(1, 1)]), at(0));
    assert!(matches!(scheduler.next(at(0)), Next::Resolve { .. }));
    assert_eq!(scheduler.next(at(0)), Next::Idle);
    scheduler.resolved(ServerId(1), Ok(Some("192.0.2.1".parse().unwrap())), at(0));
    match scheduler.next(at(0)) {
        Next::Robots { url, .. } => assert_eq!(url.as_str(), "http://s1.example/robots.txt"),
        other => panic!("{other:?}"),
    }
    assert_eq!(scheduler.next(at(0)), Next::Idle);
    let to: Url = "https://s1.example/robots.txt".parse().unwrap();
    scheduler.robots_redirected(ServerId(1), to.clone(), &ended(1, Ok(301)), at(1));
    assert_eq!(scheduler.next(at(1)), Next::Wait(at(3)));
    assert_eq!(scheduler.next(at(3)), Next::Robots { server: ServerId(1), url: to });
    let rules = RobotsRules::from_answer(404, b"", "auslese");
    scheduler.robots_answered(ServerId(1), rules, &ended(4, Ok(404)), at(4));
    assert_eq!(scheduler.next(at(5)), Next::Wait(at(6)));
    assert_eq!(fetch(&mut scheduler, 6).id, RequestId(1));
}

#[test]
fn the_delay_runs_from_the_end() {
    let mut scheduler = opened(&settings(), 1, "", 3);
    assert_eq!(scheduler.next(at(1)), Next::Wait(at(2)));
    let first = fetch(&mut scheduler, 2);
    assert_eq!(scheduler.next(at(100)), Next::Idle);
    assert_eq!(scheduler.finished(&first, &ended(100, Ok(200)), at(100)), Fate::Done);
    assert_eq!(scheduler.next(at(101)), Next::Wait(at(102)));
    fetch(&mut scheduler, 102);
}

#[test]
fn robots_delay_and_rules_count() {
    let mut scheduler = opened(&settings(), 1, "User-agent: *\nCrawl-delay: 7\nDisallow: /1", 2);
    assert_eq!(scheduler.next(at(1)), Next::Wait(at(7)));
    match scheduler.next(at(7)) {
        Next::Refuse { pending, cause, .. } => {
            assert_eq!((pending.id, cause.kind), (RequestId(1), CauseKind::Robots));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(fetch(&mut scheduler, 7).id, RequestId(2));
}

#[test]
fn robots_expire_but_count_on_if_unreachable() {
    let mut scheduler = opened(&settings(), 1, "User-agent: *\nDisallow: /2", 2);
    let day = 24 * 3600;
    assert!(matches!(scheduler.next(at(day)), Next::Robots { .. }));
    let rules = RobotsRules::from_answer(500, b"", "auslese");
    scheduler.robots_answered(ServerId(1), rules, &ended(day, Ok(500)), at(day));
    assert_eq!(fetch(&mut scheduler, day + 2).id, RequestId(1));
    assert!(scheduler.robots(ServerId(1)).is_some());
}

#[test]
fn unreachable_robots_refuse_for_a_time() {
    let mut scheduler = Scheduler::new(&settings(), Used::default(), at(0));
    let mut lease = lease(1, vec![pending(1, 1)]);
    lease.clock.address = Some("192.0.2.1".parse().unwrap());
    scheduler.add_server(lease, at(0));
    let mut now = 0;
    for _ in 0..3 {
        while !matches!(scheduler.next(at(now)), Next::Robots { .. }) {
            now += 1;
        }
        let rules = RobotsRules::from_answer(0, b"", "auslese");
        let outcome = ended(now, Err(CauseKind::Timeout));
        scheduler.robots_answered(ServerId(1), rules, &outcome, at(now));
    }
    let until = match scheduler.next(at(now)) {
        Next::Refuse { cause, until: Some(until), .. } => {
            assert_eq!(cause.kind, CauseKind::RobotsUnknown);
            until
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(until, at(now + 3600));
    scheduler.settled(ServerId(1), &[RequestId(1)]);
    assert!(scheduler.is_finished());
    scheduler.push(pending(1, 2), at(now + 10));
    assert!(matches!(scheduler.next(at(now + 10)), Next::Refuse { .. }));
    scheduler.push(pending(1, 3), at(now + 3600));
    assert!(matches!(scheduler.next(at(now + 3600)), Next::Robots { .. }));
}

#[test]
fn trouble_backs_off_and_is_given_up() {
    let mut scheduler = opened(&settings(), 1, "", 30);
    let mut now = 2;
    let mut gaps = Vec::new();
    for _ in 0..9 {
        let request = fetch(&mut scheduler, now);
        scheduler.finished(&request, &ended(now, Err(CauseKind::Connect)), at(now));
        match scheduler.next(at(now)) {
            Next::Wait(time) => {
                gaps.push(time.since(at(now)).as_secs());
                now = at(0).0.abs_diff(time.0).div_ceil(1_000_000) as i64;
            }
            other => panic!("{other:?}"),
        }
    }
    let bounds =
        [(2, 3), (4, 6), (8, 12), (16, 24), (32, 48), (64, 96), (128, 192), (256, 384), (300, 450)];
    for (gap, (low, high)) in gaps.iter().zip(bounds) {
        assert!((low..=high).contains(gap), "{gaps:?}");
    }
    let last = fetch(&mut scheduler, now);
    scheduler.finished(&last, &ended(now, Err(CauseKind::Connect)), at(now));
    match scheduler.next(at(now)) {
        Next::Refuse { cause, .. } => {
            assert!(cause.detail.starts_with("given up after 10 failures in a row"), "{cause}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn retry_after_holds_the_server_but_not_its_group() {
    let mut scheduler = opened(&settings(), 1, "", 2);
    let request = fetch(&mut scheduler, 2);
    let outcome = Outcome { retry_after: Some(SECOND * 60), ..ended(3, Ok(503)) };
    assert!(matches!(scheduler.finished(&request, &outcome, at(3)), Fate::Again { .. }));
    assert_eq!(scheduler.next(at(3)), Next::Wait(at(63)));
    let mut neighbour = lease(2, vec![pending(2, 10)]);
    neighbour.clock.address = Some("192.0.2.1".parse().unwrap());
    scheduler.add_server(neighbour, at(3));
    assert_eq!(scheduler.next(at(3)), Next::Wait(at(5)));
    assert!(matches!(scheduler.next(at(5)), Next::Robots { .. }));
}

#[test]
fn no_delay_means_none_at_all() {
    let mut settings = settings();
    settings.politeness.delay = Duration::ZERO;
    let mut scheduler = Scheduler::new(&settings, Used::default(), at(0));
    scheduler.add_server(lease(1, (1..=20).map(|id| pending(1, id)).collect()), at(0));
    assert!(matches!(scheduler.next(at(0)), Next::Robots { .. }));
    let rules = RobotsRules::from_answer(200, b"User-agent: *\nCrawl-delay: 9", "auslese");
    scheduler.robots_answered(ServerId(1), rules, &ended(0, Ok(200)), at(0));
    let sent: Vec<Pending> = (0..8).map(|_| fetch(&mut scheduler, 0)).collect();
    assert_eq!(scheduler.next(at(0)), Next::Idle);
    let busy = Outcome { retry_after: Some(SECOND * 60), ..ended(0, Ok(503)) };
    scheduler.finished(&sent[0], &busy, at(0));
    fetch(&mut scheduler, 0);
}

#[test]
fn hosts_have_exceptions() {
    let settings: CrawlSettings =
        toml::from_str("[hosts.'s1.example']\ndelay = '10s'\nobey_robots = false").unwrap();
    let mut scheduler = Scheduler::new(&settings, Used::default(), at(0));
    scheduler.add_server(lease(1, vec![pending(1, 1), pending(1, 2)]), at(0));
    assert!(matches!(scheduler.next(at(0)), Next::Resolve { .. }));
    scheduler.resolved(ServerId(1), Ok(None), at(0));
    let first = fetch(&mut scheduler, 0);
    scheduler.finished(&first, &ended(0, Ok(200)), at(0));
    assert_eq!(scheduler.next(at(0)), Next::Wait(at(10)));
}

#[test]
fn budgets_end_the_crawl_and_retire_servers() {
    let text = "[budget]\nmax_pages = 2\nmax_time = '1h'\nper_server.max_pages = 1";
    let settings: CrawlSettings = toml::from_str(text).unwrap();
    let mut scheduler = opened(&settings, 1, "", 5);
    let first = fetch(&mut scheduler, 2);
    scheduler.finished(&first, &ended(3, Ok(200)), at(3));
    assert_eq!(scheduler.next(at(10)), Next::Wait(at(3600)));
    assert_eq!(scheduler.counts(at(10)).retired, 1);
    assert_eq!(scheduler.push(pending(1, 9), at(10)), Pushed::Left);
    let mut other = lease(2, vec![pending(2, 10), pending(2, 11)]);
    other.clock.address = Some("192.0.2.2".parse().unwrap());
    let url = "http://s2.example/robots.txt".parse().unwrap();
    scheduler.add_server(other, at(10));
    assert_eq!(scheduler.next(at(10)), Next::Robots { server: ServerId(2), url });
    scheduler.robots_answered(ServerId(2), RobotsRules::allow_all(), &ended(10, Ok(404)), at(10));
    let second = fetch(&mut scheduler, 12);
    scheduler.finished(&second, &ended(12, Ok(200)), at(12));
    assert_eq!(scheduler.next(at(12)), Next::Done(BudgetReached::Pages(2)));
}

#[test]
fn clocks_survive() {
    let mut scheduler = opened(&settings(), 1, "User-agent: *\nCrawl-delay: 5", 3);
    let clock = scheduler.clocks_to_save().remove(0);
    assert_eq!((clock.last_end, clock.next_at, clock.delay), (at(0), at(5), SECOND * 5));
    assert_eq!(clock.address, Some("192.0.2.1".parse().unwrap()));
    assert!(scheduler.clocks_to_save().is_empty());
    let mut next_run = Scheduler::new(&settings(), Used::default(), at(1));
    let robots = RobotsCopy {
        server: ServerId(1),
        fetched: at(0),
        expires: at(3600),
        status: 200,
        body: Vec::new(),
    };
    next_run.add_server(
        Lease { clock: clock.clone(), robots: Some(robots), ..lease(1, vec![pending(1, 1)]) },
        at(1),
    );
    next_run.start_after(ServerId(1), at(1).plus(next_run.delay(ServerId(1)).unwrap()));
    assert_eq!(next_run.next(at(5)), Next::Wait(at(6)));
    fetch(&mut next_run, 6);
    // A clock from a time that was wrong does not stop a server for ever.
    let wrong = Clock { next_at: at(10_000_000), ..clock };
    let mut third = Scheduler::new(&settings(), Used::default(), at(1));
    third.add_server(Lease { clock: wrong, ..lease(1, vec![pending(1, 1)]) }, at(1));
    assert_eq!(third.next(at(1)), Next::Wait(at(601)));
}

#[test]
fn pausing_and_dropping() {
    let mut scheduler = opened(&settings(), 1, "", 4);
    scheduler.pause();
    assert_eq!(scheduler.next(at(50)), Next::Idle);
    scheduler.resume();
    let dropped = scheduler.drop_matching(|pending| pending.id.0 != 3);
    assert_eq!(dropped.len(), 3);
    assert_eq!(fetch(&mut scheduler, 50).id, RequestId(3));
}

#[test]
fn priorities_and_full_queues() {
    let mut settings = settings();
    settings.frontier.queue = 2;
    let mut scheduler = opened(&settings, 1, "", 1);
    let with_priority = |id, priority| Pending { priority, ..pending(1, id) };
    assert_eq!(scheduler.push(with_priority(2, 5), at(0)), Pushed::Queued);
    assert_eq!(scheduler.push(with_priority(3, 9), at(0)), Pushed::Left);
    assert_eq!(scheduler.push(with_priority(4, -1), at(0)), Pushed::Queued);
    let first = fetch(&mut scheduler, 2);
    assert_eq!(first.id, RequestId(4));
    scheduler.finished(&first, &ended(2, Ok(200)), at(2));
    assert_eq!(fetch(&mut scheduler, 4).id, RequestId(1));
    let refill = scheduler.next(at(4));
    assert!(
        matches!(refill, Next::Refill { server: ServerId(1), limit } if limit >= 4),
        "{refill:?}"
    );
    // The store still counts the two that were sent as queued.
    scheduler.refilled(ServerId(1), [1, 2, 3, 4].map(|id| pending(1, id)).to_vec(), false, at(4));
    assert_eq!(scheduler.counts(at(4)).queued, 2);
}

#[test]
fn few_requests_of_each_server_are_in_memory_however_many_there_are() {
    let settings = settings();
    let limit = settings.frontier.queue;
    assert_eq!(limit, 256);
    let mut scheduler = opened(&settings, 1, "", 1);
    let longest = |scheduler: &Scheduler| scheduler.queue_lengths().map(|(_, it)| it).max();
    let mut left = 0;
    for id in 10..100_010 {
        let pushed = scheduler.push(pending(1, id), at(0));
        left += usize::from(pushed == Pushed::Left);
        assert!(longest(&scheduler) <= Some(limit));
    }
    assert_eq!(left, 100_000 - limit + 1, "the rest is left to the store");
    // A store that answers with more than was asked for changes nothing.
    scheduler.refilled(
        ServerId(1),
        (10..5_000).map(|id| pending(1, 2 * id)).collect(),
        true,
        at(1),
    );
    assert_eq!(longest(&scheduler), Some(limit));
}

#[test]
fn counts_name_the_bottleneck() {
    let mut scheduler = opened(&settings(), 1, "", 2);
    let counts = scheduler.counts(at(1));
    assert_eq!((counts.waiting, counts.waiting_until, counts.queued), (1, Some(at(2)), 2));
    assert_eq!(counts.bottleneck(), Bottleneck::Politeness);
    fetch(&mut scheduler, 2);
    assert_eq!(scheduler.counts(at(3)).bottleneck(), Bottleneck::Network);
}

#[test]
fn many_servers_at_fewer_addresses() {
    let mut settings = settings();
    settings.politeness.lookups = usize::MAX;
    settings.politeness.connections = u32::MAX;
    let mut scheduler = Scheduler::new(&settings, Used::default(), at(0));
    let count = 10_000;
    for server in 0..count {
        let requests = vec![pending(server, server)];
        let clock = Clock {
            address: Some(IpAddr::from((server as u32 % 5_000).to_be_bytes())),
            ..lease(server, Vec::new()).clock
        };
        scheduler.add_server(Lease { clock, ..lease(server, requests) }, at(0));
    }
    let asked = (0..).take_while(|_| matches!(scheduler.next(at(1)), Next::Robots { .. })).count();
    assert_eq!(asked, 5_000);
}

#[test]
fn a_store_with_later_requests_only_is_asked_again() {
    let mut scheduler = Scheduler::new(&settings(), Used::default(), at(0));
    scheduler.add_server(Lease { more: true, ..lease(1, Vec::new()) }, at(0));
    assert_eq!(scheduler.next(at(0)), Next::Wait(at(5)));
    let refill = Next::Refill { server: ServerId(1), limit: 256 };
    assert_eq!(scheduler.next(at(5)), refill);
    scheduler.refilled(ServerId(1), Vec::new(), true, at(5));
    assert_eq!(scheduler.next(at(6)), Next::Wait(at(10)));
    assert!(!scheduler.is_finished());
    assert_eq!(scheduler.next(at(10)), refill);
    scheduler.refilled(ServerId(1), Vec::new(), false, at(10));
    assert_eq!(scheduler.next(at(20)), Next::Idle);
    assert!(scheduler.is_finished());
}
