//! Links that strangers wrote must not lead to our own machines.
//!
//! Here nothing but the guard stands between the crawl and a real server on this machine: only
//! documentation addresses are mapped to the simulated internet, all others would be dialled.

use crate::field::Field;
use auslese_crawl::Scope;
use auslese_harvest::CrawlJob;
use auslese_model::{CauseKind, State};
use auslese_testnet::{Answer, DnsAnswer, Internet, Site, Zone};
use std::io::{Read, Write};
use std::net::{IpAddr, TcpListener};

/// Every way to spell a private place, but for the port.
const PLACES: &[&str] = &[
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "0.0.0.0",
    "localhost",
    "sub.localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "10.0.0.1",
    "172.16.5.5",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "innen.boese.example",
    "metadaten.boese.example",
    "mal-so.boese.example",
];

fn field(port: u16) -> Field {
    let places = || PLACES.iter().map(move |host| format!("http://{host}:{port}/geheim"));
    let links: String =
        places().map(|url| format!("<a href='{url}'><img src='{url}.png'>")).collect();
    let mut site = Site::new("http://www.uni.example").at("198.18.0.1");
    let mut redirects = String::new();
    for (number, url) in places().enumerate() {
        site = site
            .answer(&format!("/r{number}"), Answer::redirect(302, &format!("{url}/umgeleitet")));
        redirects += &format!("<a href='/r{number}'>");
    }
    let address = |text: &str| DnsAnswer::Addresses(vec![text.parse::<IpAddr>().unwrap()]);
    let zone = Zone::new("boese.example")
        .address("innen", "10.0.0.7")
        .address("innen", "127.0.0.1")
        .address("metadaten", "169.254.169.254")
        // Public when it is looked at, private when it is used.
        .script("mal-so", [address("198.18.0.9"), address("127.0.0.1")]);
    let lured = Answer::page("<a href='/geheim'><a href='/geheim2'>").until_close();
    Field::new(
        Internet::new()
            .zone(zone)
            .site(site.page("/", links + &redirects))
            .site(Site::new(format!("http://mal-so.boese.example:{port}")).answer("/", lured))
            .site(Site::new("http://umweg.example").at("198.18.0.2").page("/seite", "x").answer(
                "/robots.txt",
                Answer::redirect(302, &format!("http://127.0.0.1:{port}/robots.txt")),
            )),
    )
}

fn only_the_guard(job: &mut CrawlJob) {
    job.scope = Scope::parse("accept any").unwrap();
    job.net.only_mapped = false;
    job.net.limits.ttl_min = std::time::Duration::ZERO;
    job.net.limits.connect = std::time::Duration::from_millis(300);
    job.crawl.retry.attempts = 1;
    for (index, entry) in job.net.connect_to.iter_mut().enumerate() {
        let range = if index % 2 == 0 { "198.18.0.0/15" } else { "2001:db8::/32" };
        entry.addresses = range.parse().unwrap();
    }
}

#[test]
fn nothing_private_is_asked() {
    let secret = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = secret.local_addr().unwrap().port();
    let field = field(port);
    let lure = format!("http://mal-so.boese.example:{port}/");
    let seeds = ["http://www.uni.example/", &lure, "http://umweg.example/seite"];
    for delay in [0, 1] {
        field.crawl(&seeds, |job| {
            only_the_guard(job);
            job.crawl.politeness.delay = std::time::Duration::from_millis(delay);
        });
    }
    for host in PLACES {
        for end in ["", ".png", "/umgeleitet"] {
            let url = format!("http://{host}:{port}/geheim{end}");
            let url = url.parse::<url::Url>().unwrap().to_string();
            let found = field.state(&url);
            let refused = Some((State::Refused, Some(CauseKind::Guarded)));
            assert_eq!(found, refused, "{url}");
        }
    }
    // A robots.txt that leads to such a place cannot be read; that is no leave to go on.
    let detour = field.state("http://umweg.example/seite");
    assert_eq!(detour, Some((State::Queued, Some(CauseKind::RobotsUnknown))));
    assert!(field.web.requests().iter().all(|logged| !logged.target.contains("geheim")));
    secret.set_nonblocking(true).unwrap();
    assert!(secret.accept().is_err(), "somebody connected to the real server");
}

#[test]
fn private_places_are_asked_where_that_is_allowed() {
    let own = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = own.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for connection in own.incoming() {
            let mut connection = connection.unwrap();
            let _ = connection.read(&mut [0; 4096]);
            let _ = connection.write_all(
                b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nintern",
            );
        }
    });
    let site = Site::new("http://www.uni.example").at("198.18.0.1").page(
        "/",
        format!("<a href='http://127.0.0.1:{port}/a'><a href='http://169.254.169.254:{port}/'>"),
    );
    let field = Field::new(Internet::new().site(site));
    field.crawl(&["http://www.uni.example/"], |job| {
        only_the_guard(job);
        job.net.allow_private = true;
    });
    let captures = field.captures();
    assert_eq!(field.body(&captures[&format!("http://127.0.0.1:{port}/a")]), b"intern");
    let metadata = field.state(&format!("http://169.254.169.254:{port}/"));
    assert_eq!(
        metadata,
        Some((State::Refused, Some(CauseKind::Guarded))),
        "never by allow_private"
    );
}
