//! The few parts of a zip archive that make up a document.
//!
//! Only named parts are unpacked, each on demand and within a budget for the whole archive, so
//! entries that overlap, repeat or unpack without end cost no more than honest ones. Names are
//! compared, never used as paths. The central directory is believed; where it is lost (the file was
//! cut off), the entries are looked for one after the other from the front.

use auslese_model::Oddity;
use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;

/// Entries looked at. A document with a thousand pictures has a thousand and some.
pub const MAX_ENTRIES: usize = 20_000;

/// How much larger than packed a part may be. Text in XML packs to a tenth or twentieth; an empty
/// table may reach a hundredth.
pub const MAX_RATIO: usize = 400;

/// Bytes a part may unpack to. The text of a thesis of 500 pages is 20 MB of XML.
pub const MAX_PART: usize = 64 << 20;

/// Bytes a part may always unpack to, whatever its ratio.
const SMALL_PART: usize = 1 << 20;

/// How far from the end the directory's end record may lie: its longest comment.
const COMMENT: usize = 0xFFFF + 22;

/// An archive.
#[derive(Debug)]
pub(crate) struct Zip<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
    /// Bytes that may still be unpacked.
    budget: usize,
    /// Whether the central directory was there.
    pub(crate) is_whole: bool,
}

#[derive(Debug)]
struct Entry {
    name: String,
    method: u16,
    encrypted: bool,
    /// Where its packed bytes begin, and how many they are.
    start: usize,
    packed: usize,
}

impl<'a> Zip<'a> {
    pub(crate) fn open(bytes: &'a [u8], budget: usize) -> Zip<'a> {
        let entries = directory(bytes).filter(|entries| !entries.is_empty());
        let is_whole = entries.is_some();
        Zip { bytes, entries: entries.unwrap_or_else(|| scattered(bytes)), budget, is_whole }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// Whether there is a part in a folder.
    pub(crate) fn has_in_folder(&self, folder: &str) -> bool {
        let within = |entry: &Entry| {
            let rest = entry.name.strip_prefix(folder);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        self.entries.iter().any(within)
    }

    /// The unpacked part, or `None` if there is none of this name. What could be unpacked before a
    /// fault is returned with it.
    pub(crate) fn part(&mut self, name: &str) -> Option<(Vec<u8>, Option<Oddity>)> {
        let entry = self.entry(name)?;
        if entry.encrypted {
            return Some((Vec::new(), Some(Oddity::new("encrypted", name))));
        }
        let end = entry.start.saturating_add(entry.packed).min(self.bytes.len());
        let packed = self.bytes.get(entry.start..end).unwrap_or_default();
        let ratio = SMALL_PART.max(packed.len().saturating_mul(MAX_RATIO));
        let most = self.budget.min(MAX_PART).min(ratio);
        let (part, oddity) = match entry.method {
            0 => (packed[..packed.len().min(most)].to_vec(), None),
            8 => match inflate(packed, most) {
                Inflated { bytes, end: End::Complete } => (bytes, None),
                Inflated { bytes, end: End::TooLarge } => {
                    (bytes, Some(Oddity::new("too-large-unpacked", name)))
                }
                Inflated { bytes, end: End::Broken } => {
                    (bytes, Some(Oddity::new("truncated", name)))
                }
            },
            method => {
                let detail = format!("{name} is packed by method {method}");
                (Vec::new(), Some(Oddity::new("not-readable", detail)))
            }
        };
        self.budget -= part.len();
        Some((part, oddity))
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
    }
}

struct Inflated {
    bytes: Vec<u8>,
    end: End,
}

enum End {
    Complete,
    TooLarge,
    Broken,
}

/// Unpacks at most so many bytes.
fn inflate(packed: &[u8], most: usize) -> Inflated {
    let mut stream = Decompress::new(false);
    let mut bytes = Vec::new();
    loop {
        let room = most - bytes.len();
        if room == 0 {
            return Inflated { bytes, end: End::TooLarge };
        }
        // Grows by doubling, so that a small part stays small.
        bytes.reserve(room.min(bytes.len().max(64 << 10)));
        let read = usize::try_from(stream.total_in()).unwrap_or(packed.len());
        let before = bytes.len();
        let rest = packed.get(read..).unwrap_or_default();
        let status = stream.decompress_vec(rest, &mut bytes, FlushDecompress::None);
        let consumed = usize::try_from(stream.total_in()).unwrap_or(packed.len());
        if bytes.len() > most {
            bytes.truncate(most);
            return Inflated { bytes, end: End::TooLarge };
        }
        match status {
            Ok(Status::StreamEnd) => return Inflated { bytes, end: End::Complete },
            Ok(_) if consumed > read || bytes.len() > before => {}
            _ => return Inflated { bytes, end: End::Broken },
        }
    }
}

/// The entries by the central directory.
fn directory(bytes: &[u8]) -> Option<Vec<Entry>> {
    let tail = bytes.len().saturating_sub(COMMENT);
    let end = tail + memmem::rfind(&bytes[tail..], b"PK\x05\x06")?;
    let size = number(bytes, end + 12, 4)?;
    let (mut start, mut at) = (number(bytes, end + 16, 4)?, end.checked_sub(size));
    if start == 0xFFFF_FFFF || size == 0xFFFF_FFFF {
        let record = end.checked_sub(20).filter(|at| bytes[*at..].starts_with(b"PK\x06\x07"))?;
        let record = number(bytes, record + 8, 8)?;
        start = number(bytes, record.checked_add(48)?, 8)?;
        at = Some(start);
    }
    // Where something stands before the archive, all offsets are too small by its length.
    let mut at = at.filter(|at| bytes[*at..].starts_with(b"PK\x01\x02")).unwrap_or(start);
    let shift = at.saturating_sub(start);
    let mut entries = Vec::new();
    while entries.len() < MAX_ENTRIES && bytes.get(at..)?.starts_with(b"PK\x01\x02") {
        let lengths = [28, 30, 32].map(|field| number(bytes, at + field, 2));
        let [Some(name), Some(extra), Some(comment)] = lengths else { break };
        let header = at + 46;
        let Some(name_bytes) = bytes.get(header..header + name) else { break };
        let fields = bytes.get(header + name..header + name + extra).unwrap_or_default();
        let wide = WideNumbers::of(fields);
        let mut wide = wide.iter();
        let mut number_or_wide = |field| match number(bytes, at + field, 4)? {
            0xFFFF_FFFF => wide.next(),
            value => Some(value),
        };
        let (_, packed, local) = (number_or_wide(24), number_or_wide(20), number_or_wide(42));
        let local = local.and_then(|local| local.checked_add(shift));
        if let Some(start) = local.and_then(|local| data_start(bytes, local)) {
            entries.push(Entry {
                name: String::from_utf8_lossy(name_bytes).into_owned(),
                method: number(bytes, at + 10, 2)? as u16,
                encrypted: number(bytes, at + 8, 2)? & 1 != 0,
                start,
                packed: packed.unwrap_or(0),
            });
        }
        at = header + name + extra + comment;
    }
    Some(entries)
}

/// The numbers of the zip64 field, in the order in which the header lacks them.
struct WideNumbers<'a>(&'a [u8]);

impl<'a> WideNumbers<'a> {
    fn of(mut fields: &'a [u8]) -> WideNumbers<'a> {
        while let (Some(id), Some(size)) = (number(fields, 0, 2), number(fields, 2, 2)) {
            let end = fields.len().min(4 + size);
            if id == 1 {
                return WideNumbers(&fields[4..end]);
            }
            fields = &fields[end..];
        }
        WideNumbers(&[])
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.chunks_exact(8).filter_map(|chunk| number(chunk, 0, 8))
    }
}

/// Where the packed bytes of the entry begin whose local header stands here.
fn data_start(bytes: &[u8], local: usize) -> Option<usize> {
    if !bytes.get(local..)?.starts_with(b"PK\x03\x04") {
        return None;
    }
    Some(local + 30 + number(bytes, local + 26, 2)? + number(bytes, local + 28, 2)?)
}

/// The entries found by their local headers. Where a header does not say how long the packed bytes
/// are, they end where the next header begins.
fn scattered(bytes: &[u8]) -> Vec<Entry> {
    let mut headers: Vec<usize> =
        memmem::find_iter(bytes, b"PK\x03\x04").take(MAX_ENTRIES).collect();
    headers.push(bytes.len());
    let entry = |pair: &[usize]| {
        let (local, next) = (pair[0], pair[1]);
        let start = data_start(bytes, local)?;
        let name = bytes.get(local + 30..local + 30 + number(bytes, local + 26, 2)?)?;
        let flags = number(bytes, local + 6, 2)?;
        let said = number(bytes, local + 18, 4).filter(|_| flags & 8 == 0);
        Some(Entry {
            name: String::from_utf8_lossy(name).into_owned(),
            method: number(bytes, local + 8, 2)? as u16,
            encrypted: flags & 1 != 0,
            start,
            packed: said.unwrap_or_else(|| next.saturating_sub(start)),
        })
    };
    headers.windows(2).filter_map(entry).collect()
}

/// A little-endian number of so many bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(length)?)?;
    let value = field.iter().rev().fold(0_u64, |value, byte| (value << 8) | u64::from(*byte));
    usize::try_from(value).ok()
}
