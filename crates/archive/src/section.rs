//! A stretch of a file as if it were a file: the committed part of one that still grows, or an entry of a zip file.

use crate::error::ArchiveError;
use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;

/// A file elsewhere, of which stretches can be read. It does not change.
pub trait RemoteFile: Debug + Send + Sync {
    fn length(&self) -> u64;

    /// Reads at an offset: at least one byte, unless the file or the buffer ends there.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

/// Reads from a place of its own, so that several may share the file.
#[derive(Debug, Clone)]
pub struct Section {
    file: Source,
    start: u64,
    length: u64,
    position: u64,
}

#[derive(Debug, Clone)]
enum Source {
    Local(Arc<File>),
    Remote(Arc<dyn RemoteFile>),
}

impl Section {
    /// A stretch of a file.
    pub fn new(file: Arc<File>, start: u64, length: u64) -> Section {
        Section { file: Source::Local(file), start, length, position: 0 }
    }

    /// The whole of the file at a path, as long as it is now.
    pub fn open(path: &Path) -> Result<Section, ArchiveError> {
        File::open(path).and_then(Section::of_file).map_err(ArchiveError::io(path))
    }

    /// The whole of a file, as long as it is now.
    pub(crate) fn of_file(file: File) -> io::Result<Section> {
        let length = file.metadata()?.len();
        Ok(Section::new(Arc::new(file), 0, length))
    }

    pub(crate) fn of_remote(file: Arc<dyn RemoteFile>) -> Section {
        let length = file.length();
        Section { file: Source::Remote(file), start: 0, length, position: 0 }
    }

    /// A part of it, as far as there is one.
    #[must_use]
    pub fn part(self, start: u64, length: u64) -> Section {
        let start = start.min(self.length);
        let length = length.min(self.length - start);
        Section { file: self.file, start: self.start + start, length, position: 0 }
    }

    /// Reads at an offset, whatever was read before: at least one byte, unless the section or the buffer ends there.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = self.length.saturating_sub(offset);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let buffer = &mut buffer[..wanted];
        match &self.file {
            Source::Local(file) => file.read_at(buffer, self.start + offset),
            Source::Remote(_) if wanted == 0 => Ok(0),
            Source::Remote(file) => file.read_at(buffer, self.start + offset),
        }
    }

    /// Whether the file is the one at this path.
    pub fn is_at(&self, path: &Path) -> bool {
        let Source::Local(file) = &self.file else { return false };
        let (Ok(own), Ok(other)) = (file.metadata(), path.metadata()) else { return false };
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
        let count = self.read_at(buffer, self.position)?;
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
        let path = dir.path().join("a.warc.gz.open");
        std::fs::write(&path, b"committed and more").unwrap();
        let whole = Section::of_file(File::open(&path).unwrap()).unwrap();
        assert!(whole.is_at(&path));
        let mut section = whole.part(0, 9);
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
        assert_eq!(section.read_at(&mut [0; 4], 7).unwrap(), 2);
    }
}
