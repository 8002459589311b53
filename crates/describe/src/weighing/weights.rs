//! The weights of a set of heuristics: what was measured, on what, and what follows from it.

use super::curve::Curve;
use super::indicators::{Indicator, UNTESTED_WEIGHT};
use super::probability;
use auslese_model::{Field, RuleId};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

/// From how many labelled values on a measured share stands by itself. With fewer, its parent counts
/// as well: the rule in all documents for a rule in one class (how far, in decision lists, the labels
/// say: `class_shares`), the weight the rule was written with for a rule in all documents.
pub const MIN_CLASS_SAMPLES: u64 = 20;

/// How many values the parent counts for where nothing was measured; it decreases evenly to
/// [`PARENT_AT_LAST`] at [`MIN_CLASS_SAMPLES`].
const PARENT_AT_FIRST: f64 = 10.0;

/// How many values the parent counts for where there are enough.
const PARENT_AT_LAST: f64 = 1.0;

/// Weights by field, as `weights.toml` holds them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Weights {
    pub header: WeightsHeader,
    pub fields: BTreeMap<Field, FieldWeights>,
    /// Tables of the file that are no field this program knows.
    pub(super) unknown_fields: Vec<String>,
}

/// What the weights were measured with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WeightsHeader {
    /// The name of the set of heuristics.
    pub heuristics: String,
    /// The digest of the set; empty if the weights are of no certain version.
    pub digest: String,
    /// When, as `2026-11-16`.
    pub date: String,
    pub documents: u64,
    pub sites: u64,
}

/// What was measured for one field.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldWeights {
    /// Weaker values are not said aloud; the heuristic's own threshold if there is none.
    pub silent_below: Option<f64>,
    /// Whether one candidate of a document is right at most, so that they compete.
    pub competing: bool,
    /// From the regression's probability to the share that was right.
    pub curve: Curve,
    /// From the product of the items' weights to the share of lists that were exactly right.
    pub list_curve: Curve,
    /// In all documents.
    pub all: RuleGroup,
    /// By class of documents; what their regressions say is added to that of all documents.
    pub classes: BTreeMap<String, RuleGroup>,
}

/// Rules in all documents, or in those of one class.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RuleGroup {
    /// By rule, support or doubt.
    pub rules: BTreeMap<String, Measured>,
    pub regression: Option<Regression>,
}

/// How often a rule was right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    pub right: u64,
    /// Values it spoke for that are labelled.
    pub n: u64,
    /// The share that was right, smoothed.
    pub weight: f64,
}

/// Logistic regression: the logarithm of the odds is the sum of the intercept and of coefficient
/// times value over all signals of a candidate.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Regression {
    pub intercept: f64,
    /// By signal: the id of a rule, or the name of a signal that every field has.
    pub coefficients: BTreeMap<String, f64>,
}

impl Weights {
    /// No calibration: every rule has the weight it was written with.
    pub fn initial() -> Weights {
        Weights::default()
    }

    /// The calibrated weights of the shipped set `default`.
    pub fn shipped() -> Weights {
        SHIPPED_DEFAULT.clone()
    }

    /// The calibrated weights of a shipped set; those the rules were written with for any other.
    pub fn shipped_for(heuristics: &str) -> Weights {
        match heuristics {
            "default" => SHIPPED_DEFAULT.clone(),
            "carmen" => SHIPPED_CARMEN.clone(),
            "papers" => SHIPPED_PAPERS.clone(),
            _ => Weights::initial(),
        }
    }

    /// SHA-256 of the file they make: other weights, another digest.
    pub fn digest(&self) -> String {
        let digest = Sha256::digest(self.to_toml());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether anything was measured.
    pub fn is_calibrated(&self) -> bool {
        !self.fields.is_empty()
    }

    /// The threshold that calibration chose for a field; none: the heuristic's own holds.
    pub fn silent_below(&self, field: Field) -> Option<f64> {
        self.fields.get(&field)?.silent_below.map(probability)
    }

    /// The weight of what one rule says alone, as in a decision list.
    pub fn single_rule_weight(&self, field: Field, class: &str, rule: &Indicator) -> f64 {
        match self.fields.get(&field) {
            None => rule.initial_weight(),
            Some(measured) => measured.single_rule_weight(class, rule),
        }
    }

    /// What does not fit a set of heuristics. Such weights work all the same: rules the set does not
    /// have never speak, and those without data have the weight [`UNTESTED_WEIGHT`] at most.
    pub fn warnings<'a>(
        &self,
        digest: &str,
        rules: impl IntoIterator<Item = (&'a RuleId, Field)>,
    ) -> Vec<WeightsWarning> {
        let mut warnings: Vec<WeightsWarning> =
            self.unknown_fields.iter().cloned().map(WeightsWarning::UnknownField).collect();
        if !self.is_calibrated() {
            return warnings;
        }
        if !self.header.digest.is_empty() && self.header.digest != digest {
            warnings.push(WeightsWarning::OtherHeuristics(self.header.digest.clone()));
        }
        let known: BTreeSet<(Field, &str)> =
            rules.into_iter().map(|(rule, field)| (field, rule.as_str())).collect();
        let measured: BTreeSet<(Field, &str)> = self.measured_rules().collect();
        for (field, rule) in measured.difference(&known) {
            warnings.push(WeightsWarning::UnknownRule(*field, (*rule).to_owned()));
        }
        for (field, rule) in known.difference(&measured) {
            warnings.push(WeightsWarning::Unmeasured(*field, (*rule).to_owned()));
        }
        warnings
    }

    fn measured_rules(&self) -> impl Iterator<Item = (Field, &str)> {
        self.fields
            .iter()
            .flat_map(|(field, it)| it.all.rules.keys().map(|rule| (*field, rule.as_str())))
    }
}

/// The files are checked by a test; were one broken, the rules' own weights would do.
static SHIPPED_DEFAULT: LazyLock<Weights> = LazyLock::new(|| {
    Weights::parse(include_str!("../../weights/default.toml")).unwrap_or_default()
});

static SHIPPED_PAPERS: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(include_str!("../../weights/papers.toml")).unwrap_or_default());

static SHIPPED_CARMEN: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(include_str!("../../weights/carmen.toml")).unwrap_or_default());

impl FieldWeights {
    pub(super) fn single_rule_weight(&self, class: &str, rule: &Indicator) -> f64 {
        self.measured(class, rule.id.as_str()).map_or_else(
            || rule.initial_weight().min(UNTESTED_WEIGHT),
            |measured| probability(measured.weight),
        )
    }

    /// In its class if there is something, else in all documents.
    pub(super) fn measured(&self, class: &str, rule: &str) -> Option<&Measured> {
        let in_class = self.classes.get(class).and_then(|group| group.rules.get(rule));
        in_class.or_else(|| self.all.rules.get(rule))
    }
}

impl Measured {
    /// The share that was right, drawn towards the parent's weight where there is little to go by.
    pub fn new(right: u64, n: u64, parent: f64) -> Measured {
        let weight = smoothed_share(right as f64, n as f64, probability(parent));
        Measured { right, n, weight: probability(weight) }
    }
}

/// A share, drawn towards its parent where there are few samples.
pub(super) fn smoothed_share(right: f64, n: f64, parent: f64) -> f64 {
    let lacking = (1.0 - n / MIN_CLASS_SAMPLES as f64).max(0.0);
    let pull = PARENT_AT_LAST + (PARENT_AT_FIRST - PARENT_AT_LAST) * lacking;
    (right + pull * parent) / (n + pull)
}

/// What of a weights file does not fit the heuristics it is used with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WeightsWarning {
    /// It was made for another version of the set, with this digest.
    OtherHeuristics(String),
    /// The file measures a rule that the set does not have.
    UnknownRule(Field, String),
    /// The set has a rule that the file does not measure.
    Unmeasured(Field, String),
    /// The file has a table that is no field.
    UnknownField(String),
}

impl fmt::Display for WeightsWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsWarning::OtherHeuristics(digest) => {
                write!(
                    f,
                    "the weights were measured with another version of the heuristics: {digest}"
                )
            }
            WeightsWarning::UnknownRule(field, rule) => {
                write!(f, "{field}: the weights know a rule {rule}, the heuristics do not")
            }
            WeightsWarning::Unmeasured(field, rule) => write!(
                f,
                "{field}: the weights do not know the rule {rule}; it counts {UNTESTED_WEIGHT} at most"
            ),
            WeightsWarning::UnknownField(name) => {
                write!(f, "the weights have a table {name:?}, which is no field")
            }
        }
    }
}
