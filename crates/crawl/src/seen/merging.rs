//! Makes one run of several, so that a question does not go through many.
//!
//! Runs are merged when [`SAME_SIZE`] of them are of about the same size: then every key is written
//! again only as often as the set has grown fourfold. The old runs stay until the new one is whole. If
//! there is no room for it on the disk, they simply stay.

use super::SeenSet;
use super::run::{Keys, Run};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

/// So many runs of about the same size become one.
const SAME_SIZE: usize = 4;

impl SeenSet {
    /// Merges while there is something to merge.
    pub(super) fn merge_runs(&mut self) {
        while let Some(first) = self.first_to_merge() {
            let old: Vec<Run> = self.runs.drain(first..).collect();
            match self.merged(old) {
                Ok(run) => self.runs.push(run),
                Err(old) => {
                    self.runs.extend(old);
                    return;
                }
            }
        }
    }

    /// The first of the last runs that are of about the same size as the newest, if they are enough.
    fn first_to_merge(&self) -> Option<usize> {
        let first = self.runs.len().checked_sub(SAME_SIZE)?;
        let newest = self.runs.last()?.len();
        let limit = newest.saturating_mul(SAME_SIZE as u64 / 2);
        self.runs[first..].iter().all(|run| run.len() <= limit).then_some(first)
    }

    fn merged(&mut self, mut old: Vec<Run>) -> Result<Run, Vec<Run>> {
        let Some(folder) = self.folder.clone() else { return Err(old) };
        let expected = old.iter().map(Run::len).sum();
        let room = (self.budget.0 / 2).saturating_sub(self.memory_of_runs());
        let mut sources: Vec<Keys<'_>> = old.iter_mut().map(Run::keys).collect();
        let written = Merge::new(&mut sources)
            .and_then(|mut merge| Run::write(&folder, &mut merge, expected, room));
        drop(sources);
        written.map_err(|_full| old)
    }
}

/// The keys of several runs in one order, each once.
struct Merge<'a, 'b> {
    sources: &'a mut [Keys<'b>],
    heads: BinaryHeap<Reverse<(u64, usize)>>,
    last: Option<u64>,
}

impl<'a, 'b> Merge<'a, 'b> {
    fn new(sources: &'a mut [Keys<'b>]) -> io::Result<Merge<'a, 'b>> {
        let mut heads = BinaryHeap::with_capacity(sources.len());
        for (number, source) in sources.iter_mut().enumerate() {
            if let Some(key) = source.next().transpose()? {
                heads.push(Reverse((key, number)));
            }
        }
        Ok(Merge { sources, heads, last: None })
    }
}

impl Iterator for Merge<'_, '_> {
    type Item = io::Result<u64>;

    fn next(&mut self) -> Option<io::Result<u64>> {
        loop {
            let Reverse((key, number)) = self.heads.pop()?;
            match self.sources[number].next().transpose() {
                Ok(Some(next)) => self.heads.push(Reverse((next, number))),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
            if self.last != Some(key) {
                self.last = Some(key);
                return Some(Ok(key));
            }
        }
    }
}
