//! Frequency lists of words, and what changed between two of them.
//!
//! Lists of two rounds are of different size, so counts are compared per million words, and how
//! remarkable a difference is by the log-likelihood ratio G² (Dunning 1993; Rayson and Garside
//! 2000): above 3.84 it is unlikely to be chance (5 %), above 15.13 very unlikely (0.01 %).

use auslese_words::fold;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Longer words are counted in the total but not listed: they are no words but data.
pub const MAX_COUNTED_CHARACTERS: usize = 80;

/// Different forms in one list. What appears first when the list is full is counted in the total
/// but not listed.
pub const MAX_FORMS: usize = 10_000_000;

/// Which spellings count as one form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Folding {
    /// Each spelling is a form of its own: German nouns stay apart from verbs.
    #[default]
    AsWritten,
    /// Upper and lower case are one.
    LowerCase,
    /// Case and accents are one, `ä` is `ae`.
    Folded,
}

impl Folding {
    pub fn apply(self, word: &str) -> String {
        match self {
            Folding::AsWritten => word.to_owned(),
            Folding::LowerCase => word.to_lowercase(),
            Folding::Folded => fold(word),
        }
    }
}

/// How often each word occurs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrequencyList {
    folding: Folding,
    counts: FxHashMap<String, u64>,
    total: u64,
    unlisted: u64,
}

impl FrequencyList {
    pub fn new(folding: Folding) -> FrequencyList {
        FrequencyList { folding, ..FrequencyList::default() }
    }

    /// Counts the words of a text.
    pub fn count<'w>(&mut self, words: impl Iterator<Item = &'w str>) {
        for word in words {
            if word.len() > MAX_COUNTED_CHARACTERS
                && word.chars().nth(MAX_COUNTED_CHARACTERS).is_some()
            {
                self.total += 1;
                self.unlisted += 1;
            } else {
                self.add(self.folding.apply(word), 1);
            }
        }
    }

    /// Adds the counts of another list, whose words are folded as this list's are.
    pub fn merge(&mut self, other: &FrequencyList) {
        for (word, count) in &other.counts {
            self.add(self.folding.apply(word), *count);
        }
        self.total += other.unlisted;
        self.unlisted += other.unlisted;
    }

    /// Adds a form that is counted already, as read back from a stored list.
    pub fn add(&mut self, form: String, count: u64) {
        self.total += count;
        if let Some(known) = self.counts.get_mut(&form) {
            *known += count;
        } else if self.counts.len() < MAX_FORMS {
            self.counts.insert(form, count);
        } else {
            self.unlisted += count;
        }
    }

    pub fn get(&self, form: &str) -> u64 {
        self.counts.get(form).copied().unwrap_or(0)
    }

    /// All words counted, listed or not.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Words that are in the total but not in the list.
    pub fn unlisted(&self) -> u64 {
        self.unlisted
    }

    /// Different forms.
    pub fn forms(&self) -> usize {
        self.counts.len()
    }

    /// The most frequent forms, equally frequent ones in the order of their letters.
    pub fn top(&self, limit: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> =
            self.counts.iter().map(|(form, count)| (form.as_str(), *count)).collect();
        let order = |a: &(&str, u64), b: &(&str, u64)| b.1.cmp(&a.1).then(a.0.cmp(b.0));
        if limit < all.len() {
            all.select_nth_unstable_by(limit, order);
            all.truncate(limit);
        }
        all.sort_unstable_by(order);
        all
    }

    pub fn per_million(&self, count: u64) -> f64 {
        if self.total == 0 { 0.0 } else { count as f64 * 1e6 / self.total as f64 }
    }

    /// How this list differs from an earlier one: every form whose relative frequency changed, the
    /// most remarkable first. Both lists must be folded in the same way.
    pub fn since(&self, before: &FrequencyList) -> Vec<FrequencyChange> {
        let vanished = before.counts.iter().filter(|(form, _)| !self.counts.contains_key(*form));
        let mut changes: Vec<FrequencyChange> = vanished
            .map(|(form, count)| (form, *count, 0))
            .chain(self.counts.iter().map(|(form, count)| (form, before.get(form), *count)))
            .filter_map(|(form, old, new)| FrequencyChange::of(form, (before, old), (self, new)))
            .collect();
        changes.sort_unstable_by(|a, b| {
            b.log_likelihood.total_cmp(&a.log_likelihood).then_with(|| a.form.cmp(&b.form))
        });
        changes
    }
}

/// One form in two lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrequencyChange {
    pub form: String,
    pub trend: Trend,
    pub before: u64,
    pub after: u64,
    pub before_per_million: f64,
    pub after_per_million: f64,
    /// G²: how remarkable the difference is, whatever its direction.
    pub log_likelihood: f64,
}

/// What became of a form, relative to the size of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trend {
    New,
    Vanished,
    More,
    Less,
}

impl Trend {
    pub fn as_str(self) -> &'static str {
        match self {
            Trend::New => "new",
            Trend::Vanished => "vanished",
            Trend::More => "more",
            Trend::Less => "less",
        }
    }
}

impl FrequencyChange {
    fn of(
        form: &str,
        (before_list, before): (&FrequencyList, u64),
        (after_list, after): (&FrequencyList, u64),
    ) -> Option<FrequencyChange> {
        let before_per_million = before_list.per_million(before);
        let after_per_million = after_list.per_million(after);
        let trend = match (before, after) {
            (0, 0) => return None,
            (0, _) => Trend::New,
            (_, 0) => Trend::Vanished,
            _ if after_per_million > before_per_million => Trend::More,
            _ if after_per_million < before_per_million => Trend::Less,
            _ => return None,
        };
        let log_likelihood = log_likelihood((before, before_list.total), (after, after_list.total));
        Some(FrequencyChange {
            form: form.to_owned(),
            trend,
            before,
            after,
            before_per_million,
            after_per_million,
            log_likelihood,
        })
    }
}

/// G² of a form that occurs `a` times among `a_total` words and `b` times among `b_total`.
fn log_likelihood((a, a_total): (u64, u64), (b, b_total): (u64, u64)) -> f64 {
    let (a_total, b_total) = (a_total as f64, b_total as f64);
    let rate = (a + b) as f64 / (a_total + b_total);
    let term = |count: u64, total: f64| match count {
        0 => 0.0,
        count => count as f64 * (count as f64 / (rate * total)).ln(),
    };
    (2.0 * (term(a, a_total) + term(b, b_total))).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(folding: Folding, text: &str) -> FrequencyList {
        let mut list = FrequencyList::new(folding);
        list.count(text.split_whitespace());
        list
    }

    #[test]
    fn counting() {
        let text = "Die Universität und die UNIVERSITAET und";
        let as_written = list(Folding::AsWritten, text);
        assert_eq!(as_written.top(1), [("und", 2)]);
        assert_eq!((as_written.total(), as_written.forms()), (6, 5));
        assert_eq!(list(Folding::LowerCase, text).top(2), [("die", 2), ("und", 2)]);
        assert_eq!(list(Folding::Folded, text).get("universitaet"), 2);
        let long = "x".repeat(MAX_COUNTED_CHARACTERS + 1);
        let long = list(Folding::AsWritten, &long);
        assert_eq!((long.total(), long.unlisted(), long.forms()), (1, 1, 0));
    }

    #[test]
    fn merging_is_counting_both() {
        let mut merged = list(Folding::LowerCase, "a b A");
        merged.merge(&list(Folding::AsWritten, "B c"));
        assert_eq!(merged, list(Folding::LowerCase, "a b A B c"));
    }

    /// Expected values by hand: for 10 of 1000 against 30 of 1000 words the expectation is 20
    /// each, and G² = 2 (10 ln 0.5 + 30 ln 1.5) = 10.465.
    #[test]
    fn differences() {
        let mut before = FrequencyList::new(Folding::AsWritten);
        let mut after = before.clone();
        for (form, old, new) in
            [("rest", 980, 959), ("mehr", 10, 30), ("alt", 10, 0), ("neu", 0, 11)]
        {
            if old > 0 {
                before.add(form.to_owned(), old);
            }
            if new > 0 {
                after.add(form.to_owned(), new);
            }
        }
        let changes = after.since(&before);
        let shown: Vec<(&str, Trend, u64, u64)> =
            changes.iter().map(|c| (c.form.as_str(), c.trend, c.before, c.after)).collect();
        let expected = [
            ("neu", Trend::New, 0, 11),
            ("alt", Trend::Vanished, 10, 0),
            ("mehr", Trend::More, 10, 30),
            ("rest", Trend::Less, 980, 959),
        ];
        assert_eq!(shown, expected);
        assert!((changes[2].log_likelihood - 10.465).abs() < 0.001, "{:?}", changes[2]);
        assert!((changes[2].after_per_million - 30_000.0).abs() < 1e-6);
        assert_eq!(before.since(&before), []);
    }

    proptest! {
        #[test]
        fn likelihood_is_a_number(a in 0u64..50, b in 0u64..50, rest in 0u64..1000) {
            let value = log_likelihood((a, a + rest), (b, b + 1));
            prop_assert!(a + b == 0 || value.is_finite() && value >= 0.0);
        }
    }
}
