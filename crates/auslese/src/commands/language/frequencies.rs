//! How often words occur, those in the list and those that are not.

use crate::messages::Failure;
use crate::output;
use auslese_corpus::language::{Fate, Token};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Different words that are counted, of each kind; further ones are not taken up.
pub(crate) const MAX_COUNTED_FORMS: usize = 5_000_000;

/// Counts of recognised and of unknown words.
#[derive(Debug, Default)]
pub(super) struct Frequencies {
    recognised: HashMap<String, u64>,
    unknown: HashMap<String, u64>,
}

impl Frequencies {
    pub(super) fn of(tokens: &[Token]) -> Frequencies {
        let mut frequencies = Frequencies::default();
        for token in tokens {
            match token.fate {
                Fate::Recognised => add(&mut frequencies.recognised, &token.text, 1),
                Fate::Unknown => add(&mut frequencies.unknown, &token.text, 1),
                _ => {}
            }
        }
        frequencies
    }

    pub(super) fn merge(&mut self, other: Frequencies) {
        for (word, count) in other.recognised {
            add(&mut self.recognised, &word, count);
        }
        for (word, count) in other.unknown {
            add(&mut self.unknown, &word, count);
        }
    }

    /// The most frequent words of each kind; all if `top` is 0.
    pub(super) fn print(&self, top: usize, json: bool) -> Result<(), Failure> {
        let lists = [("recognised", &self.recognised), ("unknown", &self.unknown)];
        if json {
            let object: serde_json::Map<String, Value> = lists
                .into_iter()
                .map(|(kind, counts)| {
                    let words = most_frequent(counts, top);
                    let words: Vec<Value> = words
                        .into_iter()
                        .map(|(word, count)| json!({ "word": word, "count": count }))
                        .collect();
                    (kind.to_owned(), Value::Array(words))
                })
                .collect();
            return output::print_json(&object);
        }
        let mut rows = vec![["kind", "count", "word"].map(str::to_owned)];
        for (kind, counts) in lists {
            rows.extend(
                most_frequent(counts, top)
                    .into_iter()
                    .map(|(word, count)| [kind.to_owned(), count.to_string(), word.to_owned()]),
            );
        }
        output::print(&output::columns(&rows))
    }
}

fn add(counts: &mut HashMap<String, u64>, word: &str, times: u64) {
    if let Some(count) = counts.get_mut(word) {
        *count += times;
    } else if counts.len() < MAX_COUNTED_FORMS {
        counts.insert(word.to_owned(), times);
    }
}

fn most_frequent(counts: &HashMap<String, u64>, top: usize) -> Vec<(&str, u64)> {
    let mut words: Vec<(&str, u64)> =
        counts.iter().map(|(word, count)| (word.as_str(), *count)).collect();
    words.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    words.truncate(if top == 0 { usize::MAX } else { top });
    words
}
