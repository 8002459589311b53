//! Looks into a layout text by its words.

use auslese_layout::{LayoutBlock, LayoutText, LayoutWord};

pub(crate) fn texts(text: &LayoutText) -> Vec<&str> {
    blocks(text).flat_map(words).map(|word| word.text.as_str()).collect()
}

/// The first word of this text, and the block it stands in.
pub(crate) fn block_with<'a>(
    text: &'a LayoutText,
    wanted: &str,
) -> (&'a LayoutBlock, &'a LayoutWord) {
    let pairs = || blocks(text).flat_map(|block| words(block).map(move |word| (block, word)));
    pairs().find(|(_, word)| word.text == wanted).unwrap_or_else(|| panic!("no word {wanted}"))
}

fn blocks(text: &LayoutText) -> impl Iterator<Item = &LayoutBlock> {
    text.pages.iter().flat_map(|page| &page.blocks)
}

fn words(block: &LayoutBlock) -> impl Iterator<Item = &LayoutWord> {
    block.lines.iter().flat_map(|line| &line.words)
}
