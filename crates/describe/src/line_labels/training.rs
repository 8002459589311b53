//! Learns the model from labelled heads: an averaged perceptron over rows of labels.
//!
//! Each head is labelled with what is known so far; where that is wrong, the signs of the right
//! labels gain and those of the wrong ones lose. The mean over all steps is kept, which is steadier
//! than the last step. The order of the heads is that of their list, so the same list always gives
//! the same model.

use super::model::{BEGINNING, LABELS, LineModel, Row};
use super::signs::signs;
use super::{HeadLine, LineLabel, MAX_HEAD_LINES};
use rustc_hash::FxHashMap;

/// How often all heads are gone through; more changes nothing on heads that were kept back.
const ROUNDS: usize = 12;

/// Signs seen in fewer lines teach nothing.
const LEAST_SEEN: usize = 4;

/// Learns from heads whose lines are labelled.
pub fn train_line_labels(heads: &[Vec<(HeadLine, LineLabel)>]) -> LineModel {
    let heads: Vec<Head> = heads.iter().map(|head| Head::of(head)).collect();
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    for sign in heads.iter().flat_map(|head| head.signs.iter().flatten()) {
        *seen.entry(sign).or_default() += 1;
    }
    let mut learner = Learner::default();
    for round in 0..ROUNDS {
        for at in 0..heads.len() {
            // Another order in every round, the same in every training.
            learner.learn(&heads[(at * STRIDE + round) % heads.len()]);
        }
    }
    let mut model = learner.averaged();
    model.signs.retain(|sign, _| seen.get(sign.as_str()).is_some_and(|seen| *seen >= LEAST_SEEN));
    model
}

/// A prime, so that steps of this width reach every head.
const STRIDE: usize = 7_919;

struct Head {
    signs: Vec<Vec<String>>,
    labels: Vec<LineLabel>,
}

impl Head {
    fn of(lines: &[(HeadLine, LineLabel)]) -> Head {
        let lines = &lines[..lines.len().min(MAX_HEAD_LINES)];
        let texts: Vec<HeadLine> = lines.iter().map(|(line, _)| line.clone()).collect();
        Head { signs: signs(&texts), labels: lines.iter().map(|(_, label)| *label).collect() }
    }
}

/// The model now, and the sum of what it was at each step, kept as changes times their step.
#[derive(Debug, Default)]
struct Learner {
    model: LineModel,
    changes: LineModel,
    steps: f64,
}

impl Learner {
    fn learn(&mut self, head: &Head) {
        self.steps += 1.0;
        let said = self.model.labels_by_signs(&head.signs);
        if said == head.labels {
            return;
        }
        let (mut above_right, mut above_said) = (BEGINNING, BEGINNING);
        for ((signs, right), said) in head.signs.iter().zip(&head.labels).zip(&said) {
            let (right, said) = (right.index(), said.index());
            if right != said {
                for sign in signs {
                    self.change(sign, right, 1.0);
                    self.change(sign, said, -1.0);
                }
            }
            if (above_right, right) != (above_said, said) {
                self.change_order(above_right, right, 1.0);
                self.change_order(above_said, said, -1.0);
            }
            (above_right, above_said) = (right, said);
        }
    }

    fn change(&mut self, sign: &str, label: usize, by: f64) {
        for (model, by) in [(&mut self.model, by), (&mut self.changes, by * self.steps)] {
            match model.signs.get_mut(sign) {
                Some(row) => row[label] += by,
                None => {
                    let mut row: Row = [0.0; LABELS];
                    row[label] = by;
                    model.signs.insert(sign.to_owned(), row);
                }
            }
        }
    }

    fn change_order(&mut self, above: usize, label: usize, by: f64) {
        self.model.follows[above][label] += by;
        self.changes.follows[above][label] += by * self.steps;
    }

    /// A change made at step s counts in all later ones, so the mean is what it is now less the
    /// changes weighted by their step.
    fn averaged(self) -> LineModel {
        let Learner { mut model, changes, steps } = self;
        let average = |row: &mut Row, changes: &Row| {
            for (weight, change) in row.iter_mut().zip(changes) {
                *weight -= change / (steps + 1.0);
            }
        };
        for (sign, row) in &mut model.signs {
            average(row, &changes.signs[sign]);
        }
        for (row, changes) in model.follows.iter_mut().zip(&changes.follows) {
            average(row, changes);
        }
        model
    }
}
