//! The registries of the demo: several dialects for several top-level domains, which cannot exist
//! on the public net because of their hyphen, two registries of ranges, and IANA, which refers to
//! all of them. Servers whose peculiarities clients know by name have their real names here, so
//! that clients treat them as they treat the real ones.

use super::domains;
use super::holders;
use crate::rdap::{Bootstrap, RdapServer};
use crate::registry::{Behaviour, Dialect, NetObject, Registry, RouteObject};
use crate::site::Site;
use ipnet::IpNet;

const DENIC: &str = "whois.denic.de";
const NIC_AT: &str = "whois.nic.at";
const VERISIGN: &str = "whois.verisign-grs.com";
const REGISTRAR: &str = "whois.registrar-werth.example";
const LATIN1: &str = "whois.nic.latin-example";
const THROTTLED: &str = "whois.nic.throttle-example";
const SILENT: &str = "whois.nic.silent-example";
const RIPE: &str = "whois.ripe.net";
const ARIN: &str = "whois.arin.net";

const RDAP_ORG: &str = "https://rdap.nic.org-example/";
const RDAP_RIPE: &str = "https://rdap.db.ripe.net/";
const RDAP_ARIN: &str = "https://rdap.arin.net/registry/";

/// After how many questions one registry refuses; small, so that it happens in every run.
const THROTTLED_AFTER: usize = 1;

pub(super) fn whois() -> Vec<Registry> {
    vec![
        iana(),
        of_domains(DENIC, "198.51.100.210", Dialect::Denic, "example"),
        of_domains(NIC_AT, "198.51.100.211", Dialect::NicAt, "at-example"),
        of_domains(VERISIGN, "198.51.100.212", Dialect::Verisign, "com-example"),
        of_domains(REGISTRAR, "198.51.100.213", Dialect::Icann2013, "com-example"),
        of_domains(LATIN1, "198.51.100.214", Dialect::Latin1, "latin-example"),
        of_domains(THROTTLED, "198.51.100.215", Dialect::Icann2013, "throttle-example")
            .behaves(Behaviour::Throttled { after: THROTTLED_AFTER }),
        of_domains(SILENT, "198.51.100.216", Dialect::Icann2013, "silent-example")
            .behaves(Behaviour::Silent),
        ripe(),
        arin(),
    ]
}

/// RDAP servers, and the bootstrap files at their usual place.
pub(super) fn rdap() -> Vec<Site> {
    let org = RdapServer::new(RDAP_ORG, "198.51.100.220");
    let org = domains::all()
        .filter(|domain| domain.top_level() == "org-example")
        .fold(org, |server, domain| server.domain(domain.object()));
    let ripe = RdapServer::new(RDAP_RIPE, "198.51.100.221");
    let ripe = european_nets().into_iter().fold(ripe, RdapServer::net);
    let arin = RdapServer::new(RDAP_ARIN, "198.51.100.222").net(college_net());
    // The IPv4 ranges of the university are missing on purpose: they have to be asked for by WHOIS.
    let bootstrap = Bootstrap::new()
        .domain("org-example", RDAP_ORG)
        .range(range("203.0.113.0/24"), RDAP_ARIN)
        .range(range("2001:db8::/32"), RDAP_RIPE);
    let files = bootstrap.site("https://data.iana.org/rdap/", "198.51.100.223");
    vec![org.site(), ripe.site(), arin.site(), files]
}

fn of_domains(host: &str, address: &str, dialect: Dialect, top_level: &str) -> Registry {
    let registry = Registry::new(host, address, dialect);
    let of_level = domains::all().filter(|domain| domain.top_level() == top_level);
    of_level.fold(registry, |registry, domain| {
        let object = domain.object();
        registry.domain(match dialect {
            Dialect::Verisign | Dialect::Icann2013 => {
                object.registrar("Registrar Werth GmbH", REGISTRAR)
            }
            _ => object,
        })
    })
}

fn iana() -> Registry {
    Registry::new("whois.iana.org", "198.51.100.209", Dialect::Iana)
        .refer("example", DENIC)
        .refer("at-example", NIC_AT)
        .refer("com-example", VERISIGN)
        .refer("latin-example", LATIN1)
        .refer("throttle-example", THROTTLED)
        .refer("silent-example", SILENT)
        .refer("org-example", "")
        .refer("198.18.0.0/15", RIPE)
        .refer("192.0.2.0/24", RIPE)
        .refer("198.51.100.0/24", RIPE)
        .refer("203.0.113.0/24", ARIN)
        .refer("2001:db8::/32", RIPE)
}

fn ripe() -> Registry {
    let registry = Registry::new(RIPE, "198.51.100.217", Dialect::Ripe);
    let registry = european_nets().into_iter().fold(registry, Registry::net);
    // One autonomous system for everybody in the research network.
    ["198.18.0.0/16", "2001:db8::/32"].into_iter().fold(registry, |registry, net| {
        let description = "Forschungsnetz Werth".to_owned();
        registry.route(RouteObject { net: range(net), origin: 64500, description })
    })
}

fn arin() -> Registry {
    Registry::new(ARIN, "198.51.100.218", Dialect::Arin).net(college_net())
}

fn european_nets() -> Vec<NetObject> {
    let research = |net: &str, name: &str| {
        let holder = holders::RESEARCH_NET.net_contact();
        NetObject::new(range(net), name, "ORG-FW1-EXAMPLE", holder).status("ALLOCATED PA")
    };
    let university = |net: &str, name: &str| {
        let holder = holders::UNIVERSITY.net_contact();
        NetObject::new(range(net), name, "ORG-UH1-EXAMPLE", holder)
            .sponsor("ORG-FW1-EXAMPLE", "FORSCHUNGSNETZ-MNT")
    };
    let other = |net: &str, name: &str, org: &str, holder: holders::Holder| {
        NetObject::new(range(net), name, org, holder.net_contact())
    };
    vec![
        research("198.18.0.0/16", "FORSCHUNGSNETZ"),
        research("2001:db8::/32", "FORSCHUNGSNETZ-6"),
        university("198.18.1.0/24", "UNI-HOHENWERTH"),
        university("198.18.2.0/25", "UNI-HOHENWERTH-2"),
        university("2001:db8:1::/48", "UNI-HOHENWERTH-6"),
        other("198.18.77.0/24", "GEWAESSER", "ORG-IG1-EXAMPLE", holders::WATER_INSTITUTE)
            .sponsor("ORG-FW1-EXAMPLE", "FORSCHUNGSNETZ-MNT"),
        other("192.0.2.0/24", "WEBHAUS", "ORG-WW1-EXAMPLE", holders::PROVIDER),
        other("198.51.100.0/24", "RZ-NORD", "ORG-RN1-EXAMPLE", holders::DATA_CENTRE),
    ]
}

fn college_net() -> NetObject {
    NetObject::new(range("203.0.113.0/24"), "FH-NIEDERAU", "FHN", holders::COLLEGE.net_contact())
}

fn range(text: &str) -> IpNet {
    text.parse().expect("a range in a table")
}
