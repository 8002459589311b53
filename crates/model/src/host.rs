//! Host names and web origins.
//!
//! Two servers are the same only if scheme, host and port agree: the same host on another port is
//! another site, with its own queue, robots rules and row in the catalog.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;
use url::Url;

/// A host as it stands in a URL: a lower-case ASCII name (umlauts in punycode) or an IP address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HostName(Box<str>);

impl HostName {
    /// Longer names cannot be in the DNS.
    pub const MAX: usize = 253;

    /// Reads a host as a browser would; `None` if it is none. IPv6 addresses may have brackets.
    pub fn parse(text: &str) -> Option<HostName> {
        let text = text.trim();
        let host = match text.parse::<std::net::Ipv6Addr>() {
            Ok(address) => format!("[{address}]"),
            Err(_) => url::Host::parse(text.trim_end_matches('.')).ok()?.to_string(),
        };
        HostName::checked(&host)
    }

    /// The host of a URL, without a final dot.
    pub fn of(url: &Url) -> Option<HostName> {
        HostName::checked(url.host_str()?.trim_end_matches('.'))
    }

    fn checked(host: &str) -> Option<HostName> {
        (!host.is_empty() && host.len() <= HostName::MAX).then(|| HostName(host.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address, if the host is one rather than a name.
    pub fn address(&self) -> Option<IpAddr> {
        self.0.trim_start_matches('[').trim_end_matches(']').parse().ok()
    }

    /// Whether this is `parent` or lies below it: `www.uni.example` is within `uni.example`.
    pub fn is_within(&self, parent: &str) -> bool {
        let parent = parent.trim_start_matches('.');
        self.0.strip_suffix(parent).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The two schemes that are crawled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub fn of(url: &Url) -> Option<Scheme> {
        match url.scheme() {
            "http" => Some(Scheme::Http),
            "https" => Some(Scheme::Https),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    pub fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One web site in the sense of the protocol: scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Origin {
    pub scheme: Scheme,
    pub host: HostName,
    pub port: u16,
}

impl Origin {
    /// The origin of an `http` or `https` URL; `None` for any other.
    pub fn of(url: &Url) -> Option<Origin> {
        let scheme = Scheme::of(url)?;
        let port = url.port().unwrap_or(scheme.default_port());
        Some(Origin { scheme, host: HostName::of(url)?, port })
    }

    pub fn parse(text: &str) -> Option<Origin> {
        Origin::of(&Url::parse(text).ok()?)
    }

    /// The URL of a path on this site; the path begins with a slash.
    pub fn join(&self, path: &str) -> Option<Url> {
        Url::parse(&format!("{self}{path}")).ok()
    }

    pub fn has_default_port(&self) -> bool {
        self.port == self.scheme.default_port()
    }
}

/// `http://host` or `http://host:port`, without a final slash.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        if self.has_default_port() { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        #[rustfmt::skip]
        let cases = [
            ("WWW.Uni-Giessen.DE.",  Some("www.uni-giessen.de")),
            ("münchen.example",      Some("xn--mnchen-3ya.example")),
            ("::1",                  Some("[::1]")),
            ("[2001:db8::1]",        Some("[2001:db8::1]")),
            ("0x7f.1",               Some("127.0.0.1")),
            ("a b",                  None),
            (&"a.".repeat(128),      None),
            ("",                     None),
        ];
        for (text, expected) in cases {
            assert_eq!(HostName::parse(text).as_ref().map(HostName::as_str), expected, "{text}");
        }
    }

    #[test]
    fn within() {
        let host = HostName::parse("www.uni.example").unwrap();
        #[rustfmt::skip]
        let cases = [("uni.example", true), (".uni.example", true), ("ni.example", false),
                     ("www.uni.example", true), ("a.www.uni.example", false)];
        for (parent, expected) in cases {
            assert_eq!(host.is_within(parent), expected, "{parent}");
        }
    }

    #[test]
    fn ports_make_sites() {
        let origin = |text| Origin::parse(text).unwrap();
        assert_eq!(origin("http://h.example:80/a"), origin("http://h.example"));
        assert_ne!(origin("http://h.example:8080"), origin("http://h.example"));
        assert_eq!(origin("https://h.example:444/").to_string(), "https://h.example:444");
        assert_eq!(Origin::parse("ftp://h.example/"), None);
    }
}
