//! Addresses in running text: web addresses, hosts, files and mail.
//!
//! They are recognised by form alone. A host without `www.` or a scheme counts if its last part is
//! a well-known ending, since a full stop without a space behind it is more frequent than rare
//! endings are.

use crate::PieceKind;
use std::ops::Range;

/// Endings of hosts and files that appear in texts without `http://` before them. Endings that are
/// also words (`it`, `es`, `in`) are left out: a missing space would look like an address.
const ENDINGS: &[&str] = &[
    "de", "at", "ch", "com", "org", "net", "eu", "info", "edu", "gov", "int", "biz", "uk", "fr",
    "nl", "pl", "cz", "dk", "ru", "lu", "li", "tv", "io", "html", "htm", "php", "asp", "aspx",
    "jsp", "cgi", "pdf", "txt", "xml", "zip", "jpg", "jpeg", "gif", "png", "doc", "docx", "xls",
    "ppt", "exe", "js", "css", "svg", "mp3", "tex",
];

/// Nobody looks further left or right than this for the ends of a host: names are no longer, and a
/// text of dots must not be read once per dot.
const LONGEST_HOST: usize = 253;

/// An address and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) kind: PieceKind,
    pub(crate) span: Range<usize>,
}

/// The first address within a stretch without white space.
pub(crate) fn first(text: &str, chunk: Range<usize>) -> Option<Address> {
    let bytes = &text.as_bytes()[..chunk.end];
    let mut at = chunk.start;
    while at < chunk.end {
        let found = match bytes[at] {
            b'@' => mail(bytes, chunk.start, at),
            b':' if bytes[at..].starts_with(b"://") => with_scheme(bytes, chunk.start, at),
            b'.' => host(bytes, chunk.start, at),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        at += 1;
    }
    None
}

fn mail(bytes: &[u8], least: usize, at: usize) -> Option<Address> {
    let start = back_over(bytes, least, at, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-')
    });
    let end = trimmed(bytes, at + 1, over(bytes, at + 1, is_host_byte));
    // `@name` is an account at some service: an address as well.
    let is_address = start == at || bytes[at + 1..end].contains(&b'.');
    (is_address && end > at + 1).then_some(Address { kind: PieceKind::Mail, span: start..end })
}

fn with_scheme(bytes: &[u8], least: usize, colon: usize) -> Option<Address> {
    let start = back_over(bytes, least, colon, |byte| byte.is_ascii_alphabetic());
    if start == colon {
        return None;
    }
    let end = colon + bytes[colon..].iter().take_while(|byte| is_url_byte(**byte)).count();
    let end = trimmed(bytes, colon, end);
    (end > colon + 3).then_some(Address { kind: PieceKind::Url, span: start..end })
}

fn host(bytes: &[u8], least: usize, dot: usize) -> Option<Address> {
    let start = back_over(bytes, least, dot, |byte| is_host_byte(byte) && byte != b'.');
    // With a dot before it, all of this was looked at already, and was no host.
    if start == dot || (start > least && bytes[start - 1] == b'.') {
        return None;
    }
    let end = trimmed(bytes, dot, over(bytes, dot, is_host_byte));
    if end <= dot + 1 {
        return None;
    }
    let first_label = &bytes[start..dot];
    let last_label = bytes[start..end].rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let known = ENDINGS.iter().any(|ending| ending.as_bytes() == last_label);
    if !known && !first_label.eq_ignore_ascii_case(b"www") {
        return None;
    }
    let rest = match bytes.get(end) {
        Some(b'/' | b':' | b'?' | b'#') => {
            let path = bytes[end..].iter().take_while(|byte| is_url_byte(**byte)).count();
            trimmed(bytes, end, end + path)
        }
        // A letter beyond ASCII goes on with the word: this is no host.
        Some(byte) if !byte.is_ascii() && !known => return None,
        _ => end,
    };
    Some(Address { kind: PieceKind::Url, span: start..rest.max(end) })
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}

fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'{' | b'}' | b'|' | b'\\')
}

fn over(bytes: &[u8], from: usize, test: impl Fn(u8) -> bool) -> usize {
    let ahead = bytes[from..].iter().take(LONGEST_HOST);
    from + ahead.take_while(|byte| test(**byte)).count()
}

fn back_over(bytes: &[u8], least: usize, from: usize, test: impl Fn(u8) -> bool) -> usize {
    let before = &bytes[least.max(from.saturating_sub(LONGEST_HOST))..from];
    from - before.iter().rev().take_while(|byte| test(**byte)).count()
}

/// Punctuation at the end belongs to the sentence.
fn trimmed(bytes: &[u8], start: usize, end: usize) -> usize {
    let is_sentence = |byte: &&u8| {
        matches!(byte, b'.' | b',' | b';' | b':' | b'!' | b'?' | b')' | b']' | b'\'' | b'-')
    };
    end - bytes[start..end].iter().rev().take_while(is_sentence).count()
}
