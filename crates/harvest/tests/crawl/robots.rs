//! What robots.txt allows, and what becomes of pages whose robots.txt cannot be had.

use crate::field::Field;
use auslese_crawl::Scope;
use auslese_harvest::{CrawlEnd, StoringRules};
use auslese_model::CauseKind::{Robots, RobotsUnknown};
use auslese_model::State::{Done, Queued, Refused};
use auslese_model::{CauseKind, State};
use auslese_testnet::{Answer, Internet, Site};

fn text(body: &str) -> Answer {
    Answer::file("text/plain", body)
}

#[test]
fn answers_for_robots_txt() {
    type Expected = (State, Option<CauseKind>);
    const ALLOWED: Expected = (Done, None);
    let rules =
        "User-agent: *\nDisallow: /\n\nUser-agent: auslese\nDisallow: /nein\nAllow: /nein/doch\n";
    #[rustfmt::skip]
    let cases: Vec<(&str, Answer, &str, Expected)> = vec![
        // host            robots.txt                   page            expected
        ("regeln",         text(rules),                 "/ja",          ALLOWED),
        ("regeln",         text(rules),                 "/nein",        (Refused, Some(Robots))),
        ("regeln",         text(rules),                 "/nein/doch",   ALLOWED),
        ("alles",          text("User-agent: *\nDisallow: /"), "/",     (Refused, Some(Robots))),
        ("muster",         text("User-agent: *\nDisallow: /*.pdf$"), "/a.pdf", (Refused, Some(Robots))),
        ("muster",         text("User-agent: *\nDisallow: /*.pdf$"), "/a.pdf?x", ALLOWED),
        ("fehlt",          Answer::error(404),          "/",            ALLOWED),
        ("verboten",       Answer::error(403),          "/",            ALLOWED),
        ("gestoert",       Answer::error(503),          "/",            (Queued, Some(RobotsUnknown))),
        ("fehler",         Answer::error(500),          "/",            (Queued, Some(RobotsUnknown))),
        ("viel",           Answer::error(429),          "/",            (Queued, Some(RobotsUnknown))),
        ("zu",             Answer::raw(""),             "/",            (Queued, Some(RobotsUnknown))),
        ("gepackt",        text("User-agent: *\nDisallow: /x").gzip(), "/x", (Refused, Some(Robots))),
        ("umzug",          Answer::redirect(301, "/r2"), "/x",          (Refused, Some(Robots))),
        ("umzug",          Answer::redirect(301, "/r2"), "/y",          ALLOWED),
        ("kreis",          Answer::redirect(302, "/robots.txt"), "/",   ALLOWED),
        ("ins-leere",      Answer::redirect(302, "http://gibt-es-nicht.example/r"), "/", (Queued, Some(RobotsUnknown))),
    ];
    let mut net = Internet::new();
    let mut hosts: Vec<&str> = cases.iter().map(|case| case.0).collect();
    hosts.dedup();
    for host in hosts {
        let robots = cases.iter().find(|case| case.0 == host).unwrap().1.clone();
        let site = Site::new(format!("http://{host}.example")).otherwise(Answer::page("Seite"));
        let moved = text("User-agent: *\nDisallow: /x");
        net = net.site(site.answer("/robots.txt", robots).answer("/r2", moved));
    }
    let seeds: Vec<String> =
        cases.iter().map(|(host, _, page, _)| format!("http://{host}.example{page}")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let field = Field::new(net);
    let report = field.crawl(&seeds, |_| {});
    assert_eq!(report.end, CrawlEnd::Done);
    let asked = field.asked();
    for (seed, case) in seeds.iter().zip(&cases) {
        assert_eq!(field.state(seed), Some(case.3), "{seed}");
        assert_eq!(asked.contains(*seed), case.3 == ALLOWED, "{seed}");
    }
    for (host, robots) in [("regeln", "/robots.txt"), ("fehlt", "/robots.txt"), ("umzug", "/r2")] {
        let url = format!("http://{host}.example{robots}");
        assert!(field.captures_of(&url) >= 1, "{url} is archived");
    }
    field.verify();
}

/// `http` redirects to `https` of the same host, rules and sitemap included.
#[test]
fn robots_txt_behind_tls() {
    let rules = "User-agent: *\nDisallow: /nein\nSitemap: https://www.uni.example/karte.xml";
    let map = "<urlset><url><loc>https://www.uni.example/gelistet</loc></url></urlset>";
    let to_tls = |path: &str| Answer::redirect(301, &format!("https://www.uni.example{path}"));
    let net = Internet::new()
        .site(
            Site::new("http://www.uni.example")
                .answer("/robots.txt", to_tls("/robots.txt"))
                .answer("/", to_tls("/"))
                .page("/nein", "x"),
        )
        .site(
            Site::new("https://www.uni.example")
                .answer("/robots.txt", text(rules))
                .page(
                    "/",
                    "<a href='/seite'><a href='/nein'><a href='http://www.uni.example/nein'>",
                )
                .page("/seite", "x")
                .file("/karte.xml", "application/xml", map)
                .page("/gelistet", "x"),
        );
    let field = Field::new(net);
    field.crawl(&["http://www.uni.example/"], |_| {});
    #[rustfmt::skip]
    let cases = [
        ("https://www.uni.example/",          Some((Done, None))),
        ("https://www.uni.example/seite",     Some((Done, None))),
        ("https://www.uni.example/gelistet",  Some((Done, None))),
        ("https://www.uni.example/nein",      Some((Refused, Some(Robots)))),
        ("http://www.uni.example/nein",       Some((Refused, Some(Robots)))),
    ];
    for (url, expected) in cases {
        assert_eq!(field.state(url), expected, "{url}");
    }
    field.verify();
}

/// Rules hold whatever is stored: a robots.txt whose body is not wanted is read all the same.
#[test]
fn storing_rules_do_not_switch_robots_off() {
    let site = Site::new("http://www.uni.example")
        .answer("/robots.txt", text("User-agent: *\nDisallow: /nein"))
        .page("/", "<a href='/nein'>");
    let field = Field::new(Internet::new().site(site));
    field.crawl(&["http://www.uni.example/"], |job| {
        job.storing = StoringRules {
            header_only_types: vec!["text/plain".to_owned()],
            header_only_suffixes: vec![".txt".to_owned()],
            header_only_above: None,
        };
    });
    assert_eq!(field.state("http://www.uni.example/nein"), Some((Refused, Some(Robots))));
}

/// A robots.txt that another host keeps says nothing about the address of the first.
#[test]
fn robots_txt_on_another_host() {
    let net = Internet::new()
        .site(
            Site::new("http://a.example")
                .at("198.18.0.1")
                .answer("/robots.txt", Answer::redirect(301, "http://b.example/gemeinsam.txt"))
                .page("/", "x"),
        )
        .site(
            Site::new("http://b.example")
                .at("198.18.0.2")
                .answer("/gemeinsam.txt", text("User-agent: *\nDisallow: /")),
        );
    let field = Field::new(net);
    field.crawl(&["http://a.example/"], |job| {
        job.scope = Scope::parse("accept any").unwrap();
        job.crawl.politeness.delay = std::time::Duration::from_millis(1);
    });
    assert_eq!(field.state("http://a.example/"), Some((Refused, Some(Robots))));
    let queues = field.with_catalog(async |catalog| catalog.server_queues(10).await.unwrap());
    let a = queues.iter().find(|queue| queue.origin.host.as_str() == "a.example").unwrap();
    assert_eq!(a.clock.address, Some("198.18.0.1".parse().unwrap()));
}
