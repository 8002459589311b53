//! The query language: words, phrases, fields, operators, and predicates that hold more or less.
//!
//! A query is read into a [`Node`] whose parts know their place in the text, so that errors, explanations and
//! replacements of words can point at it. Everything is limited before it costs anything; `docs/searching.md` has the
//! grammar.

mod error;
mod lexer;
mod names;
mod parser;
mod tree;
mod values;

pub use error::QueryError;
pub use names::{FieldName, field_names};
pub use tree::{Form, Node, NodeKind, Occur, RangeColumn};

use auslese_words::token_spans;

/// Bytes of a query.
pub const MAX_QUERY_BYTES: usize = 8 << 10;

/// Parentheses within each other.
pub const MAX_QUERY_DEPTH: usize = 32;

/// Words, phrases and predicates of a query.
pub const MAX_QUERY_PARTS: usize = 256;

/// Largest distance of `NEAR/n`.
pub const MAX_NEAR_DISTANCE: u32 = 100;

/// Largest distance of `word~n`.
pub const MAX_FUZZY_DISTANCE: u8 = 2;

/// Reads a query.
///
/// ```
/// let query = "title:Bibliothek AND (date:2001..2004 OR lang:de)";
/// assert!(auslese_search::query::parse(query).is_ok());
/// let error = auslese_search::query::parse("title:(Haus").unwrap_err();
/// assert_eq!(error.place, 6..7);
/// ```
pub fn parse(query: &str) -> Result<Node, QueryError> {
    check_length(query)?;
    parser::parse(query)
}

/// Reads a text as mere words, without operators: for questions that were not written in this language.
pub fn parse_words(text: &str) -> Result<Node, QueryError> {
    check_length(text)?;
    let words = token_spans(text).take(MAX_QUERY_PARTS);
    let clauses = words.map(|span| (Occur::Should, Node::word(&text[span.clone()], span, None)));
    Ok(Node { place: 0..text.len(), kind: NodeKind::List(clauses.collect()) })
}

fn check_length(query: &str) -> Result<(), QueryError> {
    if query.len() <= MAX_QUERY_BYTES {
        return Ok(());
    }
    let place = query.floor_char_boundary(MAX_QUERY_BYTES)..query.len();
    let message = format!("the query is longer than {MAX_QUERY_BYTES} bytes");
    Err(QueryError::new(message, place, "a shorter query"))
}
