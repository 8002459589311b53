//! Which registry is responsible, and how it wants to be asked.
//!
//! The tables are data files beside the program text; settings go before them.

use super::settings::LookupSettings;
use auslese_model::HostName;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

const WHOIS_SERVERS: &str = include_str!("../../data/whois-servers.txt");
const WHOIS_QUERIES: &str = include_str!("../../data/whois-queries.txt");
const RDAP_SERVERS: &str = include_str!("../../data/rdap-servers.txt");

/// The port of WHOIS (RFC 3912).
const WHOIS_PORT: u16 = 43;
/// Stands for what is asked about in a [`QueryForm`].
const BLANK: &str = "{}";

/// What a WHOIS server is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum About {
    Domain,
    Address,
    /// An organisation, by its handle.
    Organisation,
    /// All networks of an organisation, by its handle.
    Networks,
}

/// The line a server wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryForm {
    pub server: String,
    pub about: About,
    /// With `{}` where the name goes.
    pub line: String,
}

/// The tables, settings included.
#[derive(Debug)]
pub(super) struct Registries {
    whois: HashMap<String, String>,
    rdap: HashMap<String, String>,
    forms: HashMap<(String, About), String>,
}

impl Registries {
    pub(super) fn new(settings: &LookupSettings) -> Registries {
        let forms = built_in_forms().chain(settings.whois_queries.iter().cloned());
        Registries {
            whois: table(WHOIS_SERVERS, &settings.whois_servers),
            rdap: table(RDAP_SERVERS, &settings.rdap_servers),
            forms: forms.map(|form| ((form.server, form.about), form.line)).collect(),
        }
    }

    /// The WHOIS server for a domain, by its longest listed ending.
    pub(super) fn whois_server(&self, domain: &str) -> Option<&str> {
        endings(domain).find_map(|ending| self.whois.get(ending)).map(String::as_str)
    }

    /// Whether an ending has a server of its own, rather than one of a longer or shorter ending.
    pub(super) fn lists(&self, ending: &str) -> bool {
        self.whois.contains_key(ending) || self.rdap.contains_key(ending)
    }

    /// The RDAP server for a domain, where the bootstrap is not to be asked.
    pub(super) fn rdap_base(&self, domain: &str) -> Option<&str> {
        endings(domain).find_map(|ending| self.rdap.get(ending)).map(String::as_str)
    }

    /// The WHOIS server of the registry whose handles end like this one.
    pub(super) fn server_of_handle(&self, handle: &str) -> Option<&str> {
        let (dash, _) = handle.char_indices().rfind(|(_, c)| *c == '-')?;
        let ending = handle[dash..].to_ascii_lowercase();
        self.whois.get(&ending).map(String::as_str)
    }

    /// The line to send, or none if this server is not known to answer such questions. Every
    /// server answers for domains and addresses.
    pub(super) fn line(&self, server: &str, about: About, name: &str) -> Option<String> {
        match self.forms.get(&(server.to_owned(), about)) {
            Some(form) => Some(form.replace(BLANK, name)),
            None if matches!(about, About::Domain | About::Address) => Some(name.to_owned()),
            None => None,
        }
    }
}

/// A server as the tables, settings and other servers name it: `host`, `host:port`, or
/// `whois://host`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WhoisServer {
    pub(super) host: HostName,
    pub(super) port: u16,
}

impl WhoisServer {
    pub(super) fn parse(text: &str) -> Option<WhoisServer> {
        let text = text.trim();
        let text = match text.split_once("://") {
            Some(("whois", rest)) => rest,
            // Another protocol, spoken by nobody else.
            Some(_) => return None,
            None => text,
        };
        let text = text.trim_end_matches('/');
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !host.ends_with(':') && !host.contains(':') => {
                (host, port.parse().ok()?)
            }
            _ => (text, WHOIS_PORT),
        };
        let host = HostName::parse(host)?;
        let is_name = host.address().is_some() || host.as_str().contains('.');
        is_name.then_some(WhoisServer { host, port })
    }

    /// As it stands in the key of a question.
    pub(super) fn name(&self) -> String {
        match self.port {
            WHOIS_PORT => self.host.to_string(),
            port => format!("{}:{port}", self.host),
        }
    }
}

/// A name that can be part of a question: nothing in it is a flag or ends the line.
pub(super) fn is_askable(name: &str) -> bool {
    /// Longer than any handle, and than any name in the DNS.
    const LONGEST: usize = 253;
    name.len() <= LONGEST
        && name.split('.').all(|label| !label.is_empty() && !label.starts_with('-'))
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// `a.ac.uk` → `a.ac.uk`, `ac.uk`, `uk`.
fn endings(domain: &str) -> impl Iterator<Item = &str> {
    let shorter = domain.match_indices('.').map(|(dot, _)| &domain[dot + 1..]);
    std::iter::once(domain).chain(shorter)
}

fn table<'a>(
    built_in: &str,
    settings: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> HashMap<String, String> {
    let built_in = rows(built_in).filter_map(|row| row.split_once(char::is_whitespace));
    let settings = settings.into_iter().map(|(ending, server)| (ending.as_str(), server.as_str()));
    let entry = |(ending, server): (&str, &str)| {
        (ending.trim_start_matches('.').to_ascii_lowercase(), server.trim().to_owned())
    };
    built_in.chain(settings).map(entry).collect()
}

fn built_in_forms() -> impl Iterator<Item = QueryForm> {
    rows(WHOIS_QUERIES).filter_map(|row| {
        let (server, rest) = row.split_once(char::is_whitespace)?;
        let (about, line) = rest.trim_start().split_once(char::is_whitespace)?;
        let about = match about {
            "domain" => About::Domain,
            "address" => About::Address,
            "organisation" => About::Organisation,
            "networks" => About::Networks,
            _ => return None,
        };
        Some(QueryForm { server: server.to_owned(), about, line: line.trim().to_owned() })
    })
}

/// The lines of a data file that are neither empty nor comments.
fn rows(file: &str) -> impl Iterator<Item = &str> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_data_files_is_read() {
        let registries = Registries::new(&LookupSettings::default());
        assert_eq!(registries.whois.len(), rows(WHOIS_SERVERS).count());
        assert_eq!(registries.rdap.len(), rows(RDAP_SERVERS).count());
        assert_eq!(registries.forms.len(), rows(WHOIS_QUERIES).count());
        for server in registries.whois.values() {
            assert_eq!(&WhoisServer::parse(server).unwrap().name(), server);
        }
        assert!(registries.forms.values().all(|form| form.matches(BLANK).count() == 1));
        for base in registries.rdap.values() {
            assert!(url::Url::parse(base).is_ok() && base.ends_with('/'), "{base}");
        }
    }

    #[test]
    fn lines_that_servers_want() {
        let settings = LookupSettings {
            whois_servers: [("example".to_owned(), "whois.nic.example:4343".to_owned())].into(),
            whois_queries: vec![QueryForm {
                server: "whois.nic.example:4343".to_owned(),
                about: About::Domain,
                line: "full {}".to_owned(),
            }],
            ..LookupSettings::default()
        };
        let registries = Registries::new(&settings);
        #[rustfmt::skip]
        let cases = [
            ("uni-giessen.de",  Some(("whois.denic.de", "-T dn,ace uni-giessen.de"))),
            ("ox.ac.uk",        Some(("whois.nic.ac.uk", "ox.ac.uk"))),
            ("nominet.uk",      Some(("whois.nic.uk", "nominet.uk"))),
            ("uni.com",         Some(("whois.verisign-grs.com", "domain uni.com"))),
            ("uni.ac.jp",       Some(("whois.jprs.jp", "uni.ac.jp/e"))),
            ("uni.example",     Some(("whois.nic.example:4343", "full uni.example"))),
            ("uni.unheard-of",  None),
        ];
        for (domain, expected) in cases {
            let server = registries.whois_server(domain);
            let line = server.and_then(|server| registries.line(server, About::Domain, domain));
            let expected = expected.map(|(server, line)| (server, line.to_owned()));
            assert_eq!(server.zip(line), expected, "{domain}");
        }
        assert_eq!(registries.server_of_handle("ORG-UH1-RIPE"), Some("whois.ripe.net"));
        assert_eq!(registries.server_of_handle("UNIVER-1"), None);
        assert_eq!(registries.line("whois.denic.de", About::Networks, "X"), None);
    }

    #[test]
    fn servers_as_others_name_them() {
        #[rustfmt::skip]
        let cases = [
            ("whois.ripe.net",           Some("whois.ripe.net")),
            (" WHOIS.Ripe.Net. ",        Some("whois.ripe.net")),
            ("whois://whois.ripe.net/",  Some("whois.ripe.net")),
            ("whois://h.example:43",     Some("h.example")),
            ("h.example:4343",           Some("h.example:4343")),
            ("192.0.2.1:43",             Some("192.0.2.1")),
            ("[2001:db8::1]",            Some("[2001:db8::1]")),
            ("rwhois://h.example:4321",  None),
            ("http://www.registrar.example", None),
            ("h.example:port",           None),
            ("none",                     None),
            ("",                         None),
        ];
        for (text, expected) in cases {
            let server = WhoisServer::parse(text).map(|server| server.name());
            assert_eq!(server.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn nothing_is_smuggled_into_a_question() {
        for name in ["uni.example", "xn--mnchen-3ya.example", "ORG-UH1-RIPE", "a_b.example"] {
            assert!(is_askable(name), "{name}");
        }
        for name in ["-r uni.example", "-r.example", "a b", "a\r\nb", "a..b", "", "a;b", "ä.de"] {
            assert!(!is_askable(name), "{name}");
        }
    }
}
