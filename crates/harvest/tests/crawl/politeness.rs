//! Politeness, by the servers' own logs: from the end of a response to the next request.
//!
//! A pause is never shorter than the delay; how much longer it is depends on the machine and is not
//! looked at.

use crate::field::{Field, until};
use auslese_crawl::{GroupBy, Scope};
use auslese_harvest::{CrawlEnd, CrawlJob};
use auslese_model::State;
use auslese_testnet::misbehaviour::{RetryAfter, busy, busy_at_first};
use auslese_testnet::{Answer, Internet, Logged, Running, Site, shortest_pause};
use std::time::Duration;

const DELAY: Duration = Duration::from_millis(120);

fn chain(host: &str, pages: usize) -> Site {
    let links: String = (1..pages).map(|number| format!("<a href='/{number}'>")).collect();
    (1..pages).fold(Site::new(format!("http://{host}")).page("/", links), |site, number| {
        site.page(&format!("/{number}"), format!("Seite {number}"))
    })
}

fn with_delay(job: &mut CrawlJob) {
    job.crawl.politeness.delay = DELAY;
    job.crawl.politeness.factor = 0.0;
}

fn pause(web: &Running, key: impl Fn(&Logged) -> String) -> Duration {
    assert!(web.wait_until_quiet(Duration::from_secs(5)));
    shortest_pause(&web.requests(), key).unwrap()
}

fn by_host(logged: &Logged) -> String {
    logged.host.clone()
}

#[test]
fn a_host_is_left_alone_for_the_delay() {
    let field = Field::new(Internet::new().site(chain("a.example", 5)).site(chain("b.example", 5)));
    let report = field.crawl(&["http://a.example/", "http://b.example/"], with_delay);
    assert_eq!(report.status.requests[&State::Done], 12);
    assert!(pause(&field.web, by_host) >= DELAY);
    // Different addresses do not wait for each other.
    assert!(pause(&field.web, |_| String::new()) < DELAY);
    let connections: Vec<u64> = field
        .web
        .requests()
        .iter()
        .filter(|r| r.host == "a.example")
        .map(|r| r.connection)
        .collect();
    assert!(connections.windows(2).all(|two| two[0] == two[1]), "one connection: {connections:?}");
}

#[test]
fn hosts_at_one_address_share_the_delay() {
    let shared = |host: &str| chain(host, 3).at("198.18.0.1");
    let net = || Internet::new().site(shared("a.example")).site(shared("b.example"));
    let seeds = ["http://a.example/", "http://b.example/"];

    let field = Field::new(net());
    field.crawl(&seeds, with_delay);
    assert!(pause(&field.web, |_| String::new()) >= DELAY);

    let field = Field::new(net());
    field.crawl(&seeds, |job| {
        with_delay(job);
        job.crawl.politeness.group_by = GroupBy::Server;
    });
    assert!(pause(&field.web, by_host) >= DELAY);
    assert!(pause(&field.web, |_| String::new()) < DELAY, "by setting each stands for itself");
}

/// Reasons for a longer pause: robots.txt, `Retry-After` in seconds and as a date, slow answers.
#[test]
fn longer_pauses() {
    let robots = Answer::file("text/plain", "User-agent: *\nCrawl-delay: 0.4\n");
    let second = |busy: Answer| busy_at_first(1, busy, Answer::page("x"));
    let date = RetryAfter::DateIn(Duration::from_secs(2));
    let slow = Answer::script([
        auslese_testnet::Step::send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"),
        auslese_testnet::Step::Wait(Duration::from_millis(200)),
        auslese_testnet::Step::send("b"),
        auslese_testnet::Step::KeepAlive,
    ]);
    let lone = |host: &str, answer: Answer| Site::new(format!("http://{host}")).answer("/", answer);
    let field = Field::new(
        Internet::new()
            .site(chain("robots.example", 4).answer("/robots.txt", robots))
            .site(lone("sekunden.example", second(busy(503, RetryAfter::Seconds(1)))))
            .site(lone("datum.example", second(busy(429, date))))
            .site(lone("langsam.example", slow).page("/zwei", "x")),
    );
    let seeds = [
        "http://robots.example/",
        "http://sekunden.example/",
        "http://datum.example/",
        "http://langsam.example/",
        "http://langsam.example/zwei",
    ];
    field.crawl(&seeds, |job| {
        with_delay(job);
        job.crawl.politeness.factor = 3.0;
    });
    let last_pause = |host: &str| {
        let log: Vec<Logged> =
            field.web.requests().into_iter().filter(|r| r.host == host).collect();
        shortest_pause(&log[log.len() - 2..], |_| ()).unwrap()
    };
    #[rustfmt::skip]
    let cases = [
        // host               the least pause before the last request
        ("robots.example",    400),
        ("sekunden.example",  1000),
        // A date has whole seconds: of two, at least one is left.
        ("datum.example",     1000),
        ("langsam.example",   600),
    ];
    for (host, least) in cases {
        assert!(last_pause(host) >= Duration::from_millis(least), "{host}: {:?}", last_pause(host));
    }
}

#[test]
fn the_delay_is_kept_across_a_stop() {
    let delay = Duration::from_millis(700);
    let field = Field::new(Internet::new().site(chain("a.example", 5)));
    let job = || {
        let mut job = field.job(&["http://a.example/"]);
        with_delay(&mut job);
        job.crawl.politeness.delay = delay;
        job
    };
    let crawl = field.start(job());
    until("three requests were made", || field.web.request_count() >= 3);
    assert_eq!(crawl.stop().end, CrawlEnd::Stopped);
    let before = field.web.request_count();
    assert_eq!(field.start(job()).end().unwrap().end, CrawlEnd::Done);
    assert!(field.web.request_count() > before);
    assert!(pause(&field.web, by_host) >= delay);
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    assert_eq!(field.captures().len(), 6);
    field.verify();
}

#[test]
fn without_delay_several_connections_are_used() {
    let field =
        Field::new(Internet::new().site((1..40).fold(chain("a.example", 40), |site, number| {
            let late = Answer::script([
                auslese_testnet::Step::Wait(Duration::from_millis(20)),
                auslese_testnet::Step::send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"),
                auslese_testnet::Step::KeepAlive,
            ]);
            site.answer(&format!("/{number}"), late)
        })));
    field.crawl(&["http://a.example/"], |job| job.scope = Scope::parse("accept any").unwrap());
    assert_eq!(pause(&field.web, by_host), Duration::ZERO, "requests overlap");
    let connections = field.web.connections().len();
    assert!((2..=8).contains(&connections), "{connections} connections");
}
