//! Which phrases of a text may be keyphrases.
//!
//! As in Kea (I. H. Witten et al., "KEA: Practical automatic keyphrase extraction", 1999): up to three
//! words in a row that do not begin or end with a stop word, do not cross punctuation and are not
//! proper names only. Phrases with the same stems are one candidate. German writes every noun with a
//! capital, so there nothing can be told from it and names stay in.

use super::words_of::{Case, Row, Word};
use auslese_words::StemLanguage;
use rustc_hash::FxHashMap;

/// Longer phrases are no candidates, in words.
pub const MAX_PHRASE_WORDS: usize = 3;

/// The stems of a phrase, by their numbers in the row.
pub(super) type Stems = [u32; MAX_PHRASE_WORDS];

/// Stands in for words that a shorter phrase does not have.
pub(super) const NO_STEM: u32 = u32::MAX;

/// A phrase and where it occurs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) stems: Stems,
    pub(super) length: u8,
    /// How often it occurs.
    pub(super) count: u32,
    /// How often it occurs among the first words of the text, where a summary would stand.
    pub(super) early: u32,
    /// The places of its first and last occurrence in the row of words.
    pub(super) first: u32,
    pub(super) last: u32,
    /// How often all its words have an initial capital or more.
    pub(super) capitals: u32,
    /// How often one of its words is written in capitals only.
    pub(super) all_capitals: u32,
    /// How often the most frequent longer candidate that contains it occurs.
    pub(super) in_longer: u32,
}

impl Candidate {
    pub(super) fn stems(&self) -> &[u32] {
        &self.stems[..usize::from(self.length)]
    }

    /// Whether the words of the other occur in this one, in a row.
    pub(super) fn contains(&self, other: &Candidate) -> bool {
        self.stems().windows(other.stems().len()).any(|part| part == other.stems())
    }
}

/// Where a summary would stand: so many words from the beginning.
const EARLY_WORDS: usize = 250;

pub(super) fn candidates(row: &Row, language: StemLanguage) -> Vec<Candidate> {
    let names_show = language != StemLanguage::German;
    let mut places: FxHashMap<Stems, u32> = FxHashMap::default();
    places.reserve(row.words.len());
    let mut found: Vec<Candidate> = Vec::with_capacity(row.words.len());
    for first in 0..row.words.len() {
        if row.forms[row.words[first].form as usize].is_stop {
            continue;
        }
        let mut stems = [NO_STEM; MAX_PHRASE_WORDS];
        let mut only_names = names_show;
        let (mut capitals, mut all_capitals) = (true, false);
        for (length, word) in row.words[first..].iter().take(MAX_PHRASE_WORDS).enumerate() {
            if length > 0 && !word.goes_on {
                break;
            }
            let form = &row.forms[word.form as usize];
            stems[length] = form.stem;
            only_names &= form.is_name;
            capitals &= word.case != Case::Small;
            all_capitals |= word.case == Case::Capitals;
            if form.is_stop || only_names {
                continue;
            }
            let place = *places.entry(stems).or_insert_with(|| {
                found.push(Candidate::at(stems, length + 1, first));
                found.len() as u32 - 1
            });
            let candidate = &mut found[place as usize];
            candidate.count += 1;
            candidate.early += u32::from(first < EARLY_WORDS);
            candidate.last = first as u32;
            candidate.capitals += u32::from(capitals);
            candidate.all_capitals += u32::from(all_capitals);
        }
    }
    count_longer(&mut found, &places);
    found
}

impl Candidate {
    fn at(stems: Stems, length: usize, first: usize) -> Candidate {
        Candidate {
            stems,
            length: length as u8,
            count: 0,
            early: 0,
            first: first as u32,
            last: first as u32,
            capitals: 0,
            all_capitals: 0,
            in_longer: 0,
        }
    }
}

fn count_longer(found: &mut [Candidate], places: &FxHashMap<Stems, u32>) {
    for longer in 0..found.len() {
        let Candidate { stems, length, count, .. } = found[longer];
        let length = usize::from(length);
        for size in 1..length {
            for start in 0..=length - size {
                let mut part = [NO_STEM; MAX_PHRASE_WORDS];
                part[..size].copy_from_slice(&stems[start..start + size]);
                if let Some(place) = places.get(&part) {
                    let shorter = &mut found[*place as usize];
                    shorter.in_longer = shorter.in_longer.max(count);
                }
            }
        }
    }
}

/// How a candidate is written most often, the first of these if there are several, and where it
/// stands first.
pub(super) fn surface(text: &str, row: &Row, candidate: &Candidate) -> (String, usize) {
    let length = usize::from(candidate.length);
    let mut spellings: Vec<(String, usize)> = Vec::new();
    let stem = |word: &Word| row.forms[word.form as usize].stem;
    for first in candidate.first as usize..=candidate.last as usize {
        // Hardly any word is the first of the phrase.
        if stem(&row.words[first]) != candidate.stems[0] {
            continue;
        }
        let words = &row.words[first..(first + length).min(row.words.len())];
        let same = words.len() == length
            && words.iter().map(stem).eq(candidate.stems().iter().copied())
            && words[1..].iter().all(|word| word.goes_on);
        if !same {
            continue;
        }
        let written = written(text, words[0].start as usize, words[length - 1].end as usize);
        match spellings.iter().position(|(spelling, _)| *spelling == written) {
            Some(known) => spellings[known].1 += 1,
            None if spellings.len() < MAX_SPELLINGS => spellings.push((written, 1)),
            None => {}
        }
    }
    let most = spellings.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let spelling = spellings.into_iter().find(|(_, count)| *count == most).map(|(it, _)| it);
    (spelling.unwrap_or_default(), row.words[candidate.first as usize].start as usize)
}

/// More spellings of one phrase are not told apart.
const MAX_SPELLINGS: usize = 16;

/// A phrase as it stands in the text, in one line.
fn written(text: &str, start: usize, end: usize) -> String {
    let words: Vec<&str> = text[start..end].split_whitespace().collect();
    words.join(" ")
}
