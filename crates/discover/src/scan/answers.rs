//! What a server shows without being asked for a page: its certificate and its answer to `HEAD /`.

use auslese_model::{Cause, Headers, HostName, Scheme};
use serde::{Deserialize, Serialize};
use url::Url;

/// Characters that are kept of a header value.
const VALUE_CHARS: usize = 300;
/// Names that are kept of a certificate; those of large providers have hundreds.
const CERTIFICATE_NAMES: usize = 100;

/// A port at which connections are accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPort {
    pub port: u16,
    pub scheme: Scheme,
    /// What was shown when no name was asked for.
    pub certificate: Option<ShownCertificate>,
    /// The answer when the address was given as host, then the one to a name of the address.
    pub answers: Vec<HeadAnswer>,
    /// What went wrong.
    pub faults: Vec<Cause>,
}

/// A port is asked over TLS if it is 443 or looks like it, as 8443 does.
pub(crate) fn scheme_of(port: u16) -> Scheme {
    match port % 1000 {
        443 => Scheme::Https,
        _ => Scheme::Http,
    }
}

/// The names of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownCertificate {
    pub names: Vec<String>,
    /// How many more names it has.
    pub more: usize,
    /// Why it cannot be trusted.
    pub problem: Option<String>,
}

impl ShownCertificate {
    pub(crate) fn new(mut names: Vec<String>, problem: Option<String>) -> ShownCertificate {
        let more = names.len().saturating_sub(CERTIFICATE_NAMES);
        names.truncate(CERTIFICATE_NAMES);
        ShownCertificate { names, more, problem }
    }
}

/// The parts of a response header that tell what kind of server it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadAnswer {
    /// The host that was asked for: the address, or a name.
    pub asked: HostName,
    pub status: u16,
    pub server: Option<String>,
    /// Where it redirects to, as an absolute URL.
    pub redirect: Option<String>,
    /// `WWW-Authenticate`, all of them joined.
    pub authenticate: Option<String>,
    /// `Content-Length`.
    pub length: Option<u64>,
}

impl HeadAnswer {
    pub(crate) fn read(asked: HostName, url: &Url, status: u16, headers: &Headers) -> HeadAnswer {
        let value = |name: &str| headers.get(name).map(|text| shortened(&text));
        let realms: Vec<String> = headers.all("www-authenticate").collect();
        let location = headers.get("location").filter(|_| (300..400).contains(&status));
        HeadAnswer {
            asked,
            status,
            server: value("server"),
            redirect: location
                .and_then(|location| url.join(location.trim()).ok())
                .map(|target| shortened(target.as_str())),
            authenticate: (!realms.is_empty()).then(|| shortened(&realms.join(", "))),
            length: headers.get("content-length").and_then(|text| text.trim().parse().ok()),
        }
    }

    pub fn redirect_url(&self) -> Option<Url> {
        Url::parse(self.redirect.as_deref()?).ok()
    }

    /// The host it redirects to, if that is another than the one asked for.
    pub fn redirect_host(&self) -> Option<HostName> {
        HostName::of(&self.redirect_url()?).filter(|host| *host != self.asked)
    }
}

/// The beginning of a text, on one line.
fn shortened(text: &str) -> String {
    let kept = text.trim().chars().take(VALUE_CHARS);
    kept.map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn schemes() {
        for (port, scheme) in [
            (80, Scheme::Http),
            (443, Scheme::Https),
            (8080, Scheme::Http),
            (8443, Scheme::Https),
            (10443, Scheme::Https),
            (4430, Scheme::Http),
        ] {
            assert_eq!(scheme_of(port), scheme, "{port}");
        }
    }

    fn read(location: &str, status: u16) -> HeadAnswer {
        let headers = [("Location", location)].into_iter().collect();
        let asked = HostName::parse("198.18.1.1").unwrap();
        let url = Url::parse("http://198.18.1.1/").unwrap();
        HeadAnswer::read(asked, &url, status, &headers)
    }

    #[test]
    fn redirects() {
        #[rustfmt::skip]
        let cases = [
            ("https://www.uni.example/de/", 301, Some("https://www.uni.example/de/"), Some("www.uni.example")),
            ("//WWW.uni.example",           302, Some("http://www.uni.example/"),     Some("www.uni.example")),
            ("/start",                      302, Some("http://198.18.1.1/start"),     None),
            ("https://198.18.1.1/",         301, Some("https://198.18.1.1/"),         None),
            ("http://[",                    301, None,                                None),
            ("https://www.uni.example/",    200, None,                                None),
        ];
        for (location, status, redirect, host) in cases {
            let answer = read(location, status);
            assert_eq!(answer.redirect.as_deref(), redirect, "{location}");
            let found = answer.redirect_host();
            assert_eq!(found.as_ref().map(HostName::as_str), host, "{location}");
        }
    }

    proptest! {
        #[test]
        fn any_header(value in "\\PC{0,400}", status in 0_u16..1000) {
            let answer = read(&value, status);
            prop_assert!(answer.redirect.is_none_or(|text| text.chars().count() <= VALUE_CHARS));
        }
    }
}
