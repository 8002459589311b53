//! The fields that words are looked for in, and what a hit in each is worth.
//!
//! BM25F adds the evidence of all fields before it saturates, so weights are relative to the text, which has 1. They
//! are modest on purpose: large ones win on one collection and lose on the next.

use auslese_model::Field;
use serde::{Deserialize, Serialize};

/// A field of words. What is said about a document in rarer fields is in `Other`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextField {
    Text,
    Title,
    Headings,
    /// Abstracts and descriptions.
    Abstract,
    Keywords,
    Author,
    Institution,
    Classification,
    /// The words of links that lead to the document.
    Anchors,
    /// Words of host and path.
    Address,
    Other,
}

impl TextField {
    pub const ALL: [TextField; 11] = [
        TextField::Text,
        TextField::Title,
        TextField::Headings,
        TextField::Abstract,
        TextField::Keywords,
        TextField::Author,
        TextField::Institution,
        TextField::Classification,
        TextField::Anchors,
        TextField::Address,
        TextField::Other,
    ];

    pub fn name(self) -> &'static str {
        match self {
            TextField::Text => "text",
            TextField::Title => "title",
            TextField::Headings => "heading",
            TextField::Abstract => "abstract",
            TextField::Keywords => "keyword",
            TextField::Author => "author",
            TextField::Institution => "institution",
            TextField::Classification => "class",
            TextField::Anchors => "anchor",
            TextField::Address => "url",
            TextField::Other => "other",
        }
    }

    /// Where the statements of a field are looked for.
    pub(crate) fn of_statement(field: Field) -> Option<TextField> {
        Some(match field {
            Field::Title => TextField::Title,
            Field::Author => TextField::Author,
            Field::Institution => TextField::Institution,
            Field::Description | Field::Abstract => TextField::Abstract,
            Field::Keywords => TextField::Keywords,
            Field::Classification => TextField::Classification,
            Field::Identifier
            | Field::Rights
            | Field::References
            | Field::ReferencedAuthor
            | Field::ReferencedTitle
            | Field::ReferencedInstitution => TextField::Other,
            // They have columns of their own, or are addresses.
            Field::Date | Field::Type | Field::Language | Field::Format | Field::FullText => {
                return None;
            }
        })
    }

    /// Whether its words are inflected: names, codes and addresses are not.
    pub(crate) fn is_stemmed(self) -> bool {
        !matches!(self, TextField::Author | TextField::Classification | TextField::Address)
    }

    /// Whether it consists of statements with weights; the others are certain.
    pub(crate) fn has_weights(self) -> bool {
        !matches!(self, TextField::Text | TextField::Headings | TextField::Address)
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// The numbers of the ranking. The defaults are documented in `docs/searching.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankingParameters {
    /// How soon more of the same word counts for less.
    pub k1: f64,
    /// Weight and length normalisation by field, in the order of [`TextField::ALL`].
    pub fields: [FieldParameters; 11],
    /// What a word within a compound is worth, of what the word itself is.
    pub compound: f64,
    /// What a stop word of the query is worth beside other words.
    pub stop_word: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FieldParameters {
    pub weight: f64,
    pub b: f64,
}

impl Default for RankingParameters {
    fn default() -> RankingParameters {
        let field = |field| match field {
            TextField::Text => FieldParameters { weight: 1.0, b: 0.75 },
            TextField::Title => FieldParameters { weight: 2.0, b: 0.5 },
            TextField::Headings => FieldParameters { weight: 0.5, b: 0.5 },
            TextField::Abstract => FieldParameters { weight: 0.8, b: 0.5 },
            TextField::Keywords => FieldParameters { weight: 1.5, b: 0.3 },
            TextField::Author => FieldParameters { weight: 1.5, b: 0.3 },
            TextField::Institution => FieldParameters { weight: 0.8, b: 0.3 },
            TextField::Classification => FieldParameters { weight: 1.0, b: 0.0 },
            TextField::Anchors => FieldParameters { weight: 1.0, b: 0.5 },
            TextField::Address => FieldParameters { weight: 0.3, b: 0.5 },
            TextField::Other => FieldParameters { weight: 0.3, b: 0.75 },
        };
        let fields = TextField::ALL.map(field);
        RankingParameters { k1: 1.2, fields, compound: 0.5, stop_word: 0.2 }
    }
}

impl RankingParameters {
    pub(crate) fn field(&self, field: TextField) -> FieldParameters {
        self.fields[field.index()]
    }
}
