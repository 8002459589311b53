//! Running text cut into words and what is no word: addresses, numbers, signs.
//!
//! [`crate::tokens()`] finds words for comparing names. Here each stretch of a text gets a kind, since
//! whoever counts words must know what is none: a web address is made of letters and says nothing
//! about the language around it. Hyphens end a word, so that compounds are judged part by part; an
//! apostrophe between letters belongs to the word (`geht's`); soft hyphens and marks do too.
//!
//! One pass over the bytes, no allocation, linear in the length of the text.

use crate::addresses::{self, Address};
use crate::fold::is_mark;
use std::ops::Range;

/// A stretch of text and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub kind: PieceKind,
    /// In bytes.
    pub span: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PieceKind {
    Word,
    /// Digits, also mixed with letters: `3D`, `B2B`, `1.`.
    Number,
    /// A web address, a host name or the name of a file.
    Url,
    Mail,
    /// Signs and punctuation.
    Symbol,
}

/// The pieces of a text in order; white space between them is left out.
///
/// ```
/// use auslese_words::{PieceKind, pieces};
///
/// let text = "Mehr: www.uni-ulm.de, 3 Hefte";
/// let words: Vec<&str> = pieces(text)
///     .filter(|piece| piece.kind == PieceKind::Word)
///     .map(|piece| &text[piece.span])
///     .collect();
/// assert_eq!(words, ["Mehr", "Hefte"]);
/// ```
pub fn pieces(text: &str) -> Pieces<'_> {
    Pieces { text, at: 0, chunk_end: 0, address: None }
}

/// See [`pieces`].
#[derive(Debug, Clone)]
pub struct Pieces<'t> {
    text: &'t str,
    at: usize,
    /// Where the stretch without white space ends in which `at` lies.
    chunk_end: usize,
    /// The next address of this stretch.
    address: Option<Address>,
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        if self.at == self.chunk_end {
            self.next_chunk()?;
        }
        let start = self.at;
        let limit = match &self.address {
            Some(address) if address.span.start == start => return Some(self.take_address()),
            Some(address) => address.span.start,
            None => self.chunk_end,
        };
        let (kind, end) = run_of_letters(self.text, start, limit)
            .unwrap_or_else(|| (PieceKind::Symbol, end_of_signs(self.text, start, limit)));
        self.at = end;
        Some(Piece { kind, span: start..end })
    }
}

impl Pieces<'_> {
    fn next_chunk(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let start = self.at + bytes[self.at..].iter().position(|byte| !is_space(*byte))?;
        let mut end = start;
        let mut suspicious = false;
        while let Some(&byte) = bytes.get(end)
            && !is_space(byte)
        {
            suspicious |= matches!(byte, b'@' | b'.' | b':');
            end += 1;
        }
        self.at = start;
        self.chunk_end = end;
        self.address = None;
        if suspicious {
            self.address = addresses::first(self.text, start..end);
        }
        Some(())
    }

    fn take_address(&mut self) -> Piece {
        let Some(Address { kind, span }) = self.address.take() else {
            return Piece { kind: PieceKind::Symbol, span: self.at..self.at };
        };
        self.at = span.end;
        self.address = addresses::first(self.text, span.end..self.chunk_end);
        Piece { kind, span }
    }
}

/// Only these part a text into stretches that may be an address; other white space, which is rare,
/// ends words like any sign.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// A word or number that begins here.
#[inline]
fn run_of_letters(text: &str, start: usize, limit: usize) -> Option<(PieceKind, usize)> {
    let mut at = start;
    let mut digits = false;
    while at < limit {
        match part_at(text, at, limit, at > start) {
            Part::Letter(length) => at += length,
            Part::Digit(length) => {
                digits = true;
                at += length;
            }
            Part::No => break,
        }
    }
    let kind = if digits { PieceKind::Number } else { PieceKind::Word };
    (at > start).then_some((kind, at))
}

/// What a character contributes to a word, with its length in bytes.
enum Part {
    Letter(usize),
    Digit(usize),
    No,
}

#[inline]
fn part_at(text: &str, at: usize, limit: usize, inside: bool) -> Part {
    match text.as_bytes()[at] {
        b'a'..=b'z' | b'A'..=b'Z' => Part::Letter(1),
        b'0'..=b'9' => Part::Digit(1),
        b'\'' if inside && letter_at(text, at + 1, limit) => Part::Letter(1),
        byte if byte.is_ascii() => Part::No,
        _ => part_beyond_ascii(text, at, limit, inside),
    }
}

fn part_beyond_ascii(text: &str, at: usize, limit: usize, inside: bool) -> Part {
    let Some(letter) = text[at..].chars().next() else { return Part::No };
    let length = letter.len_utf8();
    match letter {
        '’' | 'ʼ' if inside && letter_at(text, at + length, limit) => Part::Letter(length),
        '’' | 'ʼ' => Part::No,
        letter if letter.is_alphabetic() => Part::Letter(length),
        letter if letter.is_numeric() => Part::Digit(length),
        letter if inside && (is_mark(letter) || is_invisible(letter)) => Part::Letter(length),
        _ => Part::No,
    }
}

fn letter_at(text: &str, at: usize, limit: usize) -> bool {
    at < limit && text[at..].chars().next().is_some_and(char::is_alphabetic)
}

/// Where a word may be broken, or how its letters join: no letters, but inside of words.
pub(crate) fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

fn end_of_signs(text: &str, start: usize, limit: usize) -> usize {
    // The first is no part of a word, even if it is a letter elsewhere, as `ʼ` is.
    let others = text[start..limit].chars().skip(1).take_while(|sign| !sign.is_alphanumeric());
    let first = text[start..limit].chars().next().map_or(0, char::len_utf8);
    start + first + others.map(char::len_utf8).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::PieceKind::{Mail, Number, Symbol, Url, Word};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn kinds() {
        #[rustfmt::skip]
        let cases: &[(&str, &[(PieceKind, &str)])] = &[
            ("Der Hund.",              &[(Word, "Der"), (Word, "Hund"), (Symbol, ".")]),
            ("Rhein-Main",             &[(Word, "Rhein"), (Symbol, "-"), (Word, "Main")]),
            ("geht's geht’s 'gut'",    &[(Word, "geht's"), (Word, "geht’s"), (Symbol, "'"), (Word, "gut"), (Symbol, "'")]),
            ("Stra\u{ad}ße",           &[(Word, "Stra\u{ad}ße")]),
            ("u\u{308}ber",            &[(Word, "u\u{308}ber")]),
            ("Über\u{a0}uns",          &[(Word, "Über"), (Symbol, "\u{a0}"), (Word, "uns")]),
            ("3D 12 B2B",              &[(Number, "3D"), (Number, "12"), (Number, "B2B")]),
            ("www.uni-ulm.de.",        &[(Url, "www.uni-ulm.de"), (Symbol, ".")]),
            ("(http://a.example/b?c)", &[(Symbol, "("), (Url, "http://a.example/b?c"), (Symbol, ")")]),
            ("Post: a.b@uni.example!", &[(Word, "Post"), (Symbol, ":"), (Mail, "a.b@uni.example"), (Symbol, "!")]),
            ("uni.de,spiegel.de",      &[(Url, "uni.de"), (Symbol, ","), (Url, "spiegel.de")]),
            ("z.B. d.h.",              &[(Word, "z"), (Symbol, "."), (Word, "B"), (Symbol, "."), (Word, "d"), (Symbol, "."), (Word, "h"), (Symbol, ".")]),
            ("Ende.Der Anfang",        &[(Word, "Ende"), (Symbol, "."), (Word, "Der"), (Word, "Anfang")]),
            ("Привет 東京",             &[(Word, "Привет"), (Word, "東京")]),
            ("ʼn ok'aʼ",               &[(Symbol, "ʼ"), (Word, "n"), (Word, "ok'a"), (Symbol, "ʼ")]),
            ("  ",                     &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<_> = pieces(text).map(|piece| (piece.kind, &text[piece.span])).collect();
            assert_eq!(&found, expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn pieces_cover_all_but_white_space(text in "[a-zäß0-9@:/.' \u{ad}\u{308}’ʼ-]{0,40}|\\PC{0,40}") {
            let mut end = 0;
            for piece in pieces(&text) {
                prop_assert!(piece.span.start < piece.span.end);
                prop_assert!(text[end..piece.span.start].chars().all(char::is_whitespace));
                end = piece.span.end;
            }
            prop_assert!(text[end..].chars().all(char::is_whitespace));
        }
    }
}
