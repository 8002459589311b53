//! Language tools for everyone: one spelling for many, words, and how far spellings are apart.
//!
//! ```
//! use auslese_words::{fold, resemblance, tokens};
//!
//! let folded = fold("Universität Gießen");
//! assert_eq!(folded, "universitaet giessen");
//! assert_eq!(tokens(&folded).collect::<Vec<_>>(), ["universitaet", "giessen"]);
//! assert!(resemblance(&folded, "universitaet giesen") > 0.9);
//! ```

mod fold;
mod levenshtein;
mod tokens;

pub use fold::fold;
pub use levenshtein::{MAX_COMPARED, levenshtein, one_letter_lost, resemblance};
pub use tokens::{token_spans, tokens};
