//! All vocabularies and concordances of a harvest together: who has a concept, what is mapped to it.
//!
//! Mappings hold addresses, and which vocabulary an address belongs to is looked up when it is
//! asked for. So a mapping to a vocabulary that is not there waits, and works once it is imported.

use crate::matching::LabelIndex;
use crate::problem::{Problem, Severity};
use crate::{Concept, Concordance, Mapping, ShortName, Vocabulary};
use std::collections::BTreeMap;
use std::sync::OnceLock;

#[derive(Debug, Default)]
pub struct Vocabularies {
    vocabularies: BTreeMap<ShortName, Vocabulary>,
    concordances: BTreeMap<ShortName, Concordance>,
    /// Made when labels are first looked up.
    labels: OnceLock<LabelIndex>,
}

/// A mapping as it is met at one of its concepts.
#[derive(Debug, Clone, Copy)]
pub struct MetMapping<'v> {
    pub concordance: &'v Concordance,
    pub mapping: &'v Mapping,
    pub direction: Direction,
}

/// On which side of a mapping a concept stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// The mapping was made from it.
    Outward,
    /// The mapping was made to it.
    Inward,
}

impl Vocabularies {
    /// Adds a vocabulary; one of the same name is replaced and returned.
    pub fn insert(&mut self, vocabulary: Vocabulary) -> Option<Vocabulary> {
        self.labels = OnceLock::new();
        self.vocabularies.insert(vocabulary.id.clone(), vocabulary)
    }

    /// Adds a concordance; one of the same name is replaced and returned.
    pub fn insert_concordance(&mut self, concordance: Concordance) -> Option<Concordance> {
        self.concordances.insert(concordance.id.clone(), concordance)
    }

    pub fn vocabulary(&self, id: &ShortName) -> Option<&Vocabulary> {
        self.vocabularies.get(id)
    }

    pub fn concordance(&self, id: &ShortName) -> Option<&Concordance> {
        self.concordances.get(id)
    }

    /// By name.
    pub fn vocabularies(&self) -> impl Iterator<Item = &Vocabulary> {
        self.vocabularies.values()
    }

    /// By name.
    pub fn concordances(&self) -> impl Iterator<Item = &Concordance> {
        self.concordances.values()
    }

    /// The vocabulary that has a concept, and the concept; of several the first by name.
    pub fn find(&self, uri: &str) -> Option<(&Vocabulary, &Concept)> {
        self.vocabularies().find_map(|it| it.concept(uri).map(|concept| (it, concept)))
    }

    /// The mappings at a concept, outward ones first.
    pub fn mappings_at(&self, uri: &str) -> Vec<MetMapping<'_>> {
        let outward = self.concordances().flat_map(|concordance| {
            concordance.mappings_from(uri).iter().map(move |mapping| MetMapping {
                concordance,
                mapping,
                direction: Direction::Outward,
            })
        });
        let inward = self.concordances().flat_map(|concordance| {
            concordance.mappings_to(uri).map(move |mapping| MetMapping {
                concordance,
                mapping,
                direction: Direction::Inward,
            })
        });
        outward.chain(inward).collect()
    }

    pub(crate) fn label_index(&self) -> &LabelIndex {
        self.labels.get_or_init(|| LabelIndex::of(self.vocabularies()))
    }

    /// Between which vocabularies a concordance maps, and how often; `None` stands for vocabularies
    /// that are not there. Combinations count by their first concept.
    pub fn pairs(&self, concordance: &Concordance) -> BTreeMap<VocabularyPair, usize> {
        let mut pairs = BTreeMap::new();
        let home = |uri: &str| self.find(uri).map(|(vocabulary, _)| vocabulary.id.clone());
        for mapping in concordance.mappings() {
            let pair = (home(&mapping.from), mapping.to.first().and_then(|uri| home(uri)));
            *pairs.entry(pair).or_default() += 1;
        }
        pairs
    }

    /// Mappings with a concept that no vocabulary has, as warnings with their lines.
    pub fn unresolved(&self, concordance: &Concordance) -> Vec<Problem> {
        let mut unresolved: Vec<Problem> = Vec::new();
        for mapping in concordance.mappings() {
            let ends = std::iter::once(&mapping.from).chain(&mapping.to);
            let unknown: Vec<String> =
                ends.filter(|uri| self.find(uri).is_none()).map(|uri| format!("<{uri}>")).collect();
            if !unknown.is_empty() {
                unresolved.push(Problem {
                    severity: Severity::Warning,
                    file: concordance.source.clone(),
                    line: mapping.line,
                    column: None,
                    message: format!(
                        "the mapping waits for {}: no vocabulary here has it",
                        unknown.join(" and ")
                    ),
                });
            }
        }
        unresolved.sort_by_key(|problem| problem.line);
        unresolved
    }
}

/// From which vocabulary to which.
pub type VocabularyPair = (Option<ShortName>, Option<ShortName>);
