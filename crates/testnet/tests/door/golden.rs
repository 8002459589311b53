//! The golden scenario of discovery: what the table of truths says must be so in the zones, the
//! ranges, the pages, the certificates and the registries.

use crate::client::{ask_raw, body, connect, get, get_secure, tls_client};
use auslese_model::{HostName, Indicator};
use auslese_testnet::demo::{self, FoundBy, Truth};
use auslese_testnet::{Internet, Running};
use hickory_server::proto::rr::{Name, RecordType};
use ipnet::IpNet;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::net::IpAddr;
use url::Url;

/// Both institutions: their truths and ranges.
fn institutions() -> [(Vec<Truth>, Vec<IpNet>); 2] {
    let nets = |texts: Vec<&str>| texts.iter().map(|text| text.parse().unwrap()).collect();
    [(demo::truth(), nets(demo::ranges())), (demo::niederau_truth(), nets(demo::niederau_ranges()))]
}

fn addresses(net: &Running, host: &str) -> Vec<IpAddr> {
    match host.parse() {
        Ok(address) => vec![address],
        Err(_) => net.addresses(host),
    }
}

fn is_inside(ranges: &[IpNet], address: IpAddr) -> bool {
    ranges.iter().any(|range| range.contains(&address))
}

/// Hosts and the hosts whose pages link to them.
fn linkers(internet: &Internet) -> BTreeMap<String, BTreeSet<String>> {
    let mut linkers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for site in internet.sites() {
        let base = Url::parse(site.origin_text()).unwrap();
        for document in site.documents() {
            let text = String::from_utf8_lossy(&document.body).into_owned();
            let page = base.join(&document.path).unwrap();
            let values = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
            for host in values.filter_map(|value| HostName::of(&page.join(value).ok()?)) {
                let from = HostName::of(&page).unwrap();
                if host != from {
                    linkers.entry(host.to_string()).or_default().insert(from.to_string());
                }
            }
        }
    }
    linkers
}

#[test]
fn truths_are_well_formed() {
    for (truths, _) in institutions() {
        let hosts: HashSet<&str> = truths.iter().map(|truth| truth.host).collect();
        assert_eq!(hosts.len(), truths.len(), "every host once");
        for truth in &truths {
            let parsed = HostName::parse(truth.host).unwrap();
            assert_eq!(parsed.as_str(), truth.host);
            assert_eq!(truth.case.is_some(), truth.member, "{truth:?}");
            let indicator = truth.decided_by.map(|name| Indicator::parse(name).is_some());
            assert_ne!(indicator, Some(false), "{truth:?}");
        }
    }
    let truths = demo::truth();
    for case in 1..=5 {
        let members = truths.iter().filter(|truth| truth.case == Some(case));
        assert!(members.count() >= 2, "case {case}");
    }
    assert!(truths.iter().filter(|truth| !truth.member).count() >= 15);
}

#[test]
fn members_stand_where_their_case_says() {
    let net = demo::internet().start().unwrap();
    for (truths, ranges) in institutions() {
        for truth in &truths {
            let addresses = addresses(&net, truth.host);
            assert!(!addresses.is_empty(), "{truth:?}");
            let inside = addresses.iter().all(|address| is_inside(&ranges, *address));
            let outside = !addresses.iter().any(|address| is_inside(&ranges, *address));
            match truth.case {
                Some(1 | 3 | 4) => assert!(inside, "{truth:?} {addresses:?}"),
                Some(_) => assert!(outside, "{truth:?} {addresses:?}"),
                None => assert!(outside || truth.decided_by == Some("rule"), "{truth:?}"),
            }
            if truth.decided_by == Some("net") {
                assert!(inside, "{truth:?}");
            }
            // Whatever is true of it, there is a server.
            let port = if net.socket_of(truth.host, 80).is_some() { 80 } else { 443 };
            assert!(net.socket_of(truth.host, port).is_some(), "{truth:?}");
        }
    }
    let six_only = net.addresses("www.werthtal-hydrologie.example");
    assert!(six_only.iter().all(IpAddr::is_ipv6));
}

#[test]
fn links_are_as_the_cases_say() {
    let linkers = linkers(&demo::internet());
    for (truths, _) in institutions() {
        let case_of = |host: &str| truths.iter().find(|truth| truth.host == host)?.case;
        for truth in &truths {
            let from: Vec<&String> = linkers.get(truth.host).into_iter().flatten().collect();
            let cases: Vec<Option<u8>> = from.iter().map(|host| case_of(host)).collect();
            let said = format!("{truth:?} {from:?}");
            match (truth.case, truth.found_by) {
                (_, FoundBy::Root) => {}
                (Some(1), _) => assert!(cases.contains(&Some(1)), "{said}"),
                (Some(3), _) => {
                    assert!(!cases.is_empty() && cases.iter().all(|it| *it == Some(2)), "{said}");
                }
                (Some(4 | 5), _) => assert!(from.is_empty(), "{said}"),
                (_, FoundBy::Link) => assert!(cases.iter().any(Option::is_some), "{said}"),
                _ => assert!(from.is_empty(), "{said}"),
            }
        }
    }
}

#[test]
fn what_is_not_linked_is_found_as_it_says() {
    let net = demo::internet().start().unwrap();
    let files = demo::files();
    let file = |name: &str| {
        let (_, bytes) = files.iter().find(|(known, _)| *known == name).unwrap();
        std::str::from_utf8(bytes).unwrap()
    };
    let certificate = certificate_of(&net, "198.18.1.81", "lernplattform-werth.example");
    let ranges = &institutions()[0].1;
    for truth in demo::truth() {
        let host = truth.host;
        let inside: Vec<IpAddr> =
            addresses(&net, host).into_iter().filter(|at| is_inside(ranges, *at)).collect();
        let found = match truth.found_by {
            FoundBy::Root | FoundBy::Link => true,
            FoundBy::Nothing => files.iter().all(|(name, _)| !file(name).contains(host)),
            FoundBy::Pointer => reverse_names(&net, ranges).contains(&host.to_owned()),
            FoundBy::Certificate => {
                certificate.windows(host.len()).any(|window| window == host.as_bytes())
            }
            FoundBy::Redirect => {
                let address = inside[0].to_string();
                let answer = get(net.socket_of(&address, 80).unwrap(), &address, "/");
                answer.contains(&format!("Location: http://{host}/"))
            }
            FoundBy::Scan => get(net.socket_of(host, 80).unwrap(), host, "/").contains("200 OK"),
            FoundBy::Vhosts => {
                let name = host.replace(".uni-hohenwerth.example", ".${DOMAIN}");
                file("nginx.conf").contains(host) || file("apache-vhosts.conf").contains(&name)
            }
            FoundBy::Transparency => file("ct-export.json").contains(&format!("\"{host}\"")),
        };
        assert!(found, "{truth:?}");
    }
    let export: serde_json::Value = serde_json::from_str(file("ct-export.json")).unwrap();
    assert_eq!(export.as_array().unwrap().len(), 4);
}

/// The reverse names of all addresses with a door in the ranges.
fn reverse_names(net: &Running, ranges: &[IpNet]) -> Vec<String> {
    let addresses: BTreeSet<IpAddr> = net.doors().iter().filter_map(|door| door.address).collect();
    let inside = addresses.into_iter().filter(|address| is_inside(ranges, *address));
    inside
        .flat_map(|address| {
            let name = Name::from(address).to_ascii();
            let reply = crate::dns::over_udp(net, &name, RecordType::PTR).unwrap();
            reply.answers.into_iter().map(|record| record.data.to_string())
        })
        .map(|name| name.trim_end_matches('.').to_owned())
        .collect()
}

/// The certificate that an address shows to whoever names no host.
fn certificate_of(net: &Running, address: &str, expected: &'static str) -> Vec<u8> {
    let mut client = tls_client(net, expected, false);
    let mut tcp = connect(net.socket_of(address, 443).unwrap());
    while client.is_handshaking() {
        client.complete_io(&mut tcp).unwrap();
    }
    client.peer_certificates().unwrap()[0].to_vec()
}

#[test]
fn a_scan_of_the_ranges_sees_exactly_the_servers_there() {
    let net = demo::internet().start().unwrap();
    let (truths, ranges) = &institutions()[0];
    let open: BTreeSet<IpAddr> = net
        .doors()
        .iter()
        .map(|door| door.address.expect("every door has its address"))
        .filter(|address| is_inside(ranges, *address))
        .collect();
    let mut expected: BTreeSet<IpAddr> = truths
        .iter()
        .flat_map(|truth| addresses(&net, truth.host))
        .filter(|address| is_inside(ranges, *address))
        .collect();
    expected.extend(demo::devices().iter().map(|(at, _)| at.parse::<IpAddr>().unwrap()));
    assert_eq!(open, expected);
    let secure = |address: &str| net.socket_of(address, 443).is_some();
    assert!(secure("198.18.1.20") && secure("198.18.1.81") && !secure("198.18.1.30"));
    for (address, _) in demo::devices() {
        assert!(get(net.socket_of(address, 80).unwrap(), address, "/").contains("200 OK"));
    }
}

#[test]
fn registries_know_the_domains_and_refuse_as_they_should() {
    let net = demo::internet().start().unwrap();
    let ask = |server: &str, line: &str| {
        let (bytes, end) = ask_raw(net.socket_of(server, 43).unwrap(), &format!("{line}\r\n"));
        end.unwrap();
        bytes.iter().map(|byte| char::from(*byte)).collect::<String>()
    };
    let latin1 = |text: &str| text.bytes().map(char::from).collect::<String>();
    #[rustfmt::skip]
    let cases = [
        // server                          question                          the answer contains
        ("whois.iana.org",                 "uni-hohenwerth.example",         "refer:        whois.denic.de"),
        ("whois.iana.org",                 "at-example",                     "refer:        whois.nic.at"),
        ("whois.iana.org",                 "198.18.1.10",                    "refer:        whois.ripe.net"),
        ("whois.iana.org",                 "203.0.113.10",                   "refer:        whois.arin.net"),
        ("whois.denic.de",                 "-T dn,ace uni-hohenwerth.example", "Email: hostmaster@uni-hohenwerth.example"),
        ("whois.denic.de",                 "-T dn,ace uni-hohenwerth.example", "Nserver: dns.forschungsnetz-werth.example"),
        ("whois.denic.de",                 "-T dn,ace hohenwerth-uni.example", "Privacy Proxy"),
        ("whois.denic.de",                 "-T dn,ace hohenwerth-nachrichten.example", "Privacy Proxy"),
        ("whois.denic.de",                 "-T dn,ace werther-kreis.example", "Email: werther-kreis@uni-hohenwerth.example"),
        ("whois.nic.at",                   "hohenwerth-sommerkurse.at-example", "Hohenwerth, Rechenzentrum"),
        ("whois.verisign-grs.com",         "domain eberling-edition.com-example", "Registrar WHOIS Server: whois.registrar-werth.example"),
        ("whois.registrar-werth.example",  "eberling-edition.com-example",   "Registrant Organization: Universitaet Hohenwerth"),
        ("whois.nic.latin-example",        "bergwetter.latin-example",       "Universit\u{e4}t Hohenwerth, Institut f\u{fc}r Hydrologie"),
        ("whois.nic.throttle-example",     "theater.throttle-example",       "Hohenwerth, Rechenzentrum"),
        ("whois.nic.throttle-example",     "kino.throttle-example",          "Number of allowed queries exceeded"),
        ("whois.ripe.net",                 "-r 198.18.1.10",                 "org:            ORG-UH1-EXAMPLE"),
        ("whois.ripe.net",                 "-r 198.18.0.53",                 "org:            ORG-FW1-EXAMPLE"),
        ("whois.ripe.net",                 "-r 198.18.77.10",                "org:            ORG-IG1-EXAMPLE"),
        ("whois.ripe.net",                 "-r -i org ORG-UH1-EXAMPLE",      "inetnum:        198.18.2.0 - 198.18.2.127"),
        ("whois.ripe.net",                 "-r -i org ORG-UH1-EXAMPLE",      "inet6num:       2001:db8:1::/48"),
        ("whois.arin.net",                 "n + 203.0.113.10",               "OrgName:        Fachhochschule Niederau"),
    ];
    for (server, line, expected) in cases {
        let answer = ask(server, line);
        let found = answer.contains(expected) || answer.contains(&latin1(expected));
        assert!(found, "{server} {line}: {expected}\n{answer}");
    }
    let hidden = ask("whois.denic.de", "-T dn,ace wasserforum-werth.example");
    assert!(hidden.contains("Status: connect") && !hidden.contains("[Holder]"), "{hidden}");
}

#[test]
fn every_domain_is_registered_and_its_registry_agrees_with_dns() {
    let net = demo::internet().start().unwrap();
    for truth in demo::truth().iter().chain(&demo::niederau_truth()) {
        let Some(domain) = domain_of(truth.host) else { continue };
        let servers = name_servers(&net, &domain);
        assert!(!servers.is_empty(), "{domain}");
        let told = registration(&net, &domain).to_lowercase();
        assert!(servers.iter().all(|server| told.contains(server)), "{servers:?}\n{told}");
    }
}

#[test]
fn what_decides_is_there_and_nothing_stronger() {
    let net = demo::internet().start().unwrap();
    let own_mail = "@uni-hohenwerth.example";
    for truth in demo::truth() {
        let Some(domain) = domain_of(truth.host) else { continue };
        let own_domain = domain == "uni-hohenwerth.example";
        let inside = matches!(truth.case, Some(1 | 3 | 4));
        let own_servers =
            name_servers(&net, &domain).iter().any(|it| it.ends_with(".uni-hohenwerth.example"));
        let told = registration(&net, &domain);
        let by_mail = told.contains(own_mail);
        let by_holder = told.contains("Universität Hohenwerth")
            || told.contains("Universitaet Hohenwerth")
            || told.contains("Universit\u{fffd}t Hohenwerth");
        let imprint = match net.socket_of(truth.host, 80) {
            Some(socket) => get(socket, truth.host, "/impressum.html"),
            None => String::new(),
        };
        let full_imprint = ["Universität Hohenwerth", "99998 Hohenwerth", own_mail]
            .iter()
            .all(|part| imprint.contains(part));
        let strongest = match truth.decided_by {
            _ if own_domain => Some("root"),
            Some("rule") => Some("rule"),
            _ if inside => Some("net"),
            _ if own_servers => Some("name-server"),
            // Its registry answers once at most, and never.
            None if domain.ends_with(".throttle-example") => None,
            _ if domain.ends_with(".silent-example") && full_imprint => Some("imprint"),
            _ if by_mail => Some("email-domain"),
            _ if by_holder && truth.found_by != FoundBy::Nothing => Some("holder"),
            _ if full_imprint => Some("imprint"),
            _ => None,
        };
        assert_eq!(truth.decided_by, strongest, "{truth:?}\n{told}");
        assert!(truth.member || !(full_imprint || by_mail || by_holder), "{truth:?}");
    }
}

#[test]
fn rdap_knows_some_of_it() {
    let net = demo::internet().start().unwrap();
    for (host, path, expected) in [
        ("data.iana.org", "/rdap/dns.json", "https://rdap.nic.org-example/"),
        ("data.iana.org", "/rdap/ipv4.json", "https://rdap.arin.net/registry/"),
        ("data.iana.org", "/rdap/ipv6.json", "https://rdap.db.ripe.net/"),
        ("rdap.nic.org-example", "/domain/holzbau-tagung.org-example", "Fachhochschule Niederau"),
        ("rdap.arin.net", "/registry/ip/203.0.113.40", "\"handle\":\"FHN\""),
        ("rdap.db.ripe.net", "/ip/2001:db8:1::60", "ORG-UH1-EXAMPLE"),
        ("rdap.db.ripe.net", "/ip/2001:db8:9::1", "ORG-FW1-EXAMPLE"),
    ] {
        let answer = get_secure(&net, host, path);
        assert!(body(&answer).contains(expected), "{host}{path}: {answer}");
    }
}

/// The registered domain of a host here: two labels; none for an address.
fn domain_of(host: &str) -> Option<String> {
    let labels: Vec<&str> = host.split('.').collect();
    host.parse::<IpAddr>().is_err().then(|| labels[labels.len() - 2..].join("."))
}

fn name_servers(net: &Running, domain: &str) -> BTreeSet<String> {
    let name = format!("{domain}.");
    let reply = crate::dns::over_udp(net, &name, RecordType::NS).unwrap();
    let servers = reply.answers.iter().map(|record| record.data.to_string());
    servers.map(|server| server.trim_end_matches('.').to_owned()).collect()
}

/// What the registries say about a domain, whatever their habits.
fn registration(net: &Running, domain: &str) -> String {
    if domain.ends_with(".org-example") {
        return get_secure(net, "rdap.nic.org-example", &format!("/domain/{domain}"));
    }
    let question = format!("-T dn,ace {domain}");
    let internet = demo::internet();
    let answers = internet.registries().iter().map(|registry| match registry.host() {
        "whois.denic.de" => registry.answer(&question),
        _ => registry.answer(domain),
    });
    answers.map(|answer| String::from_utf8_lossy(&answer).into_owned()).collect()
}
