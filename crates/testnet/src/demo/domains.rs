//! The registered domains of the demo: who holds each, and whose name servers serve its zone. DNS
//! and the registries are made from this one table, so that they agree.

use super::holders::{self, Holder};
use super::{outside, small};
use crate::registry::DomainObject;
use crate::zone::Zone;

/// One registered domain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Domain {
    pub(super) name: &'static str,
    servers: Servers,
    /// None if the registry hides it.
    holder: Option<Holder>,
}

/// Whose name servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Servers {
    University,
    /// Those of the university, and the research network's as a reserve.
    UniversityAndResearch,
    College,
    Provider,
    Research,
}

impl Servers {
    fn names(self) -> &'static [&'static str] {
        match self {
            Servers::University => &["ns1.uni-hohenwerth.example", "ns2.uni-hohenwerth.example"],
            Servers::UniversityAndResearch => &[
                "ns1.uni-hohenwerth.example",
                "ns2.uni-hohenwerth.example",
                "dns.forschungsnetz-werth.example",
            ],
            Servers::College => &["ns1.fh-niederau.example", "ns2.fh-niederau.example"],
            Servers::Provider => &["ns1.webhaus.example", "ns2.webhaus.example"],
            Servers::Research => &["dns.forschungsnetz-werth.example"],
        }
    }
}

const fn held(name: &'static str, servers: Servers, holder: Holder) -> Domain {
    Domain { name, servers, holder: Some(holder) }
}

const fn hidden(name: &'static str, servers: Servers) -> Domain {
    Domain { name, servers, holder: None }
}

use Servers::{College, Provider, Research, University, UniversityAndResearch};

/// Domains whose zones are written elsewhere, because they hold more than web servers.
#[rustfmt::skip]
const OWN_ZONES: &[Domain] = &[
    held("uni-hohenwerth.example",          UniversityAndResearch, holders::UNIVERSITY),
    held("fh-niederau.example",             College,    holders::COLLEGE),
    held("forschungsnetz-werth.example",    Research,   holders::RESEARCH_NET),
    held("webhaus.example",                 Provider,   holders::PROVIDER),
    held("cdn-werth.example",               Provider,   holders::DELIVERY),
    hidden("domainhandel.example",          Provider),
];

#[rustfmt::skip]
const DOMAINS: &[Domain] = &[
    hidden("mathematik-tage.example",       Provider),
    held("universität-hohenwerth.example",  University, holders::UNIVERSITY),
    hidden("werthtal-hydrologie.example",   Provider),
    hidden("sternwarte-hohenwerth.example", Provider),
    held("hohenwerth-uni.example",          Provider,   holders::PROXY),
    hidden("tagung-alpenvorland.example",   University),
    held("werther-kreis.example",           Provider,   holders::CIRCLE),
    held("hohenwerth-sommerkurse.at-example", Provider, holders::COMPUTING_CENTRE),
    held("eberling-edition.com-example",    Provider,   holders::UNIVERSITY_ASCII),
    held("bergwetter.latin-example",        Provider,   holders::HYDROLOGY),
    held("hochschulsport.org-example",      Provider,   holders::SPORTS),
    hidden("wasserforum-werth.example",     Provider),
    held("chor.silent-example",             Provider,   holders::COMPUTING_CENTRE),
    held("theater.throttle-example",        Provider,   holders::COMPUTING_CENTRE),
    hidden("archiv-alpenvorland.example",   Provider),
    hidden("lernplattform-werth.example",   Provider),
    hidden("herbarium-werth.example",       Provider),
    hidden("alumni-werth.example",          Provider),
    held("kinderuni-werth.example",         Provider,   holders::CHILDREN),
    hidden("preis-werthtal.example",        Provider),
    held("verschollen-werth.example",       Provider,   holders::COMPUTING_CENTRE),

    held("wasserlabor-niederau.example",    Provider,   holders::COLLEGE),
    held("holzbau-tagung.org-example",      Provider,   holders::COLLEGE_ELSEWHERE),

    held("institut-gewaesser.example",      Research,   holders::WATER_INSTITUTE),
    held("uni-hohenwerth-ferien.example",   Provider,   holders::HOLIDAY_FLATS),
    held("fh-hohenwerth.example",           Provider,   holders::OTHER_SCHOOL),
    held("baeckerei-werth.example",         Provider,   holders::BAKERY),
    held("hohenwerth-nachrichten.example",  Provider,   holders::PROXY),
    hidden("phil-hohenwerth.example",       Provider),
    held("kino.throttle-example",           Provider,   holders::CINEMA),
    held("trittbrett.example",              Provider,   holders::FREE_RIDER),
    held("druckerei-werth.example",         Provider,   holders::PRINTER),
    held("tanzclub-werth.example",          Provider,   holders::DANCERS),
    held("bank.example",                    Provider,   holders::BANK),
    held("lernsoftware.example",            Provider,   holders::COURSEWARE),
    held("ferien-uni-hohenwerth.example",   Provider,   holders::TRAVEL),
    held("stadt-hohenwerth.example",        Provider,   holders::TOWN),
    held("hohenwerther-anzeiger.example",   Provider,   holders::NEWSPAPER),
    held("wissenschaft-nord.example",       Provider,   holders::JOURNAL),
    held("bibliotheksverbund-werth.example", Provider,  holders::LIBRARIES),
];

impl Domain {
    pub(super) fn top_level(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }

    pub(super) fn object(&self) -> DomainObject {
        let object = match self.holder {
            Some(holder) => DomainObject::new(self.name).holder(holder.contact()),
            None => DomainObject::new(self.name),
        };
        self.servers.names().iter().fold(object, |object, server| object.name_server(server))
    }

    fn zone(&self) -> Zone {
        let servers = self.servers.names().iter();
        let zone = servers.fold(Zone::new(self.name), |zone, it| zone.ns(&format!("{it}.")));
        let within = |host: &str| {
            host.strip_suffix(self.name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        let sites = small::addresses().chain(outside::addresses()).filter(|(host, _)| within(host));
        sites.fold(zone, |zone, (host, address)| zone.address(&format!("{host}."), address))
    }
}

pub(super) fn all() -> impl Iterator<Item = &'static Domain> {
    OWN_ZONES.iter().chain(DOMAINS)
}

pub(super) fn zones() -> Vec<Zone> {
    let research = Zone::new("forschungsnetz-werth.example")
        .ns("dns")
        .address("dns", "198.18.0.53")
        .address("www", "198.18.0.10");
    let provider = Zone::new("webhaus.example")
        .ns("ns1")
        .ns("ns2")
        .address("ns1", "192.0.2.2")
        .address("ns2", "192.0.2.3")
        .address("www", "192.0.2.1");
    let delivery = Zone::new("cdn-werth.example")
        .ns("ns1.webhaus.example.")
        .ns("ns2.webhaus.example.")
        .address("*.kunden", "198.51.100.200");
    let written = [research, provider, delivery];
    written.into_iter().chain(DOMAINS.iter().map(Domain::zone)).collect()
}
