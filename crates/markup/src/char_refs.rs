//! Resolves character references and normalises text as the HTML tokenizer does.
//!
//! The lexer hands out source ranges; whoever needs the meaning of one asks here. Most values need
//! no change and are borrowed. The tree builder also wants to know what is wrong with a reference.
//!
//! `named_references.txt` is the table of the HTML standard (§13.5, 2,231 names), taken from the data
//! of the crate `web_atoms` 0.3.0 (MIT or Apache-2.0): a name, a question mark if it counts without
//! semicolon, and its one or two characters.

use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::LazyLock;

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
    match rest.as_bytes()[0] {
        b'\0' => {
            text.push(char::REPLACEMENT_CHARACTER);
            1
        }
        b'\r' => {
            text.push('\n');
            if rest.as_bytes().get(1) == Some(&b'\n') { 2 } else { 1 }
        }
        _ => append_reference(text, rest, place, &mut 0),
    }
}

/// Appends the meaning of the ampersand that `rest` begins with, and counts what is wrong with it;
/// returns how many bytes of `rest` it took.
pub(crate) fn append_reference(
    text: &mut String,
    rest: &str,
    place: Place,
    errors: &mut u32,
) -> usize {
    let bytes = rest.as_bytes();
    let taken = match bytes.get(1) {
        Some(b'#') => numeric(text, bytes, errors),
        Some(byte) if byte.is_ascii_alphanumeric() => named(text, rest, place, errors),
        _ => 0,
    };
    if taken == 0 {
        text.push('&');
    }
    taken.max(1)
}

fn numeric(text: &mut String, bytes: &[u8], errors: &mut u32) -> usize {
    let (radix, start) = if matches!(bytes.get(2), Some(b'x' | b'X')) { (16, 3) } else { (10, 2) };
    let digits = |byte: &u8| char::from(*byte).to_digit(radix);
    let mut code: u32 = 0;
    let mut end = start;
    while let Some(digit) = bytes.get(end).and_then(digits) {
        code = code.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    if end == start {
        *errors += 1;
        return 0;
    }
    let closed = bytes.get(end) == Some(&b';');
    *errors += u32::from(!closed) + u32::from(is_doubtful(code));
    text.push(scalar(code));
    end + usize::from(closed)
}

/// The character a number stands for; the C1 controls mean what they mean in windows-1252.
fn scalar(code: u32) -> char {
    let replaced = match code {
        0 => None,
        0x80..=0x9F => WINDOWS_1252_CONTROLS[(code - 0x80) as usize].or(char::from_u32(code)),
        _ => char::from_u32(code),
    };
    replaced.unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Whether a number should not be used: no character, or a control character.
fn is_doubtful(code: u32) -> bool {
    matches!(code, 0..=0x08 | 0x0B | 0x0D..=0x1F | 0x7F..=0x9F | 0xD800..=0xDFFF | 0xFDD0..=0xFDEF)
        || code & 0xFFFE == 0xFFFE
        || code > 0x10_FFFF
}

/// What windows-1252 has from 0x80 on (WHATWG §13.2.5.80).
#[rustfmt::skip]
const WINDOWS_1252_CONTROLS: [Option<char>; 32] = [
    Some('\u{20AC}'), None,             Some('\u{201A}'), Some('\u{0192}'), Some('\u{201E}'), Some('\u{2026}'), Some('\u{2020}'), Some('\u{2021}'),
    Some('\u{02C6}'), Some('\u{2030}'), Some('\u{0160}'), Some('\u{2039}'), Some('\u{0152}'), None,             Some('\u{017D}'), None,
    None,             Some('\u{2018}'), Some('\u{2019}'), Some('\u{201C}'), Some('\u{201D}'), Some('\u{2022}'), Some('\u{2013}'), Some('\u{2014}'),
    Some('\u{02DC}'), Some('\u{2122}'), Some('\u{0161}'), Some('\u{203A}'), Some('\u{0153}'), None,             Some('\u{017E}'), Some('\u{0178}'),
];

/// What a name stands for.
struct Named {
    first: char,
    second: Option<char>,
    /// Counts without semicolon, too.
    bare: bool,
}

static NAMED: LazyLock<FxHashMap<&'static str, Named>> = LazyLock::new(|| {
    let lines = include_str!("named_references.txt").lines();
    lines
        .filter_map(|line| {
            let mut words = line.split(' ');
            let (name, bare) = match words.next()? {
                name if name.ends_with('?') => (&name[..name.len() - 1], true),
                name => (name, false),
            };
            let mut characters =
                words.map_while(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
            let first = characters.next()?;
            Some((name, Named { first, second: characters.next(), bare }))
        })
        .collect()
});

/// Length of the longest name that counts without semicolon.
const LONGEST_BARE: usize = 6;

fn named(text: &mut String, rest: &str, place: Place, errors: &mut u32) -> usize {
    let bytes = rest.as_bytes();
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric();
    let end = 1 + bytes[1..].iter().take_while(is_name).count();
    let closed = bytes.get(end) == Some(&b';');
    if closed && let Some(meaning) = NAMED.get(&rest[1..end]) {
        meaning.append_to(text);
        return end + 1;
    }
    let bare = (2..=end.min(LONGEST_BARE + 1)).rev().find_map(|end| {
        let meaning = NAMED.get(&rest[1..end]).filter(|meaning| meaning.bare)?;
        Some((end, meaning))
    });
    let Some((end, meaning)) = bare else {
        *errors += u32::from(closed);
        return 0;
    };
    let next_binds =
        bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
    if place == Place::Attribute && next_binds {
        return 0;
    }
    *errors += 1;
    meaning.append_to(text);
    end
}

impl Named {
    fn append_to(&self, text: &mut String) {
        text.push(self.first);
        text.extend(self.second);
    }
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
