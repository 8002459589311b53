//! The forms of a query word that are looked for, and where.

use super::plan::fields;
use super::searcher::Searcher;
use crate::fields::TextField;
use crate::ranking::{Posting, PostingList};
use auslese_words::StemLanguage;

impl Searcher {
    /// A word in all its forms: stems by the languages that the indexes hold, pieces of German compounds, and the word
    /// itself where words are not inflected.
    pub(crate) fn word_postings(&self, word: &str, field: Option<TextField>) -> Vec<Posting> {
        let stems = self.stems(word);
        let piece = self.languages().german.then(|| self.stem(word, StemLanguage::German));
        let compound = self.parameters().compound as f32;
        let mut postings = Vec::new();
        for field in fields(field) {
            let mut add = |list, term: &str, factor| {
                postings.push(Posting { list, term: term.to_owned(), factor });
            };
            if field.is_stemmed() {
                for stem in &stems {
                    add(PostingList::Stems(field), stem, 1.0);
                    add(PostingList::Words(field), stem, 1.0);
                }
                if let Some(piece) = &piece {
                    add(PostingList::Pieces(field), piece, compound);
                }
            } else {
                add(PostingList::Words(field), word, 1.0);
            }
        }
        postings
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
