//! A sorted run of keys in a file without a name.
//!
//! The file is nothing but the keys, eight bytes each. In memory stay the first key of every block and,
//! where there is room, a filter. Readers look up sorted keys, so each block is read once at most.

use super::filter::Filter;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Keys of a block, which is what one read fetches: a page of memory.
const BLOCK_KEYS: usize = 512;
const BLOCK_BYTES: usize = BLOCK_KEYS * 8;

/// Bytes gathered before they are written.
const WRITE_BUFFER: usize = 1 << 18;

#[derive(Debug)]
pub(super) struct Run {
    file: File,
    keys: u64,
    /// The first key of each block.
    fences: Vec<u64>,
    filter: Option<Filter>,
    /// Where a block is read to.
    block: Vec<u64>,
}

impl Run {
    /// Writes keys that come in order. A filter is made if it takes no more memory than `room`.
    pub(super) fn write(
        folder: &Path,
        keys: &mut dyn Iterator<Item = io::Result<u64>>,
        expected: u64,
        room: u64,
    ) -> io::Result<Run> {
        let file = nameless(folder)?;
        let mut writer = BufWriter::with_capacity(WRITE_BUFFER, &file);
        let mut filter = (Filter::bytes_for(expected) <= room).then(|| Filter::new(expected));
        let (mut fences, mut count) = (Vec::new(), 0u64);
        for key in keys {
            let key = key?;
            if count.is_multiple_of(BLOCK_KEYS as u64) {
                fences.push(key);
            }
            if let Some(filter) = &mut filter {
                filter.insert(key);
            }
            writer.write_all(&key.to_le_bytes())?;
            count += 1;
        }
        writer.flush()?;
        drop(writer);
        Ok(Run { file, keys: count, fences, filter, block: Vec::new() })
    }

    pub(super) fn len(&self) -> u64 {
        self.keys
    }

    pub(super) fn memory(&self) -> u64 {
        let filter = self.filter.as_ref().map_or(0, |_| Filter::bytes_for(self.keys));
        self.fences.len() as u64 * 8 + filter
    }

    /// Those of some sorted keys that are here, in order.
    pub(super) fn look_up(&mut self, keys: &[u64]) -> io::Result<Vec<u64>> {
        let mut found = Vec::new();
        let mut at = usize::MAX;
        let mut from = 0;
        for key in keys {
            if self.filter.as_ref().is_some_and(|filter| !filter.may_hold(*key)) {
                continue;
            }
            // Fences before the last one found are too small for what follows.
            let before = from + self.fences[from..].partition_point(|first| first <= key);
            let Some(block) = before.checked_sub(1) else { continue };
            from = block;
            if block != at {
                self.read_block(block)?;
                at = block;
            }
            if self.block.binary_search(key).is_ok() {
                found.push(*key);
            }
        }
        Ok(found)
    }

    fn read_block(&mut self, number: usize) -> io::Result<()> {
        let first = number as u64 * BLOCK_KEYS as u64;
        let keys = usize::try_from(self.keys - first).unwrap_or(BLOCK_KEYS).min(BLOCK_KEYS);
        let mut bytes = [0; BLOCK_BYTES];
        let bytes = &mut bytes[..keys * 8];
        self.file.read_exact_at(bytes, first * 8)?;
        self.block.clear();
        let (words, _) = bytes.as_chunks::<8>();
        self.block.extend(words.iter().map(|word| u64::from_le_bytes(*word)));
        Ok(())
    }

    /// All keys, in order.
    pub(super) fn keys(&mut self) -> Keys<'_> {
        Keys { run: self, block: 0, at: 0 }
    }
}

/// The keys of a run, block by block.
#[derive(Debug)]
pub(super) struct Keys<'a> {
    run: &'a mut Run,
    /// The next block to be read.
    block: usize,
    at: usize,
}

impl Iterator for Keys<'_> {
    type Item = io::Result<u64>;

    fn next(&mut self) -> Option<io::Result<u64>> {
        if self.block == 0 || self.at == self.run.block.len() {
            if self.block == self.run.fences.len() {
                return None;
            }
            if let Err(error) = self.run.read_block(self.block) {
                return Some(Err(error));
            }
            (self.block, self.at) = (self.block + 1, 0);
        }
        self.at += 1;
        Some(Ok(self.run.block[self.at - 1]))
    }
}

/// A file that nobody finds, and that is gone when it is closed.
fn nameless(folder: &Path) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(folder)?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("seen-{}-{number}", std::process::id()));
    let file = File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}
