//! Learning from documents whose keyphrases are known.
//!
//! Document frequencies are counted over the training documents, cuts and points follow from them, and
//! how far the points are to be trusted is measured in rounds: each fifth of the documents is
//! ranked with what the others taught, and a rising curve leads from what was promised to what was kept.

use super::discretise::Cuts;
use super::evaluation::Sums;
use super::features::{Examined, Feature};
use super::frequencies::{Frequencies, PhraseKey};
use super::points::{Points, Samples};
use super::ranking::Learnt;
use super::words_of::Reader;
use crate::weighing::Curve;
use auslese_words::{StemLanguage, Stemmer};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// How a model learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyphraseMethod {
    /// Naive Bayes on the two features of Kea.
    Kea,
    /// Naive Bayes on the features of Kea and the place within the paragraph.
    KeaParagraph,
    /// Logistic regression on all features.
    Regression,
    /// Logistic regression on all features but the place within the paragraph.
    RegressionNoParagraph,
}

impl KeyphraseMethod {
    pub const ALL: [KeyphraseMethod; 4] = [
        KeyphraseMethod::Kea,
        KeyphraseMethod::KeaParagraph,
        KeyphraseMethod::RegressionNoParagraph,
        KeyphraseMethod::Regression,
    ];

    pub fn name(self) -> &'static str {
        match self {
            KeyphraseMethod::Kea => "kea",
            KeyphraseMethod::KeaParagraph => "kea-paragraph",
            KeyphraseMethod::Regression => "regression",
            KeyphraseMethod::RegressionNoParagraph => "regression-no-paragraph",
        }
    }

    pub fn from_name(name: &str) -> Option<KeyphraseMethod> {
        KeyphraseMethod::ALL.into_iter().find(|it| it.name() == name)
    }

    fn features(self) -> Vec<Feature> {
        let mut features = match self {
            KeyphraseMethod::Kea => Feature::KEA.to_vec(),
            KeyphraseMethod::KeaParagraph => [&Feature::KEA[..], &[Feature::InParagraph]].concat(),
            _ => Feature::ALL.to_vec(),
        };
        if self == KeyphraseMethod::RegressionNoParagraph {
            features.retain(|it| *it != Feature::InParagraph);
        }
        features
    }

    fn points(self, samples: &Samples) -> Points {
        match self {
            KeyphraseMethod::Kea | KeyphraseMethod::KeaParagraph => Points::by_bayes(samples),
            _ => Points::by_regression(samples),
        }
    }
}

/// Texts of more bytes are not learnt from together: a thousand papers, which take 1 GB of memory.
pub const MAX_TRAINING_TEXT: usize = 64 << 20;

/// A document whose keyphrases are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingDocument {
    pub text: String,
    pub keyphrases: Vec<String>,
}

/// A training document, read.
#[derive(Debug)]
pub(super) struct Labelled {
    pub(super) text: Examined,
    /// Which candidates are keyphrases.
    pub(super) right: Vec<bool>,
    /// All keyphrases that were given, whether they are candidates or not.
    pub(super) given: FxHashSet<PhraseKey>,
}

impl Labelled {
    pub(super) fn of(document: &TrainingDocument, reader: &mut Reader) -> Labelled {
        let text = Examined::of(&document.text, reader);
        let stemmer = Stemmer::new(reader.language());
        let keys = document.keyphrases.iter().filter_map(|it| phrase_key(it, &stemmer));
        let given: FxHashSet<PhraseKey> = keys.collect();
        let right = text.keys.iter().map(|key| given.contains(key)).collect();
        Labelled { text, right, given }
    }
}

/// The key of a phrase as a person wrote it; here numbers count as words.
fn phrase_key(phrase: &str, stemmer: &Stemmer) -> Option<PhraseKey> {
    let folded = phrase.to_lowercase();
    let key = auslese_words::tokens(&folded)
        .fold(PhraseKey::EMPTY, |key, word| key.with(&stemmer.stem(word)));
    (key != PhraseKey::EMPTY).then_some(key)
}

pub(super) fn read_all(documents: &[TrainingDocument], language: StemLanguage) -> Vec<Labelled> {
    let mut reader = Reader::new(language);
    documents.iter().map(|it| Labelled::of(it, &mut reader)).collect()
}

/// Parts into which training documents are dealt for calibration.
const CALIBRATION_FOLDS: usize = 5;

/// So many phrases of each document are looked at for calibration: what users ask for.
const CALIBRATED_RANKS: usize = 15;

/// What was learnt, how, and how many phrases its weights were measured on.
#[derive(Debug)]
pub(super) struct Lesson {
    pub(super) method: KeyphraseMethod,
    pub(super) learnt: Learnt,
    pub(super) measured: u64,
}

/// Learns by the method that does best on documents held out, with weights measured on these. The
/// first method is taken unless a later one is clearly better.
pub(super) fn learn_best(
    documents: &[&Labelled],
    methods: &[KeyphraseMethod],
    list_from: u32,
) -> Lesson {
    let mut best: Option<(KeyphraseMethod, Rounds)> = None;
    for method in methods {
        let rounds = rounds(documents, *method, list_from);
        if best.as_ref().is_none_or(|(_, best)| rounds.f1 > CLEARLY_BETTER * best.f1) {
            best = Some((*method, rounds));
        }
    }
    let (method, round) = best.unwrap_or((KeyphraseMethod::Kea, Rounds::default()));
    let learnt = Learnt { curve: Curve::fit(&round.pairs), ..learn(documents, method, list_from) };
    let measured = if learnt.curve.points().is_empty() { 0 } else { round.pairs.len() as u64 };
    Lesson { method, learnt, measured }
}

/// What documents held out say of a method.
#[derive(Debug, Default)]
struct Rounds {
    /// What was promised of a phrase, and whether it was kept.
    pairs: Vec<(f64, bool)>,
    f1: f64,
}

fn rounds(documents: &[&Labelled], method: KeyphraseMethod, list_from: u32) -> Rounds {
    let mut rounds = Rounds::default();
    let mut sums = Sums::default();
    for fold in 0..CALIBRATION_FOLDS.min(documents.len()) {
        let (held, others) = split(documents, CALIBRATION_FOLDS, fold);
        if others.is_empty() {
            continue;
        }
        let learnt = learn(&others, method, list_from);
        for document in held {
            let ranked = learnt.rank(&document.text, CALIBRATED_RANKS);
            rounds
                .pairs
                .extend(ranked.iter().map(|it| (it.promised, document.right[it.candidate])));
            sums.add(document, &learnt, &ranked);
        }
    }
    rounds.f1 = sums.quality().f1_at(COMPARED_RANK);
    rounds
}

/// So many times the F1 of a simpler method makes the difference: with few documents, less is chance,
/// and the simpler one keeps its quality on other texts.
const CLEARLY_BETTER: f64 = 1.1;

/// Methods are compared by F1 at this rank.
const COMPARED_RANK: usize = 10;

/// Every so manieth document, and the others.
pub(super) fn split<'d>(
    documents: &[&'d Labelled],
    folds: usize,
    fold: usize,
) -> (Vec<&'d Labelled>, Vec<&'d Labelled>) {
    let (held, others): (Vec<_>, Vec<_>) =
        documents.iter().enumerate().partition(|(place, _)| place % folds == fold);
    let second = |pairs: Vec<(usize, &&'d Labelled)>| pairs.into_iter().map(|it| *it.1).collect();
    (second(held), second(others))
}

fn learn(documents: &[&Labelled], method: KeyphraseMethod, list_from: u32) -> Learnt {
    let mut frequencies = Frequencies { listed_from: list_from, ..Frequencies::default() };
    let mut given = Frequencies::default();
    for document in documents {
        frequencies.add(document.text.keys.iter().copied());
        given.add(document.given.iter().copied());
    }
    let mut learnt = Learnt { frequencies, given, ..Learnt::default() };
    learnt.points = method.points(&samples(documents, &learnt, &method.features()));
    learnt
}

/// The candidates of all documents, each feature cut into ranges.
fn samples(documents: &[&Labelled], learnt: &Learnt, features: &[Feature]) -> Samples {
    let right: Vec<bool> = documents.iter().flat_map(|it| it.right.iter().copied()).collect();
    let mut ranges = vec![0; right.len() * features.len()];
    let mut all_cuts = Vec::new();
    for (column, feature) in features.iter().enumerate() {
        let mut values = Vec::with_capacity(right.len());
        for document in documents {
            let background = learnt.background(Some(&document.right));
            let candidates = 0..document.right.len();
            values.extend(candidates.map(|it| document.text.feature(*feature, it, &background)));
        }
        let cuts = Cuts::of(values.iter().copied().zip(right.iter().copied()).collect());
        for (row, value) in values.iter().enumerate() {
            ranges[row * features.len() + column] = cuts.range(*value).min(255) as u8;
        }
        all_cuts.push((*feature, cuts));
    }
    Samples { cuts: all_cuts, ranges, right }
}
