//! A model: what was learnt, with a name, a language and where it comes from.

use super::candidates::surface;
use super::features::Examined;
use super::ranking::Learnt;
use super::training::KeyphraseMethod;
use super::words_of::Reader;
use auslese_words::StemLanguage;

/// Extracts keyphrases from texts of one language.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyphraseModel {
    pub header: KeyphraseHeader,
    pub(super) learnt: Learnt,
}

/// What a model says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyphraseHeader {
    pub name: String,
    pub language: StemLanguage,
    pub method: KeyphraseMethod,
    /// What it was trained from, in words.
    pub trained_from: String,
    /// When, as `2026-11-16`.
    pub date: String,
    /// The training documents.
    pub documents: u64,
    /// The phrases on which the weights were measured; 0 if they were not.
    pub weights_measured_on: u64,
}

/// A phrase that says what a text is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyphrase {
    /// As it is written most often.
    pub phrase: String,
    /// Its stems, with blanks between them: phrases with the same stems are one.
    pub stems: String,
    /// How likely it is one that the author would have given, from 0 to 1.
    pub weight: f64,
    /// Where it stands first, in characters from the beginning.
    pub first: usize,
}

/// Extracts with a model, text after text: what is learnt of words serves the next text.
#[derive(Debug)]
pub struct Keyphrases<'m> {
    model: &'m KeyphraseModel,
    reader: Reader,
}

impl<'m> Keyphrases<'m> {
    pub fn with(model: &'m KeyphraseModel) -> Keyphrases<'m> {
        Keyphrases { model, reader: Reader::new(model.header.language) }
    }

    pub fn model(&self) -> &'m KeyphraseModel {
        self.model
    }

    /// The best phrases of a text, best first.
    pub fn extract(&mut self, text: &str, count: usize) -> Vec<Keyphrase> {
        let examined = Examined::of(text, &mut self.reader);
        let learnt = &self.model.learnt;
        let phrases = learnt.rank(&examined, count).into_iter().map(|ranked| {
            let candidate = &examined.candidates[ranked.candidate];
            let (phrase, start) = surface(text, &examined.row, candidate);
            Keyphrase {
                phrase,
                stems: examined.stems(ranked.candidate),
                weight: learnt.weight(&ranked),
                first: text[..start].chars().count(),
            }
        });
        phrases.collect()
    }
}

impl KeyphraseModel {
    /// The best phrases of one text; for many texts, [`Keyphrases`] is faster.
    pub fn extract(&self, text: &str, count: usize) -> Vec<Keyphrase> {
        Keyphrases::with(self).extract(text, count)
    }
}
