//! Decides what a body really is, whatever its header says.
//!
//! Servers send archives as `text/plain`, error pages as images and PDF as `text/html`. So the bytes
//! are asked first: magic numbers, then whether it is text at all, then whether it begins like a
//! page or like XML. Only what looks like any text is believed to be what its header says.

use super::magic::{self, Magic};
use auslese_model::Format;

/// How much of a body is looked at, in bytes.
pub(super) const SNIFF_BYTES: usize = 4 * 1024;

/// What a body is, and what is to be said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) format: Format,
    pub(super) trouble: Option<String>,
}

/// `media_type` is the declared one, without parameters and in lower case; `charset` its parameter.
pub(super) fn find(body: &[u8], media_type: Option<&str>, charset: Option<&str>) -> Finding {
    let media_type = media_type.filter(|name| !says_nothing(name));
    if body.is_empty() {
        return Finding { format: Format::Empty, trouble: Some("the body is empty".to_owned()) };
    }
    let start = &body[..body.len().min(SNIFF_BYTES)];
    if let Some(magic) = magic::recognise(start) {
        return Finding { format: Format::Binary, trouble: Some(binary(&magic, media_type)) };
    }
    if body.trim_ascii().is_empty() {
        let trouble = "nothing but white space".to_owned();
        return Finding { format: Format::Empty, trouble: Some(trouble) };
    }
    if !is_text(start, charset) {
        let trouble = match media_type {
            Some(name) if is_textual(name) => format!("labelled {name}, is binary data"),
            _ => "binary data of an unknown kind".to_owned(),
        };
        return Finding { format: Format::Binary, trouble: Some(trouble) };
    }
    let format = text_format(start, media_type);
    Finding { format, trouble: wrong_label(format, media_type) }
}

/// Types that say as little as none.
fn says_nothing(media_type: &str) -> bool {
    matches!(
        media_type,
        "" | "*/*"
            | "application/octet-stream"
            | "application/unknown"
            | "application/x-unknown-content-type"
            | "content/unknown"
            | "unknown/unknown"
            | "www/unknown"
    )
}

fn binary(magic: &Magic, media_type: Option<&str>) -> String {
    match media_type {
        Some(name) if !magic.fits(name) => format!("labelled {name}, is {}", magic.name),
        _ => format!("{}: {NO_TEXT}", magic.name),
    }
}

/// What is said of a format that holds no prose.
pub(super) const NO_TEXT: &str = "no text is read out of it";

fn is_textual(media_type: &str) -> bool {
    media_type.starts_with("text/") || is_html_type(media_type) || is_xml_type(media_type)
}

fn is_html_type(media_type: &str) -> bool {
    matches!(media_type, "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml")
}

fn is_xml_type(media_type: &str) -> bool {
    matches!(media_type, "text/xml" | "application/xml") || media_type.ends_with("+xml")
}

/// Text has no NUL, unless it is UTF-16 by its byte order mark or header, and few control
/// characters.
fn is_text(start: &[u8], charset: Option<&str>) -> bool {
    let declared = charset.and_then(|name| name.trim().get(..6));
    if start.starts_with(b"\xFF\xFE")
        || start.starts_with(b"\xFE\xFF")
        || declared.is_some_and(|name| name.eq_ignore_ascii_case("utf-16"))
    {
        return true;
    }
    let is_control = |byte: &&u8| matches!(byte, 0x00..=0x08 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    let controls = start.iter().filter(is_control).count();
    let nuls = start.iter().filter(|byte| **byte == 0).count();
    // A page with a stray NUL is still a page; one in fifty bytes is no accident.
    controls * 50 <= start.len() && nuls * 200 <= start.len()
}

/// Elements that nothing but a page begins with.
#[rustfmt::skip]
const PAGE_ELEMENTS: &[&str] = &[
    "html", "head", "body", "title", "frameset", "meta", "base", "link", "script", "style", "table", "div", "center", "h1", "isindex",
];

/// Elements that pieces of pages begin with, and plain texts about HTML as well.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "h2", "h3", "p", "font", "img", "a", "hr", "br", "b", "i", "ul", "ol", "dl", "form", "pre", "span",
];

fn text_format(start: &[u8], media_type: Option<&str>) -> Format {
    let html = media_type.is_some_and(is_html_type);
    let xml = media_type.is_some_and(is_xml_type);
    let plain = media_type == Some("text/plain");
    match first_element(start).as_deref() {
        Some("html") => Format::Html,
        Some(name) if PAGE_ELEMENTS.contains(&name) && !xml => Format::Html,
        Some(name) if PIECES.contains(&name) && !xml && !plain => Format::Html,
        // `text/html` is believed unless the XML declaration and a foreign root both speak.
        Some(_) if html && !begins_with(start, "<?xml") => Format::Html,
        Some(_) if html || xml || begins_with(start, "<?xml") => Format::Xml,
        None if begins_with(start, "<?xml") && !html => Format::Xml,
        _ if html => Format::Html,
        _ if xml => Format::Xml,
        _ => Format::Text,
    }
}

fn wrong_label(format: Format, media_type: Option<&str>) -> Option<String> {
    let name = media_type?;
    let (fits, really) = match format {
        Format::Html => (is_html_type(name), "HTML"),
        Format::Xml => (is_xml_type(name), "XML"),
        Format::Text => (!is_never_text(name), "plain text"),
        Format::Paper | Format::Binary | Format::Empty => return None,
    };
    (!fits).then(|| format!("labelled {name}, is {really}"))
}

/// Types that never are plain text. Scripts, style sheets and data of all sorts may be.
fn is_never_text(media_type: &str) -> bool {
    ["image/", "audio/", "video/", "font/"].iter().any(|family| media_type.starts_with(family))
        || ["pdf", "zip", "msword", "officedocument", "opendocument", "x-gzip", "postscript"]
            .iter()
            .any(|part| media_type.contains(part))
}

fn begins_with(start: &[u8], word: &str) -> bool {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    start.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()))
}

/// The local name of the first element in lower case; `html` if a doctype says so.
fn first_element(start: &[u8]) -> Option<String> {
    let text = readable(start);
    let mut rest = text.trim_start();
    loop {
        rest = rest.strip_prefix('<')?;
        rest = if let Some(comment) = rest.strip_prefix("!--") {
            comment.split_once("-->")?.1
        } else if rest.get(..8).is_some_and(|word| word.eq_ignore_ascii_case("!doctype")) {
            let name = element_name(rest[8..].trim_start());
            if name == "html" {
                return Some(name);
            }
            rest.split_once('>')?.1
        } else if rest.starts_with(['?', '!']) {
            rest.split_once('>')?.1
        } else {
            return Some(element_name(rest)).filter(|name| !name.is_empty());
        };
        rest = rest.trim_start();
    }
}

/// The ASCII of the first bytes; UTF-16 loses its NULs.
fn readable(start: &[u8]) -> String {
    let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];
    let bare = marks.iter().find_map(|mark| start.strip_prefix(*mark)).unwrap_or(start);
    let seen = bare.iter().filter(|byte| **byte != 0);
    seen.map(|byte| if byte.is_ascii() { char::from(*byte) } else { '\u{FFFD}' }).collect()
}

fn element_name(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_');
    let (name, rest) = text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()));
    // `<b@uni.example>` is an address, not an element.
    if !(rest.is_empty() || rest.starts_with(['>', '/']) || rest.starts_with(char::is_whitespace)) {
        return String::new();
    }
    name.rsplit(':').next().unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Format::{Binary, Empty, Html, Text, Xml};
    use proptest::prelude::*;

    /// Declared type, body; format and trouble expected.
    type Case<'a> = (Option<&'a str>, &'a [u8], Format, Option<&'a str>);

    #[test]
    fn formats() {
        const PDF: &[u8] = b"%PDF-1.4\n%\xE2\xE3\xCF\xD3";
        #[rustfmt::skip]
        let cases: &[Case<'_>] = &[
            (Some("text/html"),        b"<p>hallo",                       Html,   None),
            (Some("text/html"),        b"hallo",                          Html,   None),
            (Some("text/html"),        b"<my-page>hallo",                 Html,   None),
            (Some("text/html"),        PDF,                               Binary, Some("labelled text/html, is PDF")),
            (Some("application/pdf"),  PDF,                               Binary, Some("PDF: no text is read out of it")),
            (None,                     PDF,                               Binary, Some("PDF: no text is read out of it")),
            (Some("text/plain"),       b"PK\x03\x04\x14\0",               Binary, Some("labelled text/plain, is ZIP")),
            (Some("image/gif"),        b"<html><body>404",                Html,   Some("labelled image/gif, is HTML")),
            (Some("image/gif"),        b"GIF89a..",                       Binary, Some("GIF: no text is read out of it")),
            (Some("text/plain"),       b"<!-- x -->\n<!DOCTYPE HTML>",    Html,   Some("labelled text/plain, is HTML")),
            (Some("text/plain"),       b"hallo <html>",                   Text,   None),
            (Some("text/plain"),       b"<p> heisst Absatz",              Text,   None),
            (None,                     b"<p> heisst Absatz",              Html,   None),
            (None,                     b"<b@uni.example> schrieb",        Text,   None),
            (Some("text/plain"),       b"<hallo>",                        Text,   None),
            (None,                     b"<TITLE>x</TITLE>",               Html,   None),
            (None,                     b"hallo",                          Text,   None),
            (Some("application/octet-stream"), b"hallo",                  Text,   None),
            (Some("application/pdf"),  b"hallo",                          Text,   Some("labelled application/pdf, is plain text")),
            (Some("text/xml"),         b"<?xml version='1.0'?><a/>",      Xml,    None),
            (Some("application/rss+xml"), b"<rss><title>x",               Xml,    None),
            (Some("text/html"),        b"<?xml version='1.0'?><rss>",     Xml,    Some("labelled text/html, is XML")),
            (Some("text/html"),        b"<?xml version='1.0'?><html>",    Html,   None),
            (Some("application/xhtml+xml"), b"<?xml version='1.0'?><html>", Html, None),
            (Some("text/html"),        b"\xFF\xFE<\0p\0>\0",              Html,   None),
            (Some("text/html"),        b"a\0\x01\x02\x03\x04\x05",        Binary, Some("labelled text/html, is binary data")),
            (None,                     b"\0\0\0\0\x01",                   Binary, Some("binary data of an unknown kind")),
            (Some("text/html"),        b"",                               Empty,  Some("the body is empty")),
            (Some("text/html"),        b" \r\n ",                         Empty,  Some("nothing but white space")),
        ];
        for (media_type, body, format, trouble) in cases {
            let expected = Finding { format: *format, trouble: trouble.map(str::to_owned) };
            assert_eq!(find(body, *media_type, None), expected, "{media_type:?} {body:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_something(body in prop::collection::vec(any::<u8>(), 0..100)) {
            find(&body, None, None);
            find(&body, Some("text/html"), Some("utf-16le"));
        }

        #[test]
        fn any_beginning_is_something(text in "(<|!--|-->|\\?xml|!doctype|[ äa-z:>]){0,12}") {
            find(text.as_bytes(), Some("text/plain"), None);
        }
    }
}
