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
        let start =
            at + text[at..].len() - skip(&text[at..], |letter| !letter.is_alphanumeric()).len();
        at = text.len() - skip(&text[start..], is_part).len();
        (start < at).then_some(start..at)
    })
}

/// What follows the letters that pass. Most letters are ASCII, which needs no decoding.
fn skip(text: &str, passes: impl Fn(char) -> bool) -> &str {
    let mut rest = text;
    loop {
        let ascii = rest.bytes().take_while(|byte| byte.is_ascii() && passes(char::from(*byte)));
        rest = &rest[ascii.count()..];
        match rest.chars().next() {
            Some(letter) if !letter.is_ascii() && passes(letter) => {
                rest = &rest[letter.len_utf8()..];
            }
            _ => return rest,
        }
    }
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || is_mark(letter)
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
        }
    }
}
