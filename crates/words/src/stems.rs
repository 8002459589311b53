//! What remains of a word when its endings are taken off: `discoveries` and `discovery` are one word.
//!
//! The rules are those of the Snowball project (M. F. Porter, <https://snowballstem.org>): Porter's
//! second set for English, and the one for German, which also makes `ae` and `ä` the same. A stem is
//! a key for comparing, not a word to show.

use snowball_stemmers_rs::{Algorithm, Stemmer as Snowball};
use std::borrow::Cow;
use std::fmt;

/// Longer words are kept as they are, in bytes: no language has them, and the rules would take long.
pub const MAX_STEMMED: usize = 64;

/// The languages whose endings are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StemLanguage {
    English,
    German,
}

impl StemLanguage {
    pub const ALL: [StemLanguage; 2] = [StemLanguage::English, StemLanguage::German];

    /// The tag of the language: `en`, `de`.
    pub fn tag(self) -> &'static str {
        match self {
            StemLanguage::English => "en",
            StemLanguage::German => "de",
        }
    }

    /// The language of a tag; what follows the first hyphen does not matter.
    pub fn from_tag(tag: &str) -> Option<StemLanguage> {
        let language = tag.split(['-', '_']).next().unwrap_or(tag);
        StemLanguage::ALL.into_iter().find(|it| language.eq_ignore_ascii_case(it.tag()))
    }
}

/// Takes the endings off words of one language.
///
/// ```
/// use auslese_words::{StemLanguage, Stemmer};
///
/// let english = Stemmer::new(StemLanguage::English);
/// assert_eq!(english.stem("discoveries"), english.stem("discovery"));
/// let german = Stemmer::new(StemLanguage::German);
/// assert_eq!(german.stem("häuser"), german.stem("haeusern"));
/// ```
pub struct Stemmer {
    language: StemLanguage,
    rules: Snowball,
}

impl Stemmer {
    pub fn new(language: StemLanguage) -> Stemmer {
        let rules = match language {
            StemLanguage::English => Algorithm::English,
            StemLanguage::German => Algorithm::German,
        };
        Stemmer { language, rules: Snowball::create(rules) }
    }

    pub fn language(&self) -> StemLanguage {
        self.language
    }

    /// The stem of a word in lower case.
    pub fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if word.len() > MAX_STEMMED {
            return Cow::Borrowed(word);
        }
        self.rules.stem(word)
    }
}

impl fmt::Debug for Stemmer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stemmer").field("language", &self.language).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_stem_for_the_forms_of_a_word() {
        use StemLanguage::{English, German};
        #[rustfmt::skip]
        let cases: [(StemLanguage, &[&str]); 6] = [
            (English, &["extraction", "extractions", "extracted", "extracting"]),
            (English, &["query", "queries"]),
            (English, &["agent", "agents", "agent's"]),
            (German,  &["bibliothek", "bibliotheken"]),
            (German,  &["verfahren", "verfahrens"]),
            (German,  &["schlüssel", "schluessel", "schlüsseln"]),
        ];
        for (language, forms) in cases {
            let stemmer = Stemmer::new(language);
            for form in forms {
                assert_eq!(stemmer.stem(form), stemmer.stem(forms[0]), "{form}");
            }
        }
        let english = Stemmer::new(English);
        assert_ne!(english.stem("policy"), english.stem("police"));
    }

    #[test]
    fn tags() {
        assert_eq!(StemLanguage::from_tag("de-AT"), Some(StemLanguage::German));
        assert_eq!(StemLanguage::from_tag("EN"), Some(StemLanguage::English));
        assert_eq!(StemLanguage::from_tag("fr"), None);
        assert_eq!(StemLanguage::from_tag(""), None);
    }

    proptest! {
        #[test]
        fn any_word_has_a_stem(word in "\\PC{0,80}") {
            for language in StemLanguage::ALL {
                let stem = Stemmer::new(language).stem(&word.to_lowercase()).into_owned();
                prop_assert!(stem.len() <= 2 * word.to_lowercase().len() + 2);
            }
        }
    }
}
