//! Registries that do not answer as they should, while a crawl waits for verdicts.

use crate::field::{Field, until};
use crate::organisation::{
    BAKERY, START, UNIVERSITY, domain, holder, internet, page, registry, start_page, zone,
};
use auslese_harvest::{CrawlEnd, CrawlJob};
use auslese_model::{Membership, State};
use auslese_testnet::{Behaviour, Dialect, Internet, Registry, Site, Zone};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const TROUBLED: &str = "whois.nic.test-example";

fn troubled() -> Registry {
    Registry::new(TROUBLED, "198.51.100.9", Dialect::Icann2013)
        .domain(domain("halter.test-example", holder(UNIVERSITY)))
        .domain(domain("fremd.test-example", holder(BAKERY)))
}

/// Two hosts of a registry in trouble, one of a registry that is well, one that needs none.
fn world(troubled: Registry) -> Internet {
    let links = [
        "http://www.halter.test-example/",
        "http://www.fremd.test-example/",
        "http://www.gut.example/",
        "http://www.zone.test-example/",
    ];
    let own_zone =
        Zone::new("zone.test-example").ns("ns.uni.example.").address("www", "192.0.2.44");
    internet()
        .zone(zone("halter.test-example").address("www", "192.0.2.41"))
        .zone(zone("fremd.test-example").address("www", "192.0.2.42"))
        .zone(zone("gut.example").address("www", "192.0.2.43"))
        .zone(own_zone)
        .site(start_page(&links))
        .site(Site::new("http://www.halter.test-example").page("/", page(&["/2"])).page("/2", "2"))
        .site(Site::new("http://www.fremd.test-example").page("/", "f"))
        .site(Site::new("http://www.gut.example").page("/", page(&["/2"])).page("/2", "2"))
        .site(Site::new("http://www.zone.test-example").page("/", "z"))
        .registry(registry().domain(domain("gut.example", holder(UNIVERSITY))))
        .registry(troubled)
}

fn job(field: &Field) -> CrawlJob {
    let mut job = field.member_job(&[START]);
    let lookup = &mut job.discovery.as_mut().unwrap().lookup;
    lookup.whois_servers.insert("test-example".to_owned(), TROUBLED.to_owned());
    job
}

#[test]
fn links_wait_until_a_registry_answers() {
    use Behaviour::{Endless, Garbage, Silent, Slow, Throttled};
    #[rustfmt::skip]
    let cases = [
        (Silent,                             "unsure"),
        (Garbage,                            "unsure"),
        (Endless,                            "unsure"),
        (Throttled { after: 0 },             "unsure"),
        // Longer than a question may take, and not quite as long.
        (Slow(Duration::from_secs(30)),      "unsure"),
        (Slow(Duration::from_millis(100)),   "holder"),
    ];
    for (behaviour, expected) in cases {
        let field = Field::new(world(troubled().behaves(behaviour.clone())));
        let begun = Instant::now();
        let report = field.start(job(&field)).end().unwrap();
        assert_eq!(report.end, CrawlEnd::Done, "{behaviour:?}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{behaviour:?}");
        assert_eq!(field.judged("www.halter.test-example"), expected, "{behaviour:?}");
        assert_eq!(field.judged("www.gut.example"), "holder", "{behaviour:?}");
        assert_eq!(field.judged("www.zone.test-example"), "name-server", "{behaviour:?}");
        let captures = field.captures();
        assert!(captures.contains_key("http://www.gut.example/2"), "{behaviour:?}");
        assert!(captures.contains_key("http://www.zone.test-example/"), "{behaviour:?}");
        if expected != "unsure" {
            continue;
        }
        let unsure = field.verdict("www.halter.test-example").unwrap();
        assert!(!unsure.open.is_empty(), "{behaviour:?}: {unsure:?}");
        assert_eq!(field.state("http://www.halter.test-example/"), Some((State::Parked, None)));
        assert_eq!(field.state("http://www.fremd.test-example/"), Some((State::Parked, None)));
        assert!(!captures.contains_key("http://www.halter.test-example/"));

        // The registry is well again.
        let field = field.moved_to(world(troubled()));
        let report = field.start(job(&field)).end().unwrap();
        assert_eq!(report.end, CrawlEnd::Done, "{behaviour:?}");
        assert_eq!(field.judged("www.halter.test-example"), "holder", "{behaviour:?}");
        assert_eq!(field.judged("www.fremd.test-example"), "foreign", "{behaviour:?}");
        assert!(field.captures().contains_key("http://www.halter.test-example/2"), "{behaviour:?}");
        assert_eq!(report.status.requests[&State::Parked], 0, "{behaviour:?}");
    }
}

/// A host is waited for only so long; what comes later helps the next run.
#[test]
fn a_crawl_waits_only_so_long() {
    let field = Field::new(world(troubled().behaves(Behaviour::Slow(Duration::from_millis(500)))));
    let mut job = job(&field);
    job.discovery.as_mut().unwrap().patience = Duration::from_millis(100);
    assert_eq!(field.start(job).end().unwrap().end, CrawlEnd::Done);
    let late = field.verdict("www.halter.test-example").unwrap();
    assert_eq!(late.membership, Membership::Unsure);
    assert_eq!(late.reason, "no verdict within 100ms");
    assert_eq!(field.state("http://www.halter.test-example/"), Some((State::Parked, None)));
    let field = field.moved_to(world(troubled()));
    field.start(self::job(&field)).end().unwrap();
    assert_eq!(field.judged("www.halter.test-example"), "holder");
}

/// A thin registry knows no holder. While the registrar is silent nobody has said that the holder
/// is hidden, or somebody else.
#[test]
fn a_thin_registry_alone_decides_nothing() {
    let thin =
        |name: &str| domain(name, holder(UNIVERSITY)).registrar("R", "whois.registrar.example");
    let registry = || {
        Registry::new(TROUBLED, "198.51.100.9", Dialect::Verisign)
            .domain(thin("halter.test-example"))
            .domain(thin("fremd.test-example"))
    };
    let registrar = || {
        Registry::new("whois.registrar.example", "198.51.100.10", Dialect::Icann2013)
            .domain(domain("halter.test-example", holder(UNIVERSITY)))
            .domain(domain("fremd.test-example", holder(BAKERY)))
    };
    let silent = registrar().behaves(Behaviour::Silent);
    let field = Field::new(world(registry()).registry(silent));
    field.start(job(&field)).end().unwrap();
    assert_eq!(field.judged("www.halter.test-example"), "unsure");
    assert_eq!(field.judged("www.fremd.test-example"), "unsure");
    let field = field.moved_to(world(registry()).registry(registrar()));
    field.start(job(&field)).end().unwrap();
    assert_eq!(field.judged("www.halter.test-example"), "holder");
    assert_eq!(field.judged("www.fremd.test-example"), "foreign");
}

/// A registry that answers again is asked again while the crawl still runs.
#[test]
fn a_long_crawl_asks_again() {
    let internet = world(troubled().behaves(Behaviour::Throttled { after: 1 }));
    let pages: Vec<String> = (0..120).map(|number| format!("/{number}")).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let long = Site::new("http://lang.uni.example").at("198.18.1.12").page("/", page(&pages));
    let field = Field::new(internet.site(long));
    let mut job = job(&field);
    job.seeds.push(auslese_harvest::Seed {
        url: "http://lang.uni.example/".parse().unwrap(),
        label: None,
    });
    job.crawl.politeness.delay = Duration::from_millis(50);
    job.crawl.politeness.factor = 0.0;
    let crawl = field.start(job);
    let waits =
        |name: &str| field.verdict(name).is_some_and(|it| it.membership == Membership::Unsure);
    until("one of them waits", || {
        field.web.request_count() > 0
            && (waits("www.halter.test-example") || waits("www.fremd.test-example"))
    });
    // From here on the registry counts its questions anew.
    field.web.reset();
    until("it is decided", || {
        !waits("www.halter.test-example") && !waits("www.fremd.test-example")
    });
    assert!(!crawl.is_over(), "in the same run");
    crawl.stop();
}

/// Verdicts that are pending when a crawl is stopped are made by the next run: the same is fetched
/// as without the stop, and nothing twice.
#[test]
fn stopped_while_verdicts_are_pending() {
    let slow = || world(troubled().behaves(Behaviour::Slow(Duration::from_millis(400))));
    let whole = Field::new(slow());
    whole.start(job(&whole)).end().unwrap();

    let field = Field::new(slow());
    let crawl = field.start(job(&field));
    until("the registry is asked", || {
        field.web.whois_queries().iter().any(|it| it.server == TROUBLED)
    });
    let stopped = crawl.stop();
    assert_eq!(stopped.end, CrawlEnd::Stopped);
    assert_eq!(field.judged("www.halter.test-example"), "none");
    let report = field.start(job(&field)).end().unwrap();
    assert_eq!(report.end, CrawlEnd::Done);
    assert_eq!(fetched(&field), fetched(&whole));
    for host in ["www.halter.test-example", "www.fremd.test-example", "www.gut.example"] {
        let (one, other) = (field.verdict(host).unwrap(), whole.verdict(host).unwrap());
        assert_eq!(
            (one.membership, one.reason, one.case),
            (other.membership, other.reason, other.case)
        );
    }
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    field.verify();
}

fn fetched(field: &Field) -> BTreeMap<String, u16> {
    field.captures().into_iter().map(|(url, capture)| (url, capture.status)).collect()
}
