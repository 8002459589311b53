//! Keyphrases of texts whose authors gave none, after Kea.
//!
//! A text becomes a row of words (`words_of`), these give candidates, each with its features; ranges of
//! these are worth points (`discretise`, `points`), and the sum of the points ranks the candidates
//! (`ranking`). What the ranges are worth is learnt from documents whose keyphrases are known
//! (`training`), and the weight of a phrase is measured on documents held out, so it is a probability.
//! Naive Bayes on two features is Kea as published; regression on more is what does better.

mod candidates;
mod discretise;
mod evaluation;
mod features;
mod frequencies;
mod model;
mod model_file;
mod points;
mod ranking;
mod saying;
mod shipped;
mod trainer;
mod training;
mod words_of;

pub use candidates::MAX_PHRASE_WORDS;
pub use evaluation::{
    EVALUATED_RANKS, KeyphraseQuality, QualityAt, cross_validate, evaluate_model,
};
pub use model::{Keyphrase, KeyphraseHeader, KeyphraseModel, Keyphrases};
pub use model_file::{KeyphraseModelError, MAX_KEYPHRASE_MODEL};
pub use saying::{KEYPHRASE_EXTRACTION, KEYPHRASES_OF_DOCUMENT, KeyphraseModels};
pub use shipped::SHIPPED_KEYPHRASES;
pub use trainer::{
    KeyphraseTraining, MIN_TRAINING_DOCUMENTS, TrainingError, stem_language_of, train_keyphrases,
};
pub use training::{KeyphraseMethod, MAX_TRAINING_TEXT, TrainingDocument};

/// More of a text is not looked at, in bytes: books are longer, but say early what they are about.
pub const MAX_KEYPHRASE_TEXT: usize = 4 << 20;
