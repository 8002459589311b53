//! Entries of bibliographies, taken apart, and what ties an entry to the document it cites.
//!
//! The describing stage makes these values, the catalog keeps them by run, and commands show them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An entry of a bibliography as far as it was understood. What was not is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<CitedAuthor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// The journal, the book, the series, or place and publisher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub venue: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<WorkIdentifier>,
}

/// Someone who wrote a cited work.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CitedAuthor {
    pub family: String,
    /// Names or initials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
}

impl fmt::Display for CitedAuthor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.given {
            Some(given) => write!(f, "{given} {}", self.family),
            None => f.write_str(&self.family),
        }
    }
}

/// What names a work for good, in one spelling.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkIdentifier {
    Doi(String),
    Arxiv(String),
    Isbn(String),
    Url(String),
}

impl fmt::Display for WorkIdentifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkIdentifier::Doi(value) => write!(f, "doi:{value}"),
            WorkIdentifier::Arxiv(value) => write!(f, "arXiv:{value}"),
            WorkIdentifier::Isbn(value) => write!(f, "ISBN {value}"),
            WorkIdentifier::Url(value) => f.write_str(value),
        }
    }
}

/// One ground on which an entry counts as citing a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CitationEvidence {
    Doi,
    Arxiv,
    Isbn,
    /// The entry names the address of the document.
    Address,
    /// The title stands in the entry, but for case, accents and punctuation.
    Title,
    /// The entry's title is much like it.
    SimilarTitle,
    /// A family name of an author.
    Author,
    Year,
}

impl CitationEvidence {
    pub const ALL: [CitationEvidence; 8] = [
        CitationEvidence::Doi,
        CitationEvidence::Arxiv,
        CitationEvidence::Isbn,
        CitationEvidence::Address,
        CitationEvidence::Title,
        CitationEvidence::SimilarTitle,
        CitationEvidence::Author,
        CitationEvidence::Year,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            CitationEvidence::Doi => "doi",
            CitationEvidence::Arxiv => "arxiv",
            CitationEvidence::Isbn => "isbn",
            CitationEvidence::Address => "address",
            CitationEvidence::Title => "title",
            CitationEvidence::SimilarTitle => "similar-title",
            CitationEvidence::Author => "author",
            CitationEvidence::Year => "year",
        }
    }

    pub fn parse(text: &str) -> Option<CitationEvidence> {
        CitationEvidence::ALL.into_iter().find(|evidence| evidence.as_str() == text)
    }
}

impl fmt::Display for CitationEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_read_as_it_is_written() {
        for evidence in CitationEvidence::ALL {
            assert_eq!(CitationEvidence::parse(evidence.as_str()), Some(evidence));
            let json = serde_json::to_string(&evidence).expect("a name");
            assert_eq!(json, format!("{:?}", evidence.as_str()));
        }
    }

    #[test]
    fn citations_come_back() {
        let author = CitedAuthor { family: "Meier".to_owned(), given: Some("Eva".to_owned()) };
        assert_eq!(author.to_string(), "Eva Meier");
        let citation = Citation {
            authors: vec![author],
            identifiers: vec![WorkIdentifier::Doi("10.1000/1".to_owned())],
            ..Citation::default()
        };
        let json = serde_json::to_string(&citation).expect("plain values");
        assert_eq!(
            json,
            r#"{"authors":[{"family":"Meier","given":"Eva"}],"identifiers":[{"doi":"10.1000/1"}]}"#
        );
        assert_eq!(serde_json::from_str::<Citation>(&json).expect("the same"), citation);
        assert_eq!(serde_json::from_str::<Citation>("{}").expect("nothing"), Citation::default());
    }
}
