//! Which words stand near a node more often than chance would have it.
//!
//! A window is so many tokens to the left and to the right of a hit, cut at the ends of its
//! sentence or text. All tokens that belong to no hit are counted once: inside, if at least one
//! window reaches them, else outside. So the four cells of the table are a partition of the corpus,
//! and overlapping windows count nothing twice (Evert 2008). Measures are in [`crate::measures`].
//!
//! Expected frequencies need the whole corpus: hand in every text of it, not only those with hits.

use crate::collation::collation_key;
use crate::count_table::{CountTable, Tally};
use crate::form_counts::{MAX_LISTED_FORM, write_form};
use crate::measures::Contingency;
use crate::query::Hit;
use crate::sheet::{Field, Sheet};
use crate::tokens::Reading;
use crate::{Sensitivity, Totals};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Tokens on one side of a node that belong to its window at most.
pub const MAX_WINDOW: usize = 50;

/// Counts words near hits and elsewhere.
#[derive(Debug, Clone)]
pub struct Collocations {
    left: usize,
    right: usize,
    sensitivity: Sensitivity,
    /// Marked are those inside of windows.
    table: CountTable,
    totals: Totals,
    inside: u64,
    all: u64,
    reached: Vec<Reach>,
}

/// What a token is to the hits of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Outside,
    Inside,
    Node,
}

impl Collocations {
    /// For windows of so many tokens on each side, in a table of at most `max_forms`.
    pub fn new(
        left: usize,
        right: usize,
        sensitivity: Sensitivity,
        max_forms: usize,
    ) -> Collocations {
        Collocations {
            left: left.min(MAX_WINDOW),
            right: right.min(MAX_WINDOW),
            sensitivity,
            table: CountTable::new(max_forms),
            totals: Totals::default(),
            inside: 0,
            all: 0,
            reached: Vec::new(),
        }
    }

    pub fn push(&mut self, reading: &Reading<'_>, hits: &[Hit]) {
        let document = self.totals.next_document();
        self.totals.count(reading, hits.len());
        self.mark(reading, hits);
        let mut form = String::new();
        for (at, reach) in self.reached.iter().enumerate() {
            if *reach == Reach::Node {
                continue;
            }
            let is_inside = *reach == Reach::Inside;
            self.all += 1;
            self.inside += u64::from(is_inside);
            write_form(reading, at..at + 1, self.sensitivity, &mut form);
            if form.len() > MAX_LISTED_FORM {
                continue;
            }
            let tally = self.table.entry(&form);
            tally.count += 1;
            if is_inside {
                tally.marked += 1;
                tally.see_in(document);
            }
        }
    }

    fn mark(&mut self, reading: &Reading<'_>, hits: &[Hit]) {
        self.reached.clear();
        self.reached.resize(reading.len(), Reach::Outside);
        for hit in hits {
            let node = hit.tokens();
            let run = reading.run_of(node.start);
            let start = node.start.saturating_sub(self.left).max(run.start);
            let end = (node.end + self.right).min(run.end);
            self.reached[start..end].fill(Reach::Inside);
        }
        for hit in hits {
            self.reached[hit.tokens()].fill(Reach::Node);
        }
    }

    /// Adds what was counted in other texts in the same way.
    pub fn merge(&mut self, other: Collocations) {
        self.table.merge(other.table);
        self.totals.merge(other.totals);
        self.inside += other.inside;
        self.all += other.all;
    }

    pub fn finish(&self, options: &CollocationOptions) -> CollocationTable {
        let stop_words: FxHashSet<String> = options
            .stop_words
            .iter()
            .map(|word| self.sensitivity.form(word).into_owned())
            .chain(
                options
                    .stop_words
                    .iter()
                    .map(|word| Sensitivity::IgnoreCase.form(word).into_owned()),
            )
            .collect();
        let is_stop_word = |form: &str| {
            stop_words.contains(form) || stop_words.contains(&*Sensitivity::IgnoreCase.form(form))
        };
        let wanted = |(form, tally): &(&str, &Tally)| {
            tally.marked >= options.min_together.max(1)
                && tally.count >= options.min_count
                && !is_stop_word(form)
        };
        let mut rows: Vec<Collocate> = self
            .table
            .iter()
            .filter(wanted)
            .map(|(form, tally)| self.collocate(form, tally))
            .collect();
        let value = |row: &Collocate| row.value(options.measure);
        rows.sort_by_cached_key(|row| collation_key([row.form.as_str()]));
        rows.sort_by(|a, b| value(b).total_cmp(&value(a)).then(b.together.cmp(&a.together)));
        let found = rows.len() as u64;
        rows.truncate(options.limit);
        CollocationTable {
            totals: self.totals,
            left: self.left,
            right: self.right,
            measure: options.measure,
            inside: self.inside,
            all: self.all,
            found,
            lost: self.table.lost(),
            rows,
        }
    }

    fn collocate(&self, form: &str, tally: &Tally) -> Collocate {
        let table = Contingency {
            together: tally.marked,
            inside: self.inside,
            word: tally.count,
            all: self.all,
        };
        Collocate {
            form: form.to_owned(),
            together: tally.marked,
            count: tally.count,
            documents: tally.documents.into(),
            expected: table.expected(),
            log_likelihood: table.log_likelihood(),
            log_dice: table.log_dice(self.totals.hits),
            mutual_information: table.mutual_information(),
            t_score: table.t_score(),
            missed: tally.missed,
        }
    }
}

/// Which collocates are shown, and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollocationOptions {
    pub measure: Measure,
    /// Occurrences inside of windows, at least.
    pub min_together: u64,
    /// Occurrences in the whole corpus, at least.
    pub min_count: u64,
    /// Words that are not shown, whatever their case. They stay in all counts.
    pub stop_words: Vec<String>,
    pub limit: usize,
}

impl Default for CollocationOptions {
    fn default() -> CollocationOptions {
        CollocationOptions {
            measure: Measure::LogDice,
            min_together: 3,
            min_count: 5,
            stop_words: Vec::new(),
            limit: 100,
        }
    }
}

/// By what collocates are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    LogLikelihood,
    #[default]
    LogDice,
    MutualInformation,
    TScore,
    Together,
}

/// The words near a node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollocationTable {
    #[serde(flatten)]
    pub totals: Totals,
    pub left: usize,
    pub right: usize,
    pub measure: Measure,
    /// Tokens inside of windows.
    pub inside: u64,
    /// Tokens that belong to no hit.
    pub all: u64,
    /// Collocates that meet the conditions, shown or not.
    pub found: u64,
    /// How often a word that is not in the table may occur at most; 0 if all counts are exact.
    pub lost: u64,
    pub rows: Vec<Collocate>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Collocate {
    pub form: String,
    /// Occurrences inside of windows.
    pub together: u64,
    /// Occurrences outside of nodes.
    pub count: u64,
    /// Texts in which it stands inside of a window.
    pub documents: u64,
    pub expected: f64,
    pub log_likelihood: f64,
    pub log_dice: f64,
    pub mutual_information: f64,
    pub t_score: f64,
    /// How many more there may be, if the table was full; 0 if the counts are exact.
    pub missed: u64,
}

impl Collocate {
    fn value(&self, measure: Measure) -> f64 {
        match measure {
            Measure::LogLikelihood => self.log_likelihood,
            Measure::LogDice => self.log_dice,
            Measure::MutualInformation => self.mutual_information,
            Measure::TScore => self.t_score,
            Measure::Together => self.together as f64,
        }
    }
}

impl CollocationTable {
    pub fn sheet(&self) -> Sheet {
        let row = |row: &Collocate| {
            vec![
                Field::text(&row.form),
                Field::Count(row.together),
                Field::Count(row.count),
                Field::Count(row.documents),
                Field::Number(row.expected),
                Field::Number(row.log_dice),
                Field::Number(row.log_likelihood),
                Field::Number(row.mutual_information),
                Field::Number(row.t_score),
                Field::Count(row.missed),
            ]
        };
        let head = vec![
            "form",
            "together",
            "count",
            "documents",
            "expected",
            "logDice",
            "log-likelihood",
            "MI",
            "t-score",
            "missed",
        ];
        Sheet { head, rows: self.rows.iter().map(row).collect() }
    }
}
