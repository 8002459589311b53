//! Who is asked about a domain or an address, in which words, and what comes out.

use crate::world::{
    UNIVERSITY, domain, lookups, network, quick, registry, run, start, university, web_log,
    whois_log, whois_only,
};
use auslese_discover::lookup::{Lookups, RegistryOrder, Told};
use auslese_discover::{Registration, RegistrationState};
use auslese_model::CauseKind;
use auslese_testnet::{
    Answer, Behaviour, Bootstrap, Contact, Dialect, DomainObject, Internet, RdapServer, Registry,
    Running, Site,
};

fn holder(told: &Told<Registration>) -> Option<&str> {
    told.value.registrant.holder()
}

fn ranges(told: &[Registration]) -> Vec<String> {
    told.iter().flat_map(|told| &told.net_range).map(ToString::to_string).collect()
}

#[test]
fn each_registry_is_asked_once_in_its_own_words() {
    let internet = start([
        registry("whois.denic.de", 1, Dialect::Denic)
            .domain(domain("uni.de"))
            .domain(domain("müller.de")),
        registry("whois.nic.at", 2, Dialect::NicAt).domain(domain("uni.ac.at")),
        registry("whois.verisign-grs.com", 3, Dialect::Verisign).domain(domain("uni.com")),
        registry("whois.registrar.example", 4, Dialect::Icann2013).domain(domain("uni.com")),
        registry("whois.iana.org", 5, Dialect::Iana).refer("example", "whois.nic.example"),
        registry("whois.nic.example", 6, Dialect::Icann2013)
            .domain(domain("uni.example"))
            .domain(domain("other.example")),
    ]);
    let lookups = lookups(&internet, whois_only());
    #[rustfmt::skip]
    let cases: &[(&str, &str, &[&str])] = &[
        // asked for           told by                 what is asked
        ("uni.de",             "whois.denic.de",       &["whois.denic.de -T dn,ace uni.de"]),
        ("www.math.uni.de",    "whois.denic.de",       &[]),
        ("UNI.de.",            "whois.denic.de",       &[]),
        ("müller.de",          "whois.denic.de",       &["whois.denic.de -T dn,ace xn--mller-kva.de"]),
        ("www.uni.ac.at",      "whois.nic.at",         &["whois.nic.at uni.ac.at"]),
        ("uni.com",            "whois.registrar.example, whois.verisign-grs.com",
            &["whois.verisign-grs.com domain uni.com", "whois.registrar.example uni.com"]),
        // The root is asked once for an ending.
        ("uni.example",        "whois.nic.example",    &["whois.iana.org example", "whois.nic.example uni.example"]),
        ("other.example",      "whois.nic.example",    &["whois.nic.example other.example"]),
    ];
    for (name, source, asked) in cases {
        internet.reset();
        let told = run(lookups.registration(name)).unwrap();
        assert_eq!(holder(&told), Some(UNIVERSITY), "{name}");
        assert_eq!(told.source, *source, "{name}");
        assert_eq!(told.open, None, "{name}");
        assert_eq!(told.value.name_servers, ["ns1.uni.example", "ns2.uni.example"], "{name}");
        assert_eq!(whois_log(&internet), *asked, "{name}");
    }
}

#[test]
fn domains_that_no_registry_has() {
    let internet = start([
        registry("whois.denic.de", 1, Dialect::Denic),
        registry("whois.iana.org", 2, Dialect::Iana).refer("none", ""),
        registry("whois.centralnic.com", 3, Dialect::Icann2013).domain(domain("uni.uk.com")),
    ]);
    let lookups = lookups(&internet, whois_only());
    let state = |name: &str| run(lookups.registration(name)).map(|told| told.value.state);
    assert_eq!(state("free.de"), Ok(RegistrationState::NotFound));
    // Handed out by a company: there is nobody to ask, unless the table knows somebody.
    assert_eq!(state("project.github.io"), Ok(RegistrationState::NotFound));
    assert_eq!(state("uni.uk.com"), Ok(RegistrationState::Found));
    for name in ["198.18.0.1", "de", "-r.de", "a b.de", ""] {
        assert_eq!(state(name).unwrap_err().kind, CauseKind::NoSuchName, "{name}");
    }
    let cause = state("uni.none").unwrap_err();
    assert_eq!(cause.detail, "no registry is known for uni.none");
    let asked = [
        "whois.denic.de -T dn,ace free.de",
        "whois.centralnic.com uni.uk.com",
        "whois.iana.org none",
    ];
    assert_eq!(whois_log(&internet), asked);
}

/// Registries of both services for .test and for addresses.
fn both_services(whois: Registry, rdap: RdapServer) -> Running {
    let bootstrap = Bootstrap::new()
        .domain("test", "http://rdap.nic.test/v1/")
        .range("198.18.0.0/15".parse().unwrap(), "http://rdap.nic.test/v1/");
    Internet::new()
        .registry(registry("whois.iana.org", 9, Dialect::Iana).refer("test", whois.host()))
        .registry(whois)
        .site(bootstrap.site("http://bootstrap.example/rdap", "198.51.100.8"))
        .site(rdap.site())
        .start()
        .unwrap()
}

#[test]
fn whois_is_asked_if_rdap_names_no_holder() {
    let whois = registry("whois.nic.test", 1, Dialect::Icann2013)
        .domain(domain("uni.test"))
        .domain(domain("hidden.test"))
        .domain(domain("gone.test"));
    let other = DomainObject::new("uni.test")
        .holder(Contact::organization("Told by RDAP"))
        .name_server("ns.rdap.test");
    let rdap = RdapServer::new("http://rdap.nic.test/v1", "198.51.100.2")
        .domain(other)
        .domain(DomainObject::new("hidden.test").name_server("ns.rdap.test"));
    let internet = both_services(whois, rdap);
    let both = "whois.nic.test, rdap.nic.test";
    #[rustfmt::skip]
    let cases = [
        // order                       domain         holder                source             rdap whois
        (RegistryOrder::RdapThenWhois, "uni.test",    Some("Told by RDAP"), "rdap.nic.test",   2,   0),
        (RegistryOrder::RdapThenWhois, "hidden.test", Some(UNIVERSITY),     both,              2,   2),
        (RegistryOrder::RdapThenWhois, "gone.test",   Some(UNIVERSITY),     "whois.nic.test",  2,   2),
        (RegistryOrder::RdapOnly,      "hidden.test", None,                 "rdap.nic.test",   2,   0),
        (RegistryOrder::WhoisOnly,     "uni.test",    Some(UNIVERSITY),     "whois.nic.test",  0,   2),
        (RegistryOrder::WhoisThenRdap, "uni.test",    Some(UNIVERSITY),     "whois.nic.test",  0,   2),
    ];
    for (order, name, expected, source, rdap_asked, whois_asked) in cases {
        internet.reset();
        let settings = auslese_discover::lookup::LookupSettings { order, ..quick() };
        let told = run(lookups(&internet, settings).registration(name)).unwrap();
        let case = format!("{order:?} {name}");
        assert_eq!((holder(&told), told.source.as_str()), (expected, source), "{case}");
        assert_eq!(web_log(&internet).len(), rdap_asked, "{case}: {:?}", web_log(&internet));
        assert_eq!(whois_log(&internet).len(), whois_asked, "{case}: {:?}", whois_log(&internet));
    }
}

#[test]
fn a_redacted_holder_stays_unknown() {
    let whois = registry("whois.nic.test", 1, Dialect::Icann2013)
        .domain(DomainObject::new("hidden.test").holder(university()))
        .behaves(Behaviour::Redacting);
    let rdap = RdapServer::new("http://rdap.nic.test/v1", "198.51.100.2")
        .domain(DomainObject::new("hidden.test").name_server("ns.rdap.test"));
    let internet = both_services(whois, rdap);
    let told = run(lookups(&internet, quick()).registration("hidden.test")).unwrap();
    assert_eq!(told.value.state, RegistrationState::Redacted);
    assert!(told.value.registrant.is_empty(), "{:?}", told.value.registrant);
    assert_eq!(told.open, None);
}

#[test]
fn a_thin_rdap_registry_refers_to_the_registrar() {
    let thin = |href: &str| {
        format!(
            r#"{{"objectClassName": "domain", "ldhName": "uni.test",
                "links": [{{"rel": "related", "type": "application/rdap+json", "href": "{href}"}}]}}"#
        )
    };
    let thick = r#"{"objectClassName": "domain", "entities": [{"roles": ["registrant"],
        "vcardArray": ["vcard", [["org", {}, "text", "Uni"]]]}]}"#;
    let bootstrap = Bootstrap::new().domain("test", "http://registry.test/");
    let media = "application/rdap+json";
    let internet = Internet::new()
        .site(bootstrap.site("http://bootstrap.example/rdap", "198.51.100.8"))
        .site(
            Site::new("http://registry.test")
                .file("/domain/uni.test", media, thin("http://registrar.test/rdap/domain/UNI.TEST"))
                .file("/domain/lost.test", media, thin("http://registrar.test/rdap/nothing"))
                .answer("/domain/moved.test", Answer::redirect(302, "http://registrar.test/new")),
        )
        .site(
            Site::new("http://registrar.test")
                .file("/rdap/domain/UNI.TEST", media, thick)
                .file("/new", media, thick),
        )
        .start()
        .unwrap();
    let settings =
        auslese_discover::lookup::LookupSettings { order: RegistryOrder::RdapOnly, ..quick() };
    let lookups = lookups(&internet, settings);
    let told = run(lookups.registration("uni.test")).unwrap();
    assert_eq!(
        (holder(&told), told.source.as_str()),
        (Some("Uni"), "registrar.test, registry.test")
    );
    let lost = run(lookups.registration("lost.test")).unwrap();
    assert_eq!((holder(&lost), lost.value.state), (None, RegistrationState::Found));
    let moved = run(lookups.registration("moved.test")).unwrap();
    assert_eq!(holder(&moved), Some("Uni"));
}

fn ripe() -> Registry {
    let provider = Contact::organization("Forschungsnetz e.V.").email("noc@fnw.example");
    registry("whois.ripe.net", 3, Dialect::Ripe)
        .net(auslese_testnet::NetObject::new(
            "198.18.0.0/16".parse().unwrap(),
            "FNW",
            "ORG-FW1-RIPE",
            provider,
        ))
        .net(network("198.18.1.0/24", "UNI", "ORG-UH1-RIPE").sponsor("ORG-FW1-RIPE", "FNW-MNT"))
        .net(network("198.18.2.0/25", "UNI-2", "ORG-UH1-RIPE"))
        .net(network("2001:db8:1::/48", "UNI-6", "ORG-UH1-RIPE"))
}

fn root() -> Registry {
    registry("whois.iana.org", 9, Dialect::Iana)
        .refer("198.18.0.0/15", "whois.ripe.net")
        .refer("2001:db8::/32", "whois.ripe.net")
        .refer("192.0.2.0/24", "whois.arin.net")
}

#[test]
fn networks_by_whois() {
    let arin = registry("whois.arin.net", 4, Dialect::Arin).net(network(
        "192.0.2.0/24",
        "UNI-US",
        "UNIVER-1",
    ));
    let internet = start([root(), ripe(), arin]);
    let lookups = lookups(&internet, whois_only());
    #[rustfmt::skip]
    let cases: &[(&str, &str, &str, &str, &[&str])] = &[
        ("198.18.1.10", "198.18.1.0/24",   "ORG-UH1-RIPE", "whois.ripe.net",
            &["whois.iana.org 198.18.1.10", "whois.ripe.net -r -B 198.18.1.10", "whois.ripe.net -r -B -T organisation ORG-UH1-RIPE"]),
        // The organisation is known by now.
        ("2001:db8:1::5", "2001:db8:1::/48", "ORG-UH1-RIPE", "whois.ripe.net",
            &["whois.iana.org 2001:db8:1::5", "whois.ripe.net -r -B 2001:db8:1::5"]),
        ("192.0.2.7",   "192.0.2.0/24",    "UNIVER-1",     "whois.arin.net",
            &["whois.iana.org 192.0.2.7", "whois.arin.net n + 192.0.2.7"]),
    ];
    for (address, range, handle, source, asked) in cases {
        internet.reset();
        let told = run(lookups.network(address.parse().unwrap())).unwrap();
        assert_eq!(ranges(std::slice::from_ref(&told.value)), [*range], "{address}");
        assert_eq!(holder(&told), Some(UNIVERSITY), "{address}");
        assert_eq!(told.value.org_handle.as_deref(), Some(*handle), "{address}");
        assert_eq!(told.source, *source, "{address}");
        assert_eq!(whois_log(&internet), *asked, "{address}");
    }
    let all = run(lookups.networks_of("ORG-UH1-RIPE", "198.18.1.10".parse().unwrap())).unwrap();
    assert_eq!(ranges(&all.value), ["198.18.1.0/24", "198.18.2.0/25", "2001:db8:1::/48"]);
    let cause = run(lookups.networks_of("UNIVER-1", "192.0.2.7".parse().unwrap())).unwrap_err();
    assert_eq!(cause.detail, "the registry of UNIVER-1 does not list networks");
    assert!(run(lookups.networks_of("X -T person", "192.0.2.7".parse().unwrap())).is_err());
    assert!(run(lookups.network("203.0.113.1".parse().unwrap())).is_err());
}

#[test]
fn networks_by_rdap() {
    let base = "http://rdap.arin.test/registry/";
    let bootstrap = Bootstrap::new().range("192.0.2.0/24".parse().unwrap(), base);
    let rdap = RdapServer::new(base, "198.51.100.2")
        .net(network("192.0.2.0/25", "UNI-US", "UNIVER-1"))
        .net(network("192.0.2.192/26", "UNI-LAB", "UNIVER-1"));
    let internet = Internet::new()
        .site(bootstrap.site("http://bootstrap.example/rdap", "198.51.100.8"))
        .site(rdap.site())
        .start()
        .unwrap();
    let lookups = lookups(&internet, quick());
    let address = "192.0.2.7".parse().unwrap();
    let told = run(lookups.network(address)).unwrap();
    assert_eq!(ranges(std::slice::from_ref(&told.value)), ["192.0.2.0/25"]);
    assert_eq!(holder(&told), Some(UNIVERSITY));
    assert_eq!(told.value.registrant.email, Some(university().email));
    let handle = told.value.org_handle.unwrap();
    let all = run(lookups.networks_of(&handle, address)).unwrap();
    assert_eq!(ranges(&all.value), ["192.0.2.0/25", "192.0.2.192/26"]);
    let base = "http://rdap.arin.test/registry";
    let asked = [
        "http://bootstrap.example/rdap/ipv4.json".to_owned(),
        format!("{base}/ip/192.0.2.7"),
        format!("{base}/entity/UNIVER-1"),
    ];
    assert_eq!(web_log(&internet), asked);
}

#[test]
fn lookups_can_be_shared_between_tasks() {
    fn is_shareable<T: Send + Sync + Clone + 'static>(_: &T) {}
    let internet = start([registry("whois.denic.de", 1, Dialect::Denic).domain(domain("uni.de"))]);
    let lookups: Lookups = lookups(&internet, whois_only());
    is_shareable(&lookups);
    run(async move {
        let task = tokio::spawn({
            let lookups = lookups.clone();
            async move { lookups.registration("uni.de").await }
        });
        assert!(task.await.unwrap().is_ok());
    });
}
