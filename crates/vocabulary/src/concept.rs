//! Vocabularies and their concepts, as plain values.
//!
//! A concept keeps what its source said: hierarchy links stand where they were written and are not
//! completed or inverted here. [`crate::Hierarchy`] reads them both ways, because `broader` and
//! `narrower` of one vocabulary are two ways to say the same.

use crate::ShortName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A thesaurus, a classification or a list of subject headings.
#[derive(Debug, Clone, PartialEq)]
pub struct Vocabulary {
    pub id: ShortName,
    /// By language; `""` where none was said.
    pub title: BTreeMap<String, String>,
    /// What the addresses of its concepts begin with.
    pub base: String,
    /// The file it was imported from.
    pub source: String,
    /// By address, each once; kept so by the constructor.
    concepts: Vec<Concept>,
}

impl Vocabulary {
    /// Concepts are sorted by address; of those with the same address the first stays.
    pub fn new(id: ShortName, mut concepts: Vec<Concept>) -> Vocabulary {
        concepts.sort_by(|a, b| a.uri.cmp(&b.uri));
        concepts.dedup_by(|later, first| later.uri == first.uri);
        let base = common_base(&concepts);
        Vocabulary { id, title: BTreeMap::new(), base, source: String::new(), concepts }
    }

    pub fn concepts(&self) -> &[Concept] {
        &self.concepts
    }

    pub fn concept(&self, uri: &str) -> Option<&Concept> {
        self.place_of(uri).map(|at| &self.concepts[at])
    }

    /// Where a concept stands in [`Vocabulary::concepts`].
    pub(crate) fn place_of(&self, uri: &str) -> Option<usize> {
        self.concepts.binary_search_by(|concept| concept.uri.as_str().cmp(uri)).ok()
    }

    /// The languages of its labels, the most frequent first.
    pub fn languages(&self) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for label in self.concepts.iter().flat_map(|concept| &concept.labels) {
            *counts.entry(&label.language).or_default() += 1;
        }
        let mut languages: Vec<(&str, usize)> =
            counts.into_iter().filter(|(language, _)| !language.is_empty()).collect();
        languages.sort_by_key(|&(language, count)| (std::cmp::Reverse(count), language));
        languages.into_iter().map(|(language, _)| language.to_owned()).collect()
    }

    /// The title in the first of these languages that has one, or in any, or else the name.
    pub fn title_in(&self, languages: &[String]) -> &str {
        let wanted = languages.iter().find_map(|language| self.title.get(language));
        wanted.or_else(|| self.title.values().next()).map_or(self.id.as_str(), String::as_str)
    }
}

/// One concept: a subject with its names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Concept {
    pub uri: String,
    /// Codes of a classification, such as `65F10`.
    pub notations: Vec<String>,
    /// Preferred ones first.
    pub labels: Vec<Label>,
    /// Addresses of concepts above this one, as its source says.
    pub broader: Vec<String>,
    pub narrower: Vec<String>,
    pub related: Vec<String>,
    /// When to use the concept, by language.
    pub scope_notes: Vec<(String, String)>,
}

impl Concept {
    /// The name to show: the preferred label in the first of these languages that has one, or in
    /// any, or a notation, or the address.
    pub fn label_in(&self, languages: &[String]) -> &str {
        let preferred = || self.labels.iter().filter(|label| label.kind == LabelKind::Preferred);
        languages
            .iter()
            .find_map(|language| preferred().find(|label| label.language == *language))
            .or_else(|| preferred().next())
            .or_else(|| self.labels.first())
            .map(|label| label.text.as_str())
            .or_else(|| self.notations.first().map(String::as_str))
            .unwrap_or(&self.uri)
    }

    /// Under what documents may be indexed with it: preferred labels of all languages, notations.
    pub fn index_terms(&self) -> Vec<String> {
        let preferred = self.labels.iter().filter(|label| label.kind == LabelKind::Preferred);
        let mut terms: Vec<String> = Vec::new();
        for term in preferred.map(|label| &label.text).chain(&self.notations) {
            if !terms.contains(term) {
                terms.push(term.clone());
            }
        }
        terms
    }
}

/// One name of a concept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label {
    pub kind: LabelKind,
    /// A tag such as `de`, in small letters; empty where none was said.
    pub language: String,
    pub text: String,
}

/// How a name stands to its concept. The order is that of trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelKind {
    Preferred,
    Alternative,
    /// For matching only: misspellings, outdated forms.
    Hidden,
}

impl LabelKind {
    pub fn as_str(self) -> &'static str {
        match self {
            LabelKind::Preferred => "preferred",
            LabelKind::Alternative => "alternative",
            LabelKind::Hidden => "hidden",
        }
    }
}

/// The longest beginning that all addresses share, up to a sign that ends a name space.
fn common_base(concepts: &[Concept]) -> String {
    // They are sorted: what the first and the last share, all share.
    let (Some(first), Some(last)) = (concepts.first(), concepts.last()) else {
        return String::new();
    };
    let same = first.uri.bytes().zip(last.uri.bytes()).take_while(|(a, b)| a == b).count();
    let ends = first.uri.bytes().take(same).rposition(|byte| b"/#:".contains(&byte));
    ends.map_or_else(String::new, |at| first.uri[..=at].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(uris: &[&str]) -> Vocabulary {
        let concepts =
            uris.iter().map(|uri| Concept { uri: (*uri).to_owned(), ..Concept::default() });
        Vocabulary::new(ShortName::new("v").unwrap(), concepts.collect())
    }

    #[test]
    fn bases() {
        #[rustfmt::skip]
        let cases: [(&[&str], &str); 5] = [
            (&["http://a.example/v/10", "http://a.example/v/9"], "http://a.example/v/"),
            (&["http://a.example/v#b", "http://a.example/v#c"],  "http://a.example/v#"),
            (&["urn:x:1"],                                       "urn:x:"),
            (&["http://ä/ö1", "http://ä/ü1"],                    "http://ä/"),
            (&[],                                                ""),
        ];
        for (uris, expected) in cases {
            assert_eq!(vocabulary(uris).base, expected, "{uris:?}");
        }
    }

    #[test]
    fn concepts_are_sorted_and_found() {
        let vocabulary = vocabulary(&["b", "a", "b"]);
        assert_eq!(vocabulary.concepts().len(), 2);
        assert_eq!(vocabulary.concept("b").unwrap().uri, "b");
        assert!(vocabulary.concept("c").is_none());
    }
}
