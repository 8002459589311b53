//! The numbers about a document: counts, elements, words, sentences, and the features of its style.
//!
//! Words and characters are counted over the whole visible text. What describes the style (lengths
//! of sentences, orality, the ways of the web) is measured on the blocks that are no boilerplate:
//! navigation bars would drown it. Every name is described in `docs/features.md`.

mod boilerplate;
mod elements;
mod lengths;
pub(crate) mod lexicon;
mod style;
mod web;
pub(crate) mod words;

pub use boilerplate::{Boilerplate, MAX_NEIGHBOURS};
pub use elements::{MAX_ELEMENT_NAME, MAX_ELEMENT_NAMES, Standing, standing};

pub(crate) use elements::count_elements;

use crate::orality::Tally;
use crate::reading::Block;
use auslese_markup::TextBlock;
use auslese_model::Counts;
use lengths::Lengths;
use std::collections::BTreeMap;
use style::Style;
use web::WebTally;

/// Classifies the blocks and counts what is in them. Counts of elements stay as they are.
///
/// The words are visited once: what a block adds to the style is counted before it is known whether
/// the block is boilerplate, and summed up afterwards.
pub(crate) fn count_text(
    blocks: Vec<TextBlock>,
    counts: &mut Counts,
    features: &mut BTreeMap<String, f64>,
) -> Vec<Block> {
    let mut lengths = Vec::new();
    let styles: Vec<Style> = blocks.iter().map(|block| Style::of(block, &mut lengths)).collect();
    let classes = boilerplate::classify(&blocks, &styles);
    let blocks: Vec<Block> =
        blocks.into_iter().zip(classes).map(|(text, class)| Block::new(text, class)).collect();
    for style in &styles {
        counts.words = counts.words.saturating_add(style.words);
        counts.sentences = counts.sentences.saturating_add(count(style.lengths.len()));
    }
    counts.longest_sentence = lengths.iter().copied().max().unwrap_or(0);
    counts.paragraphs = count(blocks.len());
    counts.boilerplate = count(blocks.iter().filter(|block| block.boilerplate.is_some()).count());
    let characters = blocks.iter().map(|block| block.text.chars().count()).sum::<usize>();
    // Blocks are joined by line feeds.
    counts.characters = count(characters + blocks.len().saturating_sub(1));
    add_block_features(&blocks, features);
    add_style_features(&blocks, &styles, &lengths, features);
    blocks
}

fn add_block_features(blocks: &[Block], features: &mut BTreeMap<String, f64>) {
    let all: f64 = blocks.iter().map(|block| f64::from(block.characters)).sum();
    if all == 0.0 {
        return;
    }
    let links: f64 = blocks.iter().map(|block| f64::from(block.link_characters)).sum();
    let boilerplate = blocks.iter().filter(|block| block.boilerplate.is_some());
    let boilerplate: f64 = boilerplate.map(|block| f64::from(block.characters)).sum();
    features.insert("text.link_density".to_owned(), links / all);
    features.insert("text.boilerplate".to_owned(), boilerplate / all);
}

fn add_style_features(
    blocks: &[Block],
    styles: &[Style],
    all_lengths: &[u32],
    features: &mut BTreeMap<String, f64>,
) {
    let mut lengths = Lengths::default();
    let mut orality = Tally::default();
    let mut web = WebTally::default();
    let proper = blocks.iter().zip(styles).filter(|(block, _)| block.boilerplate.is_none());
    for (_, style) in proper {
        all_lengths[style.lengths.clone()].iter().for_each(|words| lengths.sentence(*words));
        orality.add(&style.orality);
        web.add(&style.web);
    }
    lengths.write(features);
    orality.write(features);
    web.write(features);
}

pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
