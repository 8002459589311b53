//! Whether the file of a catalog is still the one that was opened.
//!
//! Whoever has a file open can go on with it after it was removed or replaced: what is read is old, and what is written
//! is gone with the last who has it open. A file that was moved away and is put back is the same again.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The file as it was when the first connection was made.
#[derive(Debug, Clone)]
pub(crate) struct FileMark {
    path: PathBuf,
    /// Device and number of the file.
    first: Arc<OnceLock<(u64, u64)>>,
}

impl FileMark {
    pub(crate) fn new(path: &Path) -> FileMark {
        FileMark { path: path.to_owned(), first: Arc::default() }
    }

    /// Fails if the file is not the one it was.
    pub(crate) fn check(&self) -> io::Result<()> {
        let now = match fs::metadata(&self.path) {
            Ok(metadata) => (metadata.dev(), metadata.ino()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(self.problem("was removed or moved away"));
            }
            Err(error) => return Err(error),
        };
        match *self.first.get_or_init(|| now) {
            first if first == now => Ok(()),
            _ => Err(self.problem("was replaced by another; start the program again")),
        }
    }

    fn problem(&self, what: &str) -> io::Error {
        io::Error::other(format!("{} {what}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_replaced_and_put_back() {
        let dir = tempfile::tempdir().unwrap();
        let (path, aside) = (dir.path().join("catalog"), dir.path().join("aside"));
        fs::write(&path, "first").unwrap();
        let mark = FileMark::new(&path);
        assert!(mark.check().is_ok());
        fs::rename(&path, &aside).unwrap();
        assert!(mark.check().unwrap_err().to_string().contains("moved away"));
        fs::write(&path, "second").unwrap();
        assert!(mark.check().unwrap_err().to_string().contains("replaced"));
        fs::rename(&aside, &path).unwrap();
        assert!(mark.check().is_ok());
    }
}
