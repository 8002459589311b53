//! Security headers. Pages of ours run one script of ours and show frames of the replay origin, nothing else.

use crate::settings::Settings;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
    X_DNS_PREFETCH_CONTROL, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// Headers of every page of ours.
pub(super) fn page_headers(headers: &mut HeaderMap, replay_origin: &str) {
    let policy = format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src {replay_origin}"
    );
    insert(headers, CONTENT_SECURITY_POLICY, &policy);
    insert(headers, X_FRAME_OPTIONS, "DENY");
    insert(headers, OPENER, "same-origin");
    insert(headers, RESOURCE, "same-origin");
    insert(headers, PERMISSIONS, "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    // Nothing is told to others; but without any referrer, browsers would not say that a form comes from our pages.
    insert(headers, REFERRER_POLICY, "same-origin");
    every_answer(headers);
}

/// Headers of both origins.
pub(super) fn every_answer(headers: &mut HeaderMap) {
    insert(headers, X_CONTENT_TYPE_OPTIONS, "nosniff");
    insert(headers, X_DNS_PREFETCH_CONTROL, "off");
}

/// Headers of every answer of the replay origin, whatever is answered. Without an origin of pages the answer may be framed
/// by any.
pub(super) fn replay_headers(headers: &mut HeaderMap, page_origin: Option<&str>) {
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        insert(headers, CONTENT_SECURITY_POLICY, &replay_policy(page_origin));
    }
    // A sandbox is another origin than any, so what it embeds must be allowed for all.
    insert(headers, RESOURCE, "cross-origin");
    insert(headers, PERMISSIONS, "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    insert(headers, CACHE_CONTROL, "private, max-age=60");
    insert(headers, VARY, "accept-language, sec-fetch-dest");
    insert(headers, REFERRER_POLICY, "no-referrer");
    insert(headers, ROBOTS, "noindex, nofollow");
    every_answer(headers);
}

/// The policy of an archived page: an opaque origin, no scripts, no forms, nothing from elsewhere. It may be framed by
/// pages of ours, and its own frames may be archived pages; those are framed by a page of no origin, which cannot be named.
fn replay_policy(page_origin: Option<&str>) -> String {
    let ancestors = page_origin.map(|origin| format!("; frame-ancestors 'self' {origin}"));
    format!(
        "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self' data:; style-src 'self' 'unsafe-inline'; \
         font-src 'self' data:; frame-src 'self'; child-src 'self'; base-uri 'none'; form-action 'none'{}",
        ancestors.unwrap_or_default()
    )
}

fn insert(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// The origin under which a browser reaches one of our ports: as it is set, or by the name it asked for.
pub(super) fn origin(set: Option<&str>, port: u16, headers: &HeaderMap) -> String {
    if let Some(origin) = set {
        return origin.to_owned();
    }
    let asked = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = match asked.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => asked,
    };
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-[]:".contains(&byte);
    let name = if !name.is_empty() && name.bytes().all(is_host) { name } else { "127.0.0.1" };
    format!("http://{name}:{port}")
}

/// Both origins as this reader sees them: of pages, of archived pages.
#[derive(Debug, Clone)]
pub(crate) struct Origins {
    pub(crate) pages: String,
    pub(crate) replay: String,
}

impl Origins {
    pub(crate) fn of(settings: &Settings, headers: &HeaderMap) -> Origins {
        Origins {
            pages: origin(settings.public_origin.as_deref(), settings.listen.port(), headers),
            replay: origin(
                settings.replay_origin.as_deref(),
                settings.replay_listen.port(),
                headers,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_follow_the_name_that_was_asked_for() {
        #[rustfmt::skip]
        let cases = [
            ("localhost:8470",    "http://localhost:8471"),
            ("archive.example",   "http://archive.example:8471"),
            ("[::1]:8470",        "http://[::1]:8471"),
            ("x; script-src *",   "http://127.0.0.1:8471"),
            ("",                  "http://127.0.0.1:8471"),
        ];
        for (host, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_str(host).unwrap());
            assert_eq!(origin(None, 8471, &headers), expected, "{host}");
        }
        assert_eq!(origin(Some("https://a.example"), 1, &HeaderMap::new()), "https://a.example");
    }
}
