//! Reads and edits the header block of an HTTP message inside a record.
//!
//! The reader is forgiving, since archives hold what servers really sent: a header block ends at
//! the first empty line, lines may end in LF alone, and lines without a colon are passed over.
//! The only edit is the renaming of header lines that would be false about the stored body.

use crate::chunked::read_line;
use auslese_model::Headers;
use std::io::{self, BufRead};

/// A header block longer than this is cut: what follows counts as body.
const HEAD_LIMIT: usize = 1024 * 1024;

/// Put before the name of a header line that no longer describes the stored body.
const ORIGINAL: &str = "X-Archive-Orig-";

/// The header block of a stored HTTP message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpHead {
    /// First line and header lines with the empty line that ends them, byte for byte.
    pub raw: Vec<u8>,
    /// 0 for requests, and where the status line cannot be read.
    pub status: u16,
    pub headers: Headers,
}

impl HttpHead {
    /// Reads up to the first empty line and leaves `block` at the beginning of the body.
    pub(crate) fn read(block: &mut impl BufRead) -> io::Result<HttpHead> {
        let mut raw = Vec::new();
        loop {
            let line = read_line(block, HEAD_LIMIT - raw.len())?;
            raw.extend_from_slice(&line);
            if matches!(&line[..], b"" | b"\n" | b"\r\n") {
                return Ok(HttpHead::parse(raw));
            }
        }
    }

    pub(crate) fn parse(raw: Vec<u8>) -> HttpHead {
        let mut lines = lines(&raw);
        let status = lines.next().and_then(status_code).unwrap_or(0);
        let headers = lines.filter_map(header).collect();
        HttpHead { status, headers, raw }
    }

    pub(crate) fn is_chunked(&self) -> bool {
        let codings = self.headers.get("transfer-encoding").unwrap_or_default();
        codings.rsplit(',').next().unwrap_or("").trim().eq_ignore_ascii_case("chunked")
    }

    /// The media type without parameters, as written.
    pub(crate) fn media_type(&self) -> Option<String> {
        let value = self.headers.get("content-type")?;
        let end = value.find(|c: char| c == ';' || c.is_whitespace()).unwrap_or(value.len());
        Some(value[..end].to_owned())
    }
}

/// A header block in which `Transfer-Encoding`, and a `Content-Length` that is not the payload's,
/// carry another name: for a body that is stored without the transfer coding it came in.
pub fn without_transfer_coding(head: &[u8], payload_length: u64) -> Vec<u8> {
    let mut edited = Vec::with_capacity(head.len() + 2 * ORIGINAL.len());
    for (number, line) in head.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if number > 0
            && header(line).is_some_and(|(name, value)| is_false(&name, value, payload_length))
        {
            edited.extend_from_slice(ORIGINAL.as_bytes());
        }
        edited.extend_from_slice(line);
    }
    edited
}

fn is_false(name: &str, value: &[u8], payload_length: u64) -> bool {
    name.eq_ignore_ascii_case("transfer-encoding")
        || name.eq_ignore_ascii_case("content-length")
            && value.trim_ascii() != payload_length.to_string().as_bytes()
}

fn lines(raw: &[u8]) -> impl Iterator<Item = &[u8]> {
    raw.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn status_code(line: &[u8]) -> Option<u16> {
    let words = line.strip_prefix(b"HTTP/")?.split(u8::is_ascii_whitespace);
    let code = words.filter(|word| !word.is_empty()).nth(1)?;
    std::str::from_utf8(code.get(..3)?).ok()?.parse().ok()
}

fn header(line: &[u8]) -> Option<(String, &[u8])> {
    if line.first().is_none_or(|byte| matches!(byte, b' ' | b'\t')) {
        return None;
    }
    let colon = line.iter().position(|byte| *byte == b':')?;
    let name = String::from_utf8_lossy(line[..colon].trim_ascii()).into_owned();
    Some((name, line[colon + 1..].trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn heads() {
        #[rustfmt::skip]
        let cases: [(&[u8], u16, Option<&str>, bool); 7] = [
            (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; a\r\n\r\nbody", 200, Some("text/html"), false),
            (b"HTTP/1.0 404\nCONTENT-TYPE:text/plain\n\nbody",             404, Some("text/plain"), false),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\nbody", 200, None, true),
            (b"HTTP/1.1\r\nbad line\r\n\r\nbody",                          0, None, false),
            (b"ICY 200 OK\r\n\r\nbody",                                    0, None, false),
            ("HTTP/1.1 200 Übel und lang genug äöü\r\n\r\nbody".as_bytes(), 200, None, false),
            (b"HTTP/1.1 99\r\n\r\nbody",                                   0, None, false),
        ];
        for (message, status, media_type, chunked) in cases {
            let mut rest = message;
            let head = HttpHead::read(&mut rest).unwrap();
            assert_eq!(rest, b"body");
            assert_eq!(head.status, status, "{}", String::from_utf8_lossy(message));
            assert_eq!(head.media_type().as_deref(), media_type);
            assert_eq!(head.is_chunked(), chunked);
        }
    }

    #[test]
    fn false_lines_are_renamed() {
        let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding : chunked\r\nContent-Length: 9\r\n\r\n";
        assert_eq!(
            String::from_utf8_lossy(&without_transfer_coding(head, 8)),
            "HTTP/1.1 200 OK\r\nX-Archive-Orig-transfer-encoding : chunked\r\n\
             X-Archive-Orig-Content-Length: 9\r\n\r\n"
        );
        let kept = without_transfer_coding(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", 9);
        assert_eq!(kept, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
            let head = HttpHead::read(&mut &bytes[..]).unwrap();
            prop_assert!(bytes.starts_with(&head.raw));
            without_transfer_coding(&bytes, 1);
        }
    }
}
