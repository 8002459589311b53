//! Whether answers are cut off.
//!
//! Many databases show the first hundred rows and no more. Two signs tell: the answer says so ("mehr als 500
//! Treffer", "100 von 2345" without a way to go on), or several queries have exactly the same number of rows
//! and none has more.

use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Queries that must have the same, largest number of rows.
const SAME_COUNT: usize = 3;

/// Fewer rows are no cut list: many a query has one answer.
const FEWEST_ROWS: u64 = 2;

/// Bytes of an answer in which its count is looked for.
const LOOKED_AT: usize = 256 << 10;

#[derive(Debug, Default)]
pub(crate) struct TruncationWatch {
    rows: BTreeMap<u64, QueryRows>,
}

#[derive(Debug, Default)]
struct QueryRows {
    rows: u64,
    goes_on: bool,
    /// Rows shown, of an answer that says itself that there are more.
    declared: Option<u64>,
}

impl QueryRows {
    fn is_cut(&self, maximum: Option<u64>) -> bool {
        self.declared.is_some() || (Some(self.rows) == maximum && !self.goes_on)
    }
}

impl TruncationWatch {
    /// Takes a page of the answer to a query.
    pub(crate) fn note(&mut self, query: u64, rows: u64, goes_on: bool, text: &str) {
        let known = self.rows.entry(query).or_default();
        known.rows += rows;
        known.goes_on = goes_on;
        let text = &text[..text.floor_char_boundary(LOOKED_AT)];
        known.declared = match goes_on {
            true => None,
            false => known.declared.or_else(|| declared_cut(text, known.rows)),
        };
    }

    /// At how many rows answers are cut, if they are.
    pub(crate) fn verdict(&self) -> Option<u64> {
        let declared = self.rows.values().filter_map(|query| query.declared).max();
        declared.or_else(|| self.common_maximum())
    }

    /// The queries whose answers are cut.
    pub(crate) fn cut_queries(&self) -> Vec<u64> {
        let maximum = self.common_maximum();
        self.rows.iter().filter(|(_, rows)| rows.is_cut(maximum)).map(|(query, _)| *query).collect()
    }

    /// Whether the answer to a query seems to be cut, by what is known so far.
    pub(crate) fn is_cut(&self, query: u64) -> bool {
        self.rows.get(&query).is_some_and(|rows| rows.is_cut(self.common_maximum()))
    }

    fn common_maximum(&self) -> Option<u64> {
        let maximum = self.rows.values().map(|query| query.rows).max()?;
        let same = self.rows.values().filter(|query| query.rows == maximum && !query.goes_on);
        (maximum >= FEWEST_ROWS && same.count() >= SAME_COUNT).then_some(maximum)
    }
}

/// The number of rows shown, if the text says that there are more.
fn declared_cut(text: &str, rows: u64) -> Option<u64> {
    static MORE: LazyLock<Regex> = LazyLock::new(|| {
        let words = r"(?i)\b(?:mehr als|über|more than|over)\s+(\d[\d.,]*)\s+(?:treffer|ergebnisse|datensätze|einträge|hits|results|records|matches)";
        Regex::new(words).expect("the pattern is valid")
    });
    static SHOWN: LazyLock<Regex> = LazyLock::new(|| {
        let words = r"(?i)(\w*)\s*\b(\d[\d.,]*)\s+(?:von|of)\s+(?:insgesamt\s+|ca\.\s+|about\s+)?(\d[\d.,]*)";
        Regex::new(words).expect("the pattern is valid")
    });
    if MORE.is_match(text) {
        return Some(rows);
    }
    SHOWN.captures_iter(text).find_map(|found| {
        let is_page = ["seite", "page", "blatt"].iter().any(|it| found[1].eq_ignore_ascii_case(it));
        let (shown, all) = (number(&found[2])?, number(&found[3])?);
        // Something else may be counted, so the rows must not be more than what is said to be shown.
        (!is_page && shown < all && rows > 0 && rows <= shown).then_some(shown)
    })
}

/// A count, in which points and commas group digits.
fn number(text: &str) -> Option<u64> {
    text.replace(['.', ','], "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_answers_say() {
        #[rustfmt::skip]
        let cases = [
            ("Ihre Suche ergab mehr als 500 Treffer.",    100, Some(100)),
            ("More than 1,000 results",                   50,  Some(50)),
            ("1 - 100 von 2.345 Hotels",                  100, Some(100)),
            ("Treffer 1 bis 20 von 20",                   20,  None),
            ("Seite 1 von 3",                             1,   None),
            ("5 of 7",                                    90,  None),
            ("",                                          10,  None),
        ];
        for (text, rows, expected) in cases {
            assert_eq!(declared_cut(text, rows), expected, "{text}");
        }
    }

    #[test]
    fn the_same_largest_number_again_and_again() {
        let verdict = |counts: &[u64]| {
            let mut watch = TruncationWatch::default();
            for (query, rows) in counts.iter().enumerate() {
                watch.note(query as u64, *rows, false, "");
            }
            (watch.verdict(), watch.cut_queries())
        };
        assert_eq!(verdict(&[100, 7, 100, 100]), (Some(100), vec![0, 2, 3]));
        assert_eq!(verdict(&[100, 7, 100]), (None, vec![]));
        assert_eq!(verdict(&[7, 7, 7, 100]), (None, vec![]));
        assert_eq!(verdict(&[1, 1, 1, 1]), (None, vec![]));
    }
}
