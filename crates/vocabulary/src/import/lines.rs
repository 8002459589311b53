//! Bytes with a limit, and lines with their number.

use super::limits::{MAX_IMPORT, MAX_RECORD};
use std::io::{self, BufRead, Read};

/// A reader that fails where a file is longer than [`MAX_IMPORT`].
pub(super) struct Metered<R> {
    from: R,
    left: u64,
}

impl<R> Metered<R> {
    pub(super) fn new(from: R) -> Metered<R> {
        Metered { from, left: MAX_IMPORT }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(into)?;
        self.left = self.left.checked_sub(n as u64).ok_or_else(|| {
            let message = format!("the file is longer than {MAX_IMPORT} bytes");
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        Ok(n)
    }
}

/// Lines of a text with their number from 1, without what ends them.
pub(super) struct Lines<R> {
    from: R,
    line: u64,
    buffer: Vec<u8>,
}

/// Why a line is none.
pub(super) enum LineFault {
    TooLong,
    NotUtf8,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn of(from: R) -> Lines<R> {
        Lines { from, line: 0, buffer: Vec::new() }
    }

    /// The next line; of one that is too long the rest is skipped.
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, Result<&str, LineFault>)>> {
        self.buffer.clear();
        let limit = MAX_RECORD as u64 + 1;
        let n = (&mut self.from).take(limit).read_until(b'\n', &mut self.buffer)?;
        if n == 0 {
            return Ok(None);
        }
        self.line += 1;
        if n as u64 == limit && !self.buffer.ends_with(b"\n") {
            self.from.skip_until(b'\n')?;
            return Ok(Some((self.line, Err(LineFault::TooLong))));
        }
        let text = std::str::from_utf8(&self.buffer).map_err(|_| LineFault::NotUtf8);
        Ok(Some((self.line, text.map(|text| text.trim_end_matches(['\n', '\r'])))))
    }
}
