//! Expressions that list words, looked for all at once.
//!
//! What is asked of classes and ids is mostly a list of words with what may stand beside them, such as
//! `(^|[-_ ])(nav|menu)([-_ ]|$)`. Such an expression can be written out: some dozens of short rows of letters
//! ([`rows`]). One automaton finds the words of all of them in one pass, and a look at what stands
//! beside a word tells whether its row is there. Of an expression that cannot be written out it finds what it
//! needs, so that few texts are searched with it. Only ASCII texts are looked at, in which a letter is a byte.

mod rows;

use super::needs::{self, Need};
use super::pieces::PieceFinder;
use regex_syntax::hir::Hir;
use rows::{AsciiSet, Row, Unit, rows};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Expressions that can be looked for together: each is a bit of a number.
pub(super) const MAX_TOGETHER: usize = 64;

/// Letters that a row needs one after the other; single ones are everywhere.
const MIN_WORD: usize = 2;

/// Finds in texts which of some expressions match them.
#[derive(Debug)]
pub(super) struct WordLists {
    finder: PieceFinder,
    /// By word.
    rows: Vec<Vec<Around>>,
    /// The expressions that are found, a bit each.
    listed: u64,
    /// Those of which only what they need is found.
    hinted: u64,
}

/// A row of letters around the word that is looked for.
#[derive(Debug)]
struct Around {
    /// The bit of its expression.
    expression: u64,
    before: Box<[Unit]>,
    after: Box<[Unit]>,
    /// What its letters may be, unless either case will do for all.
    exactly: Option<Box<[AsciiSet]>>,
}

/// What is known of an expression and a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Matches,
    No,
    Perhaps,
}

impl WordLists {
    /// Looks for the first [`MAX_TOGETHER`] expressions; `None` if nothing can be looked for.
    pub(super) fn of<'e>(expressions: impl Iterator<Item = &'e Hir>) -> Option<WordLists> {
        let mut by_word: FxHashMap<String, Vec<Around>> = FxHashMap::default();
        let (mut listed, mut hinted) = (0, 0);
        for (number, expression) in expressions.take(MAX_TOGETHER).enumerate() {
            let bit = 1 << number;
            let (words, kind) = match (written_out(expression, bit), needed(expression, bit)) {
                (Some(words), _) => (words, &mut listed),
                (None, Some(words)) => (words, &mut hinted),
                (None, None) => continue,
            };
            *kind |= bit;
            words.into_iter().for_each(|(word, it)| by_word.entry(word).or_default().push(it));
        }
        let (words, rows): (Vec<String>, Vec<_>) = by_word.into_iter().unzip();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let finder = (!words.is_empty()).then(|| PieceFinder::new(&words))??;
        Some(WordLists { finder, rows, listed, hinted })
    }

    /// What is known of an expression and an ASCII text in which this was [found](Self::found).
    #[inline]
    pub(super) fn told(&self, number: usize, found: u64) -> Told {
        let bit = if number < MAX_TOGETHER { 1 << number } else { 0 };
        match (found & bit != 0, self.listed & bit != 0, self.hinted & bit != 0) {
            (true, true, _) => Told::Matches,
            (false, true, _) | (false, _, true) => Told::No,
            (true, ..) | (false, false, false) => Told::Perhaps,
        }
    }

    /// What of the expressions is found in each of the parts of a text, a bit for each expression. The parts follow
    /// each other with a line feed between them.
    pub(super) fn found(&self, text: &str, parts: &[Range<usize>]) -> Vec<u64> {
        let mut found = vec![0; parts.len()];
        let mut number = 0;
        self.finder.each_of_many(text, |end, words| {
            while parts.get(number).is_some_and(|part| part.end < end) {
                number += 1;
            }
            let Some(part) = parts.get(number) else { return };
            let (bytes, found) = (&text.as_bytes()[part.clone()], &mut found[number]);
            for word in words {
                let length = self.finder.length(*word);
                for row in &self.rows[usize::from(*word)] {
                    if *found & row.expression == 0 && row.is_at(bytes, end - part.start, length) {
                        *found |= row.expression;
                    }
                }
            }
        });
        found
    }
}

/// The rows of an expression by their words, if it can be written out and each row has one.
fn written_out(expression: &Hir, bit: u64) -> Option<Vec<(String, Around)>> {
    rows(expression)?.into_iter().map(|row| Around::new(row, bit)).collect()
}

/// The words of which a text that matches has at least one.
fn needed(expression: &Hir, bit: u64) -> Option<Vec<(String, Around)>> {
    let needs = needs::of(expression)?;
    let words: Option<Vec<&str>> = needs.iter().map(Need::piece).collect();
    let around = || Around { expression: bit, before: [].into(), after: [].into(), exactly: None };
    Some(words?.into_iter().map(|word| (word.to_owned(), around())).collect())
}

impl Around {
    /// With the word of a row, in lower case; `None` if it has none.
    fn new(row: Row, expression: u64) -> Option<(String, Around)> {
        let letters = |units: &[Unit]| units.iter().map_while(Unit::letter).collect::<String>();
        let words = (0..row.len()).map(|at| (at, letters(&row[at..])));
        // The first of the longest.
        let (at, word) = words.rev().max_by_key(|(_, word)| word.len())?;
        let (before, rest) = row.split_at(at);
        let (core, after) = rest.split_at(word.len());
        let sets: Vec<AsciiSet> = core.iter().filter_map(Unit::set).collect();
        let is_either = word.bytes().zip(&sets).all(|(letter, set)| set.has_both_cases(letter));
        let around = Around {
            expression,
            before: before.into(),
            after: after.into(),
            exactly: (!is_either).then(|| sets.into()),
        };
        (word.len() >= MIN_WORD).then_some((word, around))
    }

    /// Whether the row stands in a text whose word ends there.
    fn is_at(&self, text: &[u8], end: usize, length: usize) -> bool {
        let start = end - length;
        let word = || &text[start..end];
        let fits = |sets: &[AsciiSet]| sets.iter().zip(word()).all(|(set, byte)| set.has(*byte));
        self.exactly.as_deref().is_none_or(fits)
            && self.stands_before(text, start)
            && self.stands_after(text, end)
    }

    fn stands_before(&self, text: &[u8], mut at: usize) -> bool {
        self.before.iter().rev().all(|unit| match unit {
            Unit::Letter(set) => {
                let fits = at > 0 && set.has(text[at - 1]);
                at = at.saturating_sub(1);
                fits
            }
            Unit::Beginning(set) => at == 0 || set.has(text[at - 1]),
            Unit::Start => at == 0,
            Unit::End | Unit::Ending(_) => false,
        })
    }

    fn stands_after(&self, text: &[u8], mut at: usize) -> bool {
        self.after.iter().all(|unit| match unit {
            Unit::Letter(set) => {
                let fits = text.get(at).is_some_and(|byte| set.has(*byte));
                at += 1;
                fits
            }
            Unit::Ending(set) => text.get(at).is_none_or(|byte| set.has(*byte)),
            Unit::End => at == text.len(),
            Unit::Start | Unit::Beginning(_) => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    /// As heuristics have them; the last three cannot be written out.
    const EXPRESSIONS: [&str; 12] = [
        r"(?i)(^|[-_ ])(nav|navi|menu|site-?title|breadcrumbs?)([-_ ]|s?$)",
        r"(?i)(^| )(entry|post)-title( |$)|(^| )headline( |$)",
        r"(^|[-_ ])([Ll]ead|vorspann|dek)([-_ ]|$)",
        r"(?i)(entry|post)[-_]{0,2}(title|head)|headline|article__?h",
        r"(?i)nav|(^|-)post|[a-z](Date|Meta)([-_ ]|$)",
        r"nav$",
        r"^nav[^ ]t",
        r"(nav|übung)-{1,2}",
        r"(?i)x^nav|navi",
        r"(?i)(^|[-_ ])schlagw[^ ]*( |$)",
        r"\bnav\b",
        r"a|post",
    ];
    const WRITTEN_OUT: usize = 9;

    fn expressions() -> [Hir; 12] {
        EXPRESSIONS.map(|it| regex_syntax::parse(it).expect("it is one"))
    }

    proptest! {
        #[test]
        fn what_regular_expressions_match(
            texts in proptest::collection::vec(
                "(nav|NAV|navi|post|Post|title|entry|lead|Lead|dek|date|Date|meta|headline|site|article|schlagwort|[-_ sx^]|h|t){0,8}", 0..12
            )
        ) {
            let lists = WordLists::of(expressions().iter()).expect("most list words");
            let mut lines = String::new();
            let mut parts = Vec::new();
            for text in &texts {
                let start = lines.len();
                lines.push_str(text);
                parts.push(start..lines.len());
                lines.push('\n');
            }
            for (text, found) in texts.iter().zip(lists.found(&lines, &parts)) {
                for (number, source) in EXPRESSIONS.iter().enumerate() {
                    let matches = Regex::new(source).expect("it is one").is_match(text);
                    let told = lists.told(number, found);
                    let is_right = match told {
                        Told::Matches => matches,
                        Told::No => !matches,
                        Told::Perhaps => number >= WRITTEN_OUT,
                    };
                    prop_assert!(is_right, "{} in {:?}: {:?}", source, text, told);
                }
            }
        }
    }

    #[test]
    fn what_is_known_of_a_text_without_any_word() {
        let lists = WordLists::of(expressions().iter()).expect("most list words");
        for (number, source) in EXPRESSIONS.iter().enumerate() {
            let expected = if number + 1 < EXPRESSIONS.len() { Told::No } else { Told::Perhaps };
            assert_eq!(lists.told(number, 0), expected, "{source}");
        }
        assert_eq!(lists.told(MAX_TOGETHER, 0), Told::Perhaps);
        assert!(WordLists::of([].into_iter()).is_none());
    }
}
