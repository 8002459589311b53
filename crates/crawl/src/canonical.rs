//! Decides when two URLs are the same request.
//!
//! The canonical text is never sent and never shown as the address of a page; it is only folded
//! into a [`auslese_model::RequestKey`]. So it may drop what does not change the answer (session
//! ids, campaign parameters, credentials, which we do not send), and must keep everything that may
//! (doubled slashes, the order of parameters, escapes of reserved characters, odd `%` signs).
//!
//! Sorting parameters is off by default: for a few programs their order matters, and links within
//! a site nearly always write them in one order.

use crate::percent::{escaped_byte, is_unreserved};
use serde::{Deserialize, Serialize};
use url::Url;

/// What is left out of the canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CanonicalRules {
    /// Drop session ids from paths and queries. Default: true.
    pub drop_session_ids: bool,
    /// Drop parameters that only trace where a visitor came from. Default: true.
    pub drop_tracking: bool,
    /// Sort the remaining parameters by name, keeping the order of equal names. Default: false.
    pub sort_query: bool,
    /// Names of further parameters to drop; a final `*` stands for any ending. Default: none.
    pub drop_parameters: Vec<String>,
}

impl Default for CanonicalRules {
    fn default() -> CanonicalRules {
        CanonicalRules {
            drop_session_ids: true,
            drop_tracking: true,
            sort_query: false,
            drop_parameters: Vec::new(),
        }
    }
}

/// The canonical text of a URL, for recognising repeats only.
pub fn canonical(url: &Url, rules: &CanonicalRules) -> String {
    let mut text = String::with_capacity(url.as_str().len());
    text.push_str(url.scheme());
    text.push_str("://");
    text.push_str(url.host_str().unwrap_or("").trim_end_matches('.'));
    if let Some(port) = url.port() {
        text.push(':');
        text.push_str(&port.to_string());
    }
    push_path(&mut text, url.path(), rules);
    if let Some(query) = url.query() {
        push_query(&mut text, query, rules);
    }
    text
}

/// Path parameters (`;name=value`) that carry a session.
const SESSION_PATH_PARAMETERS: &[&str] = &["jsessionid", "phpsessid", "sid", "sessionid"];

/// Query parameters that carry a session whatever their value is.
const SESSION_PARAMETERS: &[&str] =
    &["jsessionid", "phpsessid", "aspsessionid*", "cfid", "cftoken", "zenid", "oscsid", "xtcsid"];

/// Query parameters that carry a session if their value looks like a token; elsewhere the same
/// names number sections, stations or studies.
const SESSION_IF_TOKEN: &[&str] = &["sid", "s", "sess", "session", "sessionid", "session_id"];

/// From this length on, a word of letters and digits is a token rather than a number or a name.
const TOKEN_LENGTH: usize = 16;

/// Query parameters added by advertising, newsletters and visitor counting.
#[rustfmt::skip]
const TRACKING_PARAMETERS: &[&str] = &[
    "utm_*", "mtm_*", "pk_*", "piwik_*", "matomo_*", "hsa_*", "_hs*", "__hs*", "hsctatracking",
    "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "srsltid", "_ga", "_gl",
    "fbclid", "fb_action_ids", "fb_action_types", "fb_source", "igshid", "igsh",
    "msclkid", "yclid", "twclid", "ttclid", "li_fat_id", "epik",
    "mc_cid", "mc_eid", "mkt_tok", "oly_anon_id", "oly_enc_id", "vero_id", "wickedid",
    "rb_clickid", "s_cid", "ml_subscriber", "ml_subscriber_hash",
];

fn push_path(text: &mut String, path: &str, rules: &CanonicalRules) {
    if !rules.drop_session_ids || !path.contains([';', '(']) {
        return push_normalised(text, path);
    }
    for segment in path.split_inclusive('/') {
        let (name, slash) = match segment.strip_suffix('/') {
            Some(name) => (name, "/"),
            None => (segment, ""),
        };
        if is_cookieless_session(name) {
            continue;
        }
        push_segment(text, name);
        text.push_str(slash);
    }
}

fn push_segment(text: &mut String, segment: &str) {
    let mut parts = segment.split(';');
    let name = parts.next().unwrap_or("");
    // Without its parameter `..;sid=1` would be read as a step upwards.
    let strip = !matches!(name, "." | "..");
    push_normalised(text, name);
    for part in parts {
        let key = part.split('=').next().unwrap_or("");
        if strip && part.contains('=') && matches_any(key, SESSION_PATH_PARAMETERS) {
            continue;
        }
        text.push(';');
        push_normalised(text, part);
    }
}

/// `(S(lit3py55t21z5v55vlm25s55))`, as ASP.NET writes sessions of visitors without cookies.
fn is_cookieless_session(segment: &str) -> bool {
    segment.starts_with('(')
        && segment.ends_with("))")
        && matches!(segment.as_bytes().get(1), Some(b'S' | b'A' | b'F'))
        && segment.as_bytes().get(2) == Some(&b'(')
        && segment.len() >= TOKEN_LENGTH
}

fn push_query(text: &mut String, query: &str, rules: &CanonicalRules) {
    let mut kept: Vec<&str> = query.split('&').filter(|part| !is_dropped(part, rules)).collect();
    if rules.sort_query {
        kept.sort_by_key(|part| parameter_name(part));
    }
    if kept.iter().all(|part| part.is_empty()) {
        return;
    }
    for (number, part) in kept.iter().enumerate() {
        text.push(if number == 0 { '?' } else { '&' });
        push_normalised(text, part);
    }
}

fn parameter_name(part: &str) -> &str {
    part.split('=').next().unwrap_or("")
}

fn is_dropped(part: &str, rules: &CanonicalRules) -> bool {
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let session = || {
        matches_any(name, SESSION_PARAMETERS)
            || (matches_any(name, SESSION_IF_TOKEN) && is_token(value))
    };
    rules.drop_session_ids && session()
        || rules.drop_tracking && matches_any(name, TRACKING_PARAMETERS)
        || rules.drop_parameters.iter().any(|pattern| matches(name, pattern))
}

fn matches_any(name: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| matches(name, pattern))
}

fn matches(name: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name
            .as_bytes()
            .get(..start.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes())),
        None => name.eq_ignore_ascii_case(pattern),
    }
}

fn is_token(value: &str) -> bool {
    value.len() >= TOKEN_LENGTH
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b','))
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Copies with escapes in upper case, and escapes of unreserved characters undone (RFC 3986 §6.2.2).
fn push_normalised(text: &mut String, part: &str) {
    let mut rest = part;
    // Where a `%` without its two digits stands: what follows must not become its digits.
    let mut bare_percent = None;
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        let escape = &rest[at..];
        match escaped_byte(escape.as_bytes()) {
            Some(byte) if is_unreserved(byte) && !completes(bare_percent, text.len()) => {
                text.push(char::from(byte));
                rest = &escape[3..];
            }
            Some(_) => {
                text.push_str(&escape[..3].to_ascii_uppercase());
                rest = &escape[3..];
            }
            None => {
                bare_percent = Some(text.len());
                text.push('%');
                rest = &escape[1..];
            }
        }
    }
    text.push_str(rest);
}

fn completes(bare_percent: Option<usize>, position: usize) -> bool {
    bare_percent.is_some_and(|percent| position - percent <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::RequestKey;
    use proptest::prelude::*;

    fn check(text: &str) -> String {
        canonical(&Url::parse(text).unwrap(), &CanonicalRules::default())
    }

    #[test]
    fn one_page_one_text() {
        #[rustfmt::skip]
        let cases = [
            ("HTTP://WWW.Uni.Example.:80/a#part",          "http://www.uni.example/a"),
            ("https://u:p@h.example:8443/",                "https://h.example:8443/"),
            ("http://h.example",                           "http://h.example/"),
            ("http://h.example/?",                         "http://h.example/"),
            ("http://h.example/a//b/./c",                  "http://h.example/a//b/c"),
            ("http://h.example/%7euser/%c3%a4%2f%zz%",     "http://h.example/~user/%C3%A4%2F%zz%"),
            ("http://h.example/%4%31",                     "http://h.example/%4%31"),
            ("http://h.example/a;jsessionid=1A2B.n1?x=1",  "http://h.example/a?x=1"),
            ("http://h.example/a;v=2;JSESSIONID=1/b",      "http://h.example/a;v=2/b"),
            ("http://h.example/..;sid=1/b",                "http://h.example/..;sid=1/b"),
            ("http://h.example/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "http://h.example/a.aspx"),
            ("http://h.example/?PHPSESSID=abc&b=2&a=1",    "http://h.example/?b=2&a=1"),
            ("http://h.example/?ASPSESSIONIDQQ=AB&a",      "http://h.example/?a"),
            ("http://h.example/?CFID=1&CFTOKEN=2",         "http://h.example/"),
            ("http://h.example/?sid=12",                   "http://h.example/?sid=12"),
            ("http://h.example/?sid=0123456789abcdef0123", "http://h.example/"),
            ("http://h.example/?utm_source=x&id=1&fbclid=", "http://h.example/?id=1"),
            ("http://h.example/?a=1&&b=%3d",               "http://h.example/?a=1&&b=%3D"),
            ("http://xn--mnchen-3ya.example/",             "http://xn--mnchen-3ya.example/"),
            ("http://münchen.example/ä?ö",                 "http://xn--mnchen-3ya.example/%C3%A4?%C3%B6"),
        ];
        for (text, expected) in cases {
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn settings_change_it() {
        let url = Url::parse("http://h.example/?b=2&a=1&b=1&view=x&utm_id=3&cfid=9").unwrap();
        let rules = CanonicalRules {
            drop_session_ids: false,
            drop_tracking: false,
            sort_query: true,
            drop_parameters: vec!["vi*".to_owned()],
        };
        assert_eq!(canonical(&url, &rules), "http://h.example/?a=1&b=2&b=1&cfid=9&utm_id=3");
    }

    proptest! {
        #[test]
        fn canonical_twice_is_canonical(rest in "[a-zA-Z0-9%;=&?/.()_~ä-]{0,40}") {
            if let Ok(url) = Url::parse(&format!("http://h.example/{rest}")) {
                let once = canonical(&url, &CanonicalRules::default());
                let again = canonical(&Url::parse(&once).unwrap(), &CanonicalRules::default());
                prop_assert_eq!(once, again);
            }
        }

        /// Keys are made anew from URLs as found, without knowing the rules of the harvest.
        #[test]
        fn any_spelling_stands_on_the_same_shelf(
            rest in "[a-zA-Z0-9%;=&?/.()_~ä:@-]{0,40}",
            session in prop::option::of("\\((S|F)\\([a-z0-9]{14}\\)\\)/"),
            drop_session_ids: bool,
        ) {
            let session = session.unwrap_or_default();
            let text = format!("http://u:p@H.example.:8080/a%2f%7Eb/{session}{rest}");
            if let Ok(url) = Url::parse(&text) {
                let rules = CanonicalRules { drop_session_ids, ..CanonicalRules::default() };
                let key = |text: &str| RequestKey::with_digest(text, [0; 16]);
                prop_assert_eq!(key(&canonical(&url, &rules)), key(url.as_str()));
            }
        }
    }
}
