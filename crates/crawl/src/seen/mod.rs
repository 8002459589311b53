//! Remembers which requests are known, by 64 bits of their key.
//!
//! The keys are uniform already ([`auslese_model::RequestKey::short`] is part of a sha256), so they
//! are their own hash. Two of 10⁷ keys collide with a chance of about 1 in 370,000; the store is
//! exact and has the last word.
//!
//! Keys are held in memory up to a budget. Beyond it the table is written to disk as a sorted run and
//! begun anew. Questions come in batches: what the table does not know is sorted and looked up in the
//! runs in one pass, each of which has a filter and a fence for every block in memory, so that a new
//! key costs no read and a known one costs a block that its neighbours in the batch share. Runs of
//! similar size are merged, so that there are never many.
//!
//! The files have no name: they end with the process, whatever ends it, and the set is learnt anew from
//! the store. A disk that is full keeps a batch from being entered and is told ([`SeenError`]); nothing
//! is forgotten, and the same batch may be entered again.

mod filter;
mod merging;
mod run;

use self::run::Run;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// Known requests.
#[derive(Debug)]
pub struct SeenSet {
    table: Table,
    runs: Vec<Run>,
    /// Keys found in runs lately: navigation bars name the same addresses again and again.
    recent: Recent,
    budget: SeenBudget,
    /// Where runs lie; none if everything stays in memory, whatever the budget.
    folder: Option<PathBuf>,
    /// Keys in all runs; a key learnt twice counts twice.
    on_disk: u64,
}

/// How many bytes of memory the set may take. Default: 192 MiB, enough for 14 million requests before
/// the first of them goes to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeenBudget(pub u64);

impl Default for SeenBudget {
    fn default() -> SeenBudget {
        SeenBudget(192 << 20)
    }
}

/// The folder for known requests cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("known addresses cannot be kept in {}", folder.display())]
pub struct SeenError {
    pub folder: PathBuf,
    #[source]
    pub cause: io::Error,
}

impl SeenError {
    /// Whether the disk is full or read-only, so that the same attempt may succeed later.
    pub fn may_pass(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        matches!(self.cause.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem)
    }
}

/// The smallest table that is written to disk: below it a run would hardly be worth its file.
const LEAST_TABLE: u64 = 9 << 13;

impl SeenSet {
    /// A set that stays in memory.
    pub fn in_memory() -> SeenSet {
        SeenSet::new(SeenBudget(u64::MAX), None)
    }

    /// A set that goes to files in this folder where the budget is not enough.
    pub fn within(budget: SeenBudget, folder: &Path) -> SeenSet {
        SeenSet::new(budget, Some(folder.to_owned()))
    }

    fn new(budget: SeenBudget, folder: Option<PathBuf>) -> SeenSet {
        let table = Table::default();
        SeenSet { table, runs: Vec::new(), recent: Recent::default(), budget, folder, on_disk: 0 }
    }

    /// Enters keys and tells of each whether it was new. Of a key that comes twice, the first is.
    ///
    /// # Errors
    /// If the disk cannot be read or written. Then no key of the batch counts as entered.
    pub fn insert_all(&mut self, keys: &[u64]) -> Result<Vec<bool>, SeenError> {
        self.make_room(keys.len())?;
        let mut is_new = vec![false; keys.len()];
        if self.runs.is_empty() {
            for (key, is_new) in keys.iter().zip(&mut is_new) {
                *is_new = self.table.insert(*key);
            }
            return Ok(is_new);
        }
        // What is in memory is answered by memory; the rest is looked up in the order of the runs.
        let mut asked: Vec<u64> = Vec::new();
        for key in keys {
            if !self.table.contains(key) && !self.recent.holds(*key) {
                asked.push(*key);
            }
        }
        asked.sort_unstable();
        asked.dedup();
        let mut known = Vec::new();
        let looked_up = self.runs.iter_mut().try_for_each(|run| {
            let found = run.look_up(&asked)?;
            asked.retain(|key| found.binary_search(key).is_err());
            known.extend(found);
            Ok(())
        });
        looked_up.map_err(|cause| self.folder_error(cause))?;
        known.into_iter().for_each(|key| self.recent.note(key));
        for (key, is_new) in keys.iter().zip(&mut is_new) {
            *is_new = asked.binary_search(key).is_ok() && self.table.insert(*key);
        }
        Ok(is_new)
    }

    /// Enters one key; see [`SeenSet::insert_all`].
    pub fn insert(&mut self, key: u64) -> Result<bool, SeenError> {
        Ok(self.insert_all(&[key])?[0])
    }

    /// Enters a key from a list that names each once, without asking whether it is known.
    pub fn learn(&mut self, key: u64) -> Result<(), SeenError> {
        self.make_room(1)?;
        self.table.insert(key);
        Ok(())
    }

    /// How many keys were entered.
    pub fn len(&self) -> u64 {
        self.table.len() as u64 + self.on_disk
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keys that lie on disk.
    pub fn on_disk(&self) -> u64 {
        self.on_disk
    }

    /// Bytes held in memory.
    pub fn memory(&self) -> u64 {
        table_bytes(self.table.capacity()) + self.recent.memory() + self.memory_of_runs()
    }

    fn memory_of_runs(&self) -> u64 {
        self.runs.iter().map(Run::memory).sum()
    }

    /// Sees to it that so many keys can be entered without the table growing beyond the budget.
    fn make_room(&mut self, keys: usize) -> Result<(), SeenError> {
        let free = self.table.capacity() - self.table.len();
        if keys <= free {
            return Ok(());
        }
        let needed = table_bytes(self.table.len() + keys);
        let room = self.budget.0.saturating_sub(self.memory_of_runs() + self.recent.memory());
        if needed > room.max(LEAST_TABLE) && self.folder.is_some() && !self.table.is_empty() {
            self.write_run()?;
        }
        Ok(())
    }

    /// Writes the table to disk and begins anew.
    fn write_run(&mut self) -> Result<(), SeenError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut keys: Vec<u64> = self.table.iter().copied().collect();
        keys.sort_unstable();
        let room = (self.budget.0 / 2).saturating_sub(self.memory_of_runs());
        let run = Run::write(folder, &mut keys.iter().map(|key| Ok(*key)), keys.len() as u64, room);
        let run = run.map_err(|cause| self.folder_error(cause))?;
        self.on_disk += keys.len() as u64;
        self.runs.push(run);
        // The place is kept: the next keys need it again.
        self.table.clear();
        self.recent.begin(self.budget.0 / 16);
        self.merge_runs();
        Ok(())
    }

    fn folder_error(&self, cause: io::Error) -> SeenError {
        SeenError { folder: self.folder.clone().unwrap_or_default(), cause }
    }
}

type Table = HashSet<u64, BuildHasherDefault<KeyItself>>;

/// Bytes of a table with room for so many keys: eight per slot, one control byte, and the slots that
/// it keeps free (one in eight).
fn table_bytes(capacity: usize) -> u64 {
    match capacity as u64 {
        0 => 0,
        capacity => (capacity * 8).div_ceil(7).next_power_of_two() * 9,
    }
}

/// A hasher for values that are hashes.
#[derive(Debug, Clone, Copy, Default)]
struct KeyItself(u64);

impl Hasher for KeyItself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
}

/// Some of the keys found in runs: each place remembers the last key that fell on it.
#[derive(Debug, Default)]
struct Recent {
    places: Vec<u64>,
}

impl Recent {
    /// Makes places for the first time.
    fn begin(&mut self, bytes: u64) {
        if self.places.is_empty() {
            let places = (bytes / 8).clamp(1 << 10, 1 << 22);
            let places = usize::try_from(places).unwrap_or(1 << 10).next_power_of_two() / 2;
            self.places = vec![0; places];
        }
    }

    /// Key 0 is never held: an empty place looks like it.
    fn holds(&self, key: u64) -> bool {
        key != 0 && self.place(key).is_some_and(|place| self.places[place] == key)
    }

    fn note(&mut self, key: u64) {
        if let Some(place) = self.place(key) {
            self.places[place] = key;
        }
    }

    fn place(&self, key: u64) -> Option<usize> {
        let mask = self.places.len().checked_sub(1)?;
        Some(usize::try_from(key & mask as u64).unwrap_or(0))
    }

    fn memory(&self) -> u64 {
        self.places.len() as u64 * 8
    }
}

#[cfg(test)]
mod tests;
