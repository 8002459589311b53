//! A made-up university on the simulated internet, for the demo, the tests and the manual.
//!
//! Universität Hohenwerth has what real universities have: several servers, one of them with TLS, one
//! on another port, one very old; pages in two languages; duplicates, loops, broken links and a
//! directory that robots should not enter. Fachhochschule Niederau is a second institution; the
//! sites in `outside` belong to nobody and must stay untouched by a harvest of either.
//!
//! Texts are files under `demo/` (see the README there); whatever comes in series is made from the
//! tables in this module.

mod files;
mod math;
mod news;
mod niederau;
mod old_server;
mod outside;
mod physics;
mod university;

use crate::internet::Internet;
use crate::site::Site;
use crate::zone::Zone;

/// The whole fixture.
pub fn internet() -> Internet {
    let sites = university::sites()
        .into_iter()
        .chain([math::site(), old_server::site()])
        .chain(physics::sites())
        .chain(niederau::sites())
        .chain(outside::sites());
    let zones = [university::zone(), niederau::zone(), outside::zone()];
    let internet = zones.into_iter().fold(Internet::new(), Internet::zone);
    sites.fold(internet, Internet::site)
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
