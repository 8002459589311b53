//! How good keyphrases are: precision, recall and F1 among the first 5, 10 and 15.
//!
//! Phrases are compared by their stems. Precision is the share of the asked number, not of the phrases
//! that were found; both means are over documents, and F1 is the harmonic mean of the means.
//! Keyphrases that do not occur in the text count against recall, since readers miss them all the same.

use super::model::KeyphraseModel;
use super::ranking::{Learnt, Ranked};
use super::training::{KeyphraseMethod, Labelled, TrainingDocument, learn_best, read_all, split};
use crate::weighing::{Reliability, reliability};
use auslese_words::StemLanguage;
use serde::Serialize;

/// The numbers of phrases that are looked at.
pub const EVALUATED_RANKS: [usize; 3] = [5, 10, 15];

/// What keyphrases are worth on documents that were not learnt from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeyphraseQuality {
    pub documents: usize,
    pub at: Vec<QualityAt>,
    /// Whether the weights of the first ten are kept.
    pub weights: Reliability,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct QualityAt {
    pub rank: usize,
    pub precision: f64,
    pub recall: f64,
    pub f1: f64,
}

impl KeyphraseQuality {
    /// F1 at one of the [`EVALUATED_RANKS`]; 0 at others.
    pub fn f1_at(&self, rank: usize) -> f64 {
        self.at.iter().find(|it| it.rank == rank).map_or(0.0, |it| it.f1)
    }
}

/// Each part of the documents, ranked with what the others taught; if several methods are given, with
/// the one that did best among these others.
pub fn cross_validate(
    documents: &[TrainingDocument],
    language: StemLanguage,
    methods: &[KeyphraseMethod],
    folds: usize,
) -> KeyphraseQuality {
    let labelled = read_all(documents, language);
    let labelled: Vec<&Labelled> = labelled.iter().collect();
    let mut sums = Sums::default();
    for fold in 0..folds {
        let (held, others) = split(&labelled, folds, fold);
        let learnt = learn_best(&others, methods, LISTED_FROM).learnt;
        for document in held {
            sums.add(document, &learnt, &learnt.rank(&document.text, MOST_RANKS));
        }
    }
    sums.quality()
}

/// What a model is worth on documents that it did not learn from.
pub fn evaluate_model(model: &KeyphraseModel, documents: &[TrainingDocument]) -> KeyphraseQuality {
    let mut sums = Sums::default();
    let learnt = &model.learnt;
    for document in read_all(documents, model.header.language) {
        sums.add(&document, learnt, &learnt.rank(&document.text, MOST_RANKS));
    }
    sums.quality()
}

/// All phrases count, as in the models that people train.
const LISTED_FROM: u32 = 1;

const MOST_RANKS: usize = EVALUATED_RANKS[EVALUATED_RANKS.len() - 1];

#[derive(Debug, Default)]
pub(super) struct Sums {
    documents: usize,
    /// Sums of precision and recall.
    at: [(f64, f64); EVALUATED_RANKS.len()],
    weights: Vec<(f64, bool)>,
}

/// Weights are looked at for so many phrases.
const WEIGHED_RANKS: usize = 10;

impl Sums {
    /// Adds a document with the phrases found in it.
    pub(super) fn add(&mut self, document: &Labelled, learnt: &Learnt, ranked: &[Ranked]) {
        if document.given.is_empty() {
            return;
        }
        self.documents += 1;
        let right: Vec<bool> = ranked.iter().map(|it| document.right[it.candidate]).collect();
        for (rank, (precision, recall)) in EVALUATED_RANKS.iter().zip(&mut self.at) {
            let hits = right.iter().take(*rank).filter(|right| **right).count() as f64;
            *precision += hits / *rank as f64;
            *recall += hits / document.given.len() as f64;
        }
        let weights = ranked.iter().map(|it| learnt.weight(it));
        self.weights.extend(weights.zip(right).take(WEIGHED_RANKS));
    }

    pub(super) fn quality(&self) -> KeyphraseQuality {
        let documents = self.documents.max(1) as f64;
        let at = EVALUATED_RANKS.iter().zip(&self.at).map(|(rank, (precision, recall))| {
            let (precision, recall) = (precision / documents, recall / documents);
            let sum = precision + recall;
            let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
            QualityAt { rank: *rank, precision, recall, f1 }
        });
        let weights = reliability(&self.weights);
        KeyphraseQuality { documents: self.documents, at: at.collect(), weights }
    }
}
