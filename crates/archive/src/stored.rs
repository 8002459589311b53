//! One record, read as a whole: what stages use that work over the archive.

use crate::digest::COPY_BUFFER;
use crate::error::{ArchiveError, Damage};
use crate::flow::GZIP_MAGIC;
use crate::http_head::HttpHead;
use crate::reader::Reader;
use crate::record::Record;
use crate::section::Section;
use auslese_model::{Body, Place};
use libdeflater::Decompressor;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

/// Payloads up to this size are kept in memory; larger ones go to a file without a name.
const MEMORY_LIMIT: usize = 1024 * 1024;

/// A record with its payload.
#[derive(Debug, Clone)]
pub struct StoredRecord {
    pub record: Record,
    /// The header block, for records that hold an HTTP message.
    pub http: Option<HttpHead>,
    /// The body without transfer coding; for records without HTTP, the whole block.
    pub payload: Body,
}

/// Reads the record at an offset, as [`auslese_model::Place`] gives it.
pub fn read_at(path: &Path, offset: u64) -> Result<StoredRecord, ArchiveError> {
    let file = File::open(path).map_err(ArchiveError::io(path))?;
    read_record(path, file, offset)
}

/// Reads the record at an offset of a file; `path` is for messages.
pub(crate) fn read_record<R: Read + Seek>(
    path: &Path,
    file: R,
    offset: u64,
) -> Result<StoredRecord, ArchiveError> {
    let mut reader = Reader::new(path, file, offset)?;
    let record = reader.next_record()?.filter(|record| record.offset == offset);
    let record = record.ok_or_else(|| ArchiveError::Damaged {
        file: path.to_path_buf(),
        offset,
        damage: Damage::NotARecord,
    })?;
    let http = if record.holds_http() { Some(reader.http_head()?) } else { None };
    let payload = read_body(&mut reader.payload()).map_err(|cause| reader.failed(cause))?;
    reader.end_record()?;
    Ok(StoredRecord { record, http, payload })
}

/// Reads a record that has a gzip member of known length to itself, unpacked in one go, which takes half the time. `None`
/// where that cannot be done: then [`read_record`] can, or tells what is wrong.
pub(crate) fn read_in_one_go(path: &Path, file: &Section, place: &Place) -> Option<StoredRecord> {
    let length = usize::try_from(place.length).ok()?;
    if !(LEAST_MEMBER..MEMORY_LIMIT).contains(&length) {
        return None;
    }
    let mut member = vec![0; length];
    let mut read = 0;
    while read < length {
        match file.read_at(&mut member[read..], place.offset + read as u64) {
            Ok(count @ 1..) => read += count,
            _ => return None,
        }
    }
    // A member ends with the length of what it holds.
    let size = u32::from_le_bytes(*member.last_chunk()?) as usize;
    if !member.starts_with(&GZIP_MAGIC) || size >= MEMORY_LIMIT {
        return None;
    }
    let mut plain = vec![0; size];
    let unpacked = Decompressor::new().gzip_decompress(&member, &mut plain).ok()?;
    let mut stored = read_record(path, Cursor::new(&plain[..unpacked]), 0).ok()?;
    stored.record.offset = place.offset;
    Some(stored)
}

/// Header and end of a gzip member.
const LEAST_MEMBER: usize = 18;

pub(crate) fn read_body(payload: &mut impl Read) -> io::Result<Body> {
    let mut bytes = Vec::new();
    payload.take(MEMORY_LIMIT as u64).read_to_end(&mut bytes)?;
    if bytes.len() < MEMORY_LIMIT {
        return Ok(Body::Memory(bytes));
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(&bytes)?;
    let mut len = bytes.len() as u64;
    let mut buffer = vec![0; COPY_BUFFER];
    loop {
        match payload.read(&mut buffer)? {
            0 => return Ok(Body::Spilled { file: Arc::new(file), len }),
            count => {
                file.write_all(&buffer[..count])?;
                len += count as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    const RECORD: &str = "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 4\r\n\r\ntext\r\n\r\n";

    /// A file that begins with other bytes, then has these as a member.
    fn stored(plain: &str, cut: usize) -> (Section, Place) {
        let mut bytes = b"before".to_vec();
        let mut encoder = GzEncoder::new(&mut bytes, Compression::default());
        encoder.write_all(plain.as_bytes()).unwrap();
        encoder.finish().unwrap();
        bytes.truncate(bytes.len() - cut);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let (offset, length) = (6, bytes.len() as u64 - 6);
        let (file_name, record_id) = ("a.warc.gz".to_owned(), String::new());
        (Section::of_file(file).unwrap(), Place { file: file_name, offset, length, record_id })
    }

    #[test]
    fn both_ways_read_the_same() {
        let path = Path::new("a.warc.gz");
        let (section, place) = stored(RECORD, 0);
        let quick = read_in_one_go(path, &section, &place).expect("it is a member");
        let patient = read_record(path, section, place.offset).unwrap();
        assert_eq!(format!("{quick:?}"), format!("{patient:?}"));
    }

    #[test]
    fn what_is_damaged_is_left_to_the_patient_way() {
        let cases =
            [(RECORD, 1), (RECORD, 9), ("WARC/1.1\r\nContent-Length: 9\r\n\r\ntext", 0), ("", 0)];
        for (plain, cut) in cases {
            let (section, place) = stored(plain, cut);
            let read = read_in_one_go(Path::new("a.warc.gz"), &section, &place);
            assert!(read.is_none(), "{plain} {cut}");
        }
    }
}
