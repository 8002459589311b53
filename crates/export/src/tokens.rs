//! Sentences and tokens as corpus tools count them.
//!
//! `words` cuts a text into the smallest pieces. Corpora of German (TIGER, Universal Dependencies) count
//! larger ones: compounds with hyphens (`Rhein-Main-Gebiet`), numbers with their marks (`3.000,50`), and
//! abbreviations and ordinals with their dot (`z.B.`, `Dr.`, `3.`). A dot inside a sentence belongs to the
//! word before it, since the sentence would end there otherwise. Signs stand alone; equal ones together.

use auslese_words::{PieceKind, pieces, sentence_spans};
use std::ops::Range;

/// A token, and whether white space follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    pub(crate) form: &'t str,
    pub(crate) kind: PieceKind,
    pub(crate) is_joined: bool,
}

/// The sentences of a paragraph, each as its tokens; none is empty.
pub(crate) fn sentences(paragraph: &str) -> Vec<Vec<Token<'_>>> {
    let spans = sentence_spans(paragraph).map(|span| tokens(&paragraph[span]));
    spans.filter(|tokens| !tokens.is_empty()).collect()
}

/// The text of a sentence as its tokens spell it.
pub(crate) fn spelled(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for (number, token) in tokens.iter().enumerate() {
        text.push_str(token.form);
        if !token.is_joined && number + 1 < tokens.len() {
            text.push(' ');
        }
    }
    text
}

fn tokens(sentence: &str) -> Vec<Token<'_>> {
    let parts = parts(sentence);
    let mut joined: Vec<(PieceKind, Range<usize>)> = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let (kind, span, taken) = longest(sentence, &parts[at..]);
        joined.push((kind, span));
        at += taken;
    }
    let mut tokens = Vec::with_capacity(joined.len());
    for (number, (kind, span)) in joined.iter().enumerate() {
        let next = joined.get(number + 1).map(|(_, next)| next.start);
        let is_joined = next == Some(span.end);
        tokens.push(Token { form: &sentence[span.clone()], kind: *kind, is_joined });
    }
    tokens
}

type Part = (PieceKind, Range<usize>);

/// Pieces with runs of signs cut into equal signs, and without white space of any kind.
fn parts(sentence: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for piece in pieces(sentence) {
        if piece.kind != PieceKind::Symbol {
            parts.push((piece.kind, piece.span));
            continue;
        }
        let mut last: Option<(char, usize)> = None;
        for (at, sign) in sentence[piece.span.clone()].char_indices() {
            let at = piece.span.start + at;
            let end = at + sign.len_utf8();
            if is_blank(sign) {
                last = None;
            } else if last == Some((sign, at)) {
                if let Some((_, span)) = parts.last_mut() {
                    span.end = end;
                }
                last = Some((sign, end));
            } else {
                parts.push((PieceKind::Symbol, at..end));
                last = Some((sign, end));
            }
        }
    }
    parts
}

/// What stands between tokens, or cannot stand in one.
fn is_blank(sign: char) -> bool {
    sign.is_whitespace()
        || sign.is_control()
        || matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}' | '\u{feff}')
}

/// The longest token that begins here, and of how many parts it is made.
fn longest(sentence: &str, parts: &[Part]) -> (PieceKind, Range<usize>, usize) {
    let (mut kind, mut span) = parts[0].clone();
    let mut taken = 1;
    while matches!(kind, PieceKind::Word | PieceKind::Number)
        && let [(PieceKind::Symbol, sign), rest @ ..] = &parts[taken..]
        && sign.start == span.end
    {
        let (word, written) = (&sentence[span.clone()], &sentence[sign.clone()]);
        let next = rest.first().filter(|(_, next)| next.start == sign.end);
        match next {
            Some((next, at)) if joins(word, written, *next, &sentence[at.clone()]) => {
                if *next == PieceKind::Number {
                    kind = PieceKind::Number;
                }
                span.end = at.end;
                taken += 2;
            }
            next => {
                let stands_before_word = next.is_some_and(|(next, _)| *next != PieceKind::Symbol);
                let goes_on = rest.iter().any(|(kind, _)| *kind != PieceKind::Symbol);
                if written == "." && !stands_before_word && (goes_on || is_abbreviated(word)) {
                    span.end = sign.end;
                    taken += 1;
                }
                break;
            }
        }
    }
    (kind, span, taken)
}

/// Whether a word, a sign and what follows without white space are one token.
fn joins(word: &str, sign: &str, next: PieceKind, following: &str) -> bool {
    match (sign, next) {
        ("-" | "‐" | "‑", PieceKind::Word | PieceKind::Number) => true,
        ("." | "," | ":" | "/", PieceKind::Number) => {
            is_digits(word) && starts_with_digit(following)
        }
        (".", PieceKind::Word) => is_initials(word) && is_letter(following),
        _ => false,
    }
}

fn is_digits(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '/' | '-'))
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn is_letter(text: &str) -> bool {
    text.chars().count() == 1
}

/// One letter, or such with dots between: `z`, `z.B`.
fn is_initials(text: &str) -> bool {
    text.split('.').all(is_letter)
}

fn is_abbreviated(text: &str) -> bool {
    text.contains('.') && is_initials(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> String {
        let sentences = sentences(text);
        let lines: Vec<String> = sentences
            .iter()
            .map(|tokens| tokens.iter().map(|it| it.form).collect::<Vec<_>>().join("|"))
            .collect();
        lines.join(" ¶ ")
    }

    #[test]
    fn tokens_of_german() {
        #[rustfmt::skip]
        let cases = [
            ("Der Hund bellt.",                 "Der|Hund|bellt|."),
            ("Er kam. Sie ging!",               "Er|kam|. ¶ Sie|ging|!"),
            ("Das Rhein-Main-Gebiet, e.V.",     "Das|Rhein-Main-Gebiet|,|e.V."),
            ("Dr. Maier liest am 3. Oktober.",  "Dr.|Maier|liest|am|3.|Oktober|."),
            ("Das kostet 3.000,50 Euro (rund)", "Das|kostet|3.000,50|Euro|(|rund|)"),
            ("z.B. um 10:30 Uhr",               "z.B.|um|10:30|Uhr"),
            ("Siehe http://a.example/b.",       "Siehe|http://a.example/b|."),
            ("Er sagte: „Nein!“",               "Er|sagte|:|„|Nein|!|“"),
            ("Moment ... weiter",               "Moment|...|weiter"),
            ("Über\u{a0}uns",                   "Über|uns"),
            ("geht's?!",                        "geht's|?|!"),
            ("Prof. Dr. A. Weber.",             "Prof.|Dr.|A.|Weber|."),
            ("Ein- und Ausgang",                "Ein|-|und|Ausgang"),
            (" \u{200b} ",                      ""),
        ];
        for (text, expected) in cases {
            assert_eq!(cut(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_but_white_space_is_lost(text in "\\PC{0,60}|[A-Za-zß0-9 .,:!?\"'()-]{0,80}") {
            let tokens: String = sentences(&text).iter().flatten().map(|token| token.form).collect();
            let letters: String = text.chars().filter(|c| !is_blank(*c)).collect();
            let kept: String = tokens.chars().filter(|c| !is_blank(*c)).collect();
            prop_assert_eq!(kept, letters);
            for token in sentences(&text).iter().flatten() {
                prop_assert!(!token.form.is_empty());
                prop_assert!(!token.form.contains(char::is_whitespace));
            }
        }
    }
}
