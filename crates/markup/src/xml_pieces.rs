//! XML as a row of texts and tags.
//!
//! What programs write is often many megabytes of one shape, and often cut off in the middle. Names,
//! attributes and texts are all that is needed of it, so this reads one piece after the other, builds
//! no tree, and takes what it gets. Comments, declarations and instructions are passed over.

use std::borrow::Cow;

/// A piece of an XML document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum XmlPiece<'a> {
    /// What stands between two tags, with character references put in; or a CDATA section.
    Text(Cow<'a, str>),
    Tag(XmlTag<'a>),
}

/// One start tag or end tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct XmlTag<'a> {
    pub name: &'a str,
    pub kind: XmlTagKind,
    /// From 1.
    pub line: u32,
    attributes: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XmlTagKind {
    Start,
    /// `<a/>`
    Empty,
    End,
}

impl XmlTag<'_> {
    /// The value of an attribute, with character references put in.
    pub fn attribute(&self, wanted: &str) -> Option<String> {
        let mut rest = self.attributes;
        loop {
            let (name, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| *c == '"' || *c == '\'')?;
            let (value, behind) = after[1..].split_once(quote)?;
            if name.trim().eq_ignore_ascii_case(wanted) {
                return Some(with_references(value).into_owned());
            }
            rest = behind;
        }
    }
}

/// All texts and tags of a document, in order.
///
/// ```
/// use auslese_markup::{XmlPiece, xml_pieces};
/// let texts = xml_pieces("<a x='1'>Zürich &amp; <b/>Bern</a>").filter_map(|piece| match piece {
///     XmlPiece::Text(text) => Some(text),
///     XmlPiece::Tag(_) => None,
/// });
/// assert_eq!(texts.collect::<Vec<_>>(), ["Zürich & ", "Bern"]);
/// ```
pub fn xml_pieces(text: &str) -> impl Iterator<Item = XmlPiece<'_>> {
    let mut pieces = Pieces { rest: text, line: 1 };
    std::iter::from_fn(move || {
        loop {
            if pieces.rest.is_empty() {
                return None;
            }
            if let Some(piece) = pieces.next() {
                return Some(piece);
            }
        }
    })
}

/// All tags of a document, in order.
pub fn xml_tags(text: &str) -> impl Iterator<Item = XmlTag<'_>> {
    xml_pieces(text).filter_map(|piece| match piece {
        XmlPiece::Tag(tag) => Some(tag),
        XmlPiece::Text(_) => None,
    })
}

struct Pieces<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Pieces<'a> {
    /// The next piece; nothing if it is one to pass over.
    fn next(&mut self) -> Option<XmlPiece<'a>> {
        let line = self.line;
        let open = memchr::memchr(b'<', self.rest.as_bytes()).unwrap_or(self.rest.len());
        if open > 0 {
            return Some(XmlPiece::Text(with_references(self.take(open))));
        }
        if let Some(section) = self.rest.strip_prefix(CDATA) {
            let length = section.find("]]>").unwrap_or(section.len());
            let text = Cow::Borrowed(&section[..length]);
            self.take(behind(self.rest, "]]>"));
            return Some(XmlPiece::Text(text));
        }
        match self.rest.as_bytes().get(1) {
            Some(b'!') => self.take(passed_over(self.rest)),
            Some(b'?') => self.take(behind(self.rest, "?>")),
            _ => return read_tag(self.take(tag_length(self.rest)), line).map(XmlPiece::Tag),
        };
        None
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line = self.line.saturating_add(newlines(taken));
        self.rest = rest;
        taken
    }
}

const CDATA: &str = "<![CDATA[";

fn newlines(text: &str) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', text.as_bytes()).count()).unwrap_or(u32::MAX)
}

fn behind(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |at| at + end.len())
}

/// The length of a comment or a declaration.
fn passed_over(text: &str) -> usize {
    match text.strip_prefix("<!--") {
        Some(comment) => 4 + behind(comment, "-->"),
        None => behind(text, ">"),
    }
}

/// Up to the bracket that closes the tag; those in quoted values do not count, unless a quotation
/// never ends.
fn tag_length(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return at + 1,
            _ => {}
        }
    }
    behind(text, ">")
}

fn read_tag(text: &str, line: u32) -> Option<XmlTag<'_>> {
    let inner = text.strip_prefix('<')?.trim_end_matches('>');
    let (inner, kind) = match (inner.strip_prefix('/'), inner.strip_suffix('/')) {
        (Some(inner), _) => (inner, XmlTagKind::End),
        (None, Some(inner)) => (inner, XmlTagKind::Empty),
        (None, None) => (inner, XmlTagKind::Start),
    };
    let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
    (!name.is_empty()).then_some(XmlTag { name, kind, line, attributes })
}

/// Longest character reference that is looked for: `&#x10ffff;`.
const MAX_REFERENCE: usize = 10;

/// Puts in the five named references and numeric ones; others stay as they are.
fn with_references(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(MAX_REFERENCE).position(|byte| byte == b';');
        match end.and_then(|end| Some((character(&rest[1..end])?, end))) {
            Some((character, end)) => {
                text.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<String> {
        let text_of = |piece| match piece {
            XmlPiece::Text(text) => Some(text.into_owned()),
            XmlPiece::Tag(_) => None,
        };
        xml_pieces(text).filter_map(text_of).collect()
    }

    #[test]
    fn tags_and_attributes() {
        let text = "<?xml version=\"1.0\"?>\n<!-- <no a='1'/> -->\n<a x='1>2' y = \"&lt;&#65;&amp\"/>\n\
                    <b>text</b><![CDATA[<no/>]]><c";
        let tags: Vec<_> = xml_tags(text).collect();
        let shown: Vec<_> = tags.iter().map(|tag| (tag.name, tag.kind, tag.line)).collect();
        let expected = [
            ("a", XmlTagKind::Empty, 3),
            ("b", XmlTagKind::Start, 4),
            ("b", XmlTagKind::End, 4),
            ("c", XmlTagKind::Start, 4),
        ];
        assert_eq!(shown, expected);
        assert_eq!(tags[0].attribute("x").as_deref(), Some("1>2"));
        assert_eq!(tags[0].attribute("Y").as_deref(), Some("<A&amp"));
        assert_eq!(tags[0].attribute("z"), None);
    }

    #[test]
    fn texts_between_tags() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("",                                    &[]),
            ("plain",                               &["plain"]),
            ("<a>x<b/>y</a>z",                      &["x", "y", "z"]),
            ("<a t='1>2'>x",                        &["x"]),
            ("<a t='1>x</a>y",                      &["x", "y"]),
            ("<!-- <x> -->a<!DOCTYPE b>c<?d?>e",    &["a", "c", "e"]),
            ("<![CDATA[<b>&amp;]]>c",               &["<b>&amp;", "c"]),
            ("<![CDATA[cut",                        &["cut"]),
            ("&#66;&#xC4;&x;&&#0;&#99999999;&lt",   &["BÄ&x;&\0&#99999999;&lt"]),
            ("a<",                                  &["a"]),
            ("<>a</>b",                             &["a", "b"]),
        ];
        for (text, expected) in cases {
            assert_eq!(texts(text), *expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "(<|>|<!--|-->|<\\?|<!\\[CDATA\\[|\\]\\]>|&|;|#x|=|'|\"|/|\\r|\\n|\\PC){0,60}") {
            for tag in xml_tags(&text) {
                tag.attribute("a");
            }
        }
    }
}
