//! Counting and writing out the values of an expression.

use super::Part;
use rustc_hash::FxHashSet;

impl Part {
    pub(super) fn count(&self) -> u64 {
        match self {
            Part::Class(signs) => signs.len() as u64,
            Part::Sequence(parts) => parts
                .iter()
                .map(Part::count)
                .fold(1, |product, count| product.saturating_mul(count)),
            Part::Alternatives(parts) => {
                parts.iter().map(Part::count).fold(0, |sum, count| sum.saturating_add(count))
            }
            Part::Repeat { part, least, most } => {
                let count = part.count();
                let exponent = u32::try_from(*least).unwrap_or(u32::MAX);
                let mut power = count.saturating_pow(exponent);
                let mut sum = power;
                for _ in *least..*most {
                    power = power.saturating_mul(count);
                    sum = sum.saturating_add(power);
                }
                sum
            }
        }
    }

    /// Bytes of the longest value.
    pub(super) fn longest(&self) -> u64 {
        match self {
            Part::Class(signs) => {
                signs.iter().map(|sign| sign.len_utf8() as u64).max().unwrap_or(0)
            }
            Part::Sequence(parts) => {
                parts.iter().map(Part::longest).fold(0, |sum, length| sum.saturating_add(length))
            }
            Part::Alternatives(parts) => parts.iter().map(Part::longest).max().unwrap_or(0),
            Part::Repeat { part, most, .. } => part.longest().saturating_mul(*most),
        }
    }

    /// The values in their order, each once. No list on the way is longer than the count.
    pub(super) fn values(&self) -> Vec<String> {
        let values = match self {
            Part::Class(signs) => signs.iter().map(char::to_string).collect(),
            Part::Sequence(parts) => parts
                .iter()
                .fold(vec![String::new()], |before, part| product(&before, &part.values())),
            Part::Alternatives(parts) => parts.iter().flat_map(Part::values).collect(),
            Part::Repeat { part, least, most } => {
                let once = part.values();
                let mut power = vec![String::new()];
                for _ in 0..*least {
                    power = distinct(product(&power, &once));
                }
                let mut all = power.clone();
                for _ in *least..*most {
                    power = distinct(product(&power, &once));
                    all.extend(power.iter().cloned());
                }
                all
            }
        };
        distinct(values)
    }
}

fn product(left: &[String], right: &[String]) -> Vec<String> {
    left.iter().flat_map(|left| right.iter().map(move |right| format!("{left}{right}"))).collect()
}

fn distinct(mut values: Vec<String>) -> Vec<String> {
    let mut seen = FxHashSet::default();
    values.retain(|value| seen.insert(value.clone()));
    values
}
