//! Finds out which encoding a document claims for itself, before it is decoded.
//!
//! HTML: the prescan of the WHATWG standard (§13.2.3.2) over the first [`PRESCAN_BYTES`], with
//! `<meta charset>`, `<meta http-equiv>` and, as browsers do, an XML declaration. CSS: `@charset`
//! in its only legal spelling. A claim that cannot be true of a document in which it can be read
//! is corrected as the standard says: UTF-16 to UTF-8, x-user-defined to windows-1252.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

/// How far into a document its own statement is looked for. The standard asks for 1024 at least;
/// long comments and scripts often stand before it.
pub const PRESCAN_BYTES: usize = 4096;

pub(crate) fn html_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    Prescan { bytes: head, at: 0 }.run().or_else(|| xml_declaration(head)).map(corrected)
}

pub(crate) fn css_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let rest = bytes.strip_prefix(b"@charset \"")?;
    let end = rest.iter().take(100).position(|&b| b == b'"')?;
    let closed = rest.get(end + 1) == Some(&b';');
    closed.then(|| Encoding::for_label(&rest[..end])).flatten().map(corrected)
}

fn corrected(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let after = &declaration[memmem::find(declaration, b"encoding")? + b"encoding".len()..];
    let after = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *after.first().filter(|b| matches!(b, b'"' | b'\''))?;
    let end = memchr::memchr(quote, &after[1..])?;
    Encoding::for_label(&after[1..=end])
}

struct Prescan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Prescan<'_> {
    fn run(&mut self) -> Option<&'static Encoding> {
        while let Some(skipped) = memchr::memchr(b'<', self.rest()) {
            self.at += skipped;
            let rest = self.rest();
            if rest.starts_with(b"<!--") {
                // The dashes that open a comment may also close it.
                self.at += memmem::find(&rest[2..], b"-->")? + 5;
            } else if is_tag(rest, b"meta") {
                self.at += 5;
                if let Some(encoding) = self.meta() {
                    return Some(encoding);
                }
            } else if let Some(name) = tag_name_start(rest) {
                self.at += name;
                self.skip_to(|b| is_space(b) || b == b'>');
                while self.attribute().is_some() {}
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.skip_to(|b| b == b'>');
                self.at += 1;
            } else {
                self.at += 1;
            }
        }
        None
    }

    fn meta(&mut self) -> Option<&'static Encoding> {
        let (mut is_pragma, mut by_content, mut by_charset) = (false, None, None);
        let mut seen: Vec<Vec<u8>> = Vec::new();
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => is_pragma |= value == b"content-type",
                b"content" if by_content.is_none() => by_content = charset_in_content(&value),
                b"charset" => by_charset = Encoding::for_label(&value),
                _ => {}
            }
            seen.push(name);
        }
        by_charset.or(by_content.filter(|_| is_pragma))
    }

    /// The next attribute of a tag, both parts in lower case; `None` at the end of the tag.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip_to(|b| !is_space(b) && b != b'/');
        if self.peek()? == b'>' {
            self.at += 1;
            return None;
        }
        let start = self.at;
        // An equals sign that comes first belongs to the name.
        self.at += 1;
        self.skip_to(|b| is_space(b) || matches!(b, b'/' | b'>' | b'='));
        let name = self.bytes[start..self.at].to_ascii_lowercase();
        self.skip_to(|b| !is_space(b));
        if self.peek() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip_to(|b| !is_space(b));
        let value = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.take_to(|b| b == quote);
                self.at += 1;
                value
            }
            _ => self.take_to(|b| is_space(b) || b == b'>'),
        };
        Some((name, value))
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_to(&mut self, stop: impl Fn(u8) -> bool) {
        let rest = self.rest();
        self.at += rest.iter().position(|&b| stop(b)).unwrap_or(rest.len());
    }

    fn take_to(&mut self, stop: impl Fn(u8) -> bool) -> Vec<u8> {
        let start = self.at.min(self.bytes.len());
        self.skip_to(stop);
        self.bytes[start..self.at].to_ascii_lowercase()
    }
}

/// `text/html; charset="utf-8"`: what stands after the first `charset` with an equals sign.
fn charset_in_content(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        rest = &rest[memmem::find(rest, b"charset")? + b"charset".len()..];
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => {
                Encoding::for_label(&value[1..=memchr::memchr(*quote, &value[1..])?])
            }
            _ => {
                let end = value.iter().position(|&b| is_space(b) || b == b';');
                Encoding::for_label(&value[..end.unwrap_or(value.len())])
            }
        };
    }
}

fn is_tag(rest: &[u8], name: &[u8]) -> bool {
    let after = 1 + name.len();
    rest.get(1..after).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && rest.get(after).is_some_and(|&b| is_space(b) || b == b'/')
}

/// Where the name of a start or end tag begins, if this is one.
fn tag_name_start(rest: &[u8]) -> Option<usize> {
    let at = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(at).is_some_and(u8::is_ascii_alphabetic).then_some(at)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn statements() {
        #[rustfmt::skip]
        let cases: &[(&str, Option<&str>)] = &[
            ("<meta charset=utf-8>",                                       Some("UTF-8")),
            ("<META CHARSET = 'Shift_JIS' >",                              Some("Shift_JIS")),
            ("<meta/charset=\"iso-8859-15\"/>",                            Some("ISO-8859-15")),
            ("<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>", Some("windows-1251")),
            ("<meta content=\"text/html;charset = 'big5' \" http-equiv=\"content-type\">", Some("Big5")),
            ("<meta content='text/html; charset=big5'>",                   None),
            ("<meta http-equiv=refresh content='0; charset=big5'>",        None),
            ("<meta name=description content='charset'><meta charset=gbk>", Some("GBK")),
            ("<!-- <meta charset=big5> --><meta charset=gbk>",             Some("GBK")),
            ("<!--><meta charset=gbk>",                                    Some("GBK")),
            ("<p title='<meta charset=big5>'><meta charset=gbk>",          Some("GBK")),
            ("<metadata charset=big5>",                                    None),
            ("<meta charset=utf-16>",                                      Some("UTF-8")),
            ("<meta charset=x-user-defined>",                              Some("windows-1252")),
            ("<meta charset=klingon>",                                     None),
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><html>",      Some("ISO-8859-2")),
            ("<?xml version='1.0' encoding='latin2'?><meta charset=gbk>",  Some("GBK")),
            ("<meta charset",                                              None),
            ("<",                                                          None),
            ("",                                                           None),
        ];
        for (html, expected) in cases {
            assert_eq!(html_charset(html.as_bytes()).map(Encoding::name), *expected, "{html}");
        }
    }

    #[test]
    fn style_sheets() {
        #[rustfmt::skip]
        let cases: &[(&str, Option<&str>)] = &[
            ("@charset \"iso-8859-15\"; a{}", Some("ISO-8859-15")),
            ("@charset 'iso-8859-15';",       None),
            (" @charset \"iso-8859-15\";",    None),
            ("@charset \"utf-16\";",          Some("UTF-8")),
            ("@charset \"gbk\" ;",            None),
        ];
        for (css, expected) in cases {
            assert_eq!(css_charset(css.as_bytes()).map(Encoding::name), *expected, "{css}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(text in "[<>!?/a='\" -]{0,60}", bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            html_charset(text.as_bytes());
            html_charset(format!("<meta {text}").as_bytes());
            html_charset(&bytes);
            charset_in_content(format!("charset{text}").as_bytes());
            xml_declaration(format!("<?xml encoding{text}").as_bytes());
        }
    }
}
