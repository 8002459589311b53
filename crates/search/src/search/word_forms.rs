//! The forms of a query word that are looked for, and where.
//!
//! The index has words, not stems. So the words of its dictionaries that begin like a stem are read, and those that have
//! the stem in their own language are looked for: `haus` finds `Haus`, `Hauses` and `Häuser`, by name.

use super::plan::fields;
use super::searcher::Searcher;
use crate::SearchError;
use crate::analysis::{Analyzer, is_language_mark, language_mark, word_of_bytes};
use crate::fields::TextField;
use crate::ranking::{Posting, PostingList};
use auslese_words::StemLanguage;
use std::collections::BTreeSet;
use std::sync::PoisonError;
use tantivy_fst::Automaton;

impl Searcher {
    /// A word in all its forms: those with its stems by the languages that the indexes hold, pieces of German compounds,
    /// and the word itself where words are not inflected.
    pub(crate) fn word_postings(
        &self,
        word: &str,
        field: Option<TextField>,
    ) -> Result<Vec<Posting>, SearchError> {
        let stems = self.stems(word);
        let piece = self.languages().german.then(|| self.stem(word, StemLanguage::German));
        let compound = self.parameters().compound as f32;
        let mut postings = Vec::new();
        for field in fields(field) {
            let mut add = |list, term, factor| postings.push(Posting { list, term, factor });
            for term in self.forms(word, &stems, field)? {
                add(PostingList::Words(field), term, 1.0);
            }
            if let Some(piece) = piece.as_ref().filter(|_| field.is_stemmed()) {
                add(PostingList::Pieces(field), piece.clone(), compound);
            }
        }
        Ok(postings)
    }

    /// The terms of a field that are forms of a word; the order does not depend on how the index is cut into segments.
    pub(crate) fn forms(
        &self,
        word: &str,
        stems: &[String],
        field: TextField,
    ) -> Result<BTreeSet<String>, SearchError> {
        if !field.is_stemmed() {
            return Ok(BTreeSet::from([word.to_owned()]));
        }
        let mut found = BTreeSet::new();
        let analyzer = self.analyzer().lock().unwrap_or_else(PoisonError::into_inner);
        for stem in stems {
            let like = LikeStem::new(stem);
            for segment in self.segments() {
                let terms = segment.field(field).words.terms();
                let stream = terms.search(&like).into_stream();
                let mut stream = stream.map_err(|cause| self.broken(cause.into()))?;
                while stream.advance() {
                    if has_stem(stream.key(), stem, &analyzer) {
                        found.extend(String::from_utf8(stream.key().to_vec()));
                    }
                }
            }
        }
        Ok(found)
    }

    /// The terms that a word is written as, whatever the language.
    pub(crate) fn written(&self, word: &str) -> Vec<String> {
        let held = self.languages();
        let mut terms = vec![word.to_owned()];
        for (language, is_held) in
            [(StemLanguage::German, held.german), (StemLanguage::English, held.english)]
        {
            if is_held {
                terms.push(format!("{word}{}", language_mark(Some(language))));
            }
        }
        terms
    }

    /// The distinct stems of a word.
    pub(crate) fn stems(&self, word: &str) -> Vec<String> {
        let languages = self.languages();
        let mut stems = Vec::new();
        let mut add = |stem: String| {
            if !stems.contains(&stem) {
                stems.push(stem);
            }
        };
        if languages.english {
            add(self.stem(word, StemLanguage::English));
        }
        if languages.german {
            add(self.stem(word, StemLanguage::German));
        }
        if languages.others || stems.is_empty() {
            let word = word.to_owned();
            if !stems.contains(&word) {
                stems.push(word);
            }
        }
        stems
    }
}

/// Whether a term is a word with this stem, or the stem itself.
fn has_stem(term: &[u8], stem: &str, analyzer: &Analyzer) -> bool {
    match word_of_bytes(term) {
        None => false,
        Some((word, _)) if word == stem => true,
        Some((_, None)) => false,
        Some((word, Some(language))) => analyzer.stem(word, language) == stem,
    }
}

/// Accepts all words that may have a stem, and not many others.
///
/// A stem is the beginning of its words but for two things: its last letter may be another (`librari` of `library`), in
/// stems of up to three letters the last two (`die` of `dying`), and in German an `e` behind `a`, `o` or `u` may have
/// been dropped (`haus` of `haeuser`).
struct LikeStem {
    beginning: Vec<u8>,
}

impl LikeStem {
    fn new(stem: &str) -> LikeStem {
        let letters = stem.chars().count();
        let kept = letters.saturating_sub(if letters > 3 { 1 } else { 2 });
        let end = stem.char_indices().nth(kept).map_or(stem.len(), |(at, _)| at);
        let mut beginning = stem.as_bytes()[..end].to_vec();
        beginning.truncate(MOST_COMPARED);
        LikeStem { beginning }
    }
}

/// Bytes of a stem that are compared, so that a set of places is one number.
const MOST_COMPARED: usize = 63;

/// The state is the set of places in the beginning that may have been reached; all of it is read when the last one has.
impl Automaton for &LikeStem {
    type State = u64;

    fn start(&self) -> u64 {
        1
    }

    fn is_match(&self, state: &u64) -> bool {
        self.will_always_match(state)
    }

    fn can_match(&self, state: &u64) -> bool {
        *state != 0
    }

    fn will_always_match(&self, state: &u64) -> bool {
        state >> self.beginning.len() != 0
    }

    fn accept(&self, state: &u64, byte: u8) -> u64 {
        if self.will_always_match(state) {
            return *state;
        }
        let mut next = 0;
        for (place, letter) in self.beginning.iter().enumerate() {
            if state >> place & 1 == 0 {
                continue;
            }
            if *letter == byte {
                next |= 1 << (place + 1);
            }
            let before = place.checked_sub(1).map(|before| self.beginning[before]);
            if byte == b'e' && matches!(before, Some(b'a' | b'o' | b'u')) {
                next |= 1 << place;
            }
        }
        next
    }
}

/// Lets an automaton for words read terms: what it says of a word, it says of the word with the mark of a language.
pub(crate) struct Unmarked<A>(pub(crate) A);

impl<A: Automaton<State: Clone>> Automaton for &Unmarked<A> {
    /// The state of the word, and whether it is over.
    type State = (A::State, bool);

    fn start(&self) -> Self::State {
        (self.0.start(), false)
    }

    fn is_match(&self, (state, _): &Self::State) -> bool {
        self.0.is_match(state)
    }

    fn can_match(&self, (state, is_over): &Self::State) -> bool {
        if *is_over { self.0.is_match(state) } else { self.0.can_match(state) }
    }

    fn accept(&self, (state, _): &Self::State, byte: u8) -> Self::State {
        match is_language_mark(byte) {
            true => (state.clone(), true),
            false => (self.0.accept(state, byte), false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn accepts(stem: &str, word: &str) -> bool {
        let like = &LikeStem::new(stem);
        let state = word.bytes().fold(like.start(), |state, byte| like.accept(&state, byte));
        like.is_match(&state)
    }

    #[test]
    fn words_like_stems() {
        #[rustfmt::skip]
        let cases = [
            ("haus",     "haeuser",    true),
            ("haus",     "hauses",     true),
            ("haus",     "hause",      true),
            ("haus",     "hase",       false),
            ("librari",  "library",    true),
            ("librari",  "librarians", true),
            ("librari",  "liberty",    false),
            ("die",      "dying",      true),
            ("hope",     "hoping",     true),
            ("",         "x",          true),
        ];
        for (stem, word, expected) in cases {
            assert_eq!(accepts(stem, word), expected, "{stem} {word}");
        }
    }

    proptest! {
        /// Otherwise a word would not be found by its own stem.
        #[test]
        fn every_word_is_like_its_stem(
            beginning in "[a-z]{1,8}",
            ending in "(|s|es|er|ern|en|e|isch|ig|lich|keit|heit|ung|end|ing|ed|ingly|ies|ied|y|ly|ation|ational|ization|bility|ement|ness|fulness|ousli|ogy|eed|eedly|ue|ae|oe)",
        ) {
            let word = format!("{beginning}{ending}");
            let analyzer = Analyzer::new();
            for language in StemLanguage::ALL {
                let stem = analyzer.stem(&word, language);
                prop_assert!(accepts(&stem, &word), "{} {}", stem, word);
            }
        }
    }
}
