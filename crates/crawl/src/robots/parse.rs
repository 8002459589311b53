//! Splits a robots.txt into its records.
//!
//! Read as servers write it: any line ending, comments, missing colons, common misspellings. Lines
//! that are nothing of this are kept as [`Record::Unknown`] and counted; a whole HTML page sent as
//! robots.txt consists of them.

use std::time::Duration;

/// A line with a meaning.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: &'a [u8],
    pub(super) record: Record<'a>,
}

#[derive(Debug)]
pub(super) enum Record<'a> {
    /// The product token, without version.
    Agent(String),
    Path {
        allow: bool,
        pattern: &'a [u8],
    },
    /// `None` if the number cannot be read; the line still belongs to its group.
    CrawlDelay(Option<Duration>),
    Sitemap(String),
    Unknown,
}

/// All lines but comments and empty ones.
pub(super) fn lines(body: &[u8]) -> Vec<Line<'_>> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    split_lines(body)
        .enumerate()
        .filter_map(|(index, line)| {
            let text = without_comment(line).trim_ascii();
            let record = (!text.is_empty()).then(|| record(text))?;
            Some(Line { number: index + 1, text, record })
        })
        .collect()
}

/// Splits at LF, CR LF and CR.
fn split_lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(body);
    std::iter::from_fn(move || {
        let body = rest?;
        let Some(end) = memchr::memchr2(b'\n', b'\r', body) else {
            rest = None;
            return Some(body);
        };
        let after = if body[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
        rest = Some(&body[after..]);
        Some(&body[..end])
    })
}

fn without_comment(line: &[u8]) -> &[u8] {
    memchr::memchr(b'#', line).map_or(line, |at| &line[..at])
}

fn record(text: &[u8]) -> Record<'_> {
    let Some((key, value)) = key_and_value(text) else {
        return Record::Unknown;
    };
    match key.as_str() {
        "user-agent" | "useragent" | "user agent" => agent(value),
        "allow" => Record::Path { allow: true, pattern: value },
        "disallow" | "dissallow" | "disalow" | "dissalow" | "diasllow" | "disallaw" => {
            Record::Path { allow: false, pattern: value }
        }
        "crawl-delay" | "crawldelay" | "crawl delay" => Record::CrawlDelay(delay(value)),
        "sitemap" | "site-map" => match String::from_utf8_lossy(value).into_owned() {
            address if address.is_empty() => Record::Unknown,
            address => Record::Sitemap(address),
        },
        _ => Record::Unknown,
    }
}

/// The longest key that is looked at; no record we know has a longer one.
const KEY_BYTES: usize = 20;

fn key_and_value(text: &[u8]) -> Option<(String, &[u8])> {
    let at = memchr::memchr(b':', text)
        .or_else(|| text.iter().position(u8::is_ascii_whitespace))
        .filter(|at| *at <= KEY_BYTES)?;
    let key = std::str::from_utf8(&text[..at]).ok()?.trim().to_ascii_lowercase();
    Some((key, text[at + 1..].trim_ascii()))
}

/// The token is the value up to a space or a version: `Googlebot/2.1` is `Googlebot`.
fn agent(value: &[u8]) -> Record<'_> {
    let end = value
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || *byte == b'/')
        .unwrap_or(value.len());
    Record::Agent(String::from_utf8_lossy(&value[..end]).into_owned())
}

fn delay(value: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(value).ok()?.replace(',', ".");
    let number = text.split_ascii_whitespace().next()?.trim_end_matches('s');
    let seconds = number.parse().ok()?;
    // Whoever asks for longer than can be counted asks for the longest.
    Duration::try_from_secs_f64(seconds).ok().or((seconds > 0.0).then_some(Duration::MAX))
}
