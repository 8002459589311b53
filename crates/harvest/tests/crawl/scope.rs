//! What the scope lets pass, seen from the servers: ports, address ranges, hops, embeds, labels.

use crate::field::Field;
use auslese_crawl::Scope;
use auslese_harvest::{CrawlEnd, Institutions, Seed};
use auslese_model::{CauseKind, State};
use auslese_testnet::{Answer, DnsAnswer, Internet, Site, Zone};
use std::collections::BTreeMap;

#[test]
fn the_same_host_on_another_port_is_another_site() {
    let link = "<a href='http://www.uni.example:8080/x'>";
    let net = Internet::new()
        .site(Site::new("http://www.uni.example").page("/", link))
        .site(Site::new("http://www.uni.example:8080").page("/x", "other"));
    for (scope, fetched) in [(None, false), (Some("accept host www.uni.example"), true)] {
        let field = Field::new(net.clone());
        field.crawl(&["http://www.uni.example/"], |job| {
            if let Some(scope) = scope {
                job.scope = Scope::parse(scope).unwrap();
            }
        });
        let captures = field.captures();
        assert_eq!(captures.contains_key("http://www.uni.example:8080/x"), fetched, "{scope:?}");
    }
}

/// Links to hosts with unknown addresses wait until these are known.
#[test]
fn address_ranges() {
    let net = Internet::new()
        .zone(Zone::new("fern.example").address("www", "203.0.113.5"))
        .zone(Zone::new("intern.example").address("www", "10.1.2.3"))
        .zone(Zone::new("still.example").script("www", [DnsAnswer::ServerFailure]))
        .site(Site::new("http://www.uni.example").at("198.18.0.1").page(
            "/",
            "<a href='http://nah.example/1'><a href='http://nah.example/2'>\
             <a href='http://www.fern.example/'><a href='http://www.weg.example/'>\
             <a href='http://www.intern.example/'><a href='http://www.still.example/'>\
             <a href='http://198.18.0.3/'><a href='http://198.18.1.3/'>",
        ))
        .site(Site::new("http://nah.example").at("198.18.0.2").page("/1", "<a href='/3'>"));
    let field = Field::new(net);
    let rules = "accept net 198.18.0.0/24 10.0.0.0/8";
    let crawl = || {
        field.crawl(&["http://www.uni.example/"], |job| {
            job.scope = Scope::parse(rules).unwrap();
            job.net.limits.ttl_failed = std::time::Duration::ZERO;
        })
    };
    let report = crawl();
    #[rustfmt::skip]
    let cases = [
        ("http://nah.example/1",       Some((State::Done, None))),
        ("http://nah.example/2",       Some((State::Done, None))),
        ("http://nah.example/3",       Some((State::Done, None))),
        ("http://www.fern.example/",   Some((State::Refused, Some(CauseKind::Scope)))),
        ("http://www.intern.example/", Some((State::Refused, Some(CauseKind::Guarded)))),
        ("http://www.weg.example/",    Some((State::Failed, Some(CauseKind::NoSuchName)))),
        // The name server failed: nothing is decided, the next run asks again.
        ("http://www.still.example/",  Some((State::Parked, None))),
        ("http://198.18.0.3/",         Some((State::Done, None))),
        // Known at once to be out of scope, and therefore not even noted.
        ("http://198.18.1.3/",         None),
    ];
    for (url, expected) in cases {
        assert_eq!(field.state(url), expected, "{url}");
    }
    assert_eq!(report.end, CrawlEnd::Done);
    assert_eq!(report.status.requests[&State::Parked], 1);

    let queries =
        || field.web.dns_queries().iter().filter(|q| q.name == "www.still.example").count();
    let before = queries();
    assert_eq!(crawl().end, CrawlEnd::Done);
    assert!(queries() > before, "a host that is parked is asked for again by the next run");
    field.verify();
}

#[test]
fn hops_and_embeds() {
    let chain = Answer::from_fn(|asked| {
        let number: usize = asked.path()[1..].parse().unwrap_or(0);
        Answer::page(format!("<a href='/{}'>", number + 1))
    });
    let there = "<a href='http://fremd.example/seite'><img src='http://fremd.example/bild.png'>\
                 <link rel=stylesheet href='http://fremd.example/stil.css'>\
                 <iframe src='http://fremd.example/rahmen'></iframe>";
    let foreign = Site::new("http://fremd.example")
        .file("/stil.css", "text/css", "p{background:url(hg.png)}")
        .page("/rahmen", "<a href='/weiter'><img src='/im-rahmen.png'>");
    let net = Internet::new()
        .site(Site::new("http://kette.example").otherwise(chain))
        .site(
            Site::new("http://www.uni.example")
                .page("/", there)
                .answer("/weg", Answer::redirect(302, "http://fremd.example/ziel")),
        )
        .site(foreign);
    let field = Field::new(net);
    let rules = "accept host www.uni.example kette.example\naccept embeds 2\naccept redirects\nreject hops > 3";
    let seeds = ["http://www.uni.example/", "http://www.uni.example/weg", "http://kette.example/0"];
    field.crawl(&seeds, |job| job.scope = Scope::parse(rules).unwrap());
    let asked = field.asked();
    #[rustfmt::skip]
    let cases = [
        ("http://kette.example/3",             true),
        ("http://kette.example/4",             false),
        ("http://fremd.example/bild.png",      true),
        ("http://fremd.example/stil.css",      true),
        ("http://fremd.example/hg.png",        true),
        ("http://fremd.example/rahmen",        true),
        ("http://fremd.example/im-rahmen.png", true),
        ("http://fremd.example/ziel",          true),
        ("http://fremd.example/seite",         false),
        ("http://fremd.example/weiter",        false),
    ];
    for (url, fetched) in cases {
        assert_eq!(asked.contains(url), fetched, "{url}");
    }
}

/// Several institutions: a server belongs to the nearest entry point, or to where it was found.
#[test]
fn labels_of_institutions() {
    let page = "<a href='http://math.uni-a.example/'><a href='http://zusatz.example/'>";
    let net = Internet::new()
        .site(Site::new("http://www.uni-a.example").page("/", page))
        .site(Site::new("http://math.uni-a.example").page("/", "m"))
        .site(Site::new("http://www.uni-b.example").page("/", "<a href='http://b.example/'>"))
        .site(Site::new("http://zusatz.example").page("/", "z"))
        .site(Site::new("http://b.example").page("/", "b"));
    let field = Field::new(net);
    let (a, b) = ("http://www.uni-a.example/", "http://www.uni-b.example/");
    field.crawl(&[a, b], |job| {
        job.scope = Scope::parse("accept any\naccept as Sonder host b.example").unwrap();
        let (root_a, root_b) = (a.parse().unwrap(), b.parse().unwrap());
        job.institutions = Institutions::new([("A", &root_a), ("B", &root_b)]);
        job.seeds[1] = Seed { url: b.parse().unwrap(), label: Some("Bee".to_owned()) };
    });
    let servers = field.with_catalog(async |catalog| catalog.servers().await.unwrap());
    let labels: BTreeMap<String, Option<String>> =
        servers.into_iter().map(|server| (server.origin.host.to_string(), server.label)).collect();
    #[rustfmt::skip]
    let cases = [
        ("www.uni-a.example",  "A"),
        ("math.uni-a.example", "A"),
        ("zusatz.example",     "A"),
        ("www.uni-b.example",  "Bee"),
        ("b.example",          "Sonder"),
    ];
    for (host, label) in cases {
        assert_eq!(labels[host].as_deref(), Some(label), "{host}");
    }
}
