//! Which concepts the words of a question name.
//!
//! Labels are compared word by word, folded and without the endings of their language; notations
//! as they are written. Each vocabulary is matched by itself, its longest labels first, so that
//! "Soziologie der Familie" is not also "Familie". Of the names of one stretch the most trusted
//! kind decides: preferred over alternative over hidden, whole labels over those that were only
//! found without their qualifier. What then remains are homonyms; they are all returned, with a
//! note.

mod index;
mod query;

pub(crate) use index::LabelIndex;
pub use index::MAX_LABEL_WORDS;
pub use query::{MAX_QUERY_WORDS, QueryPart, QueryPartKind};

use crate::{Concept, LabelKind, ShortName, Vocabularies, Vocabulary};
use auslese_words::{StemLanguage, fold};
use index::{Entry, Name, speaks, without_qualifier};
use query::{QueryTokens, Stretch};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// A concept that words of a question name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelMatch {
    /// Where the words stand, in bytes of the question.
    pub place: Range<usize>,
    /// The words as written.
    pub words: String,
    pub vocabulary: ShortName,
    pub uri: String,
    /// The label or notation that was found.
    pub label: String,
    pub matched: Matched,
    /// The language of the label; empty for notations.
    pub language: String,
    /// How many concepts of the vocabulary have this name.
    pub homonyms: usize,
    /// What to know about it: that there are homonyms, or names of less trusted kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Which kind of name was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matched {
    Notation,
    Preferred,
    Alternative,
    Hidden,
}

impl Vocabularies {
    /// The concepts that words of a question name, by place and vocabulary. Labels of these
    /// languages are compared, or of all if there are none.
    pub fn match_labels(&self, query: &[QueryPart], languages: &[String]) -> Vec<LabelMatch> {
        let tokens = QueryTokens::of(query);
        let vocabularies: Vec<&Vocabulary> = self.vocabularies().collect();
        let matching = Matching { index: self.label_index(), vocabularies, tokens, languages };
        matching.matches()
    }
}

struct Matching<'m> {
    index: &'m LabelIndex,
    vocabularies: Vec<&'m Vocabulary>,
    tokens: QueryTokens<'m>,
    languages: &'m [String],
}

/// A name found on a stretch.
struct Found<'m> {
    concept: &'m Concept,
    name: &'m str,
    language: &'m str,
    matched: Matched,
    qualified: bool,
}

impl<'m> Matching<'m> {
    fn matches(&self) -> Vec<LabelMatch> {
        // Longest stretches first, then from left to right; per vocabulary.
        let mut taken: BTreeMap<u32, Vec<Range<usize>>> = BTreeMap::new();
        let mut matches = Vec::new();
        let n = self.tokens.tokens.len();
        for length in (1..=n.min(MAX_LABEL_WORDS)).rev() {
            for start in 0..=n - length {
                let Some(stretch) = self.tokens.stretch(start..start + length) else { continue };
                for (vocabulary, found) in self.found_on(&stretch) {
                    let taken = taken.entry(vocabulary).or_default();
                    let overlaps = |it: &Range<usize>| {
                        it.start < stretch.tokens.end && stretch.tokens.start < it.end
                    };
                    if !taken.iter().any(overlaps) {
                        taken.push(stretch.tokens.clone());
                        let vocabulary = self.vocabularies[vocabulary as usize];
                        matches.extend(chosen(vocabulary, &stretch, found));
                    }
                }
            }
        }
        matches.sort_by(|a, b| {
            (a.place.start, a.place.end, &a.vocabulary, &a.uri).cmp(&(
                b.place.start,
                b.place.end,
                &b.vocabulary,
                &b.uri,
            ))
        });
        matches
    }

    /// What a stretch names, by vocabulary.
    fn found_on(&self, stretch: &Stretch) -> BTreeMap<u32, Vec<Found<'m>>> {
        let mut found: BTreeMap<u32, Vec<Found<'m>>> = BTreeMap::new();
        for (way, key_of) in self.index.keys.iter().enumerate() {
            let words = &self.tokens.tokens[stretch.tokens.clone()];
            let whole_question = words.len() == self.tokens.tokens.len();
            if !whole_question && words.iter().all(|it| key_of.is_stop_word(&it.folded)) {
                continue;
            }
            let mut key = String::new();
            words.iter().for_each(|it| key_of.push(&it.folded, &mut key));
            for entry in self.index.with_words(way, &key) {
                let Name::Label { at, qualified } = entry.name else { continue };
                let concept = self.concept(entry);
                let label = &concept.labels[at as usize];
                let text = match qualified {
                    true => without_qualifier(&label.text).unwrap_or(&label.text),
                    false => &label.text,
                };
                let really = speaks(&label.language, key_of) && key_of.key(text) == key;
                if really && self.wants(&label.language) {
                    let matched = match label.kind {
                        LabelKind::Preferred => Matched::Preferred,
                        LabelKind::Alternative => Matched::Alternative,
                        LabelKind::Hidden => Matched::Hidden,
                    };
                    let (name, language) = (label.text.as_str(), label.language.as_str());
                    let it = Found { concept, name, language, matched, qualified };
                    found.entry(entry.vocabulary).or_default().push(it);
                }
            }
        }
        for entry in self.index.with_notation(&stretch.text) {
            let Name::Notation { at } = entry.name else { continue };
            let concept = self.concept(entry);
            let name = concept.notations[at as usize].as_str();
            if is_notation(&stretch.text, name) {
                let matched = Matched::Notation;
                let it = Found { concept, name, language: "", matched, qualified: false };
                found.entry(entry.vocabulary).or_default().push(it);
            }
        }
        found
    }

    fn concept(&self, entry: &Entry) -> &'m Concept {
        &self.vocabularies[entry.vocabulary as usize].concepts()[entry.concept as usize]
    }

    fn wants(&self, language: &str) -> bool {
        let same = |wanted: &String| match StemLanguage::from_tag(wanted) {
            Some(stems) => StemLanguage::from_tag(language) == Some(stems),
            None => wanted == language,
        };
        language.is_empty() || self.languages.is_empty() || self.languages.iter().any(same)
    }
}

/// Notations without a digit look like words, so they have to be written exactly; short ones of
/// nothing but digits look like numbers and are not looked for.
fn is_notation(text: &str, notation: &str) -> bool {
    let digits = notation.bytes().filter(u8::is_ascii_digit).count();
    match notation.len() - digits {
        0 => digits >= SHORTEST_NUMBER && text == notation,
        _ if digits > 0 => fold(text) == fold(notation),
        _ => text == notation && notation.chars().count() > 1,
    }
}

/// Digits from which a number may be a notation, as in decimal classifications.
const SHORTEST_NUMBER: usize = 3;

/// The names of the most trusted kind, one per concept.
fn chosen(
    vocabulary: &Vocabulary,
    stretch: &Stretch,
    mut found: Vec<Found<'_>>,
) -> Vec<LabelMatch> {
    found.sort_by_key(|it| (it.matched, it.qualified, it.concept.uri.as_str(), it.language));
    let trust = |it: &Found<'_>| (it.matched, it.qualified);
    let best = found.first().map(trust);
    let mut others: Vec<&str> = Vec::new();
    let mut best_of: Vec<&Found<'_>> = Vec::new();
    for it in &found {
        let known = best_of.iter().any(|of| of.concept.uri == it.concept.uri);
        if !known && Some(trust(it)) == best {
            best_of.push(it);
        } else if !known && !others.contains(&it.concept.uri.as_str()) {
            others.push(&it.concept.uri);
        }
    }
    let homonyms = best_of.len();
    let note = note(homonyms, others.len(), &stretch.text);
    let matches = best_of.into_iter().map(|it| LabelMatch {
        place: stretch.place.clone(),
        words: stretch.text.clone(),
        vocabulary: vocabulary.id.clone(),
        uri: it.concept.uri.clone(),
        label: it.name.to_owned(),
        matched: it.matched,
        language: it.language.to_owned(),
        homonyms,
        note: note.clone(),
    });
    matches.collect()
}

fn note(homonyms: usize, others: usize, words: &str) -> Option<String> {
    match (homonyms, others) {
        (1, 0) => None,
        (1, others) => {
            Some(format!("{words:?} is also a less trusted name of {others} other concepts"))
        }
        (several, _) => Some(format!("{words:?} names {several} concepts")),
    }
}

#[cfg(test)]
mod tests;
