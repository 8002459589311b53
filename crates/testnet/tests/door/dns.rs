//! The name server, asked with hickory's wire format over plain sockets.

use crate::client::PATIENCE;
use auslese_testnet::{DnsAnswer, Internet, Running, Site, Zone};
use hickory_server::proto::op::{Message, MessageType, OpCode, Query, ResponseCode};
use hickory_server::proto::rr::{Name, RecordType};
use hickory_server::proto::serialize::binary::{BinDecodable, BinEncodable};
use std::io::{Read, Write};
use std::net::{IpAddr, UdpSocket};
use std::time::Duration;

fn internet() -> Running {
    let public: IpAddr = "198.18.7.7".parse().unwrap();
    let private: IpAddr = "127.0.0.1".parse().unwrap();
    let late =
        DnsAnswer::After(Duration::from_millis(50), Box::new(DnsAnswer::Addresses(vec![public])));
    Internet::new()
        .zone(
            Zone::new("uni.example")
                .ns("ns1")
                .ns("ns.provider.example.")
                .address("ns1", "198.18.0.2")
                .address("@", "198.18.0.10")
                .address("www", "198.18.0.10")
                .address("www", "2001:db8::10")
                .address("deep.below", "198.18.0.11")
                .address("*.blogs", "198.18.0.12")
                .cname("alt", "www")
                .cname("fern", "www.other.example.")
                .cname("kreis1", "kreis2")
                .cname("kreis2", "kreis1")
                .mx("@", 10, "mail")
                .txt("@", "v=spf1 mx -all")
                .ptr("198.18.0.10".parse().unwrap(), "www")
                .script(
                    "rebind",
                    [DnsAnswer::Addresses(vec![public]), DnsAnswer::Addresses(vec![private])],
                )
                .script("kaputt", [DnsAnswer::ServerFailure])
                .script("weg", [DnsAnswer::NoSuchName])
                .script("nein", [DnsAnswer::Refused])
                .script("stumm", [DnsAnswer::Silence])
                .script("spaet", [late]),
        )
        .zone(Zone::new("other.example").address("www", "203.0.113.5"))
        .zone(Zone::new("müller.example").address("www", "198.51.100.9"))
        .site(Site::new("http://auto.example"))
        .start()
        .unwrap()
}

#[test]
fn answers() {
    use RecordType as T;
    let net = internet();
    #[rustfmt::skip]
    let cases: &[(&str, RecordType, &str, &[&str])] = &[
        // name                    type      code         data
        ("www.uni.example.",       T::A,     "NoError",   &["198.18.0.10"]),
        ("WWW.Uni.Example.",       T::A,     "NoError",   &["198.18.0.10"]),
        ("www.uni.example.",       T::AAAA,  "NoError",   &["2001:db8::10"]),
        ("www.uni.example.",       T::MX,    "NoError",   &[]),
        ("alt.uni.example.",       T::A,     "NoError",   &["www.uni.example.", "198.18.0.10"]),
        ("fern.uni.example.",      T::A,     "NoError",   &["www.other.example.", "203.0.113.5"]),
        ("fern.uni.example.",      T::AAAA,  "NoError",   &["www.other.example."]),
        ("kreis1.uni.example.",    T::A,     "ServFail",  &[]),
        ("uni.example.",           T::NS,    "NoError",   &["ns1.uni.example.", "ns.provider.example."]),
        ("uni.example.",           T::MX,    "NoError",   &["10 mail.uni.example."]),
        ("uni.example.",           T::TXT,   "NoError",   &["v=spf1 mx -all"]),
        ("10.0.18.198.in-addr.arpa.", T::PTR, "NoError",  &["www.uni.example."]),
        ("below.uni.example.",     T::A,     "NoError",   &[]),
        ("x.blogs.uni.example.",   T::A,     "NoError",   &["198.18.0.12"]),
        ("x.blogs.uni.example.",   T::AAAA,  "NoError",   &[]),
        ("nothing.uni.example.",   T::A,     "NXDomain",  &[]),
        ("nothing.anywhere.",      T::A,     "NXDomain",  &[]),
        ("www.xn--mller-kva.example.", T::A, "NoError",   &["198.51.100.9"]),
        ("auto.example.",          T::A,     "NoError",   &["198.19.0.1"]),
        ("rebind.uni.example.",    T::A,     "NoError",   &["198.18.7.7"]),
        ("rebind.uni.example.",    T::AAAA,  "NoError",   &[]),
        ("rebind.uni.example.",    T::A,     "NoError",   &["127.0.0.1"]),
        ("rebind.uni.example.",    T::A,     "NoError",   &["127.0.0.1"]),
        ("kaputt.uni.example.",    T::A,     "ServFail",  &[]),
        ("weg.uni.example.",       T::A,     "NXDomain",  &[]),
        ("nein.uni.example.",      T::A,     "Refused",   &[]),
        ("spaet.uni.example.",     T::A,     "NoError",   &["198.18.7.7"]),
    ];
    for (name, record_type, code, data) in cases {
        let reply = over_udp(&net, name, *record_type).unwrap();
        assert_eq!(format!("{:?}", reply.metadata.response_code), *code, "{name}");
        let found: Vec<String> =
            reply.answers.iter().map(|record| record.data.to_string()).collect();
        assert_eq!(found, *data, "{name} {record_type}");
        let known = matches!(*code, "NoError" | "NXDomain");
        assert_eq!(reply.metadata.authoritative, known, "{name}");
        // Whoever gets nothing must learn for how long to believe it.
        let resolved = reply.answers.iter().any(|record| record.record_type() == *record_type);
        assert_eq!(!reply.authorities.is_empty(), known && !resolved, "{name} {record_type}");
    }
    let queries = net.dns_queries();
    assert_eq!(queries.len(), cases.len());
    assert_eq!((&*queries[1].name, &*queries[1].record_type), ("www.uni.example", "A"));
    assert!(queries.iter().all(|query| !query.over_tcp));
}

#[test]
fn silence_is_logged() {
    let net = internet();
    let socket = ask_udp(&net, "stumm.uni.example.", RecordType::A);
    socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    assert!(socket.recv(&mut [0; 512]).is_err());
    assert_eq!(net.dns_queries()[0].answered, "silence");
}

#[test]
fn tcp_and_the_soa() {
    let net = internet();
    let query = query("nothing.uni.example.", RecordType::A);
    let mut stream = crate::client::connect(net.dns());
    stream.write_all(&(query.len() as u16).to_be_bytes()).unwrap();
    stream.write_all(&query).unwrap();
    let mut length = [0; 2];
    stream.read_exact(&mut length).unwrap();
    let mut bytes = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut bytes).unwrap();
    let reply = Message::from_bytes(&bytes).unwrap();
    assert_eq!(reply.metadata.response_code, ResponseCode::NXDomain);
    assert_eq!(reply.authorities[0].name.to_ascii(), "uni.example.");
    assert!(net.dns_queries()[0].over_tcp);
}

#[test]
fn scripts_start_again() {
    let net = internet();
    let address = || {
        let reply = over_udp(&net, "rebind.uni.example.", RecordType::A).unwrap();
        reply.answers[0].data.to_string()
    };
    assert_eq!([address(), address()], ["198.18.7.7", "127.0.0.1"]);
    net.reset();
    assert_eq!(address(), "198.18.7.7");
}

#[test]
fn bad_names_and_addresses_are_named() {
    let start = |zone: Zone| Internet::new().zone(zone).start().unwrap_err().to_string();
    let zone = || Zone::new("uni.example");
    assert!(start(zone().address("www", "198.18.0.256")).contains("not an IP address"));
    assert!(start(zone().cname(&"x".repeat(64), "www")).contains("not a domain name"));
}

pub(crate) fn over_udp(
    net: &Running,
    name: &str,
    record_type: RecordType,
) -> std::io::Result<Message> {
    let socket = ask_udp(net, name, record_type);
    let mut buffer = [0; 4096];
    let length = socket.recv(&mut buffer)?;
    Ok(Message::from_bytes(&buffer[..length]).unwrap())
}

fn ask_udp(net: &Running, name: &str, record_type: RecordType) -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.connect(net.dns()).unwrap();
    socket.send(&query(name, record_type)).unwrap();
    socket
}

fn query(name: &str, record_type: RecordType) -> Vec<u8> {
    let mut message = Message::new(7, MessageType::Query, OpCode::Query);
    message.metadata.recursion_desired = true;
    message.add_query(Query::query(Name::from_ascii(name).unwrap(), record_type));
    message.to_bytes().unwrap()
}
