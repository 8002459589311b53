//! Resolves character references and normalises text as the HTML tokenizer does.
//!
//! The lexer hands out source ranges; whoever needs the meaning of one asks here. Most values need
//! no change and are borrowed.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use std::borrow::Cow;

/// Where the text stands, because a reference without semicolon counts for less in attributes
/// (`?a=1&copy=2` is no copyright sign).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Attribute,
    Text,
}

/// The meaning of a piece of source: references resolved, line ends normalised, NUL replaced.
pub(crate) fn resolve_references(source: &str, place: Place) -> Cow<'_, str> {
    let bytes = source.as_bytes();
    let Some(first) = memchr::memchr3(b'&', b'\r', b'\0', bytes) else {
        return Cow::Borrowed(source);
    };
    let mut text = String::with_capacity(source.len());
    let (mut done, mut at) = (0, first);
    loop {
        text.push_str(&source[done..at]);
        done = at + append(&mut text, &source[at..], place);
        match memchr::memchr3(b'&', b'\r', b'\0', &bytes[done..]) {
            Some(skipped) => at = done + skipped,
            None => break,
        }
    }
    text.push_str(&source[done..]);
    Cow::Owned(text)
}

/// Appends the meaning of the special character that `rest` begins with; returns how many bytes
/// of `rest` it took.
fn append(text: &mut String, rest: &str, place: Place) -> usize {
    let bytes = rest.as_bytes();
    match bytes[0] {
        b'\0' => {
            text.push(char::REPLACEMENT_CHARACTER);
            1
        }
        b'\r' => {
            text.push('\n');
            if bytes.get(1) == Some(&b'\n') { 2 } else { 1 }
        }
        _ => {
            let taken = match bytes.get(1) {
                Some(b'#') => numeric(text, bytes),
                Some(byte) if byte.is_ascii_alphanumeric() => named(text, rest, place),
                _ => 0,
            };
            if taken == 0 {
                text.push('&');
            }
            taken.max(1)
        }
    }
}

fn numeric(text: &mut String, bytes: &[u8]) -> usize {
    let (radix, start) = if matches!(bytes.get(2), Some(b'x' | b'X')) { (16, 3) } else { (10, 2) };
    let digits = |byte: &u8| char::from(*byte).to_digit(radix);
    let mut code: u32 = 0;
    let mut end = start;
    while let Some(digit) = bytes.get(end).and_then(digits) {
        code = code.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    if end == start {
        return 0;
    }
    text.push(scalar(code));
    end + usize::from(bytes.get(end) == Some(&b';'))
}

/// The character a number stands for; the C1 controls mean what they mean in windows-1252.
fn scalar(code: u32) -> char {
    let replaced = match code {
        0 => None,
        0x80..=0x9F => C1_REPLACEMENTS[(code - 0x80) as usize].or(char::from_u32(code)),
        _ => char::from_u32(code),
    };
    replaced.unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn named(text: &mut String, rest: &str, place: Place) -> usize {
    let bytes = rest.as_bytes();
    let (mut end, mut longest) = (1, None);
    // The table also holds every prefix of a name, so the walk ends where no name can follow.
    while bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b';') {
        end += 1;
        match NAMED_ENTITIES.get(&rest[1..end]) {
            Some(&(0, _)) => {}
            Some(&codes) => longest = Some((end, codes)),
            None => break,
        }
    }
    let Some((end, (first, second))) = longest else { return 0 };
    let closed = bytes[end - 1] == b';';
    let next_binds =
        bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
    if place == Place::Attribute && !closed && next_binds {
        return 0;
    }
    text.extend(char::from_u32(first));
    if second != 0 {
        text.extend(char::from_u32(second));
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meanings() {
        #[rustfmt::skip]
        let cases = [
            // source            in an attribute     in text
            ("a b",              "a b",              "a b"),
            ("a&amp;b",          "a&b",              "a&b"),
            ("a&ampb",           "a&ampb",           "a&b"),
            ("?a=1&copy=2",      "?a=1&copy=2",      "?a=1©=2"),
            ("?a=1&copy",        "?a=1©",            "?a=1©"),
            ("&notit;",          "&notit;",          "¬it;"),
            ("&notin;",          "∉",                "∉"),
            ("&#65;&#x41;&#X41", "AAA",              "AAA"),
            ("&#0;&#xD800;&#x99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&#128;",           "€",                "€"),
            ("&#;&#x;&;&",       "&#;&#x;&;&",       "&#;&#x;&;&"),
            ("&nonsense;",       "&nonsense;",       "&nonsense;"),
            ("a\r\nb\rc\0",      "a\nb\nc\u{FFFD}",  "a\nb\nc\u{FFFD}"),
            ("&NotEqualTilde;",  "≂̸",               "≂̸"),
        ];
        for (source, attribute, text) in cases {
            assert_eq!(resolve_references(source, Place::Attribute), attribute, "{source:?}");
            assert_eq!(resolve_references(source, Place::Text), text, "{source:?}");
        }
    }
}
