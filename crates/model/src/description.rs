//! What a document says about itself: statements, each with its weight, the rules that made it, and
//! the place it was found at.
//!
//! The describing stage makes these values, the catalog keeps them by run, and search, exports and
//! the front end show them; so a weight and its reason are the same everywhere.

use crate::CaptureId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// What a statement is about. The order is that in which fields are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    Title,
    /// Of the document itself.
    Author,
    /// The body responsible for the document.
    Institution,
    Date,
    /// What the document is about in a sentence or two, mostly as its head says.
    Description,
    /// A summary that is part of the document.
    Abstract,
    Keywords,
    /// A code of a classification; the scheme is the statement's origin.
    Classification,
    Type,
    Language,
    Format,
    Identifier,
    Rights,
    /// The address of the full text that a page announces.
    FullText,
    /// One entry of the bibliography.
    References,
    /// Someone the page merely lists.
    ReferencedAuthor,
    ReferencedTitle,
    ReferencedInstitution,
}

impl Field {
    pub const ALL: [Field; 18] = [
        Field::Title,
        Field::Author,
        Field::Institution,
        Field::Date,
        Field::Description,
        Field::Abstract,
        Field::Keywords,
        Field::Classification,
        Field::Type,
        Field::Language,
        Field::Format,
        Field::Identifier,
        Field::Rights,
        Field::FullText,
        Field::References,
        Field::ReferencedAuthor,
        Field::ReferencedTitle,
        Field::ReferencedInstitution,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Author => "author",
            Field::Institution => "institution",
            Field::Date => "date",
            Field::Description => "description",
            Field::Abstract => "abstract",
            Field::Keywords => "keywords",
            Field::Classification => "classification",
            Field::Type => "type",
            Field::Language => "language",
            Field::Format => "format",
            Field::Identifier => "identifier",
            Field::Rights => "rights",
            Field::FullText => "full-text",
            Field::References => "references",
            Field::ReferencedAuthor => "referenced-author",
            Field::ReferencedTitle => "referenced-title",
            Field::ReferencedInstitution => "referenced-institution",
        }
    }

    pub fn parse(text: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.as_str() == text)
    }

    /// The term of Dublin Core; none where it has no word for it.
    pub fn dublin_core(self) -> Option<&'static str> {
        Some(match self {
            Field::Title => "dc:title",
            Field::Author => "dc:creator",
            Field::Institution => "dc:publisher",
            Field::Date => "dc:date",
            Field::Description => "dc:description",
            Field::Abstract => "dcterms:abstract",
            Field::Keywords | Field::Classification => "dc:subject",
            Field::Type => "dc:type",
            Field::Language => "dc:language",
            Field::Format => "dc:format",
            Field::Identifier => "dc:identifier",
            Field::Rights => "dc:rights",
            Field::FullText => "dcterms:hasFormat",
            Field::References => "dcterms:references",
            Field::ReferencedAuthor | Field::ReferencedTitle | Field::ReferencedInstitution => {
                return None;
            }
        })
    }

    /// The attribute of SOIF, by the names of Harvest where it has one; none where it has no word for it.
    pub fn soif_attribute(self) -> Option<&'static str> {
        Some(match self {
            Field::Title => "Title",
            Field::Author => "Author",
            Field::Institution => "Institution",
            Field::Date => "Date",
            Field::Description => "Description",
            Field::Abstract => "Abstract",
            Field::Keywords => "Keywords",
            Field::Classification => "Classification",
            Field::Type => "Document-Type",
            Field::Language => "Stated-Language",
            Field::Format => "Stated-Format",
            Field::Identifier => "Identifier",
            Field::Rights => "Rights",
            Field::FullText => "Full-Text-URL",
            Field::References => "References",
            Field::ReferencedAuthor | Field::ReferencedTitle | Field::ReferencedInstitution => {
                return None;
            }
        })
    }

    /// Whether a document has one value of this field; otherwise several may be right together.
    pub fn is_single(self) -> bool {
        matches!(
            self,
            Field::Title | Field::Date | Field::Description | Field::Abstract | Field::Type
        )
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A rule by its heuristic and label: `carmen-title<4>`.
///
/// Shared, because every statement names the rules that speak for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct RuleId(#[serde(serialize_with = "as_text")] Arc<str>);

impl RuleId {
    pub fn new(heuristic: &str, label: &str) -> RuleId {
        RuleId(format!("{heuristic}<{label}>").into())
    }

    /// As written by [`RuleId::as_str`]; whatever it says.
    pub fn from_text(text: impl Into<String>) -> RuleId {
        RuleId(text.into().into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for RuleId {
    fn from(text: String) -> RuleId {
        RuleId(text.into())
    }
}

fn as_text<S: serde::Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One statement about a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    pub field: Field,
    pub value: String,
    /// The pieces the value was joined from, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// How probably it is right: in 0..=1, by calibration where there is one.
    pub weight: f64,
    /// The weight the rule was written with.
    pub initial: f64,
    /// The rule that speaks for it most, then all others that do.
    pub rules: Vec<RuleId>,
    /// Where it was found, by the rule that speaks for it most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<FoundAt>,
    /// Where values of this kind come from, such as `meta tag` or `marked by the author`; the scheme
    /// of a classification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Whether it is one of the document's values, or a candidate only that others beat or that is
    /// too weak to be said aloud.
    pub chosen: bool,
}

/// Where a value stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoundAt {
    /// A node of the document's tree.
    Path(String),
    /// Outside the document, in words: its address, the text of links to it, what is known of its
    /// site.
    Outside(String),
}

impl fmt::Display for FoundAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FoundAt::Path(place) | FoundAt::Outside(place) => f.write_str(place),
        }
    }
}

/// All statements about one document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// By field, and the best first; chosen references in the order of the bibliography.
    pub statements: Vec<Statement>,
    /// How sure it is that the chosen values of a field, taken together, are exactly right.
    pub field_weights: Vec<(Field, f64)>,
    /// The class of documents whose weights were used, such as `article`.
    pub class: String,
    /// Why nothing could be said, or not everything.
    pub trouble: Option<String>,
}

impl Description {
    /// The values of a field that are said aloud, best first.
    pub fn chosen(&self, field: Field) -> impl Iterator<Item = &Statement> {
        self.statements.iter().filter(move |it| it.field == field && it.chosen)
    }
}

/// What was said about one capture's body.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribedCapture {
    /// The capture that stores the body.
    pub capture: CaptureId,
    pub description: Description,
}

/// What a person says about a statement, a field or a document; the labels of calibration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    /// The value is right.
    Right,
    Wrong,
    /// The value is one of the document's, and was not found.
    Missing,
    /// The document has no value of this field.
    Absent,
    /// The document is of interest, or not.
    Relevant,
    Irrelevant,
}

impl MarkKind {
    pub const ALL: [MarkKind; 6] = [
        MarkKind::Right,
        MarkKind::Wrong,
        MarkKind::Missing,
        MarkKind::Absent,
        MarkKind::Relevant,
        MarkKind::Irrelevant,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            MarkKind::Right => "right",
            MarkKind::Wrong => "wrong",
            MarkKind::Missing => "missing",
            MarkKind::Absent => "absent",
            MarkKind::Relevant => "relevant",
            MarkKind::Irrelevant => "irrelevant",
        }
    }

    pub fn parse(text: &str) -> Option<MarkKind> {
        MarkKind::ALL.into_iter().find(|mark| mark.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for field in Field::ALL {
            assert_eq!(Field::parse(field.as_str()), Some(field));
            let json = serde_json::to_string(&field).expect("a name");
            assert_eq!(json, format!("{:?}", field.as_str()));
        }
        for mark in MarkKind::ALL {
            assert_eq!(MarkKind::parse(mark.as_str()), Some(mark));
        }
    }

    #[test]
    fn fields_are_listed_in_their_order() {
        assert!(Field::ALL.is_sorted());
    }
}
