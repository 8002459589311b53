//! What one block adds to the numbers about a document.

use super::count;
use super::lexicon::Classes;
use super::web::WebTally;
use super::words::{Word, running_words};
use crate::orality::Tally;
use auslese_markup::TextBlock;
use auslese_words::sentence_spans;
use std::ops::Range;

#[derive(Debug, Clone, Default)]
pub(super) struct Style {
    pub(super) words: u32,
    /// Words that hold sentences together, in the larger European languages.
    pub(super) function_words: u32,
    /// Which of the lengths of sentences are those of this block.
    pub(super) lengths: Range<usize>,
    pub(super) orality: Tally,
    pub(super) web: WebTally,
}

impl Style {
    /// Counts a block; the length of each sentence in words is added to `lengths`.
    pub(super) fn of(block: &TextBlock, lengths: &mut Vec<u32>) -> Style {
        let mut style = Style { lengths: lengths.len()..lengths.len(), ..Style::default() };
        let mut sentence: Vec<Word<'_>> = Vec::new();
        for span in sentence_spans(&block.text) {
            let text = &block.text[span];
            sentence.clear();
            sentence.extend(running_words(text));
            if sentence.is_empty() {
                continue;
            }
            let function_words = sentence.iter().filter(|word| word.is(Classes::FUNCTION));
            style.function_words =
                style.function_words.saturating_add(count(function_words.count()));
            style.words = style.words.saturating_add(count(sentence.len()));
            lengths.push(count(sentence.len()));
            style.orality.sentence(text, &sentence);
            style.web.sentence(text, &sentence);
        }
        style.lengths.end = lengths.len();
        style
    }
}
