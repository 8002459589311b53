//! Turns the bytes of an answer into text.
//!
//! Registries name no charset. UTF-8 is believed where the bytes are UTF-8, ISO-2022-JP where its
//! escapes occur, the rest is guessed. A registry's answer followed by a registrar's may be in two
//! encodings: then each line is read for itself. Answers wrapped in HTML lose their tags.

use super::entities::without_references;
use auslese_markup::decode;
use std::borrow::Cow;

/// How much of an answer is read; real ones have some 3 KiB.
pub(super) const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// The text of an answer, at most [`MAX_ANSWER_BYTES`] of it.
pub(super) fn answer_text(answer: &[u8]) -> Cow<'_, str> {
    let answer = &answer[..answer.len().min(MAX_ANSWER_BYTES)];
    let text = decoded(answer);
    let text = if text.contains('<') { without_tags(text) } else { text };
    without_references(text)
}

fn decoded(answer: &[u8]) -> Cow<'_, str> {
    if memchr::memmem::find(answer, b"\x1b$").is_some() {
        return decode(answer, Some("iso-2022-jp")).0;
    }
    if std::str::from_utf8(answer).is_err() && has_utf8_line(answer) {
        return Cow::Owned(line_by_line(answer));
    }
    decode(answer, None).0
}

/// Whether a line is UTF-8 beyond ASCII: hardly ever so by chance.
fn has_utf8_line(answer: &[u8]) -> bool {
    lines(answer).any(|line| !line.is_ascii() && std::str::from_utf8(line).is_ok())
}

fn line_by_line(answer: &[u8]) -> String {
    let mut text = String::with_capacity(answer.len());
    for line in lines(answer) {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.push_str(&decode(line, Some("windows-1252")).0),
        }
    }
    text
}

fn lines(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split_inclusive(|byte| *byte == b'\n')
}

/// Tags that turn up around and inside answers; anything else in angle brackets is a value, such
/// as `<data not disclosed>` or an e-mail address.
const TAGS: &[&str] = &[
    "a", "b", "body", "br", "br/", "center", "div", "em", "font", "h1", "h2", "h3", "head", "hr",
    "html", "i", "li", "meta", "p", "pre", "span", "strong", "table", "tbody", "td", "th", "title",
    "tr", "u", "ul",
];
/// Tags that end a line.
const BREAKS: &[&str] = &["br", "br/", "p", "tr", "div", "li", "h1", "h2", "h3", "hr", "table"];
/// A tag is not longer than this.
const MAX_TAG_BYTES: usize = 200;

fn without_tags(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    let mut found = false;
    while let Some(open) = rest.find('<') {
        kept.push_str(&rest[..open]);
        rest = &rest[open..];
        match tag(rest) {
            Some((name, length)) => {
                found = true;
                rest = &rest[length..];
                // A break at the end of a line is no empty line.
                if BREAKS.contains(&name.as_str()) && !rest.starts_with(['\r', '\n']) {
                    kept.push('\n');
                }
            }
            None => {
                kept.push('<');
                rest = &rest[1..];
            }
        }
    }
    kept.push_str(rest);
    if !found {
        return text;
    }
    Cow::Owned(kept)
}

/// The name of the tag at the start of `text`, without its slash, and its length.
fn tag(text: &str) -> Option<(String, usize)> {
    let head = text.as_bytes().iter().take(MAX_TAG_BYTES);
    let end = head.clone().position(|byte| *byte == b'>')?;
    let inner = text[1..end].trim_start_matches('/');
    let name = inner.split_ascii_whitespace().next()?.to_ascii_lowercase();
    TAGS.contains(&name.as_str()).then_some((name, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charsets() {
        #[rustfmt::skip]
        let cases: [(&[u8], &str); 6] = [
            (b"Registrant: Uni K\xF6ln",                    "Registrant: Uni Köln"),
            ("\u{feff}Holder: Uni Köln".as_bytes(),         "Holder: Uni Köln"),
            ("A: Köln\n".as_bytes(),                        "A: Köln\n"),
            (b"A: K\xC3\xB6ln\nB: K\xF6ln\n",               "A: Köln\nB: Köln\n"),
            (b"\x1b$BElBg\x1b(B",                           "東大"),
            (b"a<br>b <data not shown> <b>c</b>",           "a\nb <data not shown> c"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(answer_text(bytes), expected);
        }
    }

    #[test]
    fn long_answers_are_cut() {
        assert_eq!(answer_text(&vec![b'a'; MAX_ANSWER_BYTES + 5]).len(), MAX_ANSWER_BYTES);
    }
}
