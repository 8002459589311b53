//! Data about languages, apart from the program because each file has its own licence and source;
//! see `README.md` beside this crate's manifest.
//!
//! The word lists are automata as `auslese_words::WordList` reads them.

/// German word forms: those used more often in German than in any other of 25 languages.
pub const GERMAN_FORMS: &[u8] = include_bytes!("../data/german.fst");

/// Given names, surnames and places that are no common words.
pub const NAMES: &[u8] = include_bytes!("../data/names.fst");

/// The language of a text, as a quantised fastText model of 176 languages.
pub const LANGUAGE_MODEL: &[u8] = include_bytes!("../data/lid.176.ftz");
