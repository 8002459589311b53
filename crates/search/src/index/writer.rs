//! Puts documents into an index, on all cores.
//!
//! A thread does everything for a document: it has it made, if that is still to be done, finds its words and
//! inverts them into a piece of the index of its own. So nothing large goes from thread to thread, and what one step made
//! is at hand for the next. Documents come in batches, since waking a thread for each would cost more than handing it
//! over.
//!
//! Where an index has documents already, tantivy's own threads invert, because what is to be deleted there has to be told
//! from what is added; so does what replaces a document of an index that was empty. What the pieces hold was never
//! there before, so deleting a key can be applied to them whenever it comes. A key that comes again waits until everything
//! before it is in its place.

use super::inversion::Pieces;
use super::prepare::DocumentMaker;
use super::queue::Queue;
use super::{IndexDir, Payload, written};
use crate::SearchError;
use crate::document::IndexedDocument;
use crate::schema::{INDEX_VERSION, IndexFields};
use rustc_hash::FxHashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use tantivy::indexer::UserOperation;
use tantivy::{IndexWriter, TantivyDocument, TantivyError, Term};

/// How much a writer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterOptions {
    /// Bytes of postings held in memory before they are written, all threads together.
    pub memory: usize,
    /// 0 for one per core, at most [`MAX_WRITER_THREADS`].
    pub threads: usize,
}

impl Default for WriterOptions {
    fn default() -> WriterOptions {
        WriterOptions { memory: WRITER_MEMORY, threads: 0 }
    }
}

/// The default of [`WriterOptions::memory`].
pub const WRITER_MEMORY: usize = 256 << 20;

/// More threads do not make an index faster, only cut it into more pieces.
pub const MAX_WRITER_THREADS: usize = 8;

/// Documents of a batch, and bytes of their texts from which on it is full.
const BATCH: usize = 16;
const BATCH_BYTES: usize = 1 << 20;

/// Batches that may wait, and their bytes.
const QUEUE: usize = 32;
const QUEUE_BYTES: usize = 8 << 20;

/// tantivy refuses to work with less, per thread.
const MIN_MEMORY_PER_THREAD: usize = 16 << 20;

/// Writes to an index. Nothing is visible before [`Writer::commit`]; what is not committed when it is dropped is gone.
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    /// What is not in the queue yet.
    batch: Vec<Task>,
    batch_bytes: usize,
    /// Keys that have to be deleted before they are added.
    known: FxHashSet<u64>,
    /// Keys that are on their way.
    under_way: FxHashSet<u64>,
    /// Whether documents go into pieces of their threads, as long as they replace nothing.
    into_pieces: bool,
}

struct Shared {
    writer: RwLock<IndexWriter<TantivyDocument>>,
    fields: Arc<IndexFields>,
    queue: Queue<Vec<Task>>,
    pieces: Pieces,
    trouble: Mutex<Option<TantivyError>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

enum Task {
    Put { make: Box<dyn FnOnce() -> IndexedDocument + Send>, place: Place },
    Remove(u64),
}

/// Where a document goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Into the piece of its thread.
    Piece,
    /// To tantivy.
    Added,
    /// To tantivy, in the place of what has its key.
    Replaced,
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task").finish_non_exhaustive()
    }
}

impl Writer {
    pub(super) fn open(index: &IndexDir, options: WriterOptions) -> Result<Writer, SearchError> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = if options.threads == 0 { cores } else { options.threads };
        let threads = threads.clamp(1, MAX_WRITER_THREADS);
        let least = threads * MIN_MEMORY_PER_THREAD;
        let memory = options.memory.max(least);
        let known: FxHashSet<u64> = index.fingerprints()?.into_keys().collect();
        // An index that is empty has hardly anything to be replaced.
        let into_pieces = known.is_empty();
        let for_tantivy = if into_pieces { least } else { memory };
        let writer = index
            .index()
            .writer_with_num_threads(threads, for_tantivy)
            .map_err(|cause| written(index.dir(), cause))?;
        let shared = Arc::new(Shared {
            writer: RwLock::new(writer),
            fields: index.fields().clone(),
            queue: Queue::new(QUEUE, QUEUE_BYTES),
            pieces: Pieces::new(
                index.index().clone(),
                index.fields().key,
                threads,
                memory / threads,
            ),
            trouble: Mutex::new(None),
        });
        let start = |number| {
            let shared = shared.clone();
            thread::spawn(move || work(number, &shared))
        };
        Ok(Writer {
            dir: index.dir().to_owned(),
            threads: (0..threads).map(start).collect(),
            shared,
            batch: Vec::new(),
            batch_bytes: 0,
            known,
            under_way: FxHashSet::default(),
            into_pieces,
        })
    }

    /// Adds a document, in the place of what has the same key.
    pub fn put(&mut self, document: IndexedDocument) -> Result<(), SearchError> {
        let (key, bytes) = (document.key, document.text.len());
        self.put_sized(key, bytes, Box::new(move || document))
    }

    /// The same for a document that is still to be made; that is done by the thread that takes it.
    pub fn put_later(
        &mut self,
        key: u64,
        make: impl FnOnce() -> IndexedDocument + Send + 'static,
    ) -> Result<(), SearchError> {
        self.put_sized(key, 0, Box::new(move || IndexedDocument { key, ..make() }))
    }

    pub fn remove(&mut self, key: u64) -> Result<(), SearchError> {
        self.expect_alone(key)?;
        self.send(Task::Remove(key), 0)
    }

    /// Waits until everything that was put is made and inverted.
    pub fn settle(&mut self) -> Result<(), SearchError> {
        self.send_batch();
        self.shared.queue.wait_until_done();
        self.check()
    }

    /// Makes everything visible so far, together with the caller's state, or nothing.
    pub fn commit(&mut self, state: &str) -> Result<(), SearchError> {
        self.settle_for_good()?;
        let payload = Payload { version: INDEX_VERSION, state: state.to_owned() };
        let payload = serde_json::to_string(&payload).expect("two plain values are JSON");
        let mut writer = self.shared.writer.write().unwrap_or_else(PoisonError::into_inner);
        let committed = writer.prepare_commit().and_then(|mut prepared| {
            prepared.set_payload(&payload);
            prepared.commit()
        });
        committed.map(|_| ()).map_err(|cause| written(&self.dir, cause))
    }

    /// Waits until pieces of the index that are being joined in the background are joined.
    pub fn finish(mut self) -> Result<(), SearchError> {
        self.stop();
        let (dir, shared) = (self.dir.clone(), self.shared.clone());
        drop(self);
        let Some(shared) = Arc::into_inner(shared) else { return Ok(()) };
        let writer = shared.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        writer.wait_merging_threads().map_err(|cause| written(&dir, cause))
    }

    fn put_sized(
        &mut self,
        key: u64,
        bytes: usize,
        make: Box<dyn FnOnce() -> IndexedDocument + Send>,
    ) -> Result<(), SearchError> {
        self.expect_alone(key)?;
        let place = match self.known.insert(key) {
            true if self.into_pieces => Place::Piece,
            true => Place::Added,
            false => Place::Replaced,
        };
        self.send(Task::Put { make, place }, bytes)
    }

    /// Threads take batches in any order, so a key must not be in two of them.
    fn expect_alone(&mut self, key: u64) -> Result<(), SearchError> {
        if !self.under_way.insert(key) {
            self.settle_for_good()?;
            self.under_way.insert(key);
        }
        Ok(())
    }

    /// Waits for all that was put, and closes the pieces, so that what comes then can delete it.
    fn settle_for_good(&mut self) -> Result<(), SearchError> {
        self.settle()?;
        let writer = self.shared.writer.read().unwrap_or_else(PoisonError::into_inner);
        if let Err(trouble) = self.shared.pieces.close_all(&writer) {
            self.shared.note(trouble);
        }
        drop(writer);
        self.under_way.clear();
        self.check()
    }

    fn send(&mut self, task: Task, bytes: usize) -> Result<(), SearchError> {
        self.check()?;
        self.batch.push(task);
        self.batch_bytes += bytes;
        if self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES {
            self.send_batch();
        }
        Ok(())
    }

    fn send_batch(&mut self) {
        let bytes = std::mem::take(&mut self.batch_bytes);
        let batch = std::mem::take(&mut self.batch);
        if !batch.is_empty() {
            self.shared.queue.put(batch, bytes);
        }
    }

    fn check(&self) -> Result<(), SearchError> {
        let trouble = self.shared.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.clone().map_or(Ok(()), |cause| Err(written(&self.dir, cause)))
    }

    fn stop(&mut self) {
        self.shared.queue.abandon();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// The threads end before the lock is given back.
impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn work(thread: usize, shared: &Shared) {
    let mut maker = DocumentMaker::new(shared.fields.clone());
    while let Some(batch) = shared.queue.take() {
        // Whatever fails in a thread must reach whoever commits.
        let done = catch_unwind(AssertUnwindSafe(|| shared.carry_out(thread, batch, &mut maker)));
        let done = done.unwrap_or_else(|_| {
            Err(TantivyError::InternalError("a thread that indexes has failed".to_owned()))
        });
        if let Err(trouble) = done {
            shared.note(trouble);
        }
        shared.queue.done();
    }
}

impl Shared {
    fn carry_out(
        &self,
        thread: usize,
        batch: Vec<Task>,
        maker: &mut DocumentMaker,
    ) -> tantivy::Result<()> {
        let writer = self.writer.read().unwrap_or_else(PoisonError::into_inner);
        let delete = |key| UserOperation::Delete(Term::from_field_u64(self.fields.key, key));
        let mut operations = Vec::new();
        for task in batch {
            match task {
                Task::Put { make, place: Place::Piece } => {
                    let made = maker.make_for_piece(make());
                    self.pieces.add(thread, &made, maker.analyzer())?;
                }
                Task::Put { make, place } => {
                    let document = make();
                    operations.extend((place == Place::Replaced).then(|| delete(document.key)));
                    operations.push(UserOperation::Add(maker.make(document)));
                }
                Task::Remove(key) => operations.push(delete(key)),
            }
        }
        if !operations.is_empty() {
            writer.run(operations)?;
        }
        self.pieces.close_if_full(thread, &writer)
    }

    /// What went wrong first is told from then on, since documents are missing.
    fn note(&self, trouble: TantivyError) {
        let mut first = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(trouble);
    }
}
