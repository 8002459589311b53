//! A fresh index beside the old one, put into its place when it is finished.
//!
//! `NAME.new` is filled, `NAME` becomes `NAME.old`, `NAME.new` becomes `NAME`, `NAME.old` is removed. Between the two
//! renames there is no `NAME`; whoever opens it then finds `NAME.old` and puts it back.

use super::IndexDir;
use crate::SearchError;
use std::fs;
use std::path::{Path, PathBuf};

/// An index under construction.
#[derive(Debug)]
pub struct Rebuild {
    target: PathBuf,
    fresh: IndexDir,
}

impl Rebuild {
    /// Begins an empty index; what an interrupted attempt left is thrown away.
    pub fn begin(target: &Path) -> Result<Rebuild, SearchError> {
        let dir = beside(target, "new");
        remove(&dir)?;
        Ok(Rebuild { target: target.to_owned(), fresh: IndexDir::create(&dir)? })
    }

    /// The index to fill; its writer must be closed before [`Rebuild::finish`].
    pub fn index(&self) -> &IndexDir {
        &self.fresh
    }

    /// Puts it in the place of the old one.
    pub fn finish(self) -> Result<IndexDir, SearchError> {
        let Rebuild { target, fresh } = self;
        drop(fresh);
        let old = beside(&target, "old");
        if target.exists() {
            remove(&old)?;
            rename(&target, &old)?;
        }
        rename(&beside(&target, "new"), &target)?;
        remove(&old)?;
        IndexDir::open(&target)
    }
}

/// Puts an old index back that an interrupted exchange left without a successor.
pub(super) fn recover(target: &Path) -> Result<(), SearchError> {
    let old = beside(target, "old");
    if !target.exists() && old.exists() { rename(&old, target) } else { Ok(()) }
}

fn beside(target: &Path, suffix: &str) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    target.with_file_name(name)
}

fn rename(from: &Path, to: &Path) -> Result<(), SearchError> {
    fs::rename(from, to).map_err(|cause| SearchError::Io { file: to.into(), cause })
}

fn remove(dir: &Path) -> Result<(), SearchError> {
    match fs::remove_dir_all(dir) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            Err(SearchError::Io { file: dir.into(), cause })
        }
        _ => Ok(()),
    }
}
