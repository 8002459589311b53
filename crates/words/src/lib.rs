//! Language tools for everyone: one spelling for many, words and what is none, stems and stop words,
//! word lists, a detector for all languages, and how far spellings are apart.
//!
//! ```
//! use auslese_words::{fold, resemblance, tokens};
//!
//! let folded = fold("Universität Gießen");
//! assert_eq!(folded, "universitaet giessen");
//! assert_eq!(tokens(&folded).collect::<Vec<_>>(), ["universitaet", "giessen"]);
//! assert!(resemblance(&folded, "universitaet giesen") > 0.9);
//! ```

mod addresses;
mod compounds;
mod detector;
mod fold;
mod levenshtein;
mod pieces;
mod sentences;
mod spelling;
mod stems;
mod stop_words;
mod tokens;
mod word_list;

pub use compounds::{COMPOUND_BYTES, CompoundSplitter, MAX_COMPOUND_PIECES};
pub use detector::{Care, Detected, Detector, DetectorError, MAX_DETECTED, MAX_DETECTED_QUICKLY};
pub use fold::{fold, fold_onto};
pub use levenshtein::{MAX_COMPARED, levenshtein, one_letter_lost, resemblance};
pub use pieces::{Piece, PieceKind, Pieces, pieces};
pub use sentences::{sentence_spans, sentences};
pub use spelling::{MAX_WORD, Spelling};
pub use stems::{MAX_STEMMED, StemLanguage, Stemmer};
pub use stop_words::stop_words;
pub use tokens::{fold_next_token, token_count, token_count_within, token_spans, tokens};
pub use word_list::{MAX_AFFIX_STEPS, MAX_FORMS, WordList, WordListError};
