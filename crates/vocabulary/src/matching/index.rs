//! Labels and notations by the key of their words.
//!
//! A key is kept as a hash, so that hundreds of thousands of labels take few bytes each; what a
//! hash finds is compared with the label itself. A label in brackets' company, `Bank (Möbel)`, is
//! also found without them.

use crate::word_key::WordKey;
use crate::{Concept, Vocabulary};
use auslese_words::{StemLanguage, fold, tokens};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Words of a label that can be found in a question.
pub const MAX_LABEL_WORDS: usize = 16;

#[derive(Debug)]
pub(crate) struct LabelIndex {
    entries: Vec<Entry>,
    pub(super) keys: Vec<WordKey>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    hash: u64,
    /// Place among the vocabularies.
    pub(super) vocabulary: u32,
    /// Place among the concepts.
    pub(super) concept: u32,
    pub(super) name: Name,
}

/// Which name of the concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Label { at: u32, qualified: bool },
    Notation { at: u32 },
}

impl LabelIndex {
    pub(crate) fn of<'v>(vocabularies: impl Iterator<Item = &'v Vocabulary>) -> LabelIndex {
        let languages = StemLanguage::ALL.into_iter().map(Some).chain([None]);
        let mut index =
            LabelIndex { entries: Vec::new(), keys: languages.map(WordKey::of).collect() };
        for (vocabulary, it) in (0u32..).zip(vocabularies) {
            for (concept, it) in (0u32..).zip(it.concepts()) {
                index.add(vocabulary, concept, it);
            }
        }
        index.entries.sort_unstable_by_key(|it| (it.hash, it.vocabulary, it.concept));
        index
    }

    fn add(&mut self, vocabulary: u32, concept: u32, it: &Concept) {
        let entry = |hash, name| Entry { hash, vocabulary, concept, name };
        for (at, label) in (0u32..).zip(&it.labels) {
            let unqualified = without_qualifier(&label.text);
            let forms = std::iter::once((label.text.as_str(), false))
                .chain(unqualified.map(|text| (text, true)));
            for (text, qualified) in forms {
                if tokens(text).count() > MAX_LABEL_WORDS {
                    continue;
                }
                for (way, key) in self.keys.iter().enumerate() {
                    if speaks(&label.language, key) {
                        let hash = hash_words(way, &key.key(text));
                        self.entries.push(entry(hash, Name::Label { at, qualified }));
                    }
                }
            }
        }
        for (at, notation) in (0u32..).zip(&it.notations) {
            self.entries.push(entry(hash_notation(notation), Name::Notation { at }));
        }
    }

    /// Entries whose words may be these, in the way of the key at this place.
    pub(super) fn with_words(&self, way: usize, key: &str) -> &[Entry] {
        self.with_hash(hash_words(way, key))
    }

    pub(super) fn with_notation(&self, text: &str) -> &[Entry] {
        self.with_hash(hash_notation(text))
    }

    fn with_hash(&self, hash: u64) -> &[Entry] {
        let start = self.entries.partition_point(|it| it.hash < hash);
        let length = self.entries[start..].partition_point(|it| it.hash == hash);
        &self.entries[start..start + length]
    }
}

/// Whether labels of a language are looked up by a key: by that of their language, or by those of
/// all languages where none is known.
pub(super) fn speaks(language: &str, key: &WordKey) -> bool {
    language.is_empty() || StemLanguage::from_tag(language) == key.language()
}

/// `Bank` of `Bank (Möbel)` and `Bank <Möbel>`.
pub(super) fn without_qualifier(label: &str) -> Option<&str> {
    let (open, close) =
        [('(', ')'), ('<', '>')].into_iter().find(|(_, end)| label.ends_with(*end))?;
    let (before, within) = label[..label.len() - close.len_utf8()].rsplit_once(open)?;
    let before = before.trim_end();
    (!before.is_empty() && !within.contains(close)).then_some(before)
}

fn hash_words(way: usize, key: &str) -> u64 {
    hash(way, key)
}

fn hash_notation(text: &str) -> u64 {
    hash(usize::MAX, &fold(text))
}

fn hash(way: usize, text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(way);
    hasher.write(text.as_bytes());
    hasher.finish()
}
