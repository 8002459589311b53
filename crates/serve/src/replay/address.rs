//! Addresses of archived pages: `/HARVEST/TIME[MODIFIER]/URL`, as other replay software writes them.
//!
//! The archived URL stands at the end as it is, with its own query. That is what tools and the pages themselves use.
//! Pages of ours have parameters of their own, such as the language; they name the URL escaped (`http%3A%2F%2F…`), and
//! then the query is theirs.

use crate::problem::Problem;
use auslese_model::Timestamp;
use url::{Url, form_urlencoded};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) harvest: String,
    pub(super) time: Timestamp,
    pub(super) modifier: Modifier,
    pub(super) url: Url,
}

/// How an archived answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modifier {
    /// As a page whose links lead into the archive.
    Page,
    /// As a page in a frame of an archived page, and so are the pages it links to.
    Frame,
    /// The bytes as they are.
    Identity,
    Image,
    Style,
    Script,
}

impl Modifier {
    const ALL: [(&'static str, Modifier); 9] = [
        ("mp_", Modifier::Page),
        ("", Modifier::Page),
        ("if_", Modifier::Page),
        ("oe_", Modifier::Page),
        ("fr_", Modifier::Frame),
        ("id_", Modifier::Identity),
        ("im_", Modifier::Image),
        ("cs_", Modifier::Style),
        ("js_", Modifier::Script),
    ];

    pub(super) fn as_str(self) -> &'static str {
        Modifier::ALL.iter().find(|(_, it)| *it == self).map_or("mp_", |(name, _)| name)
    }
}

impl Wanted {
    /// Reads path and query of a request to the replay origin.
    pub(super) fn read(path_and_query: &str) -> Result<Wanted, Problem> {
        let mut parts = path_and_query.trim_start_matches('/').splitn(3, '/');
        let (Some(harvest), Some(moment), Some(url)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(no_address());
        };
        let digits = moment.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, modifier) = moment.split_at(digits);
        let modifier = Modifier::ALL.iter().find(|(name, _)| *name == modifier);
        let (_, modifier) = modifier.ok_or_else(no_address)?;
        Ok(Wanted {
            harvest: harvest.to_owned(),
            time: read_time(digits)?,
            modifier: *modifier,
            url: read_url(url)?,
        })
    }
}

/// Whether an address is that of a page within an archived one. To a browser the page around is of no origin, so no
/// list of origins that may frame it would hold.
pub(crate) fn is_within_page(path: &str) -> bool {
    let moment = path.trim_start_matches('/').split('/').nth(1).unwrap_or_default();
    moment.ends_with("fr_")
}

/// The address of a capture on the replay origin.
pub(super) fn replay_path(harvest: &str, at: Timestamp, modifier: Modifier, url: &Url) -> String {
    format!("/{harvest}/{}{}/{url}", at.digits14(), modifier.as_str())
}

/// The page of ours around a capture.
pub(super) fn view_path(harvest: &str, at: Timestamp, url: &Url) -> String {
    let escaped: String = form_urlencoded::byte_serialize(url.as_str().as_bytes()).collect();
    format!("/view/{harvest}/{}/{escaped}", at.digits14())
}

/// A time in one to fourteen digits; what they leave open is taken as early. No digits mean the newest.
pub(super) fn read_time(digits: &str) -> Result<Timestamp, Problem> {
    const EARLIEST: &str = "00000101000000";
    if digits.is_empty() {
        return Ok(Timestamp(i64::MAX));
    }
    let part = |range: std::ops::Range<usize>| {
        let text: String = range.map(|at| digit(digits, at, EARLIEST)).collect();
        text.parse::<u32>().unwrap_or(u32::MAX)
    };
    let is_number = digits.len() <= EARLIEST.len() && digits.bytes().all(|b| b.is_ascii_digit());
    let time = is_number.then(|| {
        let date = (i64::from(part(0..4)), part(4..6), part(6..8));
        Timestamp::from_civil(date, (part(8..10), part(10..12), part(12..14)))
    });
    time.flatten().ok_or_else(|| {
        Problem::bad_request(
            "A time is written in up to fourteen digits, such as 20261115214000.",
            "Eine Zeit wird mit bis zu vierzehn Ziffern geschrieben, etwa 20261115214000.",
        )
        .detail(digits)
    })
}

fn digit(digits: &str, at: usize, otherwise: &str) -> char {
    let byte = digits.as_bytes().get(at).or_else(|| otherwise.as_bytes().get(at));
    byte.map_or('0', |byte| char::from(*byte))
}

/// The archived URL, escaped or not, as links and people write it.
pub(super) fn read_url(text: &str) -> Result<Url, Problem> {
    let text = match is_escaped(text) {
        true => unescaped(text.split('?').next().unwrap_or_default()).ok_or_else(no_url)?,
        false => text.to_owned(),
    };
    let scheme = ["http:", "https:"].into_iter().find(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let whole = match scheme {
        // Some proxies join the slashes.
        Some(scheme) => format!("{scheme}//{}", text[scheme.len()..].trim_start_matches('/')),
        None => format!("http://{text}"),
    };
    let mut url = Url::parse(&whole).map_err(|_| no_url().detail(text.clone()))?;
    url.set_fragment(None);
    // Credentials were never sent, so no capture has them.
    let _ = (url.set_username(""), url.set_password(None));
    url.has_host().then_some(url).ok_or_else(|| no_url().detail(text))
}

/// The part of a query that is ours: none of it, if it belongs to an archived URL.
pub(crate) fn own_query<'a>(path: &str, query: &'a str) -> &'a str {
    let mut parts = path.trim_start_matches('/').splitn(4, '/');
    let (first, third) = (parts.next(), parts.nth(1));
    let url = match first {
        Some("view" | "timemap") => parts.next(),
        Some("timegate") => third,
        _ => return query,
    };
    if url.is_some_and(is_escaped) { query } else { "" }
}

/// The archived URL at the end of one of our addresses, behind so many parts of the path.
pub(super) fn url_behind(path_and_query: &str, parts: usize) -> Result<Url, Problem> {
    let mut rest = path_and_query.trim_start_matches('/').splitn(parts + 1, '/');
    rest.nth(parts).filter(|url| !url.is_empty()).ok_or_else(no_url).and_then(read_url)
}

fn is_escaped(url: &str) -> bool {
    ["http%3a", "https%3a"]
        .iter()
        .any(|start| url.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start)))
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escape = after.get(..2).filter(|_| *first == b'%');
        let byte = escape
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = &after[if byte.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8(bytes).ok()
}

fn no_address() -> Problem {
    Problem::bad_request(
        "Archived pages have addresses such as /harvest/20261115214000mp_/http://www.example.org/.",
        "Archivierte Seiten haben Adressen wie /ernte/20261115214000mp_/http://www.example.org/.",
    )
}

fn no_url() -> Problem {
    Problem::bad_request(
        "This is no address of a web page.",
        "Das ist keine Adresse einer Webseite.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses() {
        #[rustfmt::skip]
        let cases = [
            ("/h/20261115214000mp_/http://a.example/x?y=/z", Some(("20261115214000", Modifier::Page, "http://a.example/x?y=/z"))),
            ("/h/20261115214000/http://a.example",     Some(("20261115214000", Modifier::Page, "http://a.example/"))),
            ("/h/2026id_/https:/a.example/x",          Some(("20260101000000", Modifier::Identity, "https://a.example/x"))),
            ("/h/20261115im_/a.example/x",             Some(("20261115000000", Modifier::Image, "http://a.example/x"))),
            ("/h/2026cs_/http%3A%2F%2Fa.example%2Fx%3Fy?lang=de", Some(("20260101000000", Modifier::Style, "http://a.example/x?y"))),
            ("/h/2026/http://u:p@a.example/../../x#f", Some(("20260101000000", Modifier::Page, "http://a.example/x"))),
            ("/h/2026/http://a.example/%2e%2e/%00",    Some(("20260101000000", Modifier::Page, "http://a.example/%00"))),
            ("/h/2026/http://a.example/%ff%fe",        Some(("20260101000000", Modifier::Page, "http://a.example/%ff%fe"))),
            ("/h/2026fr_/http://a.example/",           Some(("20260101000000", Modifier::Frame, "http://a.example/"))),
            ("/h/2026xx_/http://a.example/",           None),
            ("/h/20261399/http://a.example/",          None),
            ("/h/202611152140001/http://a.example/",   None),
            ("/h/2026/",                               None),
            ("/h/2026/http://",                        None),
            ("/h/2026/http://[",                       None),
            ("/h/2026/javascript:alert(1)",            None),
            ("/h/2026/http%3A%2F%2Fa.example%2F%FF",   None),
            ("/h/2026",                                None),
            ("/../../etc/passwd",                      None),
            ("/",                                      None),
        ];
        for (address, expected) in cases {
            let found = Wanted::read(address).ok();
            let found = found.map(|it| (it.time.digits14(), it.modifier, it.url.to_string()));
            let found = found
                .as_ref()
                .map(|(time, modifier, url)| (time.as_str(), *modifier, url.as_str()));
            assert_eq!(found, expected, "{address}");
        }
        assert_eq!(Wanted::read("/h/id_/http://a.example/").unwrap().time, Timestamp(i64::MAX));
    }

    #[test]
    fn queries_belong_to_one_side() {
        #[rustfmt::skip]
        let cases = [
            ("/view/h/2026/http://a.example/",         ""),
            ("/view/h/2026/http%3A%2F%2Fa.example%2F", "lang=de"),
            ("/timegate/h/http://a.example/",          ""),
            ("/timemap/h/link/http://a.example/",      ""),
            ("/search",                                "lang=de"),
        ];
        for (path, expected) in cases {
            assert_eq!(own_query(path, "lang=de"), expected, "{path}");
        }
    }

    proptest! {
        #[test]
        fn any_address(text in "(/|http:|https%3A|%|2026|[ -~]){0,30}") {
            let _ = Wanted::read(&text);
            let _ = url_behind(&text, 3);
            own_query(&text, "");
        }

        #[test]
        fn what_is_written_reads_back(path in "[ -~]{0,30}") {
            let url = Url::parse(&format!("http://a.example/{path}")).unwrap();
            let mut url = url;
            url.set_fragment(None);
            let at = Timestamp::from_seconds(1_794_778_800);
            let wanted = Wanted::read(&replay_path("h", at, Modifier::Page, &url)).unwrap();
            prop_assert_eq!((&wanted.url, wanted.time), (&url, at));
            let escaped = view_path("h", at, &url);
            prop_assert_eq!(url_behind(&escaped, 3).unwrap(), url);
        }
    }
}
