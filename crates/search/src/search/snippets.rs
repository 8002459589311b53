//! The stretch of a text that shows best why it was found, with marks.
//!
//! A word is marked if it is one of the forms that the query looked for, or by a piece of a compound. The stretch with the most different words wins, then the one with the most
//! words, then the first.

use super::plan::{LeafKind, Planned};
use crate::analysis::{Analyzer, folded_word, word_of};
use crate::document::{IndexedDocument, cut_text};
use crate::ranking::PostingList;
use auslese_words::{StemLanguage, token_spans};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::ops::Range;

/// About how long a snippet is.
pub const SNIPPET_BYTES: usize = 240;

/// Bytes of a text in which a snippet is looked for.
pub const MAX_SNIPPET_TEXT: usize = 128 << 10;

/// Plain text, no mark-up; line ends are spaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct Snippet {
    pub text: String,
    /// Words that were looked for, in bytes of `text`.
    pub marks: Vec<Range<usize>>,
    /// Where it begins, in bytes of the document's text.
    pub at: usize,
}

/// The forms a query looked for, each with the number of the leaf.
#[derive(Debug, Default)]
pub(crate) struct Marker {
    words: FxHashMap<String, usize>,
    pieces: FxHashMap<String, usize>,
}

impl Marker {
    pub(crate) fn new(planned: &Planned) -> Marker {
        let mut marker = Marker::default();
        for (number, leaf) in planned.leaves.iter().enumerate() {
            match &leaf.kind {
                LeafKind::Words(postings) => {
                    for posting in postings {
                        let forms = match posting.list {
                            PostingList::Words(_) => &mut marker.words,
                            PostingList::Pieces(_) => &mut marker.pieces,
                            PostingList::Subjects => continue,
                        };
                        forms.entry(word_of(&posting.term).0.to_owned()).or_insert(number);
                    }
                }
                LeafKind::Phrase { groups, .. } | LeafKind::Near { groups, .. } => {
                    for term in groups.iter().flatten() {
                        marker.words.entry(word_of(term).0.to_owned()).or_insert(number);
                    }
                }
            }
        }
        marker
    }

    pub(crate) fn snippet(&self, document: &IndexedDocument, analyzer: &mut Analyzer) -> Snippet {
        let text = cut_text(&document.text, MAX_SNIPPET_TEXT);
        let language = document.language.as_deref().and_then(StemLanguage::from_tag);
        let mut known: FxHashMap<String, Option<usize>> = FxHashMap::default();
        let mut marks = Vec::new();
        for span in token_spans(text) {
            let word = folded_word(&text[span.clone()]);
            let leaf = match known.get(&word) {
                Some(leaf) => *leaf,
                None => {
                    let leaf = self.leaf_of(&word, language, analyzer);
                    known.insert(word, leaf);
                    leaf
                }
            };
            if let Some(leaf) = leaf {
                marks.push((span, leaf));
            }
        }
        cut_out(text, &marks)
    }

    fn leaf_of(
        &self,
        word: &str,
        language: Option<StemLanguage>,
        analyzer: &mut Analyzer,
    ) -> Option<usize> {
        if let Some(leaf) = self.words.get(word) {
            return Some(*leaf);
        }
        if self.pieces.is_empty() {
            return None;
        }
        let (_, mut pieces) = analyzer.stem_and_pieces(word, language?);
        pieces.find_map(|piece| self.pieces.get(piece)).copied()
    }
}

/// The best stretch; the beginning if nothing is marked.
fn cut_out(text: &str, marks: &[(Range<usize>, usize)]) -> Snippet {
    let (first, last) = best_window(marks);
    let (from, to) = match marks.get(first..last) {
        Some([]) | None => (0, 0),
        Some(inside) => (inside[0].0.start, inside[inside.len() - 1].0.end),
    };
    let spare = SNIPPET_BYTES.saturating_sub(to - from);
    let start = word_start(text, from.saturating_sub(spare / 3));
    let end = word_end(text, (start + SNIPPET_BYTES.max(to - start)).min(text.len()));
    let mut snippet = Snippet { text: String::new(), marks: Vec::new(), at: start };
    // White space and control characters become single spaces, so places move.
    let mut marks =
        marks.iter().map(|(span, _)| span).filter(|span| span.start >= start).peekable();
    let mut open = None;
    for (at, letter) in text[start..end].char_indices() {
        let at = start + at;
        if let Some(begun) = open
            && marks.peek().is_some_and(|span| span.end <= at)
        {
            snippet.marks.push(begun..snippet.text.len());
            open = None;
            marks.next();
        }
        if marks.peek().is_some_and(|span| span.start == at) {
            open = Some(snippet.text.len());
        }
        let is_space = letter.is_whitespace() || letter.is_control();
        if !is_space {
            snippet.text.push(letter);
        } else if !snippet.text.is_empty() && !snippet.text.ends_with(' ') {
            snippet.text.push(' ');
        }
    }
    if let Some(begun) = open {
        snippet.marks.push(begun..snippet.text.len());
    }
    let length = snippet.text.trim_end().len();
    snippet.text.truncate(length);
    snippet
}

/// The marks of the best stretch, as a range of their numbers.
fn best_window(marks: &[(Range<usize>, usize)]) -> (usize, usize) {
    let mut best = (0, 0);
    let mut best_worth = (0, 0);
    let mut last = 0;
    for first in 0..marks.len() {
        last = last.max(first);
        while last < marks.len() && marks[last].0.end - marks[first].0.start <= SNIPPET_BYTES {
            last += 1;
        }
        let leaves: FxHashSet<usize> = marks[first..last].iter().map(|(_, leaf)| *leaf).collect();
        let worth = (leaves.len(), last - first);
        if worth > best_worth {
            best_worth = worth;
            best = (first, last);
        }
    }
    best
}

/// The beginning of a word near a place, not before it by more than some letters.
fn word_start(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at.min(text.len()));
    if at == 0 {
        return 0;
    }
    let limit = text.floor_char_boundary((at + 30).min(text.len()));
    let space = text[at..limit].find(char::is_whitespace);
    space.map_or(at, |space| {
        let rest = &text[at + space..];
        at + space + rest.len() - rest.trim_start().len()
    })
}

fn word_end(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at.min(text.len()));
    let limit = text.floor_char_boundary((at + 30).min(text.len()));
    text[at..limit].find(char::is_whitespace).map_or(at, |space| at + space)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_stretch_with_most_words() {
        let filler = "bla bla bla ".repeat(40);
        let text = format!("Haus. {filler}Das\n Haus am See\tund mehr. {filler}");
        let place = |word: &str, leaf: usize| {
            text.match_indices(word)
                .map(move |(at, it)| (at..at + it.len(), leaf))
                .collect::<Vec<_>>()
        };
        let mut marks: Vec<(Range<usize>, usize)> = [place("Haus", 0), place("See", 1)].concat();
        marks.sort_by_key(|(span, _)| span.start);
        let snippet = cut_out(&text, &marks);
        assert!(snippet.text.contains("Das Haus am See und mehr."), "{}", snippet.text);
        let marked: Vec<&str> = snippet.marks.iter().map(|it| &snippet.text[it.clone()]).collect();
        assert_eq!(marked, ["Haus", "See"]);
    }

    proptest! {
        #[test]
        fn marks_lie_within(text in "[a-cä \\n]{0,600}", every in 1usize..9) {
            let spans = token_spans(&text).enumerate();
            let marks: Vec<_> = spans.filter(|(n, _)| n % every == 0).map(|(n, it)| (it, n % 2)).collect();
            let snippet = cut_out(&text, &marks);
            for mark in &snippet.marks {
                prop_assert!(!snippet.text[mark.clone()].trim().is_empty());
            }
            prop_assert!(snippet.text.len() <= SNIPPET_BYTES + 700);
        }
    }
}
