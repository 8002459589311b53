//! How good descriptions are: precision, recall, and silence where there is nothing to say.
//!
//! Precision needs what was said; recall also needs what should have been said, so the labels, or a
//! person's marks *missing* and *absent*, are counted too.

use super::choosing::{Offer, choose};
use super::labels::{LabelledDocument, LabelledField};
use super::weights::Weights;
use auslese_model::{Field, MarkKind};
use serde::Serialize;
use std::collections::BTreeMap;
use std::iter::Sum;

/// What was said aloud about one field, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Values said that are right.
    pub right: u64,
    /// Values said that are wrong.
    pub wrong: u64,
    /// Values of documents that were not said.
    pub missing: u64,
    /// Documents without a value, about which nothing was said.
    pub rightly_silent: u64,
    /// Documents without a value, about which something was said.
    pub wrongly_loud: u64,
}

impl Tally {
    /// Of what was said, the share that is right; none if nothing was said.
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.right + self.wrong)
    }

    /// Of what should have been said, the share that was; none if there was nothing to say.
    pub fn recall(&self) -> Option<f64> {
        share(self.right, self.right + self.missing)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> Option<f64> {
        share(2 * self.right, 2 * self.right + self.wrong + self.missing)
    }

    /// Of the documents without a value, the share about which nothing was said.
    pub fn silent_share(&self) -> Option<f64> {
        share(self.rightly_silent, self.rightly_silent + self.wrongly_loud)
    }

    pub(super) fn of_document(right: usize, wrong: usize, truths: usize) -> Tally {
        let said = right + wrong > 0;
        Tally {
            right: right as u64,
            wrong: wrong as u64,
            missing: truths.saturating_sub(right) as u64,
            rightly_silent: u64::from(truths == 0 && !said),
            wrongly_loud: u64::from(truths == 0 && said),
        }
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |sum, it| Tally {
            right: sum.right + it.right,
            wrong: sum.wrong + it.wrong,
            missing: sum.missing + it.missing,
            rightly_silent: sum.rightly_silent + it.rightly_silent,
            wrongly_loud: sum.wrongly_loud + it.wrongly_loud,
        })
    }
}

/// Counts what these weights would say about labelled documents. `limits` gives for a field its
/// heuristic's own threshold and the most values; a threshold that calibration chose goes before.
pub fn tallies(
    labelled: &[LabelledDocument],
    weights: &Weights,
    limits: impl Fn(Field) -> (f64, usize),
) -> BTreeMap<Field, Tally> {
    let mut tallies: BTreeMap<Field, Tally> = BTreeMap::new();
    for document in labelled {
        for it in &document.fields {
            let (own, at_most) = limits(it.field);
            let offer = offer(it, &document.class, weights, at_most);
            let tally = offer.tally(weights.silent_below(it.field).unwrap_or(own));
            let sum = tallies.entry(it.field).or_default();
            *sum = [*sum, tally].into_iter().sum();
        }
    }
    tallies
}

/// The weight of each document's best candidate of a field, or of all its candidates where a field
/// has several values, and whether it is right: what [`super::reliability`] takes.
pub fn weighed_candidates(
    labelled: &[LabelledDocument],
    weights: &Weights,
    field: Field,
) -> Vec<(f64, bool)> {
    let at_most = if field.is_single() { 1 } else { usize::MAX };
    let mut pairs = Vec::new();
    for document in labelled {
        for it in document.fields.iter().filter(|it| it.field == field) {
            let offer = offer(it, &document.class, weights, at_most);
            let choice = choose(&offer.weighed, 0.0, at_most);
            let pair = |which: &usize| Some((offer.weighed[*which].weight, offer.right[*which]?));
            pairs.extend(choice.chosen().iter().filter_map(pair));
        }
    }
    pairs
}

fn offer(labelled: &LabelledField, class: &str, weights: &Weights, at_most: usize) -> Offer {
    Offer {
        weighed: weights.weigh(labelled.field, class, &labelled.indicators()),
        right: labelled.candidates.iter().map(|it| it.right).collect(),
        truths: labelled.truth.len(),
        at_most,
    }
}

/// A person's mark on a statement or a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkedField {
    pub field: Field,
    pub mark: MarkKind,
    /// Whether the marked statement was said aloud; of a field marked absent, whether any was.
    pub said: bool,
}

/// Counts marks. A right value that was only a candidate counts as missing, a wrong one not at all.
pub fn tallies_of_marks(marks: impl IntoIterator<Item = MarkedField>) -> BTreeMap<Field, Tally> {
    let mut tallies: BTreeMap<Field, Tally> = BTreeMap::new();
    for MarkedField { field, mark, said } in marks {
        let tally = tallies.entry(field).or_default();
        match (mark, said) {
            (MarkKind::Right, true) => tally.right += 1,
            (MarkKind::Wrong, true) => tally.wrong += 1,
            (MarkKind::Right, false) | (MarkKind::Missing, _) => tally.missing += 1,
            (MarkKind::Absent, true) => tally.wrongly_loud += 1,
            (MarkKind::Absent, false) => tally.rightly_silent += 1,
            (MarkKind::Wrong, false) | (MarkKind::Relevant | MarkKind::Irrelevant, _) => {}
        }
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_precision_and_recall() {
        let mark = |mark, said| MarkedField { field: Field::Author, mark, said };
        let marks = [
            mark(MarkKind::Right, true),
            mark(MarkKind::Right, true),
            mark(MarkKind::Right, true),
            mark(MarkKind::Wrong, true),
            mark(MarkKind::Wrong, false),
            mark(MarkKind::Right, false),
            mark(MarkKind::Missing, false),
            mark(MarkKind::Absent, true),
            mark(MarkKind::Absent, false),
            mark(MarkKind::Relevant, false),
        ];
        let tally = tallies_of_marks(marks)[&Field::Author];
        assert_eq!(tally.precision(), Some(0.75));
        assert_eq!(tally.recall(), Some(0.6));
        assert_eq!(tally.silent_share(), Some(0.5));
        assert_eq!(Tally::default().f1(), None);
    }
}
