//! What was measured for the indicators of some candidates.
//!
//! The candidates of a page share most of their indicators, and weighing asks several things of each. So
//! every indicator is looked up once.

use super::indicators::{Indicator, Indicators, UNTESTED_WEIGHT};
use super::probability;
use super::regression::{NUMBER_OF_RULES, ONLY_CANDIDATE, STRONGEST_RIVAL};
use super::weights::{FieldWeights, Regression};
use rustc_hash::FxHashMap;

/// By indicator or derived signal, for documents of one class.
pub(super) struct Findings<'a> {
    of_all: Option<&'a Regression>,
    of_class: Option<&'a Regression>,
    found: FxHashMap<&'a str, Finding>,
}

#[derive(Clone, Copy)]
struct Finding {
    /// How often it was right.
    share: Option<f64>,
    /// Its coefficients in the regressions of all documents and of the class.
    in_all: Option<f64>,
    in_class: Option<f64>,
}

impl<'a> Findings<'a> {
    pub(super) fn of(
        weights: &'a FieldWeights,
        class: &str,
        candidates: &'a [Indicators],
    ) -> Findings<'a> {
        let group = weights.classes.get(class);
        let mut findings = Findings {
            of_all: weights.all.regression.as_ref(),
            of_class: group.and_then(|group| group.regression.as_ref()),
            found: FxHashMap::default(),
        };
        for name in [NUMBER_OF_RULES, ONLY_CANDIDATE, STRONGEST_RIVAL] {
            findings.add(name, None);
        }
        for it in candidates.iter().flat_map(|it| &it.spoke) {
            let id = it.id.as_str();
            if !findings.found.contains_key(id) {
                let in_class = group.and_then(|group| group.rules.get(id));
                let measured = in_class.or_else(|| weights.all.rules.get(id));
                findings.add(id, measured.map(|it| it.weight));
            }
        }
        findings
    }

    fn add(&mut self, name: &'a str, share: Option<f64>) {
        let in_regression =
            |it: Option<&Regression>| it.and_then(|it| it.coefficients.get(name)).copied();
        let (in_all, in_class) = (in_regression(self.of_all), in_regression(self.of_class));
        self.found.insert(name, Finding { share, in_all, in_class });
    }

    fn get(&self, name: &str) -> Option<&Finding> {
        self.found.get(name)
    }

    /// What an indicator is worth alone.
    pub(super) fn alone(&self, it: &Indicator) -> f64 {
        let share = self.get(it.id.as_str()).and_then(|found| found.share);
        share.map_or_else(|| it.initial_weight().min(UNTESTED_WEIGHT), probability)
    }

    /// Whether the regression of all documents knows an indicator.
    pub(super) fn knows(&self, it: &Indicator) -> bool {
        self.get(it.id.as_str()).is_some_and(|found| found.in_all.is_some())
    }

    /// The sum of what the regression of all documents and that of the class say.
    pub(super) fn log_odds(&self, signals: &[(&str, f64)]) -> f64 {
        let all = self.of_all.map(|it| (it, Finding::in_all as fn(&Finding) -> Option<f64>));
        let class = self.of_class.map(|it| (it, Finding::in_class as fn(&Finding) -> Option<f64>));
        let sums = all.into_iter().chain(class).map(|(regression, coefficient)| {
            let terms = signals.iter().map(|(signal, value)| {
                self.get(signal).and_then(coefficient).map_or(0.0, |it| it * value)
            });
            regression.intercept + terms.sum::<f64>()
        });
        sums.sum()
    }
}

impl Finding {
    fn in_all(&self) -> Option<f64> {
        self.in_all
    }

    fn in_class(&self) -> Option<f64> {
        self.in_class
    }
}
