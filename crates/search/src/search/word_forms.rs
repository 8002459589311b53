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
            for like in LikeStem::all(stem) {
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
        Some((word, Some(language))) => {
            word.len() <= longest_word(stem, language) && analyzer.stem(word, language) == stem
        }
    }
}

/// Bytes of the longest word with a stem. Most words that begin like a short stem are too long for it, and are not read.
fn longest_word(stem: &str, language: StemLanguage) -> usize {
    match language {
        _ if stem.len() > 2 => usize::MAX,
        // Endings are taken off behind the third letter only; but each vowel may have lost an `e`.
        StemLanguage::German => 2 * stem.len(),
        StemLanguage::English => stem.len() + LONGEST_ENDINGS,
    }
}

/// More than the rules for English take off any word (`ab` of `abfulnessingly`).
const LONGEST_ENDINGS: usize = 16;

/// Accepts all words that may have a stem, and not many others.
///
/// A stem is the beginning of its words but for two things: its end may have been changed ([`CHANGED_ENDS`]), which is
/// looked for apart, and in German an `e` behind `a`, `o` or `u` may have been dropped (`haus` of `haeuser`).
struct LikeStem {
    beginning: Vec<u8>,
}

/// How stems end whose words go on otherwise: `librari` of `library`, `abl` of `ability`, `hope` of `hoping`, `die` of
/// `dying`, `sky` of `skies`.
const CHANGED_ENDS: [(&str, &str); 5] =
    [("i", "y"), ("l", "ilit"), ("e", "ing"), ("ie", "ying"), ("y", "ies")];

impl LikeStem {
    /// What together accepts all words of a stem.
    fn all(stem: &str) -> impl Iterator<Item = LikeStem> {
        let changed = CHANGED_ENDS.iter().filter_map(move |(end, instead)| {
            let kept = stem.strip_suffix(end).filter(|kept| !kept.is_empty())?;
            Some(LikeStem::beginning(format!("{kept}{instead}")))
        });
        std::iter::once(LikeStem::beginning(stem.to_owned())).chain(changed)
    }

    fn beginning(beginning: String) -> LikeStem {
        let mut beginning = beginning.into_bytes();
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
        LikeStem::all(stem).any(|like| {
            let like = &like;
            let state = word.bytes().fold(like.start(), |state, byte| like.accept(&state, byte));
            like.is_match(&state)
        })
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
            ("hope",     "hopper",     false),
            ("abl",      "abilities",  true),
            ("sky",      "skies",      true),
            ("zu",       "zug",        true),
            ("an",       "aal",        false),
            ("",         "x",          true),
        ];
        for (stem, word, expected) in cases {
            assert_eq!(accepts(stem, word), expected, "{stem} {word}");
        }
    }

    /// Endings of both languages, some of which hide others.
    const ENDINGS: &str = " s es er ern en e em est st isch isches ig igkeit lich lichkeit keit heit ung ungen erin \
        innen nisse end ing ings ed ingly edly ies ied y ly li lies ying ation ational tional \
        ization izer ize bility bilities ability abilities ement ment ness fulness iveness ousness \
        ousli ogy logi eed eedly ue ae oe 's s' alism aliti iviti iciti icate ative ical ically \
        enci anci entli ance able ible tting bly";

    fn endings() -> Vec<&'static str> {
        ENDINGS.split(' ').collect()
    }

    /// Otherwise a word would not be found by its own stem. No word begins with an apostrophe.
    fn check(analyzer: &Analyzer, word: &str) {
        let word = word.trim_start_matches('\'');
        for language in StemLanguage::ALL {
            let stem = analyzer.stem(word, language);
            assert!(accepts(&stem, word), "{stem} {word}");
            assert!(word.len() <= longest_word(&stem, language), "{stem} {word}");
        }
    }

    #[test]
    fn every_short_word_is_like_its_stem() {
        let analyzer = Analyzer::new();
        let letters = || ["", "a", "b", "e", "i", "k", "l", "o", "r", "s", "t", "u", "y"].iter();
        for beginning in letters().flat_map(|first| letters().map(move |it| format!("{first}{it}")))
        {
            for (ending, further) in endings()
                .into_iter()
                .flat_map(|it| endings().into_iter().map(move |more| (it, more)))
            {
                check(&analyzer, &format!("{beginning}{ending}{further}"));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn every_word_is_like_its_stem(
            beginning in "[a-z]{1,8}|([bcdfglmnprst][aeiou]){1,4}[bdgklmnprstyz]?",
            ending in proptest::sample::select(endings()),
            further in proptest::sample::select(endings()),
        ) {
            thread_local!(static ANALYZER: Analyzer = Analyzer::new());
            ANALYZER.with(|analyzer| check(analyzer, &format!("{beginning}{ending}{further}")));
        }
    }
}
