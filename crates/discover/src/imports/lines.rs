//! Lines of a stream, in bounded memory.

use super::{DropReason, Finds, MAX_ITEM};
use std::io::{self, BufRead, Read};

/// Calls `take` for each line that is not too long, with its number; returns how many there are.
pub(crate) fn each_line(
    source: &mut dyn BufRead,
    finds: &mut Finds,
    mut take: impl FnMut(&str, u64, &mut Finds),
) -> io::Result<u64> {
    let mut bytes = Vec::new();
    let mut number = 0;
    loop {
        bytes.clear();
        if source.take(MAX_ITEM as u64).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(number);
        }
        number += 1;
        let text = text_of(&bytes);
        if bytes.len() >= MAX_ITEM && !bytes.ends_with(b"\n") {
            finds.drop(&text, number, DropReason::TooLong);
            skip_line(source)?;
            continue;
        }
        let line = text.trim_end_matches(['\n', '\r']);
        take(line.trim_start_matches('\u{feff}'), number, finds);
    }
}

/// Text in UTF-8, or else Latin-1: lists of names have umlauts at most.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Passes over the rest of a line.
pub(crate) fn skip_line(source: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = source.fill_buf()?;
        let (length, ended) = match memchr::memchr(b'\n', buffer) {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        source.consume(length);
        if ended {
            return Ok(());
        }
    }
}
