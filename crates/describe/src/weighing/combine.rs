//! From indicators to a weight.
//!
//! Where nothing was measured for a field, the weights the rules were written with are combined
//! ([`Indicators::initial_weight`]). Else the regression gives a probability, and the curve puts it
//! right. What the regression does not know (a rule that is newer than the file, or that was hardly
//! ever seen) speaks beside it in the old manner, with the weight of its few samples or with
//! [`super::UNTESTED_WEIGHT`] at most.

use super::findings::Findings;
use super::indicators::{Indicator, Indicators, Voice};
use super::logistic::shares;
use super::probability;
use super::regression::Competition;
use super::weights::{FieldWeights, Regression, Weights};
use auslese_model::Field;

/// What a candidate's indicators are worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighed {
    /// How probably the value is right, in 0..=1.
    pub weight: f64,
    /// Finer than the weight, for the order of candidates: the curve has level stretches.
    pub rank: f64,
    /// The weight without calibration.
    pub initial: f64,
}

impl Weights {
    /// One weight for each candidate of a field of one document.
    pub fn weigh(&self, field: Field, class: &str, candidates: &[Indicators]) -> Vec<Weighed> {
        match self.fields.get(&field) {
            None => candidates.iter().map(Weighed::uncalibrated).collect(),
            Some(weights) => weights.weigh(class, candidates),
        }
    }

    /// How probably the chosen items, taken together, are exactly the document's values, if it has any.
    pub fn list_weight(&self, field: Field, item_weights: &[f64]) -> f64 {
        let product: f64 = item_weights.iter().map(|weight| probability(*weight)).product();
        match self.fields.get(&field) {
            // One value of a field that has one is the whole list.
            Some(weights) if !field.is_single() => weights.list_curve.at(product),
            _ => probability(product),
        }
    }
}

impl Weighed {
    fn uncalibrated(indicators: &Indicators) -> Weighed {
        let initial = indicators.initial_weight();
        Weighed { weight: initial, rank: initial, initial }
    }
}

impl FieldWeights {
    pub(super) fn weigh(&self, class: &str, candidates: &[Indicators]) -> Vec<Weighed> {
        let findings = Findings::of(self, class, candidates);
        let competition = Competition::new(&findings, candidates);
        let scores = self.scores(&findings, &competition, candidates);
        let weigh = |(indicators, score): (&Indicators, Option<f64>)| {
            let initial = indicators.initial_weight();
            let Some(score) = score else {
                let weight = indicators.spoken(|it| findings.alone(it));
                return Weighed { weight, rank: weight, initial };
            };
            let rank = beside(&findings, indicators, score);
            let weight = beside(&findings, indicators, self.curve.at(score));
            Weighed { weight, rank, initial }
        };
        candidates.iter().zip(scores).map(weigh).collect()
    }

    /// What the regression says of each candidate; none if it knows no rule that speaks for it.
    pub(super) fn scores(
        &self,
        findings: &Findings<'_>,
        competition: &Competition<'_>,
        candidates: &[Indicators],
    ) -> Vec<Option<f64>> {
        let knows_a_rule = |it: &Indicators| it.rules().any(|rule| findings.knows(rule));
        let known: Vec<usize> =
            (0..candidates.len()).filter(|it| knows_a_rule(&candidates[*it])).collect();
        let log_odds: Vec<f64> =
            known.iter().map(|which| findings.log_odds(&competition.signals(*which))).collect();
        let shares = if self.competing {
            shares(&log_odds)
        } else {
            log_odds.iter().flat_map(|it| shares(&[*it])).collect()
        };
        let mut scores = vec![None; candidates.len()];
        for (which, share) in known.into_iter().zip(shares) {
            scores[which] = Some(probability(share));
        }
        scores
    }

    /// That of all documents, and that of the class, which is added.
    pub(super) fn regressions(&self, class: &str) -> impl Iterator<Item = &Regression> {
        let in_class = self.classes.get(class).and_then(|group| group.regression.as_ref());
        self.all.regression.iter().chain(in_class)
    }

    /// Indicators that the regression does not know; doubt last, as without calibration.
    pub(super) fn speaking_beside<'a>(
        &'a self,
        indicators: &'a Indicators,
    ) -> impl Iterator<Item = &'a Indicator> {
        let unknown = |it: &&Indicator| {
            !self.all.regression.as_ref().is_some_and(|regression| regression.knows(it))
        };
        in_turn(indicators).filter(unknown)
    }
}

impl Regression {
    pub(super) fn knows(&self, indicator: &Indicator) -> bool {
        self.coefficients.contains_key(indicator.id.as_str())
    }
}

/// A weight of the regression, with what speaks beside it.
fn beside(findings: &Findings<'_>, indicators: &Indicators, weight: f64) -> f64 {
    let unknown = |it: &&Indicator| !findings.knows(it);
    in_turn(indicators).filter(unknown).fold(weight, |weight, it| {
        let own = findings.alone(it);
        if it.voice == Voice::Doubt { weight.min(own) } else { weight.max(own) }
    })
}

/// Indicators, doubt last, as without calibration.
fn in_turn(indicators: &Indicators) -> impl Iterator<Item = &Indicator> {
    let of = move |doubt: bool| {
        indicators.spoke.iter().filter(move |it| (it.voice == Voice::Doubt) == doubt)
    };
    of(false).chain(of(true))
}
