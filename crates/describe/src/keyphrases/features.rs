//! What is measured of a candidate.
//!
//! Kea looks at two numbers, [`Feature::TfIdf`] and [`Feature::First`]; the paper that named it for
//! preprints adds the place within the paragraph. The others are for regression, which unlike naive
//! Bayes is not misled by features that say nearly the same.

use super::candidates::{Candidate, candidates};
use super::frequencies::{Frequencies, PhraseKey};
use super::words_of::{Reader, Row};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Feature {
    /// How often the phrase occurs, relative to the length of the text, times how rare it is.
    TfIdf,
    /// The share of the text that precedes the first occurrence.
    First,
    /// The share of its paragraph that precedes the first occurrence.
    InParagraph,
    /// How often the phrase occurs, apart for each number of words.
    Count,
    /// How rare it is in the training documents, apart for each number of words.
    Rarity,
    /// How many words precede the first occurrence.
    Start,
    /// The share of the text between the first and the last occurrence.
    Spread,
    /// How often it occurs where a summary would stand.
    Early,
    /// How often all its words have an initial capital.
    Capitals,
    /// How often a word of it is in capitals only.
    Acronym,
    /// How many of its occurrences belong to one and the same longer phrase.
    InLonger,
    /// How often its words occur together rather than apart.
    Cohesion,
    /// The rarity of its most common word.
    CommonWord,
    /// Its letters per word.
    Letters,
    /// In how many training documents it is a keyphrase.
    Keyphraseness,
}

impl Feature {
    /// Those of Kea.
    pub(super) const KEA: [Feature; 2] = [Feature::TfIdf, Feature::First];

    /// All that regression uses.
    pub(super) const ALL: [Feature; 15] = [
        Feature::TfIdf,
        Feature::First,
        Feature::InParagraph,
        Feature::Count,
        Feature::Rarity,
        Feature::Start,
        Feature::Spread,
        Feature::Early,
        Feature::Capitals,
        Feature::Acronym,
        Feature::InLonger,
        Feature::Cohesion,
        Feature::CommonWord,
        Feature::Letters,
        Feature::Keyphraseness,
    ];
}

impl Feature {
    /// Whether it asks what is known from elsewhere, which takes longer than counting.
    pub(super) fn is_looked_up(self) -> bool {
        matches!(
            self,
            Feature::TfIdf | Feature::Rarity | Feature::CommonWord | Feature::Keyphraseness
        )
    }
}

/// A text with its candidates.
#[derive(Debug)]
pub(super) struct Examined {
    pub(super) row: Row,
    pub(super) candidates: Vec<Candidate>,
    pub(super) keys: Vec<PhraseKey>,
    stem_keys: Vec<PhraseKey>,
    /// How often each stem occurs.
    stem_counts: Vec<u32>,
}

/// What is known of phrases from elsewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Background<'m> {
    pub(super) frequencies: &'m Frequencies,
    /// How many training documents have a phrase as keyphrase.
    pub(super) given: &'m Frequencies,
    /// If the document itself is among those counted: which of its candidates are its keyphrases.
    pub(super) counted: Option<&'m [bool]>,
}

impl Background<'_> {
    fn rarity(&self, key: PhraseKey) -> f64 {
        self.frequencies.rarity(key, u32::from(self.counted.is_some()))
    }

    /// How many other documents have a candidate as keyphrase.
    fn given(&self, key: PhraseKey, candidate: usize) -> u32 {
        let own = self.counted.is_some_and(|right| right[candidate]);
        self.given.of(key, u32::from(own))
    }
}

impl Examined {
    pub(super) fn of(text: &str, reader: &mut Reader) -> Examined {
        let row = reader.read(text);
        let candidates = candidates(&row, reader.language());
        let stem_keys: Vec<PhraseKey> = row.stems.iter().map(|it| PhraseKey::of_stem(it)).collect();
        let key = |it: &Candidate| {
            let stems = it.stems().iter().map(|stem| stem_keys[*stem as usize]);
            stems.fold(PhraseKey::EMPTY, PhraseKey::with_key)
        };
        let keys = candidates.iter().map(key).collect();
        let mut stem_counts = vec![0; row.stems.len()];
        for word in &row.words {
            stem_counts[row.forms[word.form as usize].stem as usize] += 1;
        }
        Examined { row, candidates, keys, stem_keys, stem_counts }
    }

    /// The stems of a candidate, with blanks between them.
    pub(super) fn stems(&self, candidate: usize) -> String {
        let stems =
            self.candidates[candidate].stems().iter().map(|it| &*self.row.stems[*it as usize]);
        stems.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn tf_idf(&self, candidate: usize, background: &Background<'_>) -> f64 {
        let count = f64::from(self.candidates[candidate].count);
        count / self.length() * background.rarity(self.keys[candidate])
    }

    fn length(&self) -> f64 {
        self.row.words.len().max(1) as f64
    }

    pub(super) fn feature(&self, feature: Feature, at: usize, background: &Background<'_>) -> f64 {
        let it = &self.candidates[at];
        let count = f64::from(it.count);
        let share = |number: u32| f64::from(number) / count;
        match feature {
            Feature::TfIdf => self.tf_idf(at, background),
            Feature::First => f64::from(it.first) / self.length(),
            Feature::InParagraph => {
                let word = self.row.words[it.first as usize];
                let whole = self.row.paragraphs[word.paragraph as usize].max(1);
                f64::from(word.place_in_paragraph) / f64::from(whole)
            }
            Feature::Count => apart(it, count.ln()),
            Feature::Rarity => apart(it, background.rarity(self.keys[at])),
            Feature::Start => f64::from(it.first + 1).ln(),
            Feature::Spread => f64::from(it.last - it.first) / self.length(),
            Feature::Early => f64::from(it.early),
            Feature::Capitals => share(it.capitals),
            Feature::Acronym => share(it.all_capitals),
            Feature::InLonger => apart(it, share(it.in_longer)),
            Feature::Cohesion => {
                let words =
                    it.stems().iter().map(|stem| f64::from(self.stem_counts[*stem as usize]));
                apart(it, count / words.fold(f64::INFINITY, f64::min))
            }
            Feature::CommonWord => {
                let rarity = |stem: &u32| {
                    let key = PhraseKey::EMPTY.with_key(self.stem_keys[*stem as usize]);
                    background.rarity(key)
                };
                apart(it, it.stems().iter().map(rarity).fold(f64::INFINITY, f64::min))
            }
            Feature::Letters => {
                let letters = it.stems().iter().map(|stem| self.row.stems[*stem as usize].len());
                letters.sum::<usize>() as f64 / f64::from(it.length)
            }
            Feature::Keyphraseness => f64::from(background.given(self.keys[at], at)),
        }
    }
}

/// Values of phrases with different numbers of words are kept apart: what is often for three words
/// is rare for one.
fn apart(candidate: &Candidate, value: f64) -> f64 {
    f64::from(candidate.length) * LENGTHS_APART + value
}

/// More than any value that is kept apart.
const LENGTHS_APART: f64 = 100.0;
