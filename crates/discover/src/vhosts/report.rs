//! What reading a configuration brought: names with the place they stand at, and everything that
//! speaks of hosts without naming them, with the reason.

use super::VhostFormat;
use super::host_text::{HostText, WhyNotNamed, read_host};
use auslese_model::HostName;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;

/// Most names, addresses and remarks that are kept of one reading, each.
pub(crate) const MAX_FOUND: usize = 1_000_000;

/// Most endpoints that are kept of one name: a server may have thousands of both.
const MAX_LISTENS: usize = 16;

/// Longest text that is kept in a remark, in characters.
pub(crate) const MAX_REMARK_TEXT: usize = 200;

/// Host names of one file and what it includes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VhostReport {
    pub format: VhostFormat,
    /// In the order of the file; a name that stands at two places occurs twice.
    pub names: Vec<FoundName>,
    /// Addresses that serve something, each once, whether or not a name is told.
    pub addresses: Vec<FoundAddress>,
    /// What speaks of hosts and cannot be expanded to names, and what could not be read.
    pub reported: Vec<Reported>,
    /// How many files were read.
    pub files: usize,
}

impl VhostReport {
    /// Each name once.
    pub fn hosts(&self) -> BTreeSet<&HostName> {
        self.names.iter().map(|found| &found.name).collect()
    }
}

/// One name at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundName {
    pub name: HostName,
    pub place: Place,
    /// What named it, in the words of the format: `ServerAlias`, `server_name`, `CNAME`.
    pub directive: &'static str,
    /// Where it is served, as far as told; the first 16 places.
    pub listens: Vec<Endpoint>,
}

/// One address at which something is served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundAddress {
    pub address: IpAddr,
    /// Open ports, as far as told, sorted.
    pub ports: Vec<u16>,
    /// Where it stands first.
    pub place: Place,
    pub directive: &'static str,
}

/// Something that was understood, but names no host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reported {
    /// As it is written, cut to 200 characters.
    pub text: String,
    pub place: Place,
    pub directive: &'static str,
    pub why: WhyReported,
}

/// Where something stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    pub file: String,
    /// From 1; unknown in formats that have no lines, such as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Place {
    pub(crate) fn new(file: &str, line: u32) -> Place {
        Place { file: file.to_owned(), line: Some(line) }
    }

    pub(crate) fn file(file: &str) -> Place {
        Place { file: file.to_owned(), line: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// An address and a port; what is not told is any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Endpoint {
    pub address: Option<IpAddr>,
    pub port: Option<u16>,
}

impl Endpoint {
    pub(crate) fn address(address: IpAddr) -> Endpoint {
        Endpoint { address: Some(address), port: None }
    }

    /// Reads `*:80`, `192.0.2.1:443`, `[::1]:80`, `_default_:*`, `80`, `[::]`, `name:80`.
    pub(crate) fn parse(text: &str) -> Endpoint {
        let (host, port) = split_port(text);
        if let (None, Ok(port)) = (port, host.parse()) {
            return Endpoint { address: None, port: Some(port) };
        }
        let bare = match host {
            "localhost" => "127.0.0.1",
            _ => host.trim_start_matches('[').trim_end_matches(']'),
        };
        let address = bare.parse().ok().filter(|address: &IpAddr| !address.is_unspecified());
        Endpoint { address, port: port.and_then(|port| port.parse().ok()) }
    }
}

/// Splits `host:port`; colons within brackets, and several without, belong to the host.
pub(crate) fn split_port(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once(':') {
        Some((host, port))
            if !port.contains(']') && (host.ends_with(']') || !host.contains(':')) =>
        {
            (host, Some(port))
        }
        _ => (text, None),
    }
}

/// Why something stands in the report and not among the names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhyReported {
    /// `*.uni.example`: any name below.
    Wildcard,
    /// `~^www\d+\.`: a pattern.
    Regex,
    /// `_`: whatever nobody else serves.
    CatchAll,
    /// A server without a name of its own.
    Nameless,
    /// A variable whose value is not in the files.
    Variable,
    /// A macro that is not defined, or is used wrongly.
    Macro,
    /// Names come from directories or tables, not from the configuration.
    MassHosting,
    /// A name without a dot means something only within its own network.
    Unqualified,
    /// A name such as `_dmarc.uni.example` that belongs to no host.
    Service,
    /// Cannot be a name in the DNS.
    Unreadable,
    /// The names of this zone are kept elsewhere.
    Delegated,
    /// Mapped to no address in order to block it.
    Blocked,
    /// `apachectl -S` tells no aliases of a server that is alone at its address.
    AliasesUntold,
    /// Names stand in a part that a condition switches off.
    Condition,
    /// A file that is included does not exist.
    MissingInclude,
    /// A file cannot be read.
    UnreadableFile,
    /// A file includes itself.
    IncludeLoop,
    /// More than 16 files within each other.
    IncludeDepth,
    /// More than 10,000 files.
    TooManyFiles,
    /// More than 32 MiB.
    TooManyBytes,
    /// Macros, snippets or generated records became more than allowed.
    TooMuchExpansion,
    /// The origin of the zone is not in the file; it was guessed from the file's name.
    GuessedOrigin,
    /// A name that is not complete, in a zone whose origin is unknown.
    NoOrigin,
    /// More than a million of a kind; the rest is not told.
    TooManyFound,
}

impl WhyReported {
    pub fn words(self) -> &'static str {
        match self {
            WhyReported::Wildcard => "a wildcard names no host",
            WhyReported::Regex => "a pattern names no host",
            WhyReported::CatchAll => "stands for whatever nobody else serves",
            WhyReported::Nameless => "a server without a name",
            WhyReported::Variable => "the variable's value is not in the files",
            WhyReported::Macro => "the macro is not defined so",
            WhyReported::MassHosting => "names come from directories, not from the configuration",
            WhyReported::Unqualified => "a name without a dot",
            WhyReported::Service => "the name of a service, not of a host",
            WhyReported::Unreadable => "not a host name",
            WhyReported::Delegated => "the zone is kept elsewhere",
            WhyReported::Blocked => "mapped to no address",
            WhyReported::AliasesUntold => "aliases are not told for a server alone at its address",
            WhyReported::Condition => "names in a part that is switched off",
            WhyReported::MissingInclude => "the included file does not exist",
            WhyReported::UnreadableFile => "the file cannot be read",
            WhyReported::IncludeLoop => "the file includes itself",
            WhyReported::IncludeDepth => "too many files within each other",
            WhyReported::TooManyFiles => "too many files",
            WhyReported::TooManyBytes => "too many bytes",
            WhyReported::TooMuchExpansion => "macros become too long",
            WhyReported::GuessedOrigin => "origin guessed from the file's name",
            WhyReported::NoOrigin => "the zone's origin is not told",
            WhyReported::TooManyFound => "too much was found, the rest is not told",
        }
    }
}

impl fmt::Display for WhyReported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

impl From<WhyNotNamed> for WhyReported {
    fn from(why: WhyNotNamed) -> WhyReported {
        match why {
            WhyNotNamed::Empty => WhyReported::Nameless,
            WhyNotNamed::Wildcard => WhyReported::Wildcard,
            WhyNotNamed::Variable => WhyReported::Variable,
            WhyNotNamed::Unqualified => WhyReported::Unqualified,
            WhyNotNamed::Service => WhyReported::Service,
            WhyNotNamed::Unreadable => WhyReported::Unreadable,
        }
    }
}

/// The report while it is being filled.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    names: Vec<FoundName>,
    addresses: Vec<FoundAddress>,
    /// Where an address stands in the list above.
    known_addresses: FxHashMap<IpAddr, usize>,
    reported: Vec<Reported>,
    full: bool,
}

impl Findings {
    /// Takes what stands in the place of a name, whatever it turns out to be.
    pub(crate) fn host(
        &mut self,
        text: &str,
        place: &Place,
        directive: &'static str,
        listens: &[Endpoint],
    ) {
        match read_host(text) {
            HostText::Name(name) => self.name(name, place, directive, listens),
            HostText::Address(address) => {
                let ports = listens.iter().filter_map(|endpoint| endpoint.port).collect();
                self.address(address, ports, place, directive);
            }
            HostText::Not(why) => self.report(text, place, directive, why.into()),
        }
    }

    fn name(
        &mut self,
        name: HostName,
        place: &Place,
        directive: &'static str,
        listens: &[Endpoint],
    ) {
        if self.has_room(self.names.len(), place) {
            let listens = listens.iter().take(MAX_LISTENS).copied().collect();
            self.names.push(FoundName { name, place: place.clone(), directive, listens });
        }
    }

    /// Takes an address that serves something; further ports are added to those known.
    pub(crate) fn address(
        &mut self,
        address: IpAddr,
        ports: Vec<u16>,
        place: &Place,
        directive: &'static str,
    ) {
        let at = match self.known_addresses.get(&address).copied() {
            Some(at) => at,
            None if self.has_room(self.addresses.len(), place) => {
                let (at, place) = (self.addresses.len(), place.clone());
                self.known_addresses.insert(address, at);
                self.addresses.push(FoundAddress { address, ports: Vec::new(), place, directive });
                at
            }
            None => return,
        };
        // Lists of scans have one line per port, so the ports are kept sorted, not sorted each time.
        let known = &mut self.addresses[at].ports;
        for port in ports {
            if let Err(place) = known.binary_search(&port) {
                known.insert(place, port);
            }
        }
    }

    pub(crate) fn report(
        &mut self,
        text: &str,
        place: &Place,
        directive: &'static str,
        why: WhyReported,
    ) {
        if self.has_room(self.reported.len(), place) {
            let text = text.chars().take(MAX_REMARK_TEXT).collect();
            self.reported.push(Reported { text, place: place.clone(), directive, why });
        }
    }

    fn has_room(&mut self, taken: usize, place: &Place) -> bool {
        if taken < MAX_FOUND {
            return true;
        }
        if !self.full {
            self.full = true;
            let (text, place) = (String::new(), place.clone());
            let why = WhyReported::TooManyFound;
            self.reported.push(Reported { text, place, directive: "", why });
        }
        false
    }

    pub(crate) fn into_report(self, format: VhostFormat, files: usize) -> VhostReport {
        let Findings { names, addresses, reported, .. } = self;
        VhostReport { format, names, addresses, reported, files }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints() {
        #[rustfmt::skip]
        let cases = [
            ("*:80",              None,                Some(80)),
            ("80",                None,                Some(80)),
            ("_default_:*",       None,                None),
            ("*",                 None,                None),
            ("192.0.2.1:443",     Some("192.0.2.1"),   Some(443)),
            ("192.0.2.1",         Some("192.0.2.1"),   None),
            ("0.0.0.0:80",        None,                Some(80)),
            ("[2001:db8::1]:443", Some("2001:db8::1"), Some(443)),
            ("[2001:db8::1]",     Some("2001:db8::1"), None),
            ("2001:db8::1",       Some("2001:db8::1"), None),
            ("[::]:80",           None,                Some(80)),
            ("localhost:8080",    Some("127.0.0.1"),   Some(8080)),
            ("www.uni.example:80", None,               Some(80)),
            ("",                  None,                None),
            ("]:[",               None,                None),
        ];
        for (text, address, port) in cases {
            let address = address.map(|address| address.parse().unwrap());
            assert_eq!(Endpoint::parse(text), Endpoint { address, port }, "{text}");
        }
    }

    #[test]
    fn names_and_ports_stay_small() {
        let (mut findings, place) = (Findings::default(), Place::file("f"));
        let listens = vec![Endpoint::parse("*:80"); 1000];
        findings.host("www.uni.example", &place, "test", &listens);
        for ports in [vec![443, 80, 443], vec![22], vec![80]] {
            findings.address("192.0.2.1".parse().unwrap(), ports, &place, "test");
        }
        let report = findings.into_report(VhostFormat::Hosts, 1);
        assert_eq!(report.names[0].listens.len(), MAX_LISTENS);
        assert_eq!(report.addresses[0].ports, [22, 80, 443]);
    }
}
