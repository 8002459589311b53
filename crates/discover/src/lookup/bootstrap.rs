//! Which RDAP server is responsible, by the files that IANA keeps for this (RFC 9224).
//!
//! A file is a list of services, each a list of entries (endings, or ranges of addresses) and a
//! list of base addresses. The longest ending or the narrowest range counts, and of the addresses
//! the first with `https`.

use ipnet::IpNet;
use serde_json::Value;
use std::net::IpAddr;
use url::Url;

/// Bytes read of a bootstrap file; the longest has about 100 KiB.
pub(super) const BOOTSTRAP_BYTES: usize = 1 << 20;

/// The services of a bootstrap file.
#[derive(Debug)]
pub(super) struct Bootstrap(Vec<(Vec<String>, Url)>);

impl Bootstrap {
    /// `None` if this is no such file. Services without a usable address are passed over.
    pub(super) fn parse(json: &[u8]) -> Option<Bootstrap> {
        let file: Value = serde_json::from_slice(json).ok()?;
        let services = file.get("services")?.as_array()?;
        Some(Bootstrap(services.iter().filter_map(service).collect()))
    }

    /// The base address for a domain.
    pub(super) fn for_domain(&self, domain: &str) -> Option<&Url> {
        let fits = |entry: &String| {
            let entry = entry.trim_matches('.');
            let matches = domain.strip_suffix(entry).is_some_and(|rest| rest.ends_with('.'));
            (!entry.is_empty() && (matches || domain == entry)).then_some(entry.len())
        };
        self.best(fits)
    }

    /// The base address for an address.
    pub(super) fn for_address(&self, address: IpAddr) -> Option<&Url> {
        let fits = |entry: &String| {
            let net: IpNet = entry.parse().ok()?;
            net.contains(&address).then_some(usize::from(net.prefix_len()))
        };
        self.best(fits)
    }

    fn best(&self, fits: impl Fn(&String) -> Option<usize>) -> Option<&Url> {
        let fitting = self.0.iter().filter_map(|(entries, base)| {
            entries.iter().filter_map(&fits).max().map(|length| (length, base))
        });
        fitting.max_by_key(|(length, _)| *length).map(|(_, base)| base)
    }
}

fn service(service: &Value) -> Option<(Vec<String>, Url)> {
    let texts = |index: usize| -> Vec<String> {
        let list = service.get(index).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(|text| text.trim().to_owned()).collect()
    };
    let bases: Vec<Url> = texts(1).iter().filter_map(|text| base(text)).collect();
    let secure = bases.iter().find(|base| base.scheme() == "https");
    let entries = texts(0).iter().map(|text| text.to_ascii_lowercase()).collect();
    Some((entries, secure.or(bases.first())?.clone()))
}

/// A base address, to which paths can be added.
pub(super) fn base(text: &str) -> Option<Url> {
    let slash = if text.ends_with('/') { "" } else { "/" };
    let url = Url::parse(&format!("{text}{slash}")).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_most_specific_service_counts() {
        let file = br#"{"version": "1.0", "services": [
            [["de", "example"], ["http://rdap.a.example/x", "https://rdap.a.example/y"]],
            [["AC.example"], ["https://rdap.b.example/RDAP/"]],
            [["none"], []], "nonsense", [["odd"]],
            [["198.18.0.0/15", "2001:db8::/32"], ["https://rdap.c.example/"]],
            [["198.18.0.0/16"], ["ftp://rdap.d.example/", "http://rdap.d.example"]]
        ]}"#;
        let bootstrap = Bootstrap::parse(file).unwrap();
        #[rustfmt::skip]
        let domains = [
            ("uni.example",     Some("https://rdap.a.example/y/")),
            ("uni.ac.example",  Some("https://rdap.b.example/RDAP/")),
            ("uni.de",          Some("https://rdap.a.example/y/")),
            ("unide",           None),
            ("uni.none",        None),
            ("uni.odd",         None),
        ];
        for (domain, expected) in domains {
            assert_eq!(bootstrap.for_domain(domain).map(Url::as_str), expected, "{domain}");
        }
        #[rustfmt::skip]
        let addresses = [
            ("198.19.0.1",  Some("https://rdap.c.example/")),
            ("198.18.0.1",  Some("http://rdap.d.example/")),
            ("2001:db8::1", Some("https://rdap.c.example/")),
            ("192.0.2.1",   None),
        ];
        for (address, expected) in addresses {
            let found = bootstrap.for_address(address.parse().unwrap());
            assert_eq!(found.map(Url::as_str), expected, "{address}");
        }
        assert!(Bootstrap::parse(b"{}").is_none() && Bootstrap::parse(b"<html>").is_none());
    }

    proptest! {
        #[test]
        fn any_bytes(bytes: Vec<u8>) {
            let _ = Bootstrap::parse(&bytes);
        }
    }
}
