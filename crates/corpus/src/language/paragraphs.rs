//! The language of each paragraph, and so the languages of a document with their shares.
//!
//! A paragraph is judged like a document. One of few words has the language of the paragraph before
//! it, since menus and headings go with what they stand beside. One that is short counts only for
//! a language that the document is in, or that a longer paragraph is in: a row of weekdays looks like
//! any language. At the beginning there is none before, and the first that has a language counts.

use super::rules::{self, Signals, UNDETERMINED};
use super::tally::Tally;
use super::{Profile, Recogniser};
use auslese_model::Confidence;
use auslese_words::Care;

/// The language of a paragraph.
#[derive(Debug, Clone, PartialEq)]
pub struct ParagraphLanguage {
    pub language: String,
    pub words: u32,
    pub share_words: f64,
    pub share_chars: f64,
    /// Characters of its text.
    pub characters: u32,
    /// Whether the language is that of a neighbour.
    pub inherited: bool,
}

/// Below this probability the detector's word about a short paragraph is not taken.
const SURE: f64 = 0.5;

pub(crate) fn languages(
    recogniser: &Recogniser,
    blocks: &[&str],
    tallies: &[Tally],
    document: &str,
) -> Vec<ParagraphLanguage> {
    let mut own: Vec<Option<String>> = blocks
        .iter()
        .zip(tallies)
        .map(|(block, tally)| own_language(recogniser, block, *tally))
        .collect();
    drop_doubtful(&mut own, tallies, document, recogniser.settings().short_words);
    let first = own.iter().flatten().next().cloned();
    let mut last = first.unwrap_or_else(|| document.to_owned());
    let mut paragraphs = Vec::with_capacity(blocks.len());
    for ((block, tally), own) in blocks.iter().zip(tallies).zip(own) {
        let inherited = own.is_none();
        if let Some(own) = own {
            last = own;
        }
        paragraphs.push(ParagraphLanguage {
            language: last.clone(),
            words: tally.words,
            share_words: tally.share_words(),
            share_chars: tally.share_chars(),
            characters: u32::try_from(block.chars().count()).unwrap_or(u32::MAX),
            inherited,
        });
    }
    paragraphs
}

/// Takes back what short paragraphs say if nothing longer in the document says it too.
fn drop_doubtful(own: &mut [Option<String>], tallies: &[Tally], document: &str, short: u32) {
    let mut certain = vec![document.to_owned()];
    for (language, tally) in own.iter().zip(tallies) {
        if let Some(language) = language
            && tally.words >= short
            && !certain.contains(language)
        {
            certain.push(language.clone());
        }
    }
    for (language, tally) in own.iter_mut().zip(tallies) {
        if tally.words < short {
            language.take_if(|language| !certain.contains(language));
        }
    }
}

/// None if the paragraph does not say.
fn own_language(recogniser: &Recogniser, block: &str, tally: Tally) -> Option<String> {
    let settings = recogniser.settings();
    if tally.words < settings.paragraph_words {
        return None;
    }
    // What the list alone decides needs no second opinion, and most paragraphs are like that.
    if settings.profile == Profile::Default && tally.share() >= settings.share_alone {
        return Some(settings.language.clone());
    }
    let detected = recogniser.detect(block, Care::Quick);
    let decision = rules::decide(Signals { tally, detected: &detected }, settings);
    let is_wanted = decision.language == settings.language;
    let sure = detected.first().is_some_and(|first| first.probability >= SURE);
    let short = tally.words < settings.short_words;
    let doubtful = !is_wanted && (!sure || decision.confidence == Confidence::Review);
    (decision.language != UNDETERMINED && !(short && doubtful)).then_some(decision.language)
}

/// Languages by their share of the characters, largest first. Paragraphs without words, such as rows
/// of numbers, are in no language.
pub(crate) fn shares(paragraphs: &[ParagraphLanguage]) -> Vec<(String, f64)> {
    let mut counts: Vec<(String, u64)> = Vec::new();
    for paragraph in paragraphs.iter().filter(|paragraph| paragraph.words > 0) {
        let characters = u64::from(paragraph.characters);
        match counts.iter_mut().find(|(language, _)| *language == paragraph.language) {
            Some((_, count)) => *count += characters,
            None => counts.push((paragraph.language.clone(), characters)),
        }
    }
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(language, count)| (language, count as f64 / all as f64))
        .collect()
}
