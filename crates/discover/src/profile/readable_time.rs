//! A time as a person reads and writes it: RFC 3339, such as `2026-11-16T04:17:56Z`.
//!
//! Also read are a time of TOML itself, which has no quotation marks, and a bare number of
//! microseconds, as profiles had it once.

use auslese_model::Timestamp;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserializer, Serializer};
use std::fmt;
use std::time::Duration;

pub(crate) fn serialize<S: Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&time.to_second_text())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
    from.deserialize_any(AnyTime)
}

struct AnyTime;

impl<'de> Visitor<'de> for AnyTime {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time such as \"2026-11-16T04:17:56Z\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Timestamp, E> {
        parse(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }

    fn visit_i64<E: Error>(self, micros: i64) -> Result<Timestamp, E> {
        Ok(Timestamp(micros))
    }

    fn visit_u64<E: Error>(self, micros: u64) -> Result<Timestamp, E> {
        Ok(Timestamp(i64::try_from(micros).unwrap_or(i64::MAX)))
    }

    /// A time of TOML arrives as a map with its text as the only value.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Timestamp, A::Error> {
        match map.next_entry::<String, String>()? {
            Some((_, text)) => self.visit_str(&text),
            None => Err(A::Error::invalid_type(serde::de::Unexpected::Map, &self)),
        }
    }
}

/// Reads a date, or a date with a time of day; without an offset UTC is meant.
fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let (date, rest) = text.split_at_checked(10)?;
    let date = (number(date, 0..4)?, part(date, 5..7)?, part(date, 8..10)?);
    if rest.is_empty() {
        return Timestamp::from_civil(date, (0, 0, 0));
    }
    let (time, rest) = rest.strip_prefix(['T', 't', ' '])?.split_at_checked(8)?;
    let time = (part(time, 0..2)?, part(time, 3..5)?, part(time, 6..8)?);
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let at = Timestamp::from_civil(date, time)?;
    match zone.as_bytes() {
        [] | [b'Z' | b'z'] => Some(at),
        [b'+', ..] => Some(at.minus(offset(&zone[1..])?)),
        [b'-', ..] => Some(at.plus(offset(&zone[1..])?)),
        _ => None,
    }
}

/// `01:30`
fn offset(text: &str) -> Option<Duration> {
    let minutes = 60 * part(text, 0..2)? + part(text, 3..5)?;
    (text.len() == 5).then(|| Duration::from_secs(60 * u64::from(minutes)))
}

fn part(text: &str, place: std::ops::Range<usize>) -> Option<u32> {
    number(text, place)?.try_into().ok()
}

/// Digits only, since `parse` would take a sign as well.
fn number(text: &str, place: std::ops::Range<usize>) -> Option<i64> {
    let digits = text.get(place)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_by_hand() {
        #[rustfmt::skip]
        let cases = [
            ("2026-11-16T04:17:56Z",          Some("2026-11-16T04:17:56Z")),
            ("2026-11-16T04:17:56.123456Z",   Some("2026-11-16T04:17:56Z")),
            ("2026-11-16 04:17:56",           Some("2026-11-16T04:17:56Z")),
            ("2026-11-16T04:17:56+01:00",     Some("2026-11-16T03:17:56Z")),
            ("2026-11-16T04:17:56-01:30",     Some("2026-11-16T05:47:56Z")),
            ("2026-11-16",                    Some("2026-11-16T00:00:00Z")),
            ("2026-02-30",                    None),
            ("2026-11-16T04:17",              None),
            ("2026-11-16T04:17:56+1",         None),
            ("yesterday",                     None),
            ("",                              None),
        ];
        for (text, expected) in cases {
            let read = parse(text).map(Timestamp::to_second_text);
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "(?s).{0,40}") {
            let _ = parse(&text);
        }

        #[test]
        fn what_is_written_reads_back(seconds in 0i64..253_402_300_799) {
            let time = Timestamp::from_seconds(seconds);
            prop_assert_eq!(parse(&time.to_second_text()), Some(time));
        }
    }
}
