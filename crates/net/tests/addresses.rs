//! Names and addresses: the guard, the resolver, and what is really dialled.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod world;

use auslese_model::CauseKind::{self, Connect, Dns, Guarded, NoSuchName, NotMapped, Timeout};
use auslese_model::{Headers, HostName};
use auslese_net::{Net, NetSettings, Wanted};
use auslese_testnet::misbehaviour::PAGE;
use auslese_testnet::{DnsAnswer, Internet, Running, Site, Zone};
use std::net::IpAddr;
use std::time::Duration;
use world::{fetch, get, net, net_with, payload, run};

fn host(name: &str) -> HostName {
    HostName::parse(name).unwrap()
}

fn addresses(texts: &[&str]) -> DnsAnswer {
    DnsAnswer::Addresses(texts.iter().map(|text| text.parse().unwrap()).collect())
}

fn failure(net: &Net, url: &str) -> CauseKind {
    run(fetch(net, url)).unwrap_err().kind
}

#[test]
fn nothing_private_is_dialled() {
    let zone = Zone::new("evil.example")
        .address("loopback", "127.0.0.1")
        .address("six", "::1")
        .address("mapped", "::ffff:10.0.0.1")
        .address("intranet", "192.168.0.1")
        .address("metadata", "169.254.169.254")
        .cname("alias", "loopback");
    let internet = Internet::new().zone(zone).start().unwrap();
    let net = net_with(&internet, |settings| settings.only_mapped = false);
    for url in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://0/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::a00:1]/",
        "http://[2002:7f00:1::]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://www.localhost/",
        "https://loopback.evil.example/",
        "http://six.evil.example/",
        "http://mapped.evil.example/",
        "http://intranet.evil.example/",
        "http://metadata.evil.example/",
        "http://alias.evil.example/",
    ] {
        assert_eq!(failure(&net, url), Guarded, "{url}");
    }
    assert_eq!(internet.connections().len(), 0);
}

#[test]
fn allowed_by_setting() {
    let internet = Internet::new().site(Site::new("http://127.0.0.1").page("/", PAGE));
    let internet = internet.start().unwrap();
    let port = internet.http().port();
    let url = format!("http://127.0.0.1:{port}/");
    let open = NetSettings { allow_private: true, ..NetSettings::default() };
    let listed =
        NetSettings { allow: vec!["127.0.0.0/8".parse().unwrap()], ..NetSettings::default() };
    for settings in [open, listed] {
        let exchange = run(fetch(&Net::new(settings).unwrap(), &url)).unwrap();
        assert_eq!(exchange.address, Some("127.0.0.1".parse().unwrap()));
    }
    assert_eq!(failure(&Net::new(NetSettings::default()).unwrap(), &url), Guarded);
}

#[test]
fn only_mapped_addresses_are_dialled() {
    let internet = Internet::new().site(Site::new("http://h.example").page("/", PAGE));
    let internet = internet.start().unwrap();
    let net = net(&internet);
    assert_eq!(failure(&net, "http://h.example:81/"), NotMapped);
    assert_eq!(failure(&net, "http://8.8.8.8:81/"), NotMapped);
    assert!(run(fetch(&net, "http://h.example/")).is_ok());
}

/// The name is public when it is checked and private ever after: only the first answer counts.
#[test]
fn a_name_that_changes_its_answer() {
    let rebinding = [addresses(&["198.18.0.1"]), addresses(&["127.0.0.1"])];
    let internet = Internet::new()
        .zone(Zone::new("evil.example").script("rebind", rebinding))
        .site(Site::new("http://rebind.evil.example").page("/", PAGE))
        .start()
        .unwrap();
    let net = net_with(&internet, |settings| settings.limits.ttl_min = Duration::ZERO);
    run(async {
        let exchange = fetch(&net, "http://rebind.evil.example/").await.unwrap();
        assert_eq!(exchange.address, Some("198.18.0.1".parse().unwrap()));
        assert_eq!(asked(&internet, "rebind.evil.example", "A"), 1, "resolved once per fetch");
        let cause = fetch(&net, "http://rebind.evil.example/").await.unwrap_err();
        assert_eq!(cause.kind, Guarded, "a kept connection is no way round the guard");
    });
    assert_eq!(internet.request_count(), 1);
}

/// What was looked at before the fetch is what is dialled, whatever the name says now.
#[test]
fn addresses_can_be_pinned() {
    let turns = [addresses(&["198.18.0.1"]), addresses(&["198.18.0.2"])];
    let internet = Internet::new()
        .zone(Zone::new("h.example").script("www", turns))
        .site(Site::new("http://www.h.example").page("/", PAGE))
        .start()
        .unwrap();
    let net = net_with(&internet, |settings| settings.limits.ttl_min = Duration::ZERO);
    run(async {
        let first = net.resolve(&host("www.h.example")).await.unwrap();
        let second = net.resolve(&host("www.h.example")).await.unwrap();
        assert_ne!(first.addresses, second.addresses);
        for resolution in [&first, &second] {
            let request = get("http://www.h.example/");
            let none = Headers::default();
            let hook = |_: &auslese_net::ResponseHead<'_>| Wanted::Body;
            let exchange = net.fetch_resolved(&request, resolution, &none, &hook).await.unwrap();
            assert_eq!(exchange.address, Some(resolution.addresses[0]));
        }
    });
    assert_eq!(internet.connections().len(), 2, "another address is another connection");
}

fn asked(internet: &Running, name: &str, kind: &str) -> usize {
    let queries = internet.dns_queries();
    queries.iter().filter(|query| query.name == name && query.record_type == kind).count()
}

#[test]
fn answers_are_kept_and_shared() {
    let internet = Internet::new()
        .zone(Zone::new("h.example").address("www", "198.18.0.1").cname("alias", "www").ttl(300))
        .start()
        .unwrap();
    let net = net(&internet);
    run(async {
        let waiting: Vec<_> = (0..50)
            .map(|_| {
                let net = net.clone();
                tokio::spawn(async move { net.resolve(&host("alias.h.example")).await })
            })
            .collect();
        for one in waiting {
            let resolution = one.await.unwrap().unwrap();
            assert_eq!(resolution.addresses, ["198.18.0.1".parse::<IpAddr>().unwrap()]);
            assert_eq!(resolution.ttl, Duration::from_secs(300));
            let text = resolution.dns_text().unwrap();
            let lines: Vec<&str> = text.lines().skip(1).collect();
            assert_eq!(
                lines,
                [
                    "alias.h.example.\t300\tIN\tCNAME\twww.h.example.",
                    "www.h.example.\t300\tIN\tA\t198.18.0.1"
                ]
            );
        }
        for _ in 0..2 {
            let cause = net.resolve(&host("nowhere.h.example")).await.unwrap_err();
            assert_eq!(cause.kind, NoSuchName);
        }
    });
    for name in ["alias.h.example", "nowhere.h.example"] {
        for kind in ["A", "AAAA"] {
            assert_eq!(asked(&internet, name, kind), 1, "{name} {kind}");
        }
    }
}

#[test]
fn many_names_at_once() {
    let internet =
        Internet::new().zone(Zone::new("h.example").address("*", "198.18.0.1")).start().unwrap();
    let net = net(&internet);
    run(async {
        let waiting: Vec<_> = (0..1000)
            .map(|number| {
                let net = net.clone();
                let host = host(&format!("h{number}.h.example"));
                tokio::spawn(async move { net.resolve(&host).await })
            })
            .collect();
        for one in waiting {
            one.await.unwrap().unwrap();
        }
    });
}

#[test]
fn how_resolving_fails() {
    let zone = Zone::new("h.example")
        .txt("text", "no address here")
        .script("failing", [DnsAnswer::ServerFailure])
        .script("refused", [DnsAnswer::Refused])
        .script("silent", [DnsAnswer::Silence])
        .script("gone", [DnsAnswer::NoSuchName]);
    let internet = Internet::new().zone(zone).start().unwrap();
    let net = net_with(&internet, |settings| settings.limits.resolve = Duration::from_secs(1));
    #[rustfmt::skip]
    let cases = [
        ("gone.h.example",    Err(NoSuchName)),
        ("nobody.h.example",  Err(NoSuchName)),
        ("text.h.example",    Err(NoSuchName)),
        ("name.invalid",      Err(NoSuchName)),
        ("failing.h.example", Err(Dns)),
        ("refused.h.example", Err(Dns)),
        ("silent.h.example",  Err(Dns)),
        ("198.18.0.1",        Ok(())),
    ];
    for (name, expected) in cases {
        let found = run(net.resolve(&host(name))).map(|_| ()).map_err(|cause| cause.kind);
        assert_eq!(found, expected, "{name}");
    }
    let long = format!("{}.example", "a".repeat(64));
    assert_eq!(failure(&net, &format!("http://{long}/")), NoSuchName);
}

/// A failure is forgotten sooner than an answer.
#[test]
fn failures_are_retried() {
    let turns = [
        DnsAnswer::ServerFailure,
        DnsAnswer::ServerFailure,
        DnsAnswer::ServerFailure,
        DnsAnswer::ServerFailure,
        DnsAnswer::ServerFailure,
        addresses(&["198.18.0.1"]),
    ];
    let internet =
        Internet::new().zone(Zone::new("h.example").script("www", turns)).start().unwrap();
    let net = net_with(&internet, |settings| settings.limits.ttl_failed = Duration::ZERO);
    run(async {
        let mut results = Vec::new();
        for _ in 0..6 {
            results.push(net.resolve(&host("www.h.example")).await.is_ok());
        }
        assert!(!results[0] && results[5], "{results:?}");
    });
}

#[test]
fn ipv4_first_then_ipv6_then_the_next() {
    let internet = Internet::new()
        .one_socket_per_address()
        .zone(Zone::new("h.example").address("both", "2001:db8::1").address("both", "198.18.0.9"))
        .site(Site::new("http://both.h.example").page("/", PAGE))
        .site(Site::new("http://six.h.example").at("2001:db8::6").page("/", PAGE))
        .start()
        .unwrap();
    let net = net(&internet);
    let exchange = run(fetch(&net, "http://both.h.example/")).unwrap();
    assert_eq!(exchange.address, Some("198.18.0.9".parse().unwrap()));
    let exchange = run(fetch(&net, "http://six.h.example/")).unwrap();
    assert_eq!(exchange.address, Some("2001:db8::6".parse().unwrap()));

    // The IPv4 address now leads to a port at which nobody listens.
    let dead = Internet::new().refused_port(80).start().unwrap();
    let net = net_with(&internet, |settings| {
        for entry in &mut settings.connect_to {
            if entry.addresses.contains(&"198.18.0.9".parse::<IpAddr>().unwrap()) {
                entry.to = dead.socket(80).unwrap();
            }
        }
    });
    let exchange = run(fetch(&net, "http://both.h.example/")).unwrap();
    assert_eq!(exchange.address, Some("2001:db8::1".parse().unwrap()));
    assert_eq!(payload(&exchange.response), PAGE.as_bytes());
}

#[test]
fn no_connection() {
    let internet =
        Internet::new().refused_port(81).silent_port(82).zone(zone_of_one()).start().unwrap();
    let net = net_with(&internet, |settings| {
        settings.limits.connect = Duration::from_millis(300);
    });
    assert_eq!(failure(&net, "http://www.h.example:81/"), Connect);
    assert_eq!(failure(&net, "http://www.h.example:82/"), Timeout);
}

fn zone_of_one() -> Zone {
    Zone::new("h.example").address("www", "198.18.0.1")
}

/// Some of a name's addresses are refused: the others are used, and the refusal is told.
#[test]
fn mixed_addresses() {
    let zone = Zone::new("h.example").address("www", "127.0.0.1").address("www", "198.18.0.1");
    let internet = Internet::new()
        .zone(zone)
        .site(Site::new("http://www.h.example").page("/", PAGE))
        .start()
        .unwrap();
    let net = net(&internet);
    let resolution = run(net.resolve(&host("www.h.example"))).unwrap();
    assert_eq!(resolution.addresses, ["198.18.0.1".parse::<IpAddr>().unwrap()]);
    assert_eq!(resolution.refused[0].to_string(), "127.0.0.1 is a loopback address");
    assert!(run(fetch(&net, "http://www.h.example/")).is_ok());
}
