//! WHOIS registries, asked over plain sockets.

use crate::client::{ask_raw, connect, wait_for};
use auslese_testnet::{
    Behaviour, Contact, Dialect, DomainObject, Internet, NetObject, Registry, RouteObject, Running,
    TestnetError,
};
use std::collections::HashSet;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

fn university() -> Contact {
    Contact::organization("Universität Hohenwerth")
        .name("Rechenzentrum")
        .address("Schlossplatz 1", "99998", "Hohenwerth", "DE")
        .email("rz@uni.example")
}

fn domain(name: &str) -> DomainObject {
    DomainObject::new(name)
        .holder(university())
        .tech(Contact::organization("Webhaus GmbH").email("noc@webhaus.example"))
        .name_server("ns1.uni.example")
        .name_server("ns2.uni.example")
        .registrar("Registrar Werth", "whois.registrar.example")
}

fn net(range: &str, name: &str, org: &str, holder: Contact) -> NetObject {
    NetObject::new(range.parse().unwrap(), name, org, holder)
}

fn with_nets(registry: Registry) -> Registry {
    let research = Contact::organization("Forschungsnetz Werth e.V.").email("noc@fnw.example");
    registry
        .net(net("198.18.0.0/16", "FNW", "ORG-FW1-EXAMPLE", research))
        .net(
            net("198.18.1.0/24", "UNI", "ORG-UH1-EXAMPLE", university())
                .sponsor("ORG-FW1-EXAMPLE", "FNW-MNT"),
        )
        .net(net("198.18.2.0/25", "UNI-2", "ORG-UH1-EXAMPLE", university()))
        .net(net("2001:db8:1::/48", "UNI-6", "ORG-UH1-EXAMPLE", university()))
        .route(RouteObject {
            net: "198.18.0.0/16".parse().unwrap(),
            origin: 64500,
            description: "Forschungsnetz".to_owned(),
        })
}

fn internet() -> Running {
    use Dialect::*;
    let named = |host: &str, number: u8, dialect| {
        Registry::new(host, &format!("198.51.100.{number}"), dialect)
    };
    let of_domains = |host: &str, number: u8, dialect| {
        named(host, number, dialect).domain(domain("uni.example")).domain(domain("müller.example"))
    };
    let hidden = |host: &str, number: u8, dialect| {
        of_domains(host, number, dialect).behaves(Behaviour::Redacting)
    };
    let slow = Behaviour::Slow(Duration::from_millis(80));
    [
        of_domains("whois.denic.de", 1, Denic),
        of_domains("whois.nic.at", 2, NicAt),
        with_nets(named("whois.ripe.net", 3, Ripe)),
        with_nets(named("whois.arin.net", 4, Arin)),
        of_domains("whois.verisign-grs.com", 5, Verisign),
        of_domains("whois.registrar.example", 6, Icann2013),
        named("whois.iana.org", 7, Iana)
            .refer("example", "whois.denic.de")
            .refer("org-example", "")
            .refer("198.0.0.0/8", "whois.arin.net")
            .refer("198.18.0.0/15", "whois.ripe.net")
            .refer("2001:db8::/32", "whois.ripe.net"),
        of_domains("whois.latin.example", 8, Latin1),
        hidden("denic.hidden.example", 11, Denic),
        hidden("at.hidden.example", 12, NicAt),
        hidden("icann.hidden.example", 13, Icann2013),
        hidden("latin.hidden.example", 14, Latin1),
        of_domains("throttled.example", 21, Denic).behaves(Behaviour::Throttled { after: 2 }),
        of_domains("silent.example", 22, Denic).behaves(Behaviour::Silent),
        of_domains("slow.example", 23, Denic).behaves(slow),
        of_domains("garbage.example", 24, Denic).behaves(Behaviour::Garbage),
        of_domains("endless.example", 25, Denic).behaves(Behaviour::Endless),
    ]
    .into_iter()
    .fold(Internet::new(), Internet::registry)
    .start()
    .unwrap()
}

fn ask(net: &Running, server: &str, line: &str) -> Vec<u8> {
    let (bytes, end) = ask_raw(net.socket_of(server, 43).unwrap(), &format!("{line}\r\n"));
    end.unwrap();
    bytes
}

fn ask_text(net: &Running, server: &str, line: &str) -> String {
    String::from_utf8(ask(net, server, line)).unwrap()
}

#[test]
fn each_dialect_has_its_key_lines() {
    let net = internet();
    #[rustfmt::skip]
    let cases: &[(&str, &str, &[&str], &[&str])] = &[
        // server, question, lines that are there, texts that are not
        ("whois.denic.de", "uni.example", &["Domain: uni.example", "Status: connect"], &["Nserver", "[Holder]"]),
        ("whois.denic.de", "-T dn,ace uni.example",
            &["Nserver: ns1.uni.example", "[Holder]", "Type: ORG", "Organisation: Universität Hohenwerth", "Address: Schlossplatz 1",
              "PostalCode: 99998", "City: Hohenwerth", "CountryCode: DE", "Email: rz@uni.example", "[Tech-C]", "Status: connect"], &[]),
        ("whois.denic.de", "-T dn,ace xn--mller-kva.example", &["Domain: müller.example", "Domain-Ace: xn--mller-kva.example"], &[]),
        ("whois.denic.de", "-T dn xn--mller-kva.example", &["Status: invalid"], &["[Holder]"]),
        ("whois.denic.de", "-T dn,ace nobody.example", &["Domain: nobody.example", "Status: free"], &["[Holder]"]),
        ("whois.denic.de", "", &["% Error: 55000000007 Request not clearly specified"], &[]),
        ("denic.hidden.example", "-T dn,ace uni.example", &["Nserver: ns2.uni.example", "Status: connect"], &["[Holder]", "Hohenwerth"]),
        ("whois.nic.at", "uni.example",
            &["domain:         uni.example", "nserver:        ns1.uni.example", "personname:     Rechenzentrum",
              "organization:   Universität Hohenwerth", "street address: Schlossplatz 1", "postal code:    99998",
              "city:           Hohenwerth", "e-mail:         rz@uni.example", "source:         AT-DOM"], &[]),
        ("whois.nic.at", "nobody.example", &["% nothing found"], &["domain:"]),
        ("at.hidden.example", "uni.example", &["organization:   <data not disclosed>", "e-mail:         <data not disclosed>"], &["Hohenwerth"]),
        ("whois.ripe.net", "198.18.1.10",
            &["inetnum:        198.18.1.0 - 198.18.1.255", "netname:        UNI", "org:            ORG-UH1-EXAMPLE",
              "sponsoring-org: ORG-FW1-EXAMPLE", "organisation:   ORG-UH1-EXAMPLE", "org-name:       Universität Hohenwerth",
              "address:        99998 Hohenwerth", "source:         RIPE # Filtered", "role:           Network Operations",
              "route:          198.18.0.0/16", "origin:         AS64500"], &["e-mail", "netname:        FNW"]),
        ("whois.ripe.net", "-r 198.18.1.10", &["inetnum:        198.18.1.0 - 198.18.1.255", "route:          198.18.0.0/16"], &["organisation:", "role:"]),
        ("whois.ripe.net", "-r -T inetnum 198.18.1.10", &["inetnum:        198.18.1.0 - 198.18.1.255"], &["route:"]),
        ("whois.ripe.net", "-rB -T organisation ORG-UH1-EXAMPLE", &["org-name:       Universität Hohenwerth", "e-mail:         rz@uni.example", "source:         RIPE"], &["inetnum", "filtered"]),
        ("whois.ripe.net", "-r 198.18.9.9", &["inetnum:        198.18.0.0 - 198.18.255.255", "netname:        FNW"], &["UNI"]),
        ("whois.ripe.net", "-r -L 198.18.1.10", &["netname:        FNW", "netname:        UNI"], &[]),
        ("whois.ripe.net", "-r -l 198.18.1.0 - 198.18.1.255", &["netname:        FNW"], &["netname:        UNI"]),
        ("whois.ripe.net", "-r -x 198.18.1.0/24", &["netname:        UNI"], &["FNW\r"]),
        ("whois.ripe.net", "-r -x 198.18.1.0/25", &[], &["netname"]),
        ("whois.ripe.net", "-r -M 198.18.0.0/16", &["netname:        UNI", "netname:        UNI-2"], &[]),
        ("whois.ripe.net", "-r -i org -T inetnum,inet6num ORG-UH1-EXAMPLE",
            &["inetnum:        198.18.1.0 - 198.18.1.255", "inetnum:        198.18.2.0 - 198.18.2.127", "inet6num:       2001:db8:1::/48"], &["FNW\r", "organisation:"]),
        ("whois.ripe.net", "-r -i org -T inet6num ORG-UH1-EXAMPLE", &["inet6num:       2001:db8:1::/48"], &["inetnum"]),
        ("whois.ripe.net", "203.0.113.1", &["%ERROR:101: no entries found"], &["inetnum"]),
        ("whois.arin.net", "n + 198.18.1.10",
            &["# start", "NetRange:       198.18.0.0 - 198.18.255.255", "NetRange:       198.18.1.0 - 198.18.1.255", "CIDR:           198.18.1.0/24",
              "NetName:        UNI", "OrgName:        Universität Hohenwerth", "OrgId:          ORG-UH1-EXAMPLE", "PostalCode:     99998", "# end"], &[]),
        ("whois.arin.net", "198.18.9.9", &["CIDR:           198.18.0.0/16"], &["# start"]),
        ("whois.arin.net", "203.0.113.1", &["No match found for 203.0.113.1."], &["NetRange"]),
        ("whois.verisign-grs.com", "domain uni.example",
            &["   Domain Name: UNI.EXAMPLE", "   Registrar WHOIS Server: whois.registrar.example", "   Registrar: Registrar Werth",
              "   Name Server: NS1.UNI.EXAMPLE"], &["Registrant", "Hohenwerth"]),
        ("whois.verisign-grs.com", "=nobody.example", &["No match for \"NOBODY.EXAMPLE\"."], &["Domain Name"]),
        ("whois.registrar.example", "uni.example",
            &["Domain Name: uni.example", "Registrant Name: Rechenzentrum", "Registrant Organization: Universität Hohenwerth", "Registrant Street: Schlossplatz 1",
              "Registrant City: Hohenwerth", "Registrant Postal Code: 99998", "Registrant Country: DE", "Registrant Email: rz@uni.example",
              "Tech Organization: Webhaus GmbH", "Name Server: ns1.uni.example"], &[]),
        ("whois.registrar.example", "nobody.example", &["No match for domain \"nobody.example\"."], &["Registrant"]),
        ("icann.hidden.example", "uni.example", &["Registrant Name: REDACTED FOR PRIVACY", "Tech Organization: REDACTED FOR PRIVACY"], &["Hohenwerth", "@"]),
        ("whois.iana.org", "uni.example", &["refer:        whois.denic.de", "domain:       EXAMPLE", "whois:        whois.denic.de", "source:       IANA"], &[]),
        ("whois.iana.org", "org-example", &["domain:       ORG-EXAMPLE"], &["refer:", "whois:"]),
        ("whois.iana.org", "198.18.1.10", &["refer:        whois.ripe.net", "inetnum:      198.18.0.0 - 198.19.255.255"], &[]),
        ("whois.iana.org", "198.51.100.1", &["refer:        whois.arin.net"], &[]),
        ("whois.iana.org", "2001:db8::1", &["refer:        whois.ripe.net", "inet6num:     2001:db8::/32"], &[]),
        ("whois.iana.org", "nowhere", &["% This query returned 0 objects."], &["refer"]),
        ("whois.latin.example", "nobody.example", &["Domain not found"], &[]),
        ("latin.hidden.example", "uni.example", &["name...............: Private person"], &["Schlossplatz"]),
    ];
    for (server, line, expected, absent) in cases {
        let answer = ask_text(&net, server, line);
        let lines: HashSet<&str> = answer.split("\r\n").collect();
        assert!(!answer.replace("\r\n", "").contains('\n'), "{server} {line}: bare line feeds");
        for wanted in *expected {
            assert!(lines.contains(wanted), "{server} {line}: {wanted}\n{answer}");
        }
        for unwanted in *absent {
            assert!(!answer.contains(unwanted), "{server} {line}: {unwanted}\n{answer}");
        }
    }
    let asked = net.whois_queries();
    assert_eq!(asked.len(), cases.len());
    assert_eq!((&*asked[1].server, &*asked[1].query), ("whois.denic.de", "-T dn,ace uni.example"));
    assert!(asked.iter().all(|query| query.answered == "answer"));
}

#[test]
fn some_speak_latin1() {
    let net = internet();
    let latin1 = |bytes: &[u8]| {
        let umlaut = b"Universit\xe4t Hohenwerth";
        bytes.windows(umlaut.len()).any(|window| window == umlaut)
    };
    assert!(latin1(&ask(&net, "whois.latin.example", "uni.example")));
    assert!(latin1(&ask(&net, "whois.denic.de", "-C ISO-8859-1 -T dn,ace uni.example")));
    assert!(!latin1(&ask(&net, "whois.denic.de", "-T dn,ace uni.example")));
}

#[test]
fn bad_habits() {
    let net = internet();
    let question = "-T dn,ace uni.example";
    for turn in 0..4 {
        let answer = ask_text(&net, "throttled.example", question);
        assert_eq!(answer.contains("[Holder]"), turn < 2, "{turn}: {answer}");
        assert_eq!(answer.contains("access control limit exceeded"), turn >= 2, "{answer}");
    }
    net.reset();
    assert!(ask_text(&net, "throttled.example", question).contains("[Holder]"));

    let start = Instant::now();
    assert!(ask_text(&net, "slow.example", question).contains("[Holder]"));
    assert!(start.elapsed() >= Duration::from_millis(80));
    assert!(String::from_utf8(ask(&net, "garbage.example", question)).is_err());

    let mut endless = connect(net.socket_of("endless.example", 43).unwrap());
    endless.write_all(b"uni.example\r\n").unwrap();
    endless.read_exact(&mut vec![0; 1 << 20]).unwrap();

    let mut silent = connect(net.socket_of("silent.example", 43).unwrap());
    silent.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    silent.write_all(b"uni.example\r\n").unwrap();
    assert!(silent.read(&mut [0; 1]).is_err(), "nothing comes, and no end either");
    let answered =
        || net.whois_queries().iter().map(|query| query.answered).collect::<HashSet<_>>();
    wait_for(|| answered() == HashSet::from(["answer", "garbage", "endless", "silence"]));
}

#[test]
fn every_registry_has_a_name_an_address_and_a_door() {
    let net = internet();
    let ripe = "198.51.100.3".parse().unwrap();
    assert_eq!(net.addresses("whois.ripe.net"), [ripe]);
    let door = net.doors().iter().find(|door| door.address == Some(ripe)).unwrap();
    assert_eq!((door.port, Some(door.socket)), (43, net.socket_of("whois.ripe.net", 43)));
    let entry = format!("addresses = \"198.51.100.3/32\", port = 43, to = \"{}\"", door.socket);
    assert!(net.net_settings_toml().contains(&entry));
    let sockets: HashSet<_> = net.doors().iter().map(|door| door.socket).collect();
    assert_eq!(sockets.len(), net.doors().len());

    let twice = |host: &str| Registry::new(host, "198.51.100.3", Dialect::Ripe);
    let error = Internet::new().registry(twice("a.example")).registry(twice("b.example")).start();
    assert!(matches!(error, Err(TestnetError::SharedRegistry(address)) if address == ripe));
}
