//! The table `[corpus.language]`: which rule says what language a document is in, and its lists.

use super::schema::Kind::{Choice, Text, Whole};
use super::schema::Preset::{Is, Unset};
use super::schema::Table;
use super::tables::{SHARE, setting};
use super::text_forms::{LANGUAGE_TAG, PATH};
use auslese_corpus::language::{LanguageSettings, Profile};
use serde::Deserialize;
use std::path::PathBuf;

#[rustfmt::skip]
pub(super) const LANGUAGE: Table = Table { path: "corpus.language", about: "In which language a document is.", settings: &[
    setting("language", Text(LANGUAGE_TAG), Is("\"de\""),
        "The wanted language, which is that of the word list."),
    setting("wordlist", Text(PATH), Unset,
        "Another list of word forms than the German one: one form per line, or a hunspell .dic file with its .aff file beside it."),
    setting("names", Text(PATH), Unset,
        "Further names, one per line, which are left out before words are counted."),
    setting("profile", Choice(&["default", "paper"]), Is("\"default\""),
        "The rule in force: word list and detector together, or the word list alone as in the corpus paper."),
    setting("paper_share", SHARE, Is("0.4"),
        "Rule of the paper: share of words and of characters in the list from which a text is in the language."),
    setting("share_with_detector", SHARE, Is("0.2"),
        "Default rule: the same share, if the detector says so too."),
    setting("share_alone", SHARE, Is("0.6"),
        "Default rule: the same share, whatever the detector says."),
    setting("short_words", Whole(0..=1_000_000), Is("10"),
        "Texts with fewer words are short: confidence is low, and hints are asked."),
    setting("paragraph_words", Whole(0..=1_000_000), Is("5"),
        "Paragraphs with fewer words have the language of their neighbours."),
    setting("second_language", SHARE, Is("0.2"),
        "Share of the characters from which a second language makes a document multilingual."),
]};

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct LanguageTable {
    language: String,
    pub(crate) wordlist: Option<PathBuf>,
    pub(crate) names: Option<PathBuf>,
    profile: Profile,
    paper_share: f64,
    share_with_detector: f64,
    share_alone: f64,
    short_words: u32,
    paragraph_words: u32,
    second_language: f64,
}

impl LanguageTable {
    /// What the recogniser is given.
    pub(crate) fn settings(&self) -> LanguageSettings {
        LanguageSettings {
            language: self.language.clone(),
            profile: self.profile,
            paper_share: self.paper_share,
            share_with_detector: self.share_with_detector,
            share_alone: self.share_alone,
            short_words: self.short_words,
            paragraph_words: self.paragraph_words,
            second_language: self.second_language,
        }
    }
}
