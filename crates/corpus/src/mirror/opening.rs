//! Decides whether a directory may be used as a mirror, and keeps others from using it meanwhile.
//!
//! A mirror has a marker in its own folder. A directory without one is used only if it is empty, or
//! if nothing but the beginning of a mirror is in it: the process may have died right there.

use super::OWN_FOLDER;
use super::folder::{is_file, real_directory};
use super::writer::MirrorError;
use serde::Deserialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The file that makes a directory a mirror.
pub(super) const MARKER: &str = "mirror.json";

/// The form of mirror that is written here.
const FORMAT: u32 = 1;

#[derive(Deserialize)]
struct Marker {
    format: u32,
}

pub(super) fn marker_text() -> String {
    format!("{{\"format\":{FORMAT}}}\n")
}

/// Makes the mirror's own folder if need be, and locks the mirror.
pub(super) fn open(root: &Path) -> Result<Lock, MirrorError> {
    let failed = |cause| MirrorError::Io { path: root.to_owned(), cause };
    fs::create_dir_all(root).map_err(failed)?;
    let own = root.join(OWN_FOLDER);
    match fs::symlink_metadata(own.join(MARKER)) {
        Ok(_) => check_format(root)?,
        Err(_) if is_unused(root).map_err(failed)? => {}
        Err(_) => return Err(MirrorError::NotAMirror(root.to_owned())),
    }
    match fs::create_dir(&own) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(error)),
        _ => real_directory(&own).map_err(failed)?,
    }
    lock(root)
}

/// Whether nothing is in a directory, or nothing but the beginning of a mirror.
fn is_unused(root: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(root)? {
        if entry?.file_name() != OWN_FOLDER {
            return Ok(false);
        }
    }
    Ok(true)
}

fn check_format(root: &Path) -> Result<(), MirrorError> {
    let path = root.join(OWN_FOLDER).join(MARKER);
    let not_a_mirror = || MirrorError::NotAMirror(root.to_owned());
    let text = if is_file(&path) { fs::read(&path).ok() } else { None };
    let marker: Marker =
        text.and_then(|text| serde_json::from_slice(&text).ok()).ok_or_else(not_a_mirror)?;
    if marker.format > FORMAT { Err(MirrorError::Newer(root.to_owned())) } else { Ok(()) }
}

/// Held as long as the mirror is open; if the process dies, the system releases it.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Drop for Lock {
    // Closing is not enough: a child process that is just being started may hold a copy.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

fn lock(root: &Path) -> Result<Lock, MirrorError> {
    let failed = |cause| MirrorError::Io { path: root.to_owned(), cause };
    let path = root.join(OWN_FOLDER).join("lock");
    if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
        return Err(MirrorError::NotAMirror(root.to_owned()));
    }
    let file =
        OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(fs::TryLockError::WouldBlock) => Err(MirrorError::Locked(root.to_owned())),
        Err(fs::TryLockError::Error(cause)) => Err(failed(cause)),
    }
}
