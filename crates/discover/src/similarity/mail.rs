//! Which mail domains say something about a holder.
//!
//! A mail address in the organisation's own domain is the strongest sign there is; one at a free
//! mailer, at the company that registered the domain, or at a privacy service is none, even if
//! both sides have the same. Domains are compared as registered (`math.uni.example` is
//! `uni.example`). The table is data (`data/mail-domains.txt`).

use crate::registrable::registrable_domain;
use auslese_model::HostName;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Whose mail domain it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MailDomainKind {
    /// Nobody's in particular: it may be the holder's own.
    Own,
    /// Anybody gets an address there.
    FreeMailer,
    /// A registry, registrar or hoster, who writes its own address for its customers'.
    Registrar,
    /// A service that hides holders.
    Privacy,
}

/// Whose domain a mail address, or a domain, is in; `None` if it is neither.
pub(crate) fn mail_domain_kind(address: &str) -> Option<MailDomainKind> {
    registered(address).map(|domain| kind_of(&domain))
}

/// The registered domain of a mail address: `Ada <a@math.uni.example>` → `uni.example`.
fn registered(address: &str) -> Option<String> {
    let address = address.trim().trim_end_matches('>');
    let domain = address.rsplit_once('@').map_or(address, |(_, domain)| domain);
    registrable_domain(&HostName::parse(domain)?).map(str::to_owned)
}

fn kind_of(domain: &str) -> MailDomainKind {
    static KINDS: LazyLock<FxHashMap<&str, MailDomainKind>> =
        LazyLock::new(|| kinds(include_str!("../../data/mail-domains.txt")));
    KINDS.get(domain).copied().unwrap_or(MailDomainKind::Own)
}

fn kinds(table: &str) -> FxHashMap<&str, MailDomainKind> {
    let mut kinds = FxHashMap::default();
    let mut kind = MailDomainKind::Own;
    for line in table.lines().map(str::trim) {
        match line {
            "[free]" => kind = MailDomainKind::FreeMailer,
            "[registrar]" => kind = MailDomainKind::Registrar,
            "[privacy]" => kind = MailDomainKind::Privacy,
            line if line.is_empty() || line.starts_with('#') => {}
            domain => {
                kinds.insert(domain, kind);
            }
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn kinds_of_domains() {
        #[rustfmt::skip]
        let cases = [
            ("info@uni-konstanz.de",            Some(MailDomainKind::Own)),
            ("somebody@gmail.com",              Some(MailDomainKind::FreeMailer)),
            ("SOMEBODY@T-Online.DE",            Some(MailDomainKind::FreeMailer)),
            ("hostmaster@strato.de",            Some(MailDomainKind::Registrar)),
            ("x@mail.hetzner.com",              Some(MailDomainKind::Registrar)),
            ("abc123@contactprivacy.com",       Some(MailDomainKind::Privacy)),
            ("uni.example.domainsbyproxy.com",  Some(MailDomainKind::Privacy)),
            ("Ada <ada@uni.example>",           Some(MailDomainKind::Own)),
            ("info@universität-x.de",           Some(MailDomainKind::Own)),
            ("gmx.de",                          Some(MailDomainKind::FreeMailer)),
            ("REDACTED FOR PRIVACY",            None),
            ("a@198.18.0.1",                    None),
            ("a@",                              None),
            ("",                                None),
        ];
        for (address, expected) in cases {
            assert_eq!(mail_domain_kind(address), expected, "{address}");
        }
    }

    #[test]
    fn every_domain_of_the_table_can_be_met() {
        let kinds = kinds(include_str!("../../data/mail-domains.txt"));
        let met = |domain: &&&str| registered(domain).as_deref() == Some(**domain);
        let never: Vec<_> = kinds.keys().filter(|domain| !met(domain)).collect();
        assert!(never.is_empty() && kinds.len() > 200, "{never:?}");
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,40}") {
            mail_domain_kind(&text);
        }
    }
}
