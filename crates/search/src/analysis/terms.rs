//! How a word lies in the dictionaries of the index: folded, and behind it a mark of the language whose endings it may have.
//!
//! So a word is written once, and yet found by its stem: whoever looks for a stem looks through the words that begin like
//! it, and takes those whose stem, in their own language, it is. Words of other languages, and those of fields that are
//! not inflected, have no mark.

use auslese_words::StemLanguage;

/// Below all letters, so the same word of several languages lies side by side.
const GERMAN: &str = "\u{1}";
const ENGLISH: &str = "\u{2}";

/// What stands behind a word of a language.
pub(crate) fn language_mark(language: Option<StemLanguage>) -> &'static str {
    match language {
        None => "",
        Some(StemLanguage::German) => GERMAN,
        Some(StemLanguage::English) => ENGLISH,
    }
}

/// The word of a term, and its language.
pub(crate) fn word_of(term: &str) -> (&str, Option<StemLanguage>) {
    let marked = |language| {
        let word = term.strip_suffix(language_mark(Some(language)))?;
        Some((word, Some(language)))
    };
    StemLanguage::ALL.into_iter().find_map(marked).unwrap_or((term, None))
}

/// The same for what dictionaries give; `None` if it is no text.
pub(crate) fn word_of_bytes(term: &[u8]) -> Option<(&str, Option<StemLanguage>)> {
    std::str::from_utf8(term).ok().map(word_of)
}

/// Whether a byte begins the mark of a language.
pub(crate) fn is_language_mark(byte: u8) -> bool {
    [GERMAN, ENGLISH].iter().any(|mark| mark.as_bytes() == [byte])
}
