//! Live, cached, recorded and replayed.

use crate::world::{
    UNIVERSITY, denic, lookups, net, network, quick, registry, replay, run, start, whois_log,
    whois_only,
};
use auslese_discover::lookup::{LookupMode, LookupSettings, Lookups, read_records, write_records};
use auslese_model::{Cause, CauseKind, HostName, LookupRecord, Timestamp};
use auslese_testnet::{
    Answer, Behaviour, Bootstrap, Dialect, Internet, RdapServer, Running, Site, Zone,
};
use std::time::Duration;

#[test]
fn which_mode_asks() {
    let internet = start([denic(1)]);
    let ask = |mode, known: &[LookupRecord]| {
        internet.reset();
        let lookups = Lookups::new(net(&internet), whois_only(), mode, known.to_vec());
        run(lookups.registration("d0.de")).unwrap();
        run(lookups.registration("d0.de")).unwrap();
        (whois_log(&internet).len(), lookups.take_new())
    };
    let (asked, known) = ask(LookupMode::Cached, &[]);
    assert_eq!((asked, known.len()), (1, 1));
    let mut stale = known.clone();
    stale[0].until = Timestamp::now().minus(Duration::from_secs(1));
    #[rustfmt::skip]
    let cases = [
        (LookupMode::Cached, &known, 0),
        (LookupMode::Cached, &stale, 1),
        (LookupMode::Live,   &known, 1),
        (LookupMode::Record, &known, 1),
        (LookupMode::Replay, &stale, 0),
    ];
    for (mode, known, expected) in cases {
        let (asked, new) = ask(mode, known);
        assert_eq!((asked, new.len()), (expected, expected), "{mode:?}");
    }
}

/// Everything that can be asked, in one internet.
fn whole() -> Running {
    let base = "http://rdap.nic.test/";
    let bootstrap =
        Bootstrap::new().domain("test", base).range("192.0.2.0/24".parse().unwrap(), base);
    let rdap = RdapServer::new(base, "198.51.100.7")
        .domain(crate::world::domain("uni.test"))
        .net(network("192.0.2.0/24", "UNI-US", "UNIVER-1"));
    let zone = Zone::new("d0.de")
        .ns("ns1.d0.de.")
        .address("ns1", "198.18.1.1")
        .address("@", "198.18.1.2")
        .address("www", "198.18.1.2")
        .ptr("198.18.1.2".parse().unwrap(), "www.d0.de.");
    Internet::new()
        .registry(denic(1))
        .registry(
            registry("whois.nic.at", 2, Dialect::NicAt).behaves(Behaviour::Throttled { after: 0 }),
        )
        .registry(registry("whois.ripe.net", 3, Dialect::Ripe).net(network(
            "198.18.1.0/24",
            "UNI",
            "ORG-UH1-RIPE",
        )))
        .registry(
            registry("whois.iana.org", 4, Dialect::Iana).refer("198.18.0.0/15", "whois.ripe.net"),
        )
        .site(bootstrap.site("http://bootstrap.example/rdap", "198.51.100.8"))
        .site(rdap.site())
        .zone(zone)
        .site(
            Site::new("https://www.d0.de")
                .answer("/", Answer::redirect(301, "/start"))
                .page("/start", "<h1>Universität</h1>")
                .file("/latin1", "text/html", &b"Universit\xe4t"[..])
                .file("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private"),
        )
        .start()
        .unwrap()
}

/// Every question there is, and its answer in words; times left out.
async fn everything(lookups: &Lookups) -> Vec<String> {
    let host = |name| HostName::parse(name).unwrap();
    let url = |path| format!("https://www.d0.de{path}").parse().unwrap();
    let registration = |told: Result<auslese_discover::lookup::Told<_>, Cause>| match told {
        Ok(told) => format!("{:?} {} {:?}", told.value, told.source, told.open),
        Err(cause) => cause.to_string(),
    };
    let mut answers = Vec::new();
    for name in ["d0.de", "free.de", "uni.test", "uni.at"] {
        answers.push(registration(lookups.registration(name).await));
    }
    for address in ["198.18.1.2", "192.0.2.1", "203.0.113.1"] {
        answers.push(registration(lookups.network(address.parse().unwrap()).await));
    }
    let networks = lookups.networks_of("ORG-UH1-RIPE", "198.18.1.2".parse().unwrap()).await;
    answers.push(format!("{:?}", networks.map(|told| told.value)));
    for name in ["www.d0.de", "nowhere.d0.de"] {
        answers.push(format!("{:?}", lookups.addresses(&host(name)).await.map(|told| told.value)));
        answers.push(format!("{:?}", lookups.zone(&host(name)).await.map(|told| told.value)));
    }
    let pointers = lookups.pointers("198.18.1.2".parse().unwrap()).await;
    answers.push(format!("{:?}", pointers.map(|told| told.value)));
    let certificate = lookups.certificate(&host("www.d0.de"), 443).await;
    answers.push(format!("{:?}", certificate.map(|told| told.value)));
    for path in ["/", "/latin1", "/private/x", "/nothing"] {
        let page = lookups.page(&url(path)).await;
        answers.push(format!(
            "{:?}",
            page.map(|page| (page.url, page.status, page.hops, page.body, page.content_type))
        ));
    }
    answers
}

#[test]
fn a_recording_is_replayed_without_a_network() {
    let internet = whole();
    let recording = Lookups::new(net(&internet), quick(), LookupMode::Record, Vec::new());
    let live = run(everything(&recording));
    assert!(live[0].contains(UNIVERSITY) && live[2].contains(UNIVERSITY), "{live:#?}");

    let mut file = Vec::new();
    write_records(&mut file, &recording.take_new()).unwrap();
    let known = read_records(file.as_slice()).unwrap();
    internet.reset();
    let replaying = Lookups::new(net(&internet), quick(), LookupMode::Replay, known.clone());
    assert_eq!(run(everything(&replaying)), live);
    let packets = internet.connections().len() + internet.dns_queries().len();
    assert_eq!((packets, whois_log(&internet).len()), (0, 0));
    drop(internet);
    assert_eq!(run(everything(&replay(quick(), known))), live);
}

#[test]
fn a_vain_wait_is_replayed_as_one() {
    let internet = start([denic(2)]);
    let settings = LookupSettings {
        interval: Duration::from_secs(3600),
        burst: 1,
        question: Duration::from_secs(5),
        ..whois_only()
    };
    let recording = Lookups::new(net(&internet), settings.clone(), LookupMode::Record, Vec::new());
    run(recording.registration("d0.de")).unwrap();
    let vain = run(recording.registration("d1.de")).unwrap_err();
    let replaying = replay(settings, recording.take_new());
    assert_eq!(run(replaying.registration("d1.de")).unwrap_err(), vain);
}

#[test]
fn a_miss_names_the_question() {
    let host = HostName::parse("www.d0.de").unwrap();
    let lookups = replay(whois_only(), Vec::new());
    let missing = |cause: Cause| {
        assert_eq!(cause.kind, CauseKind::Local);
        cause.detail.strip_prefix("the record has no answer for: ").unwrap().to_owned()
    };
    run(async {
        let cause = lookups.registration("d0.de").await.unwrap_err();
        assert_eq!(missing(cause), "whois whois.denic.de -T dn,ace d0.de");
        let cause = lookups.network("198.18.0.1".parse().unwrap()).await.unwrap_err();
        assert_eq!(missing(cause), "whois whois.iana.org 198.18.0.1");
        assert_eq!(missing(lookups.addresses(&host).await.unwrap_err()), "dns www.d0.de A");
        assert_eq!(missing(lookups.zone(&host).await.unwrap_err()), "dns www.d0.de NS");
        let pointers = lookups.pointers("198.18.0.1".parse().unwrap()).await;
        assert_eq!(missing(pointers.unwrap_err()), "dns 1.0.18.198.in-addr.arpa PTR");
        let certificate = lookups.certificate(&host, 443).await;
        assert_eq!(missing(certificate.unwrap_err()), "tls www.d0.de www.d0.de:443");
        let page = lookups.page(&"http://www.d0.de/a".parse().unwrap()).await.unwrap_err();
        assert_eq!(missing(page), "web www.d0.de http://www.d0.de/robots.txt");
    });
    // With both services, a replay does not go on to WHOIS: the recording may have ended in RDAP.
    let cause = run(replay(quick(), Vec::new()).registration("d0.de")).unwrap_err();
    assert_eq!(missing(cause), "rdap rdap.denic.de https://rdap.denic.de/domain/d0.de");
}

#[test]
fn new_records_are_handed_out_once() {
    let internet = start([denic(3)]);
    let lookups = lookups(&internet, whois_only());
    run(lookups.registration("d0.de")).unwrap();
    assert_eq!(lookups.take_new().len(), 1);
    run(lookups.registration("d0.de")).unwrap();
    run(lookups.registration("d1.de")).unwrap();
    let new = lookups.take_new();
    let questions: Vec<&str> = new.iter().map(|record| record.key.question.as_str()).collect();
    assert_eq!(questions, ["-T dn,ace d1.de"]);
}
