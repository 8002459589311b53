//! Databases behind forms and other interfaces, as all stages speak of them.

use serde::{Deserialize, Serialize};

/// How far a provider helps those who want to know what is in a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cooperation {
    /// A summarizer of the provider's own hands the values out.
    Full,
    /// Metadata on the page of the form say what to ask, and where values stand on answers.
    Restricted,
    /// There is an interface made for programs, such as OAI-PMH.
    Declared,
    /// There is a form, and nothing is said about it.
    None,
}

impl Cooperation {
    pub const ALL: [Cooperation; 4] =
        [Cooperation::Full, Cooperation::Restricted, Cooperation::Declared, Cooperation::None];

    pub fn as_str(self) -> &'static str {
        match self {
            Cooperation::Full => "full",
            Cooperation::Restricted => "restricted",
            Cooperation::Declared => "declared",
            Cooperation::None => "none",
        }
    }

    pub fn parse(text: &str) -> Option<Cooperation> {
        Cooperation::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

/// By what a database is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DatabaseKind {
    /// A form on a web page.
    Form,
    /// A document that names a summarizer and what it is to hand out.
    DbContent,
    /// A repository of records.
    OaiPmh,
    /// A search that describes itself.
    OpenSearch,
    /// A set of data, described on a page.
    Dataset,
}

impl DatabaseKind {
    pub const ALL: [DatabaseKind; 5] = [
        DatabaseKind::Form,
        DatabaseKind::DbContent,
        DatabaseKind::OaiPmh,
        DatabaseKind::OpenSearch,
        DatabaseKind::Dataset,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            DatabaseKind::Form => "form",
            DatabaseKind::DbContent => "db-content",
            DatabaseKind::OaiPmh => "oai-pmh",
            DatabaseKind::OpenSearch => "open-search",
            DatabaseKind::Dataset => "dataset",
        }
    }

    pub fn parse(text: &str) -> Option<DatabaseKind> {
        DatabaseKind::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

/// The number of a database in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DatabaseId(pub i64);
