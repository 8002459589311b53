//! What people decide on hosts, before a crawl and while it runs.

use crate::field::{Field, Underway, until};
use crate::organisation::{
    BAKERY, START, domain, holder, internet, page, registry, start_page, university, zone,
};
use auslese_catalog::{HandDecision, HostPattern};
use auslese_harvest::CrawlEnd;
use auslese_model::{CauseKind, Membership, State, Timestamp};
use auslese_testnet::{Answer, Internet, Site};
use std::time::Duration;

/// Pages of the sites that are decided on; with a delay they take some seconds.
const PAGES: usize = 80;
/// Pages of a site that keeps a crawl busy for longer than any test waits.
const LONG: usize = 300;

/// A site whose pages lead from one to the next, so that each is found by the one before.
fn chain(origin: &str) -> Site {
    let next = Answer::from_fn(|asked| {
        let number: usize = asked.path()[1..].parse().unwrap_or(0);
        Answer::page(if number < LONG {
            page(&[&format!("/{}", number + 1)])
        } else {
            String::new()
        })
    });
    Site::new(origin).otherwise(next).answer("/robots.txt", Answer::error(404))
}

/// A site whose pages are all found at once.
fn fan(origin: &str) -> Site {
    let links: Vec<String> = (1..=PAGES).map(|number| format!("/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let site = Site::new(origin).page("/", page(&links));
    links.iter().fold(site, |site, path| site.page(path, "p"))
}

fn world() -> Internet {
    let start =
        ["http://lang.uni.example/", "http://www.fremd.example/", "http://www.mit.example/"];
    internet()
        .site(Site::new("http://kurz.uni.example").at("198.18.1.13").page("/", page(&start[1..])))
        .zone(zone("fremd.example").address("www", "192.0.2.31"))
        .zone(zone("mit.example").address("www", "192.0.2.32"))
        .site(start_page(&start))
        .site(chain("http://lang.uni.example").at("198.18.1.12"))
        .site(fan("http://www.fremd.example"))
        .site(fan("http://www.mit.example"))
        .registry(
            registry()
                .domain(domain("fremd.example", holder(BAKERY)))
                .domain(domain("mit.example", university())),
        )
}

impl Field {
    fn decide(&self, pattern: &str, accept: bool) {
        let decision = HandDecision {
            pattern: HostPattern::parse(pattern).unwrap(),
            accept,
            note: "a test".to_owned(),
            by: "somebody".to_owned(),
            at: Timestamp::now(),
        };
        self.with_catalog(async |catalog| catalog.set_hand_decisions(&[decision]).await.unwrap());
    }

    fn withdraw(&self, pattern: &str) {
        let pattern = HostPattern::parse(pattern).unwrap();
        self.with_catalog(async |catalog| {
            assert!(catalog.remove_hand_decision(&pattern, Timestamp::now()).await.unwrap());
        });
    }

    /// A crawl that takes a few seconds, with few requests in memory.
    fn slow_crawl(&self) -> Underway {
        let mut job = self.member_job(&[START]);
        job.crawl.politeness.delay = Duration::from_millis(60);
        job.crawl.politeness.factor = 0.0;
        job.crawl.frontier.queue = 8;
        self.start(job)
    }

    /// A crawl without delay that begins at a page which leads to no long site.
    fn quick_crawl(&self) -> CrawlEnd {
        self.start(self.member_job(&["http://kurz.uni.example/"])).end().unwrap().end
    }
}

/// Pages of a host besides its start page.
fn pages(field: &Field, name: &str) -> usize {
    let numbered = |url: &String| {
        url.strip_prefix(&format!("http://{name}/")).is_some_and(|path| path.parse::<u32>().is_ok())
    };
    field.asked().iter().filter(|url| numbered(url)).count()
}

#[test]
fn accepted_before_the_crawl() {
    let field = Field::new(world());
    // A harvest that has been looked into, but not crawled.
    crate::phase_one::gathered(&field, START);
    field.web.reset();
    field.decide("www.fremd.example", true);
    field.quick_crawl();
    assert_eq!(pages(&field, "www.fremd.example"), PAGES);
    assert_eq!(field.judged("www.fremd.example"), "rule");
    assert!(!field.whois_counts().contains_key("fremd.example"), "people said enough");
}

/// What the last run refused is taken up by the next, once a person has accepted the host.
#[test]
fn accepted_between_two_crawls() {
    let field = Field::new(world());
    field.quick_crawl();
    assert_eq!(pages(&field, "www.fremd.example"), 0);
    assert_eq!(field.judged("www.fremd.example"), "foreign");
    field.decide(".fremd.example", true);
    field.quick_crawl();
    assert_eq!(pages(&field, "www.fremd.example"), PAGES, "by the link that had been refused");
    assert_eq!(field.judged("www.fremd.example"), "rule");
    assert_eq!(field.requests_twice(), Vec::<String>::new());
}

#[test]
fn accepted_while_the_crawl_runs() {
    let field = Field::new(world());
    let crawl = field.slow_crawl();
    until("the host is judged", || {
        field.web.request_count() > 0 && field.judged("www.fremd.example") == "foreign"
    });
    assert_eq!(pages(&field, "www.fremd.example"), 0);
    field.decide("www.fremd.example", true);
    until("it is crawled", || pages(&field, "www.fremd.example") > 3);
    until("it is on record", || field.judged("www.fremd.example") == "rule");
    assert!(!crawl.is_over());
    // And withdrawn again: it is judged by its evidence, and left alone.
    field.withdraw("www.fremd.example");
    until("it is foreign again", || field.judged("www.fremd.example") == "foreign");
    let before = pages(&field, "www.fremd.example");
    std::thread::sleep(Duration::from_millis(300));
    assert!(before < PAGES && pages(&field, "www.fremd.example") <= before + 1);
    let last = field.state(&format!("http://www.fremd.example/{PAGES}"));
    assert_eq!(last, Some((State::Refused, Some(CauseKind::Scope))));
    assert_eq!(crawl.stop().end, CrawlEnd::Stopped);
    assert_eq!(field.requests_twice(), Vec::<String>::new());
}

#[test]
fn rejected_while_the_crawl_runs() {
    let field = Field::new(world());
    let crawl = field.slow_crawl();
    until("it is crawled", || pages(&field, "www.mit.example") > 3);
    field.decide(".mit.example", false);
    until("its pages are refused", || {
        let last = field.state(&format!("http://www.mit.example/{PAGES}"));
        last == Some((State::Refused, Some(CauseKind::Scope)))
    });
    let before = pages(&field, "www.mit.example");
    assert!(before < PAGES);
    std::thread::sleep(Duration::from_millis(300));
    assert!(pages(&field, "www.mit.example") <= before + 1);
    assert!(!crawl.is_over());
    // Withdrawn again: everything that was refused is taken up.
    field.withdraw(".mit.example");
    until("all of it is fetched", || pages(&field, "www.mit.example") == PAGES);
    assert_eq!(field.verdict("www.mit.example").unwrap().membership, Membership::Member);
    assert_eq!(crawl.stop().end, CrawlEnd::Stopped);
    assert_eq!(field.requests_twice(), Vec::<String>::new());
}

/// A rejection counts for what waits in the queue of an earlier run, too.
#[test]
fn rejected_between_two_crawls() {
    let field = Field::new(world());
    let crawl = field.slow_crawl();
    until("it is crawled", || pages(&field, "www.mit.example") > 3);
    crawl.stop();
    field.decide("www.mit.example", false);
    let before = pages(&field, "www.mit.example");
    field.quick_crawl();
    assert_eq!(pages(&field, "www.mit.example"), before);
    assert_eq!(field.judged("www.mit.example"), "foreign");
}
