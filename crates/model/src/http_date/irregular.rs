//! Reads dates that break the rules.
//!
//! A text is cut into numbers and words. The clock is found first, by its colons, with the zone
//! behind it; the numbers left must then be a date, and nothing else may be left over but words.
//! A date in numbers alone is tried in every order that its separator allows, and accepted if one
//! day remains. Without a zone, UTC is meant, as in every HTTP date.

use super::{Civil, TimeOfDay, full_year, names, weekday_of};
use crate::Timestamp;
use std::ops::Range;

/// Longer texts are no dates. It also bounds the work for hostile headers.
const LONGEST: usize = 128;

/// The widest offset accepted, in minutes; the widest in use is +14:00.
const WIDEST_OFFSET: i64 = 16 * 60;

/// Reads a text that is none of the legal forms.
pub(super) fn read(text: &str) -> Option<Timestamp> {
    // Old browsers and servers append `; length=1234`.
    let text = text.split(';').next()?.trim();
    if text.len() > LONGEST {
        return None;
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return bare_digits(text);
    }
    let parts = Parts::of(text);
    let clock = parts.clock()?;
    let day = parts.day(&clock.parts)?;
    let time = Timestamp::from_civil(day, clock.time)?;
    Some(Timestamp(time.0 + clock.micros - clock.offset * 60_000_000))
}

/// Digits and nothing else: seconds since 1970, a day, or a day and time.
fn bare_digits(text: &str) -> Option<Timestamp> {
    match text.len() {
        8 => Timestamp::from_civil(packed_day(text)?, (0, 0, 0)),
        9 | 10 => text.parse().ok().map(Timestamp::from_seconds),
        14 => Timestamp::from_civil(packed_day(&text[..8])?, packed_time(&text[8..])?),
        _ => None,
    }
}

/// `19941106`
fn packed_day(text: &str) -> Option<Civil> {
    let year = text.get(..4)?.parse().ok()?;
    Some((year, text.get(4..6)?.parse().ok()?, text.get(6..8)?.parse().ok()?))
}

/// `084937` or `0849`
fn packed_time(text: &str) -> Option<TimeOfDay> {
    let second = if text.len() == 4 { 0 } else { text.get(4..6)?.parse().ok()? };
    Some((text.get(..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?, second))
}

/// The numbers and words of a text, in order.
struct Parts<'a> {
    text: &'a str,
    parts: Vec<Part<'a>>,
}

#[derive(Clone, Copy)]
struct Part<'a> {
    kind: Kind,
    text: &'a str,
    start: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Word,
    /// Between numbers and words.
    Gap,
}

/// A time of day, and how far its zone lies east of Greenwich in minutes.
#[derive(Default)]
struct Clock {
    time: TimeOfDay,
    micros: i64,
    offset: i64,
    /// Which parts of the text it is made of.
    parts: Range<usize>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Parts<'a> {
        let mut parts: Vec<Part<'a>> = Vec::new();
        for (start, character) in text.char_indices() {
            let kind = Kind::of(character);
            match parts.last_mut() {
                Some(last) if last.kind == kind => {
                    last.text = &text[last.start..start + character.len_utf8()];
                }
                _ => {
                    let text = &text[start..start + character.len_utf8()];
                    parts.push(Part { kind, text, start });
                }
            }
        }
        parts.retain(|part| part.kind != Kind::Gap);
        Parts { text, parts }
    }

    /// What stands between a part and the one before it; `None` if either is missing.
    fn gap_before(&self, index: usize) -> Option<&'a str> {
        let before = self.parts.get(index.checked_sub(1)?)?;
        self.between(before, self.parts.get(index)?)
    }

    fn between(&self, before: &Part<'a>, after: &Part<'a>) -> Option<&'a str> {
        self.text.get(before.start + before.text.len()..after.start)
    }

    fn number(&self, index: usize) -> Option<&'a str> {
        self.parts.get(index).filter(|part| part.kind == Kind::Number).map(|part| part.text)
    }

    fn word(&self, index: usize) -> Option<&'a str> {
        self.parts.get(index).filter(|part| part.kind == Kind::Word).map(|part| part.text)
    }

    fn is_word(&self, index: usize, expected: &str) -> bool {
        self.word(index).is_some_and(|word| word.eq_ignore_ascii_case(expected))
    }

    /// The time of day; midnight if the text has none, `None` if it makes no sense.
    fn clock(&self) -> Option<Clock> {
        let mut clock = match self.find_colon_time() {
            Some(first) => self.colon_time(first)?,
            None => match self.find_packed_time() {
                Some(at) => Clock {
                    time: packed_time(self.number(at)?)?,
                    parts: at..at + 1,
                    ..Clock::default()
                },
                None => return Some(Clock::default()),
            },
        };
        self.take_half_of_day(&mut clock)?;
        if self.is_word(clock.parts.end, "Uhr") {
            clock.parts.end += 1;
        }
        self.take_zone(&mut clock)?;
        Some(clock)
    }

    fn find_colon_time(&self) -> Option<usize> {
        (0..self.parts.len())
            .find(|first| self.number(*first).is_some() && self.gap_before(first + 1) == Some(":"))
    }

    /// The number behind the `T` in `19941106T084937`.
    fn find_packed_time(&self) -> Option<usize> {
        (2..self.parts.len()).find(|at| {
            self.number(at - 2).is_some_and(|day| day.len() == 8)
                && self.is_word(at - 1, "T")
                && self.number(*at).is_some_and(|time| matches!(time.len(), 4 | 6))
        })
    }

    /// `8:49`, `08:49:37`, `08:49:37.123`
    fn colon_time(&self, first: usize) -> Option<Clock> {
        let two_digits = |index| {
            let text = self.number(index)?;
            if text.len() == 2 { text.parse().ok() } else { None }
        };
        let hour = self.number(first).filter(|text| text.len() <= 2)?.parse().ok()?;
        let mut clock = Clock { time: (hour, two_digits(first + 1)?, 0), ..Clock::default() };
        let mut next = first + 2;
        if self.gap_before(next) == Some(":") {
            clock.time.2 = two_digits(next)?;
            next += 1;
            if let (Some("." | ","), Some(fraction)) = (self.gap_before(next), self.number(next)) {
                clock.micros = micros(fraction);
                next += 1;
            }
        }
        clock.parts = first..next;
        Some(clock)
    }

    /// `AM`, `pm`, `p.m.`, `p. m.`
    fn take_half_of_day(&self, clock: &mut Clock) -> Option<()> {
        let at = clock.parts.end;
        let with_points = self.is_word(at + 1, "m")
            && self.gap_before(at + 1).is_some_and(|gap| gap.trim_end() == ".");
        let is_half = |half: &str, letter: &str| {
            self.is_word(at, half) || (with_points && self.is_word(at, letter))
        };
        clock.time.0 = match (is_half("am", "a"), is_half("pm", "p"), clock.time.0) {
            (false, false, _) => return Some(()),
            (true, _, 12) => 0,
            (true, _, hour @ 0..12) => hour,
            (_, true, hour @ 1..12) => hour + 12,
            (_, true, hour @ 12..24) => hour,
            _ => return None,
        };
        clock.parts.end += if with_points { 2 } else { 1 };
        Some(())
    }

    /// The zone behind a time, if there is one; `None` if it is unknown, because then the time may
    /// be half a day off.
    fn take_zone(&self, clock: &mut Clock) -> Option<()> {
        let at = clock.parts.end;
        if let Some(word) = self.word(at) {
            let Some(offset) = names::zone(word) else {
                let in_date = names::month(word).is_some() || names::weekdays(word) != 0;
                return in_date.then_some(());
            };
            clock.offset = offset;
            clock.parts.end += 1;
            if self.is_word(at + 1, "DST") {
                clock.offset += 60;
                clock.parts.end += 1;
                return Some(());
            }
            if offset != 0 {
                return Some(());
            }
        }
        self.take_numeric_zone(clock)
    }

    /// `+0100`, `+01:00`, `-5`; also behind `GMT`.
    fn take_numeric_zone(&self, clock: &mut Clock) -> Option<()> {
        let at = clock.parts.end;
        let sign = match self.gap_before(at).map(str::trim_start) {
            Some("+") => 1,
            Some("-") => -1,
            _ => return Some(()),
        };
        let Some(number) = self.number(at) else { return Some(()) };
        let value: i64 = number.parse().ok()?;
        let minutes_apart = self.gap_before(at + 1) == Some(":");
        let (hours, minutes) = match (number.len(), self.number(at + 1)) {
            (2, Some(minutes)) if minutes_apart => (value, minutes.parse().ok()?),
            (1 | 2, _) => (value, 0),
            (4, _) => (value / 100, value % 100),
            _ => return None,
        };
        let offset = hours * 60 + minutes;
        if minutes > 59 || offset > WIDEST_OFFSET {
            return None;
        }
        clock.offset = sign * offset;
        clock.parts.end += if minutes_apart { 2 } else { 1 };
        Some(())
    }

    /// The day, from what is left when the clock is taken out.
    fn day(&self, clock: &Range<usize>) -> Option<Civil> {
        let rest = || (0..self.parts.len()).filter(|index| !clock.contains(index));
        let words: Vec<&str> = rest().filter_map(|index| self.word(index)).collect();
        let numbers: Vec<Part<'a>> = rest()
            .map(|index| self.parts[index])
            .filter(|part| part.kind == Kind::Number)
            .collect();
        match (month_among(&words), numbers.as_slice()) {
            (Month::Named(month), [first, second]) => named_day(month, (first.text, second.text)),
            (Month::Absent, [packed]) if packed.text.len() == 8 => packed_day(packed.text),
            (Month::Absent, [first, second, third]) => {
                let separator = self.between(first, second)?.trim_end();
                let alike = self.between(second, third)?.trim_end() == separator;
                let orders = orders(separator, [first.text, second.text, third.text]);
                if alike { one_meaning(&orders, weekday_among(&words)) } else { None }
            }
            _ => None,
        }
    }
}

impl Kind {
    fn of(character: char) -> Kind {
        match character {
            '0'..='9' => Kind::Number,
            'a'..='z' | 'A'..='Z' => Kind::Word,
            other if names::is_strange(other) => Kind::Word,
            _ => Kind::Gap,
        }
    }
}

/// The digits behind the decimal point of a second; what is finer than microseconds is dropped.
fn micros(fraction: &str) -> i64 {
    let digits = fraction.bytes().map(|byte| i64::from(byte - b'0'));
    digits.chain([0; 6]).take(6).fold(0, |micros, digit| micros * 10 + digit)
}

enum Month {
    Named(u32),
    Absent,
    Contradictory,
}

/// The month among the words. `mar` is March and, in three languages, a Tuesday: it counts as the
/// weekday if another word can be the month, and the first of two is the weekday.
fn month_among(words: &[&str]) -> Month {
    let months = || words.iter().filter_map(|word| Some((*word, names::month(word)?)));
    let mut certain = months().filter(|(word, _)| names::weekdays(word) == 0);
    match (certain.next(), certain.next()) {
        (Some((_, month)), None) => Month::Named(month),
        (Some(_), Some(_)) => Month::Contradictory,
        (None, _) => months().next_back().map_or(Month::Absent, |(_, month)| Month::Named(month)),
    }
}

/// The weekdays that the words allow, as bits; all if they name none.
fn weekday_among(words: &[&str]) -> u32 {
    words.iter().map(|word| names::weekdays(word)).find(|days| *days != 0).unwrap_or(u32::MAX)
}

/// A day beside a month's name: the day comes first unless that number cannot be one.
fn named_day(month: u32, (first, second): (&str, &str)) -> Option<Civil> {
    let may_be_day = first.len() <= 2 && matches!(first.parse(), Ok(1..=31));
    if may_be_day { existing(second, month, first) } else { existing(first, month, second) }
}

/// All days that three numbers can mean. A dot is only used where the day comes first; a slash or
/// dash says nothing, so both orders count, and with two-digit years a third.
fn orders(separator: &str, [first, second, third]: [&str; 3]) -> [Option<Civil>; 3] {
    let numeric = |year, month: &str, day| existing(year, month.parse().ok()?, day);
    let year_first = || numeric(first, second, third);
    let day_first = || numeric(third, second, first);
    let month_first = || numeric(third, first, second);
    match (separator, first.len(), third.len()) {
        ("." | "/" | "-", 4, 1 | 2) => [year_first(), None, None],
        (".", 1 | 2, _) => [day_first(), None, None],
        ("/" | "-", 1 | 2, 1 | 2) => [day_first(), month_first(), year_first()],
        ("/" | "-", 1 | 2, _) => [day_first(), month_first(), None],
        _ => [None; 3],
    }
}

/// The one day among the candidates that the weekday allows; a single candidate needs no weekday.
fn one_meaning(candidates: &[Option<Civil>], weekdays: u32) -> Option<Civil> {
    let distinct = |mut days: Vec<Civil>| {
        days.dedup();
        if let [day] = days[..] { Some(day) } else { None }
    };
    let all: Vec<Civil> = candidates.iter().copied().flatten().collect();
    let allowed = |day: &Civil| weekday_of(*day).is_some_and(|bit| weekdays >> bit & 1 == 1);
    distinct(all.clone()).or_else(|| distinct(all.into_iter().filter(allowed).collect()))
}

/// A day that exists in the calendar.
fn existing(year: &str, month: u32, day: &str) -> Option<Civil> {
    let day = if day.len() <= 2 { day.parse().ok()? } else { return None };
    let date = (year_meant(year)?, month, day);
    weekday_of(date).map(|_| date)
}

/// The year that digits stand for. Programs that were not ready for 2000 print the years since
/// 1900, bare (`100`) or with 19 in front (`19100`).
fn year_meant(text: &str) -> Option<i64> {
    let value: i64 = text.parse().ok()?;
    match (text.len(), value) {
        (2, _) => Some(full_year(value)),
        (3, 100..200) => Some(1900 + value),
        (4, _) => Some(value),
        (5, 19_100..19_200) => Some(1900 + (value - 19_000)),
        _ => None,
    }
}
