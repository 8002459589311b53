//! The folder in which a harvest keeps its vocabularies, concordances and models.
//!
//! One file per vocabulary (`NAME.vocabulary.jsonl`), per concordance (`NAME.concordance.jsonl`) and
//! per model (`NAME.transfer.txt`), which people can read, compare and keep under version control;
//! [`lines`] has their form. A file is written beside its place and then renamed, so a reader sees
//! the old one or the new one. This is the only module of the crate that touches files.

mod lines;

use crate::problem::Problem;
use crate::{
    Concordance, Import, MAPPINGS_OF_VOCABULARY, ModelFileError, Models, ShortName, TransferModel,
    Vocabularies, Vocabulary,
};
pub use lines::LineError;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes of one file of the folder that are read.
pub const MAX_STORED_FILE: u64 = 4 << 30;

const VOCABULARY: &str = ".vocabulary.jsonl";
const CONCORDANCE: &str = ".concordance.jsonl";
const MODEL: &str = ".transfer.txt";

/// A folder of vocabularies; it need not exist before something is written.
#[derive(Debug, Clone)]
pub struct VocabularyStore {
    folder: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot read {}", file.display())]
    Read {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("cannot write {}", file.display())]
    Write {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("{}", file.display())]
    Damaged {
        file: PathBuf,
        #[source]
        cause: LineError,
    },
    #[error("{}", file.display())]
    DamagedModel {
        file: PathBuf,
        #[source]
        cause: ModelFileError,
    },
    #[error("{} is longer than {MAX_STORED_FILE} bytes", file.display())]
    TooLong { file: PathBuf },
}

/// What came of an import.
#[derive(Debug)]
pub struct Added {
    pub vocabulary: Option<Stored>,
    pub concordance: Option<Stored>,
    /// Mappings that wait for a vocabulary, with their lines.
    pub unresolved: Vec<Problem>,
}

/// One file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub id: ShortName,
    /// Whether there was one of this name before.
    pub replaced: bool,
    /// Concepts or mappings.
    pub entries: usize,
}

impl VocabularyStore {
    pub fn at(folder: impl Into<PathBuf>) -> VocabularyStore {
        VocabularyStore { folder: folder.into() }
    }

    /// All vocabularies and concordances; none if the folder does not exist.
    pub fn load(&self) -> Result<Vocabularies, StoreError> {
        let mut vocabularies = Vocabularies::default();
        for id in self.names(VOCABULARY)? {
            vocabularies.insert(self.vocabulary(&id)?);
        }
        for id in self.names(CONCORDANCE)? {
            vocabularies.insert_concordance(self.concordance(&id)?);
        }
        Ok(vocabularies)
    }

    /// All models; none if the folder does not exist.
    pub fn load_models(&self) -> Result<Models, StoreError> {
        let mut models = Models::default();
        for id in self.names(MODEL)? {
            let file = self.file(&id, MODEL);
            let model = TransferModel::read(&mut self.open(&file)?)
                .map_err(|cause| StoreError::DamagedModel { file, cause })?;
            models.insert(id, model);
        }
        Ok(models)
    }

    /// Writes what was imported. Vocabularies and concordances of the same names are replaced; so
    /// are the mappings that came with an earlier state of the vocabulary.
    pub fn add(&self, import: Import) -> Result<Added, StoreError> {
        let mut added = Added { vocabulary: None, concordance: None, unresolved: Vec::new() };
        if let Some(vocabulary) = &import.vocabulary {
            let replaced = self.file(&vocabulary.id, VOCABULARY).exists();
            self.write(&self.file(&vocabulary.id, VOCABULARY), |into| {
                lines::write_vocabulary(vocabulary, into)
            })?;
            let entries = vocabulary.concepts().len();
            added.vocabulary = Some(Stored { id: vocabulary.id.clone(), replaced, entries });
            if import.concordance.is_none() {
                self.remove_file(&vocabulary.id.with_ending(MAPPINGS_OF_VOCABULARY), CONCORDANCE)?;
            }
        }
        if let Some(concordance) = &import.concordance {
            let replaced = self.file(&concordance.id, CONCORDANCE).exists();
            self.write(&self.file(&concordance.id, CONCORDANCE), |into| {
                lines::write_concordance(concordance, into)
            })?;
            let entries = concordance.mappings().len();
            added.concordance = Some(Stored { id: concordance.id.clone(), replaced, entries });
            added.unresolved = self.load()?.unresolved(concordance);
        }
        Ok(added)
    }

    pub fn add_model(&self, name: &ShortName, model: &TransferModel) -> Result<(), StoreError> {
        self.write(&self.file(name, MODEL), |into| model.write(into))
    }

    /// Removes the vocabulary of a name with the mappings that came with it, the concordance or the
    /// model; whether there was one.
    pub fn remove(&self, id: &ShortName) -> Result<bool, StoreError> {
        let vocabulary = self.remove_file(id, VOCABULARY)?;
        if vocabulary {
            self.remove_file(&id.with_ending(MAPPINGS_OF_VOCABULARY), CONCORDANCE)?;
        }
        let concordance = self.remove_file(id, CONCORDANCE)?;
        let model = self.remove_file(id, MODEL)?;
        Ok(vocabulary || concordance || model)
    }

    pub fn vocabulary(&self, id: &ShortName) -> Result<Vocabulary, StoreError> {
        let file = self.file(id, VOCABULARY);
        lines::read_vocabulary(id, &mut self.open(&file)?)
            .map_err(|cause| StoreError::Damaged { file, cause })
    }

    pub fn concordance(&self, id: &ShortName) -> Result<Concordance, StoreError> {
        let file = self.file(id, CONCORDANCE);
        lines::read_concordance(id, &mut self.open(&file)?)
            .map_err(|cause| StoreError::Damaged { file, cause })
    }

    fn file(&self, id: &ShortName, ending: &str) -> PathBuf {
        self.folder.join(format!("{id}{ending}"))
    }

    /// The names of the files with an ending, sorted; other files of the folder are none of ours.
    fn names(&self, ending: &str) -> Result<Vec<ShortName>, StoreError> {
        let failed = |cause| StoreError::Read { file: self.folder.clone(), cause };
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(failed)?.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(ending));
            names.extend(id.and_then(ShortName::new));
        }
        names.sort();
        Ok(names)
    }

    fn open(&self, file: &Path) -> Result<BufReader<File>, StoreError> {
        let failed = |cause| StoreError::Read { file: file.to_owned(), cause };
        let opened = File::open(file).map_err(failed)?;
        if opened.metadata().map_err(failed)?.len() > MAX_STORED_FILE {
            return Err(StoreError::TooLong { file: file.to_owned() });
        }
        Ok(BufReader::with_capacity(256 << 10, opened))
    }

    fn write(
        &self,
        file: &Path,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let failed = |cause| StoreError::Write { file: file.to_owned(), cause };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        // Two writers at the same time must not share the file beside.
        let beside = file.with_extension(format!("new-{}", std::process::id()));
        let written = File::create(&beside).and_then(|created| {
            let mut into = BufWriter::new(created);
            content(&mut into)?;
            into.flush()?;
            into.get_ref().sync_all()?;
            fs::rename(&beside, file)
        });
        if written.is_err() {
            // The error that is reported is the first one; a file that stays behind is overwritten.
            let _ = fs::remove_file(&beside);
        }
        written.map_err(failed)
    }

    fn remove_file(&self, id: &ShortName, ending: &str) -> Result<bool, StoreError> {
        let file = self.file(id, ending);
        match fs::remove_file(&file) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(cause) => Err(StoreError::Write { file, cause }),
        }
    }
}
