//! A reader that gives up where one document goes on for too long.

use std::io::{self, BufRead, Read};

/// Bytes that one document of a run may have. Descriptions are a few kilobytes; a file that claims
/// more is damaged or made to do harm.
pub const MAX_RUN_DOCUMENT: u64 = 16 * 1024 * 1024;

pub(super) struct Metered<R> {
    from: R,
    left: u64,
}

impl<R> Metered<R> {
    pub(super) fn new(from: R) -> Metered<R> {
        Metered { from, left: MAX_RUN_DOCUMENT }
    }

    /// A new document begins.
    pub(super) fn reset(&mut self) {
        self.left = MAX_RUN_DOCUMENT;
    }
}

impl<R: BufRead> BufRead for Metered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let all = self.from.fill_buf()?;
        if self.left == 0 && !all.is_empty() {
            let message = format!("a document is longer than {MAX_RUN_DOCUMENT} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(&all[..all.len().min(usize::try_from(self.left).unwrap_or(usize::MAX))])
    }

    fn consume(&mut self, amount: usize) {
        self.left = self.left.saturating_sub(amount as u64);
        self.from.consume(amount);
    }
}

impl<R: BufRead> Read for Metered<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(into)?;
        self.consume(n);
        Ok(n)
    }
}
