//! Asking databases whose providers say nothing about them; only where somebody has allowed it for the host.
//!
//! Three ways, each with a budget and an end. [`WordProbing`] asks for words that are frequent in what was
//! found so far (Barbosa and Freire 2004): with answers that are not cut this is nearly as good as knowing the
//! database. [`PrefixDrilling`] asks for beginnings of words and goes deeper only where an answer was cut,
//! with letters that were seen there first, because most beginnings do not exist. [`is_informative`] tells
//! which choices of a form change the answer at all (Madhavan et al. 2008). [`FormProbing`] puts them together for a
//! form that nobody described; what repeats on its answers are rows ([`answer_rows`]).

mod coverage;
mod form;
mod informative;
mod prefixes;
mod rows;
mod searched_cells;
mod words;

pub use coverage::Coverage;
pub use form::{DEFAULT_PROBING_BUDGET, FormProbing, PROBED_ATTRIBUTE, ProbingSettings};
pub use informative::{INFORMATIVE_SHARE, Informativeness, is_informative};
pub use prefixes::{MAX_PREFIX_LENGTH, PrefixDrilling};
pub use rows::{AnswerRow, MAX_ANSWER_ROWS, answer_rows};
pub use words::{MAX_PROBING_WORDS, STOP_AFTER, STOP_SHARE, WordProbing};
