//! A made-up university on the simulated internet, for the demo, the tests and the manual.
//!
//! Universität Hohenwerth has what real universities have: several servers, one of them with TLS, one
//! on another port, one very old; pages in two languages; duplicates, loops, broken links and a
//! directory that robots should not enter. Fachhochschule Niederau is a second institution; the
//! sites in `outside` belong to nobody and must stay untouched by a harvest of either.
//!
//! Around them stand small sites in all situations in which a member can be, and as many that only
//! look like members; [`truth`] says which is which. Registries in several dialects know who holds
//! the domains and ranges. Every address has sockets of its own, so that a scan finds exactly the
//! servers that are there.
//!
//! Texts are files under `demo/` (see the README there); whatever comes in series is made from the
//! tables in this module.

mod databases;
mod domains;
mod files;
mod holders;
mod linguistics;
mod math;
mod nameless;
mod news;
mod niederau;
mod old_server;
mod outside;
mod papers;
mod physics;
mod preprint_series;
mod registries;
mod small;
mod sociology;
mod truth;
mod university;

pub use databases::DatabaseTruth;
pub use linguistics::{Change, Choice};
pub use papers::{PaperTruth, Unreadable};
pub use sociology::Described;
pub use truth::{FoundBy, Truth};

use crate::internet::Internet;
use crate::site::Site;
use crate::zone::Zone;

/// Two vocabularies and a concordance between them, as names and texts of files: pages of the
/// institute of sociology carry terms of the first, pages of the library terms of the second.
pub const VOCABULARIES: [(&str, &str); 3] = [
    ("sozialthesaurus.ttl", include_str!("../../vocabularies/sozialthesaurus.ttl")),
    ("schlagwoerter.ttl", include_str!("../../vocabularies/schlagwoerter.ttl")),
    (
        "sozialthesaurus-schlagwoerter.sssom.tsv",
        include_str!("../../vocabularies/sozialthesaurus-schlagwoerter.sssom.tsv"),
    ),
];

/// The whole fixture.
pub fn internet() -> Internet {
    let sites = university::sites()
        .into_iter()
        .chain([math::site(), old_server::site(), linguistics::site(), sociology::site()])
        .chain([databases::geography()])
        .chain(physics::sites())
        .chain(niederau::sites())
        .chain(outside::sites())
        .chain(small::sites())
        .chain(nameless::sites())
        .chain(registries::rdap());
    let zones = [university::zone(), niederau::zone(), outside::zone()];
    let internet = Internet::new().one_socket_per_address();
    let internet = zones.into_iter().chain(domains::zones()).fold(internet, Internet::zone);
    let internet = registries::whois().into_iter().fold(internet, Internet::registry);
    sites.fold(internet, Internet::site)
}

/// Which hosts belong to Universität Hohenwerth, and which only look like it.
pub fn truth() -> Vec<Truth> {
    truth::HOHENWERTH.to_vec()
}

/// The same for Fachhochschule Niederau.
pub fn niederau_truth() -> Vec<Truth> {
    truth::NIEDERAU.to_vec()
}

/// What becomes of the documents of one server in a corpus of German pages, and why.
pub fn corpus_truth() -> Vec<Choice> {
    linguistics::CHOICES.to_vec()
}

/// What the pages of one server say about themselves.
pub fn description_truth() -> Vec<Described> {
    sociology::DESCRIBED.to_vec()
}

/// What the papers on the servers say about themselves, and which of them cite each other.
pub fn paper_truth() -> Vec<PaperTruth> {
    papers::truths()
}

/// The same for the office documents.
pub fn office_truth() -> Vec<PaperTruth> {
    papers::office_truths()
}

/// Addresses of papers about which nothing can be said, and why.
pub fn unreadable_papers() -> Vec<(String, Unreadable)> {
    papers::unreadable()
}

/// What the university's databases hold, and where they are asked.
pub fn database_truth() -> DatabaseTruth {
    databases::truth()
}

/// What has changed when the second round begins: address and kind of change.
pub fn changes() -> Vec<(&'static str, Change)> {
    linguistics::CHANGES.to_vec()
}

/// The ranges of Universität Hohenwerth.
pub fn ranges() -> Vec<&'static str> {
    vec!["198.18.1.0/24", "198.18.2.0/25", "2001:db8:1::/48"]
}

/// The ranges of Fachhochschule Niederau.
pub fn niederau_ranges() -> Vec<&'static str> {
    vec!["203.0.113.0/24"]
}

/// Addresses in the ranges with a web server that is no site to keep, and what is there.
pub fn devices() -> Vec<(&'static str, &'static str)> {
    nameless::DEVICES.to_vec()
}

/// Hosts that somebody at the university has refused by hand; with a leading dot also all below.
pub fn never() -> Vec<&'static str> {
    vec![".tanzclub-werth.example"]
}

/// Files that the university's computing centre would hand over: name and bytes.
pub fn files() -> Vec<(&'static str, &'static [u8])> {
    vec![
        ("ct-export.json", include_bytes!("../../demo/files/ct-export.json")),
        ("nginx.conf", include_bytes!("../../demo/files/nginx.conf")),
        ("apache-vhosts.conf", include_bytes!("../../demo/files/apache-vhosts.conf")),
    ]
}

/// Where a harvest of both institutions begins.
pub fn seeds() -> Vec<&'static str> {
    vec!["http://www.uni-hohenwerth.example/", "http://www.fh-niederau.example/"]
}

/// The domains of both institutions: all hosts below them belong, no others do.
pub fn domains() -> Vec<&'static str> {
    vec!["uni-hohenwerth.example", "fh-niederau.example"]
}

/// An endless calendar, `http://kalender.uni-hohenwerth.example/?monat=2026-11`. It is not part of
/// [`internet`], because a crawl without a sense for traps would never come back from it.
pub fn calendar() -> Site {
    university::calendar()
}

/// A zone with the name servers and the mail exchanger that every domain here has.
fn zone_with_servers(domain: &str, servers: [&str; 2], mail: &str) -> Zone {
    let spf = format!("v=spf1 ip4:{mail} -all");
    Zone::new(domain)
        .ns("ns1")
        .ns("ns2")
        .address("ns1", servers[0])
        .address("ns2", servers[1])
        .mx("@", 10, "mail")
        .address("mail", mail)
        .txt("@", &spf)
}
