//! What the product of the items' weights is worth as a promise that a list is exactly right.
//!
//! Labelled lists are few: one for each document that has such values. A curve that is free to bend
//! would follow their accidents, so there are two numbers to learn, level and slope of a logistic
//! curve over the logarithm of the odds (J. Platt, "Probabilistic outputs for support vector
//! machines", 1999). The slope has a prior at zero: as long as there is little to tell good lists
//! from bad ones by, all are promised what all have kept.

use super::curve::{Curve, CurvePoint};
use super::logistic::{Contest, fit, shares};

/// Fewer lists teach nothing: the product stays.
const MIN_LISTS: usize = 15;

/// Penalties, as precisions of normal priors: hardly any for the level, that of some twenty lists for
/// the slope.
const PENALTY_OF_LEVEL: f64 = 0.05;
const PENALTY_OF_SLOPE: f64 = 4.0;

/// Products beyond these say no more.
const RANGE: std::ops::RangeInclusive<f64> = 0.01..=0.99;

/// Where the curve is drawn; between these points it is straight.
const DRAWN_AT: [f64; 13] = [0.01, 0.03, 0.06, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97];

/// The curve of samples: the product of the weights of a list, and whether it was exactly right.
pub(super) fn list_curve(samples: &[(f64, bool)]) -> Curve {
    if samples.len() < MIN_LISTS {
        return Curve::default();
    }
    let mean = samples.iter().map(|(product, _)| log_odds(*product)).sum::<f64>();
    let mean = mean / samples.len() as f64;
    let row = |product: f64| vec![(0, 1.0), (1, log_odds(product) - mean)];
    let contest =
        |(product, right): &(f64, bool)| Contest { candidates: vec![(row(*product), *right)] };
    let contests: Vec<Contest> = samples.iter().map(contest).collect();
    let coefficients = fit(&contests, &[PENALTY_OF_LEVEL, PENALTY_OF_SLOPE]);
    // Better items make no worse list.
    let (level, slope) = (coefficients[0], coefficients[1].max(0.0));
    let nearest = |product: f64| {
        let distance = |at: &f64| (at - product).abs();
        DRAWN_AT.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    let points = DRAWN_AT.into_iter().map(|promised| CurvePoint {
        promised,
        kept: shares(&[level + slope * (log_odds(promised) - mean)])[0],
        n: samples.iter().filter(|(it, _)| nearest(*it) == Some(promised)).count() as u64,
    });
    Curve { points: points.collect() }.made_rising()
}

fn log_odds(product: f64) -> f64 {
    let product = product.clamp(*RANGE.start(), *RANGE.end());
    (product / (1.0 - product)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(product: f64, right: usize, n: usize) -> Vec<(f64, bool)> {
        (0..n).map(|it| (product, it < right)).collect()
    }

    #[test]
    fn few_lists_are_promised_what_all_have_kept() {
        let few = [lists(0.2, 7, 10), lists(0.8, 8, 10)].concat();
        let curve = list_curve(&few);
        assert!((curve.at(0.2) - 0.73).abs() < 0.04 && (curve.at(0.8) - 0.77).abs() < 0.04);
        assert!(list_curve(&few[..10]).points().is_empty());
    }

    #[test]
    fn many_lists_bend_the_curve() {
        let many = [lists(0.2, 100, 400), lists(0.8, 360, 400)].concat();
        let curve = list_curve(&many);
        assert!((curve.at(0.2) - 0.25).abs() < 0.02, "{curve:?}");
        assert!((curve.at(0.8) - 0.9).abs() < 0.02, "{curve:?}");
        assert!(curve.at(0.5) > curve.at(0.2));
    }

    #[test]
    fn better_items_make_no_worse_list() {
        let falling = [lists(0.2, 90, 100), lists(0.8, 60, 100)].concat();
        let curve = list_curve(&falling);
        assert!(curve.at(0.1) <= curve.at(0.9));
    }
}
