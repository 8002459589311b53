//! Odd status lines and versions, and statuses that do not go with what follows.

use super::PAGE;
use crate::answer::Answer;

/// No header at all, as the first servers answered.
pub fn http_0_9() -> Answer {
    Answer::raw(PAGE)
}

pub fn http_1_0_without_length() -> Answer {
    Answer::raw(format!("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}"))
}

/// Not even the space before the missing words.
pub fn status_without_words() -> Answer {
    with_status_line("HTTP/1.1 200")
}

/// What radio stations answered.
pub fn icy() -> Answer {
    with_status_line("ICY 200 OK")
}

pub fn status_999() -> Answer {
    with_status_line("HTTP/1.1 999 Request denied")
}

pub fn status_099() -> Answer {
    with_status_line("HTTP/1.1 099 Zu klein")
}

pub fn status_with_letters() -> Answer {
    with_status_line("HTTP/1.1 2OO OK")
}

pub fn http_9_9() -> Answer {
    with_status_line("HTTP/9.9 200 OK")
}

pub fn lower_case_http() -> Answer {
    with_status_line("http/1.1 200 ok")
}

/// Interim answers before the real one: legal.
pub fn interim_answers() -> Answer {
    Answer::raw(format!(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n\
         HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{PAGE}",
        PAGE.len()
    ))
}

/// A change of protocol that nobody asked for.
pub fn switching_protocols() -> Answer {
    Answer::raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n\0\0\x12\x04\0\0\0\0\0")
}

pub fn no_content_with_body() -> Answer {
    with_status_line("HTTP/1.1 204 No Content")
}

pub fn not_modified_with_body() -> Answer {
    with_status_line("HTTP/1.1 304 Not Modified")
}

/// A success without a body: legal, but rarely meant.
pub fn empty_ok() -> Answer {
    Answer::body("")
}

fn with_status_line(line: &str) -> Answer {
    Answer::raw(format!(
        "{line}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{PAGE}",
        PAGE.len()
    ))
}
