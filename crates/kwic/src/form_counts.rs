//! Frequency lists of words and of n-grams, and what is typical of one corpus against another.
//!
//! A word is an n-gram of one. An n-gram is n tokens in a row, punctuation between them left out;
//! whether it may reach across the end of a sentence is decided when the text is read
//! ([`crate::Borders`]). Per million always means per million tokens, so that words and n-grams can
//! be compared.
//!
//! Memory is bounded: see [`crate::count_table`]. A list says whether it is exact.

use crate::collation::collation_key;
use crate::count_table::{CountTable, Tally};
use crate::measures::{keyness, per_million, percent_difference};
use crate::query::Hit;
use crate::sheet::{Field, Sheet};
use crate::tokens::Reading;
use crate::{Sensitivity, Totals};
use serde::Serialize;

/// Longest n-gram, in tokens.
pub const MAX_NGRAM: usize = 5;
/// Forms in a list, if nobody asks for fewer or more.
pub const DEFAULT_LISTED_FORMS: usize = 1_000_000;
/// Longest form that is listed, in bytes; longer ones are counted in the totals only.
pub const MAX_LISTED_FORM: usize = 400;

/// Counts words, or n-grams.
#[derive(Debug, Clone)]
pub struct FormCounts {
    n: usize,
    sensitivity: Sensitivity,
    table: CountTable,
    /// Hits are the n-grams counted, documents the texts with any.
    totals: Totals,
    unlisted: u64,
}

impl FormCounts {
    /// For n-grams of `n` tokens, from 1 to [`MAX_NGRAM`], in a table of at most `max_forms`.
    pub fn new(n: usize, sensitivity: Sensitivity, max_forms: usize) -> FormCounts {
        FormCounts {
            n: n.clamp(1, MAX_NGRAM),
            sensitivity,
            table: CountTable::new(max_forms),
            totals: Totals::default(),
            unlisted: 0,
        }
    }

    /// Counts all words or n-grams of a text.
    pub fn push(&mut self, reading: &Reading<'_>) {
        self.push_where(reading, |_, _| true);
    }

    /// Counts those that contain a hit.
    pub fn push_around(&mut self, reading: &Reading<'_>, hits: &[Hit]) {
        let mut first = 0;
        self.push_where(reading, |start, end| {
            while hits.get(first).is_some_and(|hit| (hit.start as usize) < start) {
                first += 1;
            }
            hits.get(first).is_some_and(|hit| hit.end as usize <= end)
        });
    }

    fn push_where(&mut self, reading: &Reading<'_>, mut counts: impl FnMut(usize, usize) -> bool) {
        let document = self.totals.next_document();
        let mut counted = 0;
        let mut form = String::new();
        for run in reading.runs() {
            for start in run.start..(run.end + 1).saturating_sub(self.n).max(run.start) {
                if !counts(start, start + self.n) {
                    continue;
                }
                counted += 1;
                write_form(reading, start..start + self.n, self.sensitivity, &mut form);
                if form.len() > MAX_LISTED_FORM {
                    self.unlisted += 1;
                    continue;
                }
                let tally = self.table.entry(&form);
                tally.count += 1;
                tally.see_in(document);
            }
        }
        self.totals.count(reading, counted);
    }

    /// Adds what was counted in other texts in the same way.
    pub fn merge(&mut self, other: FormCounts) {
        self.table.merge(other.table);
        self.totals.merge(other.totals);
        self.unlisted += other.unlisted;
    }

    /// How often a form occurs, given in the form that is counted.
    pub fn count_of(&self, form: &str) -> u64 {
        self.table.get(form).map_or(0, |tally| tally.count)
    }

    /// The most frequent forms, equally frequent ones in the order of a dictionary.
    pub fn list(&self, min_count: u64, limit: usize) -> FrequencyList {
        let all = self.table.iter().filter(|(_, tally)| tally.count >= min_count);
        let mut all: Vec<(&str, &Tally)> = all.collect();
        let cut = limit.min(all.len());
        if cut < all.len() {
            // Only those that may be among the first are sorted by letters.
            let (_, last, _) = all.select_nth_unstable_by(cut, |a, b| b.1.count.cmp(&a.1.count));
            let least = last.1.count;
            all.retain(|(_, tally)| tally.count >= least);
        }
        all.sort_by_cached_key(|(form, tally)| {
            (std::cmp::Reverse(tally.count), collation_key(form.split(' ')), *form)
        });
        all.truncate(limit);
        FrequencyList {
            n: self.n,
            sensitivity: self.sensitivity,
            totals: self.totals,
            forms: self.table.len(),
            unlisted: self.unlisted,
            lost: self.table.lost(),
            rows: all.into_iter().map(|(form, tally)| self.row(form, tally)).collect(),
        }
    }

    fn row(&self, form: &str, tally: &Tally) -> FrequencyRow {
        FrequencyRow {
            form: form.to_owned(),
            count: tally.count,
            per_million: per_million(tally.count, self.totals.tokens),
            documents: tally.documents.into(),
            missed: tally.missed,
        }
    }

    /// What is typical of these texts against others that were counted in the same way: forms with
    /// at least `min_count` occurrences in both together, the most telling first.
    pub fn keyness(&self, reference: &FormCounts, min_count: u64, limit: usize) -> Keyness {
        let only_there = reference.table.iter().filter(|(form, _)| self.table.get(form).is_none());
        let pairs = self
            .table
            .iter()
            .map(|(form, tally)| (form, tally.count, reference.count_of(form)))
            .chain(only_there.map(|(form, tally)| (form, 0, tally.count)));
        let (here, there) = (self.totals.tokens, reference.totals.tokens);
        let mut rows: Vec<KeynessRow> = pairs
            .filter(|(_, a, b)| a + b >= min_count)
            .map(|(form, count, reference_count)| KeynessRow {
                form: form.to_owned(),
                count,
                reference_count,
                per_million: per_million(count, here),
                reference_per_million: per_million(reference_count, there),
                log_likelihood: keyness(count, here, reference_count, there),
                percent_difference: percent_difference(count, here, reference_count, there),
            })
            .collect();
        rows.sort_unstable_by(|a, b| {
            b.log_likelihood.total_cmp(&a.log_likelihood).then_with(|| a.form.cmp(&b.form))
        });
        rows.truncate(limit);
        Keyness {
            totals: self.totals,
            reference: reference.totals,
            lost: self.table.lost(),
            reference_lost: reference.table.lost(),
            rows,
        }
    }
}

/// Writes the tokens in the form that is counted, with blanks between them.
pub(crate) fn write_form(
    reading: &Reading<'_>,
    tokens: std::ops::Range<usize>,
    sensitivity: Sensitivity,
    form: &mut String,
) {
    form.clear();
    for at in tokens {
        if !form.is_empty() {
            form.push(' ');
        }
        let token = reading.token(at);
        if token.len() > MAX_LISTED_FORM {
            form.push_str(token);
            return;
        }
        form.push_str(&sensitivity.form(token));
    }
}

/// How often forms occur.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrequencyList {
    pub n: usize,
    pub sensitivity: Sensitivity,
    /// Hits are the words or n-grams that were counted.
    #[serde(flatten)]
    pub totals: Totals,
    /// Different forms in the table.
    pub forms: usize,
    /// Words or n-grams that are too long to be listed.
    pub unlisted: u64,
    /// How often a form that is not listed may occur at most; 0 if the list is exact.
    pub lost: u64,
    pub rows: Vec<FrequencyRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrequencyRow {
    pub form: String,
    pub count: u64,
    pub per_million: f64,
    /// Texts with the form.
    pub documents: u64,
    /// How many more there may be, if the table was full; 0 if the count is exact.
    pub missed: u64,
}

impl FrequencyList {
    pub fn sheet(&self) -> Sheet {
        let row = |row: &FrequencyRow| {
            vec![
                Field::text(&row.form),
                Field::Count(row.count),
                Field::Number(row.per_million),
                Field::Count(row.documents),
                Field::Count(row.missed),
            ]
        };
        let head = vec!["form", "count", "per million", "documents", "missed"];
        Sheet { head, rows: self.rows.iter().map(row).collect() }
    }
}

/// Two corpora compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Keyness {
    pub totals: Totals,
    pub reference: Totals,
    /// As in [`FrequencyList`]; counts are exact if both are 0.
    pub lost: u64,
    pub reference_lost: u64,
    pub rows: Vec<KeynessRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeynessRow {
    pub form: String,
    pub count: u64,
    pub reference_count: u64,
    pub per_million: f64,
    pub reference_per_million: f64,
    /// G², negative if the form is rarer here.
    pub log_likelihood: f64,
    /// None if the form does not occur in the reference.
    pub percent_difference: Option<f64>,
}

impl Keyness {
    pub fn sheet(&self) -> Sheet {
        let row = |row: &KeynessRow| {
            vec![
                Field::text(&row.form),
                Field::Count(row.count),
                Field::Count(row.reference_count),
                Field::Number(row.per_million),
                Field::Number(row.reference_per_million),
                Field::Number(row.log_likelihood),
                Field::number(row.percent_difference),
            ]
        };
        let head = vec![
            "form",
            "count",
            "reference count",
            "per million",
            "reference per million",
            "log-likelihood",
            "percent difference",
        ];
        Sheet { head, rows: self.rows.iter().map(row).collect() }
    }
}
