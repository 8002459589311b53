//! Compound files (MS-CFB): the little file system in which Word kept its documents.
//!
//! Sectors form chains by a table, and the table itself lies in sectors. Every chain is followed
//! for no more sectors than the file has, so circles end; a stream never grows beyond the file.
//! Sectors that lie beyond the end of a file cut off are missing, those before it are read.

use std::collections::HashSet;

pub(crate) const SIGNATURE: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// Sector numbers from here on are no sectors but signs such as the end of a chain.
const SIGNS: u32 = 0xFFFF_FFFA;

/// Bytes of a directory entry.
const ENTRY: usize = 128;

#[derive(Debug)]
pub(crate) struct CompoundFile<'a> {
    bytes: &'a [u8],
    sector_size: usize,
    table: Vec<u32>,
    mini_table: Vec<u32>,
    /// The stream whose pieces make up the small streams.
    mini_stream: Vec<u8>,
    mini_size: usize,
    /// Streams smaller than this are in the mini stream.
    cutoff: usize,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    kind: u8,
    neighbours: [u32; 2],
    child: u32,
    start: u32,
    size: usize,
}

const STREAM: u8 = 2;
const ROOT: u8 = 5;

impl<'a> CompoundFile<'a> {
    /// `None` if the bytes are no compound file.
    pub(crate) fn open(bytes: &'a [u8]) -> Option<CompoundFile<'a>> {
        let header = bytes.get(..512).filter(|header| header.starts_with(&SIGNATURE))?;
        let shift = |at| u16_at(header, at).filter(|shift| (6..=16).contains(shift));
        let mut file = CompoundFile {
            bytes,
            sector_size: 1 << shift(30).filter(|shift| *shift >= 9)?,
            table: Vec::new(),
            mini_table: Vec::new(),
            mini_stream: Vec::new(),
            mini_size: 1 << shift(32).unwrap_or(6),
            cutoff: u32_at(header, 56)? as usize,
            entries: Vec::new(),
        };
        file.table = file.read_table(header);
        file.mini_table = numbers(&file.chain(u32_at(header, 60)?, bytes.len()));
        let directory = file.chain(u32_at(header, 48)?, bytes.len());
        file.entries =
            directory.chunks_exact(ENTRY).filter_map(|entry| file.entry(entry)).collect();
        let root = file.entries.first().filter(|entry| entry.kind == ROOT);
        let root = root.map(|root| (root.start, root.size));
        file.mini_stream = root.map(|(start, size)| file.chain(start, size)).unwrap_or_default();
        Some(file)
    }

    /// The names in the root storage.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.top_entries().map(|entry| entry.name.as_str())
    }

    /// A stream of the root storage by its name, or the first of that name anywhere if the tree of
    /// names is broken.
    pub(crate) fn stream(&self, name: &str) -> Option<Vec<u8>> {
        let named = |entry: &&Entry| entry.kind == STREAM && entry.name.eq_ignore_ascii_case(name);
        let entry = self.top_entries().find(named).or_else(|| self.entries.iter().find(named))?;
        let is_mini = entry.size < self.cutoff;
        Some(match is_mini {
            true => self.mini_chain(entry.start, entry.size),
            false => self.chain(entry.start, entry.size),
        })
    }

    /// The entries of the root storage, by the tree its directory is.
    fn top_entries(&self) -> impl Iterator<Item = &Entry> {
        let mut next: Vec<u32> = self.entries.first().map(|root| root.child).into_iter().collect();
        let mut seen = HashSet::new();
        std::iter::from_fn(move || {
            loop {
                let number = next.pop()?;
                let Some(entry) = self.entries.get(number as usize) else { continue };
                if seen.insert(number) {
                    next.extend(entry.neighbours);
                    return Some(entry);
                }
            }
        })
    }

    fn entry(&self, bytes: &[u8]) -> Option<Entry> {
        let length = usize::from(u16_at(bytes, 64)?).saturating_sub(2).min(62);
        let units: Vec<u16> = bytes[..length]
            .chunks_exact(2)
            .map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
            .collect();
        Some(Entry {
            name: String::from_utf16_lossy(&units),
            kind: bytes[66],
            neighbours: [u32_at(bytes, 68)?, u32_at(bytes, 72)?],
            child: u32_at(bytes, 76)?,
            start: u32_at(bytes, 116)?,
            size: (u32_at(bytes, 120)? as usize).min(self.bytes.len()),
        })
    }

    /// The table of sectors. Its own sectors are listed in the header and, if they are many, in a
    /// chain of further lists.
    fn read_table(&self, header: &[u8]) -> Vec<u32> {
        let most = self.bytes.len() / self.sector_size + 1;
        let mut lists = numbers(&header[76..512]);
        let mut next = u32_at(header, 68).unwrap_or(SIGNS);
        for _ in 0..most {
            let Some(sector) = self.sector(next) else { break };
            let mut list = numbers(sector);
            next = list.pop().unwrap_or(SIGNS);
            lists.append(&mut list);
            if lists.len() > most {
                break;
            }
        }
        let mut table = Vec::new();
        for sector in lists.into_iter().filter(|sector| *sector < SIGNS) {
            // A table has at most one number for each sector.
            if table.len() > most {
                break;
            }
            match self.sector(sector) {
                Some(sector) => table.extend(numbers(sector)),
                None => table.resize(table.len() + self.sector_size / 4, SIGNS),
            }
        }
        table
    }

    /// The bytes of a sector, fewer if the file ends within it.
    fn sector(&self, number: u32) -> Option<&'a [u8]> {
        let start = (number as usize).checked_add(1)?.checked_mul(self.sector_size)?;
        let end = start.checked_add(self.sector_size)?.min(self.bytes.len());
        self.bytes.get(start..end).filter(|sector| number < SIGNS && !sector.is_empty())
    }

    fn chain(&self, start: u32, size: usize) -> Vec<u8> {
        let mut stream = Vec::new();
        let mut next = start;
        while stream.len() < size.min(self.bytes.len()) {
            let Some(sector) = self.sector(next) else { break };
            stream.extend_from_slice(sector);
            next = self.table.get(next as usize).copied().unwrap_or(SIGNS);
        }
        stream.truncate(size);
        stream
    }

    fn mini_chain(&self, start: u32, size: usize) -> Vec<u8> {
        let mut stream = Vec::new();
        let mut next = start;
        while stream.len() < size {
            let begin = (next as usize).saturating_mul(self.mini_size);
            let end = begin.saturating_add(self.mini_size).min(self.mini_stream.len());
            let Some(piece) = self.mini_stream.get(begin..end).filter(|piece| !piece.is_empty())
            else {
                break;
            };
            stream.extend_from_slice(piece);
            next = self.mini_table.get(next as usize).copied().unwrap_or(SIGNS);
        }
        stream.truncate(size);
        stream
    }
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect()
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes([two[0], two[1]]))
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}
