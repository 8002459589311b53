//! Durations as people write them in `auslese.toml`: `"500ms"`, `"2s"`, `"1m 30s"`, `"24h"`, `"0"`.
//!
//! A bare number other than 0 is refused: nobody remembers whether a setting is in seconds.
//! Use with `#[serde(with = "duration_text")]`, or `duration_text::optional` for `Option`.

use crate::CrawlError;
use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
use std::time::Duration;

/// Names with their length in milliseconds, largest first, as they are written back.
const UNITS: [(&str, u64); 5] =
    [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// The longest duration that is accepted, so that sums of times never overflow.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 86_400);

/// Reads a duration: one or more numbers with units, largest unit first or not.
pub fn parse_duration(text: &str) -> Result<Duration, CrawlError> {
    let fail = |problem| CrawlError::Duration { text: text.to_owned(), problem };
    let mut rest = text.trim();
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    if rest.is_empty() {
        return Err(fail("it is empty; write for example \"2s\" or \"0\""));
    }
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(number_end);
        let after = after.trim_start();
        let unit_end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        let number: f64 = number.parse().map_err(|_| fail("a number is missing"))?;
        let millis = UNITS
            .iter()
            .find(|(name, _)| *name == unit)
            .map(|(_, millis)| *millis)
            .ok_or_else(|| fail("its unit must be one of ms, s, m, h, d"))?;
        sum = Duration::try_from_secs_f64(number * millis as f64 / 1000.0)
            .ok()
            .and_then(|part| sum.checked_add(part))
            .filter(|sum| *sum <= LONGEST)
            .ok_or_else(|| fail("it is longer than 100 years"))?;
        rest = after.trim_start();
    }
    Ok(sum)
}

/// The shortest text that [`parse_duration`] reads back, to the millisecond.
pub fn duration_text(duration: Duration) -> String {
    let mut millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    if millis == 0 {
        return "0".to_owned();
    }
    let mut parts = Vec::new();
    for (name, length) in UNITS {
        if millis >= length {
            parts.push(format!("{}{name}", millis / length));
            millis %= length;
        }
    }
    parts.join(" ")
}

pub(crate) fn serialize<S: Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&duration_text(*value))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(input)?;
    parse_duration(&text).map_err(D::Error::custom)
}

/// The same for settings that may be absent.
pub(crate) mod optional {
    use super::{Deserialize, Deserializer, Duration, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        value: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(duration) => super::serialize(duration, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Option<Duration>, D::Error> {
        let text = Option::<String>::deserialize(input)?;
        text.map(|text| super::parse_duration(&text)).transpose().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn readings() {
        #[rustfmt::skip]
        let cases = [
            ("0",          Some(0),           "0"),
            ("500ms",      Some(500),         "500ms"),
            ("2s",         Some(2_000),       "2s"),
            ("1.5 s",      Some(1_500),       "1s 500ms"),
            ("90s",        Some(90_000),      "1m 30s"),
            ("1m30s",      Some(90_000),      "1m 30s"),
            ("24h",        Some(86_400_000),  "1d"),
            ("2",          None,              ""),
            ("",           None,              ""),
            ("s",          None,              ""),
            ("2 weeks",    None,              ""),
            ("1e9s",       None,              ""),
            ("99999999d",  None,              ""),
            ("-2s",        None,              ""),
        ];
        for (text, millis, written) in cases {
            let duration = parse_duration(text).ok();
            assert_eq!(duration, millis.map(Duration::from_millis), "{text}");
            if let Some(duration) = duration {
                assert_eq!(duration_text(duration), written, "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn written_durations_read_back(millis in 0u64..10_000_000_000) {
            let duration = Duration::from_millis(millis);
            prop_assert_eq!(parse_duration(&duration_text(duration)), Ok(duration));
        }

        #[test]
        fn any_text_is_answered(text in ".*") {
            let _ = parse_duration(&text);
        }
    }
}
