//! Decides where a body ends (RFC 9112 §6.3), and whether the connection survives it.
//!
//! Contradictions are settled so that as much as possible of the body is kept; after any of them
//! the connection is not used again, because its next bytes could belong to either message.

use crate::head::Head;
use crate::oddity::{self, Oddities};
use auslese_model::Method;

/// How the end of a body is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// There is no body.
    Empty,
    Length(u64),
    /// Chunks; the length that was said as well, in case they turn out to be none.
    Chunked {
        otherwise: Option<u64>,
    },
    UntilClose,
}

/// What a response's header says about its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) framing: Framing,
    pub(crate) reusable: bool,
}

pub(crate) fn plan(method: Method, head: &Head, oddities: &mut Oddities) -> Plan {
    let length = length(head, oddities);
    let coding = transfer_coding(head, oddities);
    let mut reusable = stays_open(head);
    let bodiless = method == Method::Head || matches!(head.status, 100..=199 | 204 | 304);
    let framing = match (coding, length) {
        _ if bodiless => Framing::Empty,
        (Coding::Chunked, length) => {
            if length != Length::Unsaid {
                oddities.note(oddity::LENGTH_AND_CHUNKED, || match length.value() {
                    Some(length) => length.to_string(),
                    None => "a length that is none".to_owned(),
                });
                reusable = false;
            }
            Framing::Chunked { otherwise: length.value() }
        }
        (Coding::Unknown, _) => Framing::UntilClose,
        (Coding::Identity, Length::Exactly(length)) => Framing::Length(length),
        (Coding::Identity, Length::Doubtful(length)) => {
            reusable = false;
            Framing::Length(length)
        }
        (Coding::Identity, Length::Unsaid | Length::Nonsense) => Framing::UntilClose,
    };
    let reusable = reusable && framing != Framing::UntilClose && head.status != 101;
    Plan { framing, reusable }
}

/// The length a hook may go by.
pub(crate) fn announced_length(framing: Framing) -> Option<u64> {
    match framing {
        Framing::Length(length) => Some(length),
        Framing::Empty => Some(0),
        Framing::Chunked { .. } | Framing::UntilClose => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Unsaid,
    Exactly(u64),
    /// Said in several ways; the largest.
    Doubtful(u64),
    Nonsense,
}

impl Length {
    fn value(self) -> Option<u64> {
        match self {
            Length::Exactly(length) | Length::Doubtful(length) => Some(length),
            Length::Unsaid | Length::Nonsense => None,
        }
    }
}

fn length(head: &Head, oddities: &mut Oddities) -> Length {
    let mut found = Length::Unsaid;
    for value in values(head, "content-length") {
        let digits = value.trim_ascii();
        let number = std::str::from_utf8(digits).ok().and_then(|text| text.parse::<u64>().ok());
        // `parse` takes a plus sign, which the grammar does not.
        let Some(number) = number.filter(|_| digits.first() != Some(&b'+')) else {
            oddities.note(oddity::BAD_LENGTH, || oddity::shown(value));
            found = if found == Length::Unsaid { Length::Nonsense } else { found };
            continue;
        };
        found = match found {
            Length::Unsaid | Length::Nonsense => Length::Exactly(number),
            Length::Exactly(known) | Length::Doubtful(known) if known == number => {
                oddities.note(oddity::REPEATED_LENGTH, || number.to_string());
                found
            }
            Length::Exactly(known) | Length::Doubtful(known) => {
                oddities.note(oddity::CONFLICTING_LENGTHS, || format!("{known} and {number}"));
                Length::Doubtful(known.max(number))
            }
        };
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Identity,
    Chunked,
    Unknown,
}

/// Only `chunked` as the last coding says where a body ends; `identity` means nothing and is
/// sent all the same.
fn transfer_coding(head: &Head, oddities: &mut Oddities) -> Coding {
    let mut coding = Coding::Identity;
    for name in values(head, "transfer-encoding") {
        let name = name.split(|byte| *byte == b';').next().unwrap_or(name).trim_ascii();
        if name.eq_ignore_ascii_case(b"chunked") {
            coding = Coding::Chunked;
        } else if !name.is_empty() {
            oddities.note(oddity::TRANSFER_CODING, || oddity::shown(name));
            if !name.eq_ignore_ascii_case(b"identity") {
                coding = Coding::Unknown;
            }
        }
    }
    coding
}

fn stays_open(head: &Head) -> bool {
    let says = |word: &str| {
        values(head, "connection")
            .any(|value| value.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
    };
    match head.version.as_str() {
        "HTTP/1.1" => !says("close"),
        "HTTP/1.0" => says("keep-alive") && !says("close"),
        _ => false,
    }
}

/// All values of a header, lists taken apart.
fn values<'a>(head: &'a Head, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
    head.headers
        .iter()
        .filter(move |(candidate, _)| candidate.eq_ignore_ascii_case(name))
        .flat_map(|(_, value)| value.split(|byte| *byte == b','))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Framing::*;

    /// Method, status line, header lines; framing, whether the connection stays, oddities.
    type Case = (Method, &'static str, &'static str, Framing, bool, &'static [&'static str]);

    #[test]
    fn plans() {
        let ok = "HTTP/1.1 200 OK";
        #[rustfmt::skip]
        let cases: [Case; 24] = [
            (Method::Get,  ok, "Content-Length: 5",                     Length(5),  true,  &[]),
            (Method::Get,  ok, "Content-Length: 0",                     Length(0),  true,  &[]),
            (Method::Get,  ok, "",                                      UntilClose, false, &[]),
            (Method::Get,  ok, "Transfer-Encoding: chunked",            Chunked { otherwise: None }, true, &[]),
            (Method::Get,  ok, "Transfer-Encoding: Chunked;q=1",        Chunked { otherwise: None }, true, &[]),
            (Method::Head, ok, "Content-Length: 5",                     Empty,      true,  &[]),
            (Method::Get,  "HTTP/1.1 204 No", "Content-Length: 5",      Empty,      true,  &[]),
            (Method::Get,  "HTTP/1.1 304 No", "Content-Length: 5",      Empty,      true,  &[]),
            (Method::Get,  "HTTP/1.1 101 Up", "",                       Empty,      false, &[]),
            (Method::Get,  ok, "Content-Length: 5\r\nConnection: close", Length(5), false, &[]),
            (Method::Get,  ok, "Content-Length: 5\r\nConnection: x, Close", Length(5), false, &[]),
            (Method::Get,  "HTTP/1.0 200 OK", "Content-Length: 5",      Length(5),  false, &[]),
            (Method::Get,  "HTTP/1.0 200 OK", "Content-Length: 5\r\nConnection: Keep-Alive", Length(5), true, &[]),
            (Method::Get,  "ICY 200 OK", "Content-Length: 5",           Length(5),  false, &[]),
            (Method::Get,  ok, "Content-Length: 5\r\nTransfer-Encoding: chunked", Chunked { otherwise: Some(5) }, false, &[oddity::LENGTH_AND_CHUNKED]),
            (Method::Get,  ok, "Content-Length: 5\r\ncontent-length: 5", Length(5), true,  &[oddity::REPEATED_LENGTH]),
            (Method::Get,  ok, "Content-Length: 5, 5",                  Length(5),  true,  &[oddity::REPEATED_LENGTH]),
            (Method::Get,  ok, "Content-Length: 7\r\nContent-Length: 5", Length(7), false, &[oddity::CONFLICTING_LENGTHS]),
            (Method::Get,  ok, "Content-Length: five",                  UntilClose, false, &[oddity::BAD_LENGTH]),
            (Method::Get,  ok, "Content-Length: -1",                    UntilClose, false, &[oddity::BAD_LENGTH]),
            (Method::Get,  ok, "Content-Length: +5",                    UntilClose, false, &[oddity::BAD_LENGTH]),
            (Method::Get,  ok, "Content-Length: 99999999999999999999",  UntilClose, false, &[oddity::BAD_LENGTH]),
            (Method::Get,  ok, "Content-Length: 5\r\nTransfer-Encoding: identity", Length(5), true, &[oddity::TRANSFER_CODING]),
            (Method::Get,  ok, "Transfer-Encoding: gzip",               UntilClose, false, &[oddity::TRANSFER_CODING]),
        ];
        for (method, status, lines, framing, reusable, odd) in cases {
            let raw = format!("{status}\r\n{lines}\r\n\r\n");
            let head = crate::head::parse(raw.as_bytes()).unwrap();
            let mut oddities = Oddities::default();
            let found = plan(method, &head, &mut oddities);
            assert_eq!(found, Plan { framing, reusable }, "{status} {lines}");
            let kinds: Vec<_> = oddities.into_list().into_iter().map(|o| o.kind).collect();
            assert_eq!(kinds, odd, "{status} {lines}");
        }
    }
}
