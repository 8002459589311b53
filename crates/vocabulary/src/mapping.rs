//! Mappings from the concepts of one vocabulary to those of another, and sets of them.
//!
//! A mapping is read in the direction in which it was made. `exact`, `close` and `related` may be
//! marked as undirected, because SKOS declares them symmetric; `broad` and `narrow` never are: that
//! B is broader than A says what to search in B's collection, not how good the way back is.

use crate::ShortName;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How the target stands to the source: with `Broad` it is the broader one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    Exact,
    Close,
    Narrow,
    Broad,
    Related,
}

impl Relation {
    pub const ALL: [Relation; 5] =
        [Relation::Exact, Relation::Close, Relation::Narrow, Relation::Broad, Relation::Related];

    pub fn as_str(self) -> &'static str {
        match self {
            Relation::Exact => "exact",
            Relation::Close => "close",
            Relation::Narrow => "narrow",
            Relation::Broad => "broad",
            Relation::Related => "related",
        }
    }

    pub fn parse(text: &str) -> Option<Relation> {
        Relation::ALL.into_iter().find(|relation| relation.as_str() == text)
    }

    /// Whether SKOS declares it symmetric.
    pub(crate) fn is_symmetric(self) -> bool {
        !matches!(self, Relation::Broad | Relation::Narrow)
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How good a mapping is for searching, by the judgement of those who made it.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Relevance {
    /// Also where nothing was said.
    #[default]
    High,
    Medium,
    Low,
}

/// From this confidence (0 to 1) on the relevance is high.
pub const HIGH_RELEVANCE: f64 = 0.75;

/// From this confidence on the relevance is medium; below it is low.
pub const MEDIUM_RELEVANCE: f64 = 0.4;

impl Relevance {
    pub const ALL: [Relevance; 3] = [Relevance::High, Relevance::Medium, Relevance::Low];

    pub fn as_str(self) -> &'static str {
        match self {
            Relevance::High => "high",
            Relevance::Medium => "medium",
            Relevance::Low => "low",
        }
    }

    /// The relevance that a confidence in 0..=1 stands for.
    pub fn of_confidence(confidence: f64) -> Relevance {
        match confidence {
            it if it >= HIGH_RELEVANCE => Relevance::High,
            it if it >= MEDIUM_RELEVANCE => Relevance::Medium,
            _ => Relevance::Low,
        }
    }
}

impl fmt::Display for Relevance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One rule of a concordance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// The address of the concept that is mapped.
    pub from: String,
    /// The concept it is mapped to; several are a combination, meant together.
    pub to: Vec<String>,
    pub relation: Relation,
    #[serde(default, skip_serializing_if = "is_high")]
    pub relevance: Relevance,
    /// Whether it holds in the written direction only.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub directed: bool,
    /// Names that the source gives, for the case that a vocabulary is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_label: Option<String>,
    /// Its line in the imported file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

fn yes() -> bool {
    true
}

fn is_yes(it: &bool) -> bool {
    *it
}

fn is_high(it: &Relevance) -> bool {
    *it == Relevance::High
}

impl Mapping {
    /// Whether it maps to a combination of concepts.
    pub fn is_combination(&self) -> bool {
        self.to.len() > 1
    }
}

/// Mappings that were made together, as a rule between two vocabularies.
#[derive(Debug, Clone, PartialEq)]
pub struct Concordance {
    pub id: ShortName,
    pub title: Option<String>,
    /// The file it was imported from.
    pub source: String,
    /// By source and target, each once.
    mappings: Vec<Mapping>,
    /// Places of mappings and of the target among those of the mapping, by the target's address.
    by_target: Vec<(u32, u32)>,
}

impl Concordance {
    pub fn new(id: ShortName, mut mappings: Vec<Mapping>) -> Concordance {
        mappings.sort_by(|a, b| {
            (&a.from, &a.to, a.relation, a.line).cmp(&(&b.from, &b.to, b.relation, b.line))
        });
        mappings.dedup_by(|later, first| {
            (&later.from, &later.to, later.relation) == (&first.from, &first.to, first.relation)
        });
        let places = (0u32..).zip(&mappings);
        let mut by_target: Vec<(u32, u32)> = places
            .flat_map(|(at, mapping)| {
                (0u32..).zip(&mapping.to).map(move |(member, _)| (at, member))
            })
            .collect();
        by_target.sort_by_key(|&place| (target(&mappings, place), place));
        Concordance { id, title: None, source: String::new(), mappings, by_target }
    }

    pub fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    /// The mappings made from a concept.
    pub fn mappings_from(&self, uri: &str) -> &[Mapping] {
        let start = self.mappings.partition_point(|it| it.from.as_str() < uri);
        let end = start + self.mappings[start..].partition_point(|it| it.from == uri);
        &self.mappings[start..end]
    }

    /// The mappings made to a concept, alone or in combination.
    pub fn mappings_to(&self, uri: &str) -> impl Iterator<Item = &Mapping> {
        let start = self.by_target.partition_point(|place| target(&self.mappings, *place) < uri);
        let rest = self.by_target[start..].iter();
        rest.take_while(move |place| target(&self.mappings, **place) == uri)
            .map(|&(at, _)| &self.mappings[at as usize])
    }
}

fn target(mappings: &[Mapping], (at, member): (u32, u32)) -> &str {
    &mappings[at as usize].to[member as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_found_from_both_ends() {
        let mapping = |from: &str, to: &[&str]| Mapping {
            from: from.to_owned(),
            to: to.iter().map(|it| (*it).to_owned()).collect(),
            relation: Relation::Broad,
            relevance: Relevance::High,
            directed: true,
            from_label: None,
            to_label: None,
            line: None,
        };
        let mappings = vec![
            mapping("c", &["z"]),
            mapping("a", &["y", "z"]),
            mapping("a", &["x"]),
            mapping("c", &["z"]),
        ];
        let concordance = Concordance::new(ShortName::new("k").unwrap(), mappings);
        assert_eq!(concordance.mappings().len(), 3, "each once");
        assert_eq!(concordance.mappings_from("a").len(), 2);
        assert_eq!(concordance.mappings_from("b").len(), 0);
        let to =
            |uri: &str| concordance.mappings_to(uri).map(|it| it.from.as_str()).collect::<Vec<_>>();
        assert_eq!(to("z"), ["a", "c"]);
        assert_eq!(to("y"), ["a"]);
        assert!(to("a").is_empty(), "directions are kept");
    }

    #[test]
    fn confidences() {
        #[rustfmt::skip]
        let cases = [
            (1.0, Relevance::High), (0.75, Relevance::High), (0.74, Relevance::Medium),
            (0.4, Relevance::Medium), (0.39, Relevance::Low), (0.0, Relevance::Low), (f64::NAN, Relevance::Low),
        ];
        for (confidence, expected) in cases {
            assert_eq!(Relevance::of_confidence(confidence), expected, "{confidence}");
        }
    }
}
