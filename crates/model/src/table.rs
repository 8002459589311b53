//! Tables that are given away: what a column holds, and what stands in a cell.
//!
//! The catalog knows what there is, a writer knows a format; between them go columns and rows.

use crate::Timestamp;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    Flag,
    Number,
    Fraction,
    Time,
    Text,
    Texts,
    Fractions,
}

impl ColumnKind {
    /// The name of the type in the manual.
    pub fn as_str(self) -> &'static str {
        match self {
            ColumnKind::Flag => "boolean",
            ColumnKind::Number => "int64",
            ColumnKind::Fraction => "double",
            ColumnKind::Time => "timestamp",
            ColumnKind::Text => "string",
            ColumnKind::Texts => "list of strings",
            ColumnKind::Fractions => "list of doubles",
        }
    }
}

/// A column of a table. Any cell may be [`Cell::Null`], apart from lists, which may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: ColumnKind,
}

/// A value in a table, of the kind of its column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Null,
    Flag(bool),
    Number(i64),
    Fraction(f64),
    Time(Timestamp),
    Text(String),
    Texts(Vec<String>),
    Fractions(Vec<f64>),
}
