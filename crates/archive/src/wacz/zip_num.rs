//! The index in blocks: each is compressed by itself, and a second index says where each begins. So a reader that looks
//! for an address fetches one block, whatever the length of the whole.

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// Lines in a block, as other tools have it.
const BLOCK_LINES: usize = 300;
/// Bytes of a block, uncompressed, from which on it takes no more lines. Addresses may be very long.
const BLOCK_BYTES: usize = 1 << 20;

/// Takes sorted CDXJ lines and writes both files.
#[derive(Debug)]
pub(super) struct ZipNum<D, I> {
    data: D,
    index: I,
    /// The name of the compressed file, as the index states it.
    name: &'static str,
    block: Vec<u8>,
    lines: usize,
    offset: u64,
}

impl<D: Write, I: Write> ZipNum<D, I> {
    pub(super) fn new(data: D, mut index: I, name: &'static str) -> io::Result<ZipNum<D, I>> {
        let meta = json!({ "format": "cdxj-gzip-1.0", "filename": name });
        writeln!(index, "!meta 0 {meta}")?;
        Ok(ZipNum { data, index, name, block: Vec::new(), lines: 0, offset: 0 })
    }

    /// Writes the last block and gives both files back.
    pub(super) fn finish(mut self) -> io::Result<(D, I)> {
        self.end_block()?;
        self.data.flush()?;
        self.index.flush()?;
        Ok((self.data, self.index))
    }

    fn end_block(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&self.block)?;
        let packed = encoder.finish()?;
        let key = key(&self.block);
        let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(&packed));
        let place = json!({
            "offset": self.offset,
            "length": packed.len(),
            "digest": format!("sha256:{digest}"),
            "filename": self.name,
        });
        self.index.write_all(key)?;
        writeln!(self.index, " {place}")?;
        self.data.write_all(&packed)?;
        self.offset += packed.len() as u64;
        self.block.clear();
        self.lines = 0;
        Ok(())
    }
}

/// Key and time of the first line.
fn key(block: &[u8]) -> &[u8] {
    let mut spaces = block.iter().enumerate().filter(|(_, byte)| **byte == b' ');
    let end = spaces.nth(1).map_or(block.len(), |(at, _)| at);
    &block[..end]
}

impl<D: Write, I: Write> Write for ZipNum<D, I> {
    /// Takes up to one line at a time, so that blocks end with lines.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line_end = bytes.iter().position(|byte| *byte == b'\n');
        let count = line_end.map_or(bytes.len(), |at| at + 1);
        self.block.extend_from_slice(&bytes[..count]);
        if line_end.is_some() {
            self.lines += 1;
            if self.lines >= BLOCK_LINES || self.block.len() >= BLOCK_BYTES {
                self.end_block()?;
            }
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::bufread::GzDecoder;
    use serde_json::Value;
    use std::io::Read;

    #[test]
    fn every_block_is_found() {
        let lines: Vec<String> = (0..1000)
            .map(|number| {
                format!("example,a)/{number:04} 20260102030405 {{\"url\": \"{number}\"}}\n")
            })
            .collect();
        let mut zip_num = ZipNum::new(Vec::new(), Vec::new(), "index.cdx.gz").unwrap();
        // In pieces that end anywhere.
        for piece in lines.concat().as_bytes().chunks(37) {
            zip_num.write_all(piece).unwrap();
        }
        let (data, index) = zip_num.finish().unwrap();
        let index = String::from_utf8(index).unwrap();
        let mut found = String::new();
        let mut blocks = index.lines();
        let meta = blocks.next().unwrap();
        assert_eq!(meta, r#"!meta 0 {"filename":"index.cdx.gz","format":"cdxj-gzip-1.0"}"#);
        let mut count = 0;
        for line in blocks {
            let (key, place) = line.split_once(" {").unwrap();
            let place: Value = serde_json::from_str(&format!("{{{place}")).unwrap();
            let number = |name: &str| place[name].as_u64().unwrap() as usize;
            let packed = &data[number("offset")..][..number("length")];
            let mut block = String::new();
            GzDecoder::new(packed).read_to_string(&mut block).unwrap();
            assert!(block.starts_with(key), "{key}");
            found += &block;
            count += 1;
        }
        assert_eq!((found, count), (lines.concat(), 4));
    }
}
