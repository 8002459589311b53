//! Servers that take their time, or never end.

use super::PAGE;
use crate::answer::{Answer, Step};
use std::time::Duration;

/// Longer than any client should wait; the server stops as soon as the client has gone.
const FOR_EVER: Duration = Duration::from_secs(86_400);

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/// Header bytes one by one.
pub fn slow_header(pause: Duration) -> Answer {
    let head = format!("{HEAD}Content-Length: {}\r\n\r\n", PAGE.len());
    let drip = head.bytes().flat_map(|byte| [Step::send([byte]), Step::Wait(pause)]);
    Answer::script(drip.chain([Step::send(PAGE)]))
}

/// A whole header, then the body byte by byte.
pub fn slow_body(pause: Duration) -> Answer {
    let head = Step::send(format!("{HEAD}Content-Length: {}\r\n\r\n", PAGE.len()));
    let drip = PAGE.bytes().flat_map(|byte| [Step::send([byte]), Step::Wait(pause)]);
    Answer::script([head].into_iter().chain(drip))
}

/// Half a header, then nothing.
pub fn stalled_header() -> Answer {
    Answer::script([Step::send(HEAD), Step::Wait(FOR_EVER)])
}

/// Half a body, then nothing.
pub fn stalled_body() -> Answer {
    let head = format!("{HEAD}Content-Length: {}\r\n\r\n", PAGE.len());
    let half = &PAGE[..PAGE.len() / 2];
    Answer::script([Step::send(head), Step::send(half), Step::Wait(FOR_EVER)])
}

/// Takes the request and says nothing.
pub fn silent() -> Answer {
    Answer::script([Step::Wait(FOR_EVER)])
}

/// Header lines without end.
pub fn endless_header() -> Answer {
    forever(HEAD, "X-Zeile: noch eine Zeile, und sie ist nicht die letzte\r\n", Duration::ZERO)
}

/// One header line without end.
pub fn endless_header_line() -> Answer {
    forever("HTTP/1.1 200 OK\r\nX-Zeile: ", "und so weiter ", Duration::ZERO)
}

/// `100 Continue` for ever.
pub fn endless_interim_answers() -> Answer {
    forever("", "HTTP/1.1 100 Continue\r\n\r\n", Duration::ZERO)
}

/// A body without length that goes on slowly.
pub fn endless_body(pause: Duration) -> Answer {
    forever(&format!("{HEAD}\r\n"), "<p>Und noch ein Absatz.</p>\n", pause)
}

/// Chunks without a last one.
pub fn endless_chunks(pause: Duration) -> Answer {
    let head = format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n");
    forever(&head, "8\r\n<p>Absat\r\n", pause)
}

/// A body without end, as fast as the client takes it.
pub fn flood() -> Answer {
    forever(&format!("{HEAD}\r\n"), &"Flut ".repeat(13_000), Duration::ZERO)
}

fn forever(first: &str, pattern: &str, pause: Duration) -> Answer {
    let pattern = pattern.as_bytes().into();
    Answer::script([Step::send(first), Step::SendForever { pattern, pause }])
}
