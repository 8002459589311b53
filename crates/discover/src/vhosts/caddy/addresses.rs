//! Addresses of sites: `uni.example`, `http://www.uni.example:8080/path`, `:443`.

use super::super::report::{Endpoint, split_port};

/// The host of an address, perhaps empty, and its port, also if only the scheme tells it.
pub(crate) fn split_address(address: &str) -> (&str, Endpoint) {
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (scheme, rest),
        None => ("", address),
    };
    let authority = rest.split('/').next().unwrap_or_default();
    let (host, port) = split_port(authority);
    let usual = match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    };
    (host, Endpoint { address: None, port: port.and_then(|port| port.parse().ok()).or(usual) })
}

/// The port of a listen address such as `:443` or `tcp/0.0.0.0:80`.
pub(crate) fn listen_port(address: &str) -> Option<u16> {
    split_port(address).1?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        #[rustfmt::skip]
        let cases = [
            ("uni.example",                     "uni.example",   None),
            ("http://uni.example",              "uni.example",   Some(80)),
            ("https://uni.example:8443/a:b",    "uni.example",   Some(8443)),
            (":443",                            "",              Some(443)),
            ("http://",                         "",              Some(80)),
            ("[2001:db8::1]:80",                "[2001:db8::1]", Some(80)),
            ("*.uni.example",                   "*.uni.example", None),
            ("",                                "",              None),
        ];
        for (address, host, port) in cases {
            let (found, endpoint) = split_address(address);
            assert_eq!((found, endpoint.port), (host, port), "{address}");
        }
    }
}
