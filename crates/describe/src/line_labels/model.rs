//! The linear model: how much each sign speaks for each label, and each label for the one below it.

use super::signs::signs;
use super::{HeadLine, LineLabel};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Numbers of a row of the model: one for each label.
pub(super) type Row = [f64; LABELS];
pub(super) const LABELS: usize = LineLabel::ALL.len();

/// Signs, and the labels above (the last row is the beginning of the page).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LineModel {
    pub(super) signs: FxHashMap<String, Row>,
    pub(super) follows: [Row; LABELS + 1],
}

/// The row of [`LineModel::follows`] for the first line.
pub(super) const BEGINNING: usize = LABELS;

/// What is wrong with the file of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct LineModelError {
    pub line: usize,
    what: &'static str,
}

/// Steps of the numbers in the file: three decimals are more than they are sure of.
const SCALE: f64 = 1_000.0;

impl LineModel {
    /// The most likely labels of lines that follow each other.
    pub fn labels(&self, lines: &[HeadLine]) -> Vec<LineLabel> {
        self.labels_by_signs(&signs(lines))
    }

    /// Viterbi's algorithm: for each line and label the best row of labels that ends there.
    pub(super) fn labels_by_signs(&self, signs: &[Vec<String>]) -> Vec<LineLabel> {
        let mut best: Vec<(Row, [usize; LABELS])> = Vec::with_capacity(signs.len());
        for signs in signs {
            let own = self.own(signs);
            let mut step = ([0.0; LABELS], [BEGINNING; LABELS]);
            for (label, own) in own.iter().enumerate() {
                let (score, from) = match best.last() {
                    None => (self.follows[BEGINNING][label], BEGINNING),
                    Some((before, _)) => (0..LABELS)
                        .map(|from| (before[from] + self.follows[from][label], from))
                        .max_by(|a, b| a.0.total_cmp(&b.0))
                        .expect("there are labels"),
                };
                step.0[label] = score + own;
                step.1[label] = from;
            }
            best.push(step);
        }
        let mut labels = Vec::with_capacity(best.len());
        let Some((scores, _)) = best.last() else { return labels };
        let mut label =
            (0..LABELS).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).expect("there are labels");
        for (_, from) in best.iter().rev() {
            labels.push(LineLabel::ALL[label]);
            label = from[label];
        }
        labels.reverse();
        labels
    }

    fn own(&self, signs: &[String]) -> Row {
        let mut sum = [0.0; LABELS];
        for row in signs.iter().filter_map(|sign| self.signs.get(sign)) {
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        sum
    }

    /// As a file: a line for each sign and for each label above, with a number for each label.
    pub fn to_text(&self) -> String {
        let mut text = String::from("# What signs of a line say about its label; see README.md.\n");
        let labels: Vec<&str> = LineLabel::ALL.iter().map(|label| label.as_str()).collect();
        let _ = writeln!(text, "labels\t{}", labels.join(" "));
        for (above, row) in self.follows.iter().enumerate() {
            let name = LineLabel::ALL.get(above).map_or("beginning", |label| label.as_str());
            let _ = writeln!(text, "after {name}\t{}", row_text(row));
        }
        let mut signs: Vec<_> = self.signs.iter().collect();
        signs.sort_by_key(|(sign, _)| sign.as_str());
        for (sign, row) in signs {
            let _ = writeln!(text, "{sign}\t{}", row_text(row));
        }
        text
    }

    /// Reads such a file.
    pub fn parse(text: &str) -> Result<LineModel, LineModelError> {
        let mut model = LineModel::default();
        for (number, line) in text.lines().enumerate() {
            let fault = |what| LineModelError { line: number + 1, what };
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let (name, numbers) = line.split_once('\t').ok_or(fault("there is no tab in it"))?;
            if name == "labels" {
                let labels = LineLabel::ALL.iter().map(|label| label.as_str());
                if !numbers.split(' ').eq(labels) {
                    return Err(fault("these are other labels"));
                }
                continue;
            }
            let row = parse_row(numbers).ok_or(fault("a number for each label was expected"))?;
            match name.strip_prefix("after ") {
                None => drop(model.signs.insert(name.to_owned(), row)),
                Some(above) => {
                    let at = LineLabel::ALL.iter().position(|label| label.as_str() == above);
                    model.follows[at.unwrap_or(BEGINNING)] = row;
                }
            }
        }
        Ok(model)
    }
}

fn row_text(row: &Row) -> String {
    let numbers = row.iter().map(|weight| format!("{}", (weight * SCALE).round() as i64));
    numbers.collect::<Vec<_>>().join(" ")
}

fn parse_row(text: &str) -> Option<Row> {
    let mut row = [0.0; LABELS];
    let mut numbers = text.split(' ');
    for place in &mut row {
        *place = numbers.next()?.parse::<i64>().ok()? as f64 / SCALE;
    }
    numbers.next().is_none().then_some(row)
}
