//! Whether weights are kept: of all statements with weight 0.8, about 80 % should be right.

use super::probability;
use serde::Serialize;
use std::f64::consts::FRAC_2_PI;
use std::fmt;

/// Bins of equal width in which promises are compared with what was kept.
const BINS: usize = 10;

/// What was promised and what was kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// From the lowest weight to the highest; those without statements are left out.
    pub bins: Vec<Bin>,
    pub n: u64,
    /// Expected calibration error: the mean distance between promise and share, by statements.
    pub ece: f64,
    /// The calibration error that chance alone would be expected to make, were every promise kept
    /// exactly: with few statements, or many bins, it is far from zero.
    pub by_chance: f64,
    /// Brier's score: the mean squared distance between promise and outcome.
    pub brier: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    pub from: f64,
    pub to: f64,
    pub n: u64,
    pub mean_weight: f64,
    pub share_right: f64,
}

/// Compares weights with what turned out.
pub fn reliability(pairs: &[(f64, bool)]) -> Reliability {
    let mut sums = [(0_u64, 0.0, 0_u64); BINS];
    let mut variances = [0.0; BINS];
    let mut squares = 0.0;
    for (weight, right) in pairs {
        let weight = probability(*weight);
        let place = ((weight * BINS as f64) as usize).min(BINS - 1);
        variances[place] += weight * (1.0 - weight);
        let (n, promised, kept) = &mut sums[place];
        *n += 1;
        *promised += weight;
        *kept += u64::from(*right);
        squares += (weight - f64::from(u8::from(*right))).powi(2);
    }
    let bins: Vec<Bin> = (0..BINS).zip(sums).filter(|(_, (n, ..))| *n > 0).map(Bin::of).collect();
    let n = pairs.len() as u64;
    let per_statement = |sum: f64| if n == 0 { 0.0 } else { sum / n as f64 };
    let distance = |bin: &Bin| bin.n as f64 * (bin.mean_weight - bin.share_right).abs();
    let ece = per_statement(bins.iter().map(distance).sum());
    // The mean distance of a normal variable from its mean is so much of its standard deviation.
    let strayed: f64 = variances.iter().map(|it| it.sqrt() * FRAC_2_PI.sqrt()).sum();
    Reliability { bins, n, ece, by_chance: per_statement(strayed), brier: per_statement(squares) }
}

impl Bin {
    fn of((place, (n, promised, kept)): (usize, (u64, f64, u64))) -> Bin {
        Bin {
            from: place as f64 / BINS as f64,
            to: (place + 1) as f64 / BINS as f64,
            n,
            mean_weight: promised / n as f64,
            share_right: kept as f64 / n as f64,
        }
    }
}

impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "weight         n  promised  right")?;
        for Bin { from, to, n, mean_weight, share_right } in &self.bins {
            writeln!(f, "{from:.1}–{to:.1} {n:>8}     {mean_weight:.3}  {share_right:.3}")?;
        }
        let Reliability { ece, by_chance, brier, .. } = self;
        write!(f, "calibration error {ece:.3} (by chance {by_chance:.3}), Brier score {brier:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn kept_and_broken_promises() {
        let kept: Vec<(f64, bool)> = (0..100).map(|i| (0.75, i % 4 != 0)).collect();
        assert_eq!(reliability(&kept).ece, 0.0);
        assert_eq!(reliability(&kept).brier, 0.1875);
        let broken: Vec<(f64, bool)> = (0..100).map(|i| (0.8, i % 4 == 0)).collect();
        assert!((reliability(&broken).ece - 0.55).abs() < 1e-9);
        assert_eq!(reliability(&[]).ece, 0.0);
        assert_eq!(reliability(&[(1.0, true), (f64::NAN, false)]).bins.len(), 2);
    }

    #[test]
    fn chance_errs_more_with_fewer_statements() {
        // Four statements of 0.5: 2, 1 or 0 too many with probability 1/8, 1/2 and 3/8, so 0.1875 on
        // average; the normal approximation is near.
        let few = reliability(&[(0.5, true); 4]).by_chance;
        assert!((few - 0.1875).abs() < 0.02, "{few}");
        let many = reliability(&[(0.5, true); 400]).by_chance;
        assert!((many - few / 10.0).abs() < 1e-9, "{many}");
        // Certain promises leave nothing to chance.
        assert_eq!(reliability(&[(1.0, true), (0.0, true)]).by_chance, 0.0);
        assert_eq!(reliability(&[]).by_chance, 0.0);
    }

    proptest! {
        #[test]
        fn figures_stay_within_0_and_1(
            pairs in proptest::collection::vec((any::<f64>(), any::<bool>()), 0..50),
        ) {
            let found = reliability(&pairs);
            prop_assert_eq!(found.bins.iter().map(|bin| bin.n).sum::<u64>(), found.n);
            prop_assert!((0.0..=1.0).contains(&found.ece) && (0.0..=1.0).contains(&found.brier));
        }
    }
}
