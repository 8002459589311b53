//! The index that the stage writes: which one it is, how documents get into it, and when that is certain.

use super::documents::Gathered;
use super::{IndexState, Stage, blocking, key};
use crate::HarvestError;
use auslese_search::{IndexDir, Rebuild, SearchError, Writer, WriterOptions};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The index that is written: the one that is there, or a new one that takes its place at the end.
pub(super) struct Target {
    pub(super) writer: Writer,
    pub(super) rebuild: Option<Rebuild>,
    pub(super) known: FxHashMap<u64, u64>,
    pub(super) rebuilt: Option<String>,
    pub(super) troubles: Troubles,
}

/// Documents of which only the header could be indexed, by the reason, as the threads that read them find out.
pub(super) type Troubles = Arc<Mutex<BTreeMap<String, u64>>>;

impl Target {
    pub(super) fn open(path: PathBuf, anew: bool, memory: usize) -> Result<Target, SearchError> {
        let options = WriterOptions { memory, ..WriterOptions::default() };
        let why = match IndexDir::open_or_create(&path) {
            Ok(index) if !anew => {
                let (known, writer) = (index.fingerprints()?, index.writer(options)?);
                let troubles = Troubles::default();
                return Ok(Target { writer, rebuild: None, known, rebuilt: None, troubles });
            }
            Ok(_) => "it was asked for".to_owned(),
            Err(why @ (SearchError::OtherVersion { .. } | SearchError::Damaged { .. })) => {
                why.to_string()
            }
            Err(other) => return Err(other),
        };
        let rebuild = Rebuild::begin(&path)?;
        let writer = rebuild.index().writer(options)?;
        let (known, troubles) = (FxHashMap::default(), Troubles::default());
        Ok(Target { writer, rebuild: Some(rebuild), known, rebuilt: Some(why), troubles })
    }

    pub(super) fn commit(&mut self, state: &IndexState) -> Result<(), SearchError> {
        self.writer.commit(&state.text())
    }

    /// Commits for good; a new index takes the place of the old one.
    pub(super) fn finish(mut self, state: &IndexState) -> Result<(), SearchError> {
        self.commit(state)?;
        self.writer.finish()?;
        match self.rebuild {
            Some(rebuild) => rebuild.finish().map(drop),
            None => Ok(()),
        }
    }
}

impl Stage<'_> {
    pub(super) async fn commit(&mut self) -> Result<(), HarvestError> {
        self.uncommitted = 0;
        let state = self.state(false);
        let Some(mut target) = self.target.take() else { return Ok(()) };
        let target = blocking(move || {
            target.commit(&state)?;
            Ok(target)
        });
        self.target = Some(target.await?);
        Ok(())
    }

    /// Puts documents into the index; their texts are read by the threads that invert them. Whether that went well is
    /// known when the index has settled.
    pub(super) async fn write(
        &self,
        mut target: Target,
        gathered: Vec<Gathered>,
    ) -> Result<Target, HarvestError> {
        self.archive.in_reach()?;
        let (archive, readers) = (self.archive.clone(), self.job.readers.clone());
        blocking(move || {
            for one in gathered {
                let (archive, readers) = (archive.clone(), readers.clone());
                let troubles = target.troubles.clone();
                target.writer.put_later(key(one.document.request), move || {
                    let (entry, trouble) = one.entry(&archive, &readers);
                    if let Some(trouble) = trouble {
                        let mut troubles = troubles.lock().unwrap_or_else(PoisonError::into_inner);
                        *troubles.entry(trouble).or_default() += 1;
                    }
                    entry
                })?;
            }
            Ok(target)
        })
        .await
    }

    /// Waits until everything is read that was put; tells which documents had trouble, and how many.
    pub(super) async fn settle(&mut self) -> Result<BTreeMap<String, u64>, HarvestError> {
        let mut target = self.target.take().expect("it comes back from every page");
        let settled = blocking(move || {
            target.writer.settle()?;
            Ok(target)
        });
        let target = self.target.insert(settled.await?);
        let mut troubles = target.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        // What could not be read because the archive is away has no trouble of its own.
        self.archive.in_reach()?;
        Ok(std::mem::take(&mut troubles))
    }
}
