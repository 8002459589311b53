//! What counts as one token.
//!
//! Words and numbers are tokens, a web or mail address is one token, and signs are none. Whether
//! `Rhein-Main` and `geht's` are one word or two is a question on which corpora differ, so both
//! ways of counting are here ([`TokenRule`]), and every result says which one was used.
//!
//! A [`Reading`] is a text cut into tokens and sentences once, for all who count in it.

use crate::Text;
use crate::forms::{is_apostrophe, is_hyphen};
use auslese_words::{PieceKind, pieces, sentence_spans};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Longest text that is read, in bytes. The rest of a longer one is left out, and results count it
/// among `texts_cut`.
pub const MAX_KWIC_TEXT: usize = 16 << 20;

/// Which runs of letters are one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenRule {
    /// Parts joined by one hyphen or an apostrophe are one token (`Rhein-Main`, `COVID-19`,
    /// `geht's`); two numbers are not joined (`1914-18`).
    #[default]
    Whole,
    /// Each part is a token: `Rhein`, `Main`, `geht`, `s`.
    Parts,
}

/// Where the tokens of a text stand, in bytes.
///
/// ```
/// use auslese_kwic::{TokenRule, token_spans};
///
/// let text = "Rhein-Main: wie geht's?";
/// let tokens = |rule| token_spans(text, rule).map(|span| &text[span]).collect::<Vec<_>>();
/// assert_eq!(tokens(TokenRule::Whole), ["Rhein-Main", "wie", "geht's"]);
/// assert_eq!(tokens(TokenRule::Parts), ["Rhein", "Main", "wie", "geht", "s"]);
/// ```
pub fn token_spans(text: &str, rule: TokenRule) -> impl Iterator<Item = Range<usize>> {
    Tokens { text, rule, pieces: pieces(text), behind: None, rest: 0..0 }
}

#[derive(Debug)]
struct Tokens<'t> {
    text: &'t str,
    rule: TokenRule,
    pieces: auslese_words::Pieces<'t>,
    /// A word or address that was read while looking for the end of the one before.
    behind: Option<auslese_words::Piece>,
    /// What is left of a word that is handed out in parts.
    rest: Range<usize>,
}

impl Iterator for Tokens<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        match self.rule {
            TokenRule::Whole => self.next_whole(),
            TokenRule::Parts => self.next_part(),
        }
    }
}

impl Tokens<'_> {
    fn next_piece(&mut self) -> Option<auslese_words::Piece> {
        self.behind.take().or_else(|| self.pieces.find(|piece| piece.kind != PieceKind::Symbol))
    }

    fn next_part(&mut self) -> Option<Range<usize>> {
        loop {
            if let Some(part) = self.part_of_rest() {
                return Some(part);
            }
            let piece = self.next_piece()?;
            if !is_word(piece.kind) {
                return Some(piece.span);
            }
            self.rest = piece.span;
        }
    }

    fn part_of_rest(&mut self) -> Option<Range<usize>> {
        let Range { start, end } = self.rest.clone();
        let rest = &self.text[start..end];
        let begin = start + rest.len() - rest.trim_start_matches(is_apostrophe).len();
        let part = &self.text[begin..end];
        let length = part.find(is_apostrophe).unwrap_or(part.len());
        self.rest.start = begin + length;
        (length > 0).then_some(begin..begin + length)
    }

    fn next_whole(&mut self) -> Option<Range<usize>> {
        let first = self.next_piece()?;
        let mut token = first.span;
        if !is_word(first.kind) {
            return Some(token);
        }
        while let Some(part) = self.part_behind_hyphen(token.end) {
            token.end = part;
        }
        Some(token)
    }

    /// The end of a word that is joined by a hyphen to what ends here.
    fn part_behind_hyphen(&mut self, end: usize) -> Option<usize> {
        // The common case is a blank, and needs no look at the next piece.
        let hyphen = self.text[end..].chars().next().filter(|sign| is_hyphen(*sign))?;
        let sign = self.pieces.next()?;
        if sign.kind != PieceKind::Symbol {
            self.behind = Some(sign);
            return None;
        }
        let next = self.pieces.find(|piece| piece.kind != PieceKind::Symbol)?;
        let touches =
            sign.span == (end..end + hyphen.len_utf8()) && next.span.start == sign.span.end;
        let digits = self.text[..end].ends_with(char::is_numeric)
            && self.text[next.span.clone()].starts_with(char::is_numeric);
        if touches && is_word(next.kind) && !digits {
            return Some(next.span.end);
        }
        self.behind = Some(next);
        None
    }
}

fn is_word(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Word | PieceKind::Number)
}

/// Whether results care where sentences end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Borders {
    /// A text is one run of tokens.
    Text,
    /// Nothing reaches across the end of a sentence.
    #[default]
    Sentence,
}

/// A text cut into tokens and sentences.
#[derive(Debug, Clone)]
pub struct Reading<'t> {
    pub text: Text<'t>,
    rule: TokenRule,
    tokens: Vec<Span>,
    /// The first token of each sentence that has tokens; empty if borders do not matter.
    sentences: Vec<u32>,
    is_cut: bool,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

impl<'t> Reading<'t> {
    pub fn new(text: &Text<'t>, rule: TokenRule, borders: Borders) -> Reading<'t> {
        let whole = text.text;
        let text = Text { text: &whole[..whole.floor_char_boundary(MAX_KWIC_TEXT)], ..*text };
        let place = |at: usize| u32::try_from(at).expect("texts are cut far below 4 GiB");
        let tokens: Vec<Span> = token_spans(text.text, rule)
            .map(|span| Span { start: place(span.start), end: place(span.end) })
            .collect();
        let sentences = match borders {
            Borders::Text => Vec::new(),
            Borders::Sentence => first_tokens_of_sentences(text.text, &tokens),
        };
        Reading { text, rule, tokens, sentences, is_cut: text.text.len() < whole.len() }
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Whether the text was longer than [`MAX_KWIC_TEXT`].
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub fn rule(&self) -> TokenRule {
        self.rule
    }

    /// The token as it is written.
    pub fn token(&self, index: usize) -> &'t str {
        &self.text.text[self.span(index)]
    }

    /// Where a token stands in the text, in bytes.
    pub fn span(&self, index: usize) -> Range<usize> {
        let span = self.tokens[index];
        span.start as usize..span.end as usize
    }

    /// Runs of tokens that nothing reaches across: sentences, or the whole text.
    pub fn runs(&self) -> impl Iterator<Item = Range<usize>> {
        let whole = self.sentences.is_empty() && !self.tokens.is_empty();
        let starts = self.sentences.iter().map(|start| *start as usize);
        let ends = self.sentences.iter().skip(1).map(|start| *start as usize);
        let ends = ends.chain(std::iter::once(self.tokens.len()));
        let sentences = starts.zip(ends).map(|(start, end)| start..end);
        whole.then_some(0..self.tokens.len()).into_iter().chain(sentences)
    }

    /// The run in which a token stands.
    pub fn run_of(&self, index: usize) -> Range<usize> {
        let next = self.sentences.partition_point(|start| *start as usize <= index);
        let end = self.sentences.get(next).map_or(self.tokens.len(), |start| *start as usize);
        next.checked_sub(1).map_or(0, |at| self.sentences[at] as usize)..end
    }
}

fn first_tokens_of_sentences(text: &str, tokens: &[Span]) -> Vec<u32> {
    let mut firsts: Vec<u32> = Vec::new();
    let mut at = 0;
    for sentence in sentence_spans(text) {
        at += tokens[at..].partition_point(|token| (token.start as usize) < sentence.start);
        let first = u32::try_from(at).expect("there are fewer tokens than bytes");
        if at < tokens.len() && (tokens[at].start as usize) < sentence.end {
            firsts.push(first);
        }
    }
    if let Some(first) = firsts.first_mut() {
        *first = 0;
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str, rule: TokenRule) -> Vec<&str> {
        token_spans(text, rule).map(|span| &text[span]).collect()
    }

    #[test]
    fn whole_words_and_parts() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str], &[&str]); 13] = [
            ("Rhein-Main-Gebiet",      &["Rhein-Main-Gebiet"],        &["Rhein", "Main", "Gebiet"]),
            ("Haus- und Hof",          &["Haus", "und", "Hof"],       &["Haus", "und", "Hof"]),
            ("-Ende, so - oder",       &["Ende", "so", "oder"],       &["Ende", "so", "oder"]),
            ("geht's l’eau 'so'",      &["geht's", "l’eau", "so"],    &["geht", "s", "l", "eau", "so"]),
            ("COVID-19, 2-jährig",     &["COVID-19", "2-jährig"],     &["COVID", "19", "2", "jährig"]),
            ("1914-18 2024-05-01",     &["1914", "18", "2024", "05", "01"], &["1914", "18", "2024", "05", "01"]),
            ("a--b c-–d",              &["a", "b", "c", "d"],         &["a", "b", "c", "d"]),
            ("a-(b)-c",                &["a", "b", "c"],              &["a", "b", "c"]),
            ("x-y-",                   &["x-y"],                      &["x", "y"]),
            ("www.uni-ulm.de, m@x.de", &["www.uni-ulm.de", "m@x.de"], &["www.uni-ulm.de", "m@x.de"]),
            ("Uni\u{ad}versität",      &["Uni\u{ad}versität"],        &["Uni\u{ad}versität"]),
            ("שלום עולם",              &["שלום", "עולם"],             &["שלום", "עולם"]),
            (" … ",                    &[],                           &[]),
        ];
        for (text, whole, parts) in cases {
            assert_eq!(tokens(text, TokenRule::Whole), whole, "{text}");
            assert_eq!(tokens(text, TokenRule::Parts), parts, "{text}");
        }
    }

    #[test]
    fn runs_are_sentences() {
        let runs = |text: &str, borders| -> Vec<Range<usize>> {
            let text = Text { text, ..Text::default() };
            Reading::new(&text, TokenRule::Whole, borders).runs().collect()
        };
        let text = "Ein Satz. … Noch einer hier! Ende";
        assert_eq!(runs(text, Borders::Sentence), [0..2, 2..5, 5..6]);
        assert_eq!(runs(text, Borders::Text), std::slice::from_ref(&(0..6)));
        assert!(runs("", Borders::Sentence).is_empty());
        assert!(runs("…", Borders::Text).is_empty());
        let text = Text { text, ..Text::default() };
        let reading = Reading::new(&text, TokenRule::Whole, Borders::Sentence);
        let found: Vec<Range<usize>> = (0..reading.len()).map(|at| reading.run_of(at)).collect();
        assert_eq!(found, [0..2, 0..2, 2..5, 2..5, 2..5, 5..6]);
    }
}
