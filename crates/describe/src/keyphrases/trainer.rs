//! From training documents to the file of a model.

use super::frequencies::PhraseKey;
use super::model::KeyphraseHeader;
use super::model_file::{Listed, write};
use super::ranking::Learnt;
use super::training::{
    KeyphraseMethod, Labelled, MAX_TRAINING_TEXT, TrainingDocument, learn_best, read_all,
};
use super::words_of::Reader;
use auslese_words::{StemLanguage, stop_words};
use rustc_hash::{FxHashMap, FxHashSet};

/// Fewer documents teach nothing that could be measured.
pub const MIN_TRAINING_DOCUMENTS: usize = 10;

/// What a model is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyphraseTraining {
    pub name: String,
    pub language: StemLanguage,
    /// The methods to choose from.
    pub methods: Vec<KeyphraseMethod>,
    /// Phrases in fewer documents count as unseen and are not listed in the file.
    pub list_from: u32,
    pub trained_from: String,
    /// As `2026-11-16`.
    pub date: String,
}

/// Why nothing can be learnt.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TrainingError {
    #[error(
        "there are {0} documents with a text and keyphrases, {MIN_TRAINING_DOCUMENTS} are needed at least"
    )]
    TooFew(usize),
    #[error("the texts have more than {MAX_TRAINING_TEXT} bytes together")]
    TooMuch,
    #[error("no keyphrase occurs in its text")]
    NothingRight,
}

/// Learns from documents and writes the model.
pub fn train_keyphrases(
    documents: &[TrainingDocument],
    training: &KeyphraseTraining,
) -> Result<(KeyphraseHeader, String), TrainingError> {
    let usable = documents.iter().filter(|it| !it.keyphrases.is_empty() && !it.text.is_empty());
    let usable = usable.count();
    if usable < MIN_TRAINING_DOCUMENTS {
        return Err(TrainingError::TooFew(usable));
    }
    if documents.iter().map(|it| it.text.len()).sum::<usize>() > MAX_TRAINING_TEXT {
        return Err(TrainingError::TooMuch);
    }
    let labelled = read_all(documents, training.language);
    if !labelled.iter().any(|it| it.right.contains(&true)) {
        return Err(TrainingError::NothingRight);
    }
    let references: Vec<&Labelled> = labelled.iter().collect();
    let lesson = learn_best(&references, &training.methods, training.list_from);
    let header = KeyphraseHeader {
        name: training.name.clone(),
        language: training.language,
        method: lesson.method,
        trained_from: training.trained_from.clone(),
        date: training.date.clone(),
        documents: documents.len() as u64,
        weights_measured_on: lesson.measured,
    };
    let phrases = listed_phrases(&labelled, &lesson.learnt);
    let given = documents.iter().flat_map(|it| it.keyphrases.iter().map(String::as_str));
    let keyphrases = listed_keyphrases(given, &lesson.learnt, training.language);
    let text = write(&header, &lesson.learnt, phrases, keyphrases);
    Ok((header, text))
}

fn listed_phrases(documents: &[Labelled], learnt: &Learnt) -> Listed {
    let mut names: FxHashMap<PhraseKey, String> = FxHashMap::default();
    for document in documents {
        for (candidate, key) in document.text.keys.iter().enumerate() {
            if learnt.frequencies.of(*key, 0) > 0 {
                names.entry(*key).or_insert_with(|| document.text.stems(candidate));
            }
        }
    }
    let counted = names.into_iter().map(|(key, name)| (learnt.frequencies.of(key, 0), name));
    sorted(counted)
}

fn listed_keyphrases<'p>(
    phrases: impl Iterator<Item = &'p str>,
    learnt: &Learnt,
    language: StemLanguage,
) -> Listed {
    let mut reader = Reader::new(language);
    let names: FxHashSet<String> = phrases.map(|it| reader.stem_phrase(it)).collect();
    let counted =
        names.into_iter().map(|name| (learnt.given.of(PhraseKey::of_phrase(&name), 0), name));
    sorted(counted.filter(|(count, _)| *count > 0))
}

fn sorted(counted: impl Iterator<Item = (u32, String)>) -> Listed {
    let mut listed = Listed::default();
    counted.for_each(|(count, name)| listed.entry(count).or_default().push(name));
    listed.values_mut().for_each(|names| names.sort_unstable());
    listed
}

/// The language of texts by their stop words; `None` if they have hardly any.
pub fn stem_language_of<'t>(texts: impl Iterator<Item = &'t str>) -> Option<StemLanguage> {
    let lists: Vec<(StemLanguage, FxHashSet<&str>)> =
        StemLanguage::ALL.into_iter().map(|it| (it, stop_words(it).collect())).collect();
    let mut counts = [0_usize; StemLanguage::ALL.len()];
    let mut words = 0;
    for text in texts {
        for word in auslese_words::tokens(text).take(WORDS_FOR_LANGUAGE) {
            words += 1;
            let word = word.to_lowercase();
            for ((_, list), count) in lists.iter().zip(&mut counts) {
                *count += usize::from(list.contains(word.as_str()));
            }
        }
    }
    let (most, (language, _)) = counts.iter().zip(&lists).max_by_key(|(count, _)| **count)?;
    (most * FEWEST_STOP_WORDS > words).then_some(*language)
}

/// So many words of a text say in which language it is.
const WORDS_FOR_LANGUAGE: usize = 2000;

/// Less than one stop word in so many words, and the text is in another language.
const FEWEST_STOP_WORDS: usize = 8;
