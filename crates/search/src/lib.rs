//! Search: an index of documents and what is said about them, a query language, and a ranking that trusts statements
//! as far as their weights go.
//!
//! The room reads and writes index directories and knows nothing of where documents come from: callers hand over
//! [`IndexedDocument`]s and compare fingerprints. tantivy keeps postings, columns and stored texts; what is a word, what
//! a query means and how hits are ordered is decided here, because BM25F with weights before saturation, one statistic
//! over several indexes, and queries that hold to a degree are more than its queries offer.
//!
//! ```
//! use auslese_search::{IndexDir, IndexedDocument, SearchRequest, Searcher, WriterOptions};
//!
//! let dir = std::env::temp_dir().join(format!("auslese-search-doc-{}", std::process::id()));
//! let index = IndexDir::open_or_create(&dir)?;
//! let mut writer = index.writer(WriterOptions { threads: 1, ..Default::default() })?;
//! writer.put(IndexedDocument {
//!     key: 1,
//!     title: "Geschichte der Universitäten".into(),
//!     language: Some("de".into()),
//!     ..Default::default()
//! })?;
//! writer.commit("{}")?;
//! let results = Searcher::open(&[index])?.search(&SearchRequest::new("Universität"))?;
//! assert_eq!(results.hits[0].key, 1);
//! # std::fs::remove_dir_all(dir).unwrap();
//! # Ok::<(), auslese_search::SearchError>(())
//! ```

mod analysis;
mod document;
mod error;
mod fields;
mod foreign;
mod hit_key;
mod index;
pub mod query;
mod ranking;
mod schema;
mod search;
mod transfer;

pub use analysis::MAX_WORD_BYTES;
pub use document::{
    DocumentDate, IndexedDocument, IndexedStatement, Kept, MAX_STATEMENTS, MAX_TEXT_BYTES,
    MAX_VALUE_BYTES, MIN_STATEMENT_WEIGHT, Source,
};
pub use error::SearchError;
pub use fields::{FieldParameters, RankingParameters, TextField};
pub use foreign::{BadLine, ForeignLines, MAX_LINE_BYTES, RUN_HITS, read_foreign, write_run};
pub use hit_key::HitKey;
pub use index::{
    IndexDir, IndexPart, MAX_WRITER_THREADS, Rebuild, WRITER_MEMORY, Writer, WriterOptions,
};
pub use query::QueryError;
pub use schema::INDEX_VERSION;
pub use search::*;
pub use transfer::{alternatives, query_parts};
