//! Puts documents into an index, on all cores.
//!
//! Documents are prepared by some threads and inverted by those of tantivy. A document always goes to the thread of
//! its key, so that what is said later about a key wins. They go from thread to thread in batches, since waking a thread
//! for each would cost more than handing it over. All queues are bounded: whoever puts faster than can be written waits.

use super::prepare::DocumentMaker;
use super::{IndexDir, Payload, written};
use crate::SearchError;
use crate::document::IndexedDocument;
use crate::schema::{INDEX_VERSION, IndexFields};
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use tantivy::indexer::UserOperation;
use tantivy::{IndexWriter, TantivyDocument, TantivyError, Term};

/// How much a writer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterOptions {
    /// Bytes of postings held in memory before they are written, all threads together.
    pub memory: usize,
    /// Threads that prepare, and as many that invert; 0 for one per core, at most [`MAX_WRITER_THREADS`].
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

/// Batches that wait for each preparing thread.
const QUEUE: usize = 4;

/// Documents of a batch, and bytes of their texts from which on it is full.
const BATCH: usize = 16;
const BATCH_BYTES: usize = 1 << 20;

/// tantivy refuses to work with less, per thread.
const MIN_MEMORY_PER_THREAD: usize = 16 << 20;

/// Writes to an index. Nothing is visible before [`Writer::commit`]; what is not committed when it is dropped is gone.
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    shared: Arc<Shared>,
    lanes: Vec<Lane>,
    /// Keys that have to be deleted before they are added.
    known: FxHashSet<u64>,
}

struct Shared {
    writer: RwLock<IndexWriter<TantivyDocument>>,
    fields: Arc<IndexFields>,
    trouble: Mutex<Option<TantivyError>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

struct Lane {
    tasks: Option<SyncSender<Vec<Task>>>,
    /// The batch that is not full yet.
    batch: Vec<Task>,
    batch_bytes: usize,
    thread: Option<JoinHandle<()>>,
}

enum Task {
    Put {
        document: Box<IndexedDocument>,
        replaces: bool,
    },
    Remove(u64),
    /// Answered when everything before it is done.
    Drain(SyncSender<()>),
}

impl Writer {
    pub(super) fn open(index: &IndexDir, options: WriterOptions) -> Result<Writer, SearchError> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = if options.threads == 0 { cores } else { options.threads };
        let threads = threads.clamp(1, MAX_WRITER_THREADS);
        let memory = options.memory.max(threads * MIN_MEMORY_PER_THREAD);
        let writer = index
            .index()
            .writer_with_num_threads(threads, memory)
            .map_err(|cause| written(index.dir(), cause))?;
        let known = index.fingerprints()?.into_keys().collect();
        let shared = Arc::new(Shared {
            writer: RwLock::new(writer),
            fields: index.fields().clone(),
            trouble: Mutex::new(None),
        });
        let lanes = (0..threads).map(|_| Lane::start(&shared)).collect();
        Ok(Writer { dir: index.dir().to_owned(), shared, lanes, known })
    }

    /// Adds a document, in the place of what has the same key.
    pub fn put(&mut self, document: IndexedDocument) -> Result<(), SearchError> {
        let key = document.key;
        let replaces = !self.known.insert(key);
        self.send(key, Task::Put { document: Box::new(document), replaces })
    }

    pub fn remove(&mut self, key: u64) -> Result<(), SearchError> {
        self.send(key, Task::Remove(key))
    }

    /// Makes everything visible so far, together with the caller's state, or nothing.
    pub fn commit(&mut self, state: &str) -> Result<(), SearchError> {
        self.check()?;
        let drained: Vec<Receiver<()>> = self.lanes.iter_mut().map(Lane::drain).collect();
        for done in drained {
            // A lane that died has left its trouble.
            let _ = done.recv();
        }
        self.check()?;
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

    fn send(&mut self, key: u64, task: Task) -> Result<(), SearchError> {
        self.check()?;
        let lane = (key % self.lanes.len() as u64) as usize;
        self.lanes[lane].take(task);
        Ok(())
    }

    fn check(&self) -> Result<(), SearchError> {
        let trouble = self.shared.trouble.lock().unwrap_or_else(PoisonError::into_inner).take();
        trouble.map_or(Ok(()), |cause| Err(written(&self.dir, cause)))
    }

    fn stop(&mut self) {
        for lane in &mut self.lanes {
            lane.tasks = None;
        }
        for lane in &mut self.lanes {
            if let Some(thread) = lane.thread.take() {
                let _ = thread.join();
            }
        }
    }
}

/// The threads end before the lock is given back.
impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Lane {
    fn start(shared: &Arc<Shared>) -> Lane {
        let (tasks, queue) = sync_channel(QUEUE);
        let shared = shared.clone();
        let thread = thread::spawn(move || work(&shared, &queue));
        Lane { tasks: Some(tasks), batch: Vec::new(), batch_bytes: 0, thread: Some(thread) }
    }

    fn take(&mut self, task: Task) {
        if let Task::Put { document, .. } = &task {
            self.batch_bytes += document.text.len();
        }
        self.batch.push(task);
        if self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES {
            self.send_batch();
        }
    }

    /// Hands over what waits; the answer comes when all of it is done.
    fn drain(&mut self) -> Receiver<()> {
        let (answer, done) = sync_channel(1);
        self.batch.push(Task::Drain(answer));
        self.send_batch();
        done
    }

    fn send_batch(&mut self) {
        self.batch_bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        if let Some(tasks) = &self.tasks {
            // If the lane is gone, its trouble is told with the next call or the commit.
            let _ = tasks.send(batch);
        }
    }
}

impl std::fmt::Debug for Lane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lane").field("batch", &self.batch.len()).finish_non_exhaustive()
    }
}

fn work(shared: &Shared, queue: &Receiver<Vec<Task>>) {
    let mut maker = DocumentMaker::new(shared.fields.clone());
    for batch in queue {
        let mut operations = Vec::new();
        let mut answers = Vec::new();
        let delete = |key| UserOperation::Delete(Term::from_field_u64(shared.fields.key, key));
        for task in batch {
            match task {
                Task::Put { document, replaces } => {
                    operations.extend(replaces.then(|| delete(document.key)));
                    operations.push(UserOperation::Add(maker.make(*document)));
                }
                Task::Remove(key) => operations.push(delete(key)),
                Task::Drain(answer) => answers.push(answer),
            }
        }
        let writer = shared.writer.read().unwrap_or_else(PoisonError::into_inner);
        if let Err(trouble) = writer.run(operations) {
            let mut first = shared.trouble.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(trouble);
        }
        drop(writer);
        for answer in answers {
            let _ = answer.send(());
        }
    }
}
