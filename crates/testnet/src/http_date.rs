//! Dates as HTTP servers should write them.

use auslese_model::Timestamp;

const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form RFC 9110 lets servers send.
pub fn http_date(time: Timestamp) -> String {
    let (year, month, day) = time.date();
    let seconds = time.seconds();
    let of_day = seconds.rem_euclid(86_400);
    let weekday = WEEKDAYS[seconds.div_euclid(86_400).rem_euclid(7) as usize];
    let month = MONTHS[month as usize - 1];
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        #[rustfmt::skip]
        let cases = [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0,           "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1,          "Wed, 31 Dec 1969 23:59:59 GMT"),
        ];
        for (seconds, text) in cases {
            assert_eq!(http_date(Timestamp::from_seconds(seconds)), text);
        }
    }
}
