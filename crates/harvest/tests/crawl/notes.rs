//! Notes that other processes leave while a crawl runs: pause, resume, exclude.

use crate::field::{Field, Underway, until};
use auslese_harvest::{CrawlEnd, ExclusionPreview, preview_exclusion};
use auslese_model::{CauseKind, State};
use auslese_testnet::{Internet, Site};
use serde_json::json;
use std::time::Duration;

const PAGES: usize = 60;
const START: &str = "http://www.uni.example/";

fn field() -> Field {
    let links: String =
        (0..PAGES).map(|n| format!("<a href='/gut/{n}'><a href='/weg/{n}'>")).collect();
    let elsewhere = "<a href='http://fremd.example/1'><a href='http://fremd.example/2'>";
    let start = Site::new("http://www.uni.example").page("/", links + elsewhere);
    let site = (0..PAGES).fold(start, |site, number| {
        let later = format!("<a href='/weg/spaeter{number}'>");
        site.page(&format!("/gut/{number}"), later).page(&format!("/weg/{number}"), "w")
    });
    let foreign = Site::new("http://fremd.example").page("/1", "1").page("/2", "2");
    Field::new(Internet::new().site(site).site(foreign))
}

/// A crawl that takes a few seconds, with few requests in memory.
fn start(field: &Field, delay: u64) -> Underway {
    let mut job = field.job(&[START]);
    job.scope = auslese_crawl::Scope::parse("accept any").unwrap();
    job.crawl.politeness.delay = Duration::from_millis(delay);
    job.crawl.politeness.factor = 0.0;
    job.crawl.frontier.queue = 8;
    field.start(job)
}

#[test]
fn pause_and_resume() {
    let field = field();
    let crawl = start(&field, 20);
    until("pages are fetched", || field.web.request_count() > 10);
    field.leave_note("pause", json!({}));
    crawl.until("it pauses", |numbers| numbers.paused.is_some());
    until("what was under way has ended", || {
        let count = field.web.request_count();
        std::thread::sleep(Duration::from_millis(300));
        field.web.request_count() == count
    });
    assert!(!crawl.is_over());
    let done = field.web.request_count();
    assert!(done < 2 * PAGES, "it was paused in the middle");
    field.leave_note("resume", json!({}));
    crawl.until("it goes on", |numbers| numbers.paused.is_none());
    let report = crawl.end().unwrap();
    assert_eq!((report.end, report.status.requests[&State::Queued]), (CrawlEnd::Done, 0));
    assert_eq!(field.requests_twice(), Vec::<String>::new());
}

#[test]
fn exclusions_hold_at_once_and_for_ever() {
    let field = field();
    let crawl = start(&field, 30);
    until("pages are fetched", || field.web.request_count() > 6);
    let preview = field.with_catalog(async |catalog| {
        assert!(preview_exclusion(catalog, "hoost x").await.is_err());
        preview_exclusion(catalog, "regex /weg/").await.unwrap()
    });
    assert!(preview.count > 40, "{preview:?}");
    assert_eq!(preview.examples.len(), ExclusionPreview::EXAMPLES);
    assert!(preview.examples.iter().all(|url| url.contains("/weg/")));

    field.leave_note("exclude", json!({"test": "regex /weg/"}));
    field.leave_note("exclude", json!({"test": "kein test"}));
    field.leave_note("exclude", json!(17));
    let refused = || {
        let failures = field.with_catalog(async |catalog| catalog.failures().await.unwrap());
        failures.iter().find(|group| group.kind == CauseKind::Excluded).map_or(0, |g| g.requests)
    };
    until("they are refused in the store, too", || refused() > 40);
    let left = field.with_catalog(async |catalog| {
        preview_exclusion(catalog, "regex /weg/").await.unwrap().count
    });
    assert!(left <= 1, "{left} are left, but for one on its way");
    let asked = || field.asked().iter().filter(|url| url.contains("/weg/")).count();
    let before = asked();
    let report = crawl.stop();
    assert_eq!(report.end, CrawlEnd::Stopped);

    // The next run finds more of them, and asks for none.
    let report = start(&field, 0).end().unwrap();
    assert_eq!((report.end, report.status.requests[&State::Queued]), (CrawlEnd::Done, 0));
    assert!(asked() <= before + 1, "{} after {before}", asked());
    let later = format!("{START}weg/spaeter{}", PAGES - 1);
    assert_eq!(field.state(&later), Some((State::Refused, Some(CauseKind::Excluded))));
    let good = field.asked().iter().filter(|url| url.contains("/gut/")).count();
    assert_eq!(good, PAGES);

    // Exclusions that were written while nothing ran hold as well, for seeds too.
    field.leave_note("exclude", json!({"test": "host fremd.example"}));
    field.crawl(&["http://fremd.example/neu"], |_| {});
    let seed = field.state("http://fremd.example/neu");
    assert_eq!(seed, Some((State::Refused, Some(CauseKind::Excluded))));
    field.verify();
}
