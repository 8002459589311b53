//! What stands left and right of a node.
//!
//! Contexts are for reading: the text with its punctuation, white space and control characters as
//! single blanks. They are collected from the node outwards and end at a limit, so a text without
//! blanks, or with nothing else, costs no more than any other.

use crate::query::Hit;
use crate::tokens::Reading;
use serde::{Deserialize, Serialize};

/// Characters shown on each side at most, and of a node.
pub const MAX_CONTEXT: usize = 1_000;

/// Characters that are looked at for one that is shown: the others are white space.
const LOOKED_AT: usize = 4;

/// How much is shown on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Context {
    Characters(usize),
    Tokens(usize),
    /// The sentence of the node, if the reading knows sentences.
    Sentence,
}

impl Default for Context {
    fn default() -> Context {
        Context::Characters(60)
    }
}

pub(super) struct Shown {
    pub(super) left: String,
    pub(super) node: String,
    pub(super) right: String,
}

pub(super) fn around(reading: &Reading<'_>, hit: Hit, context: Context) -> Shown {
    let text = reading.text.text;
    let tokens = hit.tokens();
    let (first, last) = (tokens.start, tokens.end - 1);
    let (start, end) = (reading.span(first).start, reading.span(last).end);
    let (from, to, characters) = match context {
        Context::Characters(count) => (0, text.len(), count.min(MAX_CONTEXT)),
        Context::Tokens(count) => {
            let from = first.saturating_sub(count);
            let to = last.saturating_add(count).min(reading.len() - 1);
            (reading.span(from).start, reading.span(to).end, MAX_CONTEXT)
        }
        Context::Sentence => {
            let (from, to) = (reading.run_of(first).start, reading.run_of(last).end);
            let to = if to < reading.len() { reading.span(to).start } else { text.len() };
            let from = if from > 0 { reading.span(from).start } else { 0 };
            (from, to, MAX_CONTEXT)
        }
    };
    // Where the context is meant to end with a word, one that had to end earlier says so.
    let marks = !matches!(context, Context::Characters(_));
    let (left, left_whole) = collapsed(text[from..start].chars().rev(), characters);
    let (right, right_whole) = collapsed(text[end..to].chars(), characters);
    let (node, node_whole) = collapsed(text[start..end].chars(), MAX_CONTEXT);
    let mut left: String = left.chars().rev().collect();
    if marks && !left_whole {
        left.insert(0, '…');
    }
    let ended = |text: String, whole: bool| if whole { text } else { text + "…" };
    let left = left.trim().trim_start_matches(is_combining).to_owned();
    Shown {
        left,
        node: ended(node, node_whole),
        right: ended(right.trim_start().to_owned(), right_whole || !marks).trim_end().to_owned(),
    }
}

/// Characters with blanks for white space, up to a limit, and whether these were all.
fn collapsed(mut characters: impl Iterator<Item = char>, limit: usize) -> (String, bool) {
    let mut shown = String::new();
    let mut count = 0;
    let mut after_blank = false;
    for letter in characters.by_ref().take(limit * LOOKED_AT) {
        let is_blank = letter.is_whitespace() || letter.is_control();
        if is_blank && after_blank {
            continue;
        }
        if count == limit {
            return (shown, false);
        }
        after_blank = is_blank;
        shown.push(if is_blank { ' ' } else { letter });
        count += 1;
    }
    (shown, characters.next().is_none())
}

fn is_combining(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}
