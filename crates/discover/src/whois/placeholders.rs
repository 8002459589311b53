//! Tells values from what stands in their place.
//!
//! Since 2018 most registries hide who holds a domain, each in its own words, and proxy services
//! put their own name and address there. Neither says anything about the holder. A placeholder
//! costs its own field only; a proxy's name costs the whole contact, because the address and the
//! e-mail beside it are the proxy's.

/// What a value of a contact is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worth {
    Value,
    /// Hidden, masked, empty.
    Placeholder,
    /// The name of a service that stands in for the holder.
    Proxy,
}

/// Judges a value.
pub(crate) fn worth(value: &str) -> Worth {
    let folded = fold(value);
    let bare = folded.trim();
    if bare.chars().filter(|letter| letter.is_alphanumeric()).count() < 2 && !is_ideograph(bare) {
        return Worth::Placeholder;
    }
    if NOTHING.contains(&bare) || is_filling(bare) {
        return Worth::Placeholder;
    }
    if PROXIES.iter().any(|phrase| has_phrase(&folded, phrase)) {
        return Worth::Proxy;
    }
    match HIDDEN.iter().any(|phrase| has_phrase(&folded, phrase)) {
        true => Worth::Placeholder,
        false => Worth::Value,
    }
}

pub(super) fn is_value(value: &str) -> bool {
    worth(value) == Worth::Value
}

/// Whether an e-mail address is at a service that hides its customers.
pub(crate) fn is_proxy_mail(domain: &str) -> bool {
    PROXY_MAIL.iter().any(|part| domain.contains(part))
}

/// One Chinese or Korean letter can be a name.
fn is_ideograph(text: &str) -> bool {
    text.chars().any(|letter| letter > '\u{2e80}')
}

/// `xxxxx`, `00000`: one letter again and again.
fn is_filling(text: &str) -> bool {
    let mut letters = text.chars().filter(|letter| letter.is_alphanumeric());
    match letters.next() {
        Some(first @ ('x' | '0')) => text.len() > 2 && letters.all(|letter| letter == first),
        _ => false,
    }
}

/// Lower case words with one space between, and one at either end.
fn fold(value: &str) -> String {
    let mut folded = String::with_capacity(value.len() + 2);
    folded.push(' ');
    for letter in value.chars() {
        if letter.is_alphanumeric() {
            folded.extend(letter.to_lowercase());
        } else if letter != '\'' && letter != '’' && !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

/// `folded` starts and ends with a space, so a phrase is found at word borders; a phrase with a
/// star at its end may go on within the word, one with a caret before it begins the value.
fn has_phrase(folded: &str, phrase: &str) -> bool {
    if let Some(start) = phrase.strip_prefix('^') {
        return folded.trim_start().strip_prefix(start).is_some_and(|rest| rest.starts_with(' '));
    }
    let (text, open) = match phrase.strip_suffix('*') {
        Some(text) => (text, true),
        None => (phrase, false),
    };
    let mut from = 0;
    while let Some(at) = folded[from..].find(text) {
        let start = from + at;
        let end = start + text.len();
        if folded[..start].ends_with(' ') && (open || folded[end..].starts_with(' ')) {
            return true;
        }
        from = end;
    }
    false
}

#[rustfmt::skip]
const NOTHING: &[&str] = &[
    "n a", "na", "none", "null", "nil", "not available", "not applicable", "unknown", "private",
    "hidden", "confidential", "masked", "undisclosed", "not set", "not provided", "empty", "no name",
    "private person", "private registrant", "private individual", "individual", "anonymous",
    "ano nymous", "personal data", "personal", "person", "legal person", "natural person",
    "organization", "organisation", "no organization", "no company", "not specified", "no data",
    "data removed", "removed", "registrant", "unavailable", "not defined", "undefined",
    "частное лицо", "физическое лицо", "физлицо", "privatperson", "persona fisica", "particulier",
    "скрыто", "не указано", "个人", "個人", "개인", "none given", "see above", "not shown", "hidden by request",
    "private individual person", "individual person", "no value", "void", "domain owner",
    "not disclosed", "data protected", "non public data", "no contact", "fisica", "protected", "not found", "not entered",
];

#[rustfmt::skip]
const HIDDEN: &[&str] = &[
    "redacted*", "not disclosed", "nondisclosed", "non disclosed", "undisclosed", "gdpr*", "data protected",
    "non public data", "nonpublic*", "not public", "non public", "statutory masking*", "masking enabled",
    "masked", "not shown", "not displayed", "not published", "withheld", "hidden upon", "hidden by", "hidden for", "hidden due", "is hidden", "data hidden", "obscured", "concealed",
    "data not", "not been disclosed", "anonymized", "anonymised", "please query the", "rdds service", "please visit",
    "please contact the registrar", "see registrar", "see the registrar", "contact registrar", "contact the registrar", "contact domain holder", "select request email form",
    "select contact", "opted to have", "opted out", "visit www", "visit whois", "visit http*", "webbased whois", "web based whois",
    "for more information", "name and address protection", "see www", "see http*", "information not available", "not available from registry",
    "not applicable", "data confidential", "confidential data", "for privacy reasons", "privacy reasons",
    "not managed by", "is not available", "no longer available", "available on request", "available upon request",
    "by request", "private data", "personal information", "protected data", "non trading individual",
    "uk individual", "address omitted", "whois service", "data restricted", "restricted data", "whois disclosure", "on request", "is private", "kept private",
    "use web whois", "web whois", "at the web", "temporarily unavailable", "captcha*", "refer to the", "blocked due to", "temporary specification",
];

#[rustfmt::skip]
const PROXIES: &[&str] = &[
    "whoisguard*", "domains by proxy", "domainsbyproxy*", "privacyguardian*", "privacyprotect*", "contact privacy",
    "perfect privacy", "withheld for privacy", "whois privacy", "whoisprivacy*", "privacy protect*", "privacy service*",
    "privacy guard*", "domain privacy", "privacydotlink*", "privacy inc", "privacy customer", "privacy administrator",
    "privacy corp*", "privacy corporation", "privacy ltd", "privacy limited", "privacy llc", "privacy department", "privacy manager",
    "privacy hero*", "private whois", "privatewhois*", "whois agent", "whoisagent*", "whois protect*", "whoisprotect*", "whois proxy",
    "whoisproxy*", "whois secure*", "whoissecure*", "domain protection service*", "domain protection", "domain proxy*",
    "proxy service*", "proxy protection", "proxy registr*", "registration proxy", "registration private", "private registration*",
    "private registrations", "private domain*", "id shield", "identity shield", "identity protect*", "id protect*", "idprotect*", "domain id shield",
    "domain discreet*", "domaindiscreet*", "whois trustee*", "whoistrustee*", "whois foundation", "whois identity", "domain whois", "anonymize*", "anonymise*",
    "domain admin privacy*", "privacy admin*", "moniker privacy*", "super privacy*", "jewella privacy*", "see privacyguardian*",
    "^registrant of", "^on behalf of", "^owner of", "data privacy protected", "protected whois", "hidden whois", "whois hidden",
    "dnstination*", "myprivacy*", "my privacy*", "c o whois*", "domain trustee*", "hide my*", "whois data protect*", "privacy by*",
    "privacy for*", "privacy shield*", "privatregistr*", "privacy hotline", "privatename*", "privacy registr*",
];

#[rustfmt::skip]
const PROXY_MAIL: &[&str] = &[
    "whoisguard", "domainsbyproxy", "privacy", "whoisproxy", "privatewhois", "whoisagent", "whoisprotect", "anonymis", "anonymiz",
    "withheld", "whoistrustee", "domainprotect", "proxyregist", "domaindiscreet", "whoissecure", "identity-protect", "idshield",
    "protecteddomain", "w-o-o.com", "privateregist", "dnstination", "gdpr-mask", "whois-protect", "data-protected", "domainproxy",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_placeholders() {
        #[rustfmt::skip]
        let cases = [
            ("Universität Musterstadt",                             Worth::Value),
            ("Privacy International",                               Worth::Value),
            ("Data Protection Commissioner",                        Worth::Value),
            ("Hiddensee Tourismus",                                 Worth::Value),
            ("Commission Nationale",                                Worth::Value),
            ("3M",                                                  Worth::Value),
            ("Hidden Valley School",                                Worth::Value),
            ("강",                                                  Worth::Value),
            ("",                                                    Worth::Placeholder),
            ("-",                                                   Worth::Placeholder),
            ("N/A",                                                 Worth::Placeholder),
            ("REDACTED FOR PRIVACY",                                Worth::Placeholder),
            ("Statutory Masking Enabled",                           Worth::Placeholder),
            ("GDPR Masked",                                         Worth::Placeholder),
            ("NOT DISCLOSED!",                                      Worth::Placeholder),
            ("<data not disclosed>",                                Worth::Placeholder),
            ("Private Person",                                      Worth::Placeholder),
            ("xxxxx",                                               Worth::Placeholder),
            ("Not shown, please visit www.nic.example",             Worth::Placeholder),
            ("Select Contact Domain Holder link at www.nic.example",Worth::Placeholder),
            ("Please query the RDDS service of the Registrar",      Worth::Placeholder),
            ("Privacy service provided by Withheld for Privacy ehf",Worth::Proxy),
            ("Domains By Proxy, LLC",                               Worth::Proxy),
            ("WhoisGuard, Inc.",                                    Worth::Proxy),
            ("Contact Privacy Inc. Customer 0123456789",            Worth::Proxy),
            ("PERFECT PRIVACY, LLC",                                Worth::Proxy),
            ("Domain Protection Services, Inc.",                    Worth::Proxy),
            ("Registration Private",                                Worth::Proxy),
            ("On behalf of example.org owner",                      Worth::Proxy),
        ];
        for (value, expected) in cases {
            assert_eq!(worth(value), expected, "{value}");
        }
    }
}
