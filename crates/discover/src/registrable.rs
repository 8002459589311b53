//! The part of a host name that somebody registered, by the Public Suffix List.

use auslese_model::HostName;

/// `math.uni.example` → `uni.example`; `None` for addresses and for public suffixes themselves.
///
/// Suffixes that companies run for their customers (`github.io`) count as suffixes, so that two
/// customers never are one domain.
pub fn registrable_domain(host: &HostName) -> Option<&str> {
    if host.address().is_some() {
        return None;
    }
    psl::domain_str(host.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains() {
        #[rustfmt::skip]
        let cases = [
            ("math.uni-giessen.de",     Some("uni-giessen.de")),
            ("uni-giessen.de",          Some("uni-giessen.de")),
            ("www.cs.ox.ac.uk",         Some("ox.ac.uk")),
            ("a.b.uni.example",         Some("uni.example")),
            ("project.github.io",       Some("project.github.io")),
            ("de",                      None),
            ("ac.uk",                   None),
            ("198.18.1.1",              None),
            ("[2001:db8::1]",           None),
            ("xn--universitt-y5a.de",   Some("xn--universitt-y5a.de")),
        ];
        for (host, expected) in cases {
            assert_eq!(registrable_domain(&HostName::parse(host).unwrap()), expected, "{host}");
        }
    }
}
