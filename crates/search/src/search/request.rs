//! What can be asked.

use super::facet::{Facet, FacetFilter};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Hits that can be reached, `offset` and `limit` together.
pub const MAX_RESULT_WINDOW: usize = 100_000;

/// A question. [`SearchRequest::new`] sets the usual rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    pub query: String,
    pub syntax: QuerySyntax,
    /// What other vocabularies call the words of the query.
    pub alternatives: Vec<CollectionAlternatives>,
    pub filters: Vec<FacetFilter>,
    pub facets: Vec<Facet>,
    /// Values shown of each facet, the most frequent.
    pub facet_values: usize,
    pub offset: usize,
    pub limit: usize,
    pub sort: Sort,
    /// Whether statements count by their weights; otherwise each is certain.
    pub use_weights: bool,
    pub explain: bool,
    pub snippets: bool,
}

impl SearchRequest {
    pub fn new(query: &str) -> SearchRequest {
        SearchRequest {
            query: query.to_owned(),
            syntax: QuerySyntax::Language,
            alternatives: Vec::new(),
            filters: Vec::new(),
            facets: Vec::new(),
            facet_values: 20,
            offset: 0,
            limit: 10,
            sort: Sort::Relevance,
            use_weights: true,
            explain: false,
            snippets: false,
        }
    }
}

/// How the query is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuerySyntax {
    Language,
    /// As mere words, for texts that were not written as queries.
    Words,
}

/// The order of hits; ties are in the order of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    Relevance,
    /// Newest first; documents without a date last.
    Date,
    /// Last captured first.
    Captured,
    /// By the first 16 letters, folded.
    Title,
    Host,
}

/// Alternatives for one collection, or for all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CollectionAlternatives {
    pub collection: Option<String>,
    pub alternatives: Vec<Alternative>,
}

/// Something that means the same as some words of the query. It competes with them and is never required.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    pub id: String,
    /// The words it stands for, in bytes of the query.
    pub place: Range<usize>,
    pub target: AlternativeTarget,
    /// What a hit is worth, of what a hit of the words themselves is.
    pub weight: f64,
    /// Whether the words themselves are dropped for this collection.
    pub replace: bool,
    /// Shown with the hits it found.
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlternativeTarget {
    /// A whole subject term, in one of these spellings.
    Subject { scheme: Option<String>, terms: Vec<String> },
    /// Words in any field.
    Words(String),
    /// Only together they mean the words.
    AllOf(Vec<AlternativeTarget>),
}
