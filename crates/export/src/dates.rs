//! Dates as XML Schema and Dublin Core (W3CDTF) write them.

use auslese_model::Timestamp;

/// A year, a month or a day of the calendar; none if the text is no such date.
pub(crate) fn w3c_date(written: &str) -> Option<String> {
    let date = written.trim().split(['T', ' ']).next()?;
    let parts: Vec<&str> = date.split('-').collect();
    let digits = |text: &str, length: usize| {
        (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u32>().ok())?
    };
    let (year, month, day) = match parts.as_slice() {
        [year] => (digits(year, 4)?, 1, 1),
        [year, month] => (digits(year, 4)?, digits(month, 2)?, 1),
        [year, month, day] => (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?),
        _ => return None,
    };
    // XML Schema knows no year 0.
    let exists =
        year > 0 && Timestamp::from_civil((i64::from(year), month, day), (0, 0, 0)).is_some();
    exists.then(|| date.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        #[rustfmt::skip]
        let cases = [
            ("2001",                 Some("2001")),
            ("2001-02",              Some("2001-02")),
            (" 2001-02-28 ",         Some("2001-02-28")),
            ("2001-02-28T10:00:00Z", Some("2001-02-28")),
            ("2001-02-30",           None),
            ("2001-13",              None),
            ("0000",                 None),
            ("31.12.2001",           None),
            ("WS 2001/02",           None),
            ("",                     None),
        ];
        for (written, expected) in cases {
            assert_eq!(w3c_date(written).as_deref(), expected, "{written:?}");
        }
    }
}
