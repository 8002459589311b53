//! Answers questions over one or several indexes: ranked hits, facets, explanations, similar documents, stored texts.
//!
//! A query is parsed, planned (words become alternatives in lists of postings, patterns are expanded), gathered segment
//! by segment on all cores, and evaluated; only the hits that are shown are read from the store.

mod documents;
mod evaluate;
mod expand;
mod facet;
mod order;
mod persons;
mod plan;
mod request;
mod restrict;
mod results;
mod searcher;
mod similar;
mod snippets;
mod suggest;
mod why;
mod word_forms;

pub use documents::{
    Documents, DocumentsRequest, LearningDocument, LearningDocuments, MAX_LEARNT_WORDS,
    StoredDocument, WordCount,
};
pub use expand::{MAX_EXPANDED_WORDS, MAX_PATTERN_BYTES, MAX_PATTERN_SIZE, MAX_SCANNED_WORDS};
pub use facet::{Facet, FacetCounts, FacetFilter};
pub use plan::MAX_ALTERNATIVES;
pub use request::{
    Alternative, AlternativeTarget, CollectionAlternatives, MAX_RESULT_WINDOW, QuerySyntax,
    SearchRequest, Sort,
};
pub use results::{AlternativeHits, Hit, SearchResults};
pub use searcher::Searcher;
pub use similar::{MAX_SIMILAR_TERMS, SimilarRequest};
pub use snippets::{MAX_SNIPPET_TEXT, SNIPPET_BYTES, Snippet};
pub use suggest::Suggestion;
pub use why::{DegreeWhy, FieldWhy, TermWhy, Why};
