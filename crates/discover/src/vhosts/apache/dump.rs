//! What `apachectl -S` prints.
//!
//! ```text
//! VirtualHost configuration:
//! 192.0.2.1:443          www.uni.example (/etc/apache2/sites/www.conf:1)
//! *:80                   is a NameVirtualHost
//!          default server uni.example (/etc/apache2/sites/uni.conf:1)
//!          port 80 namevhost uni.example (/etc/apache2/sites/uni.conf:1)
//!                  alias www.uni.example
//!                  wild alias *.uni.example
//! ServerRoot: "/etc/apache2"
//! ```
//!
//! For a server that is alone at its address no aliases are printed, though it may have some.

use super::super::report::{Endpoint, Findings, Place, WhyReported};

/// What `httpd` calls a server whose address has no name in the DNS.
const NO_NAME: &str = "bogus_host_without_forward_dns";

pub(crate) fn read_dump(text: &str, file: &str, findings: &mut Findings) {
    let lines = (1..).zip(text.lines()).skip_while(|(_, line)| !line.starts_with(BEGIN)).skip(1);
    let mut at: Vec<Endpoint> = Vec::new();
    let mut server = Place::file(file);
    for (number, line) in lines {
        let here = Place::new(file, number);
        let words = line.trim();
        if let Some(alias) = words.strip_prefix("wild alias ") {
            findings.host(alias, &server, "ServerAlias", &at);
        } else if let Some(alias) = words.strip_prefix("alias ") {
            findings.host(alias, &server, "ServerAlias", &at);
        } else if words.starts_with("default server ") {
            // The same server follows as a namevhost.
        } else if let Some((_, name)) = words.split_once(" namevhost ") {
            server = tell_server(name, &here, &at, findings);
        } else if let Some((address, rest)) = address_line(line) {
            at = vec![Endpoint::parse(address)];
            if rest != "is a NameVirtualHost" {
                server = tell_server(rest, &here, &at, findings);
                let why = WhyReported::AliasesUntold;
                findings.report(address, &server, "VirtualHost", why);
            }
        } else if line.starts_with("ServerRoot:") {
            return;
        }
    }
}

const BEGIN: &str = "VirtualHost configuration:";

/// Splits `*:80   www.uni.example (…)`; other lines that begin at the margin hold no address.
fn address_line(line: &str) -> Option<(&str, &str)> {
    let (address, rest) = line.split_once(char::is_whitespace)?;
    let (host, port) = address.rsplit_once(':')?;
    let port_like = port == "*" || !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    (port_like && !host.is_empty()).then(|| (address, rest.trim()))
}

/// Tells the name in `NAME (FILE:LINE)` and returns the place.
fn tell_server(text: &str, here: &Place, at: &[Endpoint], findings: &mut Findings) -> Place {
    let (name, place) = match text.split_once(" (") {
        Some((name, place)) => (name, place_of(place).unwrap_or_else(|| here.clone())),
        None => (text, here.clone()),
    };
    match name {
        NO_NAME => findings.report("", &place, "VirtualHost", WhyReported::Nameless),
        _ => findings.host(name, &place, "ServerName", at),
    }
    place
}

/// Reads `FILE:LINE)`, or `macro 'x' (defined …) used on line 3 of "FILE":1)`.
fn place_of(text: &str) -> Option<Place> {
    if let Some((_, used)) = text.rsplit_once("used on line ") {
        let (line, rest) = used.split_once(" of \"")?;
        return Some(Place::new(rest.split('"').next()?, line.parse().ok()?));
    }
    let (file, line) = text.trim_end().trim_end_matches(')').rsplit_once(':')?;
    Some(Place::new(file, line.parse().ok()?))
}
