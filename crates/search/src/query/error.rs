//! What is wrong with a query, where, and what to do.

use serde::Serialize;
use std::ops::Range;
use thiserror::Error;

/// A query that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Error)]
#[error("{message}, at character {}", .column)]
pub struct QueryError {
    pub message: String,
    /// In bytes of the query.
    pub place: Range<usize>,
    /// The place in characters, from 1; set when the query is at hand.
    pub column: usize,
    pub expected: String,
    pub hint: Option<String>,
}

impl QueryError {
    pub(crate) fn new(
        message: impl Into<String>,
        place: Range<usize>,
        expected: impl Into<String>,
    ) -> QueryError {
        let column = place.start + 1;
        QueryError { message: message.into(), place, column, expected: expected.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> QueryError {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn in_query(mut self, query: &str) -> QueryError {
        let start = query.floor_char_boundary(self.place.start.min(query.len()));
        self.column = query[..start].chars().count() + 1;
        self
    }

    /// The query with a line below it that points at the place.
    pub fn render(&self, query: &str) -> String {
        let start = query.floor_char_boundary(self.place.start.min(query.len()));
        let end = query.ceil_char_boundary(self.place.end.clamp(start, query.len()));
        // A query is shown in one line: what would break it is shown as a space.
        let shown: String = query.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let before = query[..start].chars().count();
        let marked = query[start..end].chars().count().max(1);
        let mut lines = format!(
            "{}\n  {shown}\n  {}{}\nexpected: {}",
            self.message,
            " ".repeat(before),
            "^".repeat(marked),
            self.expected
        );
        if let Some(hint) = &self.hint {
            lines.push_str("\nhint: ");
            lines.push_str(hint);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_the_place() {
        let query = "größe:(a";
        let error = QueryError::new("it is not closed", 8..9, "`)`").in_query(query);
        assert_eq!(error.column, 7);
        let rendered = error.render(query);
        assert_eq!(rendered, "it is not closed\n  größe:(a\n        ^\nexpected: `)`");
    }
}
