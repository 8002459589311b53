//! Conceptual orality and literacy as an index over a group of documents.
//!
//! Koch and Oesterreicher (1985) call language near to speech or to writing by its conception,
//! whatever its medium. Ortmann and Dipper (2019, 2020) found features of German texts that tell
//! the two apart and can be counted, and their tool COAST weighs them. The weights here are
//! theirs; the features are counted without a tagger, by word lists and capitals, so the figures are
//! near to theirs and not the same.
//!
//! Each feature is scaled between its least and its greatest value in the group. So an index says
//! something within its group only: between two corpora it must not be compared.

mod tally;
mod verbs;

pub(crate) use tally::Tally;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Words a document needs to have an index: in shorter ones a single word moves every share, and
/// the scale of the whole group with it.
pub const MIN_ORALITY_WORDS: f64 = 50.0;

/// The name of the feature that holds the number of words measured.
const WORDS: &str = "orality.words";

/// The features of the index with their weights, positive for orality.
#[rustfmt::skip]
pub const ORALITY_WEIGHTS: [(&str, f64); 8] = [
    ("orality.mean_word_length",          -0.819),
    ("orality.first_person",               0.717),
    ("orality.verbs_per_noun",             0.528),
    ("orality.short_demonstratives",       0.365),
    ("orality.subordinators_per_verb",    -0.314),
    ("orality.interjections",              0.276),
    ("orality.answer_particles",           0.104),
    ("orality.demonstratives",             0.060),
];

/// The index of one document, with what made it up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OralityScore {
    /// The sum of the parts; the greater, the nearer to speech.
    pub score: f64,
    /// In the order of [`ORALITY_WEIGHTS`].
    pub parts: Vec<OralityPart>,
}

/// What one feature adds to an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OralityPart {
    pub feature: String,
    /// As measured.
    pub value: f64,
    /// From 0, the least of the group, to 1, the greatest.
    pub scaled: f64,
    /// The scaled value with its weight.
    pub weighted: f64,
}

/// The indices of a group of documents, given the features of each, in their order. `None` for a
/// document with too few words; it does not count for the scale either.
pub fn orality_index(group: &[&BTreeMap<String, f64>]) -> Vec<Option<OralityScore>> {
    let scales: Vec<(f64, f64)> =
        ORALITY_WEIGHTS.iter().map(|(feature, _)| scale(group, feature)).collect();
    group.iter().map(|features| is_measurable(features).then(|| score(features, &scales))).collect()
}

fn is_measurable(features: &BTreeMap<String, f64>) -> bool {
    features.get(WORDS).is_some_and(|words| *words >= MIN_ORALITY_WORDS)
}

/// The least and the greatest value in the group.
fn scale(group: &[&BTreeMap<String, f64>], feature: &str) -> (f64, f64) {
    let measured = group.iter().filter(|features| is_measurable(features));
    let values = measured.map(|features| value(features, feature));
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), value| {
        (least.min(value), greatest.max(value))
    })
}

fn value(features: &BTreeMap<String, f64>, feature: &str) -> f64 {
    features.get(feature).copied().filter(|value| value.is_finite()).unwrap_or(0.0)
}

fn score(features: &BTreeMap<String, f64>, scales: &[(f64, f64)]) -> OralityScore {
    let parts: Vec<OralityPart> = ORALITY_WEIGHTS
        .iter()
        .zip(scales)
        .map(|((feature, weight), (least, greatest))| {
            let value = value(features, feature);
            // A feature in which all documents agree says nothing.
            let span = greatest - least;
            let scaled = if span > 0.0 { (value - least) / span } else { 0.0 };
            OralityPart { feature: (*feature).to_owned(), value, scaled, weighted: scaled * weight }
        })
        .collect();
    OralityScore { score: parts.iter().map(|part| part.weighted).sum(), parts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn document(words: f64, length: f64, first: f64) -> BTreeMap<String, f64> {
        BTreeMap::from([
            (WORDS.to_owned(), words),
            ("orality.mean_word_length".to_owned(), length),
            ("orality.first_person".to_owned(), first),
        ])
    }

    #[test]
    fn scaled_within_the_group() {
        let group = [
            document(100.0, 7.0, 0.0),
            document(100.0, 4.0, 0.1),
            document(100.0, 5.5, 0.05),
            document(10.0, 40.0, 1.0),
        ];
        let scores = orality_index(&group.iter().collect::<Vec<_>>());
        let rounded: Vec<Option<f64>> = scores
            .iter()
            .map(|score| score.as_ref().map(|it| (it.score * 1e4).round() / 1e4))
            .collect();
        // −0.819 and 0.717 at the ends of their scales, and half of each.
        assert_eq!(rounded, [Some(-0.819), Some(0.717), Some(-0.051), None]);
        let parts = &scores[2].as_ref().unwrap().parts;
        assert_eq!((parts[0].scaled, parts[0].value), (0.5, 5.5));
        assert_eq!(orality_index(&[]), []);
    }

    #[test]
    fn a_single_document_has_no_scale() {
        let one = document(100.0, 7.0, 0.3);
        assert_eq!(orality_index(&[&one])[0].as_ref().unwrap().score, 0.0);
    }

    proptest! {
        #[test]
        fn scores_stay_within_the_weights(values in prop::collection::vec((0.0..500.0_f64, any::<f64>(), any::<f64>()), 0..8)) {
            let group: Vec<_> = values.iter().map(|(w, a, b)| document(*w, a % 1e6, b % 1e6)).collect();
            let greatest: f64 = ORALITY_WEIGHTS.iter().map(|(_, weight)| weight.max(0.0)).sum();
            for score in orality_index(&group.iter().collect::<Vec<_>>()).into_iter().flatten() {
                prop_assert!(score.score.is_finite() && score.score <= greatest + 1e-9);
                prop_assert!(score.parts.iter().all(|part| (0.0..=1.0).contains(&part.scaled)));
            }
        }
    }
}
