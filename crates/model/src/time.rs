//! Points in time, in microseconds of UTC.
//!
//! WARC, CDXJ and the catalog each write time in their own way; all of them are made from this one
//! number. The calendar is the proleptic Gregorian one without leap seconds, as in all three.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Microseconds since 1970-01-01T00:00:00Z; negative before.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

const MICROS: i64 = 1_000_000;
const DAY: i64 = 86_400;

impl Timestamp {
    pub fn now() -> Timestamp {
        Timestamp::from(SystemTime::now())
    }

    pub fn from_seconds(seconds: i64) -> Timestamp {
        Timestamp(seconds.saturating_mul(MICROS))
    }

    /// A UTC date and time of day; `None` if there is no such day or time.
    pub fn from_civil(
        (year, month, day): (i64, u32, u32),
        (hour, minute, second): (u32, u32, u32),
    ) -> Option<Timestamp> {
        // Second 60 is legal in HTTP dates (a leap second) and counts as the next second.
        let valid = (-9999..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second <= 60;
        let seconds = || {
            days_from_civil(year, month, day) * DAY
                + i64::from(hour) * 3600
                + i64::from(minute) * 60
                + i64::from(second)
        };
        valid.then(|| Timestamp::from_seconds(seconds()))
    }

    /// The UTC date as year, month, day.
    pub fn date(self) -> (i64, u32, u32) {
        civil_from_days(self.0.div_euclid(MICROS * DAY))
    }

    pub fn seconds(self) -> i64 {
        self.0.div_euclid(MICROS)
    }

    pub fn plus(self, duration: Duration) -> Timestamp {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Timestamp(self.0.saturating_add(micros))
    }

    pub fn minus(self, duration: Duration) -> Timestamp {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Timestamp(self.0.saturating_sub(micros))
    }

    /// How long after `earlier` this is; zero if it is not after.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// `20261115214000`, as CDX files and replay addresses write it.
    pub fn digits14(self) -> String {
        let (year, month, day) = self.date();
        let (hour, minute, second) = self.time_of_day();
        format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}")
    }

    /// `2026-11-15T21:40:00Z`: whole seconds, for people.
    pub fn to_second_text(self) -> String {
        let (year, month, day) = self.date();
        let (hour, minute, second) = self.time_of_day();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    fn time_of_day(self) -> (i64, i64, i64) {
        let seconds = self.seconds().rem_euclid(DAY);
        (seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Timestamp {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Timestamp(0).plus(after),
            Err(before) => Timestamp(0).minus(before.duration()),
        }
    }
}

/// `2026-11-15T21:40:00.123456Z`, the form WARC 1.1 allows.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_second_text();
        write!(f, "{}.{:06}Z", &text[..text.len() - 1], self.0.rem_euclid(MICROS))
    }
}

fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01. Years begin in March here, so that the leap day is the last of a year.
fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = i64::from((month + 9) % 12);
    let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    // All three lie in the ranges of a calendar day by construction.
    (year, month as u32, day as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts() {
        #[rustfmt::skip]
        let cases = [
            (0,                     "1970-01-01T00:00:00.000000Z", "19700101000000"),
            (951_782_400_000_001,   "2000-02-29T00:00:00.000001Z", "20000229000000"),
            (-1,                    "1969-12-31T23:59:59.999999Z", "19691231235959"),
            (1_794_778_800_000_000, "2026-11-15T21:40:00.000000Z", "20261115214000"),
        ];
        for (micros, text, digits) in cases {
            assert_eq!(Timestamp(micros).to_string(), text);
            assert_eq!(Timestamp(micros).digits14(), digits);
        }
    }

    #[test]
    fn impossible_days() {
        for date in [(2025, 2, 29), (2025, 13, 1), (2025, 4, 31), (2025, 0, 1), (1900, 2, 29)] {
            assert_eq!(Timestamp::from_civil(date, (0, 0, 0)), None, "{date:?}");
        }
    }

    proptest! {
        #[test]
        fn civil_round_trip(days in -1_000_000i64..1_000_000) {
            let (y, m, d) = civil_from_days(days);
            prop_assert_eq!(days_from_civil(y, m, d), days);
        }
    }
}
