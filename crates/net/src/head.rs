//! Reads the header of a response, however badly it is written.
//!
//! RFC 9112 says what a header looks like; servers that were installed in 1998 say otherwise. A
//! header is refused only if it does not begin like one (no status line at all: HTTP/0.9, an SSH
//! banner, TLS on a plain port), because an archive record without a status line helps nobody.
//! Everything else is read as far as it makes sense; the raw bytes are kept by the caller.

use crate::oddity::{self, Oddities, shown};
use auslese_model::Headers;
use memchr::memchr;

/// A header that has been read.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) version: String,
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    pub(crate) oddities: Oddities,
}

/// Where a header stands in the bytes received so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// It begins at `start` and ends, with the empty line, before `end`.
    Complete {
        start: usize,
        end: usize,
    },
    Partial,
    /// This is no HTTP response.
    Foreign,
}

/// How far the search for a header's end has come, so that a header arriving byte by byte is
/// still read in linear time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Search {
    /// Where the last line begins.
    line: usize,
    /// Before here there is no further line end.
    scanned: usize,
}

/// Line ends that may stand before a status line; more are no response.
const LEADING_BYTES: usize = 64;

/// Finds a header's end; `search` goes with the bytes from call to call.
pub(crate) fn extent(bytes: &[u8], search: &mut Search) -> Extent {
    let leading = bytes.iter().take(LEADING_BYTES);
    let start = leading.take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    if !begins_like_status(&bytes[start..]) {
        return Extent::Foreign;
    }
    search.line = search.line.max(start);
    search.scanned = search.scanned.max(start);
    while let Some(length) = memchr(b'\n', &bytes[search.scanned..]) {
        let end = search.scanned + length + 1;
        if bytes[search.line..end - 1].iter().all(|byte| *byte == b'\r') {
            return Extent::Complete { start, end };
        }
        *search = Search { line: end, scanned: end };
    }
    search.scanned = bytes.len();
    Extent::Partial
}

/// Whether what has arrived so far can still become a status line.
fn begins_like_status(bytes: &[u8]) -> bool {
    let begins_with = |word: &[u8]| {
        let length = bytes.len().min(word.len());
        bytes[..length].eq_ignore_ascii_case(&word[..length])
    };
    begins_with(b"HTTP") || begins_with(b"ICY ")
}

/// Reads a complete header; `None` if its first line has no status number.
pub(crate) fn parse(raw: &[u8]) -> Option<Head> {
    let mut oddities = Oddities::default();
    let mut lines = Lines { rest: raw, oddities: &mut oddities };
    let first = lines.next()?;
    let (version, status) = status_line(first, lines.oddities)?;
    let mut headers = Headers::default();
    let mut open: Option<(String, Vec<u8>)> = None;
    while let Some(line) = lines.next() {
        if line.is_empty() {
            break;
        }
        if matches!(line[0], b' ' | b'\t') {
            fold(line, &mut open, lines.oddities);
            continue;
        }
        if let Some((name, value)) = open.take() {
            headers.push(name, value);
        }
        open = header_line(line, lines.oddities);
    }
    if let Some((name, value)) = open {
        headers.push(name, value);
    }
    Some(Head { version, status, headers, oddities })
}

/// Lines without their ends, which are noted when odd.
struct Lines<'a, 'o> {
    rest: &'a [u8],
    oddities: &'o mut Oddities,
}

impl<'a> Lines<'a, '_> {
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let length = memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let (mut line, rest) = self.rest.split_at(length);
        self.rest = rest.get(1..).unwrap_or(&[]);
        match line.strip_suffix(b"\r") {
            Some(stripped) => line = stripped,
            None => self.oddities.note(oddity::BARE_LF, || shown(line)),
        }
        while let Some(stripped) = line.strip_suffix(b"\r") {
            self.oddities.note(oddity::BARE_CR, || shown(stripped));
            line = stripped;
        }
        Some(line)
    }
}

/// `HTTP/1.1 200 OK`, and what is sent instead of it.
fn status_line(line: &[u8], oddities: &mut Oddities) -> Option<(String, u16)> {
    let mut words = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|w| !w.is_empty());
    let version = words.next()?;
    let status = words.next()?;
    let status: u16 = match status {
        [b'1'..=b'9', b'0'..=b'9', b'0'..=b'9'] => {
            std::str::from_utf8(status).ok()?.parse().ok()?
        }
        _ => return None,
    };
    let legal = matches!(version, b"HTTP/1.1" | b"HTTP/1.0")
        && line.get(8) == Some(&b' ')
        && line.get(12) == Some(&b' ');
    if !legal {
        oddities.note(oddity::STATUS_LINE, || shown(line));
    }
    Some((String::from_utf8_lossy(version).into_owned(), status))
}

fn header_line(line: &[u8], oddities: &mut Oddities) -> Option<(String, Vec<u8>)> {
    let colon = memchr(b':', line);
    let name = colon.map_or(&[][..], |at| &line[..at]);
    let trimmed = name.trim_ascii();
    if trimmed.is_empty() {
        oddities.note(oddity::HEADER_LINE, || shown(line));
        return None;
    }
    if trimmed.len() != name.len() {
        oddities.note(oddity::SPACE_BEFORE_COLON, || shown(line));
    }
    let value = line[name.len() + 1..].trim_ascii();
    note_odd_bytes(trimmed, value, line, oddities);
    Some((latin1(trimmed), value.to_vec()))
}

fn note_odd_bytes(name: &[u8], value: &[u8], line: &[u8], oddities: &mut Oddities) {
    if !name.iter().all(|byte| is_token(*byte)) {
        oddities.note(oddity::HEADER_NAME, || shown(line));
    }
    // One pass for the usual line, in which nothing is odd.
    if value.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        return;
    }
    if value.contains(&0) {
        oddities.note(oddity::NUL_IN_HEADER, || shown(line));
    }
    if value.contains(&b'\r') {
        oddities.note(oddity::BARE_CR, || shown(line));
    }
    if !value.is_ascii() {
        oddities.note(oddity::NON_ASCII, || shown(line));
    }
}

/// Appends a continuation line to the header before it.
fn fold(line: &[u8], open: &mut Option<(String, Vec<u8>)>, oddities: &mut Oddities) {
    match open {
        Some((_, value)) => {
            oddities.note(oddity::FOLDED_LINE, || shown(line));
            let rest = line.trim_ascii();
            if !value.is_empty() && !rest.is_empty() {
                value.push(b' ');
            }
            value.extend_from_slice(rest);
        }
        None => oddities.note(oddity::HEADER_LINE, || shown(line)),
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn latin1(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(head: &Head) -> Vec<String> {
        head.oddities.clone().into_list().into_iter().map(|oddity| oddity.kind).collect()
    }

    /// A header, its version and status, oddities.
    type StatusCase = (&'static str, Option<(&'static str, u16)>, &'static [&'static str]);
    /// Header lines, what is read, oddities.
    type LineCase =
        (&'static [u8], &'static [(&'static str, &'static [u8])], &'static [&'static str]);

    #[test]
    fn status_lines() {
        #[rustfmt::skip]
        let cases: [StatusCase; 13] = [
            ("HTTP/1.1 200 OK\r\n\r\n",      Some(("HTTP/1.1", 200)), &[]),
            ("HTTP/1.0 404 Not Found\r\n\r\n", Some(("HTTP/1.0", 404)), &[]),
            ("HTTP/1.1 200 \r\n\r\n",        Some(("HTTP/1.1", 200)), &[]),
            ("HTTP/1.1 200\r\n\r\n",         Some(("HTTP/1.1", 200)), &[oddity::STATUS_LINE]),
            ("ICY 200 OK\r\n\r\n",           Some(("ICY", 200)),      &[oddity::STATUS_LINE]),
            ("http/1.1  200  OK\r\n\r\n",    Some(("http/1.1", 200)), &[oddity::STATUS_LINE]),
            ("HTTP/2 301 Moved\r\n\r\n",     Some(("HTTP/2", 301)),   &[oddity::STATUS_LINE]),
            ("HTTP 200 OK\r\n\r\n",          Some(("HTTP", 200)),     &[oddity::STATUS_LINE]),
            ("HTTP/1.1 200 OK\n\n",          Some(("HTTP/1.1", 200)), &[oddity::BARE_LF]),
            ("HTTP/1.1 20 OK\r\n\r\n",       None, &[]),
            ("HTTP/1.1 2000 OK\r\n\r\n",     None, &[]),
            ("HTTP/1.1 OK\r\n\r\n",          None, &[]),
            ("HTTP/1.1\r\n\r\n",             None, &[]),
        ];
        for (text, expected, odd) in cases {
            let head = parse(text.as_bytes());
            let found = head.as_ref().map(|head| (head.version.as_str(), head.status));
            assert_eq!(found, expected, "{text:?}");
            assert_eq!(head.as_ref().map(kinds).unwrap_or_default(), odd, "{text:?}");
        }
    }

    #[test]
    fn header_lines() {
        #[rustfmt::skip]
        let cases: [LineCase; 14] = [
            (b"A: b\r\n",             &[("A", b"b")],             &[]),
            (b"a:b\r\nA :\t c \r\n",  &[("a", b"b"), ("A", b"c")], &[oddity::SPACE_BEFORE_COLON]),
            (b"A: b\n",               &[("A", b"b")],             &[oddity::BARE_LF]),
            (b"A:\r\n",               &[("A", b"")],              &[]),
            (b"A: b: c\r\n",          &[("A", b"b: c")],          &[]),
            (b"no colon\r\nA: b\r\n", &[("A", b"b")],             &[oddity::HEADER_LINE]),
            (b": b\r\n",              &[],                        &[oddity::HEADER_LINE]),
            (b"A: b\r\n  c\r\n\td\r\n", &[("A", b"b c d")],       &[oddity::FOLDED_LINE]),
            (b" a\r\nA: b\r\n",       &[("A", b"b")],             &[oddity::HEADER_LINE]),
            (b"A: \x00b\r\n",         &[("A", b"\x00b")],         &[oddity::NUL_IN_HEADER]),
            (b"A: caf\xe9\r\n",       &[("A", b"caf\xe9")],       &[oddity::NON_ASCII]),
            (b"A: b\rc\r\n",          &[("A", b"b\rc")],          &[oddity::BARE_CR]),
            (b"A: b\r\r\n",           &[("A", b"b")],             &[oddity::BARE_CR]),
            (b"<b>: b\r\n",           &[("<b>", b"b")],           &[oddity::HEADER_NAME]),
        ];
        for (lines, expected, odd) in cases {
            let raw = [b"HTTP/1.1 200 OK\r\n", lines, b"\r\n"].concat();
            let head = parse(&raw).unwrap();
            let text = String::from_utf8_lossy(lines);
            assert_eq!(head.headers.iter().collect::<Vec<_>>(), expected, "{text:?}");
            assert_eq!(kinds(&head), odd, "{text:?}");
        }
    }

    #[test]
    fn extents() {
        use Extent::*;
        #[rustfmt::skip]
        let cases: [(&str, Extent); 12] = [
            ("",                                Partial),
            ("\r\n",                            Partial),
            ("H",                               Partial),
            ("HTTP/1.1 200 OK\r\n",             Partial),
            ("HTTP/1.1 200 OK\r\n\r",           Partial),
            ("HTTP/1.1 200 OK\r\n\r\nbody",     Complete { start: 0, end: 19 }),
            ("HTTP/1.1 200 OK\n\nbody",         Complete { start: 0, end: 17 }),
            ("\r\n\nHTTP/1.1 200 OK\n\n",       Complete { start: 3, end: 20 }),
            ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", Complete { start: 0, end: 25 }),
            ("SSH-2.0-OpenSSH",                 Foreign),
            ("<html>",                          Foreign),
            ("\x15\x03\x01",                    Foreign),
        ];
        for (text, expected) in cases {
            assert_eq!(extent(text.as_bytes(), &mut Search::default()), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let raw = [b"HTTP/1.1 200 OK\r\n", &bytes[..]].concat();
            extent(&bytes, &mut Search::default());
            let head = parse(&raw);
            prop_assert!(head.is_some());
            parse(&bytes);
        }

        /// Arriving in pieces changes nothing.
        #[test]
        fn pieces(text in "HTTP/1[a-z :\r\n]{0,80}\r\n\r\n") {
            let bytes = text.as_bytes();
            let whole = extent(bytes, &mut Search::default());
            let mut search = Search::default();
            let mut found = Extent::Partial;
            for end in 0..=bytes.len() {
                found = extent(&bytes[..end], &mut search);
                if found != Extent::Partial {
                    break;
                }
            }
            prop_assert_eq!(found, whole);
        }
    }
}
