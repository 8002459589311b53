//! One gzip member per record, compressed before its file is known.
//!
//! Every record names the warcinfo record of its file, but records are compressed on other
//! threads long before the writer decides which file they go to. So a member is made of two
//! parts: the *opening* (gzip header, and the first header lines of the record as an uncompressed
//! deflate block), made by the writer once per file, and the rest, compressed here. The check sum
//! of the whole is combined from the two. The price is about 80 bytes per record.

use crate::digest::{COPY_BUFFER, each_piece};
use crate::error::ArchiveError;
use auslese_model::Body;
use crc32fast::Hasher as Crc;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use libdeflater::{CompressionLvl, Compressor};
use std::cell::RefCell;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

/// Records up to this size are compressed in one go in memory; larger ones stream through a file
/// without a name.
pub(crate) const ONE_GO_LIMIT: u64 = 2 * 1024 * 1024;

/// The strongest level that streams; libdeflate's levels beyond it count as this one.
const STREAM_LEVEL_MAX: u32 = 9;

/// A record without its opening, compressed.
#[derive(Debug)]
pub(crate) struct Member {
    deflated: Body,
    crc: Crc,
    plain_length: u64,
}

/// The pieces of a record behind its opening, in order.
#[derive(Debug)]
pub(crate) struct Pieces<'a> {
    /// Header lines, the empty line, and the beginning of the block.
    pub(crate) head: Vec<u8>,
    pub(crate) body: Option<&'a Body>,
    pub(crate) tail: &'static [u8],
}

impl Pieces<'_> {
    fn length(&self) -> u64 {
        let body = self.body.map_or(0, Body::len);
        (self.head.len() + self.tail.len()) as u64 + body
    }
}

impl Member {
    pub(crate) fn compress(
        pieces: Pieces<'_>,
        level: u8,
        spill_dir: &Path,
    ) -> Result<Member, ArchiveError> {
        if pieces.length() <= ONE_GO_LIMIT {
            Member::in_one_go(&pieces, level)
        } else {
            Member::streamed(&pieces, level, spill_dir)
        }
        .map_err(ArchiveError::io(spill_dir))
    }

    fn in_one_go(pieces: &Pieces<'_>, level: u8) -> io::Result<Member> {
        WORKPLACE.with_borrow_mut(|workplace| {
            workplace.take_in(pieces)?;
            let mut crc = Crc::new();
            crc.update(&workplace.plain);
            let plain_length = workplace.plain.len() as u64;
            let deflated = Body::Memory(workplace.deflate(level));
            Ok(Member { deflated, crc, plain_length })
        })
    }

    fn streamed(pieces: &Pieces<'_>, level: u8, spill_dir: &Path) -> io::Result<Member> {
        let file = BufWriter::with_capacity(COPY_BUFFER, tempfile::tempfile_in(spill_dir)?);
        let level = Compression::new(u32::from(level).min(STREAM_LEVEL_MAX));
        let mut encoder = DeflateEncoder::new(file, level);
        let mut crc = Crc::new();
        let mut outcome = Ok(());
        let mut add = |piece: &[u8]| {
            if outcome.is_ok() {
                crc.update(piece);
                outcome = encoder.write_all(piece);
            }
        };
        add(&pieces.head);
        if let Some(body) = pieces.body {
            each_piece(body, &mut add)?;
        }
        add(pieces.tail);
        outcome?;
        let file = encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        let len = file.metadata()?.len();
        let deflated = Body::Spilled { file: Arc::new(file), len };
        Ok(Member { deflated, crc, plain_length: pieces.length() })
    }

    /// The length of the whole member behind this opening.
    pub(crate) fn length(&self, opening: &Opening) -> u64 {
        opening.bytes.len() as u64 + self.deflated.len() + TRAILER_LENGTH
    }

    /// Writes the whole member.
    pub(crate) fn write(&self, opening: &Opening, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&opening.bytes)?;
        let mut outcome = Ok(());
        each_piece(&self.deflated, |piece| {
            if outcome.is_ok() {
                outcome = out.write_all(piece);
            }
        })?;
        outcome?;
        let mut crc = Crc::new();
        crc.update(opening.plain());
        crc.combine(&self.crc);
        let plain_length = opening.plain().len() as u64 + self.plain_length;
        out.write_all(&crc.finalize().to_le_bytes())?;
        // RFC 1952 wants the length modulo 2³².
        out.write_all(&(plain_length as u32).to_le_bytes())
    }

    #[cfg(test)]
    pub(crate) fn deflated(&self) -> &Body {
        &self.deflated
    }

    /// At most how many bytes of this member are in memory.
    pub(crate) fn memory(&self) -> usize {
        match &self.deflated {
            Body::Memory(bytes) => bytes.len(),
            Body::Spilled { .. } => 0,
        }
    }
}

/// Check sum and length at the end of a member.
const TRAILER_LENGTH: u64 = 8;

/// Magic, deflate, no flags, no time, no hints, unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Block type and lengths of a stored deflate block.
const STORED_HEADER_LENGTH: usize = 5;

/// What every member of one file begins with.
#[derive(Debug)]
pub(crate) struct Opening {
    bytes: Vec<u8>,
}

impl Opening {
    /// For records that begin with these lines; they are always short.
    pub(crate) fn new(lines: &str) -> Opening {
        let length = u16::try_from(lines.len()).expect("a version line and one field");
        let mut bytes = GZIP_HEADER.to_vec();
        bytes.push(0);
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&(!length).to_le_bytes());
        bytes.extend_from_slice(lines.as_bytes());
        Opening { bytes }
    }

    fn plain(&self) -> &[u8] {
        &self.bytes[GZIP_HEADER.len() + STORED_HEADER_LENGTH..]
    }
}

const LEVELS: usize = 13;

thread_local! {
    static WORKPLACE: RefCell<Workplace> = RefCell::default();
}

/// Where a thread compresses, again and again: compressors hold large tables, and fresh memory for every
/// record would cost as much as compressing it.
#[derive(Default)]
struct Workplace {
    compressors: [Option<Compressor>; LEVELS],
    /// At most [`ONE_GO_LIMIT`] bytes.
    plain: Vec<u8>,
    /// As long as the longest record so far may become; what is in it is overwritten.
    deflated: Vec<u8>,
}

impl Workplace {
    /// Lays out a record in one piece.
    fn take_in(&mut self, pieces: &Pieces<'_>) -> io::Result<()> {
        let plain = &mut self.plain;
        plain.clear();
        plain.extend_from_slice(&pieces.head);
        if let Some(body) = pieces.body {
            each_piece(body, |piece| plain.extend_from_slice(piece))?;
        }
        plain.extend_from_slice(pieces.tail);
        Ok(())
    }

    fn deflate(&mut self, level: u8) -> Vec<u8> {
        let level = usize::from(level).min(LEVELS - 1);
        let compressor = self.compressors[level].get_or_insert_with(|| {
            let level = CompressionLvl::new(level as i32).expect("levels 0 to 12 exist");
            Compressor::new(level)
        });
        let bound = compressor.deflate_compress_bound(self.plain.len());
        if self.deflated.len() < bound {
            self.deflated.resize(bound, 0);
        }
        let length = compressor
            .deflate_compress(&self.plain, &mut self.deflated)
            .expect("the buffer has the size the compressor asked for");
        self.deflated[..length].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::bufread::GzDecoder;
    use proptest::prelude::*;
    use std::io::Read;

    fn check(lines: &str, head: &[u8], body: &[u8], level: u8, streamed: bool) {
        let body = Body::Memory(body.to_vec());
        let pieces = || Pieces { head: head.to_vec(), body: Some(&body), tail: b"\r\n\r\n" };
        let member = if streamed {
            Member::streamed(&pieces(), level, &std::env::temp_dir()).unwrap()
        } else {
            Member::in_one_go(&pieces(), level).unwrap()
        };
        let opening = Opening::new(lines);
        let mut file = Vec::new();
        member.write(&opening, &mut file).unwrap();
        assert_eq!(file.len() as u64, member.length(&opening));
        file.extend_from_slice(b"next");
        let mut plain = Vec::new();
        let mut decoder = GzDecoder::new(&file[..]);
        decoder.read_to_end(&mut plain).unwrap();
        assert_eq!(decoder.into_inner(), b"next");
        let expected = [lines.as_bytes(), head, &body.prefix(usize::MAX).unwrap(), b"\r\n\r\n"];
        assert_eq!(plain, expected.concat());
    }

    proptest! {
        #[test]
        fn members_are_gzip(
            lines in "[a-z]{0,200}",
            head in prop::collection::vec(any::<u8>(), 0..300),
            body in prop::collection::vec(any::<u8>(), 0..3000),
            level in 0u8..14,
            streamed: bool,
        ) {
            check(&lines, &head, &body, level, streamed);
        }
    }

    #[test]
    fn large_bodies_are_not_held_in_memory() {
        let body = Body::Memory(vec![7; ONE_GO_LIMIT as usize + 1]);
        let pieces = Pieces { head: Vec::new(), body: Some(&body), tail: b"" };
        let member = Member::compress(pieces, 1, &std::env::temp_dir()).unwrap();
        assert_eq!(member.memory(), 0);
        assert!(matches!(member.deflated, Body::Spilled { .. }));
    }
}
