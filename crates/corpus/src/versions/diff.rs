//! Compares two texts word by word.
//!
//! A unit of comparison is a word or a single sign; the space between them does not count. Texts
//! of more than [`MAX_WORDS_AT_ONCE`] words are compared by lines first and by words only where
//! lines differ, so that two books cost little more than their changed pages. The work is bounded
//! by [`super::align`]; how exact the result is depends on the texts alone, never on a clock.

use super::align::{Common, align};
use auslese_words::token_spans;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Words and signs of both texts together up to which lines are not looked at.
pub const MAX_WORDS_AT_ONCE: usize = 20_000;

/// What changed from one text to the next. Written as JSON it has its counts and its pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordDiff {
    /// Words that both texts have, in order.
    pub kept: usize,
    pub removed: usize,
    pub added: usize,
    /// Both texts, taken apart; one after the other they give the new text without the removed
    /// pieces, and the old one without the added.
    pub pieces: Vec<Piece>,
}

/// A stretch of text with one fate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    pub kind: PieceKind,
    /// With the space before it: none, one space, or one line break.
    pub text: String,
    /// Words in it; signs do not count.
    pub words: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceKind {
    Kept,
    Removed,
    Added,
}

impl WordDiff {
    pub fn has_changes(&self) -> bool {
        self.pieces.iter().any(|piece| piece.kind != PieceKind::Kept)
    }

    /// The share of words that were removed or added, from 0 (none) to 1 (nothing was kept). A
    /// kept word stands in both texts and so counts twice.
    pub fn share_changed(&self) -> f64 {
        let changed = self.removed + self.added;
        let all = changed + 2 * self.kept;
        if all == 0 { 0.0 } else { changed as f64 / all as f64 }
    }
}

/// Compares two texts word by word.
///
/// ```
/// let diff = auslese_corpus::word_diff("Am Montag um 10 Uhr.", "Am Dienstag um 10 Uhr.");
/// assert_eq!(diff.text(2), "Am [-Montag-] {+Dienstag+} um 10 …");
/// assert_eq!((diff.kept, diff.removed, diff.added), (4, 1, 1));
/// ```
pub fn word_diff(old: &str, new: &str) -> WordDiff {
    let (old, new) = (Units::of(old), Units::of(new));
    let common = if old.spans.len() + new.spans.len() > MAX_WORDS_AT_ONCE {
        by_lines_first(&old, &new)
    } else {
        let [old, new] = numbered([&old, &new]);
        align(&old, &new)
    };
    assemble(&old, &new, &common)
}

/// Where the words and signs of a text stand.
pub(super) fn units(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut words = token_spans(text).peekable();
    let mut at = 0;
    std::iter::from_fn(move || {
        let gap_end = words.peek().map_or(text.len(), |word| word.start);
        let gap = &text[at..gap_end];
        let sign = gap.char_indices().find(|(_, sign)| !is_space(*sign));
        let unit = match sign {
            Some((offset, sign)) => at + offset..at + offset + sign.len_utf8(),
            None => words.next()?,
        };
        at = unit.end;
        Some(unit)
    })
}

fn is_space(sign: char) -> bool {
    sign.is_whitespace() || sign.is_control()
}

struct Units<'a> {
    text: &'a str,
    spans: Vec<Range<usize>>,
}

impl<'a> Units<'a> {
    fn of(text: &'a str) -> Units<'a> {
        Units { text, spans: units(text).collect() }
    }

    fn unit(&self, at: usize) -> &'a str {
        &self.text[self.spans[at].clone()]
    }

    fn is_word(&self, at: usize) -> bool {
        self.unit(at).starts_with(char::is_alphanumeric)
    }

    /// What stands before a unit: nothing, a space or a line break, whatever it really is.
    fn space_before(&self, at: usize) -> &'static str {
        let start = at.checked_sub(1).map_or(0, |before| self.spans[before].end);
        match &self.text[start..self.spans[at].start] {
            "" => "",
            gap if gap.contains('\n') => "\n",
            _ => " ",
        }
    }

    /// The ranges of units that stand on one line, empty lines left out.
    fn lines(&self) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let mut start = 0;
        for at in 1..self.spans.len() {
            if self.space_before(at) == "\n" {
                lines.push(start..at);
                start = at;
            }
        }
        if start < self.spans.len() {
            lines.push(start..self.spans.len());
        }
        lines
    }
}

/// The units of both texts as numbers, equal for equal units.
fn numbered(texts: [&Units<'_>; 2]) -> [Vec<u32>; 2] {
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    texts.map(|units| {
        let each = (0..units.spans.len()).map(|at| {
            let next = numbers.len() as u32;
            *numbers.entry(units.unit(at)).or_insert(next)
        });
        each.collect()
    })
}

fn by_lines_first(old: &Units<'_>, new: &Units<'_>) -> Vec<Common> {
    let [old_words, new_words] = numbered([old, new]);
    let old = Lines { words: &old_words, lines: old.lines() };
    let new = Lines { words: &new_words, lines: new.lines() };
    let [old_numbers, new_numbers] = numbered_lines([&old, &new]);
    let mut common = Vec::new();
    let (mut old_done, mut new_done) = (0, 0);
    let end = Common { old: old.lines.len(), new: new.lines.len(), length: 0 };
    for run in align(&old_numbers, &new_numbers).into_iter().chain([end]) {
        let (old_start, new_start) = (old.start(run.old), new.start(run.new));
        let length = old.start(run.old + run.length) - old_start;
        let between = align(&old_words[old_done..old_start], &new_words[new_done..new_start]);
        common.extend(between.into_iter().map(|within| Common {
            old: old_done + within.old,
            new: new_done + within.new,
            length: within.length,
        }));
        common.push(Common { old: old_start, new: new_start, length });
        (old_done, new_done) = (old_start + length, new_start + length);
    }
    common
}

/// A text as numbered words, in lines.
struct Lines<'w> {
    words: &'w [u32],
    lines: Vec<Range<usize>>,
}

impl Lines<'_> {
    /// The first word of a line; behind the last line the end of the text.
    fn start(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.words.len(), |line| line.start)
    }
}

/// The lines of both texts as numbers, equal for lines of equal words.
fn numbered_lines<'w>(texts: [&Lines<'w>; 2]) -> [Vec<u32>; 2] {
    let mut numbers: FxHashMap<&'w [u32], u32> = FxHashMap::default();
    texts.map(|text| {
        let each = text.lines.iter().map(|line| {
            let next = numbers.len() as u32;
            *numbers.entry(&text.words[line.clone()]).or_insert(next)
        });
        each.collect()
    })
}

fn assemble(old: &Units<'_>, new: &Units<'_>, common: &[Common]) -> WordDiff {
    let mut diff = WordDiff { kept: 0, removed: 0, added: 0, pieces: Vec::new() };
    let (mut old_done, mut new_done) = (0, 0);
    let end = Common { old: old.spans.len(), new: new.spans.len(), length: 0 };
    for run in common.iter().chain([&end]) {
        diff.push(PieceKind::Removed, old, old_done..run.old);
        diff.push(PieceKind::Added, new, new_done..run.new);
        diff.push(PieceKind::Kept, new, run.new..run.new + run.length);
        (old_done, new_done) = (run.old + run.length, run.new + run.length);
    }
    diff
}

impl WordDiff {
    fn push(&mut self, kind: PieceKind, units: &Units<'_>, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let words = range.clone().filter(|at| units.is_word(*at)).count();
        match kind {
            PieceKind::Kept => self.kept += words,
            PieceKind::Removed => self.removed += words,
            PieceKind::Added => self.added += words,
        }
        let mut text = String::new();
        for at in range {
            text.push_str(units.space_before(at));
            text.push_str(units.unit(at));
        }
        match self.pieces.last_mut() {
            Some(last) if last.kind == kind => {
                last.text.push_str(&text);
                last.words += words;
            }
            _ => self.pieces.push(Piece { kind, text, words }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn units_of(text: &str) -> Vec<&str> {
        units(text).map(|span| &text[span]).collect()
    }

    #[test]
    fn words_and_signs() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 5] = [
            ("Ja, gut!",         &["Ja", ",", "gut", "!"]),
            (" e.V.\t(neu) ",    &["e", ".", "V", ".", "(", "neu", ")"]),
            ("… — \u{a0} x",     &["…", "—", "x"]),
            (" \n\0",            &[]),
            ("",                 &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(units_of(text), expected, "{text:?}");
        }
    }

    #[test]
    fn readable() {
        #[rustfmt::skip]
        let cases = [
            ("a b c",              "a b c",               "…"),
            ("",                   "",                    ""),
            ("",                   "neu",                 "{+neu+}"),
            ("alt",                "",                    "[-alt-]"),
            ("Am Montag frei.",    "Am Dienstag frei.",   "Am [-Montag-] {+Dienstag+} frei."),
            ("Ende.",              "Ende!",               "Ende[-.-]{+!+}"),
            ("a b c d e f g h i",  "a b c d x f g h i",   "… c d [-e-] {+x+} f g …"),
            ("a b c d e f g h i",  "x b c d e f g h y",   "[-a-]{+x+} b c … g h [-i-] {+y+}"),
            ("Titel\nText",        "Titel\nNeu\nText",    "Titel\n{+Neu+}\nText"),
        ];
        for (old, new, expected) in cases {
            assert_eq!(word_diff(old, new).text(2), expected, "{old:?} {new:?}");
        }
        let diff = word_diff("x <b>\ny", "x <i>\ny");
        assert_eq!(diff.html(9), "x &lt;<del>b</del><ins>i</ins>&gt;<br>\ny");
    }

    #[test]
    fn counts_and_json() {
        let diff = word_diff("eins, zwei drei", "eins zwei vier fünf");
        assert_eq!((diff.kept, diff.removed, diff.added), (2, 1, 2));
        assert!((diff.share_changed() - 3.0 / 7.0).abs() < 1e-9);
        let json = serde_json::to_string(&word_diff("a b", "a c")).unwrap();
        let expected = concat!(
            r#"{"kept":1,"removed":1,"added":1,"pieces":[{"kind":"kept","text":"a","words":1},"#,
            r#"{"kind":"removed","text":" b","words":1},{"kind":"added","text":" c","words":1}]}"#
        );
        assert_eq!(json, expected);
    }

    #[test]
    fn long_texts_go_by_lines() {
        let line = |n: usize| format!("Zeile {n} mit einigen Wörtern, die sich wiederholen.\n");
        let old: String = (0..5_000).map(line).collect();
        let new = old.replace("Zeile 77 mit", "Zeile 77 ohne").replace(&line(4_000), "");
        let diff = word_diff(&old, &new);
        assert_eq!((diff.removed, diff.added), (1 + 8, 1));
        assert_eq!(diff.kept, 5_000 * 8 - 9);
    }

    /// Neither many different words nor one word many times takes more than a moment.
    #[test]
    fn hostile_texts_are_bounded() {
        let many = |prefix: &str, count: usize| -> String {
            (0..count).map(|n| format!("{prefix}{n} ")).collect()
        };
        let diff = word_diff(&many("a", 100_000), &many("b", 100_000));
        assert_eq!((diff.kept, diff.removed), (0, 100_000));
        let diff = word_diff(&"x ".repeat(100_000), &"x ".repeat(90_000));
        assert_eq!((diff.kept, diff.removed), (90_000, 10_000));
        let diff = word_diff(&"x y\n".repeat(50_000), &"y x\n".repeat(50_000));
        assert!(diff.kept + diff.removed == 100_000);
    }

    fn joined(diff: &WordDiff, without: PieceKind) -> String {
        let pieces = diff.pieces.iter().filter(|piece| piece.kind != without);
        pieces.map(|piece| format!("{} ", piece.text)).collect()
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(old in "[abc .\n]{0,30}", new in "[abc .\n]{0,30}") {
            let diff = word_diff(&old, &new);
            let old_again = joined(&diff, PieceKind::Added);
            let new_again = joined(&diff, PieceKind::Removed);
            prop_assert_eq!(units_of(&old_again), units_of(&old));
            prop_assert_eq!(units_of(&new_again), units_of(&new));
            let by_lines = by_lines_first(&Units::of(&old), &Units::of(&new));
            let diff = assemble(&Units::of(&old), &Units::of(&new), &by_lines);
            let new_again = joined(&diff, PieceKind::Removed);
            prop_assert_eq!(units_of(&new_again), units_of(&new));
        }

        #[test]
        fn any_texts(old in "\\PC{0,80}", new in "\\PC{0,80}", context in 0usize..4) {
            let diff = word_diff(&old, &new);
            prop_assert!((0.0..=1.0).contains(&diff.share_changed()));
            diff.text(context);
            prop_assert!(!diff.html(context).contains("<script"));
        }
    }
}
