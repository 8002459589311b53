//! Words divided at the end of a line are made whole.
//!
//! A hyphen at the end of a line goes when the next line begins with a small letter, as the words
//! of German and English are divided. It stays when a capital or a digit follows, because that is
//! a compound (`Baden-Württemberg`), and when a conjunction follows, because then half a compound
//! was left out (`Ein- und Ausgabe`); that one is not joined to the next word either.

use crate::{LayoutBlock, LayoutPage, LayoutWord};

/// Words after which a hyphen stands for half a compound.
const CONJUNCTIONS: [&str; 12] = [
    "und",
    "oder",
    "bzw.",
    "beziehungsweise",
    "sowie",
    "noch",
    "als",
    "bis",
    "and",
    "or",
    "to",
    "nor",
];

/// Joins the words divided within blocks, and from the end of one column to the next.
pub(super) fn join(blocks: &mut [LayoutBlock]) {
    for block in blocks.iter_mut() {
        for line in 1..block.lines.len() {
            let (before, after) = block.lines.split_at_mut(line);
            let divided = before.last_mut().and_then(|line| line.words.last_mut());
            let rest = after.first().and_then(|line| line.words.first());
            if let (Some(divided), Some(rest)) = (divided, rest) {
                join_words(divided, rest);
            }
        }
    }
    for next in 1..blocks.len() {
        let (before, after) = blocks.split_at_mut(next);
        if let (Some(before), Some(after)) = (before.last_mut(), after.first())
            && before.column != after.column
        {
            join_blocks(before, after);
        }
    }
}

/// Joins words that are divided at the end of a page: its last block of text and the first of the
/// next page. The running head and the page number stand between, so blocks of one line are passed over.
pub fn join_pages(pages: &mut [LayoutPage]) {
    for next in 1..pages.len() {
        let (before, after) = pages.split_at_mut(next);
        let is_text = |block: &&LayoutBlock| block.lines.len() > 1;
        let divided = before
            .last_mut()
            .and_then(|page| page.blocks.iter_mut().rev().find(|block| block.lines.len() > 1));
        let rest = after.first().and_then(|page| page.blocks.iter().find(is_text));
        if let (Some(divided), Some(rest)) = (divided, rest) {
            join_blocks(divided, rest);
        }
    }
}

fn join_blocks(before: &mut LayoutBlock, after: &LayoutBlock) {
    let divided = before.lines.last_mut().and_then(|line| line.words.last_mut());
    let rest = after.lines.first().and_then(|line| line.words.first());
    if let (Some(divided), Some(rest)) = (divided, rest)
        && (divided.style.size - rest.style.size).abs() < 0.1
        && rest.text.starts_with(char::is_lowercase)
    {
        join_words(divided, rest);
    }
}

fn join_words(divided: &mut LayoutWord, rest: &LayoutWord) {
    if let Some(start) = divided.text.strip_suffix('\u{AD}') {
        divided.text = start.to_owned();
        divided.continues = true;
        return;
    }
    let Some(start) = divided.text.strip_suffix(['-', '\u{2010}']) else { return };
    if !start.ends_with(char::is_alphanumeric) || CONJUNCTIONS.contains(&rest.text.as_str()) {
        return;
    }
    let Some(first) = rest.text.chars().next().filter(|first| first.is_alphanumeric()) else {
        return;
    };
    divided.continues = true;
    // No word is divided after its first letter, so that one has a meaning of its own: x-axis.
    let letters = start.chars().rev().take_while(|letter| letter.is_alphabetic()).take(2).count();
    if first.is_lowercase() && letters == 2 {
        divided.text = start.to_owned();
    }
}
