//! Words in their contexts, counted: what corpus linguists ask of a corpus.
//!
//! Texts are handed in one by one, with their tags. A [`Reading`] cuts a text into tokens and
//! sentences, a [`Matcher`] finds the hits of a [`NodeQuery`] in it, and collectors take both:
//! [`Concordance`], [`GroupCounts`], [`FormCounts`], [`Collocations`], [`Curve`]. Each collector
//! needs bounded memory, whatever comes, and can be merged with another one, so that threads may
//! share the work. Counts are exact, or the result says by how much they may be wrong.
//!
//! Which texts are looked at is for the caller to say; [`NodeQuery::required`] helps an index to
//! find candidates. What is counted, and by which formulas, is written down in `docs/kwic.md`.
//!
//! ```
//! use auslese_kwic::*;
//!
//! let query = NodeQuery::parse("universität*", TokenRule::Whole, Sensitivity::IgnoreCase).unwrap();
//! let mut matcher = Matcher::new(&query);
//! let mut concordance = Concordance::new(ConcordanceOptions {
//!     context: Context::Tokens(2),
//!     sort: SortOrder::parse("R1").unwrap(),
//!     ..ConcordanceOptions::default()
//! });
//! for (key, text) in [("1", "Die Universität Ulm lädt ein."), ("2", "An Universitäten forscht man.")] {
//!     let text = Text { key, text, ..Text::default() };
//!     let reading = Reading::new(&text, query.rule(), Borders::Sentence);
//!     concordance.push(&reading, &matcher.find(&reading));
//! }
//! let page = concordance.finish();
//! assert_eq!((page.totals.hits, page.totals.tokens), (2, 9));
//! let lines = aligned_text(&page, 60, Beside::Nothing);
//! assert!(lines.lines().next().unwrap().contains("An  Universitäten  forscht man"), "{lines}");
//! ```

mod collation;
mod collocations;
mod concordance;
mod count_table;
mod curve;
mod error;
mod form_counts;
mod forms;
mod group_counts;
mod measures;
mod query;
mod sheet;
mod text;
mod tokens;
mod totals;

pub use collocations::{
    Collocate, CollocationOptions, CollocationTable, Collocations, MAX_WINDOW, Measure,
};
pub use concordance::{
    Beside, Concordance, ConcordanceOptions, ConcordancePage, Context, Line, MAX_CONTEXT,
    MAX_KEPT_BYTES, MAX_LINES, MAX_SORT_LEVELS, SortLevel, SortOrder, Source, aligned_text,
};
pub use curve::{CURVE_YEARS, Curve, CurveNode, CurvePoint, CurveTable, MAX_CURVE_NODES};
pub use error::{KwicError, Problem};
pub use form_counts::{
    DEFAULT_LISTED_FORMS, FormCounts, FrequencyList, FrequencyRow, Keyness, KeynessRow,
    MAX_LISTED_FORM, MAX_NGRAM,
};
pub use forms::Sensitivity;
pub use group_counts::{GroupCounts, GroupRow, GroupTable, MAX_GROUPS};
pub use query::{
    Hit, Literal, LiteralPlace, MAX_COMPARED_TOKEN, MAX_NODE_QUERY, MAX_NODE_TOKENS,
    MAX_QUERY_NESTING, MAX_QUERY_STEPS, MAX_TOKEN_PATTERNS, MAX_TOKEN_REGEX, Matcher, NodeQuery,
};
pub use sheet::{Field, Sheet};
pub use text::{By, Period, Step, Text};
pub use tokens::{Borders, MAX_KWIC_TEXT, Reading, TokenRule, token_spans};
pub use totals::Totals;
