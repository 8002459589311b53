//! Reads the dates in HTTP headers: the three legal forms, and what servers send instead.
//!
//! RFC 9110 §5.6.7 allows three forms, and they are read exactly as it writes them. Whatever
//! breaks them goes to [`irregular`], which takes a text apart and accepts it only if one meaning
//! is left. A date that could mean two days is unreadable: a wrong date is worse than none,
//! because the raw header line is archived anyway.
//!
//! Words that are no dates, such as the `0`, `-1` and `now` of `Expires` (all of which mean
//! "expired"), are unreadable as well; what they mean is for the reader of that header to say.

mod irregular;
mod names;

use crate::Timestamp;

/// What a date text was found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateReading {
    /// One of the three forms of RFC 9110 §5.6.7.
    Legal(Timestamp),
    /// Breaks the form, or names a weekday that the date does not have, but its meaning is plain.
    Irregular(Timestamp),
    Unreadable,
}

/// Reads a header date; never fails on any text.
///
/// ```
/// use auslese_model::{DateReading, Timestamp, read_http_date};
/// let time = Timestamp::from_seconds(784_111_777);
/// assert_eq!(read_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), DateReading::Legal(time));
/// assert_eq!(read_http_date("So, 6. Nov 94 9:49:37 MEZ"), DateReading::Irregular(time));
/// assert_eq!(read_http_date("11/06/94 08:49:37"), DateReading::Unreadable);
/// ```
pub fn read_http_date(text: &str) -> DateReading {
    let text = text.trim();
    match legal(text) {
        Some((time, Weekday::Agrees)) => DateReading::Legal(time),
        Some((time, Weekday::Contradicts)) => DateReading::Irregular(time),
        None => irregular::read(text).map_or(DateReading::Unreadable, DateReading::Irregular),
    }
}

/// The first year that a two-digit year can mean; the last is 99 years later.
///
/// RFC 9110 moves years that seem more than 50 years ahead into the past, which takes a clock, and
/// then one header reads differently in two runs over the same archive. This is the rule as of
/// 2019: the web is younger than 1970, and `01-Jan-70` is the Unix epoch, not a day in 2070.
const FIRST_TWO_DIGIT_YEAR: i64 = 1970;

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Whether the weekday a text names is the weekday of its date.
enum Weekday {
    Agrees,
    Contradicts,
}

type Civil = (i64, u32, u32);
type TimeOfDay = (u32, u32, u32);

/// The three forms, case and spaces included.
fn legal(text: &str) -> Option<(Timestamp, Weekday)> {
    let (weekday, date, time) = match text.split_once(", ") {
        Some((weekday, rest)) => match short_weekday(weekday) {
            Some(weekday) => imf_fixdate(weekday, rest)?,
            None => rfc850(WEEKDAYS.iter().position(|name| *name == weekday)?, rest)?,
        },
        None => asctime(text)?,
    };
    let agreement =
        if weekday_of(date)? == weekday { Weekday::Agrees } else { Weekday::Contradicts };
    Some((Timestamp::from_civil(date, time)?, agreement))
}

/// `06 Nov 1994 08:49:37 GMT`
fn imf_fixdate(weekday: usize, rest: &str) -> Option<(usize, Civil, TimeOfDay)> {
    let [day, month, year, time, "GMT"] = fields(rest, ' ')? else { return None };
    let date = (digits(year, 4)?.into(), month_number(month)?, digits(day, 2)?);
    Some((weekday, date, time_of_day(time)?))
}

/// `06-Nov-94 08:49:37 GMT`
fn rfc850(weekday: usize, rest: &str) -> Option<(usize, Civil, TimeOfDay)> {
    let [date, time, "GMT"] = fields(rest, ' ')? else { return None };
    let [day, month, year] = fields(date, '-')?;
    let year = full_year(digits(year, 2)?.into());
    Some((weekday, (year, month_number(month)?, digits(day, 2)?), time_of_day(time)?))
}

/// `Sun Nov  6 08:49:37 1994`
fn asctime(text: &str) -> Option<(usize, Civil, TimeOfDay)> {
    let (weekday, rest) = text.split_once(' ')?;
    // The day is padded with a space, which would make an empty field.
    let (month, rest) = rest.split_once(' ')?;
    let (day, width) = rest.strip_prefix(' ').map_or((rest, 2), |padded| (padded, 1));
    let [day, time, year] = fields(day, ' ')?;
    let date = (digits(year, 4)?.into(), month_number(month)?, digits(day, width)?);
    Some((short_weekday(weekday)?, date, time_of_day(time)?))
}

fn time_of_day(text: &str) -> Option<TimeOfDay> {
    let [hour, minute, second] = fields(text, ':')?;
    Some((digits(hour, 2)?, digits(minute, 2)?, digits(second, 2)?))
}

/// The parts of a text, if there are exactly `N`.
fn fields<const N: usize>(text: &str, separator: char) -> Option<[&str; N]> {
    let mut parts = text.split(separator);
    let mut fields = [""; N];
    for field in &mut fields {
        *field = parts.next()?;
    }
    parts.next().is_none().then_some(fields)
}

fn digits(text: &str, width: usize) -> Option<u32> {
    let plain = text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

fn short_weekday(text: &str) -> Option<usize> {
    WEEKDAYS.iter().position(|name| name[..3] == *text)
}

fn month_number(text: &str) -> Option<u32> {
    (1..).zip(MONTHS).find_map(|(number, name)| (name == text).then_some(number))
}

/// The year that two digits stand for.
fn full_year(two_digits: i64) -> i64 {
    FIRST_TWO_DIGIT_YEAR + (two_digits - FIRST_TWO_DIGIT_YEAR).rem_euclid(100)
}

/// 0 for Monday to 6 for Sunday; none if there is no such day.
fn weekday_of(date: Civil) -> Option<usize> {
    let days = Timestamp::from_civil(date, (0, 0, 0))?.seconds() / 86_400;
    // 1970-01-01 was a Thursday.
    usize::try_from((days + 3).rem_euclid(7)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str) -> (&'static str, String) {
        match read_http_date(text) {
            DateReading::Legal(time) => ("legal", time.to_second_text()),
            DateReading::Irregular(time) => ("irregular", time.to_second_text()),
            DateReading::Unreadable => ("unreadable", String::new()),
        }
    }

    fn all(kind: &str, meaning: &str, texts: &[&str]) {
        for text in texts {
            assert_eq!(check(text), (kind, meaning.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn legal_forms() {
        #[rustfmt::skip]
        let cases = [
            ("Sun, 06 Nov 1994 08:49:37 GMT",     "1994-11-06T08:49:37Z"),
            ("Sunday, 06-Nov-94 08:49:37 GMT",    "1994-11-06T08:49:37Z"),
            ("Sun Nov  6 08:49:37 1994",          "1994-11-06T08:49:37Z"),
            (" Sun, 06 Nov 1994 08:49:37 GMT ",   "1994-11-06T08:49:37Z"),
            ("Wed Nov 16 08:49:37 1994",          "1994-11-16T08:49:37Z"),
            ("Thursday, 01-Jan-70 00:00:00 GMT",  "1970-01-01T00:00:00Z"),
            ("Tuesday, 31-Dec-69 00:00:00 GMT",   "2069-12-31T00:00:00Z"),
            ("Friday, 31-Dec-99 23:59:59 GMT",    "1999-12-31T23:59:59Z"),
            ("Saturday, 01-Jan-00 00:00:00 GMT",  "2000-01-01T00:00:00Z"),
            ("Sat, 31 Dec 2016 23:59:60 GMT",     "2017-01-01T00:00:00Z"),
            ("Tue, 29 Feb 2000 00:00:00 GMT",     "2000-02-29T00:00:00Z"),
            ("Mon, 01 Jan 0001 00:00:00 GMT",     "0001-01-01T00:00:00Z"),
            ("Fri, 31 Dec 9999 23:59:59 GMT",     "9999-12-31T23:59:59Z"),
        ];
        for (text, meaning) in cases {
            all("legal", meaning, &[text]);
        }
    }

    #[test]
    fn irregular_forms_of_one_second() {
        #[rustfmt::skip]
        all("irregular", "1994-11-06T08:49:37Z", &[
            // The forms of the RFC, not quite.
            "Mon, 06 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt",
            "SUN, 06 NOV 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 6 Nov 1994 8:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "06 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday, 06 November 1994 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 1994 GMT",
            "Sun Nov  6 08:49:37 GMT 1994", "Nov 6, 1994 08:49:37", "November 6th, 1994, 08:49:37",
            "Sun, 06 Nov 1994 08:49:37", "Sun,  06  Nov  1994  08:49:37  GMT",
            "Sun, 06 Nov 1994 08:49:37GMT", "\"Sun, 06 Nov 1994 08:49:37 GMT\"",
            "1994 Nov 06 08:49:37", "94 Nov 06 08:49:37", "1994-Nov-06 08:49:37",
            "08:49:37 6 Nov 1994", "Sun, 06 Nov 1994 08:49:37.000 GMT",
            // More than a date.
            "Sun, 06 Nov 1994 08:49:37 GMT; length=1234", "Sun, 06 Nov 1994 08:49:37 GMT (cached)",
            "Last modified: Sun, 06 Nov 1994 08:49:37 GMT", "am 6.11.1994 um 08:49:37 Uhr",
            // Other zones.
            "Sun, 06 Nov 1994 09:49:37 +0100", "Sun, 06 Nov 1994 09:49:37+01:00",
            "Sun, 06 Nov 1994 09:49:37 MET", "Sun, 06 Nov 1994 09:49:37 MEZ",
            "Sun Nov  6 09:49:37 MET 1994", "Sun, 06 Nov 1994 10:49:37 CEST",
            "Sun, 06 Nov 1994 10:49:37 MESZ", "Sun, 06 Nov 1994 10:49:37 MET DST",
            "Sun, 06 Nov 1994 03:49:37 EST", "Sun, 06 Nov 1994 01:49:37 PDT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 Z",
            "Sun, 06 Nov 1994 03:49:37 -0500 (EST)", "Sun, 06 Nov 1994 09:49:37 (CET)",
            "Sun Nov 06 1994 09:49:37 GMT+0100 (CET)", "Sun, 06 Nov 1994 07:49:37 GMT-1",
            "Sun, 06 Nov 1994 08:49:37 +0000", "Mon, 07 Nov 1994 00:49:37 +16:00",
            // ISO 8601 and other orders of digits.
            "1994-11-06T08:49:37Z", "1994-11-06T08:49:37", "1994-11-06 08:49:37",
            "1994-11-06T09:49:37+01:00", "1994-11-06T03:49:37-05", "1994-11-06t08:49:37.5z",
            "19941106T084937Z", "19941106T094937+0100", "19941106 08:49:37", "19941106084937",
            "1994/11/06 08:49:37", "1994.11.06 08:49:37", "1994-11-06T08:49:37,25Z",
            "06.11.1994 08:49:37", "6.11.94 08:49:37", "6. 11. 1994 08:49:37",
            "6. November 1994 08:49:37", "Sun 11/06/1994 08:49:37", "Sun, 06/11/94 08:49:37",
            "784111777",
            // Twelve hours.
            "Sun, 06 Nov 1994 08:49:37 AM", "Nov 6, 1994 8:49:37 am GMT", "6 Nov 94 8:49:37 a.m.",
            "Sun, 06 Nov 1994 08:49:37AM GMT",
            // Other languages.
            "So, 06 Nov 1994 08:49:37 GMT", "Sonntag, 06. November 1994 08:49:37 GMT",
            "dim, 06 nov 1994 08:49:37 GMT", "dimanche 6 novembre 1994 08:49:37 GMT",
            "dom, 06 nov 1994 08:49:37 GMT", "domingo, 6 de noviembre de 1994 08:49:37 GMT",
            "domenica 6 novembre 1994 08:49:37", "zo, 06 nov 1994 08:49:37 GMT",
            "zondag 6 november 1994 08:49:37", "söndag 6 november 1994 08:49:37",
        ]);
    }

    #[test]
    fn irregular_forms() {
        #[rustfmt::skip]
        let cases = [
            // Years of programs that add 1900, or put 19 in front.
            ("Mon, 03 Jan 100 10:00:00 GMT",        "2000-01-03T10:00:00Z"),
            ("Mon, 03 Jan 19100 10:00:00 GMT",      "2000-01-03T10:00:00Z"),
            ("Monday, 03-Jan-100 10:00:00 GMT",     "2000-01-03T10:00:00Z"),
            ("Mon Jan  3 10:00:00 19100",           "2000-01-03T10:00:00Z"),
            ("Fri, 05 Oct 101 10:00:00 GMT",        "2001-10-05T10:00:00Z"),
            ("Sun, 15 Nov 19126 10:00:00 GMT",      "2026-11-15T10:00:00Z"),
            ("1/31/100 10:00",                      "2000-01-31T10:00:00Z"),
            // Months and days of other languages, also mangled.
            ("Mi, 06 Mär 1996 10:00:00 GMT",        "1996-03-06T10:00:00Z"),
            ("Mi, 06 Mrz 1996 10:00:00 GMT",        "1996-03-06T10:00:00Z"),
            ("Mi, 06 MÄR 1996 10:00:00 GMT",        "1996-03-06T10:00:00Z"),
            ("Mi, 06 MÃ¤r 1996 10:00:00 GMT",       "1996-03-06T10:00:00Z"),
            ("Mi, 06 M\u{84}r 1996 10:00:00 GMT",   "1996-03-06T10:00:00Z"),
            ("Mi, 06 M\u{fffd}r 1996 10:00:00 GMT", "1996-03-06T10:00:00Z"),
            ("Mi, 06 M?rz 1996 10:00:00 GMT",       "1996-03-06T10:00:00Z"),
            ("Mi, 06 Maerz 1996 10:00:00 GMT",      "1996-03-06T10:00:00Z"),
            ("Mittwoch, 6. März 1996, 10:00 Uhr",   "1996-03-06T10:00:00Z"),
            ("Mo, 15 Jän 1996 10:00:00 MEZ",        "1996-01-15T09:00:00Z"),
            ("Do, 31 Okt 1996 10:00:00 GMT",        "1996-10-31T10:00:00Z"),
            ("Di, 24 Dez 1996 10:00:00 GMT",        "1996-12-24T10:00:00Z"),
            ("mar, 06 fév 1996 10:00:00 GMT",       "1996-02-06T10:00:00Z"),
            ("mar., 06 févr. 1996 10:00:00 GMT",    "1996-02-06T10:00:00Z"),
            ("mar 12 mar 1996 10:00:00",            "1996-03-12T10:00:00Z"),
            ("jeu 15 aoû 1996 10:00:00",            "1996-08-15T10:00:00Z"),
            ("jeudi 15 août 1996 10:00:00",         "1996-08-15T10:00:00Z"),
            ("1er juil. 1996 10:00:00",             "1996-07-01T10:00:00Z"),
            ("lun 03 juin 1996 10:00:00",           "1996-06-03T10:00:00Z"),
            ("mié, 03 ene 1996 10:00:00 GMT",       "1996-01-03T10:00:00Z"),
            ("jue, 15 ago 1996 10:00:00 GMT",       "1996-08-15T10:00:00Z"),
            ("gio, 16 mag 1996 10:00:00 GMT",       "1996-05-16T10:00:00Z"),
            ("lun, 03 giu 1996 10:00:00 GMT",       "1996-06-03T10:00:00Z"),
            ("lun, 01 lug 1996 10:00:00 GMT",       "1996-07-01T10:00:00Z"),
            ("mar, 01 ott 1996 10:00:00 GMT",       "1996-10-01T10:00:00Z"),
            ("martedì 1 ottobre 1996 10:00:00",     "1996-10-01T10:00:00Z"),
            ("wo, 06 mrt 1996 10:00:00 GMT",        "1996-03-06T10:00:00Z"),
            ("vr, 03 mei 1996 10:00:00 GMT",        "1996-05-03T10:00:00Z"),
            ("ter, 01 out 1996 10:00:00 GMT",       "1996-10-01T10:00:00Z"),
            ("seg, 05 fev 1996 10:00:00 GMT",       "1996-02-05T10:00:00Z"),
            ("fre 03 maj 1996 10:00:00",            "1996-05-03T10:00:00Z"),
            // Numbers with one meaning.
            ("31/01/1996",                          "1996-01-31T00:00:00Z"),
            ("01/31/1996",                          "1996-01-31T00:00:00Z"),
            ("05/05/1996 10:00",                    "1996-05-05T10:00:00Z"),
            ("31-01-96 10:00",                      "1996-01-31T10:00:00Z"),
            ("03.02.01 10:00",                      "2001-02-03T10:00:00Z"),
            ("19960131",                            "1996-01-31T00:00:00Z"),
            ("1996-01-31",                          "1996-01-31T00:00:00Z"),
            ("999999999",                           "2001-09-09T01:46:39Z"),
            ("1000000000",                          "2001-09-09T01:46:40Z"),
            ("13 Jan 12 10:00",                     "2012-01-13T10:00:00Z"),
            // Hours.
            ("Jan 31, 1996 12:30 AM",               "1996-01-31T00:30:00Z"),
            ("Jan 31, 1996 12:30 PM",               "1996-01-31T12:30:00Z"),
            ("Jan 31, 1996 1:30 p.m. EST",          "1996-01-31T18:30:00Z"),
            ("Jan 31, 1996 1:30 p. m.",             "1996-01-31T13:30:00Z"),
            ("Jan 31, 1996 13:30 PM",               "1996-01-31T13:30:00Z"),
            ("Wed, 31 Jan 1996 23:30:00 EST",       "1996-02-01T04:30:00Z"),
            ("Wed, 31 Jan 1996 10:00 GMT",          "1996-01-31T10:00:00Z"),
            ("Wed, 31 Jan 1996 10:00:60 CET",       "1996-01-31T09:01:00Z"),
            ("Wed, 31 Jan 1996",                    "1996-01-31T00:00:00Z"),
        ];
        for (text, meaning) in cases {
            all("irregular", meaning, &[text]);
        }
    }

    #[test]
    fn unreadable_texts() {
        #[rustfmt::skip]
        all("unreadable", "", &[
            "", " ", "0", "-1", "1", "now", "Now", "never", "GMT", "Sun", "Nov", "Sun,", "none",
            "Thu, 01 Jan", "Jan 1996", "08:49:37", "08:49:37 GMT", "1996", "12345678901",
            // No such day or time.
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT",
            "1994-13-06T08:49:37Z", "1994-02-29T08:49:37Z", "19941306084937", "19941306",
            "13/13/1994", "Sun, 06 Nov 1994 13:49:37 AM", "Sun, 06 Nov 1994 00:49:37 PM",
            "Mon, 03 Jan 200 10:00:00 GMT", "Mon, 03 Jan 29100 10:00:00 GMT",
            "Mon, 03 Jan 5 10:00:00 GMT", "31 Feb 12", "-784111777", "784111777 seconds",
            "Sun, 06 Nov 1994 08:49:37 +1700", "Sun, 06 Nov 1994 08:49:37 +0160",
            "Sun, 06 Nov 1994 08:49:37 +12345", "99999999999999999999999999",
            // More than one meaning.
            "11/06/1994 08:49:37", "06-11-1994", "01/02/03", "13/01/12",
            "Sun, 06 Nov 1994 08:49:37 XYZ", "Sun, 06 Nov 1994 08:49:37 IST",
            "Sun, 06 Nov Dec 1994 08:49:37 GMT", "06 jui 1994 08:49:37", "1996.01-31",
            "Sun, 06 Nov 1994 08:49:37 GMT, Mon, 07 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT Apache/1.3",
        ]);
        assert_eq!(check(&"Sun, 06 Nov 1994 08:49:37 GMT".repeat(10_000)).0, "unreadable");
        assert_eq!(check(&format!("{}6 Nov 1994", " x".repeat(100))).0, "unreadable");
    }

    /// Pieces of dates in any order, which reach further into the reader than arbitrary text.
    fn pieces() -> impl Strategy<Value = String> {
        #[rustfmt::skip]
        let piece = prop::sample::select(vec![
            "Sun", "Mär", "M?", "Nov", "mar", "T", "Z", "GMT", "MET DST", "am", "p.m.", "06", "6",
            "1994", "100", "19100", "19941106", "084937", "08:49:37", "8:49", ".5", "+", "-0500",
            "-", "/", ".", ":", ",", " ", " ", "(", ";", "ä", "\u{fffd}", "99999999999999999999",
        ]);
        prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in any::<String>()) {
            read_http_date(&text);
        }

        #[test]
        fn any_pieces_are_read(text in pieces()) {
            read_http_date(&text);
        }

        #[test]
        fn legal_forms_round_trip(seconds in 0i64..3_155_760_000) {
            let time = Timestamp::from_seconds(seconds);
            let (year, month, day) = time.date();
            let weekday = WEEKDAYS[weekday_of((year, month, day)).unwrap()];
            let (short, name) = (&weekday[..3], MONTHS[month as usize - 1]);
            let clock = &time.to_second_text()[11..19];
            for text in [
                format!("{short}, {day:02} {name} {year} {clock} GMT"),
                format!("{weekday}, {day:02}-{name}-{:02} {clock} GMT", year % 100),
                format!("{short} {name} {day:2} {clock} {year}"),
            ] {
                prop_assert_eq!(read_http_date(&text), DateReading::Legal(time), "{}", text);
            }
            let iso = time.to_second_text();
            prop_assert_eq!(read_http_date(&iso), DateReading::Irregular(time), "{}", iso);
        }
    }
}
