//! Takes packages apart: the WARC files of a WACZ file are imported as if they had been named one by one.
//!
//! One after the other is unpacked beside the archive, compared with what the package says of it, and linked into the
//! archive from there; so no more than one of them is on the disk twice. A file that is not what the package says is
//! taken over all the same, as far as it can be read, and told.

use super::{ImportReport, ImportedFile, Placed, Stage, lost};
use crate::HarvestError;
use crate::directory::HarvestDir;
use crate::removing::Removed;
use auslese_archive::{ArchiveError, PackageFaults, PackedWarc, UnpackedWarc, Wacz};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;

/// The folder in which files are unpacked.
const UNPACKING: &str = "unpacking";

/// What became of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportedPackage {
    pub file: PathBuf,
    pub warcs: u64,
    /// Where it is not what it says, the first few; and how often.
    pub faults: Vec<String>,
    pub fault_count: u64,
}

impl ImportedPackage {
    fn note(&mut self, PackageFaults { told, count }: PackageFaults) {
        self.faults.extend(told);
        self.fault_count += count;
    }
}

/// Takes away what an interrupted import left unpacked.
pub(super) fn clear_unpacked(dir: &HarvestDir) -> Result<(), HarvestError> {
    let path = dir.spill().join(UNPACKING);
    match fs::remove_dir_all(&path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(HarvestError::Io { path, cause })
        }
        _ => Ok(()),
    }
}

impl Stage<'_> {
    /// Places the WARC files of a package; false if a person wanted to stop.
    pub(super) async fn unpack(
        &self,
        file: &Path,
        removed: &Removed,
        report: &mut ImportReport,
        placed: &mut Vec<(usize, Placed)>,
    ) -> Result<bool, HarvestError> {
        let path = file.to_owned();
        let opened = tokio::task::spawn_blocking(move || Wacz::open(&path)).await.map_err(lost)?;
        let wacz = match opened {
            Ok(wacz) => Arc::new(wacz),
            // What is wrong with one file keeps no other from being taken over.
            Err(error) if !error.can_wait() => {
                let failure = Some(crate::error::chain(&error));
                let file = file.to_owned();
                report.files.push(ImportedFile { file, failure, ..ImportedFile::default() });
                return Ok(true);
            }
            Err(error) => return Err(error.into()),
        };
        let mut package = ImportedPackage { file: file.to_owned(), ..ImportedPackage::default() };
        for warc in wacz.warcs() {
            if self.stopped() {
                return Ok(false);
            }
            let mut imported =
                ImportedFile { file: file.join(&warc.path), ..ImportedFile::default() };
            let Some((unpacked, path)) = self.unpack_warc(&wacz, &warc).await? else {
                return Ok(false);
            };
            let told = unpacked.faults;
            package.note(PackageFaults { count: told.len() as u64, told });
            package.warcs += 1;
            if let Some(place) = self.place(&path, true, removed, &mut imported).await? {
                placed.push((report.files.len(), place));
            }
            report.files.push(imported);
            fs::remove_file(&path).map_err(|cause| HarvestError::Io { path, cause })?;
        }
        let others = tokio::task::spawn_blocking(move || {
            Arc::into_inner(wacz).map_or(Ok(PackageFaults::default()), Wacz::check_others)
        });
        match others.await.map_err(lost)? {
            Ok(faults) => package.note(faults),
            Err(error @ ArchiveError::Io { .. }) => {
                let told = vec![crate::error::chain(&error)];
                package.note(PackageFaults { count: 1, told });
            }
            Err(error) => return Err(error.into()),
        }
        report.packages.push(package);
        Ok(true)
    }

    /// Unpacks one file; none if a person wanted to stop.
    async fn unpack_warc(
        &self,
        wacz: &Arc<Wacz>,
        warc: &PackedWarc,
    ) -> Result<Option<(UnpackedWarc, PathBuf)>, HarvestError> {
        let folder = self.dir.spill().join(UNPACKING);
        let name = warc.path.rsplit('/').next().unwrap_or(&warc.path);
        let path = folder.join(name);
        let cannot = |cause| HarvestError::Io { path: path.clone(), cause };
        fs::create_dir_all(&folder).map_err(cannot)?;
        let file = File::create(&path).map_err(cannot)?;
        let mut out = Stoppable { file, stop: self.watching.stop.clone() };
        let (wacz, warc) = (wacz.clone(), warc.clone());
        let unpacked = tokio::task::spawn_blocking(move || {
            let unpacked = wacz.unpack(&warc, &mut out)?;
            out.file.sync_all()?;
            Ok(unpacked)
        });
        let unpacked = unpacked.await.map_err(lost)?;
        if self.stopped() {
            return Ok(None);
        }
        Ok(Some((unpacked.map_err(cannot)?, path)))
    }
}

/// A file that takes no more when a person wants to stop, because what is unpacked may be long.
struct Stoppable {
    file: File,
    stop: watch::Receiver<bool>,
}

impl Write for Stoppable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if *self.stop.borrow() {
            return Err(io::Error::other("a person wanted to stop"));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
