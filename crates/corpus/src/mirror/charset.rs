//! Declares the encoding of a page inside it, for pages that left this to the HTTP header.
//!
//! A file has no header, so such a page may look wrong when it is opened from disk. On request a
//! `<meta charset>` is set into it: behind `<head>`, else behind `<html>`, else behind the document
//! type (before it, the page would be shown in quirks mode). There it comes before any other
//! statement, and the first one counts. Pages that speak for themselves are left alone.

use auslese_markup::{CharsetSource, decode};

/// How far into a page the place for the statement is looked for. Browsers look for it in the
/// first 1,024 bytes.
const SEARCHED: usize = 900;

/// The page with a statement of its encoding, if it needs one.
pub(super) fn declared(bytes: Vec<u8>, http_charset: Option<&str>) -> Vec<u8> {
    let (_, charset) = decode(&bytes, http_charset);
    if charset.source != CharsetSource::Http {
        return bytes;
    }
    let (_, alone) = decode(&bytes, None);
    let speaks = matches!(alone.source, CharsetSource::Bom | CharsetSource::Meta);
    if speaks && alone.name == charset.name || bytes.is_ascii() && is_ascii_like(charset.name) {
        return bytes;
    }
    // With a slash, so that XHTML stays well-formed.
    let (at, statement) = match charset.name {
        "UTF-16LE" => (0, b"\xFF\xFE".to_vec()),
        "UTF-16BE" => (0, b"\xFE\xFF".to_vec()),
        name => (place(&bytes), format!("<meta charset=\"{name}\"/>").into_bytes()),
    };
    let mut page = bytes;
    page.splice(at..at, statement);
    page
}

/// Whether ASCII bytes mean ASCII characters in this encoding.
fn is_ascii_like(name: &str) -> bool {
    !matches!(name, "UTF-16LE" | "UTF-16BE" | "ISO-2022-JP")
}

fn place(bytes: &[u8]) -> usize {
    let head = &bytes[..bytes.len().min(SEARCHED)];
    [&b"<head"[..], b"<html", b"<!doctype"]
        .into_iter()
        .find_map(|tag| end_of_tag(head, tag))
        .unwrap_or(0)
}

/// The place behind the first tag with this name.
fn end_of_tag(head: &[u8], tag: &[u8]) -> Option<usize> {
    let start = head.windows(tag.len() + 1).position(|window| {
        window[..tag.len()].eq_ignore_ascii_case(tag)
            && (window[tag.len()] == b'>' || window[tag.len()].is_ascii_whitespace())
    })?;
    let length = head[start..].iter().position(|byte| *byte == b'>')?;
    Some(start + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn statements() {
        #[rustfmt::skip]
        let cases: [(&[u8], Option<&str>, &[u8]); 9] = [
            (b"<html><head><p>\xE4",         Some("latin1"), b"<html><head><meta charset=\"windows-1252\"/><p>\xE4"),
            (b"<!doctype html><HTML LANG=de>\xE4", Some("latin1"), b"<!doctype html><HTML LANG=de><meta charset=\"windows-1252\"/>\xE4"),
            (b"<!DOCTYPE html><p>\xC3\xA4",  Some("utf-8"),  b"<!DOCTYPE html><meta charset=\"UTF-8\"/><p>\xC3\xA4"),
            (b"<header>\xE4",                Some("latin1"), b"<meta charset=\"windows-1252\"/><header>\xE4"),
            (b"<p>\xE4",                     None,           b"<p>\xE4"),
            (b"<p>a",                        Some("latin1"), b"<p>a"),
            (b"<meta charset=latin1>\xE4",   Some("latin1"), b"<meta charset=latin1>\xE4"),
            (b"<head><meta charset=utf-8>\xE4", Some("latin1"), b"<head><meta charset=\"windows-1252\"/><meta charset=utf-8>\xE4"),
            (b"\xEF\xBB\xBF\xC3\xA4",        Some("latin1"), b"\xEF\xBB\xBF\xC3\xA4"),
        ];
        for (page, http, expected) in cases {
            assert_eq!(
                declared(page.to_vec(), http),
                expected,
                "{:?}",
                String::from_utf8_lossy(page)
            );
        }
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            declared(bytes, Some("koi8-r"));
        }
    }
}
