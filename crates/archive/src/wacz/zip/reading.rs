//! Reads zip files that strangers made.
//!
//! The directory is held against the file before anything is unpacked: every entry lies where it is said to, under the
//! same name, within the file, and in no other entry. A file that is not so is refused as a whole, because readers
//! would not agree on what it holds. Unpacking ends where the directory says that the entry ends.

use super::{
    CENTRAL_HEADER, CENTRAL_LENGTH, DEFLATED, ENCRYPTED, END, END_64, END_64_LENGTH, END_LENGTH,
    EXTRA_64, LARGE_16, LARGE_32, LOCAL_HEADER, LOCAL_LENGTH, LOCATOR_64, LOCATOR_64_LENGTH,
    STORED,
};
use crate::digest::COPY_BUFFER;
use crate::error::{ArchiveError, PackageFault};
use crate::section::Section;
use flate2::Crc;
use flate2::read::DeflateDecoder;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Entries of one file.
pub(crate) const MAX_ENTRIES: u64 = 100_000;
/// Bytes of the directory, which is in memory.
pub(crate) const MAX_DIRECTORY: u64 = 64 << 20;
/// Bytes of a name.
pub(crate) const MAX_NAME: usize = 1024;
/// How many times its packed size a deflated entry may have, from [`RATIO_FROM`] bytes on.
pub(crate) const MAX_RATIO: u64 = 200;
const RATIO_FROM: u64 = 1 << 20;

/// A file whose directory was read and found to be true.
#[derive(Debug)]
pub(crate) struct ZipFile {
    file: Arc<File>,
    pub(crate) entries: Vec<ZipEntry>,
    /// Where each is in that list.
    names: BTreeMap<String, usize>,
}

/// A file in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ZipEntry {
    pub(crate) name: String,
    method: u16,
    crc: u32,
    packed: u64,
    pub(crate) size: u64,
    /// Of its header.
    offset: u64,
    /// Of its bytes.
    start: u64,
}

/// What came out of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unpacked {
    pub(crate) size: u64,
    /// In hexadecimal digits.
    pub(crate) sha256: String,
    /// Why it is not what the directory says.
    pub(crate) fault: Option<String>,
}

impl ZipFile {
    /// Whether a file begins as zip files do.
    pub(crate) fn is_one(path: &Path) -> Result<bool, ArchiveError> {
        let mut first = [0; 4];
        let file = File::open(path).map_err(ArchiveError::io(path))?;
        let read = file.read_exact_at(&mut first, 0);
        let first = u32::from_le_bytes(first);
        Ok(read.is_ok() && (first == LOCAL_HEADER || first == END))
    }

    pub(crate) fn open(path: &Path) -> Result<ZipFile, ArchiveError> {
        let file = File::open(path).map_err(ArchiveError::io(path))?;
        let length = file.metadata().map_err(ArchiveError::io(path))?.len();
        let directory = Directory { file: &file, path: path.to_owned(), length };
        let entries = directory.read()?;
        let names =
            entries.iter().enumerate().map(|(at, entry)| (entry.name.clone(), at)).collect();
        Ok(ZipFile { file: Arc::new(file), entries, names })
    }

    pub(crate) fn entry(&self, name: &str) -> Option<&ZipEntry> {
        self.names.get(name).map(|at| &self.entries[*at])
    }

    /// Unpacks an entry. What is wrong with it is told with the outcome; an error is one of the writer, or of the disk.
    pub(crate) fn unpack(&self, entry: &ZipEntry, out: &mut dyn Write) -> io::Result<Unpacked> {
        let mut crc = Crc::new();
        let mut sha256 = Sha256::new();
        let mut bytes = self.reader(entry);
        let mut buffer = vec![0; COPY_BUFFER];
        let mut size = 0;
        let fault = loop {
            match bytes.read(&mut buffer) {
                Ok(0) if size < entry.size => break Some("it ends too early".to_owned()),
                Ok(0) if crc.sum() != entry.crc => break Some("its check sum is wrong".to_owned()),
                Ok(0) => break None,
                Ok(count) if size + count as u64 > entry.size => {
                    break Some("it is longer than the directory says".to_owned());
                }
                Ok(count) => {
                    crc.update(&buffer[..count]);
                    sha256.update(&buffer[..count]);
                    out.write_all(&buffer[..count])?;
                    size += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if entry.method == DEFLATED => break Some(error.to_string()),
                Err(error) => return Err(error),
            }
        };
        let sha256 = data_encoding::HEXLOWER.encode(&sha256.finalize());
        Ok(Unpacked { size, sha256, fault })
    }

    fn reader(&self, entry: &ZipEntry) -> ZipReader {
        let packed = Section::new(self.file.clone(), entry.start, entry.packed);
        match entry.method {
            STORED => ZipReader::Stored(packed),
            _ => ZipReader::Deflated(Box::new(DeflateDecoder::new(BufReader::new(packed)))),
        }
    }
}

/// The bytes of an entry.
#[derive(Debug)]
pub(crate) enum ZipReader {
    Stored(Section),
    Deflated(Box<DeflateDecoder<BufReader<Section>>>),
}

impl Read for ZipReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            ZipReader::Stored(bytes) => bytes.read(buffer),
            ZipReader::Deflated(bytes) => bytes.read(buffer),
        }
    }
}

struct Directory<'a> {
    file: &'a File,
    path: PathBuf,
    length: u64,
}

/// What the end of the file says of the directory.
struct Extent {
    start: u64,
    length: u64,
    count: u64,
}

impl Directory<'_> {
    fn read(&self) -> Result<Vec<ZipEntry>, ArchiveError> {
        let Extent { start, length, count } = self.extent()?;
        let bytes = self.bytes(start, length as usize)?;
        let mut rest = Bytes(&bytes);
        let mut entries: Vec<ZipEntry> = Vec::new();
        let mut names = BTreeSet::new();
        while !rest.0.is_empty() {
            let Some(entry) = rest.entry() else {
                return Err(self.fault(PackageFault::Directory("an entry is cut or has no mark")));
            };
            let mut entry = entry.map_err(|fault| self.fault(fault))?;
            let refuse =
                |why| self.fault(PackageFault::Entry { name: printable(&entry.name), why });
            if !names.insert(entry.name.clone()) {
                return Err(refuse("its name occurs twice"));
            }
            entry.start = self.data_start(&entry, start).map_err(refuse)?;
            entries.push(entry);
        }
        if entries.len() as u64 != count {
            let why = "it has another number of entries than it says";
            return Err(self.fault(PackageFault::Directory(why)));
        }
        self.check_places(&entries)?;
        entries.retain(|entry| !entry.name.ends_with('/'));
        Ok(entries)
    }

    /// Finds the record at the end, which must be the last thing in the file, and the large one before it.
    fn extent(&self) -> Result<Extent, ArchiveError> {
        let tail = self.length.min((END_LENGTH + usize::from(u16::MAX)) as u64);
        let tail_start = self.length - tail;
        let bytes = self.bytes(tail_start, tail as usize)?;
        let is_end = |at: &usize| {
            let comment = bytes.len() - at - END_LENGTH;
            Bytes(&bytes[*at..]).u32() == Some(END)
                && bytes[at + 20..at + 22] == (comment as u16).to_le_bytes()
        };
        let last = bytes.len().checked_sub(END_LENGTH);
        let at = last.and_then(|last| (0..=last).rev().find(is_end));
        let at = at.ok_or_else(|| self.fault(PackageFault::NoDirectory))?;
        let mut fields = Bytes(&bytes[at + 8..]);
        let wrong = |why| self.fault(PackageFault::Directory(why));
        let small = (fields.u16(), fields.u16(), fields.u32(), fields.u32());
        let (Some(here), Some(count), Some(length), Some(start)) = small else {
            return Err(self.fault(PackageFault::NoDirectory));
        };
        let end = tail_start + at as u64;
        let is_large =
            here == LARGE_16 || count == LARGE_16 || length == LARGE_32 || start == LARGE_32;
        let (extent, end) = match self.large_extent(end)? {
            Some(large) if is_large => large,
            _ => {
                if here != count {
                    return Err(wrong("it lies on several disks"));
                }
                let extent =
                    Extent { start: start.into(), length: length.into(), count: count.into() };
                (extent, end)
            }
        };
        if extent.start.checked_add(extent.length) != Some(end) {
            return Err(wrong("it does not lie where the end of the file says"));
        }
        if extent.count > MAX_ENTRIES {
            return Err(self.fault(PackageFault::ManyEntries(extent.count)));
        }
        if extent.length > MAX_DIRECTORY {
            return Err(self.fault(PackageFault::LongDirectory(extent.length)));
        }
        Ok(extent)
    }

    /// The numbers of the large record, and where it begins; none if there is none.
    fn large_extent(&self, end: u64) -> Result<Option<(Extent, u64)>, ArchiveError> {
        let Some(locator) = end.checked_sub(LOCATOR_64_LENGTH as u64) else { return Ok(None) };
        let bytes = self.bytes(locator, LOCATOR_64_LENGTH)?;
        let mut fields = Bytes(&bytes);
        if fields.u32() != Some(LOCATOR_64) {
            return Ok(None);
        }
        let wrong = |why| self.fault(PackageFault::Directory(why));
        let at = fields.skip(4).and_then(|()| fields.u64()).unwrap_or(u64::MAX);
        if at.checked_add(END_64_LENGTH as u64).is_none_or(|end| end > locator) {
            return Err(wrong("its large end record lies outside of the file"));
        }
        let bytes = self.bytes(at, END_64_LENGTH)?;
        let mut fields = Bytes(&bytes);
        if fields.u32() != Some(END_64) {
            return Err(wrong("its large end record has no mark"));
        }
        let numbers = fields
            .skip(20)
            .and_then(|()| Some((fields.u64()?, fields.u64()?, fields.u64()?, fields.u64()?)));
        match numbers {
            Some((here, count, length, start)) if here == count => {
                Ok(Some((Extent { start, length, count }, at)))
            }
            _ => Err(wrong("it lies on several disks")),
        }
    }

    /// Where the bytes of an entry begin, by its own header, which must agree with the directory.
    fn data_start(&self, entry: &ZipEntry, limit: u64) -> Result<u64, &'static str> {
        const OUTSIDE: &str = "it lies outside of the file";
        if entry.offset.checked_add(LOCAL_LENGTH as u64).is_none_or(|end| end > limit) {
            return Err(OUTSIDE);
        }
        let header = self.bytes(entry.offset, LOCAL_LENGTH).map_err(|_| OUTSIDE)?;
        let mut fields = Bytes(&header);
        if fields.u32() != Some(LOCAL_HEADER) {
            return Err("there is no entry where it should be");
        }
        let lengths = fields.skip(22).and_then(|()| Some((fields.u16()?, fields.u16()?)));
        let (name, extra) = lengths.ok_or(OUTSIDE)?;
        let name_start = entry.offset + LOCAL_LENGTH as u64;
        let same_name = usize::from(name) == entry.name.len()
            && self.bytes(name_start, name.into()).is_ok_and(|it| it == entry.name.as_bytes());
        if !same_name {
            return Err("its own header has another name");
        }
        let start = name_start + u64::from(name) + u64::from(extra);
        match start.checked_add(entry.packed) {
            Some(end) if end <= limit => Ok(start),
            _ => Err(OUTSIDE),
        }
    }

    /// No entry may lie in another one.
    fn check_places(&self, entries: &[ZipEntry]) -> Result<(), ArchiveError> {
        let mut in_order: Vec<&ZipEntry> = entries.iter().collect();
        in_order.sort_unstable_by_key(|entry| entry.offset);
        for pair in in_order.windows(2) {
            if pair[0].start + pair[0].packed > pair[1].offset {
                let (name, why) = (printable(&pair[1].name), "it lies in another entry");
                return Err(self.fault(PackageFault::Entry { name, why }));
            }
        }
        Ok(())
    }

    fn bytes(&self, at: u64, length: usize) -> Result<Vec<u8>, ArchiveError> {
        let mut bytes = vec![0; length];
        if at.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(self.fault(PackageFault::NoDirectory));
        }
        self.file.read_exact_at(&mut bytes, at).map_err(ArchiveError::io(&self.path))?;
        Ok(bytes)
    }

    fn fault(&self, fault: PackageFault) -> ArchiveError {
        ArchiveError::Package { file: self.path.clone(), fault }
    }
}

/// What is left to read of the directory.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(|_| ())
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// The next entry of the directory; none if it is cut.
    fn entry(&mut self) -> Option<Result<ZipEntry, PackageFault>> {
        let mut fixed = Bytes(self.take(CENTRAL_LENGTH)?);
        if fixed.u32()? != CENTRAL_HEADER {
            return None;
        }
        fixed.skip(4)?;
        let (flags, method) = (fixed.u16()?, fixed.u16()?);
        fixed.skip(4)?;
        let crc = fixed.u32()?;
        let (packed, size) = (fixed.u32()?, fixed.u32()?);
        let (name, extra, comment) = (fixed.u16()?, fixed.u16()?, fixed.u16()?);
        fixed.skip(8)?;
        let offset = fixed.u32()?;
        let name = self.take(name.into())?;
        let extra = self.take(extra.into())?;
        self.skip(comment.into())?;
        let mut large = Bytes(extra).large_numbers();
        let mut number = |small: u32| match (small, &mut large) {
            (LARGE_32, Some(large)) => large.u64(),
            (LARGE_32, None) => None,
            (small, _) => Some(small.into()),
        };
        let (size, packed, offset) = (number(size)?, number(packed)?, number(offset)?);
        let entry = ZipEntry {
            name: String::from_utf8_lossy(name).into_owned(),
            method,
            crc,
            packed,
            size,
            offset,
            start: 0,
        };
        let refused = refusal(&entry, name, flags);
        Some(match refused {
            None => Ok(entry),
            Some(why) => Err(PackageFault::Entry { name: printable(&entry.name), why }),
        })
    }

    /// The extra field with large numbers.
    fn large_numbers(mut self) -> Option<Bytes<'a>> {
        loop {
            let (kind, length) = (self.u16()?, self.u16()?);
            let content = self.take(length.into())?;
            if kind == EXTRA_64 {
                return Some(Bytes(content));
            }
        }
    }
}

/// Why an entry cannot be taken, by what the directory says of it.
fn refusal(entry: &ZipEntry, name: &[u8], flags: u16) -> Option<&'static str> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    let path = entry.name.strip_suffix('/').unwrap_or(&entry.name);
    if name.len() > MAX_NAME {
        Some("its name is too long")
    } else if str::from_utf8(name).is_err() || entry.name.contains(char::is_control) {
        Some("its name cannot be read")
    } else if entry.name.contains('\\') || !path.split('/').all(is_plain) {
        Some("its name leads elsewhere")
    } else if flags & ENCRYPTED != 0 {
        Some("it is encrypted")
    } else if !matches!(entry.method, STORED | DEFLATED) {
        Some("it is compressed by an unknown method")
    } else if entry.method == STORED && entry.packed != entry.size {
        Some("it is stored, and yet has two lengths")
    } else if entry.size > RATIO_FROM && entry.size / MAX_RATIO > entry.packed {
        Some("it unpacks to far more than it is")
    } else {
        None
    }
}

/// A name of a stranger, for a message.
fn printable(name: &str) -> String {
    const SHOWN: usize = 100;
    name.chars().take(SHOWN).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}
