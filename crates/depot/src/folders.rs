//! Folders in a store: files under one beginning, and a list of them that is written last.
//!
//! A store knows objects only, and each appears by itself. So a folder counts as there when its list is: `MANIFEST`
//! names every file with its length and digest, and whoever fetches the folder gets exactly these, checked.

use crate::address::StoreAddress;
use crate::client::Depot;
use crate::error::DepotError;
use crate::objects::Writing;
use crate::uploading::{Moment, Onward};
use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// The name of the list in every folder.
pub const MANIFEST: &str = "auslese-manifest.json";
/// Bytes of the longest list that is read.
const LARGEST_LIST: u64 = 64 << 20;

/// What a folder holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderNote {
    /// What it is, in words.
    pub what: String,
    /// When it was made, such as `2026-11-15T21:40:00Z`.
    pub made_at: String,
    pub made_by: String,
    pub files: Vec<FolderFile>,
}

/// A file of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderFile {
    /// With slashes.
    pub name: String,
    pub bytes: u64,
    pub sha256: String,
}

impl FolderNote {
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

impl Depot {
    /// Stores the files of a folder, and then its list. Files that an interrupted attempt has stored are not sent
    /// again. `watch` hears how many bytes are there.
    pub fn store_folder(
        &self,
        folder: &Path,
        at: &StoreAddress,
        writing: Writing,
        mut note: FolderNote,
        watch: &mut dyn FnMut(u64) -> Onward,
    ) -> Result<FolderNote, DepotError> {
        let old = match writing {
            Writing::New => None,
            Writing::Anew => self.folder(at)?,
        };
        let mut before = 0;
        for (name, path) in files_of(folder)? {
            let key = at.below(&name).key;
            let stored = self.upload(&path, &key, writing, &mut |moment| match moment {
                Moment::Part { bytes } => watch(before + bytes),
                Moment::Before | Moment::BeforeComplete | Moment::Complete => watch(before),
            })?;
            before += stored.length;
            let (bytes, sha256) = (stored.length, stored.sha256);
            note.files.push(FolderFile { name, bytes, sha256 });
        }
        let list = serde_json::to_vec_pretty(&note).expect("texts and numbers are JSON");
        self.write(&at.below(MANIFEST).key, &list, writing)?;
        // What only the old one had is no part of anything any more.
        for file in old.into_iter().flat_map(|old| old.files) {
            if !note.files.iter().any(|new| new.name == file.name) {
                self.delete(&at.below(&file.name).key)?;
            }
        }
        watch(before);
        Ok(note)
    }

    /// What a folder holds; `None` if it is not there, or not complete.
    pub fn folder(&self, at: &StoreAddress) -> Result<Option<FolderNote>, DepotError> {
        let key = at.below(MANIFEST).key;
        let Some(found) = self.look(&key)? else { return Ok(None) };
        let bytes = self.read(&key, 0, found.length.min(LARGEST_LIST))?;
        let wrong = |why: String| DepotError::Changed { address: self.address(&key), why };
        let note: FolderNote =
            serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        match note.files.iter().find(|file| !is_plain(&file.name)) {
            Some(file) => Err(wrong(format!("{:?} leads out of the folder", file.name))),
            None => Ok(Some(note)),
        }
    }

    /// Fetches a folder into one that is empty. Every file is compared with the list.
    pub fn fetch_folder(
        &self,
        at: &StoreAddress,
        note: &FolderNote,
        to: &Path,
        watch: &mut dyn FnMut(u64) -> Onward,
    ) -> Result<(), DepotError> {
        let mut fetched = 0;
        for file in &note.files {
            let path = to.join(&file.name);
            let address = at.below(&file.name);
            let cannot = |cause| DepotError::File { file: path.clone(), cause };
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            let mut out = made.and_then(|()| File::create(&path)).map_err(cannot)?;
            let mut hash = Context::new(&SHA256);
            let mut offset = 0;
            while offset < file.bytes {
                if watch(fetched + offset) == Onward::Stop {
                    return Err(DepotError::Stopped { address: address.to_string() });
                }
                let wanted = self.settings.part.min(file.bytes - offset);
                let piece = self.read(&address.key, offset, wanted)?;
                if piece.len() as u64 != wanted {
                    let why =
                        format!("it has {} bytes, not {}", offset + piece.len() as u64, file.bytes);
                    return Err(DepotError::Changed { address: address.to_string(), why });
                }
                hash.update(&piece);
                out.write_all(&piece).map_err(cannot)?;
                offset += wanted;
            }
            out.sync_all().map_err(cannot)?;
            if HEXLOWER.encode(hash.finish().as_ref()) != file.sha256 {
                let why = "its bytes have another digest than its list says".to_owned();
                return Err(DepotError::Changed { address: address.to_string(), why });
            }
            fetched += file.bytes;
        }
        watch(fetched);
        Ok(())
    }

    /// Deletes a folder: first its list, so that it is not there while its files go.
    pub fn delete_folder(&self, at: &StoreAddress, note: &FolderNote) -> Result<(), DepotError> {
        self.delete(&at.below(MANIFEST).key)?;
        note.files.iter().try_for_each(|file| self.delete(&at.below(&file.name).key))
    }
}

/// The files of a folder and of those in it, by name.
fn files_of(folder: &Path) -> Result<Vec<(String, PathBuf)>, DepotError> {
    let mut found = Vec::new();
    let mut folders = vec![(String::new(), folder.to_owned())];
    while let Some((before, folder)) = folders.pop() {
        let cannot = |cause| DepotError::File { file: folder.clone(), cause };
        for entry in fs::read_dir(&folder).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let name = entry.file_name().into_string().map_err(|name| {
                cannot(io::Error::other(format!("the name {} is not in UTF-8", name.display())))
            })?;
            let name = format!("{before}{name}");
            match entry.file_type().map_err(cannot)? {
                kind if kind.is_dir() => folders.push((format!("{name}/"), entry.path())),
                kind if kind.is_file() => found.push((name, entry.path())),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a name stays in its folder.
fn is_plain(name: &str) -> bool {
    let path = Path::new(name);
    !name.is_empty() && path.components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_stay_in_their_folder() {
        #[rustfmt::skip]
        let cases = [
            ("a", true), ("a/b.parquet", true), ("", false), ("../a", false), ("/etc/passwd", false),
            ("a/../../b", false), ("a/./b", true),
        ];
        for (name, expected) in cases {
            assert_eq!(is_plain(name), expected, "{name}");
        }
    }

    #[test]
    fn files_of_folders_in_order() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("b")).unwrap();
        for name in ["c", "a", "b/d"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let names: Vec<String> =
            files_of(dir.path()).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "b/d", "c"]);
    }
}
