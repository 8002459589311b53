//! Which candidates of a text are its keyphrases, best first.
//!
//! Ties are settled by TF×IDF, then by what comes first in the text. A phrase that is contained in
//! a better one is dropped.

use super::features::{Background, Examined};
use super::frequencies::Frequencies;
use super::points::Points;
use crate::weighing::Curve;
use std::cmp::Ordering;

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
        let contenders = self.contenders(text, count.saturating_mul(CONTENDERS));
        let chosen = without_contained(text, contenders, count);
        if chosen.len() == count {
            return chosen;
        }
        // Too many were contained in others.
        without_contained(text, self.contenders(text, usize::MAX), count)
    }

    /// The best candidates, so many at least if there are, best first.
    fn contenders(&self, text: &Examined, wanted: usize) -> Vec<Ranked> {
        let background = self.background(None);
        let race = self.points.race();
        let mut ranked: Vec<Ranked> = Vec::new();
        let mut goal = f64::NEG_INFINITY;
        for candidate in 0..text.candidates.len() {
            let value = |feature| text.feature(feature, candidate, &background);
            let Some(log_odds) = race.log_odds(value, goal) else { continue };
            let tf_idf = text.tf_idf(candidate, &background);
            let promised = 1.0 / (1.0 + (-log_odds).exp());
            ranked.push(Ranked { candidate, promised, log_odds, tf_idf });
            if ranked.len() >= wanted.saturating_mul(2) {
                ranked.sort_unstable_by(by_merit);
                ranked.truncate(wanted);
                goal = ranked.last().map_or(goal, |last| last.log_odds);
            }
        }
        ranked.sort_unstable_by(by_merit);
        ranked
    }

    pub(super) fn background<'m>(&'m self, counted: Option<&'m [bool]>) -> Background<'m> {
        Background { frequencies: &self.frequencies, given: &self.given, counted }
    }

    pub(super) fn weight(&self, ranked: &Ranked) -> f64 {
        self.curve.at(ranked.promised)
    }
}

/// For each phrase that is wanted, so many are kept, since some are contained in better ones.
const CONTENDERS: usize = 8;

/// Better ones first.
fn by_merit(a: &Ranked, b: &Ranked) -> Ordering {
    let better = b.log_odds.total_cmp(&a.log_odds).then(b.tf_idf.total_cmp(&a.tf_idf));
    better.then(a.candidate.cmp(&b.candidate))
}

fn without_contained(text: &Examined, ranked: Vec<Ranked>, count: usize) -> Vec<Ranked> {
    let mut chosen: Vec<Ranked> = Vec::new();
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

#[cfg(test)]
mod tests {
    use super::super::model::KeyphraseModel;
    use super::super::words_of::Reader;
    use super::*;
    use auslese_words::StemLanguage;

    /// A text of so many words that most candidates have no chance.
    fn long_text() -> String {
        let word = |at: usize| format!("w{}ing", (at * at * 31 + at) % 701);
        let sentence = |at: usize| {
            let words: Vec<String> = (0..9).map(|it| word(at * 9 + it)).collect();
            format!(
                "The {} of the Sparse Grid method {}. ",
                words[..5].join(" "),
                words[5..].join(" ")
            )
        };
        (0..300).map(sentence).collect()
    }

    #[test]
    fn giving_up_early_changes_nothing() {
        let text = long_text();
        let mut reader = Reader::new(StemLanguage::English);
        let examined = Examined::of(&text, &mut reader);
        let model = KeyphraseModel::shipped("english").unwrap();
        let numbers = |ranked: &[Ranked]| ranked.iter().map(|it| it.candidate).collect::<Vec<_>>();
        let all = model.learnt.contenders(&examined, usize::MAX);
        assert_eq!(all.len(), examined.candidates.len());
        let quick = model.learnt.contenders(&examined, 20);
        assert!(quick.len() < 40, "{}", quick.len());
        assert_eq!(numbers(&quick)[..20], numbers(&all)[..20]);
        let phrases = model.learnt.rank(&examined, 10);
        assert_eq!(numbers(&phrases), numbers(&without_contained(&examined, all, 10)));
    }
}
