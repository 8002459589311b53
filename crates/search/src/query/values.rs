//! Values of fields that are no words: days, sizes, spans.

use super::error::QueryError;
use super::tree::{NodeKind, RangeColumn};
use crate::document::day_number;
use std::ops::Range;

/// The comparison `2001..2004`, `>10k`, `2003`, `~2003` with a column.
pub(super) fn comparison(
    column: RangeColumn,
    text: &str,
    place: Range<usize>,
) -> Result<NodeKind, QueryError> {
    let bad = |what: &str| {
        QueryError::new(
            format!("{what:?} is no {}", kind_of(column)),
            place.clone(),
            example(column),
        )
    };
    let span = |text: &str| span_of(column, text).ok_or_else(|| bad(text));
    if let Some(text) = text.strip_prefix('~') {
        if column != RangeColumn::Date {
            return Err(bad(text).with_hint("only dates can be near: date:~2003"));
        }
        let (first, last) = span(text)?;
        return Ok(NodeKind::NearDate { first, last, scale: near_scale(first, last) });
    }
    if let Some((from, to)) = text.split_once("..") {
        let from = if from.is_empty() { None } else { Some(span(from)?.0) };
        let to = if to.is_empty() { None } else { Some(span(to)?.1) };
        if from.is_some() && to.is_some() && from > to {
            let error = QueryError::new("the range ends before it begins", place, example(column));
            return Err(error.with_hint("exchange the two ends"));
        }
        return Ok(NodeKind::Range { column, from, to });
    }
    let (sign, value) = text.split_at(text.find(|c| !matches!(c, '<' | '>' | '=')).unwrap_or(0));
    let (first, last) = span(value)?;
    let (from, to) = match sign {
        "" | "=" => (Some(first), Some(last)),
        ">" => (Some(last.saturating_add(1)), None),
        ">=" => (Some(first), None),
        "<" => (None, Some(first.saturating_sub(1))),
        "<=" => (None, Some(last)),
        other => return Err(bad(other)),
    };
    Ok(NodeKind::Range { column, from, to })
}

fn kind_of(column: RangeColumn) -> &'static str {
    match column {
        RangeColumn::Date | RangeColumn::Captured => "date",
        RangeColumn::Size => "size",
        RangeColumn::Versions => "number",
    }
}

fn example(column: RangeColumn) -> &'static str {
    match column {
        RangeColumn::Date | RangeColumn::Captured => {
            "a year, month or day such as 2003, 2003-05, 2003-05-17, a range such as 2001..2004, or >=2001"
        }
        RangeColumn::Size => "a number of bytes such as 500, 10k or 2M, a range, or >10k",
        RangeColumn::Versions => "a number, a range such as 2..5, or >1",
    }
}

/// The first and the last number that a value means.
fn span_of(column: RangeColumn, text: &str) -> Option<(i64, i64)> {
    match column {
        RangeColumn::Date | RangeColumn::Captured => days(text),
        RangeColumn::Size => size(text).map(|size| (size, size)),
        RangeColumn::Versions => text.parse().ok().map(|number: i64| (number, number)),
    }
}

/// The first and last day of a year, month or day.
fn days(text: &str) -> Option<(i64, i64)> {
    let mut numbers = Vec::new();
    for part in text.split('-') {
        if part.is_empty() || part.len() > 4 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        numbers.push(part.parse::<u32>().ok()?);
    }
    match numbers[..] {
        [year] => Some((day_number(year.into(), 1, 1)?, day_number(year.into(), 12, 31)?)),
        [year, month] => {
            let first = day_number(year.into(), month, 1)?;
            let last = (28..=31).rev().find_map(|day| day_number(year.into(), month, day))?;
            Some((first, last))
        }
        [year, month, day] => {
            day_number(year.into(), month, day).map(|day_number| (day_number, day_number))
        }
        _ => None,
    }
}

/// Within how many days a near date loses two thirds: years are meant more loosely than days.
fn near_scale(first: i64, last: i64) -> i64 {
    match last - first {
        0 => 30,
        1..=31 => 180,
        _ => 3 * 365,
    }
}

fn size(text: &str) -> Option<i64> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor: f64 = match &lower[digits.len()..] {
        "" | "b" => 1.0,
        "k" | "kb" | "kib" => 1024.0,
        "m" | "mb" | "mib" => 1024.0 * 1024.0,
        "g" | "gb" | "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let number: f64 = digits.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some((number * factor) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons() {
        use RangeColumn::{Date, Size, Versions};
        #[rustfmt::skip]
        let cases = [
            (Date,     "1970",           Some((Some(0), Some(364)))),
            (Date,     "1970-02",        Some((Some(31), Some(58)))),
            (Date,     "1970-01-05",     Some((Some(4), Some(4)))),
            (Date,     "1970..1971",     Some((Some(0), Some(729)))),
            (Date,     "..1970",         Some((None, Some(364)))),
            (Date,     ">1970",          Some((Some(365), None))),
            (Date,     "<1970",          Some((None, Some(-1)))),
            (Date,     "1971..1970",     None),
            (Date,     "1970-13",        None),
            (Date,     "soon",           None),
            (Size,     ">10k",           Some((Some(10_241), None))),
            (Size,     "<=1.5M",         Some((None, Some(1_572_864)))),
            (Size,     "10x",            None),
            (Versions, "2..5",           Some((Some(2), Some(5)))),
            (Versions, "~3",             None),
            (Versions, "",               None),
        ];
        for (column, text, expected) in cases {
            let found = comparison(column, text, 0..1).ok().map(|kind| match kind {
                NodeKind::Range { from, to, .. } => (from, to),
                other => panic!("{other:?}"),
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}
