//! Running words: what a reader counts as one word.
//!
//! `Rhein-Main`, `geht's` and `3,50` are one word each; `e.V.` is two. Soft hyphens and other
//! invisible marks do not part words. Each carries the classes that the word lists give it.

use super::lexicon::{Classes, classes};
use auslese_words::token_spans;
use std::ops::Range;

/// A running word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    /// Where it begins in its text, in bytes.
    pub(crate) start: usize,
    pub(crate) classes: Classes,
}

impl Word<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    pub(crate) fn has_letter(&self) -> bool {
        self.text.starts_with(char::is_alphabetic) || self.text.contains(char::is_alphabetic)
    }

    /// The length in characters that can be seen.
    pub(crate) fn letters(&self) -> usize {
        self.text.chars().filter(|letter| !is_invisible(*letter)).count()
    }

    pub(crate) fn is(&self, classes: Classes) -> bool {
        self.classes.intersects(classes)
    }
}

/// The running words of a text.
pub(crate) fn running_words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut spans = token_spans(text).peekable();
    let mut key = String::new();
    std::iter::from_fn(move || {
        let mut span = spans.next()?;
        while let Some(next) = spans.next_if(|next| is_joined(text, &span, next)) {
            span.end = next.end;
        }
        let word = &text[span.clone()];
        Some(Word { text: word, start: span.start, classes: classes(word, &mut key) })
    })
}

/// Soft hyphens, joiners and spaces without width, which many systems write into words.
pub(super) fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

fn is_joined(text: &str, before: &Range<usize>, after: &Range<usize>) -> bool {
    if after.start - before.end > '’'.len_utf8() {
        return false;
    }
    match &text[before.end..after.start] {
        "-" | "'" | "’" => true,
        gap if gap.chars().all(is_invisible) => true,
        "." | "," | ":" => {
            text[..before.end].ends_with(|c: char| c.is_ascii_digit())
                && text[after.start..].starts_with(|c: char| c.is_ascii_digit())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("Rhein-Main-Gebiet, geht's?",   &["Rhein-Main-Gebiet", "geht's"]),
            ("3,50 Euro am 1.4. - ab 8:30",  &["3,50", "Euro", "am", "1.4", "ab", "8:30"]),
            ("Kon\u{AD}takt\u{200B}e hier",  &["Kon\u{AD}takt\u{200B}e", "hier"]),
            ("e.V. a.b",                     &["e", "V", "a", "b"]),
            ("Ein- und Ausgang -- x",        &["Ein", "und", "Ausgang", "x"]),
            ("l’Université",                 &["l’Université"]),
            ("",                             &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> = running_words(text).map(|word| word.text).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }
}
