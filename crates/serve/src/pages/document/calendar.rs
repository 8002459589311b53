//! Captures in a calendar: a small table for each month in which there are some.

use crate::view::View;
use auslese_model::Timestamp;
use maud::{Markup, html};

/// Months that are drawn, the last ones.
pub(crate) const MAX_MONTHS: usize = 240;

/// A month with captures: its days, each with the captures of that day.
#[derive(Debug, PartialEq, Eq)]
struct Month {
    year: i64,
    month: u32,
    /// By day, from 1; the capture to link to, and how many there are.
    days: Vec<(u32, i64, usize)>,
}

const ENGLISH: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const GERMAN: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// The calendar of captures, oldest first; `address` is where a capture is shown.
pub(super) fn calendar(
    view: &View,
    captures: &[(i64, Timestamp)],
    address: &dyn Fn(i64) -> String,
) -> Markup {
    let mut months = months(captures);
    let left_out = months.len().saturating_sub(MAX_MONTHS);
    months.drain(..left_out);
    let mut years: Vec<(i64, Vec<Month>)> = Vec::new();
    for month in months {
        match years.last_mut() {
            Some((year, months)) if *year == month.year => months.push(month),
            _ => years.push((month.year, vec![month])),
        }
    }
    html! {
        div .calendar {
            @for (year, months) in years {
                section {
                    h3 { (year) }
                    div .months { @for month in &months { (drawn(view, month, address)) } }
                }
            }
        }
    }
}

fn drawn(view: &View, month: &Month, address: &dyn Fn(i64) -> String) -> Markup {
    let name = view.say(ENGLISH, GERMAN)[(month.month.clamp(1, 12) - 1) as usize];
    let days = view.say(["M", "T", "W", "T", "F", "S", "S"], ["M", "D", "M", "D", "F", "S", "S"]);
    html! {
        table .month {
            caption { (name) }
            thead { tr { @for day in days { th { (day) } } } }
            tbody { @for week in weeks(month.year, month.month) {
                tr { @for day in week {
                    @match day.and_then(|day| month.days.iter().find(|known| known.0 == day)) {
                        Some((day, capture, count)) => td .has-capture { a href=(address(*capture)) title=(format!("{} {}", count, view.say("captures", "Aufnahmen"))) { (day) } },
                        None => td { @if let Some(day) = day { (day) } },
                    }
                } }
            } }
        }
    }
}

fn months(captures: &[(i64, Timestamp)]) -> Vec<Month> {
    let mut months: Vec<Month> = Vec::new();
    for (capture, at) in captures {
        let (year, month, day) = at.date();
        if months.last().is_none_or(|last| (last.year, last.month) != (year, month)) {
            months.push(Month { year, month, days: Vec::new() });
        }
        let Some(days) = months.last_mut().map(|month| &mut month.days) else { continue };
        match days.last_mut() {
            Some(last) if last.0 == day => *last = (day, *capture, last.2 + 1),
            _ => days.push((day, *capture, 1)),
        }
    }
    months
}

/// The days of a month in weeks that begin with Monday; none where a week reaches into another month.
fn weeks(year: i64, month: u32) -> Vec<[Option<u32>; 7]> {
    let day_number =
        |day| Timestamp::from_civil((year, month, day), (0, 0, 0)).map(|at| at.seconds() / 86_400);
    let Some(first) = day_number(1) else { return Vec::new() };
    // 1970-01-01 was a Thursday.
    let mut weekday = (first + 3).rem_euclid(7) as usize;
    let mut weeks = vec![[None; 7]];
    for day in (1..=31).take_while(|day| day_number(*day).is_some()) {
        if weekday == 7 {
            weeks.push([None; 7]);
            weekday = 0;
        }
        if let Some(week) = weeks.last_mut() {
            week[weekday] = Some(day);
        }
        weekday += 1;
    }
    weeks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_with_monday() {
        // February 2024 began on a Thursday and had 29 days; June 2026 begins on a Monday.
        let february = weeks(2024, 2);
        assert_eq!(february[0], [None, None, None, Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!(
            february.last(),
            Some(&[Some(26), Some(27), Some(28), Some(29), None, None, None])
        );
        assert_eq!(weeks(2026, 6)[0][0], Some(1));
        assert_eq!(weeks(1969, 12)[0][0], Some(1), "before the epoch");
        assert!(weeks(2024, 13).is_empty());
    }

    #[test]
    fn a_day_leads_to_its_last_capture() {
        let at = |day, hour| Timestamp::from_civil((2026, 11, day), (hour, 0, 0)).unwrap();
        let found = months(&[(1, at(3, 1)), (2, at(3, 9)), (3, at(5, 0))]);
        assert_eq!(found, [Month { year: 2026, month: 11, days: vec![(3, 2, 2), (5, 3, 1)] }]);
    }
}
