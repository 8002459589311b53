//! Passages in another language than their document, where nobody declared them.
//!
//! Which languages a document has was found out when it was read out; a passage can only be in one of these.
//! So a name or a title in a page of one language is never taken for a passage of another, and most documents,
//! which have one language, cost nothing.

use crate::document::ExportedDocument;
use crate::language::language_tag;
use auslese_words::{Care, Detector, token_count};
use std::sync::LazyLock;

/// Words from which on the language of a passage can be told.
pub(crate) const LEAST_WORDS: usize = 8;

/// How probable it must be.
const SURE: f64 = 0.8;

/// The model is part of the program; if it were damaged, passages would go without a language.
static DETECTOR: LazyLock<Option<Detector>> =
    LazyLock::new(|| Detector::new(auslese_language_data::LANGUAGE_MODEL).ok());

/// The languages that passages of a document may be in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Passages<'d> {
    languages: Vec<&'d str>,
}

impl<'d> Passages<'d> {
    pub(crate) fn of(document: &'d ExportedDocument) -> Passages<'d> {
        let note = document.content.as_ref().and_then(|content| content.language.as_ref());
        let shares = note.map(|note| note.shares.as_slice()).unwrap_or_default();
        let languages = shares.iter().map(|(language, _)| language.as_str());
        match shares.len() {
            0 | 1 => Passages::default(),
            _ => Passages { languages: languages.collect() },
        }
    }

    /// Whether there can be passages in another language at all.
    pub(crate) fn are_possible(&self) -> bool {
        !self.languages.is_empty()
    }

    /// The language of a passage, if it can be told.
    pub(crate) fn language(&self, text: &str) -> Option<String> {
        if !self.are_possible() || token_count(text) < LEAST_WORDS {
            return None;
        }
        let found = DETECTOR.as_ref()?.detect(text, 1, Care::Quick).pop()?;
        let fits = found.probability >= SURE && self.languages.contains(&found.language.as_str());
        fits.then(|| language_tag(&found.language)).flatten()
    }
}
