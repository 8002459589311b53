//! Which files of a folder are archives, by their names.

use crate::HarvestError;
use std::fs;
use std::path::{Path, PathBuf};

/// What the names of archives end in.
const ENDINGS: [&str; 5] = [".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz"];
/// Folders within folders that are looked into.
const MAX_DEPTH: usize = 32;

/// Files as they were named, and for each folder the archives in it and in the folders below, by their names. Links to
/// folders are not followed.
///
/// # Errors
/// If a folder cannot be read.
pub fn archives_named(paths: &[PathBuf]) -> Result<Vec<PathBuf>, HarvestError> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => look_into(path, MAX_DEPTH, &mut files)?,
            false => files.push(path.clone()),
        }
    }
    Ok(files)
}

fn look_into(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), HarvestError> {
    let cannot = |cause| HarvestError::Unreadable { path: folder.to_owned(), cause };
    let mut entries = fs::read_dir(folder)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .map_err(cannot)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(cannot)?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if kind.is_dir() && depth > 0 {
            look_into(&entry.path(), depth - 1, files)?;
        } else if !kind.is_dir() && ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b/c.warc")).unwrap();
        for name in
            ["z.warc.gz", "a.WACZ", "b/x.arc", "b/c.warc/y.warc", "a.txt", "b/a.warc.gz.open"]
        {
            fs::write(root.join(name), "").unwrap();
        }
        std::os::unix::fs::symlink(root, root.join("b/loop")).unwrap();
        let named = root.join("a.txt");
        let found = archives_named(&[named, root.to_owned()]).unwrap();
        let found: Vec<&str> =
            found.iter().map(|path| path.strip_prefix(root).unwrap().to_str().unwrap()).collect();
        assert_eq!(found, ["a.txt", "a.WACZ", "b/c.warc/y.warc", "b/x.arc", "z.warc.gz"]);
        assert!(archives_named(&[root.join("none")]).unwrap().len() == 1);
    }
}
