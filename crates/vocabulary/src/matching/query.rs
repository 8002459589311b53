//! A question as its parser hands it over: words and phrases with their places.

use auslese_words::{fold, token_spans};
use serde::Serialize;
use std::ops::Range;

/// Words of a question that are looked at.
pub const MAX_QUERY_WORDS: usize = 256;

/// A word or a phrase of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueryPart {
    pub text: String,
    /// Where it stands in the question, in bytes.
    pub place: Range<usize>,
    pub kind: QueryPartKind,
    /// Words of the same run may form a label together; those in different brackets, or with
    /// operators between them, are in different runs.
    pub run: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueryPartKind {
    Word,
    /// Found as a whole or not at all.
    Phrase,
}

impl QueryPart {
    pub fn word(text: &str, place: Range<usize>) -> QueryPart {
        QueryPart { text: text.to_owned(), place, kind: QueryPartKind::Word, run: 0 }
    }

    pub fn phrase(text: &str, place: Range<usize>) -> QueryPart {
        QueryPart { text: text.to_owned(), place, kind: QueryPartKind::Phrase, run: 0 }
    }

    /// The words of a plain text without operators, all in one run.
    ///
    /// ```
    /// use auslese_vocabulary::QueryPart;
    ///
    /// let parts = QueryPart::words_of("soziale Mobilität");
    /// assert_eq!((parts[1].text.as_str(), parts[1].place.clone()), ("Mobilität", 8..18));
    /// ```
    pub fn words_of(text: &str) -> Vec<QueryPart> {
        let mut parts: Vec<QueryPart> = Vec::new();
        let mut at = 0;
        for word in text.split_whitespace() {
            let start = at + text[at..].find(word).expect("it was split from there");
            at = start + word.len();
            parts.push(QueryPart::word(word, start..at));
        }
        parts
    }
}

/// One word of a question, as it is compared.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) folded: String,
    pub(super) place: Range<usize>,
    /// Which part it is of, and where it stands in its text.
    pub(super) part: usize,
    pub(super) span: Range<usize>,
}

/// A row of words that may be a label.
pub(crate) struct Stretch {
    pub(super) tokens: Range<usize>,
    pub(super) place: Range<usize>,
    pub(super) text: String,
}

#[derive(Debug)]
pub(super) struct QueryTokens<'q> {
    parts: &'q [QueryPart],
    pub(super) tokens: Vec<Token>,
}

impl<'q> QueryTokens<'q> {
    pub(super) fn of(parts: &'q [QueryPart]) -> QueryTokens<'q> {
        let mut tokens = Vec::new();
        for (part, it) in parts.iter().enumerate() {
            for span in token_spans(&it.text) {
                if tokens.len() >= MAX_QUERY_WORDS {
                    break;
                }
                // Where the text is not what stands in the question, its words have the whole place.
                let place = match it.text.len() == it.place.len() {
                    true => it.place.start + span.start..it.place.start + span.end,
                    false => it.place.clone(),
                };
                tokens.push(Token { folded: fold(&it.text[span.clone()]), place, part, span });
            }
        }
        QueryTokens { parts, tokens }
    }

    /// The stretch of these tokens, if they may form a label together.
    pub(super) fn stretch(&self, tokens: Range<usize>) -> Option<Stretch> {
        let (first, last) = (&self.tokens[tokens.start], &self.tokens[tokens.end - 1]);
        let parts = &self.parts[first.part..=last.part];
        let one_run = parts.iter().all(|it| it.run == parts[0].run);
        let whole_phrase = || {
            let outside = |at: Option<usize>| {
                at.and_then(|at| self.tokens.get(at)).is_none_or(|it| it.part != first.part)
            };
            parts.len() == 1 && outside(tokens.start.checked_sub(1)) && outside(Some(tokens.end))
        };
        let has_phrase = parts.iter().any(|it| it.kind == QueryPartKind::Phrase);
        if !one_run || (has_phrase && !whole_phrase()) {
            return None;
        }
        let place = first.place.start..last.place.end;
        let text = match parts {
            [only] => only.text[first.span.start..last.span.end].to_owned(),
            [start, between @ .., end] => {
                let mut text = start.text[first.span.start..].to_owned();
                for part in between {
                    text = format!("{text} {}", part.text);
                }
                format!("{text} {}", &end.text[..last.span.end])
            }
            [] => return None,
        };
        Some(Stretch { tokens, place, text })
    }
}
