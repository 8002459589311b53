//! Touches files below the mirror's root, and nowhere else.
//!
//! Paths are made by [`super::path`] and cannot lead out by themselves. What is found in the folder
//! may: a symbolic link that someone put there. So each directory on the way is looked at before
//! it is entered, and one that is no real directory is an obstacle, not a way. Files are written
//! under another name and then renamed, so that nobody ever sees half a file, and a name that
//! exists already, even as a symbolic link, is replaced rather than written through.

use super::OWN_FOLDER;
use rustc_hash::FxHashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where a file is written before it gets its name.
const UNFINISHED: &str = "unfinished";

#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    /// Directories that were seen to be real in this run.
    known: FxHashSet<String>,
}

impl Folder {
    pub(super) fn new(root: PathBuf) -> Folder {
        Folder { root, known: FxHashSet::default() }
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(super) fn own(&self, name: &str) -> PathBuf {
        self.root.join(OWN_FOLDER).join(name)
    }

    /// Makes the directories above a path, as far as they are missing.
    pub(super) fn make_way(&mut self, path: &str) -> io::Result<()> {
        for (end, _) in path.match_indices('/') {
            let directory = &path[..end];
            if self.known.contains(directory) {
                continue;
            }
            match fs::create_dir(self.at(directory)) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    real_directory(&self.at(directory))?;
                }
                Err(error) => return Err(error),
            }
            self.known.insert(directory.to_owned());
        }
        Ok(())
    }

    /// The length of a file; `None` if there is none, or something else in its place.
    pub(super) fn length(&self, path: &str) -> Option<u64> {
        if !self.way_is_real(path) {
            return None;
        }
        let found = fs::symlink_metadata(self.at(path)).ok()?;
        found.is_file().then_some(found.len())
    }

    pub(super) fn write(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.make_way(path)?;
        let unfinished = self.own(UNFINISHED);
        self.clear_unfinished()?;
        let mut file = create_new(&unfinished)?;
        file.write_all(bytes)?;
        drop(file);
        fs::rename(&unfinished, self.at(path))
    }

    /// Gives an existing file a second name.
    pub(super) fn link(&mut self, existing: &str, path: &str) -> io::Result<()> {
        self.make_way(path)?;
        if self.length(existing).is_none() {
            return Err(ErrorKind::NotFound.into());
        }
        let unfinished = self.own(UNFINISHED);
        self.clear_unfinished()?;
        fs::hard_link(self.at(existing), &unfinished)?;
        fs::rename(&unfinished, self.at(path))?;
        // Two names of one file are not renamed onto each other: the first one stays.
        self.clear_unfinished()
    }

    /// Removes a file and the directories that are empty without it.
    pub(super) fn remove(&mut self, path: &str) -> io::Result<()> {
        if !self.way_is_real(path) {
            return Ok(());
        }
        remove_if_there(&self.at(path))?;
        let mut directory = path;
        while let Some((above, _)) = directory.rsplit_once('/') {
            if fs::remove_dir(self.at(above)).is_err() {
                break;
            }
            self.known.remove(above);
            directory = above;
        }
        Ok(())
    }

    /// Writes a file of the mirror's own folder if its text is another.
    pub(super) fn write_own(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.own(name);
        if is_file(&path) && fs::read(&path)? == text.as_bytes() {
            return Ok(());
        }
        self.clear_unfinished()?;
        let unfinished = self.own(UNFINISHED);
        create_new(&unfinished)?.write_all(text.as_bytes())?;
        fs::rename(unfinished, path)
    }

    fn clear_unfinished(&self) -> io::Result<()> {
        remove_if_there(&self.own(UNFINISHED))
    }

    /// Whether all directories above a path exist and are none but directories.
    fn way_is_real(&self, path: &str) -> bool {
        path.match_indices('/').all(|(end, _)| {
            let directory = &path[..end];
            self.known.contains(directory) || real_directory(&self.at(directory)).is_ok()
        })
    }
}

/// Fails if there is something else, such as a symbolic link, at this place.
pub(super) fn real_directory(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        return Ok(());
    }
    let text = format!("{} is in the way: it is no directory", path.display());
    Err(io::Error::new(ErrorKind::NotADirectory, text))
}

/// Whether there is a regular file, and no symbolic link to one.
pub(super) fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

pub(super) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Creates a file that does not exist yet; a symbolic link counts as existing.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}
