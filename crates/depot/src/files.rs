//! Archive files in a store, read by stretches.
//!
//! A file is read in blocks, and whoever reads on gets more of them at a time: a single record costs one small
//! request, a whole file some large ones. All readers share the blocks that are in memory; if several want the same
//! one, one of them fetches it and the others wait.

use crate::address::StoreAddress;
use crate::client::{Depot, lock};
use crate::error::DepotError;
use auslese_archive::{RemoteFile, RemoteFiles};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Blocks that are fetched together at most.
const MOST_AHEAD: u64 = 16;
/// Lengths of files that are remembered.
const LENGTHS_KNOWN: usize = 100_000;

/// The archive files below one address.
#[derive(Debug)]
pub struct StoredFiles {
    pub(crate) depot: Arc<Depot>,
    prefix: StoreAddress,
    blocks: Arc<Blocks>,
    /// Objects never change, so what is known of them stays true.
    lengths: Mutex<HashMap<String, u64>>,
}

impl StoredFiles {
    pub fn new(depot: Arc<Depot>, prefix: StoreAddress) -> StoredFiles {
        let blocks = Arc::new(Blocks::new(depot.settings.memory));
        StoredFiles { depot, prefix, blocks, lengths: Mutex::default() }
    }

    pub fn depot(&self) -> &Arc<Depot> {
        &self.depot
    }

    /// The place of all files.
    pub fn prefix(&self) -> &StoreAddress {
        &self.prefix
    }

    pub fn key(&self, file: &str) -> String {
        self.prefix.below(file).key
    }

    /// Opens a file whose length may be known already.
    fn opened(&self, file: &str) -> Result<StoredFile, DepotError> {
        let key = self.key(file);
        let known = lock(&self.lengths).get(&key).copied();
        let length = match known {
            Some(length) => length,
            None => {
                let found = self.depot.look(&key)?;
                let missing = || DepotError::NotFound { address: self.depot.address(&key) };
                let length = found.ok_or_else(missing)?.length;
                let mut lengths = lock(&self.lengths);
                if lengths.len() >= LENGTHS_KNOWN {
                    lengths.clear();
                }
                lengths.insert(key.clone(), length);
                length
            }
        };
        Ok(StoredFile {
            depot: self.depot.clone(),
            blocks: self.blocks.clone(),
            key: key.into(),
            length,
            next: AtomicU64::new(u64::MAX),
            ahead: AtomicU64::new(1),
        })
    }
}

impl RemoteFiles for StoredFiles {
    fn open(&self, file: &str) -> io::Result<Arc<dyn RemoteFile>> {
        Ok(Arc::new(self.opened(file)?))
    }

    fn address(&self, file: &str) -> String {
        match file {
            "" => format!("{}/", self.prefix),
            file => self.prefix.below(file).to_string(),
        }
    }
}

/// One file, as one reader sees it.
#[derive(Debug)]
struct StoredFile {
    depot: Arc<Depot>,
    blocks: Arc<Blocks>,
    key: Arc<str>,
    length: u64,
    /// The block that follows the one read last.
    next: AtomicU64,
    /// How many blocks are fetched at a time.
    ahead: AtomicU64,
}

impl RemoteFile for StoredFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if offset >= self.length || buffer.is_empty() {
            return Ok(0);
        }
        let size = self.depot.settings.block;
        let number = offset / size;
        let block = self.block(number)?;
        let start = usize::try_from(offset - number * size).unwrap_or(usize::MAX);
        let there = block.get(start..).unwrap_or_default();
        if there.is_empty() {
            let why = format!("it ends before byte {offset} of {}", self.length);
            return Err(DepotError::Changed { address: self.depot.address(&self.key), why }.into());
        }
        let count = there.len().min(buffer.len());
        buffer[..count].copy_from_slice(&there[..count]);
        Ok(count)
    }
}

impl StoredFile {
    /// A block, from memory or from the store.
    fn block(&self, number: u64) -> Result<Arc<[u8]>, DepotError> {
        let follows = self.next.swap(number + 1, Ordering::Relaxed);
        // Reading on within a block or to the next one counts as going on.
        match number {
            number if number == follows => {
                let ahead = self.ahead.load(Ordering::Relaxed);
                self.ahead.store((ahead * 2).min(MOST_AHEAD), Ordering::Relaxed);
            }
            number if number + 1 == follows => {}
            _ => self.ahead.store(1, Ordering::Relaxed),
        }
        loop {
            match self.blocks.claim(&self.key, number) {
                Claim::There(block) => return Ok(block),
                Claim::Ours => {
                    let fetching = Fetching { blocks: &self.blocks, key: &self.key, number };
                    let fetched = self.fetch(number);
                    drop(fetching);
                    return fetched;
                }
                // Whoever fetched it has succeeded or failed; look again.
                Claim::Waited => {}
            }
        }
    }

    /// Fetches a block and those behind it, as far as they are wanted.
    fn fetch(&self, number: u64) -> Result<Arc<[u8]>, DepotError> {
        let size = self.depot.settings.block;
        let start = number * size;
        let wanted = (self.ahead.load(Ordering::Relaxed) * size).min(self.length - start);
        let bytes = self.depot.read(&self.key, start, wanted)?;
        if bytes.len() as u64 != wanted {
            let why = format!("{} bytes came instead of {wanted}", bytes.len());
            return Err(DepotError::Changed { address: self.depot.address(&self.key), why });
        }
        let pieces = bytes.chunks(usize::try_from(size).unwrap_or(usize::MAX)).map(Arc::from);
        let mut first: Option<Arc<[u8]>> = None;
        for (at, piece) in (number..).zip(pieces) {
            first.get_or_insert_with(|| Arc::clone(&piece));
            self.blocks.keep(&self.key, at, piece);
        }
        Ok(first.unwrap_or_else(|| Arc::from([])))
    }
}

/// Blocks in memory, of all files together.
#[derive(Debug)]
struct Blocks {
    limit: u64,
    kept: Mutex<Kept>,
    /// Somebody has fetched a block, or failed to.
    changed: Condvar,
}

type BlockName = (Arc<str>, u64);

#[derive(Debug, Default)]
struct Kept {
    blocks: HashMap<BlockName, (Arc<[u8]>, u64)>,
    /// Who was used when, oldest first.
    uses: BTreeMap<u64, BlockName>,
    clock: u64,
    bytes: u64,
    fetching: HashSet<BlockName>,
}

enum Claim {
    There(Arc<[u8]>),
    /// Nobody has it; who asked fetches it.
    Ours,
    Waited,
}

/// Says that a block is being fetched, until dropped.
struct Fetching<'a> {
    blocks: &'a Blocks,
    key: &'a Arc<str>,
    number: u64,
}

impl Drop for Fetching<'_> {
    fn drop(&mut self) {
        lock(&self.blocks.kept).fetching.remove(&(self.key.clone(), self.number));
        self.blocks.changed.notify_all();
    }
}

impl Blocks {
    fn new(limit: u64) -> Blocks {
        Blocks { limit, kept: Mutex::default(), changed: Condvar::new() }
    }

    fn claim(&self, key: &Arc<str>, number: u64) -> Claim {
        let name = (key.clone(), number);
        let mut kept = lock(&self.kept);
        if let Some(block) = kept.touch(&name) {
            return Claim::There(block);
        }
        if kept.fetching.insert(name) {
            return Claim::Ours;
        }
        drop(self.changed.wait(kept).unwrap_or_else(PoisonError::into_inner));
        Claim::Waited
    }

    fn keep(&self, key: &Arc<str>, number: u64, block: Arc<[u8]>) {
        lock(&self.kept).insert((key.clone(), number), block, self.limit);
    }
}

impl Kept {
    fn touch(&mut self, name: &BlockName) -> Option<Arc<[u8]>> {
        let (block, used) = self.blocks.get_mut(name)?;
        self.clock += 1;
        self.uses.remove(used);
        *used = self.clock;
        self.uses.insert(self.clock, name.clone());
        Some(block.clone())
    }

    fn insert(&mut self, name: BlockName, block: Arc<[u8]>, limit: u64) {
        self.clock += 1;
        self.bytes += block.len() as u64;
        self.uses.insert(self.clock, name.clone());
        if let Some((old, used)) = self.blocks.insert(name, (block, self.clock)) {
            self.uses.remove(&used);
            self.bytes -= old.len() as u64;
        }
        while self.bytes > limit && self.blocks.len() > 1 {
            let Some((_, oldest)) = self.uses.pop_first() else { break };
            if let Some((block, _)) = self.blocks.remove(&oldest) {
                self.bytes -= block.len() as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_that_was_used_last_stays() {
        let key: Arc<str> = "a".into();
        let mut kept = Kept::default();
        let block = || Arc::from(vec![0; 10]);
        for number in 0..3 {
            kept.insert((key.clone(), number), block(), 30);
        }
        assert!(kept.touch(&(key.clone(), 0)).is_some());
        kept.insert((key.clone(), 3), block(), 30);
        let there = |kept: &mut Kept, number| kept.touch(&(key.clone(), number)).is_some();
        assert!(there(&mut kept, 0) && !there(&mut kept, 1) && there(&mut kept, 2));
        assert_eq!(kept.bytes, 30);
        // The same block once more is no second one.
        kept.insert((key.clone(), 3), block(), 30);
        assert_eq!((kept.bytes, kept.blocks.len(), kept.uses.len()), (30, 3, 3));
    }
}
