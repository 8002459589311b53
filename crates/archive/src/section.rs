//! A stretch of a file as if it were a file: the committed part of one that still grows, or an entry of a zip file.

use crate::error::ArchiveError;
use crate::writer::{open_path, path_of};
use auslese_model::WarcProgress;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads from a place of its own, so that several may share the file.
#[derive(Debug, Clone)]
pub struct Section {
    file: Arc<File>,
    start: u64,
    length: u64,
    position: u64,
}

impl Section {
    pub(crate) fn new(file: Arc<File>, start: u64, length: u64) -> Section {
        Section { file, start, length, position: 0 }
    }

    /// What the catalog counts on of an archive file, whether a crawl still writes to it or not. What is opened here
    /// stays the same, also if the file is renamed or replaced.
    pub fn committed(dir: &Path, file: &WarcProgress) -> Result<(Section, PathBuf), ArchiveError> {
        let mut path = path_of(dir, &file.file);
        let opened = File::open(&path).or_else(|_| {
            // It may have got its final name in this very moment.
            path = dir.join(&file.file);
            File::open(&path)
        });
        let missing = |cause: io::Error| match cause.kind() {
            io::ErrorKind::NotFound => {
                ArchiveError::Missing { file: open_path(dir, &file.file), committed: file.length }
            }
            _ => ArchiveError::io(dir.join(&file.file))(cause),
        };
        let opened = opened.map_err(missing)?;
        let found = opened.metadata().map_err(ArchiveError::io(&path))?.len();
        if found < file.length {
            return Err(ArchiveError::Short { file: path, found, committed: file.length });
        }
        Ok((Section::new(Arc::new(opened), 0, file.length), path))
    }

    /// Whether the file is the one at this path.
    pub fn is_at(&self, path: &Path) -> bool {
        let (Ok(own), Ok(other)) = (self.file.metadata(), path.metadata()) else { return false };
        (own.dev(), own.ino()) == (other.dev(), other.ino())
    }

    pub fn len(&self) -> u64 {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.length.saturating_sub(self.position);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.file.read_at(&mut buffer[..wanted], self.start + self.position)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Section {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_beyond_its_ends() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.warc.gz.open"), b"committed and more").unwrap();
        let mut progress =
            WarcProgress { file: "a.warc.gz".into(), length: 9, records: 1, closed: false };
        let (mut section, path) = Section::committed(dir.path(), &progress).unwrap();
        assert!(path.ends_with("a.warc.gz.open"));
        let mut text = String::new();
        section.read_to_string(&mut text).unwrap();
        assert_eq!(text, "committed");
        assert_eq!(section.seek(SeekFrom::End(-3)).unwrap(), 6);
        text.clear();
        section.read_to_string(&mut text).unwrap();
        assert_eq!(text, "ted");
        assert!(section.seek(SeekFrom::Current(-10)).is_err());
        section.seek(SeekFrom::Start(100)).unwrap();
        assert_eq!(section.read(&mut [0; 4]).unwrap(), 0);

        progress.length = 100;
        let short = Section::committed(dir.path(), &progress);
        assert!(matches!(short, Err(ArchiveError::Short { found: 18, .. })), "{short:?}");
        progress.file = "b.warc.gz".into();
        let missing = Section::committed(dir.path(), &progress);
        assert!(matches!(missing, Err(ArchiveError::Missing { .. })), "{missing:?}");
    }
}
