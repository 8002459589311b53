//! Reads what a WHOIS server answers, whatever dialect it speaks.
//!
//! There is no parser per registry. Answers come in about nine *shapes* (`key: value`; blocks that
//! refer to each other by handle; `[Section]`; text under a heading; dotted keys; key and value on
//! two lines; a registry's answer and a registrar's after each other; `Registrant Name:`; free
//! text), and all of them use the same vocabulary. So the text is cut into lines ([`lines`]), keys
//! are understood word by word ([`keys`], [`words`]), a reader decides to whom each line belongs
//! ([`reader`]), and what it collected is made into one registration ([`assemble`]).
//!
//! States, in the order they are asked:
//! - `Found`: a holder, or an e-mail or street of one, is told; or the object exists (name servers,
//!   a date, a registrar …) and the answer has no place for a holder at all.
//! - `Redacted`: the object exists and the answer has a place for the holder, but what stands there
//!   is empty, a placeholder, a proxy service, or a handle that is explained nowhere.
//! - `NotFound`, `Throttled`: no object, and a phrase that says so ([`states`]).
//! - `Error`: anything else, such as an empty answer.
//!
//! The work is linear in the length of the answer, which is cut at [`MAX_ANSWER_BYTES`].

mod assemble;
mod contact;
mod entities;
mod free_text;
mod handles;
mod hosts;
mod keys;
mod lines;
mod organizations;
mod placeholders;
mod ranges;
mod reader;
mod records;
mod states;
mod summary;
mod text;
mod unlabelled;
mod words;

pub(crate) use placeholders::{Worth, is_proxy_mail, worth};

use crate::registration::Registration;
use lines::Shape;
use reader::Reader;

/// Reads the answer of a WHOIS server about a domain or an address.
///
/// Any bytes are read; what is not understood is left out.
///
/// ```
/// use auslese_discover::{RegistrationState, parse_whois};
/// let told = parse_whois(b"domain: uni.example\nholder: University of Examples\nnserver: ns1.uni.example.");
/// assert_eq!(told.state, RegistrationState::Found);
/// assert_eq!(told.registrant.holder(), Some("University of Examples"));
/// assert_eq!(told.name_servers, ["ns1.uni.example"]);
/// ```
pub fn parse_whois(answer: &[u8]) -> Registration {
    parse_counted(answer).0
}

/// The registration, and how many bytes were looked at to find it.
fn parse_counted(answer: &[u8]) -> (Registration, usize) {
    let text = text::answer_text(answer);
    let lines: Vec<_> = lines::lines(&text).collect();
    let mut steps = text.len() + lines.len();
    let mut reader = Reader::new();
    let mut ahead = 0;
    for (place, line) in lines.iter().enumerate() {
        // The line after next is found by walking on, never by searching again.
        ahead = ahead.max(place + 1);
        while lines.get(ahead).is_some_and(|line| line.shape == Shape::Blank) {
            ahead += 1;
            steps += 1;
        }
        steps += line.text.len() + 1;
        reader.read(line, lines.get(ahead));
    }
    let registration = assemble::registration(reader.records, &lines, &mut steps);
    (registration, steps)
}

#[cfg(test)]
mod tests;
