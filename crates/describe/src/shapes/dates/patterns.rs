//! The ways to write a date, as a table of patterns.

use super::months::{month, month_alone};
use crate::lazy_regex::LazyRegex;
use crate::western::Letters;
use regex::Captures;
use std::ops::Range;
use std::sync::LazyLock;

/// What a date says; not yet checked against the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) year: u16,
    pub(crate) month: Option<u8>,
    pub(crate) day: Option<u8>,
}

/// One way to write a date.
pub(crate) struct Pattern {
    order: Order,
    needs: Needs,
    written: LazyRegex,
}

/// What a text must have for a pattern to find anything.
#[derive(Clone, Copy)]
struct Needs {
    /// So many digits in a row.
    digits: usize,
    has: Has,
}

#[derive(Clone, Copy)]
enum Has {
    Anything,
    /// A letter of any script.
    Letters,
    /// Something that is not ASCII.
    BeyondAscii,
    /// One of these.
    OneOf(&'static [u8]),
}

/// What the patterns ask of a text, found out once.
pub(crate) struct Makeup {
    /// The longest row of digits.
    digits: usize,
    letters: bool,
    beyond_ascii: bool,
    /// The ASCII characters, one bit each.
    characters: u128,
}

impl Makeup {
    pub(crate) fn of(text: &str) -> Makeup {
        let mut makeup = Makeup { digits: 0, letters: false, beyond_ascii: false, characters: 0 };
        let mut row = 0;
        for byte in text.bytes() {
            row = if byte.is_ascii_digit() { row + 1 } else { 0 };
            makeup.digits = makeup.digits.max(row);
            makeup.beyond_ascii |= !byte.is_ascii();
            makeup.letters |= byte.is_ascii_alphabetic();
            makeup.characters |= 1 << (byte & 127);
        }
        makeup.letters |= makeup.beyond_ascii;
        makeup
    }

    fn meets(&self, needs: Needs) -> bool {
        self.digits >= needs.digits
            && match needs.has {
                Has::Anything => true,
                Has::Letters => self.letters,
                Has::BeyondAscii => self.beyond_ascii,
                Has::OneOf(bytes) => bytes.iter().any(|byte| self.characters & (1 << byte) != 0),
            }
    }
}

/// What the groups of a pattern mean, in order.
#[derive(Clone, Copy)]
enum Order {
    YearMonthDay,
    YearNameDay,
    DayNameYear,
    NameDayYear,
    NameYear,
    YearMonth,
    MonthYear,
    /// Day, separator, month, separator, year; or month first.
    Numbers,
}

pub(crate) static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let pattern = |&(written, order, digits, has): &(&'static str, Order, usize, Has)| {
        let needs = Needs { digits, has };
        Pattern { order, needs, written: LazyRegex::fixed(written) }
    };
    WRITTEN.iter().map(pattern).collect()
});

/// Parts of the patterns that repeat are: `[\s,./-]{0,3}` between day, month and year; suffixes of
/// ordinal numbers; small words between (`of`, `de`, `del`). Behind a pattern, what texts must have: so
/// many digits in a row, and signs.
#[rustfmt::skip]
const WRITTEN: [(&str, Order, usize, Has); 16] = [
    // 2004-03-12, 2004/3/12, 2004.03.12, with a time behind
    (r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?", Order::YearMonthDay, 4, Has::OneOf(b"-")),
    (r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})",   Order::YearMonthDay, 4, Has::OneOf(b"/")),
    (r"([0-9]{4})\.\s?([0-9]{1,2})\.\s?([0-9]{1,2})", Order::YearMonthDay, 4, Has::OneOf(b".")),
    (r"([0-9]{4})_([0-9]{2})_([0-9]{2})",       Order::YearMonthDay, 4, Has::OneOf(b"_")),
    // 20040312, also with a time behind
    (r"([0-9]{4})([0-9]{2})([0-9]{2})(?:T?[0-9]{4}(?:[0-9]{2})?Z?)?", Order::YearMonthDay, 8, Has::Anything),
    // 2004年3月12日, 2004년 3월 12일
    (r"([0-9]{4})\s?[年년]\s?([0-9]{1,2})\s?[月월]\s?([0-9]{1,2})\s?[日일]", Order::YearMonthDay, 4, Has::BeyondAscii),
    (r"([0-9]{4})\s?[年년]\s?([0-9]{1,2})\s?[月월]", Order::YearMonth, 4, Has::BeyondAscii),
    // 12. März 2004, 12th of March, 2004, 12 de marzo de 2004, 12-Mar-2004
    (r"([0-9]{1,2})(?i:st|nd|rd|th|er|ère|º|ª|°|:?e)?(?i:\s+of\s|\s+de\s|\s+d['’])?[\s,./-]{0,3}(\p{L}+)\.?[\s,./-]{0,3}(?i:de\s+|del\s+|do\s+|di\s+)?([0-9]{4})", Order::DayNameYear, 4, Has::Letters),
    (r"([0-9]{1,2})-(\p{L}+)-([0-9]{2})",   Order::DayNameYear, 2, Has::OneOf(b"-")),
    // March 12, 2004; Mar 12th 2004; Fri Mar 12 10:00:00 CET 2004
    (r"(\p{L}+)(?:\.\s*|\s+)(?i:the\s+)?([0-9]{1,2})(?i:st|nd|rd|th)?(?:\s*,\s*|\s+)([0-9]{4})", Order::NameDayYear, 4, Has::Letters),
    (r"(\p{L}+)\s+([0-9]{1,2})\s+[0-9]{2}:[0-9]{2}:[0-9]{2}\s+(?:[A-Z]{3,4}\s+)?([0-9]{4})", Order::NameDayYear, 4, Has::OneOf(b":")),
    // 2004. március 12., 2004 March 12
    (r"([0-9]{4})\.?[\s-]+(\p{L}+)\.?[\s-]+([0-9]{1,2})", Order::YearNameDay, 4, Has::Letters),
    // März 2004, marzo de 2004
    (r"(\p{L}+\.?),?\s+(?i:de\s+|del\s+)?([0-9]{4})", Order::NameYear, 4, Has::Letters),
    // 12.03.2004, 12.3.04, 12/03/2004, 12-03-2004, 12. 3. 2004
    (r"([0-9]{1,2})(\s?[./-])\s?([0-9]{1,2})(\s?[./-])\s?([0-9]{4}|[0-9]{2})", Order::Numbers, 2, Has::OneOf(b"./-")),
    // 03/2004, 2004-03
    (r"(0[1-9]|1[0-2])[/.]([0-9]{4})",          Order::MonthYear, 4, Has::OneOf(b"/.")),
    (r"([0-9]{4})-(0[1-9]|1[0-2])",             Order::YearMonth, 4, Has::OneOf(b"-")),
];

impl Pattern {
    pub(crate) fn may_find(&self, makeup: &Makeup) -> bool {
        makeup.meets(self.needs)
    }

    /// What the pattern finds in a text. `month_first` says how numbers with slashes are read.
    pub(crate) fn finds<'a>(
        &'a self,
        text: &'a str,
        letters: Letters,
        month_first: bool,
    ) -> impl Iterator<Item = (Parts, Range<usize>)> + 'a {
        self.written.captures_iter_in(text, letters).filter_map(move |found| {
            let span = found.get(0)?.range();
            let parts = self.parts(&found, month_first)?;
            stands_alone(text, &span).then_some((parts, span))
        })
    }

    fn parts(&self, found: &Captures<'_>, month_first: bool) -> Option<Parts> {
        let number = |group: usize| found[group].parse::<u8>().ok();
        let year = |group: usize| found[group].parse::<u16>().ok();
        let full = |year: u16, month: Option<u8>, day: Option<u8>| {
            Some(Parts { year, month: Some(month?), day: Some(day?) })
        };
        match self.order {
            Order::YearMonthDay => full(year(1)?, number(2), number(3)),
            Order::YearNameDay => full(year(1)?, month(&found[2]), number(3)),
            Order::DayNameYear => full(year(3)?, month(&found[2]), number(1)),
            Order::NameDayYear => full(year(3)?, month(&found[1]), number(2)),
            Order::NameYear => {
                Some(Parts { year: year(2)?, month: Some(month_alone(&found[1])?), day: None })
            }
            Order::YearMonth => Some(Parts { year: year(1)?, month: number(2), day: None }),
            Order::MonthYear => Some(Parts { year: year(2)?, month: number(1), day: None }),
            Order::Numbers => {
                let separator = found[2].trim();
                if separator != found[4].trim() || (separator == "-" && found[5].len() == 2) {
                    return None;
                }
                let (day, month) = match separator {
                    // Only those who write the day first write dots.
                    "." => (number(1)?, number(3)?),
                    "/" => in_order(number(1)?, number(3)?, month_first),
                    _ => in_order(number(1)?, number(3)?, false),
                };
                full(year(5)?, Some(month), Some(day))
            }
        }
    }
}

/// The other order is taken where the usual one is impossible.
fn in_order(first: u8, second: u8, month_first: bool) -> (u8, u8) {
    match (first, second) {
        (13.., 1..=12) => (first, second),
        (1..=12, 13..) => (second, first),
        _ if month_first => (second, first),
        _ => (first, second),
    }
}

/// A date is not part of a longer number, nor of a version such as 1.2.3.2004.
fn stands_alone(text: &str, span: &Range<usize>) -> bool {
    let mut before = text[..span.start].chars().rev();
    let mut after = text[span.end..].chars();
    let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    let first = before.next();
    let glued = digit(first)
        || (first == Some('.') && digit(before.next()))
        || (text[span.start..].starts_with(char::is_alphabetic)
            && first.is_some_and(char::is_alphabetic))
        || (matches!(first, Some('v' | 'V')) && !before.next().is_some_and(char::is_alphabetic));
    let next = after.next();
    let goes_on = digit(next) || (next == Some('.') && digit(after.next()));
    !glued && !goes_on
}
