//! Where words begin and end.
//!
//! A word is a run of letters, digits and the marks that belong to them. Hyphens, apostrophes and
//! dots end it: whether `Rhein-Main` or `e.V.` is one thing is for the caller to say, who sees the
//! places and so what stands in between.

use crate::fold::{fold_onto, is_mark};
use std::ops::Range;

/// The words of a text, as they are written.
///
/// ```
/// let words: Vec<&str> = auslese_words::tokens("Universität Ulm, Abt. 3").collect();
/// assert_eq!(words, ["Universität", "Ulm", "Abt", "3"]);
/// ```
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
    token_spans(text).map(|span| &text[span])
}

/// Where the words of a text stand, in bytes.
pub fn token_spans(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = first_from(text, at, begins_word);
        at = first_from(text, start, |letter| !is_part(letter));
        (start < at).then_some(start..at)
    })
}

/// Appends the next word from a place of a text on, folded ([`crate::fold()`]), and moves the place behind it; `false`
/// if there is none. Words of ASCII and German letters, which most are, are found and folded in one look at each letter.
///
/// ```
/// let (mut at, mut words) = (0, String::new());
/// while auslese_words::fold_next_token("Universität Ulm!", &mut at, &mut words) {
///     words.push('|');
/// }
/// assert_eq!(words, "universitaet|ulm|");
/// ```
pub fn fold_next_token(text: &str, at: &mut usize, folded: &mut String) -> bool {
    let bytes = text.as_bytes();
    let start = first_from(text, *at, begins_word);
    let before = folded.len();
    let mut end = start;
    while let Some(&byte) = bytes.get(end) {
        let lower = FOLDED[usize::from(byte)];
        if lower != 0 {
            folded.push(char::from(lower));
            end += 1;
        } else if let Some(umlaut) = german_letter(&bytes[end..]) {
            folded.push_str(umlaut);
            end += 2;
        } else {
            break;
        }
    }
    if bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
        let whole = first_from(text, end, |letter| !is_part(letter));
        if whole > end {
            folded.truncate(before);
            fold_onto(&text[start..whole], folded);
            end = whole;
        }
    }
    *at = end;
    start < end
}

/// The folded form of the German letter beyond ASCII that a text begins with, if it does.
#[inline]
fn german_letter(text: &[u8]) -> Option<&'static str> {
    match text {
        [0xC3, 0xA4 | 0x84, ..] => Some("ae"),
        [0xC3, 0xB6 | 0x96, ..] => Some("oe"),
        [0xC3, 0xBC | 0x9C, ..] => Some("ue"),
        [0xC3, 0x9F, ..] => Some("ss"),
        _ => None,
    }
}

/// The folded form of ASCII letters and digits; 0 for all other bytes.
const FOLDED: [u8; 256] = {
    let mut folded = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            folded[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    folded
};

/// How many words a text has.
///
/// ```
/// assert_eq!(auslese_words::token_count("Universität Ulm, Abt. 3"), 4);
/// ```
pub fn token_count(text: &str) -> usize {
    token_count_within(text, usize::MAX).unwrap_or(usize::MAX)
}

/// How many words a text has, if it has no more than `most`; it is read no further than it takes to know.
///
/// ```
/// assert_eq!(auslese_words::token_count_within("Universität Ulm", 2), Some(2));
/// assert_eq!(auslese_words::token_count_within("Universität Ulm, Abt. 3", 2), None);
/// ```
pub fn token_count_within(text: &str, most: usize) -> Option<usize> {
    let (mut count, mut is_inside) = (0, false);
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        if let Some(stretch) = bytes[at..].first_chunk::<STRETCH>()
            && stretch.is_ascii()
        {
            count += begun_in(stretch, is_inside);
            if count > most {
                return None;
            }
            is_inside = stretch[STRETCH - 1].is_ascii_alphanumeric();
            at += STRETCH;
            continue;
        }
        let (goes_on, length) = match byte.is_ascii() {
            true => (FOLDED[usize::from(*byte)] != 0, 1),
            false => {
                let letter = text[at..].chars().next().unwrap_or_default();
                // A mark belongs to the word before it, but begins none.
                let goes_on = begins_word(letter) || (is_inside && is_mark(letter));
                (goes_on, letter.len_utf8())
            }
        };
        if goes_on && !is_inside {
            if count == most {
                return None;
            }
            count += 1;
        }
        is_inside = goes_on;
        at += length;
    }
    Some(count)
}

/// Bytes of ASCII that are looked at at once.
const STRETCH: usize = 32;

/// How many words begin in a stretch of ASCII; written without a branch for any byte.
#[inline]
fn begun_in(stretch: &[u8; STRETCH], is_inside: bool) -> usize {
    let mut are_parts = [0; STRETCH + 1];
    are_parts[0] = u8::from(is_inside);
    for (is_part, byte) in are_parts[1..].iter_mut().zip(stretch) {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        *is_part = u8::from(letter | (byte.wrapping_sub(b'0') < 10));
    }
    let begun = are_parts.iter().zip(&are_parts[1..]).map(|(before, it)| it & !before);
    usize::from(begun.sum::<u8>())
}

/// Where the first letter of a kind stands, from a place on; the end of the text if there is none. Most letters are
/// ASCII, which needs no decoding.
#[inline]
fn first_from(text: &str, mut at: usize, is_wanted: impl Fn(char) -> bool) -> usize {
    while let Some(byte) = text.as_bytes().get(at) {
        let letter = match byte.is_ascii() {
            true => char::from(*byte),
            false => text[at..].chars().next().unwrap_or_default(),
        };
        if is_wanted(letter) {
            return at;
        }
        at += letter.len_utf8();
    }
    at
}

#[inline]
fn is_part(letter: char) -> bool {
    begins_word(letter) || (!letter.is_ascii() && is_mark(letter))
}

/// Letters and digits. Most letters beyond ASCII are those of western Europe, which need not be looked up.
#[inline]
fn begins_word(letter: char) -> bool {
    matches!(letter, 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ') || letter.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold;
    use proptest::prelude::*;

    #[test]
    fn words() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 6] = [
            ("Universität Ulm",       &["Universität", "Ulm"]),
            ("Rhein-Main (FH), e.V.", &["Rhein", "Main", "FH", "e", "V"]),
            ("l'Université",          &["l", "Université"]),
            ("a\u{308}rzte\u{301}",   &["a\u{308}rzte\u{301}"]),
            ("  — , .",               &[]),
            ("",                      &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(tokens(text).collect::<Vec<_>>(), expected, "{text}");
            assert_eq!(token_count(text), expected.len(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_between_words_is_a_letter(text in "(\\PC|[a-zA-Z0-9@`{\\[/: ]{20,40}){0,60}") {
            let mut end = 0;
            for span in token_spans(&text) {
                prop_assert!(span.start < span.end);
                prop_assert!(!text[end..span.start].contains(char::is_alphanumeric));
                end = span.end;
            }
            prop_assert!(!text[end..].contains(char::is_alphanumeric));
            let count = token_spans(&text).count();
            prop_assert_eq!(token_count(&text), count);
            prop_assert_eq!(token_count_within(&text, count), Some(count));
            prop_assert_eq!(token_count_within(&text, count / 2).is_some(), count == 0);
        }

        #[test]
        fn folded_words_are_the_words_folded(text in "(\\PC|[a-zA-Z0-9 .äöüÄÖÜß\u{308}\u{301}]){0,60}") {
            let (mut at, mut folded) = (0, Vec::new());
            let mut word = String::new();
            while fold_next_token(&text, &mut at, &mut word) {
                folded.push(std::mem::take(&mut word));
            }
            prop_assert_eq!(word, "");
            prop_assert_eq!(folded, tokens(&text).map(fold).collect::<Vec<_>>());
        }
    }
}
