//! What can go wrong with an index, grouped by what the caller can do about it.

use crate::query::QueryError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SearchError {
    #[error("there is no search index in {}", .dir.display())]
    Missing { dir: PathBuf },
    /// Made by another version of the program, or not by it at all.
    #[error("the search index in {} was made by another version ({found}, not {expected}); rebuild it", .dir.display())]
    OtherVersion { dir: PathBuf, found: String, expected: String },
    #[error("the search index in {} is damaged; rebuild it", .dir.display())]
    Damaged {
        dir: PathBuf,
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("the search index in {} is in use by another run", .dir.display())]
    Locked { dir: PathBuf },
    #[error("cannot write the search index in {}", .dir.display())]
    Write {
        dir: PathBuf,
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("cannot write {}", .file.display())]
    Io {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    /// The place and a hint are in the source; [`QueryError::render`] shows them below the query.
    #[error("the query cannot be understood")]
    Query(#[from] QueryError),
    #[error("the data of languages cannot be read")]
    LanguageData(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("there is no document {key} in the index")]
    NoDocument { key: u64 },
}
