//! Sites that belong to neither institution. They exist, so that a harvest which strays is seen in
//! their log.

use crate::answer::Answer;
use crate::site::Site;
use crate::zone::Zone;

#[rustfmt::skip]
const SITES: &[(&str, &str, &str)] = &[
    // host                                  address          what it is
    ("www.stadt-hohenwerth.example",         "192.0.2.10",    "Stadt Hohenwerth"),
    ("www.hohenwerther-anzeiger.example",    "192.0.2.20",    "Hohenwerther Anzeiger"),
    ("journal.wissenschaft-nord.example",    "198.51.100.30", "Zeitschrift für Wissenschaft"),
    ("katalog.bibliotheksverbund-werth.example", "198.51.100.40", "Verbundkatalog"),
];

/// Host and address of each.
pub(super) fn addresses() -> impl Iterator<Item = (&'static str, &'static str)> {
    SITES.iter().map(|(host, address, _)| (*host, *address))
}

/// A domain of a dealer in domains, whose every name leads to one address.
pub(super) fn zone() -> Zone {
    Zone::new("domainhandel.example")
        .ns("ns1.webhaus.example.")
        .ns("ns2.webhaus.example.")
        .address("*", "198.51.100.99")
}

pub(super) fn sites() -> impl Iterator<Item = Site> {
    SITES.iter().map(|(host, address, title)| {
        let page = Answer::page(format!(
            "<!DOCTYPE html>\n<html lang=\"de\"><meta charset=\"utf-8\"><title>{title}</title>\n<h1>{title}</h1>\n\
             <p>Diese Seite gehört nicht zur Universität.</p>\n\
             <p><a href=\"http://www.uni-hohenwerth.example/\">Universität Hohenwerth</a></p></html>\n"
        ));
        Site::new(format!("http://{host}")).at(address).otherwise(page)
    })
}
