//! Dates as pages write them, in the usual orders and languages.
//!
//! Each way of writing is one pattern of the table [`patterns::PATTERNS`]; what a pattern finds is
//! checked against the calendar and the range of years before it counts. Where patterns overlap the
//! longer find wins, so that `12. März 2004` is not March 2004. Words such as "yesterday" are never
//! a date: nobody knows when the page was written.

mod months;
mod patterns;

use crate::lazy_regex::LazyRegex;
use crate::western::Letters;
use patterns::{Makeup, PATTERNS, Parts};
use std::ops::{Range, RangeInclusive};

/// How dates are to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateReading {
    /// Dates in other years are taken for something else.
    pub years: RangeInclusive<u16>,
    /// What comes first in `03/12/2004`.
    pub order: DayOrder,
    /// Whether ten or thirteen digits are seconds or milliseconds since 1970, as in attributes.
    pub timestamps: bool,
    /// Whether a year within a text is a date; one that is the whole text always is.
    pub years_alone: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOrder {
    DayFirst,
    MonthFirst,
}

/// A date in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundDate {
    /// `YYYY-MM-DD`, `YYYY-MM` or `YYYY`: as much as is known.
    pub value: String,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
}

/// No page of the web is older.
const FIRST_YEAR: u16 = 1990;

/// Bytes of a text that are searched for dates; they stand at the beginning of what is worth reading.
const MAX_DATED_TEXT: usize = 100_000;

impl DateReading {
    /// Dates from the beginning of the web to the end of `last_year`, day first.
    pub fn up_to(last_year: u16) -> DateReading {
        DateReading {
            years: FIRST_YEAR..=last_year,
            order: DayOrder::DayFirst,
            timestamps: false,
            years_alone: false,
        }
    }

    fn month_first(&self, text: &str) -> bool {
        self.order == DayOrder::MonthFirst
            || ((text.contains('M') || text.contains(".m.")) && AMERICAN_TIME.is_match(text))
    }
}

/// Twelve hours and their halves are written by those who write the month first.
static AMERICAN_TIME: LazyRegex = LazyRegex::fixed(r"\d\s?(?:AM|PM|a\.m\.|p\.m\.)\b");

/// The dates of a text, in order.
pub fn dates(text: &str, reading: &DateReading) -> Vec<FoundDate> {
    let text = &text[..text.floor_char_boundary(MAX_DATED_TEXT)];
    let mut finds: Vec<FoundDate> = Vec::new();
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return finds;
    }
    let month_first = reading.month_first(text);
    let makeup = Makeup::of(text);
    let letters = Letters::of(text);
    for pattern in PATTERNS.iter().filter(|pattern| pattern.may_find(&makeup)) {
        let parts = pattern.finds(text, letters, month_first);
        finds.extend(parts.filter_map(|(parts, span)| found(parts, span, reading)));
    }
    finds.extend(lone_years(text, reading));
    if reading.timestamps {
        finds.extend(timestamps(text, reading));
    }
    without_overlaps(finds)
}

/// The dates of an address: `/2004/03/12/`, `/2004/03/`, `2004-03-12-title`, `20040312`.
pub fn address_dates(address: &str, reading: &DateReading) -> Vec<FoundDate> {
    static MONTH: LazyRegex = LazyRegex::fixed(r"/(\d{4})[/-]?(0[1-9]|1[0-2])(?:/|$)");
    let mut finds = dates(address, &DateReading { years_alone: false, ..reading.clone() });
    let months = MONTH.captures_iter(address).filter_map(|found| {
        let span = found.get(1)?.start()..found.get(2)?.end();
        let parts = Parts { year: found[1].parse().ok()?, month: found[2].parse().ok(), day: None };
        self::found(parts, span, reading)
    });
    finds.extend(months);
    without_overlaps(finds)
}

fn found(parts: Parts, span: Range<usize>, reading: &DateReading) -> Option<FoundDate> {
    let year = full_year(parts.year, reading);
    if !reading.years.contains(&year) {
        return None;
    }
    let value = match (parts.month, parts.day) {
        (Some(month), Some(day)) if (1..=days_in(year, month)).contains(&day) => {
            format!("{year:04}-{month:02}-{day:02}")
        }
        (Some(month @ 1..=12), None) => format!("{year:04}-{month:02}"),
        (None, None) => format!("{year:04}"),
        _ => return None,
    };
    Some(FoundDate { value, span })
}

/// Two digits mean the year of that ending nearest before the last possible one.
fn full_year(year: u16, reading: &DateReading) -> u16 {
    let last = *reading.years.end();
    match year {
        100.. => year,
        _ if last / 100 * 100 + year <= last => last / 100 * 100 + year,
        _ => (last / 100).saturating_sub(1) * 100 + year,
    }
}

/// 0 for a month that does not exist.
fn days_in(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(400) || (year.is_multiple_of(4) && !year.is_multiple_of(100));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

fn lone_years(text: &str, reading: &DateReading) -> Vec<FoundDate> {
    let whole = text.trim();
    let is_year = whole.len() == 4 && whole.bytes().all(|byte| byte.is_ascii_digit());
    if !is_year && !reading.years_alone {
        return Vec::new();
    }
    numbers(text)
        .filter(|span| span.len() == 4)
        .filter_map(|span| {
            let parts = Parts { year: text[span.clone()].parse().ok()?, month: None, day: None };
            found(parts, span, reading)
        })
        .collect()
}

fn timestamps(text: &str, reading: &DateReading) -> Vec<FoundDate> {
    const SECONDS_OF_DAY: i64 = 86_400;
    numbers(text)
        .filter_map(|span| {
            let number: i64 = text[span.clone()].parse().ok()?;
            let seconds = match span.len() {
                9 | 10 => number,
                13 => number / 1000,
                _ => return None,
            };
            found(civil(seconds / SECONDS_OF_DAY)?, span, reading)
        })
        .collect()
}

/// The runs of digits.
fn numbers(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(u8::is_ascii_digit)?;
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        at = start + length;
        Some(start..at)
    })
}

/// The date of a day counted from 1970. The era of 400 years begins in March, which puts leap days
/// at the end of a year and makes the arithmetic regular.
fn civil(day: i64) -> Option<Parts> {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Some(Parts {
        year: u16::try_from(year).ok()?,
        month: u8::try_from(month).ok(),
        day: u8::try_from(of_year - (153 * from_march + 2) / 5 + 1).ok(),
    })
}

/// In order of place; of two that overlap, the one that knows more stays.
fn without_overlaps(mut finds: Vec<FoundDate>) -> Vec<FoundDate> {
    finds.sort_by_key(|find| (find.span.start, std::cmp::Reverse(find.value.len())));
    let mut kept: Vec<FoundDate> = Vec::new();
    for find in finds {
        match kept.last_mut() {
            Some(last) if find.span.start < last.span.end => {
                if find.value.len() > last.value.len() {
                    *last = find;
                }
            }
            _ => kept.push(find),
        }
    }
    kept
}

#[cfg(test)]
mod tests;
