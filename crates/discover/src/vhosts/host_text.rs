//! Whether a text that stands where a host name is expected is one.
//!
//! Stricter than a browser: a URL may hold `a"b.example`, a name in the DNS that somebody serves
//! pages under may not. Names without a dot are refused too, since nobody outside can ask for them.

use auslese_model::HostName;
use std::net::IpAddr;

/// What a text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HostText {
    Name(HostName),
    Address(IpAddr),
    Not(WhyNotNamed),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhyNotNamed {
    Empty,
    /// Holds `*` or `?`.
    Wildcard,
    /// Holds `$` or braces, which the formats at hand use for variables.
    Variable,
    Unqualified,
    /// A label begins with an underscore.
    Service,
    Unreadable,
}

/// Labels longer than this cannot be in the DNS.
const MAX_LABEL: usize = 63;

/// Texts longer than this, in bytes, are no names. Umlauts make a name longer than it is in the DNS,
/// but the rules for them are not worth being applied to whole paragraphs.
const MAX_TEXT: usize = 1024;

pub(crate) fn read_host(text: &str) -> HostText {
    let text = text.trim();
    if text.is_empty() {
        return HostText::Not(WhyNotNamed::Empty);
    }
    if text.contains(['$', '{', '}']) {
        return HostText::Not(WhyNotNamed::Variable);
    }
    if text.contains(['*', '?']) {
        return HostText::Not(WhyNotNamed::Wildcard);
    }
    // A browser would read `%41` as a letter; in a configuration it is a mistake.
    if text.len() > MAX_TEXT || text.contains('%') {
        return HostText::Not(WhyNotNamed::Unreadable);
    }
    let Some(host) = HostName::parse(text) else {
        return HostText::Not(WhyNotNamed::Unreadable);
    };
    match host.address() {
        Some(address) => HostText::Address(address),
        None => read_name(host),
    }
}

fn read_name(host: HostName) -> HostText {
    let labels = || host.as_str().split('.');
    let well_formed = |label: &str| {
        (1..=MAX_LABEL).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if !labels().all(well_formed) {
        HostText::Not(WhyNotNamed::Unreadable)
    } else if labels().any(|label| label.starts_with('_')) {
        HostText::Not(WhyNotNamed::Service)
    } else if labels().count() < 2 {
        HostText::Not(WhyNotNamed::Unqualified)
    } else {
        HostText::Name(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use WhyNotNamed::*;

    #[test]
    fn texts() {
        let name = |text: &str| HostText::Name(HostName::parse(text).unwrap());
        let address = |text: &str| HostText::Address(text.parse().unwrap());
        let long = format!("{}.example", "a".repeat(64));
        #[rustfmt::skip]
        let cases = [
            ("WWW.Uni.Example.",       name("www.uni.example")),
            ("müller.uni.example",     name("xn--mller-kva.uni.example")),
            ("my_site.uni.example",    name("my_site.uni.example")),
            ("192.0.2.1",              address("192.0.2.1")),
            ("[2001:db8::1]",          address("2001:db8::1")),
            ("",                       HostText::Not(Empty)),
            ("*.uni.example",          HostText::Not(Wildcard)),
            ("w?w.uni.example",        HostText::Not(Wildcard)),
            ("${HOST}.uni.example",    HostText::Not(Variable)),
            ("{$HOST}.uni.example",    HostText::Not(Variable)),
            ("localhost",              HostText::Not(Unqualified)),
            ("_dmarc.uni.example",     HostText::Not(Service)),
            ("a b.uni.example",        HostText::Not(Unreadable)),
            ("a\"b.uni.example",       HostText::Not(Unreadable)),
            ("a..uni.example",         HostText::Not(Unreadable)),
            ("-a.uni.example",         HostText::Not(Unreadable)),
            ("%61.uni.example",        HostText::Not(Unreadable)),
            (&long,                    HostText::Not(Unreadable)),
            ("#",                      HostText::Not(Unreadable)),
        ];
        for (text, expected) in cases {
            assert_eq!(read_host(text), expected, "{text}");
        }
    }
}
