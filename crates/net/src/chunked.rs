//! Takes chunk framing apart (RFC 9112 §7.1), byte by byte, without keeping anything.
//!
//! Extensions and trailers are passed over: they stay in the wire bytes, nobody acts on them. Bare
//! LF, missing digits' zeros and blanks around a size are understood; anything else is the end.

/// Longest chunk size line, extension included; longer ones are an attack.
const LINE_BYTES: usize = 16 << 10;
/// Longest trailer section in all.
const TRAILER_BYTES: usize = 64 << 10;
/// Digits of a chunk size: 2⁶⁰ bytes are more than anyone sends.
const SIZE_DIGITS: u8 = 15;

/// The state between two chunks of input.
#[derive(Debug, Clone)]
pub(crate) struct Chunks {
    state: State,
    /// Bytes of framing since the last payload.
    framing: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Reading the digits of a size.
    Size {
        value: u64,
        digits: u8,
    },
    /// After the digits, until the end of the line.
    Extension {
        value: u64,
    },
    Data {
        left: u64,
    },
    /// The line end after the data.
    DataEnd {
        cr: bool,
    },
    /// A trailer line, so far empty or not.
    Trailer {
        empty: bool,
    },
    Done,
}

/// What one call found at the beginning of its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// So many bytes of payload.
    Payload(usize),
    /// So many bytes of framing.
    Framing(usize),
    /// The input is used up.
    More,
    Done,
    /// The next byte cannot stand here, for the reason given.
    Broken(&'static str),
}

impl Chunks {
    pub(crate) fn new() -> Chunks {
        Chunks { state: State::Size { value: 0, digits: 0 }, framing: 0 }
    }

    /// Says what the input begins with. The caller passes over payload and framing and calls
    /// again with the rest.
    pub(crate) fn next(&mut self, input: &[u8]) -> Piece {
        match self.state {
            State::Done => Piece::Done,
            _ if input.is_empty() => Piece::More,
            State::Data { left } => {
                let count = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
                let left = left - count as u64;
                self.state =
                    if left == 0 { State::DataEnd { cr: false } } else { State::Data { left } };
                self.framing = 0;
                Piece::Payload(count)
            }
            _ => self.framing(input),
        }
    }

    fn framing(&mut self, input: &[u8]) -> Piece {
        for (index, byte) in input.iter().enumerate() {
            if matches!(self.state, State::Data { .. } | State::Done) {
                return Piece::Framing(index);
            }
            if let Err(reason) = self.step(*byte) {
                // What came before the bad byte is framing; the next call meets the bad byte.
                return if index == 0 { Piece::Broken(reason) } else { Piece::Framing(index) };
            }
        }
        Piece::Framing(input.len())
    }

    /// Takes one byte of framing; the state stays as it was if the byte cannot stand there.
    fn step(&mut self, byte: u8) -> Result<(), &'static str> {
        let next = match (self.state, byte) {
            (State::Size { value, digits }, byte) => size(value, digits, byte)?,
            (State::Extension { value: 0 }, b'\n') => State::Trailer { empty: true },
            (State::Extension { value }, b'\n') => State::Data { left: value },
            (state @ State::Extension { .. }, _) if self.framing < LINE_BYTES => state,
            (State::Extension { .. }, _) => return Err("a chunk line without end"),
            (State::DataEnd { cr: false }, b'\r') => State::DataEnd { cr: true },
            (State::DataEnd { .. }, b'\n') => State::Size { value: 0, digits: 0 },
            (State::DataEnd { .. }, _) => return Err("no line end after a chunk"),
            (State::Trailer { empty: true }, b'\n') => State::Done,
            (State::Trailer { .. }, b'\n') => State::Trailer { empty: true },
            (state @ State::Trailer { .. }, b'\r') => state,
            (State::Trailer { .. }, _) if self.framing < TRAILER_BYTES => {
                State::Trailer { empty: false }
            }
            (State::Trailer { .. }, _) => return Err("trailers without end"),
            (state @ (State::Data { .. } | State::Done), _) => state,
        };
        self.framing += 1;
        self.state = next;
        Ok(())
    }
}

fn size(value: u64, digits: u8, byte: u8) -> Result<State, &'static str> {
    let digit = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        b' ' | b'\t' if digits == 0 && value == 0 => return Ok(State::Size { value, digits }),
        b' ' | b'\t' | b';' | b'\r' if digits > 0 => return Ok(State::Extension { value }),
        b'\n' if digits > 0 && value == 0 => return Ok(State::Trailer { empty: true }),
        b'\n' if digits > 0 => return Ok(State::Data { left: value }),
        _ => return Err("no chunk size"),
    };
    match value.checked_mul(16) {
        Some(shifted) if value == 0 || digits < SIZE_DIGITS => Ok(State::Size {
            value: shifted + u64::from(digit),
            // Leading zeros are free, so that padded sizes pass.
            digits: if value == 0 { 1 } else { digits + 1 },
        }),
        _ => Err("a chunk larger than anything"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The payload, how many bytes were used, and how it ended.
    fn decode(input: &[u8], step: usize) -> (Vec<u8>, usize, Piece) {
        let (mut chunks, mut payload, mut used) = (Chunks::new(), Vec::new(), 0);
        let mut end = step.min(input.len());
        loop {
            match chunks.next(&input[used..end]) {
                Piece::Payload(count) => {
                    payload.extend_from_slice(&input[used..used + count]);
                    used += count;
                }
                Piece::Framing(count) => used += count,
                Piece::More if end < input.len() => end = (end + step).min(input.len()),
                piece => return (payload, used, piece),
            }
        }
    }

    #[test]
    fn framings() {
        let broken = |reason| Piece::Broken(reason);
        #[rustfmt::skip]
        let cases: [(&[u8], &[u8], usize, Piece); 18] = [
            (b"5\r\nhello\r\n0\r\n\r\n",            b"hello",  15, Piece::Done),
            (b"5\nhello\n0\n\n",                    b"hello",  11, Piece::Done),
            (b"0\r\n\r\n",                          b"",       5,  Piece::Done),
            (b"3;a=b;c=\"d\"\r\nabc\r\n0;x\r\n\r\n", b"abc",   25, Piece::Done),
            (b"3  \r\nabc\r\n 0 \r\n\r\n",          b"abc",    17, Piece::Done),
            (b"00000000000000000003\r\nabc\r\n0\r\n\r\n", b"abc", 32, Piece::Done),
            (b"A\r\n0123456789\r\n000\r\n\r\n",     b"0123456789", 22, Piece::Done),
            (b"1\r\na\r\n0\r\nX: y\r\nZ: w\r\n\r\n", b"a",     23, Piece::Done),
            (b"1\r\na\r\n0\r\n\r\nrest",            b"a",      11, Piece::Done),
            (b"5\r\nhel",                           b"hel",    6,  Piece::More),
            (b"5\r\nhello",                         b"hello",  8,  Piece::More),
            (b"5\r\nhello\r\n0\r\n",                b"hello",  13, Piece::More),
            (b"5\r\nhelloX\r\n",                    b"hello",  8,  broken("no line end after a chunk")),
            (b"<html>",                             b"",       0,  broken("no chunk size")),
            (b"\r\n",                               b"",       0,  broken("no chunk size")),
            (b"1\r\na\r\n-1\r\n",                   b"a",      6,  broken("no chunk size")),
            (b"ffffffffffffffff\r\n",               b"",       15, broken("a chunk larger than anything")),
            (b";ext\r\n",                           b"",       0,  broken("no chunk size")),
        ];
        for (input, payload, used, end) in cases {
            let text = String::from_utf8_lossy(input);
            for step in [1, 3, 1000] {
                assert_eq!(decode(input, step), (payload.to_vec(), used, end), "{text:?} {step}");
            }
        }
    }

    #[test]
    fn endless_lines_end() {
        let extension = [b"5;", &[b'x'; 100_000][..]].concat();
        assert_eq!(decode(&extension, 999).2, Piece::Broken("a chunk line without end"));
        let trailer = [b"0\r\n".to_vec(), b"a: b\r\n".repeat(100_000)].concat();
        assert_eq!(decode(&trailer, 999).2, Piece::Broken("trailers without end"));
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300), step in 1usize..50) {
            let (payload, used, _) = decode(&bytes, step);
            prop_assert!(used <= bytes.len() && payload.len() <= used);
        }

        #[test]
        fn round_trip(body in proptest::collection::vec(any::<u8>(), 0..300), size in 1usize..70, step in 1usize..40) {
            let mut wire = Vec::new();
            for chunk in body.chunks(size) {
                wire.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                wire.extend_from_slice(chunk);
                wire.extend_from_slice(b"\r\n");
            }
            wire.extend_from_slice(b"0\r\n\r\n");
            prop_assert_eq!(decode(&wire, step), (body, wire.len(), Piece::Done));
        }
    }
}
