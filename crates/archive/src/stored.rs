//! One record, read as a whole: what stages use that work over the archive.

use crate::digest::COPY_BUFFER;
use crate::error::{ArchiveError, Damage};
use crate::http_head::HttpHead;
use crate::reader::Reader;
use crate::record::Record;
use auslese_model::Body;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
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
