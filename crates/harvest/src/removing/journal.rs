//! The journal of a removal: what an interrupted one left behind, and how it is brought to an end.
//!
//! The new files lie beside the old ones when the journal is written; then one transaction of the
//! catalog says where the records lie now, and then the new files take the names of the old. So
//! the catalog's protocol tells on which side of the transaction a removal was interrupted: before
//! it the new files are thrown away, after it they are put in place. Every stage that works on the
//! archive does this first.

use crate::HarvestError;
use crate::directory::HarvestDir;
use crate::recompressing::settle_recompression;
use crate::searching;
use auslese_archive::path_of;
use auslese_catalog::Catalog;
use auslese_model::RequestId;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const JOURNAL: &str = "removal.json";
/// What the name of a new file ends in until it takes the old one's place.
const NEW_SUFFIX: &str = ".rewritten";

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    /// The time in the protocol, by which the catalog is asked whether the removal took place.
    pub(super) at: i64,
    /// The WARC files that are replaced.
    pub(super) files: Vec<String>,
    /// Files of the mirror that go.
    pub(super) mirror: Vec<String>,
    /// Requests whose documents leave the search index.
    #[serde(default)]
    pub(super) requests: Vec<i64>,
}

/// Where the new version of a file lies until it takes its place.
pub(crate) fn new_path(dir: &HarvestDir, file: &str) -> PathBuf {
    dir.archive().join(format!("{file}{NEW_SUFFIX}"))
}

fn path(dir: &HarvestDir) -> PathBuf {
    dir.runs().join(JOURNAL)
}

impl Journal {
    /// Writes it to the disk, whole or not at all.
    pub(super) fn write(&self, dir: &HarvestDir) -> Result<(), HarvestError> {
        let path = path(dir);
        let draft = path.with_extension("draft");
        let text = serde_json::to_vec(self).expect("texts and a number are always JSON");
        let written = File::create(&draft)
            .and_then(|mut file| file.write_all(&text).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&draft, &path))
            .and_then(|()| sync_folder(&dir.runs()));
        written.map_err(|cause| HarvestError::Io { path, cause })
    }

    /// Puts the new files in place of the old ones and takes away what mirror and search index have.
    pub(super) fn carry_out(&self, dir: &HarvestDir) -> Result<(), HarvestError> {
        for file in &self.files {
            let (new, old) = (new_path(dir, file), path_of(&dir.archive(), file));
            if new.exists() {
                fs::rename(&new, &old)
                    .map_err(|cause| HarvestError::Io { path: old.clone(), cause })?;
            }
        }
        for file in &self.mirror {
            remove(&dir.mirror().join(file))?;
        }
        searching::forget(dir, self.requests.iter().copied().map(RequestId))?;
        sync_folder(&dir.archive())
            .map_err(|cause| HarvestError::Io { path: dir.archive(), cause })?;
        remove(&path(dir))
    }

    fn take_back(&self, dir: &HarvestDir) -> Result<(), HarvestError> {
        for file in &self.files {
            remove(&new_path(dir, file))?;
        }
        remove(&path(dir))
    }
}

/// Brings to its end what replaces archive files and was interrupted: a recompression, a removal.
pub(crate) async fn settle(dir: &HarvestDir, catalog: &Catalog) -> Result<(), HarvestError> {
    settle_recompression(dir, catalog).await?;
    let path = path(dir);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return throw_drafts_away(dir),
        Err(cause) => return Err(HarvestError::Io { path, cause }),
    };
    let journal: Journal = serde_json::from_slice(&text)
        .map_err(|cause| HarvestError::Io { path, cause: cause.into() })?;
    let took_place = catalog.removals().await?.iter().any(|it| it.at.0 == journal.at);
    tracing::info!("a removal was interrupted; it is brought to its end");
    if took_place { journal.carry_out(dir) } else { journal.take_back(dir) }
}

/// New files without a journal are of a removal that did not get far.
fn throw_drafts_away(dir: &HarvestDir) -> Result<(), HarvestError> {
    let Ok(entries) = fs::read_dir(dir.archive()) else { return Ok(()) };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().ends_with(NEW_SUFFIX) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), HarvestError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(|cause| HarvestError::Io { path: path.to_owned(), cause }),
    }
}

pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
