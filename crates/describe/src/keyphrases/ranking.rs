//! Which candidates of a text are its keyphrases, best first.
//!
//! Ties are settled by TF×IDF, then by what comes first in the text. A phrase that is contained in
//! a better one is dropped.

use super::features::{Background, Examined};
use super::frequencies::Frequencies;
use super::points::Points;
use crate::weighing::Curve;

/// What was learnt from documents with keyphrases.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Learnt {
    pub(super) frequencies: Frequencies,
    /// How many training documents have a phrase as keyphrase.
    pub(super) given: Frequencies,
    pub(super) points: Points,
    /// From what the points promise to what was kept.
    pub(super) curve: Curve,
}

/// A candidate with what is promised of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    /// Its number among the candidates.
    pub(super) candidate: usize,
    pub(super) promised: f64,
    log_odds: f64,
    tf_idf: f64,
}

impl Learnt {
    /// The best candidates of a text that was not learnt from.
    pub(super) fn rank(&self, text: &Examined, count: usize) -> Vec<Ranked> {
        let background = self.background(None);
        let mut ranked: Vec<Ranked> = (0..text.candidates.len())
            .map(|candidate| {
                let value = |feature| text.feature(feature, candidate, &background);
                let log_odds = self.points.log_odds(value);
                let tf_idf = text.tf_idf(candidate, &background);
                let promised = 1.0 / (1.0 + (-log_odds).exp());
                Ranked { candidate, promised, log_odds, tf_idf }
            })
            .collect();
        ranked.sort_unstable_by(|a, b| {
            let better = b.log_odds.total_cmp(&a.log_odds).then(b.tf_idf.total_cmp(&a.tf_idf));
            better.then(a.candidate.cmp(&b.candidate))
        });
        let mut chosen: Vec<Ranked> = Vec::with_capacity(count);
        for it in ranked {
            if chosen.len() == count {
                break;
            }
            let phrase = &text.candidates[it.candidate];
            if !chosen.iter().any(|better| text.candidates[better.candidate].contains(phrase)) {
                chosen.push(it);
            }
        }
        chosen
    }

    pub(super) fn background<'m>(&'m self, counted: Option<&'m [bool]>) -> Background<'m> {
        Background { frequencies: &self.frequencies, given: &self.given, counted }
    }

    pub(super) fn weight(&self, ranked: &Ranked) -> f64 {
        self.curve.at(ranked.promised)
    }
}
