//! Lengths that lie, and bytes where none should be.

use super::PAGE;
use crate::answer::{Answer, Step};

/// More is promised than comes.
pub fn length_too_long() -> Answer {
    with_lengths(&[(PAGE.len() + 1000).to_string()])
}

/// Less is promised than comes.
pub fn length_too_short() -> Answer {
    with_lengths(&[(PAGE.len() / 2).to_string()])
}

pub fn negative_length() -> Answer {
    with_lengths(&["-1".to_owned()])
}

pub fn two_different_lengths() -> Answer {
    with_lengths(&[PAGE.len().to_string(), (PAGE.len() / 2).to_string()])
}

/// Allowed by RFC 9112, section 6.3, to be taken as one.
pub fn two_equal_lengths() -> Answer {
    with_lengths(&[PAGE.len().to_string(), PAGE.len().to_string()])
}

pub fn nonsense_length() -> Answer {
    with_lengths(&["viele".to_owned()])
}

/// A length beyond any integer.
pub fn huge_length() -> Answer {
    with_lengths(&["99999999999999999999999999".to_owned()])
}

/// Both framings at once: the length is to be ignored.
pub fn length_and_chunks() -> Answer {
    Answer::raw(format!(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{PAGE}\r\n0\r\n\r\n",
        PAGE.len()
    ))
}

/// No framing at all: the body ends with the connection.
pub fn no_length() -> Answer {
    Answer::raw(format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}"))
}

/// Bytes after the body, on a connection that stays open.
pub fn garbage_after_answer() -> Answer {
    let answer = whole_page() + "<!-- Ende der Seite -->\r\n\r\n";
    Answer::script([Step::send(answer), Step::KeepAlive])
}

/// A second answer to a request nobody made, which a careless client takes for its next one.
pub fn second_answer_unasked() -> Answer {
    let second = "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\nuntergeschoben";
    Answer::script([Step::send(whole_page() + second), Step::KeepAlive])
}

fn whole_page() -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{PAGE}", PAGE.len())
}

fn with_lengths(lengths: &[String]) -> Answer {
    let lines: String =
        lengths.iter().map(|length| format!("Content-Length: {length}\r\n")).collect();
    Answer::raw(format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{lines}\r\n{PAGE}"))
}
