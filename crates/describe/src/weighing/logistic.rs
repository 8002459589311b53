//! Logistic regression with a penalty on large coefficients, by Newton's method.
//!
//! The unit is a contest: some candidates of which one at most is right. Each has its log-odds against
//! "none of them", and its probability is its share of all odds (D. McFadden, "Conditional logit
//! analysis of qualitative choice behavior", 1974). A contest of one candidate is plain logistic
//! regression, so fields with several values have one contest for each candidate.
//!
//! The penalty is a prior: a signal that was hardly seen keeps a coefficient near zero, so it says as
//! much as the average candidate. The search begins at zero and has no chance in it, so the result
//! depends on the data alone.

use super::linear_algebra::Symmetric;

/// Newton's method doubles the right digits with each step; more are never needed in practice.
const MAX_STEPS: usize = 30;

/// A step is halved so often, at most, if it leads too far.
const MAX_HALVINGS: i32 = 12;

/// A step that gains less is the last.
const SMALL_GAIN: f64 = 1e-7;

/// The columns of a candidate that are not zero.
pub(super) type Row = Vec<(usize, f64)>;

/// Candidates that compete, and which of them are right; several may be where spellings differ.
#[derive(Debug, Default)]
pub(super) struct Contest {
    pub(super) candidates: Vec<(Row, bool)>,
}

/// The probability of each candidate, from their log-odds against "none of them".
pub(super) fn shares(log_odds: &[f64]) -> Vec<f64> {
    // The largest is taken off all, so that nothing overflows.
    let largest = log_odds.iter().copied().fold(0.0, f64::max);
    let odds: Vec<f64> = log_odds.iter().map(|it| (it - largest).exp()).collect();
    let whole = (-largest).exp() + odds.iter().sum::<f64>();
    odds.iter().map(|it| it / whole).collect()
}

/// The coefficients of the columns; one penalty for each.
pub(super) fn fit(contests: &[Contest], penalties: &[f64]) -> Vec<f64> {
    let mut coefficients = vec![0.0; penalties.len()];
    let mut loss = penalised_loss(contests, penalties, &coefficients);
    for _ in 0..MAX_STEPS {
        let Some(step) = newton_step(contests, penalties, &coefficients) else { break };
        let Some((next, next_loss)) = shortened(contests, penalties, &coefficients, &step, loss)
        else {
            break;
        };
        let gain = loss - next_loss;
        (coefficients, loss) = (next, next_loss);
        if gain < SMALL_GAIN {
            break;
        }
    }
    coefficients
}

/// The first of the halved steps that is better than standing still.
fn shortened(
    contests: &[Contest],
    penalties: &[f64],
    from: &[f64],
    step: &[f64],
    loss: f64,
) -> Option<(Vec<f64>, f64)> {
    (0..MAX_HALVINGS).find_map(|halvings| {
        let share = 0.5_f64.powi(halvings);
        let next: Vec<f64> =
            from.iter().zip(step).map(|(from, step)| from + share * step).collect();
        let next_loss = penalised_loss(contests, penalties, &next);
        (next_loss < loss).then_some((next, next_loss))
    })
}

fn newton_step(contests: &[Contest], penalties: &[f64], coefficients: &[f64]) -> Option<Vec<f64>> {
    let mut curvature = Symmetric::zero(penalties.len());
    let mut descent = vec![0.0; penalties.len()];
    for (column, penalty) in penalties.iter().enumerate() {
        curvature.add(column, column, *penalty);
        descent[column] -= penalty * coefficients[column];
    }
    for contest in contests {
        contest.add_derivatives(coefficients, &mut descent, &mut curvature);
    }
    curvature.solve(descent)
}

fn penalised_loss(contests: &[Contest], penalties: &[f64], coefficients: &[f64]) -> f64 {
    let penalty = |(it, penalty): (&f64, &f64)| 0.5 * penalty * it * it;
    contests.iter().map(|it| it.loss(coefficients)).sum::<f64>()
        + coefficients.iter().zip(penalties).map(penalty).sum::<f64>()
}

impl Contest {
    fn log_odds(&self, coefficients: &[f64]) -> Vec<f64> {
        let sum = |row: &Row| row.iter().map(|(column, value)| coefficients[*column] * value).sum();
        self.candidates.iter().map(|(row, _)| sum(row)).collect()
    }

    /// The credit of each candidate: 1 in all, or 0 if none is right. If several are, each has its
    /// credit by what is promised of it, so the regression need not explain near duplicates.
    fn credits(&self, shares: &[f64]) -> Vec<f64> {
        let right = || self.candidates.iter().map(|(_, right)| f64::from(u8::from(*right)));
        let promised: f64 = right().zip(shares).map(|(right, share)| right * share).sum();
        let count: f64 = right().sum();
        let credit = |(right, share): (f64, &f64)| {
            let even = count == 1.0 || promised == 0.0;
            if right == 0.0 {
                0.0
            } else if even {
                1.0 / count
            } else {
                share / promised
            }
        };
        right().zip(shares).map(credit).collect()
    }

    /// How surprising it is that one of the right candidates is right, or that none is.
    fn loss(&self, coefficients: &[f64]) -> f64 {
        let log_odds = self.log_odds(coefficients);
        let right = self.candidates.iter().zip(&log_odds).filter(|((_, right), _)| *right);
        let right: Vec<f64> = right.map(|(_, log_odds)| *log_odds).collect();
        let expected = if right.is_empty() { 0.0 } else { log_of_sum(&right) };
        let all: Vec<f64> = log_odds.into_iter().chain([0.0]).collect();
        log_of_sum(&all) - expected
    }

    fn add_derivatives(
        &self,
        coefficients: &[f64],
        descent: &mut [f64],
        curvature: &mut Symmetric,
    ) {
        let shares = shares(&self.log_odds(coefficients));
        let mut parts: Row = Vec::new();
        for (((row, _), share), credit) in
            self.candidates.iter().zip(&shares).zip(self.credits(&shares))
        {
            for (place, (column, value)) in row.iter().enumerate() {
                descent[*column] += (credit - share) * value;
                parts.push((*column, share * value));
                for (other, other_value) in &row[..=place] {
                    curvature.add(*column, *other, share * value * other_value);
                }
            }
        }
        let mean = sums_by_column(parts);
        for (place, (column, value)) in mean.iter().enumerate() {
            for (other, other_value) in &mean[..=place] {
                curvature.add(*column, *other, -value * other_value);
            }
        }
    }
}

/// The logarithm of the sum of the odds, without overflow.
fn log_of_sum(log_odds: &[f64]) -> f64 {
    let largest = log_odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + log_odds.iter().map(|it| (it - largest).exp()).sum::<f64>().ln()
}

fn sums_by_column(mut parts: Row) -> Row {
    parts.sort_by_key(|part| part.0);
    let sum = |parts: &[(usize, f64)]| (parts[0].0, parts.iter().map(|part| part.1).sum());
    parts.chunk_by(|a, b| a.0 == b.0).map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(row: &[(usize, f64)], right: bool) -> Contest {
        Contest { candidates: vec![(row.to_vec(), right)] }
    }

    fn check(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 0.01, "{found} {expected}");
        }
    }

    #[test]
    fn shares_become_coefficients_and_rare_columns_stay_small() {
        // Column 0 is always there, column 1 means right in 3 of 4 cases instead of 1 of 4, column 2
        // was seen once.
        let mut contests = Vec::new();
        for i in 0..800 {
            contests.push(alone(&[(0, 1.0)], i % 4 == 0));
            contests.push(alone(&[(0, 1.0), (1, 1.0)], i % 4 != 0));
        }
        contests.push(alone(&[(0, 1.0), (2, 1.0)], true));
        let found = fit(&contests, &[1e-6, 0.1, 1.0]);
        check(&found, &[-(3.0_f64.ln()), 2.0 * 3.0_f64.ln()]);
        assert!(found[2] > 0.0 && found[2] < 0.7, "{}", found[2]);
    }

    #[test]
    fn candidates_of_a_contest_share_one_whole() {
        // Of two candidates the one with column 1 is right in 6 of 10 contests, the other in 3.
        let contest = |i: usize| Contest {
            candidates: vec![
                (vec![(0, 1.0), (1, 1.0)], i < 6),
                (vec![(0, 1.0)], (6..9).contains(&i)),
            ],
        };
        let contests: Vec<Contest> = (0..2000).map(|i| contest(i % 10)).collect();
        let found = fit(&contests, &[1e-6, 1e-6]);
        check(&found, &[3.0_f64.ln(), 2.0_f64.ln()]);
        check(&shares(&[found[0] + found[1], found[0]]), &[0.6, 0.3]);
        check(&shares(&[800.0, -800.0]), &[1.0, 0.0]);
    }

    #[test]
    fn what_can_be_separated_does_not_run_away() {
        let contest = |right| alone(&[(0, 1.0), (1, f64::from(u8::from(right)))], right);
        let contests: Vec<Contest> = (0..50).map(|i| contest(i % 2 == 0)).collect();
        assert!(fit(&contests, &[1e-3, 1.0]).iter().all(|it| it.abs() < 10.0));
    }
}
