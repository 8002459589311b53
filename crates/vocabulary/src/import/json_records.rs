//! JSON objects one after another, each with its line: those of a file with one object per line, of
//! a list, or a single one.
//!
//! Only strings and brackets are looked at to find where an object ends, so a file of any length
//! needs the memory of its longest object.

use super::limits::MAX_RECORD;
use std::io::{self, BufRead};

pub(super) struct JsonRecords<R> {
    from: R,
    line: u64,
    buffer: Vec<u8>,
}

/// What stands next.
pub(super) enum JsonRecord<'r> {
    /// An object, and the line it begins in.
    Object(u64, &'r [u8]),
    TooLong(u64),
    /// Something that is no object, list or separator.
    Stray(u64, u8),
    /// The file ends within an object that began in this line.
    Unfinished(u64),
    End,
}

impl<R: BufRead> JsonRecords<R> {
    pub(super) fn of(from: R) -> JsonRecords<R> {
        JsonRecords { from, line: 1, buffer: Vec::new() }
    }

    pub(super) fn next(&mut self) -> io::Result<JsonRecord<'_>> {
        loop {
            let Some(byte) = self.byte()? else { return Ok(JsonRecord::End) };
            match byte {
                b'{' => return self.object(),
                b'[' | b']' | b',' | 0x1e => {}
                byte if byte.is_ascii_whitespace() => {}
                byte => return Ok(JsonRecord::Stray(self.line, byte)),
            }
        }
    }

    fn object(&mut self) -> io::Result<JsonRecord<'_>> {
        let start = self.line;
        self.buffer.clear();
        self.buffer.push(b'{');
        let (mut depth, mut in_text, mut escaped) = (1usize, false, false);
        while depth > 0 {
            let bytes = self.from.fill_buf()?;
            if bytes.is_empty() {
                return Ok(JsonRecord::Unfinished(start));
            }
            let mut n = 0;
            for byte in bytes {
                n += 1;
                match (in_text, *byte) {
                    (true, _) if escaped => escaped = false,
                    (true, b'\\') => escaped = true,
                    (true, b'"') => in_text = false,
                    (false, b'"') => in_text = true,
                    (false, b'{' | b'[') => depth += 1,
                    (false, b'}' | b']') => depth -= 1,
                    (_, b'\n') => self.line += 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            self.buffer.extend_from_slice(&bytes[..n]);
            self.from.consume(n);
            if self.buffer.len() > MAX_RECORD {
                return Ok(JsonRecord::TooLong(start));
            }
        }
        Ok(JsonRecord::Object(start, &self.buffer))
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let bytes = self.from.fill_buf()?;
        let Some(&byte) = bytes.first() else { return Ok(None) };
        self.from.consume(1);
        self.line += u64::from(byte == b'\n');
        Ok(Some(byte))
    }
}
