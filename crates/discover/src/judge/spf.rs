//! Reads the senders out of an SPF record (RFC 7208), as far as they can speak for a host.

use super::facts::SpfTerm;
use ipnet::IpNet;
use std::net::IpAddr;

/// More terms than this are not read; receivers give up after ten lookups.
const TERMS: usize = 64;

/// The senders a TXT record lets pass; none if it is no SPF record. Terms that refuse senders or
/// are left open (`-`, `~`, `?`), macros, and the terms without a domain, which mean the host
/// itself, are left out.
pub fn spf_terms(record: &str) -> Vec<SpfTerm> {
    let mut terms = record.split_ascii_whitespace();
    match terms.next() {
        Some(version) if version.eq_ignore_ascii_case("v=spf1") => {
            terms.take(TERMS).filter_map(term).collect()
        }
        _ => Vec::new(),
    }
}

fn term(text: &str) -> Option<SpfTerm> {
    let text = text.strip_prefix('+').unwrap_or(text).to_ascii_lowercase();
    if let Some(domain) = text.strip_prefix("redirect=") {
        return domain_of(domain).map(SpfTerm::Include);
    }
    let (mechanism, value) = text.split_once(':')?;
    match mechanism {
        "include" => domain_of(value).map(SpfTerm::Include),
        "a" | "mx" => domain_of(value.split('/').next()?).map(SpfTerm::Host),
        "ip4" | "ip6" => net_of(value).map(SpfTerm::Net),
        _ => None,
    }
}

fn domain_of(text: &str) -> Option<String> {
    let domain = text.trim_end_matches('.');
    (!domain.is_empty() && !domain.contains('%')).then(|| domain.to_owned())
}

fn net_of(text: &str) -> Option<IpNet> {
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn terms() {
        let net = |text: &str| SpfTerm::Net(text.parse().unwrap());
        let include = |text: &str| SpfTerm::Include(text.to_owned());
        let host = |text: &str| SpfTerm::Host(text.to_owned());
        #[rustfmt::skip]
        let cases = [
            ("v=spf1 include:_spf.uni.example -all",     vec![include("_spf.uni.example")]),
            ("v=spf1 ip4:198.18.2.0/24 ip4:192.0.2.1 ~all", vec![net("198.18.2.0/24"), net("192.0.2.1/32")]),
            ("V=SPF1 +ip6:2001:db8::/48",                vec![net("2001:db8::/48")]),
            ("v=spf1 a mx a:web.uni.example/24 mx:uni.example.", vec![host("web.uni.example"), host("uni.example")]),
            ("v=spf1 redirect=uni.example",              vec![include("uni.example")]),
            ("v=spf1 -ip4:198.18.2.0/24 ?include:a.example", vec![]),
            ("v=spf1 exists:%{i}.uni.example include:%{d}", vec![]),
            ("google-site-verification=abc",             vec![]),
            ("",                                         vec![]),
        ];
        for (record, expected) in cases {
            assert_eq!(spf_terms(record), expected, "{record}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in ".{0,200}") {
            spf_terms(&format!("v=spf1 {text}"));
        }
    }
}
