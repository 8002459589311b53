//! A rising curve from what was promised to what was kept: isotonic regression.
//!
//! Pool adjacent violators (M. Ayer et al., "An empirical distribution function for sampling with
//! incomplete information", 1955): neighbours are united as long as a higher promise was kept less
//! often than a lower one. A share of three is no measurement, so small groups are united with
//! neighbours that promise about the same, and those that have none are drawn towards their promise.
//! Between the groups' means the curve is straight, beyond the outermost it is level.

use super::probability;
use super::weights::smoothed_share;

/// Fewer samples make no curve: what was promised stays.
const MIN_CURVE_SAMPLES: usize = 40;

/// A group of fewer samples is small.
const SMALL_GROUP: f64 = 15.0;

/// Promises that are no farther apart are about the same.
const ABOUT_THE_SAME: f64 = 0.1;

/// From promised to kept; without points what was promised is believed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// Rising in `promised`, not falling in `kept`.
    pub(super) points: Vec<CurvePoint>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    pub promised: f64,
    pub kept: f64,
    /// The samples it stands for.
    pub n: u64,
}

impl Curve {
    /// A curve through points in any order; `None` if it would fall, or a number is no probability.
    pub fn through(mut points: Vec<CurvePoint>) -> Option<Curve> {
        let proper = |value: f64| (0.0..=1.0).contains(&value);
        if !points.iter().all(|point| proper(point.promised) && proper(point.kept)) {
            return None;
        }
        points.sort_by(|a, b| a.promised.total_cmp(&b.promised));
        points
            .is_sorted_by(|a, b| a.promised < b.promised && a.kept <= b.kept)
            .then_some(Curve { points })
    }

    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }

    /// What a promise is worth.
    pub fn at(&self, promised: f64) -> f64 {
        let promised = probability(promised);
        let above = self.points.partition_point(|point| point.promised <= promised);
        let kept =
            match (above.checked_sub(1).map(|below| self.points[below]), self.points.get(above)) {
                (None, None) => promised,
                (Some(below), None) => below.kept,
                (None, Some(above)) => above.kept,
                (Some(below), Some(above)) => {
                    let share = (promised - below.promised) / (above.promised - below.promised);
                    below.kept + share * (above.kept - below.kept)
                }
            };
        probability(kept)
    }

    /// The curve of samples: what was promised, and whether it was kept.
    pub(crate) fn fit(samples: &[(f64, bool)]) -> Curve {
        if samples.len() < MIN_CURVE_SAMPLES {
            return Curve::default();
        }
        let groups = unite_small(unite_falling(groups_of_equals(samples)));
        // Drawn towards their promises, groups may fall again.
        let groups = unite_falling(groups.iter().map(Group::smoothed).collect());
        Curve { points: groups.iter().map(Group::point).collect() }.made_rising()
    }

    /// Rounding may have made close points one.
    pub(super) fn made_rising(self) -> Curve {
        let mut points: Vec<CurvePoint> = Vec::with_capacity(self.points.len());
        for mut point in self.points {
            if let Some(last) = points.last() {
                if point.promised <= last.promised {
                    continue;
                }
                point.kept = point.kept.max(last.kept);
            }
            points.push(point);
        }
        Curve { points }
    }
}

/// Samples that are treated as one.
#[derive(Debug, Clone, Copy)]
struct Group {
    promised: f64,
    right: f64,
    n: f64,
}

impl Group {
    fn share(&self) -> f64 {
        self.right / self.n
    }

    fn absorb(&mut self, other: Group) {
        self.promised += other.promised;
        self.right += other.right;
        self.n += other.n;
    }

    fn mean_promise(&self) -> f64 {
        self.promised / self.n
    }

    fn smoothed(&self) -> Group {
        let share = smoothed_share(self.right, self.n, self.mean_promise());
        Group { right: share * self.n, ..*self }
    }

    fn point(&self) -> CurvePoint {
        let (promised, kept) = (probability(self.mean_promise()), probability(self.share()));
        CurvePoint { promised, kept, n: self.n as u64 }
    }
}

fn groups_of_equals(samples: &[(f64, bool)]) -> Vec<Group> {
    let mut sorted: Vec<(f64, bool)> =
        samples.iter().map(|(promised, right)| (probability(*promised), *right)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let equals = sorted.chunk_by(|a, b| a.0 == b.0);
    equals
        .map(|group| Group {
            promised: group.iter().map(|it| it.0).sum(),
            right: group.iter().filter(|it| it.1).count() as f64,
            n: group.len() as f64,
        })
        .collect()
}

fn unite_falling(groups: Vec<Group>) -> Vec<Group> {
    let mut rising: Vec<Group> = Vec::new();
    for mut group in groups {
        while let Some(last) = rising.pop_if(|last| last.share() >= group.share()) {
            group.absorb(last);
        }
        rising.push(group);
    }
    rising
}

fn unite_small(groups: Vec<Group>) -> Vec<Group> {
    let mut united: Vec<Group> = Vec::new();
    for group in groups {
        match united.last_mut() {
            Some(last)
                if last.n.min(group.n) < SMALL_GROUP
                    && group.mean_promise() - last.mean_promise() <= ABOUT_THE_SAME =>
            {
                last.absorb(group);
            }
            _ => united.push(group),
        }
    }
    united
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_curve_is_straight_between_its_points_and_level_beyond() {
        let point = |promised, kept| CurvePoint { promised, kept, n: 50 };
        let curve = Curve::through(vec![point(0.6, 0.5), point(0.2, 0.1)]).expect("it rises");
        for (promised, kept) in [(0.0, 0.1), (0.2, 0.1), (0.4, 0.3), (0.6, 0.5), (1.0, 0.5)] {
            assert!((curve.at(promised) - kept).abs() < 1e-12, "{promised}");
        }
        assert_eq!(Curve::default().at(0.7), 0.7);
        assert_eq!(Curve::default().at(f64::NAN), 0.0);
        assert_eq!(Curve::through(vec![point(0.2, 0.5), point(0.6, 0.1)]), None);
        assert_eq!(Curve::through(vec![point(0.2, 0.5), point(0.2, 0.6)]), None);
        assert_eq!(Curve::through(vec![point(f64::NAN, 0.5)]), None);
    }

    #[test]
    fn too_much_promised_is_put_right() {
        // 0.9 is kept half of the time, 0.3 and 0.4 in the wrong order.
        let samples: Vec<(f64, bool)> = (0..100)
            .flat_map(|i| [(0.9, i % 2 == 0), (0.3, i % 5 == 0), (0.4, i % 10 == 0)])
            .collect();
        let curve = Curve::fit(&samples);
        assert!((curve.at(0.9) - 0.5).abs() < 0.01);
        assert!((curve.at(0.35) - 0.15).abs() < 0.01);
        assert!(Curve::fit(&samples[..20]).points.is_empty());
    }

    #[test]
    fn a_few_good_promises_are_not_drowned() {
        // 500 values that are mostly wrong, and 12 of another kind that are right.
        let many = (0..500).map(|i| (0.2, i % 6 == 0));
        let few = (0..12).map(|i| (0.8, i != 0));
        let curve = Curve::fit(&many.chain(few).collect::<Vec<_>>());
        assert!((curve.at(0.2) - 0.17).abs() < 0.01);
        assert!(curve.at(0.8) > 0.8);
    }

    proptest! {
        #[test]
        fn a_fitted_curve_rises_within_0_and_1(
            samples in proptest::collection::vec((any::<f64>(), any::<bool>()), 0..300),
        ) {
            let curve = Curve::fit(&samples);
            prop_assert_eq!(Curve::through(curve.points.clone()), Some(curve.clone()));
            let kept: Vec<f64> = (0..=100).map(|i| curve.at(f64::from(i) / 100.0)).collect();
            prop_assert!(kept.is_sorted());
            prop_assert!(kept.iter().all(|it| (0.0..=1.0).contains(it)));
        }
    }
}
