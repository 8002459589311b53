//! Finds the document that a caller names, and nothing else on the disk.
//!
//! A name is first looked for among the provider's own ids, where it is only compared. What remains is taken for
//! a path below one folder: steps upwards, absolute paths and other suffixes are refused by their looks, and
//! what symbolic links lead out of the folder is answered like a file that does not exist.

use crate::refusal::{PathFault, Refusal};
use crate::settings::{DOCUMENT_SUFFIX, Documents};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Bytes of the name of a document.
pub const MAX_CONFIG_NAME: usize = 1 << 10;

/// Bytes of a document.
pub const MAX_DOCUMENT: u64 = 1 << 20;

/// A document that was found.
#[derive(Debug)]
pub(crate) struct Located {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

impl Documents {
    pub(crate) fn locate(&self, config: &str) -> Result<Located, Refusal> {
        if config.len() > MAX_CONFIG_NAME {
            return Err(Refusal::Path(PathFault::Long));
        }
        if config.chars().any(char::is_control) {
            return Err(Refusal::Path(PathFault::Control));
        }
        let path = match self.ids.get(config) {
            Some(path) => path.canonicalize().map_err(Refusal::Unreadable)?,
            None => self.below_root(config)?,
        };
        let bytes = read(&path)?;
        Ok(Located { path, bytes })
    }

    fn below_root(&self, config: &str) -> Result<PathBuf, Refusal> {
        let path = Path::new(config);
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(Refusal::Path(PathFault::Elsewhere));
        }
        if !config.ends_with(DOCUMENT_SUFFIX) {
            return Err(Refusal::Path(PathFault::Suffix));
        }
        let root = self.root.as_ref().ok_or(Refusal::NoDocument)?;
        let found = root.join(path).canonicalize().map_err(|_| Refusal::NoDocument)?;
        let is_inside = found.starts_with(root);
        let is_document = found.to_str().is_some_and(|text| text.ends_with(DOCUMENT_SUFFIX));
        if is_inside && is_document && found.is_file() {
            Ok(found)
        } else {
            Err(Refusal::NoDocument)
        }
    }

    /// The names of all documents, for those who look whether all is well.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let mut names: Vec<String> = self.ids.keys().cloned().collect();
        if let Some(root) = &self.root {
            collect_names(root, root, MAX_FOLDER_DEPTH, &mut names)?;
        }
        Ok(names)
    }
}

/// Folders in folders that are looked at.
const MAX_FOLDER_DEPTH: u32 = 16;

fn collect_names(
    root: &Path,
    folder: &Path,
    depth: u32,
    names: &mut Vec<String>,
) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.strip_prefix(root).ok().and_then(Path::to_str);
        if path.is_dir() && !path.is_symlink() && depth > 0 {
            collect_names(root, &path, depth - 1, names)?;
        } else if let Some(name) = name.filter(|name| name.ends_with(DOCUMENT_SUFFIX)) {
            names.push(name.to_owned());
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    // To open a pipe would be to wait.
    if !path.is_file() {
        return Err(Refusal::Unreadable(io::Error::other("this is no file")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Refusal::Unreadable)?;
    file.take(MAX_DOCUMENT + 1).read_to_end(&mut bytes).map_err(Refusal::Unreadable)?;
    if bytes.len() as u64 > MAX_DOCUMENT {
        return Err(Refusal::Unreadable(io::Error::other("the document is too long")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_documents_below_the_root_and_those_with_ids() {
        let outside = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let write = |path: PathBuf| fs::write(path, "x").unwrap();
        fs::create_dir_all(root.join("a/folder.DBContent")).unwrap();
        for name in ["a/b.DBContent", "secret.txt", "ä b.DBContent"] {
            write(root.join(name));
        }
        write(outside.path().join("far.DBContent"));
        symlink(outside.path().join("far.DBContent"), root.join("out.DBContent")).unwrap();
        symlink(outside.path(), root.join("elsewhere")).unwrap();
        symlink(root.join("secret.txt"), root.join("masked.DBContent")).unwrap();
        symlink(root.join("a/b.DBContent"), root.join("alias.DBContent")).unwrap();
        symlink("loop.DBContent", root.join("loop.DBContent")).unwrap();
        fs::write(root.join("long.DBContent"), vec![b'x'; 2 << 20]).unwrap();
        let ids = [("../db/far.DBContent", outside.path().join("far.DBContent"))]
            .map(|(id, path)| (id.to_owned(), path));
        let documents = Documents { root: Some(root.clone()), ids: BTreeMap::from(ids) };
        let long = format!("{}.DBContent", "x".repeat(2_000));
        let longer_than_a_name = format!("{}.DBContent", "x".repeat(500));
        #[rustfmt::skip]
        let cases = [
            ("a/b.DBContent",                 "ok"),
            ("a//./b.DBContent",              "ok"),
            ("ä b.DBContent",                 "ok"),
            ("alias.DBContent",               "ok"),
            ("../db/far.DBContent",           "ok"),
            ("../db/fax.DBContent",           "E_CONFIG_PATH"),
            ("a/../a/b.DBContent",            "E_CONFIG_PATH"),
            ("..",                            "E_CONFIG_PATH"),
            ("/etc/passwd",                   "E_CONFIG_PATH"),
            ("/etc/passwd\0.DBContent",       "E_CONFIG_PATH"),
            ("a/b.DBContent\n",               "E_CONFIG_PATH"),
            ("secret.txt",                    "E_CONFIG_PATH"),
            ("a/b.dbcontent",                 "E_CONFIG_PATH"),
            ("",                              "E_CONFIG_PATH"),
            (&long,                           "E_CONFIG_PATH"),
            (&longer_than_a_name,             "E_CONFIG_UNKNOWN"),
            ("none.DBContent",                "E_CONFIG_UNKNOWN"),
            ("a/b.DBContent/c.DBContent",     "E_CONFIG_UNKNOWN"),
            ("a/folder.DBContent",            "E_CONFIG_UNKNOWN"),
            ("out.DBContent",                 "E_CONFIG_UNKNOWN"),
            ("elsewhere/far.DBContent",       "E_CONFIG_UNKNOWN"),
            ("masked.DBContent",              "E_CONFIG_UNKNOWN"),
            ("loop.DBContent",                "E_CONFIG_UNKNOWN"),
            (r"..\..\x.DBContent",            "E_CONFIG_UNKNOWN"),
            ("%2e%2e/x.DBContent",            "E_CONFIG_UNKNOWN"),
            ("long.DBContent",                "E_CONFIG_UNREADABLE"),
        ];
        for (config, expected) in cases {
            let found = documents.locate(config).map_or_else(|refusal| refusal.code(), |_| "ok");
            assert_eq!(found, expected, "{config:?}");
        }
        let names = documents.names().unwrap();
        assert!(names.contains(&"a/b.DBContent".to_owned()), "{names:?}");
        assert!(!names.iter().any(|name| name.starts_with("elsewhere")), "{names:?}");
    }
}
