//! Tags of XML that programs wrote: names, attributes, line numbers.
//!
//! Scans write files of many megabytes and of one shape; names and attributes are all that is
//! needed of them, and a file that was cut off in the middle still tells what it has. So this reads
//! tags one after the other and builds no tree. Comments, declarations and text are passed over.

/// One start tag or end tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: TagKind,
    /// From 1.
    pub(crate) line: u32,
    attributes: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagKind {
    Start,
    /// `<a/>`
    Empty,
    End,
}

impl<'a> Tag<'a> {
    /// The value of an attribute, with character references put in.
    pub(crate) fn attribute(&self, wanted: &str) -> Option<String> {
        let mut rest = self.attributes;
        loop {
            let (name, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| *c == '"' || *c == '\'')?;
            let (value, behind) = after[1..].split_once(quote)?;
            if name.trim().eq_ignore_ascii_case(wanted) {
                return Some(with_references(value));
            }
            rest = behind;
        }
    }
}

/// All tags of a text, in order.
pub(crate) fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let (mut rest, mut line) = (text, 1);
    std::iter::from_fn(move || {
        loop {
            let open = memchr::memchr(b'<', rest.as_bytes())?;
            line += newlines(&rest[..open]);
            rest = &rest[open..];
            let (length, tag) = match rest.as_bytes().get(1)? {
                b'!' => (passed_over(rest), None),
                b'?' => (behind(rest, "?>"), None),
                _ => {
                    let length = tag_length(rest);
                    (length, read_tag(&rest[..length], line))
                }
            };
            line += newlines(&rest[..length]);
            rest = &rest[length..];
            if tag.is_some() {
                return tag;
            }
        }
    })
}

fn newlines(text: &str) -> u32 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32
}

fn behind(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |at| at + end.len())
}

/// The length of a comment, a CDATA section or a declaration.
fn passed_over(text: &str) -> usize {
    if let Some(comment) = text.strip_prefix("<!--") {
        4 + behind(comment, "-->")
    } else if text.starts_with("<![CDATA[") {
        behind(text, "]]>")
    } else {
        behind(text, ">")
    }
}

/// Up to the bracket that closes the tag; those in quoted values do not count.
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
    text.len()
}

fn read_tag(text: &str, line: u32) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?.trim_end_matches('>');
    let (inner, kind) = match (inner.strip_prefix('/'), inner.strip_suffix('/')) {
        (Some(inner), _) => (inner, TagKind::End),
        (None, Some(inner)) => (inner, TagKind::Empty),
        (None, None) => (inner, TagKind::Start),
    };
    let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
    (!name.is_empty()).then_some(Tag { name, kind, line, attributes })
}

/// Longest character reference that is looked for: `&#x10ffff;`.
const MAX_REFERENCE: usize = 10;

fn with_references(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(MAX_REFERENCE).position(|b| b == b';');
        match end.and_then(|end| Some((character(&rest[1..end])?, end))) {
            Some((c, end)) => {
                text.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text + rest
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

    #[test]
    fn tags_and_attributes() {
        let text = "<?xml version=\"1.0\"?>\n<!-- <no a='1'/> -->\n<a x='1>2' y = \"&lt;&#65;&amp\"/>\n\
                    <b>text</b><![CDATA[<no/>]]><c";
        let tags: Vec<_> = tags(text).collect();
        let shown: Vec<_> = tags.iter().map(|tag| (tag.name, tag.kind, tag.line)).collect();
        let expected = [
            ("a", TagKind::Empty, 3),
            ("b", TagKind::Start, 4),
            ("b", TagKind::End, 4),
            ("c", TagKind::Start, 4),
        ];
        assert_eq!(shown, expected);
        assert_eq!(tags[0].attribute("x").as_deref(), Some("1>2"));
        assert_eq!(tags[0].attribute("Y").as_deref(), Some("<A&amp"));
        assert_eq!(tags[0].attribute("z"), None);
    }

    proptest! {
        #[test]
        fn any_text(text in "[<>/!?&;#x='\" a\n-]{0,80}") {
            for tag in tags(&text) {
                tag.attribute("a");
            }
        }
    }
}
