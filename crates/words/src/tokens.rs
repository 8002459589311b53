//! Where words begin and end.
//!
//! A word is a run of letters, digits and the marks that belong to them. Hyphens, apostrophes and
//! dots end it: whether `Rhein-Main` or `e.V.` is one thing is for the caller to say, who sees the
//! places and so what stands in between.

use crate::fold::is_mark;
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

/// How many words a text has.
///
/// ```
/// assert_eq!(auslese_words::token_count("Universität Ulm, Abt. 3"), 4);
/// ```
pub fn token_count(text: &str) -> usize {
    let (mut count, mut is_inside) = (0, false);
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        let (goes_on, length) = match byte.is_ascii() {
            true => (byte.is_ascii_alphanumeric(), 1),
            false => {
                let letter = text[at..].chars().next().unwrap_or_default();
                // A mark belongs to the word before it, but begins none.
                let goes_on = begins_word(letter) || (is_inside && is_mark(letter));
                (goes_on, letter.len_utf8())
            }
        };
        count += usize::from(goes_on && !is_inside);
        is_inside = goes_on;
        at += length;
    }
    count
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
        fn nothing_between_words_is_a_letter(text in "\\PC{0,60}") {
            let mut end = 0;
            for span in token_spans(&text) {
                prop_assert!(span.start < span.end);
                prop_assert!(!text[end..span.start].contains(char::is_alphanumeric));
                end = span.end;
            }
            prop_assert!(!text[end..].contains(char::is_alphanumeric));
            prop_assert_eq!(token_count(&text), token_spans(&text).count());
        }
    }
}
