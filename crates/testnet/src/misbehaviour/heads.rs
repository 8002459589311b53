//! Headers that break the grammar of RFC 9112.

use super::{PAGE, page_with_line};
use crate::answer::{Answer, Step};

/// One header line of so many bytes.
pub fn large_header(bytes: u64) -> Answer {
    Answer::script([
        Step::send("HTTP/1.1 200 OK\r\nX-Lang: "),
        Step::Repeat { pattern: b"x"[..].into(), times: bytes },
        Step::send(format!("\r\nContent-Length: {}\r\n\r\n{PAGE}", PAGE.len())),
    ])
}

/// So many short header lines.
pub fn many_header_lines(lines: u64) -> Answer {
    Answer::script([
        Step::send("HTTP/1.1 200 OK\r\n"),
        Step::Repeat { pattern: b"X-Viele: 1\r\n"[..].into(), times: lines },
        Step::send(format!("Content-Length: {}\r\n\r\n{PAGE}", PAGE.len())),
    ])
}

/// The connection ends before the empty line.
pub fn no_header_end() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n")
}

/// Lines that end with a line feed alone.
pub fn bare_line_feeds() -> Answer {
    let length = PAGE.len();
    Answer::raw(format!(
        "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: {length}\n\n{PAGE}"
    ))
}

pub fn line_without_colon() -> Answer {
    page_with_line("Diese Zeile hat keinen Doppelpunkt")
}

/// A value that goes on in the next line, as RFC 2616 still allowed.
pub fn folded_line() -> Answer {
    page_with_line("X-Gefaltet: erster Teil\r\n zweiter Teil\r\n\tdritter Teil")
}

pub fn space_before_colon() -> Answer {
    page_with_line("X-Abstand : weit")
}

pub fn empty_header_name() -> Answer {
    page_with_line(": ohne Namen")
}

/// Latin-1 bytes in a value.
pub fn non_ascii_header() -> Answer {
    let mut bytes =
        b"HTTP/1.1 200 OK\r\nServer: Universit\xe4t/1.0\r\nX-M\xfcll: \xff\xfe\r\n".to_vec();
    bytes.extend(format!("Content-Length: {}\r\n\r\n{PAGE}", PAGE.len()).bytes());
    Answer::raw(bytes)
}

pub fn nul_in_header() -> Answer {
    page_with_line("X-Null: vor\0nach")
}

/// Empty lines before the status line.
pub fn empty_lines_first() -> Answer {
    Answer::raw(format!("\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{PAGE}", PAGE.len()))
}

/// An illegal `Last-Modified` and `Date`; see the constants for those seen in the wild.
pub fn dated(text: &str) -> Answer {
    Answer::page(PAGE).header("Date", text).header("Last-Modified", text)
}

pub const TWO_DIGIT_YEAR: &str = "Sunday, 06-Nov-94 08:49:37 GMT";
/// Programs that print years since 1900 behind "19" or alone.
pub const YEAR_105: &str = "Sun, 06 Nov 105 08:49:37 GMT";
pub const GERMAN_MONTH: &str = "So, 06 Okt 2002 08:49:37 GMT";
pub const EPOCH_NUMBER: &str = "1036572577";
