//! What reading may cost. Each limit has a name, a default and a reason.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

const MIB: u64 = 1024 * 1024;

/// Most readers at a time unless set otherwise: each may need [`Limits::memory`].
const MAX_DEFAULT_PROCESSES: usize = 8;

/// What reading may cost, per document and per process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Readers and helpers that run at a time. One per core by default, but at most eight: they have
    /// nothing to wait for, and each may need its memory.
    pub processes: NonZero<usize>,
    /// Time by the wall clock for one document: 20 s. A paper takes well under a second; what takes
    /// longer than this is stuck, or not worth holding up the others.
    pub time: Duration,
    /// Address space a reader may use beyond what the program itself occupies: 1 GiB. Readers
    /// unpack whole files, and their trees are many times larger than the bytes.
    pub memory: u64,
    /// Longest document that is handed to a reader: 128 MiB, so that it fits into the memory with
    /// what it becomes. Scanned books are longer and hold no text.
    pub document_bytes: u64,
    /// Longest answer of a reader: 32 MiB, about a million words. It also bounds what a reader that
    /// was taken over can make this process allocate (at most 24 times that).
    pub answer_bytes: u64,
    /// Documents after which a reader is replaced: 500. What leaks or lingers from one document to
    /// the next ends there; starting anew costs milliseconds.
    pub documents_per_process: u32,
    /// Memory in use between two documents beyond which a reader is replaced: 256 MiB.
    pub kept_memory: u64,
    /// Time for a helper such as Ghostscript: 60 s, since it runs the document as a program, all
    /// pages of it.
    pub helper_time: Duration,
    /// Address space of a helper, itself included: 1 GiB.
    pub helper_memory: u64,
    /// Longest output of a helper: 64 MiB. Ghostscript writes some 50 bytes for each letter, so these
    /// are about 500 full pages.
    pub helper_output: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Limits {
            processes: NonZero::new(cores.min(MAX_DEFAULT_PROCESSES))
                .unwrap_or(NonZero::<usize>::MIN),
            time: Duration::from_secs(20),
            memory: 1024 * MIB,
            document_bytes: 128 * MIB,
            answer_bytes: 32 * MIB,
            documents_per_process: 500,
            kept_memory: 256 * MIB,
            helper_time: Duration::from_secs(60),
            helper_memory: 1024 * MIB,
            helper_output: 64 * MIB,
        }
    }
}
