//! One key for all ways to write the same words: folded, and without endings where the language is
//! known.

use auslese_words::{StemLanguage, Stemmer, fold, stop_words, tokens};
use rustc_hash::FxHashSet;

/// How words are made comparable.
#[derive(Debug)]
pub(crate) struct WordKey {
    stemmer: Option<Stemmer>,
    stop_words: FxHashSet<String>,
}

impl WordKey {
    /// For words of a language, or of any other.
    pub(crate) fn of(language: Option<StemLanguage>) -> WordKey {
        let stop_words = language.into_iter().flat_map(stop_words).map(fold).collect();
        WordKey { stemmer: language.map(Stemmer::new), stop_words }
    }

    pub(crate) fn language(&self) -> Option<StemLanguage> {
        self.stemmer.as_ref().map(Stemmer::language)
    }

    /// The key of a text; empty if it has no words.
    pub(crate) fn key(&self, text: &str) -> String {
        let folded = fold(text);
        let mut key = String::with_capacity(folded.len());
        for word in tokens(&folded) {
            self.push(word, &mut key);
        }
        key
    }

    /// Adds a folded word to a key.
    pub(crate) fn push(&self, word: &str, key: &mut String) {
        if !key.is_empty() {
            key.push(' ');
        }
        match &self.stemmer {
            Some(stemmer) => key.push_str(&stemmer.stem(word)),
            None => key.push_str(word),
        }
    }

    /// Whether a folded word says nothing by itself.
    pub(crate) fn is_stop_word(&self, word: &str) -> bool {
        self.stop_words.contains(word)
    }
}
