//! What discovery asks: records, bare answers, certificates, and whether a port is open.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod world;

use auslese_model::CauseKind::{self, Closed, Connect, Dns, Guarded, NoContact, NoSuchName};
use auslese_model::CauseKind::{NotMapped, Proxy, Timeout, Tls};
use auslese_model::{Cause, HostName};
use auslese_net::{
    Certificate, CertificateOf, Certificates, ConnectTo, Conversation, ConverseLimits, Net,
    NetSettings, RecordKind, reverse_name,
};
use auslese_testnet::misbehaviour::PAGE;
use auslese_testnet::{Identity, Internet, Running, Site, Zone};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use world::{net, net_with, run};

fn host(name: &str) -> HostName {
    HostName::parse(name).unwrap()
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// The data of the records, or why there are none.
async fn data(net: &Net, name: &str, kind: RecordKind) -> Result<Vec<String>, CauseKind> {
    let records = net.records(name, kind).await.map_err(|cause| cause.kind)?;
    assert!(records.records.iter().all(|record| record.kind == kind.as_str()));
    let mut data: Vec<String> = records.records.into_iter().map(|record| record.data).collect();
    data.sort();
    Ok(data)
}

type Expected<'a> = &'a [&'a str];

#[test]
fn records_of_each_kind() {
    let long = "v=spf1 ".to_owned() + &"a".repeat(300);
    let zone = Zone::new("uni.example")
        .ttl(300)
        .ns("NS1")
        .ns("ns.provider.example.")
        .address("www", "198.18.1.10")
        .address("www", "192.168.0.1")
        .address("www", "2001:db8::1")
        .cname("alias", "WWW")
        .cname("dangling", "nowhere")
        .mx("@", 10, "Mail")
        .mx("@", 20, "mx.provider.example.")
        .txt("@", &long)
        .txt("_dmarc", "v=DMARC1; p=\"none\"")
        .ptr(address("198.18.1.10"), "www")
        .ptr(address("192.0.2.7"), "doc.uni.example.")
        .ptr(address("2001:db8::1"), "six");
    let internet = Internet::new().zone(zone).start().unwrap();
    let net = net(&internet);
    let four = reverse_name(address("198.18.1.10"));
    let documentation = reverse_name(address("192.0.2.7"));
    let six = reverse_name(address("2001:db8::1"));
    #[rustfmt::skip]
    let cases: [(&str, RecordKind, Result<Expected<'_>, CauseKind>); 19] = [
        ("www.uni.example",      RecordKind::A,     Ok(&["192.168.0.1", "198.18.1.10"])),
        ("WWW.Uni.example.",     RecordKind::A,     Ok(&["192.168.0.1", "198.18.1.10"])),
        ("alias.uni.example",    RecordKind::A,     Ok(&["192.168.0.1", "198.18.1.10"])),
        ("www.uni.example",      RecordKind::Aaaa,  Ok(&["2001:db8::1"])),
        ("alias.uni.example",    RecordKind::Cname, Ok(&["www.uni.example"])),
        ("www.uni.example",      RecordKind::Cname, Ok(&[])),
        ("uni.example",          RecordKind::Ns,    Ok(&["ns.provider.example", "ns1.uni.example"])),
        ("www.uni.example",      RecordKind::Ns,    Ok(&[])),
        ("uni.example",          RecordKind::Soa,   Ok(&["ns1.uni.example hostmaster.uni.example 1 7200 3600 1209600 300"])),
        ("uni.example",          RecordKind::Mx,    Ok(&["10 mail.uni.example", "20 mx.provider.example"])),
        ("uni.example",          RecordKind::Txt,   Ok(&[&long])),
        ("_dmarc.uni.example",   RecordKind::Txt,   Ok(&["v=DMARC1; p=\"none\""])),
        (&four,                  RecordKind::Ptr,   Ok(&["www.uni.example"])),
        (&documentation,         RecordKind::Ptr,   Ok(&["doc.uni.example"])),
        (&six,                   RecordKind::Ptr,   Ok(&["six.uni.example"])),
        ("nobody.uni.example",   RecordKind::A,     Err(NoSuchName)),
        ("dangling.uni.example", RecordKind::Mx,    Err(NoSuchName)),
        ("alias.uni.example",    RecordKind::Mx,    Ok(&[])),
        ("a..b",                 RecordKind::A,     Err(NoSuchName)),
    ];
    run(async {
        for (name, kind, expected) in cases {
            let expected = expected.map(|data| data.iter().map(ToString::to_string).collect());
            assert_eq!(data(&net, name, kind).await, expected, "{name} {kind:?}");
        }
        let records = net.records("alias.uni.example", RecordKind::Aaaa).await.unwrap();
        assert_eq!(records.ttl, Duration::from_secs(300));
        assert_eq!(records.records[0].name, "www.uni.example");
    });
}

/// A name server that swallows every question.
#[test]
fn nobody_answers() {
    run(async {
        let hole = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let settings = NetSettings {
            dns: vec![hole.local_addr().unwrap()],
            limits: auslese_net::Limits { resolve: Duration::from_millis(300), ..world::limits() },
            ..NetSettings::default()
        };
        let net = Net::new(settings).unwrap();
        let begun = Instant::now();
        for kind in [RecordKind::A, RecordKind::Ptr, RecordKind::Txt] {
            assert_eq!(data(&net, "www.uni.example", kind).await, Err(Dns), "{kind:?}");
        }
        assert!(begun.elapsed() < Duration::from_secs(20));
    });
}

/// How a server of a line protocol behaves once it has read the question.
#[derive(Debug, Clone, Copy)]
enum Manner {
    Answers(&'static str),
    Echoes,
    Drips,
    Endless,
    Silent,
    Deaf,
    HangsUp,
}

async fn speak(mut client: TcpStream, manner: Manner) {
    let mut question = [0; 64];
    let count = match manner {
        Manner::Deaf => 0,
        _ => client.read(&mut question).await.unwrap_or(0),
    };
    match manner {
        Manner::Answers(text) => drop(client.write_all(text.as_bytes()).await),
        Manner::Echoes => drop(client.write_all(&question[..count]).await),
        Manner::Drips => {
            while client.write_all(b".").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        Manner::Endless => while client.write_all(&[b'x'; 4096]).await.is_ok() {},
        Manner::Silent | Manner::Deaf => tokio::time::sleep(Duration::from_secs(60)).await,
        Manner::HangsUp => {}
    }
}

async fn start(manner: Manner) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let socket = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(speak(client, manner));
        }
    });
    socket
}

fn registry() -> Internet {
    Internet::new().zone(Zone::new("registry.example").address("whois", "198.18.0.43"))
}

/// A net in which port 43 leads to a server of this manner.
fn leading_to(internet: &Running, socket: SocketAddr) -> Net {
    net_with(internet, |settings| {
        let addresses = "198.18.0.43/32".parse().unwrap();
        settings.connect_to.push(ConnectTo { addresses, port: Some(43), to: socket });
    })
}

async fn ask(net: &Net, limits: ConverseLimits) -> Result<Conversation, Cause> {
    net.converse(&host("whois.registry.example"), 43, b"uni.example\r\n", limits).await
}

#[test]
fn conversations() {
    let internet = registry().start().unwrap();
    let limits = ConverseLimits { bytes: 1000, total: Duration::from_secs(2) };
    #[rustfmt::skip]
    let cases = [
        (Manner::Answers("no match\r\n"), Ok((10, false))),
        (Manner::Echoes,                  Ok((13, false))),
        (Manner::Endless,                 Ok((1000, true))),
        (Manner::Drips,                   Ok((1, true))),
        (Manner::Silent,                  Err(Timeout)),
        (Manner::Deaf,                    Err(Timeout)),
        (Manner::HangsUp,                 Ok((0, false))),
    ];
    run(async {
        for (manner, expected) in cases {
            let net = leading_to(&internet, start(manner).await);
            let begun = Instant::now();
            let found = ask(&net, limits).await;
            assert!(begun.elapsed() < Duration::from_secs(20), "{manner:?}");
            match (found, expected) {
                (Ok(found), Ok((bytes, cut))) => {
                    assert_eq!(found.address, address("198.18.0.43"));
                    assert!(found.bytes.len() <= limits.bytes, "{manner:?}");
                    assert!(found.bytes.len() >= bytes, "{manner:?}: {}", found.bytes.len());
                    assert_eq!(found.cut, cut, "{manner:?}");
                }
                (found, expected) => {
                    let found = found.map(|found| (found.bytes.len(), found.cut));
                    assert_eq!(found.map_err(|cause| cause.kind), expected, "{manner:?}");
                }
            }
        }
        let whole = leading_to(&internet, start(Manner::Answers("12345")).await);
        for (bytes, kept, cut) in [(4, "1234", true), (5, "12345", false), (6, "12345", false)] {
            let answer = ask(&whole, ConverseLimits { bytes, ..limits }).await.unwrap();
            assert_eq!((answer.bytes.as_slice(), answer.cut), (kept.as_bytes(), cut), "{bytes}");
        }
    });
}

/// A reset before a word was said is a failure, not an empty answer.
#[test]
fn a_connection_that_breaks() {
    let internet = registry().start().unwrap();
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let net = leading_to(&internet, listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (client, _) = listener.accept().await.unwrap();
            // Closing with a question unread resets the connection.
            let mut byte = [0];
            let _ = client.peek(&mut byte).await;
            drop(client);
            tokio::time::sleep(Duration::from_secs(60)).await;
        });
        let cause = ask(&net, ConverseLimits::default()).await.unwrap_err();
        assert_eq!(cause.kind, Closed, "{cause}");
    });
}

/// Each way of asking meets the same guard, the same map and the same rules.
#[test]
fn nobody_gets_past_the_guard() {
    let zone = Zone::new("evil.example").address("inside", "127.0.0.1").address("out", "8.8.8.8");
    let internet = Internet::new().zone(zone).start().unwrap();
    let mapped = net(&internet);
    let open = net_with(&internet, |settings| {
        settings.only_mapped = false;
        settings.connect_to.clear();
    });
    let behind_proxy = net_with(&internet, |settings| {
        settings.only_mapped = false;
        settings.proxy = Some("http://127.0.0.1:1/".parse().unwrap());
    });
    #[rustfmt::skip]
    let cases = [
        (&mapped,       "inside.evil.example",  "127.0.0.1",       Guarded),
        (&mapped,       "out.evil.example",     "8.8.8.8",         NotMapped),
        (&open,         "inside.evil.example",  "169.254.169.254", Guarded),
        (&open,         "out.evil.example",     "8.8.8.8",         NoContact),
        (&behind_proxy, "out.evil.example",     "8.8.8.8",         Proxy),
    ];
    run(async {
        for (net, name, bare, expected) in cases {
            let (name, bare) = (host(name), address(bare));
            let limits = ConverseLimits::default();
            let said = net.converse(&name, 43, b"x", limits).await.map(drop);
            let shown = certificate(net, Some(&name), None, 81).await.map(drop);
            let shown_there = certificate(net, None, Some(bare), 81).await.map(drop);
            let probed = net.probe(bare, 81, Duration::from_secs(1)).await;
            for outcome in [said, shown, shown_there, probed] {
                assert_eq!(outcome.map_err(|cause| cause.kind), Err(expected), "{name} {bare}");
            }
        }
        let nowhere = certificate(&open, None, None, 443).await.unwrap_err();
        assert_eq!(nowhere.kind, Connect);
    });
    assert!(internet.connections().is_empty());
}

async fn certificate(
    net: &Net,
    host: Option<&HostName>,
    address: Option<IpAddr>,
    port: u16,
) -> Result<Certificate, Cause> {
    net.certificate(CertificateOf { host, address, port }).await
}

#[test]
fn certificates_are_read_good_or_bad() {
    let names = |names: &[&str]| Identity::Named(names.iter().map(ToString::to_string).collect());
    #[rustfmt::skip]
    let cases: [(&str, Identity, &[&str], Option<&str>); 6] = [
        ("good.example",    Identity::Valid,      &["good.example"],    None),
        ("expired.example", Identity::Expired,    &["expired.example"], Some("expired")),
        ("self.example",    Identity::SelfSigned, &["self.example"],    Some("unknown issuer")),
        ("many.example",    names(&["many.example", "*.many.example", "Other.Example"]),
                            &["many.example", "*.many.example", "other.example"], None),
        ("wrong.example",   names(&["right.example"]), &["right.example"], Some("for another name")),
        ("device.example",  names(&["192.0.2.1"]),     &[],                Some("for another name")),
    ];
    let internet = cases.iter().fold(Internet::new(), |internet, (host, identity, ..)| {
        let site = Site::new(format!("https://{host}")).identity(identity.clone());
        internet.site(site.page("/", PAGE))
    });
    let missing = Site::new("https://missing.example").identity(Identity::Missing);
    let internet = internet.site(missing.page("/", PAGE)).start().unwrap();
    // Also where a bad certificate is refused for fetching, its names can be read.
    let nets = [
        net(&internet),
        net_with(&internet, |settings| settings.certificates = Certificates::Refuse),
    ];
    run(async {
        for (name, _, names, problem) in &cases {
            for net in &nets {
                let shown = certificate(net, Some(&host(name)), None, 443).await.unwrap();
                assert_eq!(shown.names, *names, "{name}");
                let found = shown.problem.unwrap_or_default();
                assert_eq!(found.is_empty(), problem.is_none(), "{name}: {found}");
                assert!(found.starts_with(problem.unwrap_or("")), "{name}: {found}");
                assert!(!shown.der.is_empty());
            }
        }
        let cause = certificate(&nets[0], Some(&host("missing.example")), None, 443).await;
        assert_eq!(cause.unwrap_err().kind, Tls);
    });
}

/// Without a name no name is sent, and none can be the wrong one.
#[test]
fn a_certificate_by_address() {
    let site = Site::new("https://only.example").at("198.18.1.9").page("/", PAGE);
    let internet = Internet::new().site(site).start().unwrap();
    let net = net(&internet);
    let shown = run(certificate(&net, None, Some(address("198.18.1.9")), 443)).unwrap();
    assert_eq!((shown.names, shown.problem), (vec!["only.example".to_owned()], None));
    assert_eq!(internet.connections()[0].sni, None);
    let shown =
        run(certificate(&net, Some(&host("only.example")), Some(address("198.18.1.77")), 443));
    assert_eq!(shown.unwrap().problem, None, "the name is asked at the address given");
}

#[test]
fn probes() {
    let internet =
        Internet::new().site(Site::new("http://www.example")).refused_port(81).silent_port(82);
    let internet = internet.start().unwrap();
    let net = net(&internet);
    let patience = Duration::from_millis(300);
    #[rustfmt::skip]
    let cases = [(80, Ok(())), (81, Err(Connect)), (82, Err(Timeout)), (83, Err(NotMapped))];
    for (port, expected) in cases {
        let found = run(net.probe(address("198.18.0.1"), port, patience));
        assert_eq!(found.map_err(|cause| cause.kind), expected, "{port}");
    }
    assert_eq!(internet.request_count(), 0, "a probe says nothing");
}

#[test]
fn from_where_this_machine_asks() {
    let internet = Internet::new().site(Site::new("http://www.example")).start().unwrap();
    let net = net(&internet);
    assert_eq!(net.local_address(address("198.18.0.1")), Some(address("127.0.0.1")));
    assert_eq!(net.local_address(address("10.0.0.1")), None, "the guard forbids it");
    assert!(internet.connections().is_empty());
}
