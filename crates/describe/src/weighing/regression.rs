//! What a regression sees of a candidate: who spoke for it, and how it stands among its rivals.
//!
//! Beside the indicators every field has three signals. The *number of rules* (its logarithm) lets
//! the regression correct for rules that mostly say the same. *Only candidate* is 1 if the document
//! offers nothing else. *Strongest rival* is the measured weight of the best rule that speaks for
//! another value: a candidate is less likely where a good rule contradicts it.

use super::findings::Findings;
use super::indicators::{Indicators, Voice};

/// Names of derived signals. No rule is called so: ids of rules contain `<`.
pub(super) const NUMBER_OF_RULES: &str = "number of rules";
pub(super) const ONLY_CANDIDATE: &str = "only candidate";
pub(super) const STRONGEST_RIVAL: &str = "strongest rival";

/// The candidates of one field in one document, side by side.
pub(super) struct Competition<'a> {
    candidates: &'a [Indicators],
    /// For each, the weight of the best rule that speaks for it.
    strengths: Vec<f64>,
    /// The two largest strengths.
    best: f64,
    second: f64,
}

impl<'a> Competition<'a> {
    pub(super) fn new(findings: &Findings<'_>, candidates: &'a [Indicators]) -> Self {
        let strength =
            |it: &Indicators| it.rules().map(|rule| findings.alone(rule)).fold(0.0, f64::max);
        let strengths: Vec<f64> = candidates.iter().map(strength).collect();
        let (mut best, mut second) = (0.0, 0.0);
        for strength in &strengths {
            if *strength > best {
                (best, second) = (*strength, best);
            } else if *strength > second {
                second = *strength;
            }
        }
        Competition { candidates, strengths, best, second }
    }

    /// The signals of one candidate with their values, each once.
    pub(super) fn signals(&self, which: usize) -> Vec<(&'a str, f64)> {
        let spoke = &self.candidates[which].spoke;
        let mut ids: Vec<(&str, Voice)> =
            spoke.iter().map(|it| (it.id.as_str(), it.voice)).collect();
        ids.sort_unstable();
        ids.dedup_by_key(|it| it.0);
        let rules = ids.iter().filter(|it| it.1 == Voice::Rule).count().max(1);
        let mut signals: Vec<(&str, f64)> = ids.into_iter().map(|(id, _)| (id, 1.0)).collect();
        if rules > 1 {
            signals.push((NUMBER_OF_RULES, (rules as f64).ln()));
        }
        match self.rival(which) {
            None => signals.push((ONLY_CANDIDATE, 1.0)),
            Some(rival) => signals.push((STRONGEST_RIVAL, rival)),
        }
        signals
    }

    fn rival(&self, which: usize) -> Option<f64> {
        let mine = self.strengths[which];
        (self.strengths.len() > 1).then_some(if mine == self.best {
            self.second
        } else {
            self.best
        })
    }
}
