//! The size of the archive, and the limit a person may have set for it.

use crate::HarvestError;
use auslese_model::WarcProgress;
use rustc_hash::FxHashMap;

/// How large the archive is, and how large it may become.
#[derive(Debug)]
pub(crate) struct Extent {
    limit: Option<u64>,
    /// Committed lengths by file.
    lengths: FxHashMap<String, u64>,
}

impl Extent {
    pub(crate) fn new(limit: Option<u64>, files: &[WarcProgress]) -> Extent {
        let mut extent = Extent { limit, lengths: FxHashMap::default() };
        extent.note(files);
        extent
    }

    pub(crate) fn note(&mut self, files: &[WarcProgress]) {
        self.lengths.extend(files.iter().map(|file| (file.file.clone(), file.length)));
    }

    pub(crate) fn check(&self) -> Result<(), HarvestError> {
        match self.limit {
            Some(limit) if self.lengths.values().sum::<u64>() >= limit => {
                Err(HarvestError::ArchiveFull { limit })
            }
            _ => Ok(()),
        }
    }
}
