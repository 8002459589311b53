//! Removes chunked transfer coding (RFC 9112 §7.1) from stored bodies.
//!
//! Forgiving: a body that does not begin with a chunk is passed through as it stands, because
//! some servers (and some archives) announce chunks and send none; a broken chunk later on ends
//! the payload. Trailers and whatever follows them never belong to the payload. Sizes and trailer
//! are noted on the way, for the metadata record.

use std::io::{self, BufRead, Read};

/// The longest chunk size line that is read as one.
const SIZE_LINE_LIMIT: usize = 1024;
/// As many bytes of size lines are noted; most bodies have far fewer chunks.
const NOTED_SIZES_LIMIT: usize = 8 * 1024;
/// As many bytes of the trailer are noted.
const NOTED_TRAILER_LIMIT: usize = 8 * 1024;

/// A reader of the body inside chunk framing.
#[derive(Debug)]
pub(crate) struct Dechunked<R> {
    inner: R,
    state: State,
    framing: ChunkFraming,
}

/// What the framing was, as far as it is noted.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct ChunkFraming {
    /// The size lines as sent, extensions included, separated by line feeds.
    pub(crate) sizes: Vec<u8>,
    /// Whether [`ChunkFraming::sizes`] holds all of them.
    pub(crate) complete: bool,
    /// The trailer lines as sent.
    pub(crate) trailer: Vec<u8>,
}

#[derive(Debug)]
enum State {
    Start,
    Size,
    Data(u64),
    /// Not chunked at all: what was read in search of a size, then the rest.
    Raw {
        line: Vec<u8>,
        shown: usize,
    },
    End,
}

impl<R: BufRead> Dechunked<R> {
    pub(crate) fn new(inner: R) -> Dechunked<R> {
        let framing = ChunkFraming { complete: true, ..ChunkFraming::default() };
        Dechunked { inner, state: State::Start, framing }
    }

    /// What was noted so far; all of it once the payload has been read to its end.
    pub(crate) fn framing(&self) -> &ChunkFraming {
        &self.framing
    }

    fn next_chunk(&mut self, first: bool) -> io::Result<State> {
        let mut line = read_line(&mut self.inner, SIZE_LINE_LIMIT)?;
        if !first && matches!(&line[..], b"\r\n" | b"\n") {
            line = read_line(&mut self.inner, SIZE_LINE_LIMIT)?;
        }
        match chunk_size(&line) {
            None if first => Ok(State::Raw { line, shown: 0 }),
            None => {
                self.framing.complete = false;
                Ok(State::End)
            }
            Some(size) => {
                self.note_size(line.trim_ascii_end());
                if size > 0 {
                    return Ok(State::Data(size));
                }
                self.read_trailer()?;
                Ok(State::End)
            }
        }
    }

    fn note_size(&mut self, line: &[u8]) {
        let sizes = &mut self.framing.sizes;
        if sizes.len() + line.len() < NOTED_SIZES_LIMIT {
            sizes.extend_from_slice(line);
            sizes.push(b'\n');
        } else {
            self.framing.complete = false;
        }
    }

    fn read_trailer(&mut self) -> io::Result<()> {
        loop {
            let left = NOTED_TRAILER_LIMIT - self.framing.trailer.len();
            let line = read_line(&mut self.inner, left)?;
            if line.trim_ascii().is_empty() {
                return Ok(());
            }
            self.framing.trailer.extend_from_slice(&line);
        }
    }
}

impl<R: BufRead> Read for Dechunked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match &mut self.state {
                State::Start => self.state = self.next_chunk(true)?,
                State::Size => self.state = self.next_chunk(false)?,
                State::Data(0) => self.state = State::Size,
                State::Data(left) => {
                    let wanted = buffer.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                    let count = self.inner.read(&mut buffer[..wanted])?;
                    *left -= count as u64;
                    if count == 0 {
                        self.state = State::End;
                    }
                    return Ok(count);
                }
                State::Raw { line, shown } if *shown < line.len() => {
                    let count = (&line[*shown..]).read(buffer)?;
                    *shown += count;
                    return Ok(count);
                }
                State::Raw { .. } => return self.inner.read(buffer),
                State::End => return Ok(0),
            }
        }
    }
}

/// A line with its end, or as much of it as the limit allows.
pub(crate) fn read_line(inner: &mut impl BufRead, limit: usize) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    inner.take(limit as u64).read_until(b'\n', &mut line)?;
    Ok(line)
}

fn chunk_size(line: &[u8]) -> Option<u64> {
    let line = line.strip_suffix(b"\n")?;
    let digits = line.split(|byte| *byte == b';').next().unwrap_or(line).trim_ascii();
    let plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    let digits = plain.then(|| std::str::from_utf8(digits).ok())??;
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(wire: &[u8]) -> (Vec<u8>, ChunkFraming) {
        let mut reader = Dechunked::new(wire);
        let mut payload = Vec::new();
        reader.read_to_end(&mut payload).unwrap();
        (payload, reader.framing().clone())
    }

    #[test]
    fn payloads() {
        #[rustfmt::skip]
        let cases: [(&[u8], &[u8]); 10] = [
            (b"4\r\nWiki\r\n5;x=y\r\npedia\r\n0\r\n\r\n",   b"Wikipedia"),
            (b"4\nWiki\n0\n\n",                            b"Wiki"),
            (b"4\r\nWiki\r\n0\r\nX-T: 1\r\n\r\ngarbage",    b"Wiki"),
            (b"4  \r\nWiki\r\n0\r\n\r\n",                  b"Wiki"),
            (b"0\r\n\r\n",                                 b""),
            (b"",                                          b""),
            (b"9\r\nWiki",                                 b"Wiki"),
            (b"4\r\nWiki\r\nzz\r\npedia",                  b"Wiki"),
            (b"<html>no chunks\r\n",                       b"<html>no chunks\r\n"),
            (b"ffffffffffffffffff\r\nabc",                 b"ffffffffffffffffff\r\nabc"),
        ];
        for (wire, payload) in cases {
            assert_eq!(check(wire).0, payload, "{}", String::from_utf8_lossy(wire));
        }
    }

    #[test]
    fn framing_is_noted() {
        let (_, framing) = check(b"4;a=1\r\nWiki\r\n0\r\nX-T: 1\r\nX-U: 2\r\n\r\n");
        assert_eq!(framing.sizes, b"4;a=1\n0\n");
        assert_eq!(framing.trailer, b"X-T: 1\r\nX-U: 2\r\n");
        assert!(framing.complete);
    }

    proptest! {
        #[test]
        fn any_bytes(wire in prop::collection::vec(any::<u8>(), 0..2000)) {
            prop_assert!(check(&wire).0.len() <= wire.len());
        }

        #[test]
        fn chunks_of_any_size(chunks in prop::collection::vec("[a-z]{1,40}", 0..20)) {
            let mut wire: String =
                chunks.iter().map(|chunk| format!("{:X}\r\n{chunk}\r\n", chunk.len())).collect();
            wire.push_str("0\r\n\r\n");
            prop_assert_eq!(check(wire.as_bytes()).0, chunks.concat().into_bytes());
        }
    }
}
