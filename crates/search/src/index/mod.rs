//! An index in a directory: made, opened, checked, replaced.
//!
//! What the index holds and the caller's *state* (which catalog, which run of descriptions) are committed in one step:
//! the state is the payload of the commit. A caller compares [`IndexDir::fingerprints`] with its own, so whatever
//! moment a run is killed at, the last commit is there and the next update repairs the rest. Locks are those of the
//! operating system and end with the process.

mod columns;
mod inversion;
mod prepare;
mod queue;
mod rebuild;
mod writer;

pub use rebuild::Rebuild;
pub use writer::{MAX_WRITER_THREADS, WRITER_MEMORY, Writer, WriterOptions};

use crate::SearchError;
use crate::analysis::PreparedTokenizer;
use crate::schema::{INDEX_VERSION, IndexFields, PREPARED, column};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexSettings, TantivyError};

pub(crate) use columns::{optional_strings, optional_u64};
pub(crate) use prepare::{SCHEME, subject_term};

/// An index that can be read, and written by one process at a time.
#[derive(Debug, Clone)]
pub struct IndexDir {
    dir: PathBuf,
    index: Index,
    fields: Arc<IndexFields>,
}

/// An index, and what of it counts in a search together with others.
#[derive(Debug, Clone)]
pub struct IndexPart {
    pub index: IndexDir,
    /// Indexes of one group are parts of one collection: no key counts in two of them.
    pub group: usize,
    /// The keys that count, as first and last of ranges in order; none if all do.
    pub holds: Option<Vec<(u64, u64)>>,
}

/// What a commit carries.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    version: u32,
    state: String,
}

impl IndexDir {
    /// Opens an index, or makes an empty one where there is none.
    pub fn open_or_create(dir: &Path) -> Result<IndexDir, SearchError> {
        match IndexDir::open(dir) {
            Err(SearchError::Missing { .. }) => IndexDir::create(dir),
            opened => opened,
        }
    }

    /// Makes an empty index with an empty state; the directory may exist and must hold no index.
    pub fn create(dir: &Path) -> Result<IndexDir, SearchError> {
        fs::create_dir_all(dir).map_err(|cause| SearchError::Io { file: dir.into(), cause })?;
        let (schema, fields) = IndexFields::schema();
        // Texts are compressed by the thread that has them: another one for that is woken for every block, and there are
        // as many threads as cores already.
        let settings =
            IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
        let index = Index::builder().schema(schema).settings(settings).create_in_dir(dir);
        let index = index.map_err(|cause| written(dir, cause))?;
        let made = IndexDir::with_tokenizer(dir, index, fields);
        // The first commit says which version it is of.
        made.writer(WriterOptions { threads: 1, ..WriterOptions::default() })?.commit("")?;
        Ok(made)
    }

    /// Opens an index and checks that it is one of this version and that its files end as they were written.
    pub fn open(dir: &Path) -> Result<IndexDir, SearchError> {
        rebuild::recover(dir)?;
        if !dir.join("meta.json").is_file() {
            return Err(SearchError::Missing { dir: dir.into() });
        }
        let index = Index::open_in_dir(dir).map_err(|cause| damaged(dir, cause))?;
        let (schema, fields) = IndexFields::schema();
        let opened = IndexDir::with_tokenizer(dir, index, fields);
        let payload = opened.payload()?;
        let found = payload.map_or("unknown".to_owned(), |payload| payload.version.to_string());
        let expected = INDEX_VERSION.to_string();
        if found != expected || opened.index.schema() != schema {
            let found = if found == expected { "another schema".to_owned() } else { found };
            return Err(SearchError::OtherVersion { dir: dir.into(), found, expected });
        }
        opened.index.reader().map_err(|cause| damaged(dir, cause))?;
        Ok(opened)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What the last commit was given.
    pub fn state(&self) -> Result<String, SearchError> {
        Ok(self.payload()?.map(|payload| payload.state).unwrap_or_default())
    }

    /// The documents of the last commit by key, each with its fingerprint.
    pub fn fingerprints(&self) -> Result<FxHashMap<u64, u64>, SearchError> {
        let broken = |cause| damaged(&self.dir, cause);
        let searcher = self.index.reader().map_err(broken)?.searcher();
        let mut found = FxHashMap::default();
        for segment in searcher.segment_readers() {
            let keys = segment.fast_fields().u64(column::KEY).map_err(broken)?;
            let prints = segment.fast_fields().u64(column::FINGERPRINT).map_err(broken)?;
            for doc in segment.doc_ids_alive() {
                if let (Some(key), Some(print)) = (keys.first(doc), prints.first(doc)) {
                    found.insert(key, print);
                }
            }
        }
        Ok(found)
    }

    /// Reads every file and compares it with its checksum; opening looks at their ends only.
    pub fn verify(&self) -> Result<(), SearchError> {
        let faults = self.index.validate_checksum().map_err(|cause| damaged(&self.dir, cause))?;
        match faults.iter().min() {
            None => Ok(()),
            Some(file) => {
                let cause = format!("{} is not as it was written", file.display()).into();
                Err(SearchError::Damaged { dir: self.dir.clone(), cause })
            }
        }
    }

    /// Waits for nobody: one process writes at a time.
    pub fn writer(&self, options: WriterOptions) -> Result<Writer, SearchError> {
        Writer::open(self, options)
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) fn fields(&self) -> &Arc<IndexFields> {
        &self.fields
    }

    fn with_tokenizer(dir: &Path, index: Index, fields: IndexFields) -> IndexDir {
        let tokenizer = TextAnalyzer::from(PreparedTokenizer::default());
        index.tokenizers().register(PREPARED, tokenizer);
        IndexDir { dir: dir.to_owned(), index, fields: Arc::new(fields) }
    }

    fn payload(&self) -> Result<Option<Payload>, SearchError> {
        let metas = self.index.load_metas().map_err(|cause| damaged(&self.dir, cause))?;
        Ok(metas.payload.and_then(|payload| serde_json::from_str(&payload).ok()))
    }
}

/// An error while reading an index that was opened well.
pub(crate) fn damaged(dir: &Path, cause: TantivyError) -> SearchError {
    SearchError::Damaged { dir: dir.into(), cause: Box::new(cause) }
}

fn written(dir: &Path, cause: TantivyError) -> SearchError {
    match cause {
        TantivyError::LockFailure(..) => SearchError::Locked { dir: dir.into() },
        cause => SearchError::Write { dir: dir.into(), cause: Box::new(cause) },
    }
}
