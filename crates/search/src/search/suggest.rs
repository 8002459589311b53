//! Did you mean: for words that occur nowhere, the nearest words that do.

use super::expand::similar_words;
use crate::fields::TextField;
use crate::query::{Form, Node, NodeKind};
use crate::ranking::Segment;
use serde::Serialize;
use std::ops::Range;

/// Shorter words have too many neighbours.
const MIN_LETTERS: usize = 4;

/// Words offered for one.
const SHOWN: usize = 3;

/// Words for one that occurs nowhere.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suggestion {
    /// In bytes of the query.
    pub place: Range<usize>,
    pub word: String,
    /// Nearest first, each with the number of documents.
    pub instead: Vec<(String, u64)>,
}

/// Suggestions for the words of a query that `is_unknown` says occur nowhere.
pub(crate) fn suggestions(
    segments: &[Segment],
    tree: &Node,
    is_unknown: impl Fn(&Range<usize>) -> bool,
) -> Result<Vec<Suggestion>, std::io::Error> {
    let mut leaves = Vec::new();
    tree.leaves(&mut leaves);
    let mut found = Vec::new();
    for leaf in leaves {
        let NodeKind::Word { word, form: Form::Stem, .. } = &leaf.kind else { continue };
        let letters = word.chars().count();
        if letters < MIN_LETTERS || !word.contains(char::is_alphabetic) || !is_unknown(&leaf.place)
        {
            continue;
        }
        let distance = if letters < 6 { 1 } else { 2 };
        let fields = [TextField::Text, TextField::Title];
        let words = similar_words(segments, &fields, word, distance)?.words;
        let instead: Vec<(String, u64)> =
            words.into_iter().take(SHOWN).map(|it| (it.word, it.documents)).collect();
        if !instead.is_empty() {
            found.push(Suggestion { place: leaf.place.clone(), word: word.clone(), instead });
        }
    }
    Ok(found)
}

/// The query with the first suggestion in each place.
pub(crate) fn corrected(query: &str, suggestions: &[Suggestion]) -> Option<String> {
    let mut corrected = String::new();
    let mut end = 0;
    for suggestion in suggestions {
        let (word, _) = suggestion.instead.first()?;
        if suggestion.place.start < end || !query.is_char_boundary(suggestion.place.start) {
            continue;
        }
        corrected.push_str(query.get(end..suggestion.place.start)?);
        corrected.push_str(word);
        end = suggestion.place.end;
    }
    corrected.push_str(query.get(end..)?);
    (end > 0).then_some(corrected)
}
