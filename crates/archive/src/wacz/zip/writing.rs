//! Writes a zip file entry by entry; memory holds nothing but the directory.

use super::{
    CENTRAL_HEADER, DEFLATED, END, END_64, END_64_LENGTH, EXTRA_64, LARGE_16, LARGE_32,
    LOCAL_HEADER, LOCATOR_64, STORED, UTF_8,
};
use crate::digest::COPY_BUFFER;
use auslese_model::Timestamp;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// How the bytes of an entry are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// As they are, so that readers can jump into them.
    Stored,
    Deflated,
}

/// What was put into the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Put {
    /// Before compression.
    pub(crate) size: u64,
    /// In hexadecimal digits.
    pub(crate) sha256: String,
}

/// A zip file that grows. It is no zip file until [`ZipWriter::finish`].
#[derive(Debug)]
pub(crate) struct ZipWriter {
    out: BufWriter<File>,
    position: u64,
    entries: Vec<Entry>,
    /// In the format of the file: two seconds are the unit.
    time: u32,
    /// Numbers from this one on need the large fields; tests make it small.
    large: u64,
}

#[derive(Debug)]
struct Entry {
    name: String,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    offset: u64,
}

impl ZipWriter {
    /// Begins at the beginning of an empty file; entries get this time.
    pub(crate) fn new(file: File, at: Timestamp) -> ZipWriter {
        ZipWriter {
            out: BufWriter::with_capacity(COPY_BUFFER, file),
            position: 0,
            entries: Vec::new(),
            time: dos_time(at),
            large: u64::from(LARGE_32),
        }
    }

    #[cfg(test)]
    pub(crate) fn with_large_fields_from(mut self, large: u64) -> ZipWriter {
        self.large = large;
        self
    }

    /// Copies an entry whose length is known.
    pub(crate) fn put(
        &mut self,
        name: &str,
        method: Method,
        bytes: &mut dyn Read,
        size: u64,
    ) -> io::Result<Put> {
        let offset = self.position;
        let method_number = match method {
            Method::Stored => STORED,
            Method::Deflated => DEFLATED,
        };
        let mut entry =
            Entry { name: name.to_owned(), method: method_number, crc: 0, packed: 0, size, offset };
        // Deflating may lengthen what cannot be compressed, but never by a tenth.
        let large = size + size / 10 >= self.large;
        self.write(&entry.local_header(self.time, large))?;
        let start = self.position;
        let mut summed = Summed { bytes, crc: Crc::new(), sha256: Sha256::new(), count: 0 };
        match method {
            Method::Stored => self.position += copy(&mut summed, &mut self.out)?,
            Method::Deflated => {
                let mut encoder = DeflateEncoder::new(&mut self.out, Compression::default());
                copy(&mut summed, &mut encoder)?;
                encoder.try_finish()?;
                self.position += encoder.total_out();
            }
        }
        if summed.count != size {
            let cause = format!("{name} has {} bytes instead of {size}", summed.count);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, cause));
        }
        entry.crc = summed.crc.sum();
        entry.packed = self.position - start;
        self.out.seek(SeekFrom::Start(offset))?;
        self.out.write_all(&entry.local_header(self.time, large))?;
        self.out.seek(SeekFrom::Start(self.position))?;
        self.entries.push(entry);
        let sha256 = data_encoding::HEXLOWER.encode(&summed.sha256.finalize());
        Ok(Put { size, sha256 })
    }

    /// Writes the directory, and gives the file back with its length.
    pub(crate) fn finish(mut self) -> io::Result<(File, u64)> {
        let start = self.position;
        for entry in std::mem::take(&mut self.entries) {
            let header = entry.central_header(self.time, self.large);
            self.write(&header)?;
            self.entries.push(entry);
        }
        let end = self.end(start);
        self.write(&end)?;
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((file, self.position))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.position += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn end(&self, start: u64) -> Vec<u8> {
        let (count, length) = (self.entries.len() as u64, self.position - start);
        let is_large = count >= u64::from(LARGE_16) || start >= self.large || length >= self.large;
        let mut bytes = Vec::new();
        let mut out = Fields(&mut bytes);
        if is_large {
            out.u32(END_64);
            out.u64(END_64_LENGTH as u64 - 12);
            out.u16(VERSION_64);
            out.u16(VERSION_64);
            out.u32(0);
            out.u32(0);
            out.u64(count);
            out.u64(count);
            out.u64(length);
            out.u64(start);
            out.u32(LOCATOR_64);
            out.u32(0);
            out.u64(self.position);
            out.u32(1);
        }
        let small = |number: u64| u32::try_from(number).unwrap_or(LARGE_32);
        let count = u16::try_from(count).unwrap_or(LARGE_16);
        out.u32(END);
        out.u16(0);
        out.u16(0);
        out.u16(if is_large { LARGE_16 } else { count });
        out.u16(if is_large { LARGE_16 } else { count });
        out.u32(if is_large { LARGE_32 } else { small(length) });
        out.u32(if is_large { LARGE_32 } else { small(start) });
        out.u16(0);
        bytes
    }
}

/// The version of the format that a reader has to know.
const VERSION: u16 = 20;
const VERSION_64: u16 = 45;
/// Made on Unix, where a file may have permissions.
const MADE_BY: u16 = 3 << 8;
/// A plain file, readable for all.
const ATTRIBUTES: u32 = 0o100_644 << 16;

impl Entry {
    fn local_header(&self, time: u32, large: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = Fields(&mut bytes);
        out.u32(LOCAL_HEADER);
        out.u16(if large { VERSION_64 } else { VERSION });
        self.common(&mut out, time);
        out.u32(if large { LARGE_32 } else { self.packed as u32 });
        out.u32(if large { LARGE_32 } else { self.size as u32 });
        out.u16(self.name.len() as u16);
        out.u16(if large { 20 } else { 0 });
        out.0.extend_from_slice(self.name.as_bytes());
        if large {
            let mut out = Fields(&mut bytes);
            out.u16(EXTRA_64);
            out.u16(16);
            out.u64(self.size);
            out.u64(self.packed);
        }
        bytes
    }

    fn central_header(&self, time: u32, large: u64) -> Vec<u8> {
        let numbers = [self.size, self.packed, self.offset];
        let extra: Vec<u64> = numbers.into_iter().filter(|number| *number >= large).collect();
        let small = |number: u64| if number >= large { LARGE_32 } else { number as u32 };
        let mut bytes = Vec::new();
        let mut out = Fields(&mut bytes);
        out.u32(CENTRAL_HEADER);
        out.u16(MADE_BY | VERSION_64);
        out.u16(if extra.is_empty() { VERSION } else { VERSION_64 });
        self.common(&mut out, time);
        out.u32(small(self.packed));
        out.u32(small(self.size));
        out.u16(self.name.len() as u16);
        out.u16(if extra.is_empty() { 0 } else { 4 + 8 * extra.len() as u16 });
        out.u16(0);
        out.u16(0);
        out.u16(0);
        out.u32(ATTRIBUTES);
        out.u32(small(self.offset));
        out.0.extend_from_slice(self.name.as_bytes());
        if !extra.is_empty() {
            let mut out = Fields(&mut bytes);
            out.u16(EXTRA_64);
            out.u16(8 * extra.len() as u16);
            extra.into_iter().for_each(|number| out.u64(number));
        }
        bytes
    }

    fn common(&self, out: &mut Fields<'_>, time: u32) {
        out.u16(UTF_8);
        out.u16(self.method);
        out.u32(time);
        out.u32(self.crc);
    }
}

/// Numbers in the order of the format.
struct Fields<'a>(&'a mut Vec<u8>);

impl Fields<'_> {
    fn u16(&mut self, number: u16) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn u32(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }
}

/// Sums up what is read.
struct Summed<'a> {
    bytes: &'a mut dyn Read,
    crc: Crc,
    sha256: Sha256,
    count: u64,
}

impl Read for Summed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.crc.update(&buffer[..count]);
        self.sha256.update(&buffer[..count]);
        self.count += count as u64;
        Ok(count)
    }
}

fn copy(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<u64> {
    let mut buffer = vec![0; COPY_BUFFER];
    let mut copied = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Ok(count) => {
                to.write_all(&buffer[..count])?;
                copied += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Date and time as DOS kept them; years that it could not say become its first day.
fn dos_time(at: Timestamp) -> u32 {
    const FIRST_DAY: u32 = (1 << 5 | 1) << 16;
    let digits = at.digits14();
    let part = |from: usize, to: usize| digits.get(from..to).and_then(|it| it.parse::<u32>().ok());
    let numbers = [part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12), part(12, 14)];
    let [Some(year @ 1980..2108), Some(month), Some(day), Some(hour), Some(minute), Some(second)] =
        numbers
    else {
        return FIRST_DAY;
    };
    let date = (year - 1980) << 9 | month << 5 | day;
    let pairs_of_seconds = second / 2;
    date << 16 | hour << 11 | minute << 5 | pairs_of_seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        #[rustfmt::skip]
        let cases = [
            ("2026-11-15T21:40:07Z", (46 << 9 | 11 << 5 | 15) << 16 | 21 << 11 | 40 << 5 | 3),
            ("1970-01-01T00:00:00Z", (1 << 5 | 1) << 16),
        ];
        for (text, expected) in cases {
            assert_eq!(dos_time(crate::read_date(text).unwrap()), expected, "{text}");
        }
    }
}
