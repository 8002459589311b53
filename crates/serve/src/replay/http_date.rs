//! Times as HTTP headers write them (RFC 9110 §5.6.7).

use auslese_model::Timestamp;

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY: i64 = 86_400;

/// `Sun, 15 Nov 2026 21:40:00 GMT`.
pub(super) fn http_date(time: Timestamp) -> String {
    let (year, month, day) = time.date();
    // 1970 began with a Thursday.
    let weekday = (time.seconds().div_euclid(DAY) + 3).rem_euclid(7);
    let weekday = usize::try_from(weekday).map_or("", |at| WEEKDAYS[at]);
    let month = MONTHS.get(month as usize - 1).copied().unwrap_or_default();
    let second = time.seconds().rem_euclid(DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::{DateReading, read_http_date};

    #[test]
    fn dates_read_back() {
        assert_eq!(
            http_date(Timestamp::from_seconds(784_111_777)),
            "Sun, 06 Nov 1994 08:49:37 GMT"
        );
        for seconds in [0, 951_782_400, 1_794_778_800, 4_102_444_799] {
            let time = Timestamp::from_seconds(seconds);
            assert_eq!(read_http_date(&http_date(time)), DateReading::Legal(time));
        }
    }
}
