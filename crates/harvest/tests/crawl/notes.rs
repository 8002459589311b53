//! Notes that other processes leave while a crawl runs: pause, resume, stop, exclude; and how others see it.

use crate::field::{Field, Underway, until};
use auslese_harvest::{
    CrawlEnd, CrawlState, ExclusionPreview, Standing, ask_to_stop, crawl_standing, notes_left,
    preview_exclusion,
};
use auslese_model::{CauseKind, RunId, State};
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

impl Field {
    fn standing(&self) -> Standing {
        let dir = self.dir();
        self.with_catalog(async |catalog| crawl_standing(&dir, catalog).await.unwrap())
    }

    fn state_is(&self, state: CrawlState) {
        until(&format!("the crawl is {state:?}"), || self.standing().state == state);
    }

    fn ask_to_stop(&self, run: RunId) {
        self.with_catalog(async |catalog| ask_to_stop(catalog, run).await.unwrap());
    }
}

#[test]
fn stopped_by_a_note_and_gone_on_with() {
    let field = field();
    let crawl = start(&field, 20);
    until("pages are fetched", || field.web.request_count() > 10);
    field.state_is(CrawlState::Running);
    let run = field.standing().run.unwrap().id;
    // Another run is meant: nothing happens.
    field.ask_to_stop(RunId(run.0 + 1));
    field.leave_note("stop", json!({}));
    field.leave_note("stop", json!("now"));
    let done = field.web.request_count();
    until("it goes on", || field.web.request_count() > done + 10);
    field.ask_to_stop(run);
    let report = crawl.end().unwrap();
    assert_eq!(report.end, CrawlEnd::Stopped);
    assert!(field.web.request_count() < 2 * PAGES, "it was stopped in the middle");
    let standing = field.standing();
    assert_eq!(standing.state, CrawlState::Ended);
    assert_eq!(standing.run.unwrap().outcome.as_deref(), Some("stopped"));
    // A wish that came too late for its run is not followed by the next.
    field.ask_to_stop(run);
    let report = start(&field, 0).end().unwrap();
    assert_eq!((report.end, report.status.requests[&State::Queued]), (CrawlEnd::Done, 0));
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    field.verify();
}

#[test]
fn stopped_while_it_stands_still() {
    let field = field();
    // By hand: without a crawl a pause waits for the next one.
    field.crawl(&["http://fremd.example/1"], |_| {});
    field.leave_note("pause", json!({}));
    assert!(field.with_catalog(async |it| notes_left(it).await.unwrap().pause_waits));
    let crawl = start(&field, 0);
    field.state_is(CrawlState::Paused);
    assert!(field.standing().numbers.unwrap().paused_by_hand);
    assert!(!field.with_catalog(async |it| notes_left(it).await.unwrap().pause_waits));
    field.ask_to_stop(field.standing().run.unwrap().id);
    assert_eq!(crawl.end().unwrap().end, CrawlEnd::Stopped);

    // Or because the archive is full: then no window can be committed, and notes are not read in between.
    let mut job = field.job(&[START]);
    job.archive_limit = Some(1);
    let crawl = field.start(job);
    field.state_is(CrawlState::Paused);
    assert!(!field.standing().numbers.unwrap().paused_by_hand);
    field.ask_to_stop(field.standing().run.unwrap().id);
    assert_eq!(crawl.end().unwrap().end, CrawlEnd::Stopped);
    let standing = field.standing();
    assert_eq!(standing.state, CrawlState::Ended, "{standing:?}");
    assert_eq!(field.crawl(&[START], |_| {}).end, CrawlEnd::Done);
}

/// What is dropped is what was shown before, while nothing is on its way.
#[test]
fn an_exclusion_drops_what_its_preview_shows() {
    let field = field();
    let crawl = start(&field, 20);
    until("pages are fetched", || field.web.request_count() > 10);
    field.leave_note("pause", json!({}));
    field.state_is(CrawlState::Paused);
    until("nothing is on its way", || {
        field.standing().numbers.is_some_and(|it| it.paused_by_hand && it.in_flight == 0)
    });
    let test = "regex /weg/";
    let preview =
        field.with_catalog(async |catalog| preview_exclusion(catalog, test).await.unwrap());
    assert!(preview.count > 40, "{preview:?}");
    field.leave_note("exclude", json!({ "test": test }));
    let dropped = || {
        let notes = field.with_catalog(async |catalog| notes_left(catalog).await.unwrap());
        notes.exclusions.iter().map(|it| (it.test.clone(), it.dropped)).collect::<Vec<_>>()
    };
    until("it is followed", || dropped().iter().any(|(_, count)| *count > 0));
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(dropped(), [(test.to_owned(), preview.count)]);
    crawl.stop();
}

/// The file of the catalog is moved away and put back: the crawl waits, and nothing is lost.
#[test]
fn the_catalog_is_gone_for_a_while() {
    let field = field();
    let crawl = start(&field, 20);
    until("pages are fetched", || field.web.request_count() > 10);
    let path = field.dir().catalog();
    let aside = path.with_extension("aside");
    std::fs::rename(&path, &aside).unwrap();
    crawl.until("it waits", |numbers| {
        numbers.paused.as_deref().is_some_and(|reason| reason.contains("moved away"))
    });
    std::fs::rename(&aside, &path).unwrap();
    crawl.until("it goes on", |numbers| numbers.paused.is_none());
    let report = crawl.end().unwrap();
    assert_eq!((report.end, report.status.requests[&State::Queued]), (CrawlEnd::Done, 0));
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    field.verify();
}
