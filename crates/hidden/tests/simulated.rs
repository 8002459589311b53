//! Databases of the simulated internet, asked over the network as a crawl would ask them, and compared with
//! what they hold.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_hidden::{
    DatabaseAnswer, DatabaseSummary, DbContent, DbMetadata, Gathering, OaiHarvest, OaiReply,
    OaiReport, OaiSettings, PlanSettings, PrefixDrilling, WordProbing, config_entries,
    page_entries, plan,
};
use auslese_markup::{Page, parse};
use auslese_model::{Method, Request, read_soif};
use auslese_testnet::databases::{
    Between, Catalogue, CatalogueOptions, Charset, DbContentOffer, Described, Essential,
    GuideOptions, HotelGuide, Matching, OaiFault, OaiRepository,
};
use auslese_testnet::{Internet, Running, Site};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use url::{Position, Url};

fn served(add: impl FnOnce(Site) -> Site) -> Running {
    Internet::new().site(add(Site::new("http://h.example"))).start().unwrap()
}

struct Answered {
    status: u16,
    retry_after: Option<Duration>,
    charset: Option<String>,
    body: Vec<u8>,
}

impl Answered {
    fn page(&self) -> Page {
        parse(&self.body, self.charset.as_deref())
    }
}

fn send(net: &Running, request: &Request) -> Answered {
    let (kind, body) = request.body.clone().unwrap_or_default();
    let mut bytes = format!(
        "{} {} HTTP/1.1\r\nHost: h.example\r\nConnection: close\r\nContent-Type: {kind}\r\n\
         Content-Length: {}\r\n\r\n",
        request.method.as_str(),
        &request.url[Position::BeforePath..],
        body.len()
    )
    .into_bytes();
    bytes.extend(body);
    let mut stream = TcpStream::connect(net.http()).unwrap();
    stream.write_all(&bytes).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let value = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
    Answered {
        status: head[9..12].parse().unwrap(),
        retry_after: value("Retry-After: ").map(|it| Duration::from_secs(it.parse().unwrap())),
        charset: head.split_once("charset=").map(|(_, rest)| rest.lines().next().unwrap().into()),
        body: answer.split_off(end + 4),
    }
}

fn get(net: &Running, url: &str) -> Answered {
    send(net, &Request::get(url.parse().unwrap()))
}

/// Asks the guide to the end; a busy server is asked again.
fn gather(options: GuideOptions) -> (HotelGuide, DatabaseSummary) {
    let guide = HotelGuide::new(400, 7).with(options);
    let net = served(|site| guide.clone().add_to(site, "/hotels/"));
    let url: Url = "http://h.example/hotels/".parse().unwrap();
    let page = get(&net, url.as_str()).page();
    let entries = page_entries(&page);
    let config = DbMetadata::of_entries(&entries, &[]).config_file.map(|file| {
        let file = url.join(&file).unwrap();
        config_entries(&get(&net, file.as_str()).body)
    });
    let metadata = DbMetadata::of_entries(&entries, &config.unwrap_or_default());
    assert!(metadata.problems.is_empty(), "{:?}", metadata.problems);
    let plan = plan(&page, &url, &metadata, PlanSettings::default()).unwrap();
    let mut gathering = Gathering::new(plan, metadata);
    while let Some(ask) = gathering.next() {
        let mut answer = send(&net, &ask.request);
        while answer.status == 503 {
            answer = send(&net, &ask.request);
        }
        let page = answer.page();
        let (url, status) = (&ask.request.url, answer.status);
        gathering.answered(&ask, DatabaseAnswer { url, status, page: Some(&page) });
    }
    (guide, gathering.finish())
}

fn values<'a>(summary: &'a DatabaseSummary, name: &str) -> BTreeSet<&'a str> {
    let found = summary.attributes.iter().find(|it| it.name == name);
    found.into_iter().flat_map(|it| it.values.iter().map(String::as_str)).collect()
}

#[test]
fn guides_are_read_completely_whatever_they_are_like() {
    let usual = GuideOptions::default;
    #[rustfmt::skip]
    let cases = [
        // options                                                                       queries
        (usual(),                                                                        12),
        (GuideOptions { method: Method::Post, charset: Charset::Latin1, ..usual() },     12),
        (GuideOptions { described: Described::InFile { token: None }, ..usual() },       12),
        (GuideOptions { essential: Essential::RegionAndPrice, ..usual() },               48),
        (GuideOptions { essential: Essential::RegionPriceAndKind, ..usual() },           192),
        (GuideOptions { essential: Essential::Town, charset: Charset::Latin1, ..usual() }, 26),
        (GuideOptions { page_size: Some(10), decoys: true, sessions: true, ..usual() },  12),
        (GuideOptions { busy_percent: 20, decoys: true, ..usual() },                     12),
        (GuideOptions { between: Between::Notice, method: Method::Post, ..usual() },     12),
    ];
    for (options, queries) in cases {
        let (guide, summary) = gather(options.clone());
        let database = &guide.database;
        assert_eq!(summary.queries, queries, "{options:?}");
        assert_eq!((summary.truncated, &summary.stopped), (None, &None), "{options:?}");
        let regions: BTreeSet<&str> = database.regions().iter().copied().collect();
        assert_eq!(values(&summary, "region"), regions, "{options:?}");
        let towns: BTreeSet<&str> = database.towns().iter().map(|it| &*it.name).collect();
        assert_eq!(values(&summary, "ort"), towns, "{options:?}");
        let names: BTreeSet<&str> = database.hotels().iter().map(|it| &*it.name).collect();
        assert_eq!(values(&summary, "name"), names, "{options:?}");
    }
}

#[test]
fn what_cannot_be_read_completely_says_so() {
    let (_, cut) = gather(GuideOptions { cap: Some(10), ..GuideOptions::default() });
    assert_eq!((cut.truncated, cut.truncated_queries.len()), (Some(10), 12));
    let between = Between::Question;
    let (_, question) = gather(GuideOptions { between, ..GuideOptions::default() });
    assert!(question.problems.iter().any(|it| it.code == "W_INTERACTION"), "{question:?}");
    assert!(question.stopped.is_some() && question.queries < 12);
}

#[test]
fn a_summarizer_needs_two_requests() {
    let database = HotelGuide::new(400, 7).database;
    let interface = "http://h.example/hotels/".to_owned();
    let offer = DbContentOffer { database, interface, token: None };
    let net = served(|site| offer.add_to(site));
    let url: Url = "http://h.example/db/hotels.DBContent".parse().unwrap();
    let content = DbContent::read(&get(&net, url.as_str()).body, Some(&url)).unwrap();
    let answer = send(&net, &content.request(&url).unwrap());
    let objects = read_soif(&answer.body).unwrap();
    assert_eq!(objects[0].values("hotel.name").len(), 400);
    assert_eq!(net.request_count(), 2);
}

fn harvest(repository: OaiRepository) -> (BTreeSet<String>, OaiReport) {
    let net = served(|site| repository.add_to(site, "/oai"));
    let mut harvest = OaiHarvest::new(OaiSettings::all("http://h.example/oai".parse().unwrap()));
    let mut found = BTreeSet::new();
    while let Some(ask) = harvest.next() {
        let Answered { status, retry_after, charset, body } = send(&net, &ask.request);
        let charset = charset.as_deref();
        let records = harvest.answered(OaiReply { status, retry_after, charset, body: &body });
        found.extend(records.into_iter().map(|record| record.identifier));
    }
    (found, harvest.finish())
}

#[test]
fn repositories_are_harvested_completely_where_they_can_be() {
    let repository = OaiRepository::new(450, 3);
    let all: BTreeSet<String> = repository.records.iter().map(|it| it.identifier.clone()).collect();
    let (found, report) = harvest(repository.clone());
    assert_eq!((&found, report.requests, report.complete), (&all, 6, true));
    assert_eq!(report.deleted, repository.records.iter().filter(|it| it.deleted).count() as u64);
    #[rustfmt::skip]
    let cases = [
        // fault                                   all found  complete
        (OaiFault::PrefixWithToken,                true,      true),
        (OaiFault::CutOnce { request: 2 },         true,      true),
        (OaiFault::Busy { every: 3, seconds: 1 },  true,      true),
        (OaiFault::TokensExpire { pages: 3 },      true,      true),
        (OaiFault::ClaimsSize(999),                true,      true),
        (OaiFault::CutAlways,                      false,     false),
        (OaiFault::Repeats { page: 1 },            false,     false),
        (OaiFault::RepeatsToken { page: 1 },       false,     false),
    ];
    for (fault, everything, complete) in cases {
        let (found, report) = harvest(repository.clone().with_fault(fault.clone()));
        assert_eq!((found == all, report.complete), (everything, complete), "{fault:?} {report:?}");
    }
}

const ROWS: usize = 20_000;

/// Asks for rows by the beginning of a target and its further pages, as (number, title).
fn rows(net: &Running, target: &str) -> (Vec<(String, String)>, bool) {
    let (mut found, mut is_cut) = (Vec::new(), false);
    let mut next = Some(target.to_owned());
    while let Some(target) = next.take() {
        let body = get(net, &format!("http://h.example/katalog/{target}")).body;
        let html = String::from_utf8(body).unwrap();
        for row in html.split("<tr><td>").skip(1) {
            let mut cells = row.split("</td><td>").map(str::to_owned);
            found.push((cells.next().unwrap(), cells.next().unwrap()));
        }
        let count = html.split("von ").nth(1).and_then(|it| it.split('<').next()?.parse().ok());
        is_cut = count.unwrap_or(0) > found.len();
        let link = html.split("<a href=\"suche").nth(1).and_then(|it| it.split('"').next());
        next = link.map(|link| format!("suche{}", link.replace("&amp;", "&")));
    }
    (found, is_cut)
}

#[test]
fn words_that_are_frequent_find_most_of_a_catalogue() {
    let net = served(|site| Catalogue::new(ROWS, 1).add_to(site, "/katalog/"));
    let mut probing = WordProbing::new(&["Geschichte und Recht".to_owned()], 30);
    while let Some(word) = probing.next_word() {
        let query: String = url::form_urlencoded::byte_serialize(word.as_bytes()).collect();
        let (found, _) = rows(&net, &format!("suche?q={query}"));
        probing.answered(found.iter().map(|(_, title)| title.as_str()));
    }
    let (found, queries) = probing.found();
    assert!(found as usize > ROWS * 6 / 10, "{found} rows by {queries} queries");
}

#[test]
fn beginnings_find_everything_though_answers_are_cut() {
    let options = CatalogueOptions {
        matching: Matching::Beginning,
        cap: Some(100),
        page_size: None,
        ..CatalogueOptions::default()
    };
    let catalogue = Catalogue::new(2_000, 1).with(options);
    let net = served(|site| catalogue.add_to(site, "/katalog/"));
    let mut drilling = PrefixDrilling::new("abcdefghijklmnopqrstuvwxyzäöü", 2_000);
    let mut numbers = BTreeSet::new();
    while let Some(prefix) = drilling.next_prefix() {
        let query: String = url::form_urlencoded::byte_serialize(prefix.as_bytes()).collect();
        let (found, is_cut) = rows(&net, &format!("suche?q={query}%25"));
        let pairs = found.iter().map(|(number, title)| (number.as_str(), title.as_str()));
        drilling.answered(&prefix, pairs, is_cut);
        numbers.extend(found.into_iter().map(|(number, _)| number));
    }
    assert_eq!(numbers.len(), 2_000);
}
