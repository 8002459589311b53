//! What goes into the index, and what of it comes out again with a hit.
//!
//! A document is what the caller knows about one capture, one hidden database, one record of a repository or one line of
//! a foreign collection.
//! Statements come with their weights, the candidates that lost included: a doubtful title is found, only later.
//! Text, headings and words of links are not part of the stored record; the text is stored beside it.

use auslese_model::{Field, Timestamp};
use serde::{Deserialize, Serialize};

/// Statements weaker than this are not indexed: they would match without being worth a place.
pub const MIN_STATEMENT_WEIGHT: f64 = 0.05;

/// Statements of one kind that are indexed, the strongest first.
pub const MAX_STATEMENTS: usize = 64;

/// Bytes of a document's text that are indexed and stored.
pub const MAX_TEXT_BYTES: usize = 4 << 20;

/// Bytes of one statement, heading or text of a link that are indexed.
pub const MAX_VALUE_BYTES: usize = 8 << 10;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct IndexedDocument {
    /// The number of the request in a harvest, a running number elsewhere, with marks for what is no request
    /// ([`HitKey`](crate::HitKey)); one document per key.
    pub key: u64,
    /// The address, or the name a foreign collection gives.
    pub id: String,
    /// Changes whenever something about the document changes.
    pub fingerprint: u64,
    pub host: String,
    pub path: String,
    pub institution: String,
    /// The documents that share an indexing vocabulary.
    pub collection: String,
    pub source: Source,
    pub kept: Kept,
    pub media_type: String,
    pub format: String,
    pub size: u64,
    /// A tag such as `de`.
    pub language: Option<String>,
    pub document_type: String,
    pub captured: Option<Timestamp>,
    pub date: Option<DocumentDate>,
    pub versions: u32,
    /// As it is shown.
    pub title: String,
    #[serde(skip)]
    pub headings: Vec<String>,
    /// The words of links to the document, and how many links have them.
    #[serde(skip)]
    pub anchors: Vec<(String, u64)>,
    #[serde(skip)]
    pub text: String,
    pub statements: Vec<IndexedStatement>,
}

/// Something said about a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexedStatement {
    pub field: Field,
    pub value: String,
    /// From 0 to 1.
    pub weight: f64,
    /// The scheme of a classification or thesaurus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
    pub chosen: bool,
}

/// Where a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    #[default]
    Page,
    /// A document made of pages, such as PDF.
    Paper,
    /// Only its header is known.
    HeaderOnly,
    /// A hidden database: its form and the values collected.
    Database,
    /// A record of a repository.
    Record,
    Foreign,
}

impl Source {
    pub fn as_str(self) -> &'static str {
        match self {
            Source::Page => "page",
            Source::Paper => "paper",
            Source::HeaderOnly => "header-only",
            Source::Database => "database",
            Source::Record => "record",
            Source::Foreign => "foreign",
        }
    }
}

/// Whether the corpus keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    Kept,
    Left,
    #[default]
    Unknown,
}

impl Kept {
    pub fn as_str(self) -> &'static str {
        match self {
            Kept::Kept => "kept",
            Kept::Left => "left",
            Kept::Unknown => "unknown",
        }
    }
}

/// The document's date as far as it is known, with the weight of the statement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DocumentDate {
    pub year: i32,
    pub month: Option<u8>,
    pub day: Option<u8>,
    pub weight: f64,
}

impl DocumentDate {
    /// The first day it may mean, counted from 1970-01-01; `None` if there is no such day.
    pub(crate) fn first_day(&self) -> Option<i64> {
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        day_number(i64::from(self.year), u32::from(month), u32::from(day))
    }
}

/// Days since 1970-01-01.
pub(crate) fn day_number(year: i64, month: u32, day: u32) -> Option<i64> {
    Timestamp::from_civil((year, month, day), (0, 0, 0)).map(|time| time.seconds() / 86_400)
}

/// The year of a day number.
pub(crate) fn year_of(day: i64) -> i64 {
    Timestamp::from_seconds(day.saturating_mul(86_400)).date().0
}

/// The weight of the words of links: other people's words are good evidence, and better if there are many.
pub(crate) fn anchor_weight(links: u64) -> f64 {
    1.0 - 1.0 / (1.0 + links as f64)
}

/// The beginning of a text, at most so many bytes, cut between letters.
pub(crate) fn cut_text(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes.min(text.len()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        let date = |year, month, day| DocumentDate { year, month, day, weight: 1.0 };
        assert_eq!(date(1970, None, None).first_day(), Some(0));
        assert_eq!(date(2000, Some(2), Some(29)).first_day(), Some(11_016));
        assert_eq!(date(1969, Some(12), Some(31)).first_day(), Some(-1));
        assert_eq!(date(2001, Some(2), Some(29)).first_day(), None);
        assert_eq!(year_of(11_016), 2000);
        assert_eq!(year_of(-1), 1969);
    }

    #[test]
    fn what_is_stored_has_no_text() {
        let document = IndexedDocument { text: "long".into(), key: 7, ..Default::default() };
        let record = serde_json::to_string(&document).unwrap();
        assert!(!record.contains("long"));
        let read: IndexedDocument = serde_json::from_str(&record).unwrap();
        assert_eq!(read, IndexedDocument { text: String::new(), ..document });
    }
}
