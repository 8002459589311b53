//! Where the files of an archive lie: in a folder, and perhaps in a store elsewhere.
//!
//! Everything that reads archived records reads through [`Holdings`], so nobody else knows where a file lies. A file
//! in the folder is read there, whether it is closed or still written; what the folder lacks is read from the store,
//! by stretches. A file in a store never changes under its name, so there is nothing to compare.
//!
//! A store may be out of reach for a while, and that says nothing about a document. Readers that take a record they
//! cannot read for a fault of that record therefore ask [`Holdings::in_reach`] before they store what they found.

use crate::error::ArchiveError;
use crate::reader::Reader;
use crate::section::{RemoteFile, Section};
use crate::stored::{StoredRecord, read_in_one_go, read_record};
use crate::writer::open_path;
use auslese_model::{Place, WarcProgress};
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A store elsewhere, in which closed files lie under their names.
pub trait RemoteFiles: Debug + Send + Sync {
    /// A file of the store; an error of the kind `NotFound` if it has none of that name.
    fn open(&self, file: &str) -> io::Result<Arc<dyn RemoteFile>>;

    /// Where a file lies, for messages.
    fn address(&self, file: &str) -> String;
}

/// The files of one archive.
#[derive(Debug, Clone)]
pub struct Holdings {
    dir: PathBuf,
    store: Option<Arc<dyn RemoteFiles>>,
    /// The first failure of the store, whoever met it.
    failure: Arc<Mutex<Option<String>>>,
}

impl Holdings {
    /// An archive that lies in a folder.
    pub fn local(dir: impl Into<PathBuf>) -> Holdings {
        Holdings { dir: dir.into(), store: None, failure: Arc::default() }
    }

    /// The same, with a store for what the folder lacks.
    pub fn with_store(self, store: Arc<dyn RemoteFiles>) -> Holdings {
        Holdings { store: Some(store), ..self }
    }

    /// The same holdings for other work, which a failure of the store so far does not concern.
    #[must_use]
    pub fn anew(&self) -> Holdings {
        Holdings { failure: Arc::default(), ..self.clone() }
    }

    /// The folder, in which files are written.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A message without the places where the archive lies, which are nobody's business but the operator's.
    pub fn concealed(&self, message: &str) -> String {
        let message = message.replace(&format!("{}/", self.dir.display()), "");
        match &self.store {
            Some(store) => message.replace(&store.address(""), ""),
            None => message,
        }
    }

    /// A file as it is now, and how it is called in messages. What is opened here stays the same, also if the file is
    /// renamed, replaced or removed from the folder.
    pub fn open(&self, file: &str) -> Result<(Section, PathBuf), ArchiveError> {
        let closed = self.dir.join(file);
        // It may get its final name between the first two attempts.
        for path in [closed.clone(), open_path(&self.dir, file), closed.clone()] {
            match File::open(&path) {
                Ok(opened) => {
                    return Ok((Section::of_file(opened).map_err(ArchiveError::io(&path))?, path));
                }
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                Err(cause) => return Err(ArchiveError::io(path)(cause)),
            }
        }
        let Some(store) = &self.store else {
            return Err(ArchiveError::io(closed)(io::ErrorKind::NotFound.into()));
        };
        // Each attempt to reach a store takes its time, and there may be thousands of files.
        self.in_reach()?;
        let address = PathBuf::from(store.address(file));
        let opened = store.open(file).map_err(|cause| self.failed(&address, cause))?;
        let watched = Watched { inner: opened, holdings: self.clone() };
        Ok((Section::of_remote(Arc::new(watched)), address))
    }

    /// What the catalog counts on of a file, whether a crawl still writes to it or not.
    pub fn committed(&self, file: &WarcProgress) -> Result<(Section, PathBuf), ArchiveError> {
        let committed = file.length;
        let (section, path) = self.open(&file.file).map_err(|error| match error {
            ArchiveError::Io { file, cause } if cause.kind() == io::ErrorKind::NotFound => {
                ArchiveError::Missing { file, committed }
            }
            error => error,
        })?;
        match section.len() {
            found if found < committed => Err(ArchiveError::Short { file: path, found, committed }),
            _ => Ok((section.part(0, committed), path)),
        }
    }

    /// The records of a file from one on whose offset is known.
    pub fn reader_at(&self, file: &str, offset: u64) -> Result<Reader<Section>, ArchiveError> {
        let (section, path) = self.open(file)?;
        Reader::new(&path, section, offset)
    }

    /// Reads the record at a place.
    pub fn read_at(&self, place: &Place) -> Result<StoredRecord, ArchiveError> {
        let (section, path) = self.open(&place.file)?;
        match read_in_one_go(&path, &section, place) {
            Some(stored) => Ok(stored),
            None => read_record(&path, section, place.offset),
        }
    }

    /// Whether the store could be reached whenever it was asked through these holdings or a copy of them.
    ///
    /// # Errors
    /// The first failure, if there was one.
    pub fn in_reach(&self) -> Result<(), ArchiveError> {
        match &*self.failure.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(why) => Err(ArchiveError::OutOfReach { why: why.clone() }),
        }
    }

    fn failed(&self, address: &Path, cause: io::Error) -> ArchiveError {
        self.note(&cause);
        ArchiveError::io(address)(cause)
    }

    /// A file that is not there is a fault of the archive; anything else is one of the store.
    fn note(&self, cause: &io::Error) {
        if cause.kind() != io::ErrorKind::NotFound {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert_with(|| cause.to_string());
        }
    }
}

/// A file of the store whose failures are noted.
#[derive(Debug)]
struct Watched {
    inner: Arc<dyn RemoteFile>,
    holdings: Holdings,
}

impl RemoteFile for Watched {
    fn length(&self) -> u64 {
        self.inner.length()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.inner.read_at(buffer, offset);
        if let Err(cause) = &read {
            self.holdings.note(cause);
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::io::{Read, Seek, SeekFrom};

    /// Files in memory; one whose name begins with `broken` cannot be read.
    #[derive(Debug, Default)]
    struct Shelf(BTreeMap<String, Vec<u8>>);

    #[derive(Debug)]
    struct OnShelf(Vec<u8>, bool);

    impl RemoteFiles for Shelf {
        fn open(&self, file: &str) -> io::Result<Arc<dyn RemoteFile>> {
            let bytes = self.0.get(file).ok_or(io::ErrorKind::NotFound)?;
            Ok(Arc::new(OnShelf(bytes.clone(), file.starts_with("broken"))))
        }

        fn address(&self, file: &str) -> String {
            format!("shelf://{file}")
        }
    }

    impl RemoteFile for OnShelf {
        fn length(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            if self.1 {
                return Err(io::Error::other("the shelf is locked"));
            }
            let start = self.0.len().min(usize::try_from(offset).unwrap_or(usize::MAX));
            (&self.0[start..]).read(buffer)
        }
    }

    fn progress(file: &str, length: u64) -> WarcProgress {
        WarcProgress { file: file.into(), length, records: 1, closed: false }
    }

    fn text(mut section: Section) -> String {
        let mut text = String::new();
        section.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn the_folder_first_and_then_the_store() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("here.warc.gz"), b"closed").unwrap();
        std::fs::write(dir.path().join("grows.warc.gz.open"), b"committed and more").unwrap();
        let shelf = [("here.warc.gz", "never read"), ("there.warc.gz", "from the store")];
        let shelf = shelf.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let holdings = Holdings::local(dir.path()).with_store(Arc::new(Shelf(shelf.into())));
        #[rustfmt::skip]
        let cases = [
            ("here.warc.gz",  6, "closed",         "here.warc.gz"),
            ("grows.warc.gz", 9, "committed",      "grows.warc.gz.open"),
            ("there.warc.gz", 8, "from the",       "there.warc.gz"),
        ];
        for (file, length, expected, ending) in cases {
            let (section, path) = holdings.committed(&progress(file, length)).unwrap();
            assert_eq!(text(section), expected, "{file}");
            assert!(path.ends_with(ending), "{path:?}");
        }
        let (mut section, _) = holdings.open("there.warc.gz").unwrap();
        assert_eq!(section.seek(SeekFrom::End(-5)).unwrap(), 9);
        assert_eq!(text(section), "store");
        let short = holdings.committed(&progress("there.warc.gz", 100));
        assert!(matches!(short, Err(ArchiveError::Short { found: 14, .. })), "{short:?}");
        let missing = holdings.committed(&progress("gone.warc.gz", 1));
        assert!(matches!(missing, Err(ArchiveError::Missing { .. })), "{missing:?}");
        let missing = Holdings::local(dir.path()).committed(&progress("gone.warc.gz", 1));
        assert!(matches!(missing, Err(ArchiveError::Missing { .. })), "{missing:?}");
        // A file that is not there says nothing about the store.
        holdings.in_reach().unwrap();
    }

    #[test]
    fn a_store_that_fails_is_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let shelf = Shelf([("broken.warc.gz".to_owned(), b"bytes".to_vec())].into());
        let holdings = Holdings::local(dir.path()).with_store(Arc::new(shelf));
        let copy = holdings.clone();
        let place =
            Place { file: "broken.warc.gz".into(), offset: 0, length: 5, record_id: String::new() };
        assert!(copy.read_at(&place).is_err());
        let failure = holdings.in_reach().unwrap_err();
        assert!(failure.to_string().contains("the shelf is locked"), "{failure}");
        // From then on nothing more is asked, but for other work.
        let again = holdings.open("broken.warc.gz");
        assert!(matches!(again, Err(ArchiveError::OutOfReach { .. })), "{again:?}");
        holdings.anew().open("broken.warc.gz").unwrap();
    }
}
