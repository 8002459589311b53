//! A made-up university and hosts around it.

use auslese_discover::judge::{
    Fact, FrontPage, Imprint, Known, ListKind, Listing, MailRoutes, Observed, Pointer,
    SeenCertificate, Told, Zone, ZoneServer, spf_terms, weigh,
};
use auslese_discover::{
    JudgeSettings, MailServer, NameServer, Party, Profile, Range, RefusedRange, Registration,
    RegistrationState,
};
use auslese_model::{Cause, CauseKind, Evidence, HostName, Indicator, Timestamp};
use std::net::IpAddr;

pub(crate) const NOW: Timestamp = Timestamp(1_794_778_800_000_000);
pub(crate) const ROOT: &str = "uni-musterstadt.example";

pub(crate) fn host(text: &str) -> HostName {
    HostName::parse(text).unwrap()
}

pub(crate) fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// The university: two ranges, its own name server and a research network's, a refused range of
/// that network.
pub(crate) fn profile() -> Profile {
    let range = |net: &str| Range {
        net: net.parse().unwrap(),
        holder: "Universität Musterstadt".into(),
        found_by: "address of ns1".into(),
        source: "whois.ripe.net".into(),
    };
    let name_server = |name: &str, at: &str, own| NameServer {
        host: host(name),
        addresses: vec![address(at)],
        own,
        why: String::new(),
    };
    let mail_server = |name: &str, own| MailServer { host: host(name), addresses: vec![], own };
    Profile {
        label: "musterstadt".into(),
        name: Some("Universität Musterstadt".into()),
        root: host(ROOT),
        domains: vec![ROOT.into()],
        mail_domains: vec!["musterstadt-mail.example".into(), "gmx.de".into()],
        gathered: NOW,
        registrant: university(),
        ranges: vec![range("198.18.0.0/16"), range("2001:db8:18::/48")],
        refused_ranges: vec![RefusedRange {
            net: "203.0.113.0/24".parse().unwrap(),
            holder: "Verein Forschungsnetz".into(),
            found_by: "address of mx".into(),
            why: "its holder is another body".into(),
        }],
        name_servers: vec![
            name_server("ns1.uni-musterstadt.example", "198.18.0.53", true),
            name_server("ns.forschungsnetz.example", "203.0.113.53", false),
        ],
        mail_servers: vec![
            mail_server("mailin.extern.example", true),
            mail_server("mx.forschungsnetz.example", false),
        ],
        imprint: Party {
            organization: Some("Universität Musterstadt".into()),
            address: vec!["Hauptstraße 1".into(), "12345 Musterstadt".into()],
            ..Party::default()
        },
        vat_ids: vec!["DE123456789".into()],
        tokens: vec!["google-site-verification=muster".into()],
        open: vec![],
    }
}

pub(crate) fn university() -> Party {
    Party {
        name: None,
        organization: Some("Universität Musterstadt".into()),
        address: vec!["Hauptstraße 1".into(), "12345 Musterstadt".into()],
        email: Some("hostmaster@uni-musterstadt.example".into()),
    }
}

pub(crate) fn company() -> Party {
    Party {
        name: Some("Erika Beispiel".into()),
        organization: Some("Blumen Beispiel GmbH".into()),
        address: vec!["Gartenweg 7".into(), "54321 Andernorts".into()],
        email: Some("info@blumen-beispiel.example".into()),
    }
}

pub(crate) fn told<T>(value: T, source: &str) -> Told<T> {
    Told { value, source: source.to_owned(), at: NOW }
}

pub(crate) fn throttled<T>() -> Fact<T> {
    Fact::Failed(Cause::new(CauseKind::ServerBusy, "query rate exceeded"))
}

/// A host of which things become known one after the other.
pub(crate) struct Seen(pub(crate) Observed);

impl Seen {
    pub(crate) fn new(name: &str) -> Seen {
        Seen(Observed::new(host(name)))
    }

    /// At a hoster, with name servers and mail there, and no reverse name: nothing speaks for it.
    pub(crate) fn elsewhere(name: &str) -> Seen {
        Seen::new(name)
            .at(&["192.0.2.80"])
            .served_by(&[("ns1.hoster.example", "192.0.2.53")])
            .mail(&[("mx.hoster.example", "192.0.2.25")], "")
            .pointers(&[])
    }

    pub(crate) fn at(mut self, addresses: &[&str]) -> Seen {
        self.0.addresses = Fact::told(addresses.iter().map(|a| address(a)).collect(), "DNS", NOW);
        self
    }

    pub(crate) fn served_by(mut self, servers: &[(&str, &str)]) -> Seen {
        let apex = "zone.example".to_owned();
        let zone = Zone { apex, name_servers: servers.iter().map(server).collect() };
        self.0.zone = Fact::told(zone, "DNS", NOW);
        self
    }

    pub(crate) fn mail(mut self, servers: &[(&str, &str)], spf: &str) -> Seen {
        let exchangers = servers.iter().map(server).collect();
        let routes = MailRoutes { exchangers, senders: spf_terms(spf) };
        self.0.mail = Fact::told(routes, "DNS", NOW);
        self
    }

    pub(crate) fn pointers(mut self, pointers: &[(&str, &str, bool)]) -> Seen {
        let pointer = |(at, name, confirmed): &(&str, &str, bool)| Pointer {
            address: address(at),
            name: host(name),
            confirmed: *confirmed,
        };
        self.0.pointers = Fact::told(pointers.iter().map(pointer).collect(), "DNS", NOW);
        self
    }

    pub(crate) fn registered(self, state: RegistrationState, registrant: Party) -> Seen {
        self.registration(Registration { registrant, ..Registration::empty(state) })
    }

    pub(crate) fn held_by(self, registrant: Party) -> Seen {
        self.registered(RegistrationState::Found, registrant)
    }

    pub(crate) fn hidden_holder(self) -> Seen {
        self.registered(RegistrationState::Redacted, Party::default())
    }

    pub(crate) fn registration(mut self, registration: Registration) -> Seen {
        self.0.registration = Fact::told(registration, "WHOIS whois.example", NOW);
        self
    }

    pub(crate) fn certificate(mut self, names: &[&str], problem: Option<&str>) -> Seen {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let seen = SeenCertificate { names, problem: problem.map(str::to_owned) };
        self.0.certificate = Fact::told(seen, "TLS", NOW);
        self
    }

    pub(crate) fn page(mut self, redirects_to: Option<&str>, links_to: &[&str]) -> Seen {
        let links_to = links_to.iter().map(|name| host(name)).collect();
        let page = FrontPage { redirects_to: redirects_to.map(host), links_to };
        self.0.front_page = Fact::told(page, "its front page", NOW);
        self
    }

    pub(crate) fn linked_from(mut self, hosts: &[&str]) -> Seen {
        self.0.linked_from = hosts.iter().map(|name| host(name)).collect();
        self
    }

    pub(crate) fn imprint(mut self, party: Party, links_to: &[&str]) -> Seen {
        let links_to = links_to.iter().map(|name| host(name)).collect();
        let imprint = Imprint { party, vat_ids: vec![], links_to };
        self.0.imprint = Fact::told(Some(imprint), "its imprint", NOW);
        self
    }

    pub(crate) fn imprint_with_vat_id(mut self, party: Party, vat_id: &str) -> Seen {
        let imprint = Imprint { party, vat_ids: vec![vat_id.into()], links_to: vec![] };
        self.0.imprint = Fact::told(Some(imprint), "its imprint", NOW);
        self
    }

    pub(crate) fn no_imprint(mut self) -> Seen {
        self.0.imprint = Fact::told(None, "its pages", NOW);
        self
    }

    pub(crate) fn token(mut self, token: &str) -> Seen {
        self.0.tokens.push(told(token.to_owned(), "its front page"));
        self
    }

    pub(crate) fn listed(mut self, kind: ListKind, source: &str) -> Seen {
        self.0.listings.push(Listing { kind, source: source.to_owned(), at: NOW });
        self
    }
}

fn server((name, at): &(&str, &str)) -> ZoneServer {
    let addresses = if at.is_empty() { vec![] } else { vec![address(at)] };
    ZoneServer::new(host(name), addresses)
}

pub(crate) fn weighed(seen: &Seen, known: &Known, settings: &JudgeSettings) -> Vec<Evidence> {
    weigh(&seen.0, &profile(), known, settings, NOW)
}

/// What one indicator says, if it was looked at.
pub(crate) fn sign(evidence: &[Evidence], indicator: Indicator) -> Option<&Evidence> {
    let mut found = evidence.iter().filter(|sign| sign.indicator == indicator);
    let first = found.next();
    assert!(found.next().is_none(), "{indicator} speaks twice");
    first
}
