//! Databases found by a crawl and asked through its queues, compared with what they hold and with what their
//! servers saw.

use crate::field::Field;
use auslese_catalog::{HiddenDatabase, StoredValue};
use auslese_harvest::{
    CrawlEnd, HiddenJob, HiddenReport, HiddenSettings, Numbers, Watching, WhichDatabases,
    ask_databases,
};
use auslese_hidden::ProbingSettings;
use auslese_model::{Cooperation, DatabaseId, DatabaseKind, HostName, Method};
use auslese_net::Credential;
use auslese_testnet::databases::{
    Between, Catalogue, CatalogueOptions, Charset, DbContentOffer, Described, Essential,
    GuideOptions, HotelDatabase, HotelGuide, OaiFault, OaiRepository,
};
use auslese_testnet::{Internet, Site};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::watch;

const SEED: &str = "http://h.example/";

/// A site whose home page leads to a database, and the database itself.
fn field(links: &str, add: impl FnOnce(Site) -> Site) -> Field {
    let site = Site::new("http://h.example").page("/", links);
    Field::new(Internet::new().site(add(site)))
}

fn ask(field: &Field, settings: HiddenSettings, which: WhichDatabases) -> HiddenReport {
    asked(field, HiddenJob { crawl: field.job(&[SEED]), settings, which })
}

fn asked(field: &Field, job: HiddenJob) -> HiddenReport {
    let (numbers, _) = watch::channel(Numbers::default());
    let (_keep, stop) = watch::channel(false);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(ask_databases(&field.dir(), job, Watching { numbers, stop })).unwrap()
}

fn crawled_and_asked(field: &Field) -> HiddenReport {
    field.crawl(&[SEED], |_| {});
    ask(field, HiddenSettings::default(), WhichDatabases::Open)
}

fn all_values(field: &Field, id: DatabaseId, attribute: &str) -> Vec<StoredValue> {
    field.with_catalog(async |catalog| {
        catalog.hidden_values(id, attribute, 0, 1_000_000).await.unwrap()
    })
}

fn values(field: &Field, id: DatabaseId, attribute: &str) -> BTreeSet<String> {
    let all = all_values(field, id, attribute);
    let different: BTreeSet<String> = all.iter().map(|it| it.value.clone()).collect();
    assert_eq!(different.len(), all.len(), "every value once");
    different
}

fn truth(database: &HotelDatabase) -> [BTreeSet<String>; 3] {
    [
        database.regions().iter().map(|it| (*it).to_owned()).collect(),
        database.towns().iter().map(|it| it.name.clone()).collect(),
        database.hotels().iter().map(|it| it.name.clone()).collect(),
    ]
}

/// Requests for a path, as method and body or query.
fn requests(field: &Field, path: &str) -> usize {
    let logged = field.web.requests();
    logged.iter().filter(|it| it.url().contains(path)).count()
}

fn codes(database: &HiddenDatabase) -> Vec<String> {
    let problems = database.new.problems.as_array().unwrap();
    problems.iter().map(|it| it["code"].as_str().unwrap().to_owned()).collect()
}

/// The paper's own six lines: exactly what is in the database, one request for each region.
#[test]
fn the_papers_hotel_guide() {
    let guide = HotelGuide::new(400, 7);
    let database = Arc::clone(&guide.database);
    let field = field("<a href='/hotels/'>Hotels</a>", |site| guide.add_to(site, "/hotels/"));
    let report = crawled_and_asked(&field);
    assert_eq!((report.known, report.new, report.asked.len()), (1, 1, 1));
    let asked = &report.asked[0];
    assert_eq!(asked.new.cooperation, Cooperation::Restricted);
    let [regions, towns, hotels] = truth(&database);
    assert_eq!(values(&field, asked.id, "region"), regions);
    assert_eq!(values(&field, asked.id, "ort"), towns);
    assert_eq!(values(&field, asked.id, "name"), hotels);
    assert_eq!(requests(&field, "/hotels/ergebnis"), regions.len());
    assert_eq!((asked.queries, asked.requests, asked.new.planned), (12, 12, Some(12)));
    assert_eq!(codes(asked), [""; 0]);
    assert!(asked.complete && asked.stopped.is_none() && asked.truncated.is_none());
    // Every value leads to the answer that shows it.
    let town = all_values(&field, asked.id, "ort").remove(0);
    assert!(town.query.unwrap().starts_with("http://h.example/hotels/ergebnis?"));
    field.verify();
    // What is known is not asked again, unless it is wanted.
    let again = ask(&field, HiddenSettings::default(), WhichDatabases::Open);
    assert!(again.asked.is_empty() && again.crawl.is_none());
    let again = ask(&field, HiddenSettings::default(), WhichDatabases::All);
    assert_eq!(again.asked[0].queries, 12);
    assert_eq!(requests(&field, "/hotels/ergebnis"), 2 * regions.len());
    assert_eq!(values(&field, asked.id, "name"), hotels);
}

/// The provider's own way: the document and its summarizer, two requests, the same values.
#[test]
fn the_same_database_by_its_summarizer() {
    let database = Arc::new(HotelDatabase::new(400, 7));
    let offer = DbContentOffer {
        database: Arc::clone(&database),
        interface: "http://h.example/hotels/".to_owned(),
        token: None,
    };
    let link = format!("<a href='{}'>Inhalt</a>", DbContentOffer::DOCUMENT);
    let field = field(&link, |site| offer.add_to(site));
    let report = crawled_and_asked(&field);
    let asked = &report.asked[0];
    assert_eq!(asked.new.cooperation, Cooperation::Full);
    let [regions, towns, hotels] = truth(&database);
    assert_eq!(values(&field, asked.id, "region.region"), regions);
    assert_eq!(values(&field, asked.id, "hotel.ort"), towns);
    assert_eq!(values(&field, asked.id, "hotel.name"), hotels);
    let both =
        requests(&field, DbContentOffer::DOCUMENT) + requests(&field, DbContentOffer::SUMMARIZER);
    assert_eq!(both, 2);
    assert!(asked.complete);
}

/// Without metadata and without a word of whoever runs the harvest no form is sent.
#[test]
fn nobody_elses_form_is_sent_without_leave() {
    let catalogue = Catalogue::new(600, 3)
        .with(CatalogueOptions { page_size: None, ..CatalogueOptions::default() });
    let rows = catalogue.rows().len() as u64;
    let post = "<form method=post action=/bestellen><input name=was></form>";
    let links = format!("<a href='/katalog/'>Katalog</a>{post}");
    let field = field(&links, |site| catalogue.add_to(site, "/katalog/"));
    let report = crawled_and_asked(&field);
    assert!(report.asked.is_empty());
    assert_eq!(report.known, 1, "the form by GET is known");
    assert_eq!(requests(&field, "/katalog/suche") + requests(&field, "/bestellen"), 0);
    assert!(field.web.requests().iter().all(|it| it.method == "GET"));
    // Another host's leave is not this one's.
    let settings = HiddenSettings {
        probed_hosts: vec!["other.example".to_owned()],
        ..HiddenSettings::default()
    };
    assert!(ask(&field, settings, WhichDatabases::All).asked.is_empty());
    assert_eq!(requests(&field, "/katalog/suche"), 0);
    let settings = HiddenSettings {
        probed_hosts: vec!["h.example".to_owned()],
        probing: ProbingSettings { queries: 150, any_ending: None },
        ..HiddenSettings::default()
    };
    let report = ask(&field, settings, WhichDatabases::Open);
    let asked = &report.asked[0];
    assert_eq!(requests(&field, "/katalog/suche") as u64, asked.queries);
    assert_eq!(requests(&field, "/bestellen"), 0);
    let seen = values(&field, asked.id, "result").len() as u64;
    assert!(seen * 100 >= rows * 60, "{seen} of {rows} in {} queries", asked.queries);
    assert!(asked.coverage.is_some());
}

/// Methods, encodings, files, several pages, busy servers, and questions before the answer.
#[test]
fn databases_with_difficulties() {
    let cases: [(&str, GuideOptions, &[&str]); 7] = [
        (
            "a page in between",
            GuideOptions { between: Between::Notice, ..GuideOptions::default() },
            &[],
        ),
        (
            "post, latin1",
            GuideOptions {
                method: Method::Post,
                charset: Charset::Latin1,
                ..GuideOptions::default()
            },
            &[],
        ),
        (
            "file",
            GuideOptions {
                described: Described::InFile { token: None },
                ..GuideOptions::default()
            },
            &[],
        ),
        (
            "pages",
            GuideOptions { page_size: Some(10), decoys: true, ..GuideOptions::default() },
            &[],
        ),
        ("busy", GuideOptions { busy_percent: 30, ..GuideOptions::default() }, &[]),
        (
            "three elements",
            GuideOptions { essential: Essential::RegionPriceAndKind, ..GuideOptions::default() },
            &[],
        ),
        ("beginnings", GuideOptions { essential: Essential::Town, ..GuideOptions::default() }, &[]),
    ];
    for (name, options, expected) in cases {
        let guide = HotelGuide::new(300, 5).with(options);
        let database = Arc::clone(&guide.database);
        let field = field("<a href='/hotels/'>Hotels</a>", |site| guide.add_to(site, "/hotels/"));
        let report = crawled_and_asked(&field);
        let asked = &report.asked[0];
        let found: Vec<String> =
            codes(asked).into_iter().filter(|code| code.starts_with("E_")).collect();
        assert_eq!(found, expected, "{name}");
        assert!(asked.complete, "{name}: {:?}", asked.stopped);
        let [_, towns, hotels] = truth(&database);
        assert_eq!(values(&field, asked.id, "name"), hotels, "{name}");
        assert_eq!(values(&field, asked.id, "ort"), towns, "{name}");
    }
}

#[test]
fn what_cannot_be_asked_says_why() {
    let cut = GuideOptions { cap: Some(10), ..GuideOptions::default() };
    let asks_back = GuideOptions { between: Between::Question, ..GuideOptions::default() };
    let closed = GuideOptions {
        described: Described::InFile { token: Some("geheim".to_owned()) },
        ..GuideOptions::default()
    };
    for (options, code) in
        [(cut, "W_TRUNCATED"), (asks_back, "W_INTERACTION"), (closed, "E_CONFIG_DENIED")]
    {
        let guide = HotelGuide::new(300, 5).with(options);
        let field = field("<a href='/hotels/'>Hotels</a>", |site| guide.add_to(site, "/hotels/"));
        let report = crawled_and_asked(&field);
        let found = codes(&report.asked[0]);
        assert!(found.iter().any(|it| it == code), "{code}: {found:?}");
        assert_eq!(report.asked[0].stopped.is_some(), code != "W_TRUNCATED", "{code}");
    }
    let guide = HotelGuide::new(100, 5);
    let field = field("<a href='/hotels/'>Hotels</a>", |site| {
        guide.add_to(site, "/hotels/").file(
            "/robots.txt",
            "text/plain",
            "User-agent: *\nDisallow: /hotels/ergebnis\n",
        )
    });
    let report = crawled_and_asked(&field);
    assert_eq!(requests(&field, "/hotels/ergebnis"), 0, "robots.txt is obeyed");
    assert_eq!(report.asked[0].requests, 0, "what is not sent costs nothing");
    assert!(
        report.asked[0].stopped.as_deref().unwrap().contains("robots"),
        "{:?}",
        report.asked[0]
    );
}

/// A run that was stopped goes on from its archived answers: nothing is asked twice.
#[test]
fn an_interrupted_talk_goes_on() {
    let guide = HotelGuide::new(400, 7);
    let database = Arc::clone(&guide.database);
    let field = field("<a href='/hotels/'>Hotels</a>", |site| guide.add_to(site, "/hotels/"));
    field.crawl(&[SEED], |_| {});
    let mut job = field.job(&[SEED]);
    job.crawl.politeness.delay = std::time::Duration::from_millis(50);
    let job =
        HiddenJob { crawl: job, settings: HiddenSettings::default(), which: WhichDatabases::Open };
    let (numbers, watched) = watch::channel(Numbers::default());
    let (stopping, stop) = watch::channel(false);
    let dir = field.dir();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(ask_databases(&dir, job, Watching { numbers, stop })).unwrap()
    });
    crate::field::until("some answers are there", || requests(&field, "ergebnis") >= 4);
    stopping.send_replace(true);
    let report = thread.join().unwrap();
    drop(watched);
    assert_eq!(report.crawl.unwrap().end, CrawlEnd::Stopped);
    assert!(!report.asked[0].complete && report.asked[0].asking_since.is_some());
    let report = ask(&field, HiddenSettings::default(), WhichDatabases::Open);
    assert!(report.asked[0].complete);
    assert_eq!(values(&field, report.asked[0].id, "name"), truth(&database)[2]);
    assert_eq!(requests(&field, "ergebnis"), 12);
    assert_eq!(field.requests_twice(), [""; 0]);
}

#[test]
fn repositories_good_and_bad() {
    let faults = [
        vec![],
        vec![OaiFault::PrefixWithToken],
        vec![OaiFault::CutOnce { request: 2 }],
        vec![OaiFault::Busy { every: 3, seconds: 1 }],
        vec![OaiFault::Repeats { page: 4 }],
        vec![OaiFault::RepeatsToken { page: 4 }],
        vec![OaiFault::TokensExpire { pages: 2 }],
    ];
    for faults in faults {
        let mut repository = OaiRepository::new(230, 11);
        repository.page_size = 50;
        repository.faults.clone_from(&faults);
        let expected: BTreeSet<(String, bool)> =
            repository.records.iter().map(|it| (it.identifier.clone(), it.deleted)).collect();
        let field = field("<link rel=oai href='/oai'>", |site| repository.add_to(site, "/oai"));
        let report = crawled_and_asked(&field);
        let asked = &report.asked[0];
        assert_eq!(asked.new.kind, DatabaseKind::OaiPmh);
        let found: BTreeSet<(String, bool)> = field.with_catalog(async |catalog| {
            let records = catalog.records_of(asked.id, 0, 10_000).await.unwrap();
            records.into_iter().map(|it| (it.record.identifier, it.record.deleted)).collect()
        });
        assert_eq!(found, expected, "{faults:?}: {:?}", codes(asked));
        assert!(asked.complete, "{faults:?}: {:?}", codes(asked));
    }
}

/// What is open to some only is read with the secret, and the secret is nowhere in the archive.
#[test]
fn credentials_are_shown_and_not_kept() {
    let guide = HotelGuide::new(100, 5).with(GuideOptions {
        described: Described::InFile { token: Some("geheim-4711".to_owned()) },
        ..GuideOptions::default()
    });
    let database = Arc::clone(&guide.database);
    let field = field("<a href='/hotels/'>Hotels</a>", |site| guide.add_to(site, "/hotels/"));
    field.crawl(&[SEED], |_| {});
    let mut job = field.job(&[SEED]);
    let host = HostName::parse("h.example").unwrap();
    let credential = Credential::bearer(host, "geheim-4711");
    job.net.credentials = vec![Credential { over_http: true, ..credential }];
    let job =
        HiddenJob { crawl: job, settings: HiddenSettings::default(), which: WhichDatabases::Open };
    let report = asked(&field, job);
    assert!(report.asked[0].complete, "{:?}", report.asked[0].stopped);
    assert_eq!(values(&field, report.asked[0].id, "name"), truth(&database)[2]);
    let shown = |head: &[u8]| head.windows(11).any(|it| it == b"geheim-4711");
    assert!(field.web.requests().iter().any(|it| shown(&it.head)));
    assert!(field.records().iter().all(|(_, block)| !shown(block)));
}
