//! What comes back.

use super::facet::FacetCounts;
use super::snippets::Snippet;
use super::suggest::Suggestion;
use super::why::Why;
use crate::document::IndexedDocument;
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct SearchResults {
    /// How many documents answer the query.
    pub total: u64,
    pub hits: Vec<Hit>,
    pub facets: Vec<FacetCounts>,
    /// How many documents each alternative found, before other parts of the query.
    pub alternatives: Vec<AlternativeHits>,
    pub suggestions: Vec<Suggestion>,
    /// The query with the first suggestion in each place.
    pub corrected: Option<String>,
    /// What the reader should know, such as patterns that stand for too many words.
    pub notes: Vec<String>,
    pub took_micros: u64,
}

#[derive(Debug, Clone, Serialize)]
pub struct Hit {
    /// Which of the searched indexes, in their order.
    pub index: usize,
    pub key: u64,
    pub id: String,
    pub score: f64,
    pub title: String,
    pub snippet: Option<Snippet>,
    /// Everything known about the document but its text.
    pub document: IndexedDocument,
    pub why: Option<Why>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AlternativeHits {
    pub id: String,
    pub collection: Option<String>,
    pub hits: u64,
}
