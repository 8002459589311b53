//! What every result says about the texts behind it.

use crate::measures::per_million;
use crate::tokens::Reading;
use serde::Serialize;

/// What was looked at and found, always exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Totals {
    pub hits: u64,
    /// Texts with hits.
    pub documents: u64,
    pub texts: u64,
    pub tokens: u64,
    /// Texts of which the end was not read.
    pub texts_cut: u64,
}

impl Totals {
    pub(crate) fn count(&mut self, reading: &Reading<'_>, hits: usize) {
        self.hits += hits as u64;
        self.documents += u64::from(hits > 0);
        self.texts_cut += u64::from(reading.is_cut());
        self.count_absent(reading.len() as u64);
    }

    pub(crate) fn count_absent(&mut self, tokens: u64) {
        self.texts += 1;
        self.tokens += tokens;
    }

    /// A number for the text that is counted next: texts that follow each other differ in it.
    pub(crate) fn next_document(&self) -> u32 {
        u32::try_from(self.texts % u64::from(u32::MAX)).expect("it is smaller") + 1
    }

    pub(crate) fn merge(&mut self, other: Totals) {
        self.hits += other.hits;
        self.documents += other.documents;
        self.texts += other.texts;
        self.tokens += other.tokens;
        self.texts_cut += other.texts_cut;
    }

    pub fn per_million(&self) -> f64 {
        per_million(self.hits, self.tokens)
    }
}
