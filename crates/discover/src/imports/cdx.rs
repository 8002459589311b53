//! Indexes of web archives: CDX with fields, CDXJ with JSON.
//!
//! The original URL tells the host best. The sort key (SURT, `example,uni,www)/path`) often lacks
//! `www`, so it is used only where no URL is told.

use super::lines::each_line;
use super::{DropReason, Finds};
use serde::Deserialize;
use std::io::{self, BufRead};

/// Digits of a full time stamp; shorter ones occur.
const STAMP: std::ops::RangeInclusive<usize> = 4..=17;

/// Whether a line is `␣CDX N b a …`, whose first character is what separates fields.
pub(crate) fn is_header(line: &str) -> bool {
    line.char_indices().nth(1).is_some_and(|(at, _)| line[at..].starts_with("CDX"))
}

pub(crate) fn is_cdx(line: &str) -> bool {
    let mut fields = line.split(' ');
    let (key, stamp, url) = (fields.next(), fields.next(), fields.next());
    key.is_some() && stamp.is_some_and(is_stamp) && url.is_some_and(|url| url.contains(':'))
}

pub(crate) fn is_cdxj(line: &str) -> bool {
    let mut parts = line.splitn(3, ' ');
    let (key, stamp, json) = (parts.next(), parts.next(), parts.next());
    key.is_some() && stamp.is_some_and(is_stamp) && json.is_some_and(|json| json.starts_with('{'))
}

fn is_stamp(text: &str) -> bool {
    STAMP.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Where things stand in a line.
#[derive(Debug, Clone, Copy)]
struct Columns {
    separator: char,
    key: Option<usize>,
    url: Option<usize>,
}

impl Columns {
    /// Without a header: key, time, URL, as in all versions that are in use.
    const USUAL: Columns = Columns { separator: ' ', key: Some(0), url: Some(2) };

    /// Reads the letters of a header: `a` is the URL, `N` the key.
    fn of_header(line: &str) -> Columns {
        let separator = line.chars().next().unwrap_or(' ');
        let letters: Vec<_> = line.split(separator).skip(2).map(str::trim).collect();
        let at = |wanted: &str| letters.iter().position(|letter| *letter == wanted);
        Columns { separator, key: at("N"), url: at("a") }
    }
}

pub(crate) fn read_cdx(source: &mut dyn BufRead, finds: &mut Finds) -> io::Result<u64> {
    let mut columns = Columns::USUAL;
    each_line(source, finds, |line, number, finds| {
        if line.trim().is_empty() {
            return;
        }
        if is_header(line) {
            columns = Columns::of_header(line);
            return;
        }
        let fields: Vec<_> = line.split(columns.separator).collect();
        let field = |at: Option<usize>| at.and_then(|at| fields.get(at)).copied();
        let url = field(columns.url).filter(|url| *url != "-");
        if fields.len() < 3 || !tell(url, field(columns.key), number, finds) {
            finds.drop(line, number, DropReason::Malformed);
        }
    })
}

#[derive(Deserialize)]
struct Fields {
    #[serde(default)]
    url: Option<String>,
}

pub(crate) fn read_cdxj(source: &mut dyn BufRead, finds: &mut Finds) -> io::Result<u64> {
    each_line(source, finds, |line, number, finds| {
        // Headings of an index begin with a sign that no key begins with.
        if line.trim().is_empty() || line.starts_with('!') {
            return;
        }
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let json = rest.split_once(' ').map_or("", |(_, json)| json);
        match serde_json::from_str::<Fields>(json) {
            Ok(fields) if tell(fields.url.as_deref(), Some(key), number, finds) => {}
            _ => finds.drop(line, number, DropReason::Malformed),
        }
    })
}

/// Tells the host of a URL, or else of a key; false if there is neither.
fn tell(url: Option<&str>, key: Option<&str>, line: u64, finds: &mut Finds) -> bool {
    if let Some(url) = url.filter(|url| url.contains(':')) {
        finds.url(url, line);
        return true;
    }
    match key.and_then(host_of_key) {
        Some(host) => finds.name(&host, line),
        None => return false,
    }
    true
}

/// The host of `example,uni,www)/path`, `http://(example,uni,)/`, or `uni.example/path`.
fn host_of_key(key: &str) -> Option<String> {
    let key = key.split_once("://").map_or(key, |(_, rest)| rest);
    let key = key.strip_prefix('(').unwrap_or(key);
    let host = key.split([')', '/', ':']).next().filter(|host| !host.is_empty())?;
    if !host.contains(',') {
        return Some(host.to_owned());
    }
    let labels: Vec<_> = host.trim_end_matches(',').rsplit(',').collect();
    Some(labels.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        #[rustfmt::skip]
        let cases = [
            ("example,uni)/",              Some("uni.example")),
            ("example,uni,www:8080)/a,b",  Some("www.uni.example")),
            ("http://(example,uni,)/x",    Some("uni.example")),
            ("uni.example/path",           Some("uni.example")),
            ("192.0.2.1)/",                Some("192.0.2.1")),
            (")/",                         None),
            ("",                           None),
        ];
        for (key, expected) in cases {
            assert_eq!(host_of_key(key).as_deref(), expected, "{key}");
        }
    }
}
