//! Which hosts of the demo belong to an institution, and how one can know.
//!
//! This is the yardstick of discovery: the five situations a server can be in, each with members and
//! with hosts that only look like members. What is said here is checked against the zones, the
//! ranges and the links of the pages by the tests of this crate.

/// What is true of a host, from the point of view of one institution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truth {
    /// As in a URL, umlauts in punycode.
    pub host: &'static str,
    pub member: bool,
    /// 1 to 5, for members.
    pub case: Option<u8>,
    /// The indicator that should settle it, by its name; none where nothing settles it, or several
    /// may.
    pub decided_by: Option<&'static str>,
    pub found_by: FoundBy,
    pub note: &'static str,
}

/// How a host can come to notice at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoundBy {
    /// It is where one begins.
    Root,
    /// A page of a member links to it.
    Link,
    /// The reverse name of an address in the range.
    Pointer,
    /// The certificate of a server in the range.
    Certificate,
    /// A server in the range, asked by its address, redirects to it.
    Redirect,
    /// It is the bare address of a server in the range.
    Scan,
    /// A web server configuration among the demo's files.
    Vhosts,
    /// The export of certificate transparency logs among the demo's files.
    Transparency,
    /// Nothing at all: not to be counted when discovery is measured.
    Nothing,
}

use FoundBy::{Certificate, Link, Nothing, Pointer, Redirect, Root, Scan, Transparency, Vhosts};

const fn member(
    host: &'static str,
    case: u8,
    decided_by: &'static str,
    found_by: FoundBy,
    note: &'static str,
) -> Truth {
    let decided_by = if decided_by.is_empty() { None } else { Some(decided_by) };
    Truth { host, member: true, case: Some(case), decided_by, found_by, note }
}

const fn stranger(host: &'static str, found_by: FoundBy, note: &'static str) -> Truth {
    Truth { host, member: false, case: None, decided_by: None, found_by, note }
}

#[rustfmt::skip]
pub(super) const HOHENWERTH: &[Truth] = &[
    member("uni-hohenwerth.example",            1, "root", Root, "the domain it is named by"),
    member("www.uni-hohenwerth.example",        1, "root", Link, "the home page"),
    member("bibliothek.uni-hohenwerth.example", 1, "root", Link, "the library"),
    member("math.uni-hohenwerth.example",       1, "root", Link, "shares its address with alt"),
    member("physik.uni-hohenwerth.example",     1, "root", Link, "on port 8080"),
    member("linguistik.uni-hohenwerth.example", 1, "root", Link, "the corpus people"),
    member("soziologie.uni-hohenwerth.example", 1, "root", Link, "pages old and new"),
    member("geographie.uni-hohenwerth.example", 1, "root", Link, "shares its address with soziologie"),
    member("alt.uni-hohenwerth.example",        1, "root", Link, "shares its address with math"),
    member("www.mathematik-tage.example",       1, "net",  Link, "a domain of its own at a provider's name servers"),
    member("xn--universitt-hohenwerth-e2b.example", 1, "net", Link, "an umlaut domain"),
    member("www.werthtal-hydrologie.example",   1, "net",  Link, "has an IPv6 address only"),
    member("www.sternwarte-hohenwerth.example", 1, "net",  Link, "in the second range of the organisation"),
    member("hohenwerth-uni.example",            1, "net",  Link, "registered through a privacy proxy"),

    member("www.tagung-alpenvorland.example",   2, "name-server",  Link, "at a provider, zone at the university"),
    member("www.werther-kreis.example",         2, "email-domain", Link, "the registrant has an address of the university"),
    member("www.hohenwerth-sommerkurse.at-example", 2, "holder",   Link, "told by nic.at"),
    member("www.eberling-edition.com-example",  2, "holder",       Link, "told by the registrar only"),
    member("bergwetter.latin-example",          2, "holder",       Link, "told in Latin-1"),
    member("www.hochschulsport.org-example",    2, "holder",       Link, "told by RDAP"),
    member("medien.uni-hohenwerth.example",     2, "root",         Link, "behind a content delivery network"),
    member("www.wasserforum-werth.example",     2, "imprint",      Link, "the registrant is hidden, the imprint is complete"),
    member("chor.silent-example",               2, "imprint",      Link, "its registry never answers"),
    member("theater.throttle-example",          2, "",             Link, "by its holder if the registry still answers, or else by its imprint"),

    member("archiv-alpenvorland.example",       3, "net", Link, "linked by the conference only"),
    member("sammlung.werther-kreis.example",    3, "net", Link, "linked by www.werther-kreis.example only"),

    member("pruefungsamt.uni-hohenwerth.example", 4, "root", Pointer, "its reverse name leads back"),
    member("lernplattform-werth.example",       4, "net", Certificate, "in the certificate of 198.18.1.81"),
    member("kurse.lernplattform-werth.example", 4, "net", Certificate, "in the certificate of 198.18.1.81"),
    member("herbarium-werth.example",           4, "net", Redirect, "198.18.1.82 redirects to it"),
    member("198.18.1.83",                       4, "net", Scan, "has no name"),
    member("alumni-werth.example",              4, "net", Vhosts, "in the nginx configuration"),
    member("seminar-algebra.uni-hohenwerth.example", 4, "root", Vhosts, "in the Apache configuration"),

    member("www.kinderuni-werth.example",       5, "email-domain", Transparency, "the registrant has an address of the university"),
    member("preis-werthtal.example",            5, "imprint", Transparency, "the registrant is hidden, the imprint is complete"),
    member("verschollen-werth.example",         5, "", Nothing, "only somebody who knows it can name it"),

    stranger("www.institut-gewaesser.example",  Link, "in the same research network, at its name server"),
    stranger("www.forschungsnetz-werth.example", Link, "the research network itself"),
    stranger("www.uni-hohenwerth-ferien.example", Link, "looks like it, lets holiday flats"),
    stranger("www.fh-hohenwerth.example",       Link, "another school in the same town"),
    stranger("www.baeckerei-werth.example",     Link, "at the name servers that members use, too"),
    stranger("www.webhaus.example",             Link, "the provider"),
    stranger("hohenwerth-nachrichten.example",  Link, "at the privacy proxy that a member uses, too"),
    stranger("phil-hohenwerth.example",         Link, "parked by a dealer in domains"),
    stranger("kino.throttle-example",           Link, "its registry stops answering"),
    stranger("www.trittbrett.example",          Link, "the reverse name of its address claims to be the home page"),
    stranger("www.druckerei-werth.example",     Link, "linked by the conference only, and elsewhere"),
    Truth { decided_by: Some("rule"), ..stranger("tanzclub-werth.example", Link, "a guest in the range, refused by hand") },
    stranger("www.bank.example",                Pointer, "named by the reverse name of an address in the range"),
    stranger("www.lernsoftware.example",        Certificate, "stands in a certificate with members"),
    stranger("ferien-uni-hohenwerth.example",   Transparency, "matches the search of the export, and nothing else"),
    stranger("www.stadt-hohenwerth.example",    Link, "the town"),
    stranger("www.hohenwerther-anzeiger.example", Link, "the newspaper"),
    stranger("journal.wissenschaft-nord.example", Link, "a journal"),
    stranger("katalog.bibliotheksverbund-werth.example", Link, "a union catalogue"),
    stranger("www.fh-niederau.example",         Link, "the other institution"),
    stranger("www.wasserlabor-niederau.example", Link, "a member of the other institution"),
    stranger("www.holzbau-tagung.org-example",  Link, "a member of the other institution, elsewhere"),
];

#[rustfmt::skip]
pub(super) const NIEDERAU: &[Truth] = &[
    member("fh-niederau.example",               1, "root", Root, "the domain it is named by"),
    member("www.fh-niederau.example",           1, "root", Link, "the home page"),
    member("www.wasserlabor-niederau.example",  1, "net",  Link, "its range is told by RDAP and by ARIN's WHOIS"),
    member("www.holzbau-tagung.org-example",    2, "holder", Link, "told by RDAP"),
    stranger("www.uni-hohenwerth.example",      Link, "the other institution"),
    stranger("www.hohenwerther-anzeiger.example", Link, "the newspaper"),
    stranger("www.hochschulsport.org-example",  Link, "of the other institution, at the same registry"),
];
