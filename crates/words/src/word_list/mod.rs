//! Lists of the word forms of a language, and whether a word of a text is among them.
//!
//! A list is read from an automaton shipped with the program, from a plain text file (one form per
//! line), or from the two files of a hunspell dictionary. All of them end as one set of forms; see
//! `spelling` for how a word of a text is written before it is looked up.

mod hunspell;
mod word_set;

pub use hunspell::MAX_AFFIX_STEPS;

use crate::spelling::Spelling;
use fst::{Set, Streamer};
use thiserror::Error;
use word_set::WordSet;

/// Further forms of a list, or of a dictionary once its endings are added, are not read. A language
/// with rich endings has some millions of forms.
pub const MAX_FORMS: usize = 4_000_000;

/// Why a list cannot be used.
#[derive(Debug, Error)]
pub enum WordListError {
    #[error("the automaton of a word list is damaged")]
    Automaton(#[source] fst::Error),
    #[error("there are no words in it")]
    Empty,
    #[error("there are more than {MAX_FORMS} forms in it")]
    TooMany,
}

/// The forms of one language.
#[derive(Debug, Clone, Default)]
pub struct WordList {
    forms: WordSet,
}

impl WordList {
    /// A list as the program ships it.
    pub fn from_fst(bytes: &[u8]) -> Result<WordList, WordListError> {
        let set = Set::new(bytes).map_err(WordListError::Automaton)?;
        let mut forms = WordSet::with_room(set.len().min(MAX_FORMS));
        let mut stream = set.stream();
        while let Some(form) = stream.next() {
            forms.insert_new(form);
        }
        WordList { forms }.checked()
    }

    /// One form per line; what stands behind a tab or slash, and lines that begin with `#`, are not
    /// read.
    pub fn from_plain(text: &str) -> Result<WordList, WordListError> {
        let forms = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split(['\t', '/']).next());
        WordList::from_forms(forms)
    }

    /// The stems of a `.dic` file with the endings of its `.aff` file.
    pub fn from_hunspell(dictionary: &str, affixes: &str) -> Result<WordList, WordListError> {
        let mut list = WordList::default();
        hunspell::expand(dictionary, affixes, &mut |form| list.add(form));
        list.checked()
    }

    pub fn from_forms<'a>(
        forms: impl IntoIterator<Item = &'a str>,
    ) -> Result<WordList, WordListError> {
        let mut list = WordList::default();
        for form in forms {
            if !list.add(form.trim()) {
                break;
            }
        }
        list.checked()
    }

    /// How many forms there are.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.forms.len() == 0
    }

    /// All forms, in no particular order, as they are looked up.
    pub fn forms(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().filter_map(|form| std::str::from_utf8(form).ok())
    }

    /// Whether a word of a text is in the list, in whatever case it is written, with `ss` for `ß`,
    /// `ae` for `ä`, or with a short ending behind an apostrophe.
    ///
    /// ```
    /// let list = auslese_words::WordList::from_plain("straße\nüber\ngeht\n").unwrap();
    /// for word in ["Straße", "STRASSE", "Ueber", "u\u{308}ber", "geht's"] {
    ///     assert!(list.contains(word), "{word}");
    /// }
    /// assert!(!list.contains("uber"));
    /// ```
    #[inline]
    pub fn contains(&self, word: &str) -> bool {
        Spelling::of(word).is_some_and(|spelling| {
            self.contains_exactly(&spelling) || self.contains_otherwise(word, &spelling)
        })
    }

    /// Whether this very form is in the list.
    #[inline]
    pub fn contains_exactly(&self, spelling: &Spelling) -> bool {
        self.forms.contains(spelling.as_bytes())
    }

    /// Whether a word that is not in the list as it stands is there with umlauts, or without what
    /// follows an apostrophe.
    pub fn contains_otherwise(&self, word: &str, spelling: &Spelling) -> bool {
        self.contains_with_umlauts(spelling) || self.contains_before_apostrophe(word)
    }

    /// Umlauts written out: `Steuererhoehung` has two places that may be one, of which one is.
    fn contains_with_umlauts(&self, spelling: &Spelling) -> bool {
        let places = spelling.possible_umlauts();
        (1..1 << places).any(|choice| self.forms.contains(spelling.with_umlauts(choice).as_bytes()))
    }

    fn contains_before_apostrophe(&self, word: &str) -> bool {
        word.split_once(['\'', '’', 'ʼ']).is_some_and(|(stem, ending)| {
            ENDINGS.contains(&ending)
                && Spelling::of(stem).is_some_and(|stem| self.forms.contains(stem.as_bytes()))
        })
    }

    /// Whether there is room for more.
    fn add(&mut self, form: &str) -> bool {
        if let Some(spelling) = Spelling::of(form) {
            self.forms.insert(spelling.as_bytes());
        }
        self.forms.len() <= MAX_FORMS
    }

    fn checked(self) -> Result<WordList, WordListError> {
        match self.forms.len() {
            0 => Err(WordListError::Empty),
            len if len > MAX_FORMS => Err(WordListError::TooMany),
            _ => Ok(self),
        }
    }
}

/// What German joins to a word with an apostrophe: es, ein, einen, einem, eine, einer, den, dem.
const ENDINGS: &[&str] = &["s", "n", "nen", "nem", "ne", "ner", "m"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_text() {
        let list =
            WordList::from_plain("# Wörter\nstraße\tx\nsteuererhöhung\ngeht/S\nneue\n").unwrap();
        #[rustfmt::skip]
        let cases = [
            ("Straße",           true),
            ("STRASSE",          true),
            ("Stra\u{ad}ße",     true),
            ("Steuererhoehung",  true),
            ("STEUERERHÖHUNG",   true),
            ("geht's",           true),
            ("geht’s",           true),
            ("geht'x",           false),
            ("neue",             true),
            ("neü",              false),
            ("wörter",           false),
            ("",                 false),
        ];
        for (word, expected) in cases {
            assert_eq!(list.contains(word), expected, "{word}");
        }
        assert_eq!(list.len(), 4);
    }

    #[test]
    fn lists_that_are_none() {
        assert!(matches!(WordList::from_plain("\n# nothing\n"), Err(WordListError::Empty)));
        assert!(matches!(WordList::from_fst(b"no automaton"), Err(WordListError::Automaton(_))));
    }

    #[test]
    fn an_automaton_holds_what_was_packed() {
        let packed = Set::from_iter(["gestern", "heute", "über"]).unwrap();
        let list = WordList::from_fst(packed.as_fst().as_bytes()).unwrap();
        assert!(list.contains("Über") && list.contains("heute") && !list.contains("morgen"));
    }
}
