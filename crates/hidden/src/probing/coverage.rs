//! How much of a database has been seen, from how often rows come back.
//!
//! If answers were drawn at random, the share of rows seen would be the chance that a row of an answer is known
//! already. They are not, so this is an estimate, and one that errs upwards: rows that no word leads to are
//! never shown at all.

use rustc_hash::FxHasher;
use std::collections::VecDeque;
use std::hash::Hasher;

/// Queries over which the share is measured.
const WINDOW: usize = 20;

/// An estimate that goes along with the answers.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    recent: VecDeque<(u64, u64)>,
}

impl Coverage {
    /// Takes an answer: rows shown, and how many of them were new.
    pub fn note(&mut self, shown: u64, new: u64) {
        self.recent.push_back((shown, new));
        if self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
    }

    /// The share of the database that was seen, from 0 to 1; none while nothing was shown.
    pub fn estimate(&self) -> Option<f64> {
        let (shown, new) = self.recent.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        (shown > 0).then(|| 1.0 - new as f64 / shown as f64)
    }
}

/// A row by its words.
pub(super) fn row_key(row: &str) -> u64 {
    let mut hasher = FxHasher::default();
    for word in row.split_whitespace() {
        hasher.write(word.as_bytes());
        hasher.write_u8(b' ');
    }
    hasher.finish()
}
