//! Texts to words, stems and pieces of compounds, the same way for documents and for queries.
//!
//! A word is folded (`ä` is `ae`), so umlauts match however they are written. Its stem is that of the document's
//! language, German or English; words of other languages are only folded. Stems are not written into the index: words
//! carry their language, and a query finds those that have its stems (see [`terms`]). German words are also cut into
//! pieces, once per distinct word: what became of words seen before is remembered. The results are written into one
//! string per list of postings, which [`PreparedTokenizer`] only cuts; so there is no allocation per word, and documents
//! can be prepared on all cores before the index takes them.

#[cfg(test)]
mod compound_cases;
mod memory;
mod prepared;
mod terms;

pub(crate) use prepared::{PreparedTokenizer, STATEMENT, WORD};
pub(crate) use terms::{is_language_mark, language_mark, word_of, word_of_bytes};

use crate::schema::STRIDE;
use auslese_words::{
    COMPOUND_BYTES, CompoundSplitter, StemLanguage, Stemmer, WordList, fold, fold_next_token,
    fold_onto, token_spans,
};
use memory::WordMemory;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Longer words are cut, in bytes of their folded form: no language has them.
pub const MAX_WORD_BYTES: usize = 64;

/// The words of one field, ready for the index.
#[derive(Debug, Clone, Default)]
pub(crate) struct PreparedField {
    /// Each with the mark of its language.
    pub(crate) words: String,
    /// Stems of the pieces of compounds.
    pub(crate) pieces: String,
    /// Whether pieces are left to whoever takes the words, see [`Analyzer::pieces_of_term`].
    pub(crate) words_only: bool,
}

impl PreparedField {
    pub(crate) fn next_statement(&mut self) {
        self.words.push(STATEMENT);
        if !self.words_only {
            self.pieces.push(STATEMENT);
        }
    }
}

/// Which lists of a field are wanted, and how many words of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Words as they are, of a statement.
    NamesOfStatement,
    /// With languages and pieces, of a statement, which has limited room.
    Statement,
    /// With languages and pieces, all.
    Whole,
}

/// Prepares texts; keeps what it learnt about words.
#[derive(Debug)]
pub(crate) struct Analyzer {
    english: Stemmer,
    german: Stemmer,
    splitter: Arc<CompoundSplitter>,
    pieces: KnownPieces,
    /// By language.
    forms: [KnownForms; 2],
}

/// The pieces of the German words that were met.
#[derive(Debug, Default)]
struct KnownPieces {
    /// Where they stand; at the beginning, if there are none, so that nothing more is looked at for most words.
    places: WordMemory<(u32, u32)>,
    /// Stems of the pieces, each behind [`WORD`].
    stems: String,
}

impl KnownPieces {
    fn find(&self, word: &str) -> Option<Range<usize>> {
        self.places.find(word).map(|(start, end)| start as usize..end as usize)
    }

    fn keep(&mut self, word: &str, stems: &str) -> Range<usize> {
        if self.places.is_full() {
            *self = KnownPieces::default();
        }
        let start = if stems.is_empty() { 0 } else { self.stems.len() };
        self.stems.push_str(stems);
        let place = start..start + stems.len();
        self.places.keep(word, (place.start as u32, place.end as u32));
        place
    }
}

/// What became of the words of one language that were asked for.
#[derive(Debug, Default)]
struct KnownForms {
    places: WordMemory<usize>,
    forms: Vec<Forms>,
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
            pieces: KnownPieces::default(),
            forms: std::array::from_fn(|_| KnownForms::default()),
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
        let language = language.filter(|_| extent != Extent::NamesOfStatement);
        let mark = language_mark(language).chars().next();
        let is_split = language == Some(StemLanguage::German) && !field.words_only;
        let mut at = 0;
        for _ in 0..limit {
            let before = field.words.len();
            field.words.push(WORD);
            let start = field.words.len();
            if !fold_next_token(text, &mut at, &mut field.words) {
                field.words.truncate(before);
                break;
            }
            cut_word(start, &mut field.words);
            let word = &field.words[start..];
            if is_split && COMPOUND_BYTES.contains(&word.len()) {
                field.pieces.push_str(self.remembered_pieces(word));
            }
            field.words.extend(mark);
        }
    }

    /// Shows each word of a text with its stem.
    pub(crate) fn each_stem(
        &mut self,
        text: &str,
        language: Option<StemLanguage>,
        mut take: impl FnMut(&str, &str),
    ) {
        let mut word = String::new();
        for span in token_spans(text) {
            word.clear();
            push_folded(&text[span], &mut word);
            match language {
                Some(language) => take(&word, self.stem_and_pieces(&word, language).0),
                None => take(&word, &word),
            }
        }
    }

    /// The stems of the pieces of a word with the mark of its language, each behind [`WORD`].
    pub(crate) fn pieces_of_term(&mut self, term: &[u8]) -> &str {
        match word_of_bytes(term) {
            Some((word, Some(StemLanguage::German))) if COMPOUND_BYTES.contains(&word.len()) => {
                self.remembered_pieces(word)
            }
            _ => "",
        }
    }

    /// The stems of the pieces of a German word, each behind [`WORD`].
    fn remembered_pieces(&mut self, word: &str) -> &str {
        let place = match self.pieces.find(word) {
            Some(place) => place,
            None => {
                let stems = self.pieces_of(word);
                self.pieces.keep(word, &stems)
            }
        };
        &self.pieces.stems[place]
    }

    fn remembered_forms(&mut self, word: &str, language: StemLanguage) -> &Forms {
        let table = language as usize;
        let place = match self.forms[table].places.find(word) {
            Some(place) => place,
            None => {
                let forms = self.forms_of(word, language);
                let known = &mut self.forms[table];
                if known.places.is_full() {
                    *known = KnownForms::default();
                }
                known.places.keep(word, known.forms.len());
                known.forms.push(forms);
                known.forms.len() - 1
            }
        };
        &self.forms[table].forms[place]
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

    fn forms_of(&self, word: &str, language: StemLanguage) -> Forms {
        let stem = self.stem(word, language);
        let pieces = match language {
            StemLanguage::German => self.pieces_of(word),
            StemLanguage::English => String::new(),
        };
        Forms { stem: (stem != word).then(|| stem.into()), pieces: pieces.into() }
    }

    fn pieces_of(&self, word: &str) -> String {
        let mut stems = String::new();
        for piece in self.splitter.pieces(word) {
            stems.push(WORD);
            stems.push_str(&self.stem(&piece, StemLanguage::German));
        }
        stems
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

/// The same as [`folded_word`], behind what is there.
fn push_folded(word: &str, words: &mut String) {
    let start = words.len();
    fold_onto(word, words);
    cut_word(start, words);
}

/// Cuts the last word, which begins at `start`, if it is too long.
fn cut_word(start: usize, words: &mut String) {
    if words.len() > start + MAX_WORD_BYTES {
        words.truncate(words.floor_char_boundary(start + MAX_WORD_BYTES));
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

    #[test]
    fn lists() {
        use StemLanguage::{English, German};
        #[rustfmt::skip]
        let cases: &[(&str, Option<StemLanguage>, [&str; 2])] = &[
            ("Häuser, 3 Gärten!",       Some(German),  [" haeuser\u{1} 3\u{1} gaerten\u{1}", ""]),
            ("Wissenschaftsgeschichte", Some(German),  [" wissenschaftsgeschichte\u{1}", " wissenschaft geschicht"]),
            ("Digital Libraries",       Some(English), [" digital\u{2} libraries\u{2}", ""]),
            ("Bibliothèques",           None,          [" bibliotheques", ""]),
            ("",                        None,          ["", ""]),
        ];
        for (text, language, expected) in cases {
            let mut field = PreparedField::default();
            Analyzer::new().prepare(text, *language, Extent::Whole, &mut field);
            let lists = [field.words, field.pieces].map(|list| list.replace(WORD, " "));
            assert_eq!(&lists, expected, "{text}");
        }
    }

    #[test]
    fn stems() {
        let mut found = Vec::new();
        let mut take = |word: &str, stem: &str| found.push(format!("{word} {stem}"));
        Analyzer::new().each_stem("Häuser", Some(StemLanguage::German), &mut take);
        Analyzer::new().each_stem("Häuser Libraries", None, &mut take);
        assert_eq!(found, ["haeuser haus", "haeuser haeuser", "libraries libraries"]);
    }

    #[test]
    fn memory_has_an_end() {
        let mut pieces = KnownPieces::default();
        for number in 0.. {
            if pieces.places.is_full() {
                break;
            }
            pieces.keep(&number.to_string(), "x");
        }
        pieces.keep("wort", "y");
        assert_eq!(pieces.find("0"), None);
        assert_eq!(pieces.find("wort").map(|at| &pieces.stems[at]), Some("y"));
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
