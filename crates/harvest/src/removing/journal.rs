//! The journal of a removal: what an interrupted one left behind, and how it is brought to an end.
//!
//! The new files lie beside the old ones when the journal is written; then one transaction of the
//! catalog says where the records lie now, and then the new files take the names of the old. So
//! the catalog's protocol tells on which side of the transaction a removal was interrupted: before
//! it the new files are thrown away, after it they are put in place. Every stage that works on the
//! archive does this first.
//!
//! In a store nothing is written twice, so a stored file gets a new name: its new version is stored under that name
//! between the journal and the transaction, and the old one is deleted after it.

use crate::HarvestError;
use crate::depositing::ArchiveStore;
use crate::directory::HarvestDir;
use crate::recompressing::settle_recompression;
use crate::searching;
use auslese_archive::path_of;
use auslese_catalog::Catalog;
use auslese_depot::DepotError;
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
    /// Of the files, those that lie in the store: their old names, and those they get.
    #[serde(default)]
    pub(super) renamed: Vec<(String, String)>,
}

/// Where the new version of a file lies until it takes its place.
pub(crate) fn new_path(dir: &HarvestDir, file: &str) -> PathBuf {
    dir.archive().join(format!("{file}{NEW_SUFFIX}"))
}

/// The store of the harvest, which must be there if files of it are to be replaced.
pub(super) fn store_of(dir: &HarvestDir) -> Result<&ArchiveStore, HarvestError> {
    dir.store().ok_or_else(|| {
        let why = "files of this harvest lie in a store, but archive.store.url is not set";
        DepotError::Settings { why: why.to_owned() }.into()
    })
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
            let is_renamed = self.renamed.iter().any(|(_, to)| to == file);
            let path = if is_renamed { dir.archive().join(file) } else { old };
            if new.exists() {
                fs::rename(&new, &path)
                    .map_err(|cause| HarvestError::Io { path: path.clone(), cause })?;
            }
        }
        for (from, _) in &self.renamed {
            remove(&dir.archive().join(from))?;
            let files = &store_of(dir)?.files;
            files.depot().delete(&files.key(from))?;
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
        for (_, to) in &self.renamed {
            let files = &store_of(dir)?.files;
            let key = files.key(to);
            for upload in files.depot().unfinished(&key)?.iter().filter(|it| it.key == key) {
                files.depot().give_up(upload)?;
            }
            files.depot().delete(&key)?;
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
