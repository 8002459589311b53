//! Names, addresses, zones and certificates.

use crate::world::{lookups, quick, run};
use auslese_discover::lookup::Lookups;
use auslese_model::{CauseKind, HostName};
use auslese_net::RecordKind;
use auslese_testnet::{DnsAnswer, Internet, Running, Site, Zone};
use std::net::IpAddr;

fn host(name: &str) -> HostName {
    HostName::parse(name).unwrap()
}

fn internet() -> Running {
    let university = Zone::new("uni.example")
        .ns("ns1.uni.example.")
        .ns("ns.provider.example.")
        .ns("ns1.uni.example.")
        .address("@", "198.18.1.1")
        .address("www", "198.18.1.2")
        .address("www", "2001:db8::2")
        .address("six", "2001:db8::6")
        .cname("blog", "cdn.example.")
        .mx("@", 10, "mail.uni.example.")
        .txt("@", "v=spf1 include:_spf.uni.example -all")
        .txt("text", "only a text")
        .script("broken", [DnsAnswer::ServerFailure])
        .ptr("198.18.1.2".parse().unwrap(), "www.uni.example.")
        .ptr("198.18.1.2".parse().unwrap(), "WWW.uni.example.");
    let institute =
        Zone::new("math.uni.example").ns("ns.math.uni.example.").address("www", "198.18.2.1");
    let cdn = Zone::new("cdn.example").ns("ns.cdn.example.").address("@", "203.0.113.9");
    Internet::new()
        .zone(university)
        .zone(institute)
        .zone(cdn)
        .site(Site::new("https://www.uni.example").page("/", "hello"))
        .start()
        .unwrap()
}

#[test]
fn addresses() {
    let internet = internet();
    let lookups = lookups(&internet, quick());
    #[rustfmt::skip]
    let cases: &[(&str, Result<&[&str], CauseKind>)] = &[
        ("www.uni.example",   Ok(&["198.18.1.2", "2001:db8::2"])),
        ("six.uni.example",   Ok(&["2001:db8::6"])),
        ("blog.uni.example",  Ok(&["203.0.113.9"])),
        ("text.uni.example",  Ok(&[])),
        ("198.18.9.9",        Ok(&["198.18.9.9"])),
        ("[2001:db8::1]",     Ok(&["2001:db8::1"])),
        ("none.uni.example",  Err(CauseKind::NoSuchName)),
        ("broken.uni.example", Err(CauseKind::Dns)),
    ];
    for (name, expected) in cases {
        let told = run(lookups.addresses(&host(name))).map(|told| told.value);
        let told = told.map_err(|cause| cause.kind);
        let expected = expected.map(|addresses| {
            addresses.iter().map(|address| address.parse().unwrap()).collect::<Vec<IpAddr>>()
        });
        assert_eq!(told, expected, "{name}");
    }
    let asked = internet.dns_queries().len();
    for (name, _) in cases {
        let _ = run(lookups.addresses(&host(name)));
    }
    assert_eq!(internet.dns_queries().len(), asked, "all of it was known");
}

#[test]
fn zones() {
    let internet = internet();
    let lookups = lookups(&internet, quick());
    #[rustfmt::skip]
    let cases: &[(&str, &str, &[&str])] = &[
        ("uni.example",              "uni.example",      &["ns1.uni.example", "ns.provider.example"]),
        ("www.uni.example",          "uni.example",      &["ns1.uni.example", "ns.provider.example"]),
        ("a.b.none.uni.example",     "uni.example",      &["ns1.uni.example", "ns.provider.example"]),
        ("www.math.uni.example",     "math.uni.example", &["ns.math.uni.example"]),
        // The alias leads to the apex of another zone, whose servers are not this host's.
        ("blog.uni.example",         "uni.example",      &["ns1.uni.example", "ns.provider.example"]),
        ("www.nobody.example",       "nobody.example",   &[]),
    ];
    for (name, apex, servers) in cases {
        let told = run(lookups.zone(&host(name))).unwrap();
        let found: Vec<&str> = told.value.name_servers.iter().map(HostName::as_str).collect();
        assert_eq!((told.value.apex.as_str(), found.as_slice()), (*apex, *servers), "{name}");
        assert_eq!(told.source, "DNS");
    }
    assert_eq!(run(lookups.zone(&host("198.18.1.1"))).unwrap_err().kind, CauseKind::NoSuchName);
    assert!(
        !internet.dns_queries().iter().any(|query| query.name == "example"),
        "beyond the domain"
    );
}

#[test]
fn other_records() {
    let internet = internet();
    let lookups = lookups(&internet, quick());
    let data = |lookups: &Lookups, name: &str, kind| -> Vec<String> {
        let told = run(lookups.records(name, kind)).unwrap();
        told.value.into_iter().map(|record| record.data).collect()
    };
    assert_eq!(data(&lookups, "uni.example", RecordKind::Mx), ["10 mail.uni.example"]);
    assert_eq!(
        data(&lookups, "UNI.example.", RecordKind::Txt),
        ["v=spf1 include:_spf.uni.example -all"]
    );
    assert!(data(&lookups, "www.uni.example", RecordKind::Mx).is_empty());
    let pointers = |address: &str| run(lookups.pointers(address.parse().unwrap())).unwrap().value;
    assert_eq!(pointers("198.18.1.2"), [host("www.uni.example")]);
    assert!(pointers("198.18.1.3").is_empty());
}

#[test]
fn certificates() {
    let internet = internet();
    let lookups = lookups(&internet, quick());
    for _ in 0..2 {
        let told = run(lookups.certificate(&host("www.uni.example"), 443)).unwrap();
        assert_eq!(told.value.names, ["www.uni.example"]);
        assert_eq!(told.source, "certificate of www.uni.example:443");
        assert!(!told.value.der.is_empty());
    }
    assert_eq!(internet.connections().len(), 1);
    // An address: no name is asked for in the handshake.
    let _ = run(lookups.certificate(&host("198.18.1.2"), 443));
    assert_eq!(internet.connections().last().unwrap().sni, None);
    let cause = run(lookups.certificate(&host("none.uni.example"), 443)).unwrap_err();
    assert_eq!(cause.kind, CauseKind::NoSuchName);
}
