//! The numbers and switches of the rewriting; every one can be set.
//!
//! Where the weights come from: mappings made by people are trusted by their relation, narrower
//! targets more than broader ones, because they bring fewer documents that are about something
//! else. Statistics propose, they do not know.

use crate::statistics::{AssociationLimits, Measure};
use crate::{Relation, Relevance};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How questions are carried over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TransferSettings {
    /// Whether questions are rewritten at all.
    pub enabled: bool,
    /// Weights of mappings by their relation.
    pub exact: f64,
    pub close: f64,
    pub narrow: f64,
    pub broad: f64,
    pub related: f64,
    /// What the weight is multiplied with, by the relevance of the mapping.
    pub high: f64,
    pub medium: f64,
    pub low: f64,
    /// Weight of a concept that a preferred label or a notation of the collection's own vocabulary
    /// names.
    pub preferred_label: f64,
    pub alternative_label: f64,
    pub hidden_label: f64,
    /// Weight of the other labels of a concept, searched as words.
    pub label_words: f64,
    /// What the weight of each concept is multiplied with if several have the same name.
    pub homonym: f64,
    /// What strengths of associations are multiplied with.
    pub statistical: f64,
    /// Terms that statistics may propose for the words of one place.
    pub statistical_terms: usize,
    pub measure: Measure,
    /// Documents in which word and term occur together.
    pub min_together: u32,
    /// Associations with a smaller G² count as chance; 10.83 is exceeded by chance once in a
    /// thousand times.
    pub min_log_likelihood: f64,
    pub min_strength: f64,
    /// Labels of one concept that are searched as words.
    pub labels_per_concept: usize,
    /// Transfers of one place, the heaviest.
    pub transfers_per_place: usize,
    /// Whether statistics are asked although labels or mappings were found.
    pub always_statistics: bool,
    /// Whether undirected mappings are read backwards.
    pub undirected: bool,
    /// Which rules act without being asked; the others are proposed.
    pub automatic: BTreeSet<TransferRule>,
    /// Which rules replace the words; by default they expand.
    pub replacing: BTreeSet<TransferRule>,
    /// Rules that are switched off.
    pub off: BTreeSet<TransferRule>,
    /// Single transfers, by id, that are switched off or on.
    pub transfers: BTreeMap<String, Switch>,
}

/// What a transfer rests on, as far as it can be switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransferRule {
    /// Labels of the collection's own vocabulary, and labels as words.
    Label,
    /// All mappings, whatever their relation; for switching off.
    Concordance,
    Exact,
    Close,
    Narrow,
    Broad,
    Related,
    Statistics,
}

impl TransferRule {
    pub const ALL: [TransferRule; 8] = [
        TransferRule::Label,
        TransferRule::Concordance,
        TransferRule::Exact,
        TransferRule::Close,
        TransferRule::Narrow,
        TransferRule::Broad,
        TransferRule::Related,
        TransferRule::Statistics,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            TransferRule::Label => "label",
            TransferRule::Concordance => "concordance",
            TransferRule::Exact => "exact",
            TransferRule::Close => "close",
            TransferRule::Narrow => "narrow",
            TransferRule::Broad => "broad",
            TransferRule::Related => "related",
            TransferRule::Statistics => "statistics",
        }
    }

    pub fn parse(text: &str) -> Option<TransferRule> {
        TransferRule::ALL.into_iter().find(|rule| rule.as_str() == text)
    }

    pub(super) fn of_relation(relation: Relation) -> TransferRule {
        match relation {
            Relation::Exact => TransferRule::Exact,
            Relation::Close => TransferRule::Close,
            Relation::Narrow => TransferRule::Narrow,
            Relation::Broad => TransferRule::Broad,
            Relation::Related => TransferRule::Related,
        }
    }

    pub(super) fn is_mapping(self) -> bool {
        !matches!(self, TransferRule::Label | TransferRule::Statistics)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    On,
    Off,
}

impl Default for TransferSettings {
    fn default() -> TransferSettings {
        TransferSettings {
            enabled: true,
            exact: 1.0,
            close: 0.8,
            narrow: 0.7,
            broad: 0.4,
            related: 0.3,
            high: 1.0,
            medium: 0.7,
            low: 0.4,
            preferred_label: 1.0,
            alternative_label: 1.0,
            hidden_label: 0.8,
            label_words: 0.8,
            homonym: 0.5,
            statistical: 0.3,
            statistical_terms: 5,
            measure: Measure::Equivalence,
            min_together: 2,
            min_log_likelihood: 10.83,
            min_strength: 0.01,
            labels_per_concept: 10,
            transfers_per_place: 50,
            always_statistics: false,
            undirected: true,
            automatic: [TransferRule::Label, TransferRule::Exact, TransferRule::Close].into(),
            replacing: BTreeSet::new(),
            off: BTreeSet::new(),
            transfers: BTreeMap::new(),
        }
    }
}

impl TransferSettings {
    /// The weight of a mapping.
    pub fn mapping_weight(&self, relation: Relation, relevance: Relevance) -> f64 {
        let relation = match relation {
            Relation::Exact => self.exact,
            Relation::Close => self.close,
            Relation::Narrow => self.narrow,
            Relation::Broad => self.broad,
            Relation::Related => self.related,
        };
        let relevance = match relevance {
            Relevance::High => self.high,
            Relevance::Medium => self.medium,
            Relevance::Low => self.low,
        };
        relation * relevance
    }

    pub(super) fn association_limits(&self) -> AssociationLimits {
        AssociationLimits {
            measure: self.measure,
            at_most: self.statistical_terms,
            min_together: self.min_together,
            min_log_likelihood: self.min_log_likelihood,
            min_strength: self.min_strength,
        }
    }

    /// Whether a rule is switched off, by itself or with all mappings.
    pub(super) fn is_off(&self, rule: TransferRule) -> bool {
        let with_all = rule.is_mapping() && self.off.contains(&TransferRule::Concordance);
        self.off.contains(&rule) || with_all
    }
}
