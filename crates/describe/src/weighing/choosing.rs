//! Which candidates are said aloud, and from which weight on.
//!
//! Silence where there is nothing is part of quality, so every field has a threshold. Calibration
//! takes the one with the best balance of precision and recall (F1), or the best of those that keep
//! a demanded precision.

use super::combine::Weighed;
use super::quality::Tally;

/// Candidates in order, and how many of them are said aloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Best first: by weight, then by rank, then as they came.
    pub order: Vec<usize>,
    /// The first so many of them are chosen.
    pub chosen: usize,
}

impl Choice {
    pub fn chosen(&self) -> &[usize] {
        &self.order[..self.chosen]
    }
}

/// Chooses at most so many candidates of at least this weight.
pub fn choose(weighed: &[Weighed], silent_below: f64, at_most: usize) -> Choice {
    let mut order: Vec<usize> = (0..weighed.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&weighed[*a], &weighed[*b]);
        b.weight.total_cmp(&a.weight).then(b.rank.total_cmp(&a.rank))
    });
    let loud = order.iter().take_while(|it| weighed[**it].weight >= silent_below).count();
    Choice { order, chosen: loud.min(at_most) }
}

/// One document as the choice of a threshold sees it.
pub(super) struct Offer {
    pub(super) weighed: Vec<Weighed>,
    /// Of each candidate.
    pub(super) right: Vec<Option<bool>>,
    pub(super) truths: usize,
    pub(super) at_most: usize,
}

/// Fewer documents than this do not move the heuristic's own threshold.
const MIN_DOCUMENTS: usize = 20;

/// F1 that is given away for a lower threshold: between thresholds that hardly differ, chance would
/// choose, and differently for every set of labels.
const HARDLY: f64 = 0.005;

/// The lowest of the best thresholds in steps of a hundredth; none if there is too little to choose by.
pub(super) fn best_threshold(offers: &[Offer], precision_floor: Option<f64>) -> Option<f64> {
    if offers.len() < MIN_DOCUMENTS {
        return None;
    }
    let floor = precision_floor.unwrap_or(0.0);
    let thresholds = (1..100).map(|hundredths| f64::from(hundredths) / 100.0);
    let tried: Vec<(f64, f64, f64)> = thresholds
        .map_while(|threshold| {
            let tally: Tally = offers.iter().map(|offer| offer.tally(threshold)).sum();
            Some((threshold, tally.precision()?, tally.f1().unwrap_or(0.0)))
        })
        .collect();
    let kept: Vec<_> = tried.iter().filter(|(_, precision, _)| *precision >= floor).collect();
    let most = kept.iter().map(|(_, _, f1)| *f1).max_by(f64::total_cmp);
    match most {
        Some(most) => kept.iter().find(|(_, _, f1)| *f1 >= most - HARDLY).map(|(at, _, _)| *at),
        // Where no threshold keeps the floor, the most precise one is nearest to what is wanted.
        None => tried
            .iter()
            .rev()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(threshold, _, _)| *threshold),
    }
}

impl Offer {
    pub(super) fn tally(&self, silent_below: f64) -> Tally {
        let choice = choose(&self.weighed, silent_below, self.at_most);
        let count =
            |right| choice.chosen().iter().filter(|it| self.right[**it] == Some(right)).count();
        Tally::of_document(count(true), count(false), self.truths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighed(weight: f64, rank: f64) -> Weighed {
        Weighed { weight, rank, initial: weight }
    }

    #[test]
    fn the_best_are_chosen_if_they_are_good_enough() {
        let offered = [weighed(0.4, 0.4), weighed(0.7, 0.6), weighed(0.7, 0.8), weighed(0.4, 0.4)];
        #[rustfmt::skip]
        let cases = [
            // silent below, at most, chosen
            (0.0,  usize::MAX, vec![2, 1, 0, 3]),
            (0.5,  usize::MAX, vec![2, 1]),
            (0.5,  1,          vec![2]),
            (0.9,  1,          vec![]),
        ];
        for (silent_below, at_most, expected) in cases {
            assert_eq!(choose(&offered, silent_below, at_most).chosen(), expected);
        }
        assert_eq!(choose(&[], 0.0, 1).chosen(), [0; 0]);
    }

    #[test]
    fn a_threshold_keeps_silent_where_nothing_is_right() {
        // Values of weight 0.3 are wrong on pages that have none; those of 0.6 are right 3 times of 4.
        let offer = |weight, right, truths| Offer {
            weighed: vec![weighed(weight, weight)],
            right: vec![Some(right)],
            truths,
            at_most: 1,
        };
        let mut offers = Vec::new();
        for i in 0..40 {
            offers.push(offer(0.3, false, 0));
            offers.push(offer(0.6, i % 4 != 0, 1));
            offers.push(offer(0.9, true, 1));
        }
        assert_eq!(best_threshold(&offers, None), Some(0.31));
        assert_eq!(best_threshold(&offers, Some(0.95)), Some(0.61));
        assert_eq!(best_threshold(&offers[..10], None), None);
    }
}
