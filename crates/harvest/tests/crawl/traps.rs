//! Addresses without end cost a stated number of requests, pages worth having are all fetched, and a
//! person has the last word.

use crate::field::{Field, until};
use auslese_catalog::StoredTemplate;
use auslese_crawl::TrapSettings;
use auslese_harvest::{CrawlEnd, CrawlJob};
use auslese_model::{CauseKind, State, TemplateState, Timestamp};
use auslese_testnet::traps::Disguise;
use auslese_testnet::{Internet, traps};
use std::collections::BTreeMap;

const HOST: &str = "www.falle.example";
const PAPERS: usize = 300;
/// Pages of each trap that are fetched whatever they bring.
const BUDGET: u64 = 80;
/// Requests that may be under way when a template is quarantined; see the limits in the manual.
const UNDER_WAY: usize = 768;

fn settings(job: &mut CrawlJob) {
    job.crawl.traps = TrapSettings { budget: BUDGET, ..TrapSettings::default() };
    // The scope of the seeds ends folders that contain themselves, too; here the templates have to.
    let rules = format!("accept host {HOST}\nreject length > 2000");
    job.scope = auslese_crawl::Scope::parse(&rules).unwrap();
    // So that little is under way.
    job.crawl.politeness.per_server_without_delay = 2;
}

fn start() -> String {
    format!("http://{HOST}/")
}

/// How often each trap was asked for.
fn asked_by_trap(field: &Field) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for url in field.asked() {
        let path = &url[start().len() - 1..];
        let names = ["/kalender/", "/s/", "/liste", "/spiegel/"];
        if let Some(name) = names.into_iter().find(|name| path.starts_with(name)) {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

fn decided(field: &Field) -> Vec<StoredTemplate> {
    let all =
        field.with_catalog(async |catalog| catalog.decided_templates(None, 1_000).await.unwrap());
    all.into_iter().map(|(_, stored)| stored).collect()
}

#[test]
fn traps_end_and_all_pages_are_fetched() {
    let field = Field::new(Internet::new().site(traps::site(HOST, PAPERS)));
    let report = field.crawl(&[&start()], settings);
    assert_eq!(report.end, CrawlEnd::Done);
    let asked = field.asked();
    for page in traps::real_pages(PAPERS) {
        assert!(asked.contains(&format!("http://{HOST}{page}")), "{page} was not fetched");
    }
    let counts = asked_by_trap(&field);
    assert_eq!(counts.len(), 4, "{counts:?}");
    for (trap, count) in &counts {
        // Calendars and lists have pages with something new before they run dry.
        let most = BUDGET as usize + 64 + UNDER_WAY;
        assert!(*count >= BUDGET as usize / 2 && *count <= most, "{trap}: {count}");
    }
    let templates = decided(&field);
    let names: Vec<&str> = templates.iter().map(|stored| stored.template.as_str()).collect();
    for name in ["/kalender/{date}", "/s/{token}/*", "/liste?*", "/…/ (repeated parts)"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(!names.contains(&"/papers/#.html"));
    for stored in &templates {
        let reason = stored.reason.as_deref().unwrap();
        assert!(reason.contains("of the last 64 pages brought anything new"), "{reason}");
        assert!(stored.fetched >= BUDGET && stored.state == TemplateState::Quarantined);
        assert!(stored.fetched <= BUDGET + 64 + UNDER_WAY as u64, "{stored:?}");
    }
    // What was queued is refused with its template as the cause.
    let groups = field.with_catalog(async |catalog| catalog.failures().await.unwrap());
    let trapped = groups.iter().find(|group| group.kind == CauseKind::Trap).unwrap();
    assert!(trapped.requests > 0 && names.contains(&trapped.detail.as_str()), "{trapped:?}");
    assert_eq!(report.status.requests[&State::Queued], 0);
}

#[test]
fn a_restart_changes_nothing_and_a_release_goes_on() {
    let field = Field::new(Internet::new().site(traps::site(HOST, PAPERS)));
    field.crawl(&[&start()], settings);
    let before = field.web.request_count();
    field.crawl(&[&start()], settings);
    // The robots.txt and the seed are the only thing that may be asked for again.
    assert!(field.web.request_count() <= before + 2, "a second run goes into no trap");

    let calendar =
        decided(&field).into_iter().find(|it| it.template == "/kalender/{date}").unwrap();
    let released = field.with_catalog(async |catalog| {
        let template = &calendar.template;
        catalog.release_template(calendar.server, template, Timestamp::now()).await.unwrap()
    });
    assert!(released.queued > 0, "{released:?}");
    let months = || asked_by_trap(&field)["/kalender/"];
    let (months_before, budget) = (months(), field.web.request_count() + 1_500);
    let mut job = field.job(&[&start()]);
    settings(&mut job);
    let crawl = field.start(job);
    until("the calendar goes on", || field.web.request_count() > budget);
    assert!(months() > months_before + 1_000, "{} and {months_before}", months());

    // Held back again while it runs, it comes to an end.
    field.with_catalog(async |catalog| {
        let template = &calendar.template;
        catalog.hold_template(calendar.server, template, Timestamp::now()).await.unwrap()
    });
    assert_eq!(crawl.end().unwrap().end, CrawlEnd::Done);
    let held = decided(&field).into_iter().find(|it| it.template == "/kalender/{date}").unwrap();
    assert_eq!(held.reason.as_deref(), Some("held back by hand"));
}

#[test]
fn a_release_is_heard_by_a_running_crawl() {
    // Another server has work for longer than it takes until the release is heard.
    let busy = "busy.falle.example";
    let internet = Internet::new().site(traps::site(HOST, 20));
    let field = Field::new(internet.site(traps::paper_archive(busy, 5_000)));
    let mut job = field.job(&[&start(), &format!("http://{busy}/")]);
    settings(&mut job);
    let rules = format!("accept host {HOST}\naccept host {busy}\nreject length > 2000");
    job.scope = auslese_crawl::Scope::parse(&rules).unwrap();
    job.crawl.politeness.delay = std::time::Duration::from_millis(20);
    job.crawl.politeness.factor = 0.0;
    let crawl = field.start(job);
    until("pages are fetched", || field.web.request_count() > 10);
    let calendar = || decided(&field).into_iter().find(|it| it.template == "/kalender/{date}");
    until("the calendar is quarantined", || calendar().is_some());
    let calendar = calendar().unwrap();
    field.with_catalog(async |catalog| {
        let template = &calendar.template;
        catalog.release_template(calendar.server, template, Timestamp::now()).await.unwrap();
    });
    let months = asked_by_trap(&field)["/kalender/"];
    until("it goes on", || asked_by_trap(&field)["/kalender/"] > months + 100);
    crawl.stop();
}

#[test]
fn many_similar_pages_are_all_fetched() {
    let papers = 3_000;
    let field = Field::new(Internet::new().site(traps::paper_archive(HOST, papers)));
    let report = field.crawl(&[&start()], settings);
    assert_eq!(report.end, CrawlEnd::Done);
    let asked = field.asked();
    for page in traps::real_pages(papers) {
        assert!(asked.contains(&format!("http://{HOST}{page}")), "{page} was not fetched");
    }
    assert_eq!(decided(&field), Vec::new());
    let template = field.with_catalog(async |catalog| {
        let server = catalog.servers().await.unwrap()[0].id;
        let all = catalog.templates_of(&[server]).await.unwrap();
        all.into_iter().find(|stored| stored.template == "/papers/#.html").unwrap()
    });
    assert_eq!((template.offered, template.fetched), (papers as u64, papers as u64));
    assert!(template.novel > papers as u64 * 99 / 100, "{template:?}");
}

#[test]
fn a_small_memory_for_known_addresses_loses_none() {
    let papers = 2_000;
    let field = Field::new(Internet::new().site(traps::paper_archive(HOST, papers)));
    field.crawl(&[&start()], |job| job.crawl.frontier.seen_bytes = auslese_crawl::SeenBudget(1));
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    assert!(field.captures().len() >= traps::real_pages(papers).len());
}

#[test]
fn articles_beside_a_trap_are_all_fetched() {
    // All of them are of one family, which is quarantined long before the last article is named.
    let articles = 400;
    let field = Field::new(Internet::new().site(traps::content_manager(HOST, articles)));
    let report = field.crawl(&[&start()], settings);
    assert_eq!(report.end, CrawlEnd::Done);
    let asked = field.asked();
    for number in 0..articles {
        let page = format!("http://{HOST}/index.php?seite=artikel&nr={number}");
        assert!(asked.contains(&page), "{page} was not fetched");
    }
    let templates = decided(&field);
    let names: Vec<&str> = templates.iter().map(|stored| stored.template.as_str()).collect();
    assert_eq!(names, ["/index.php?*"]);
    let others = asked.iter().filter(|url| url.contains("katalog")).count();
    // The budget, three stale pages for each article that is counted in the family, once more the budget.
    let most = 2 * BUDGET as usize + 3 * BUDGET as usize + UNDER_WAY;
    assert!(others <= most, "{others} pages of the catalogue");
}

#[test]
fn session_ids_of_any_make_are_one_family() {
    for disguise in [Disguise::Sessions, Disguise::Uuids] {
        let papers = 200;
        let field = Field::new(Internet::new().site(traps::in_disguise(HOST, papers, disguise)));
        let report = field.crawl(&[&start()], |job| {
            settings(job);
            job.crawl.budget.max_pages = Some(20 * BUDGET);
        });
        assert_eq!(report.end, CrawlEnd::Done, "{disguise:?}");
        let asked = field.asked();
        for page in traps::real_pages(papers) {
            assert!(asked.contains(&format!("http://{HOST}{page}")), "{disguise:?}: {page}");
        }
        let names: Vec<_> = decided(&field).into_iter().map(|stored| stored.template).collect();
        assert!(names.contains(&"/falle/{token}/seite?*".to_owned()), "{disguise:?}: {names:?}");
        let pages = asked.iter().filter(|url| url.contains("/falle/")).count();
        assert!(
            pages <= 2 * BUDGET as usize + UNDER_WAY,
            "{disguise:?}: {pages} pages of the trap"
        );
    }
}

#[test]
fn what_only_looks_new_comes_to_an_end() {
    for disguise in [Disguise::Counter, Disguise::Wordless, Disguise::Frames, Disguise::Folders] {
        let papers = 100;
        let field = Field::new(Internet::new().site(traps::in_disguise(HOST, papers, disguise)));
        let report = field.crawl(&[&start()], |job| {
            settings(job);
            job.crawl.traps.templates = 50;
            // Should it not come to an end, the test does.
            job.crawl.budget.max_pages = Some(20 * BUDGET);
        });
        assert_eq!(report.end, CrawlEnd::Done, "{disguise:?}");
        let asked = field.asked();
        for page in traps::real_pages(papers) {
            assert!(asked.contains(&format!("http://{HOST}{page}")), "{disguise:?}: {page}");
        }
        assert!(!decided(&field).is_empty(), "{disguise:?}");
    }
}
