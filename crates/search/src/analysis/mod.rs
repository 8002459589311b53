//! Texts to words, stems and pieces of compounds, the same way for documents and for queries.
//!
//! A word is folded (`ä` is `ae`), so umlauts match however they are written. Its stem is that of the document's
//! language, German or English; words of other languages are only folded. German words are also cut into pieces. All
//! this is done once per distinct word: the forms of words seen before are remembered. The results are written into
//! one string per list of postings, which [`PreparedTokenizer`] only cuts; so there is no allocation per word, and
//! documents can be prepared on all cores before the index takes them.

#[cfg(test)]
mod compound_cases;
mod prepared;

pub(crate) use prepared::{PreparedTokenizer, STATEMENT, WORD};

use crate::schema::STRIDE;
use auslese_words::{CompoundSplitter, StemLanguage, Stemmer, WordList, fold, token_spans};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// Longer words are cut, in bytes of their folded form: no language has them.
pub const MAX_WORD_BYTES: usize = 64;

/// Words whose forms are remembered, per language and thread; then it starts anew.
const MAX_REMEMBERED: usize = 200_000;

/// The words of one field, ready for the index.
#[derive(Debug, Clone, Default)]
pub(crate) struct PreparedField {
    pub(crate) words: String,
    /// Only stems that are not the word itself, which half of all words are; empty in their places. Whoever looks for
    /// a stem looks into both lists.
    pub(crate) stems: String,
    pub(crate) pieces: String,
}

impl PreparedField {
    /// Each word with its stem.
    pub(crate) fn words_and_stems(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.words.split(WORD).zip(self.stems.split(WORD)).skip(1);
        pairs.map(|(word, stem)| (word, if stem.is_empty() { word } else { stem }))
    }

    pub(crate) fn next_statement(&mut self) {
        for list in [&mut self.words, &mut self.stems, &mut self.pieces] {
            list.push(STATEMENT);
        }
    }
}

/// Which lists of a field are wanted, and how many words of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Words as they are, of a statement.
    NamesOfStatement,
    /// With stems and pieces, of a statement, which has limited room.
    Statement,
    /// With stems and pieces, all.
    Whole,
}

/// Prepares texts; keeps what it learnt about words.
#[derive(Debug)]
pub(crate) struct Analyzer {
    english: Stemmer,
    german: Stemmer,
    splitter: Arc<CompoundSplitter>,
    remembered: [FxHashMap<Box<str>, Forms>; 2],
}

/// What becomes of a word in one language.
#[derive(Debug, Clone)]
struct Forms {
    /// None if it is the word itself.
    stem: Option<Box<str>>,
    /// Stems of the pieces, each behind [`WORD`].
    pieces: Box<str>,
}

impl Analyzer {
    pub(crate) fn new() -> Analyzer {
        Analyzer {
            english: Stemmer::new(StemLanguage::English),
            german: Stemmer::new(StemLanguage::German),
            splitter: german_splitter(),
            remembered: Default::default(),
        }
    }

    /// Appends the words of a text.
    pub(crate) fn prepare(
        &mut self,
        text: &str,
        language: Option<StemLanguage>,
        extent: Extent,
        field: &mut PreparedField,
    ) {
        let limit = if extent == Extent::Whole { usize::MAX } else { STRIDE as usize - 1 };
        for span in token_spans(text).take(limit) {
            let start = field.words.len() + 1;
            push_folded(&text[span], &mut field.words);
            if extent != Extent::NamesOfStatement {
                let word = &field.words[start..];
                self.push_forms(word, language, &mut field.stems, &mut field.pieces);
            }
        }
    }

    fn push_forms(
        &mut self,
        word: &str,
        language: Option<StemLanguage>,
        stems: &mut String,
        pieces: &mut String,
    ) {
        stems.push(WORD);
        let Some(language) = language else { return };
        let forms = self.remembered_forms(word, language);
        stems.push_str(forms.stem.as_deref().unwrap_or_default());
        pieces.push_str(&forms.pieces);
    }

    fn remembered_forms(&mut self, word: &str, language: StemLanguage) -> &Forms {
        let table = language as usize;
        if !self.remembered[table].contains_key(word) {
            let forms = self.forms(word, language);
            if self.remembered[table].len() >= MAX_REMEMBERED {
                self.remembered[table].clear();
            }
            self.remembered[table].insert(word.into(), forms);
        }
        &self.remembered[table][word]
    }

    /// The stem of a folded word, and those of its pieces, from memory if it was seen before.
    pub(crate) fn stem_and_pieces<'a>(
        &'a mut self,
        word: &'a str,
        language: StemLanguage,
    ) -> (&'a str, impl Iterator<Item = &'a str>) {
        let forms = self.remembered_forms(word, language);
        let pieces = forms.pieces.split(WORD).filter(|piece| !piece.is_empty());
        (forms.stem.as_deref().unwrap_or(word), pieces)
    }

    fn forms(&self, word: &str, language: StemLanguage) -> Forms {
        let stem = self.stem(word, language);
        let mut pieces = String::new();
        if language == StemLanguage::German {
            for piece in self.splitter.pieces(word) {
                pieces.push(WORD);
                pieces.push_str(&self.stem(&piece, language));
            }
        }
        Forms { stem: (stem != word).then(|| stem.into()), pieces: pieces.into() }
    }

    /// The stem of a folded word.
    pub(crate) fn stem(&self, word: &str, language: StemLanguage) -> String {
        let stemmer = match language {
            StemLanguage::English => &self.english,
            StemLanguage::German => &self.german,
        };
        let stem = stemmer.stem(word).into_owned();
        if stem.is_empty() { word.to_owned() } else { stem }
    }
}

/// A word as it is in the index.
pub(crate) fn folded_word(word: &str) -> String {
    let mut folded = fold(word);
    folded.truncate(folded.floor_char_boundary(MAX_WORD_BYTES));
    folded
}

/// A whole subject term or name as it is in the index: folded words with one space between them.
pub(crate) fn normalised_term(term: &str) -> String {
    let folded = fold(term);
    let mut normalised = String::with_capacity(folded.len());
    for word in folded.split(|c: char| c.is_whitespace() || c.is_control()) {
        if !word.is_empty() {
            if !normalised.is_empty() {
                normalised.push(' ');
            }
            normalised.push_str(word);
        }
    }
    normalised.truncate(normalised.floor_char_boundary(MAX_TERM_BYTES));
    normalised
}

/// Bytes of a whole subject term or name that count.
const MAX_TERM_BYTES: usize = 200;

fn push_folded(word: &str, words: &mut String) {
    words.push(WORD);
    if word.len() <= MAX_WORD_BYTES && word.is_ascii() {
        let start = words.len();
        words.push_str(word);
        words[start..].make_ascii_lowercase();
    } else {
        words.push_str(&folded_word(word));
    }
}

/// Made at the first use, since it takes a fraction of a second.
fn german_splitter() -> Arc<CompoundSplitter> {
    static SPLITTER: OnceLock<Arc<CompoundSplitter>> = OnceLock::new();
    let make = || {
        let list = WordList::from_fst(auslese_language_data::GERMAN_FORMS)
            .expect("the list that the program ships is a list");
        Arc::new(CompoundSplitter::new(list))
    };
    SPLITTER.get_or_init(make).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepare(text: &str, language: Option<StemLanguage>) -> [String; 3] {
        let mut field = PreparedField::default();
        Analyzer::new().prepare(text, language, Extent::Whole, &mut field);
        [field.words, field.stems, field.pieces].map(|list| list.replace(WORD, " "))
    }

    #[test]
    fn lists() {
        use StemLanguage::{English, German};
        #[rustfmt::skip]
        let cases: &[(&str, Option<StemLanguage>, [&str; 3])] = &[
            ("Häuser, 3 Gärten!",       Some(German),  [" haeuser 3 gaerten", " haus  gart", ""]),
            ("Wissenschaftsgeschichte", Some(German),  [" wissenschaftsgeschichte", " wissenschaftsgeschicht", " wissenschaft geschicht"]),
            ("Digital Libraries",       Some(English), [" digital libraries", " digit librari", ""]),
            ("Bibliothèques",           None,          [" bibliotheques", " ", ""]),
            ("",                        None,          ["", "", ""]),
        ];
        for (text, language, expected) in cases {
            assert_eq!(&prepare(text, *language), expected, "{text}");
        }
    }

    #[test]
    fn statements_have_limited_room() {
        let mut field = PreparedField::default();
        let long = "wort ".repeat(STRIDE as usize * 2);
        Analyzer::new().prepare(&long, None, Extent::Statement, &mut field);
        assert_eq!(field.words.matches(WORD).count(), STRIDE as usize - 1);
    }

    #[test]
    fn terms_are_normalised() {
        assert_eq!(
            normalised_term("  Iterative\tMethoden\u{1f}Größe "),
            "iterative methoden groesse"
        );
        assert_eq!(folded_word(&"ä".repeat(80)).len(), MAX_WORD_BYTES);
    }
}
