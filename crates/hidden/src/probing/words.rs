//! Which word to ask for next.
//!
//! The word that occurs in most of the rows seen so far, and was not asked for yet, promises most new rows.
//! Words that have little new in them cost a query and are noticed: if the last twenty queries brought less
//! than one row in a hundred of what they showed, it is over.

use super::coverage::Coverage;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Words that are counted; further ones are not taken up.
pub const MAX_PROBING_WORDS: usize = 1_000_000;

/// Queries in a row over which news are measured, and the share of new rows below which it is over.
pub const STOP_AFTER: usize = 20;
pub const STOP_SHARE: f64 = 0.01;

/// Shortest word worth asking for; many forms refuse shorter ones.
const SHORTEST_WORD: usize = 3;

/// A search by words.
#[derive(Debug)]
pub struct WordProbing {
    budget: u64,
    asked: FxHashSet<String>,
    /// In how many rows each word was seen.
    counts: FxHashMap<String, u64>,
    /// Words to begin with, the first last.
    first: Vec<String>,
    rows: FxHashSet<u64>,
    /// Rows shown and rows new, of the last queries.
    recent: VecDeque<(u64, u64)>,
    coverage: Coverage,
    queries: u64,
}

impl WordProbing {
    /// Begins with some words, such as those of the page with the form; at most `budget` queries are asked.
    pub fn new(first: &[String], budget: u64) -> WordProbing {
        WordProbing {
            budget,
            asked: FxHashSet::default(),
            counts: FxHashMap::default(),
            first: first.iter().rev().flat_map(|text| words_of(text)).collect(),
            rows: FxHashSet::default(),
            recent: VecDeque::new(),
            coverage: Coverage::default(),
            queries: 0,
        }
    }

    /// The next word; none if the budget is spent, nothing is left, or nothing new comes any more.
    pub fn next_word(&mut self) -> Option<String> {
        if self.queries >= self.budget || self.has_dried_up() {
            return None;
        }
        let open = |(word, _): &(&String, &u64)| !self.asked.contains(*word);
        let best = self.counts.iter().filter(open);
        let best = best.max_by(|one, other| one.1.cmp(other.1).then_with(|| other.0.cmp(one.0)));
        let word = match best.map(|(word, _)| word.clone()) {
            Some(word) => word,
            None => loop {
                let word = self.first.pop()?;
                if !self.asked.contains(&word) {
                    break word;
                }
            },
        };
        self.asked.insert(word.clone());
        self.queries += 1;
        Some(word)
    }

    /// Takes the rows of an answer, each as its text; says how many are new.
    pub fn answered<'a>(&mut self, rows: impl IntoIterator<Item = &'a str>) -> u64 {
        self.answered_partly(rows.into_iter().map(|row| (row, row)))
    }

    /// The same, where only a part of each row is searched: the row, and that part.
    pub fn answered_partly<'a>(
        &mut self,
        rows: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> u64 {
        let (mut shown, mut new) = (0, 0);
        for (row, searched) in rows {
            shown += 1;
            if !self.rows.insert(super::coverage::row_key(row)) {
                continue;
            }
            new += 1;
            let distinct: FxHashSet<String> = words_of(searched).collect();
            for word in distinct {
                if let Some(count) = self.counts.get_mut(&word) {
                    *count += 1;
                } else if self.counts.len() < MAX_PROBING_WORDS {
                    self.counts.insert(word, 1);
                }
            }
        }
        self.coverage.note(shown, new);
        self.recent.push_back((shown, new));
        if self.recent.len() > STOP_AFTER {
            self.recent.pop_front();
        }
        new
    }

    /// Different rows so far, and queries.
    pub fn found(&self) -> (u64, u64) {
        (self.rows.len() as u64, self.queries)
    }

    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    fn has_dried_up(&self) -> bool {
        if self.recent.len() < STOP_AFTER {
            return false;
        }
        let (shown, new) = self.recent.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        (new as f64) < STOP_SHARE * (shown.max(1) as f64)
    }
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= SHORTEST_WORD)
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows with words of very different frequency.
    fn database() -> Vec<String> {
        (0..2_000u32)
            .map(|number| {
                let kind = ["bibliothek", "programm", "dokument", "schrift"][(number % 4) as usize];
                let group = if number % 3 == 0 { "gemeinsam" } else { "einzeln" };
                format!("{kind} {group} wort{}", number % 97)
            })
            .collect()
    }

    #[test]
    fn frequent_words_bring_everything_to_light() {
        let database = database();
        let mut probing = WordProbing::new(&["Suche in der Bibliothek".to_owned()], 300);
        while let Some(word) = probing.next_word() {
            let hits = database.iter().filter(|row| row.split(' ').any(|it| it == word));
            probing.answered(hits.map(String::as_str));
        }
        let (rows, queries) = probing.found();
        let distinct: FxHashSet<&String> = database.iter().collect();
        assert_eq!(rows, distinct.len() as u64);
        assert!(queries < 60, "{queries}");
        assert!(probing.coverage().estimate().is_some_and(|it| it > 0.95));
    }

    #[test]
    fn budgets_hold() {
        let mut probing = WordProbing::new(&["alpha beta gamma".to_owned()], 2);
        assert_eq!(probing.next_word().as_deref(), Some("gamma"));
        probing.answered(["delta epsilon"]);
        assert!(probing.next_word().is_some());
        assert_eq!(probing.next_word(), None);
        let mut nothing = WordProbing::new(&[], 10);
        assert_eq!(nothing.next_word(), None);
    }
}
