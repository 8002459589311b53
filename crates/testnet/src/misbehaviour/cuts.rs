//! Connections that end where they should not.

use super::PAGE;
use crate::answer::{Answer, Step};
use std::time::Duration;

/// A reset overtakes bytes that are still under way, so they get time to arrive.
const ARRIVAL: Step = Step::Wait(Duration::from_millis(20));

const HALF_HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/ht";

pub fn reset_before_header() -> Answer {
    Answer::script([Step::Reset])
}

pub fn reset_inside_header() -> Answer {
    Answer::script([Step::send(HALF_HEAD), ARRIVAL, Step::Reset])
}

pub fn reset_inside_body() -> Answer {
    Answer::script([Step::send(head_and_half()), ARRIVAL, Step::Reset])
}

pub fn close_without_answer() -> Answer {
    Answer::script([Step::Close])
}

pub fn close_inside_header() -> Answer {
    Answer::raw(HALF_HEAD)
}

pub fn close_inside_body() -> Answer {
    Answer::raw(head_and_half())
}

/// A proper answer that lets the client think the connection stays open, and closes it.
pub fn close_unannounced() -> Answer {
    Answer::raw(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{PAGE}", PAGE.len()))
}

fn head_and_half() -> String {
    let half = &PAGE[..PAGE.len() / 2];
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{half}", PAGE.len())
}
