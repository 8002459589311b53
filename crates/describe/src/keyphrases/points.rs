//! Log-odds of a candidate as a sum: one number for each feature, by the range its value lies in.
//!
//! Both ways of learning end here. Naive Bayes takes the numbers from counts, as Kea does; regression
//! fits them together, so that features which say the same share what they are worth.

use super::discretise::Cuts;
use super::features::Feature;
use crate::weighing::Symmetric;

/// What the ranges of one feature are worth.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    pub(super) feature: Feature,
    pub(super) cuts: Cuts,
    /// The log-odds of each range.
    pub(super) points: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Points {
    /// The log-odds of a candidate before anything is known of it.
    pub(super) prior: f64,
    pub(super) scales: Vec<Scale>,
}

/// Candidates with the ranges of their values.
#[derive(Debug)]
pub(super) struct Samples {
    pub(super) cuts: Vec<(Feature, Cuts)>,
    /// As many ranges for each candidate as there are features.
    pub(super) ranges: Vec<u8>,
    pub(super) right: Vec<bool>,
}

impl Samples {
    fn rows(&self) -> impl Iterator<Item = (&[u8], bool)> {
        self.ranges.chunks_exact(self.cuts.len().max(1)).zip(self.right.iter().copied())
    }

    fn count(&self) -> (f64, f64) {
        let right = self.right.iter().filter(|right| **right).count() as f64;
        (right, self.right.len() as f64 - right)
    }

    /// The number of the first column of each feature; the last entry is the number of all.
    fn columns(&self) -> Vec<usize> {
        let mut columns = vec![1];
        for (_, cuts) in &self.cuts {
            columns.push(columns[columns.len() - 1] + cuts.ranges());
        }
        columns
    }

    fn points(&self, prior: f64, columns: &[f64]) -> Points {
        let starts = self.columns();
        let scales = self.cuts.iter().zip(starts.windows(2)).map(|((feature, cuts), ends)| Scale {
            feature: *feature,
            cuts: cuts.clone(),
            points: columns[ends[0]..ends[1]].to_vec(),
        });
        Points { prior, scales: scales.collect() }
    }
}

impl Points {
    /// Naive Bayes with one added to every count.
    pub(super) fn by_bayes(samples: &Samples) -> Points {
        let starts = samples.columns();
        let (right, wrong) = samples.count();
        let mut counts = vec![(1.0, 1.0); starts[starts.len() - 1]];
        for (ranges, is_right) in samples.rows() {
            for (start, range) in starts.iter().zip(ranges) {
                let count = &mut counts[start + usize::from(*range)];
                *(if is_right { &mut count.0 } else { &mut count.1 }) += 1.0;
            }
        }
        let mut points = vec![0.0; counts.len()];
        for ends in starts.windows(2) {
            let ranges = (ends[1] - ends[0]) as f64;
            for column in ends[0]..ends[1] {
                let (with, without) = counts[column];
                points[column] = (with / (right + ranges)).ln() - (without / (wrong + ranges)).ln();
            }
        }
        samples.points(((right + 1.0) / (wrong + 1.0)).ln(), &points)
    }

    /// Logistic regression with a penalty on large numbers, by Newton's method.
    pub(super) fn by_regression(samples: &Samples) -> Points {
        let starts = samples.columns();
        let size = starts[starts.len() - 1];
        let (right, wrong) = samples.count();
        let mut found = vec![0.0; size];
        found[0] = ((right + 1.0) / (wrong + 1.0)).ln();
        for _ in 0..MAX_NEWTON_STEPS {
            let Some(step) = newton_step(samples, &starts, &found) else { break };
            let largest = step.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
            let shortened = if largest > LONGEST_STEP { LONGEST_STEP / largest } else { 1.0 };
            found.iter_mut().zip(&step).for_each(|(it, step)| *it += shortened * step);
            if largest < SMALL_STEP {
                break;
            }
        }
        samples.points(found[0], &found)
    }

    /// The scales with what can still be won, those first that are quickly looked up.
    pub(super) fn race(&self) -> Race<'_> {
        let mut scales: Vec<&Scale> = self.scales.iter().collect();
        scales.sort_by_key(|scale| scale.feature.is_looked_up());
        let mut still = 0.0;
        let mut laps: Vec<(&Scale, f64)> = Vec::with_capacity(scales.len());
        for scale in scales.into_iter().rev() {
            laps.push((scale, still));
            still += scale.points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        }
        laps.reverse();
        Race { prior: self.prior, laps }
    }
}

/// Sums up points, and gives up where a goal is out of reach: nearly all candidates fall behind at once.
#[derive(Debug)]
pub(super) struct Race<'p> {
    prior: f64,
    /// Each scale with the most that all later ones can add.
    laps: Vec<(&'p Scale, f64)>,
}

impl Race<'_> {
    /// The log-odds of a candidate, if they reach the goal.
    pub(super) fn log_odds(&self, value: impl Fn(Feature) -> f64, goal: f64) -> Option<f64> {
        let mut sum = self.prior;
        for (scale, still) in &self.laps {
            sum += scale.points[scale.cuts.range(value(scale.feature))];
            if sum + still < goal - ROUNDING {
                return None;
            }
        }
        Some(sum)
    }
}

/// Sums of the same numbers in another order differ by less.
const ROUNDING: f64 = 1e-9;

/// Newton's method doubles the right digits with each step.
const MAX_NEWTON_STEPS: usize = 20;

/// No number changes by more in one step: farther off, the curvature says little.
const LONGEST_STEP: f64 = 3.0;

/// A step that changes no number by more is the last.
const SMALL_STEP: f64 = 1e-3;

/// How strongly the numbers are drawn to zero: as if each range had been seen so often without
/// saying anything.
const PENALTY: f64 = 10.0;

fn newton_step(samples: &Samples, starts: &[usize], found: &[f64]) -> Option<Vec<f64>> {
    let size = found.len();
    let mut curvature = vec![0.0; size * size];
    let mut descent: Vec<f64> = found.iter().map(|it| -PENALTY * it).collect();
    descent[0] = 0.0;
    let mut columns = vec![0; starts.len()];
    for (ranges, right) in samples.rows() {
        for (place, range) in ranges.iter().enumerate() {
            columns[place + 1] = starts[place] + usize::from(*range);
        }
        let log_odds: f64 = columns.iter().map(|column| found[*column]).sum();
        let share = 1.0 / (1.0 + (-log_odds).exp());
        let surprise = f64::from(u8::from(right)) - share;
        let bend = share * (1.0 - share);
        for (place, column) in columns.iter().enumerate() {
            descent[*column] += surprise;
            let line = column * size;
            for other in &columns[..=place] {
                curvature[line + other] += bend;
            }
        }
    }
    let mut system = Symmetric::zero(size);
    for row in 0..size {
        for column in 0..=row {
            system.add(row, column, curvature[row * size + column]);
        }
        system.add(row, row, if row == 0 { 1e-6 } else { PENALTY });
    }
    system.solve(descent)
}
