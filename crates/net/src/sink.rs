//! Where the bytes of a body go: memory first, then a nameless file.
//!
//! The file is unlinked from the start, so that it vanishes with its last handle even if the
//! process is killed. File work happens on tokio's blocking threads, in large pieces.

use auslese_model::Body;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes gathered before they are written to the file.
const WRITE_BYTES: usize = 256 << 10;

#[derive(Debug)]
pub(crate) struct Sink {
    directory: Arc<PathBuf>,
    memory_bytes: usize,
    /// The whole body, or what is not yet in the file.
    pending: Vec<u8>,
    file: Option<File>,
    written: u64,
}

impl Sink {
    pub(crate) fn new(directory: Arc<PathBuf>, memory_bytes: usize) -> Sink {
        Sink { directory, memory_bytes, pending: Vec::new(), file: None, written: 0 }
    }

    /// Makes room for a body of announced size; a lie costs at most one write buffer.
    pub(crate) fn expect(&mut self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.pending.reserve_exact(bytes.min(WRITE_BYTES));
    }

    pub(crate) fn len(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Moves bytes to the file if there are too many for memory.
    pub(crate) async fn settle(&mut self) -> io::Result<()> {
        let full = match self.file {
            None => self.pending.len() > self.memory_bytes,
            Some(_) => self.pending.len() >= WRITE_BYTES,
        };
        if full { self.write().await } else { Ok(()) }
    }

    pub(crate) async fn finish(mut self) -> io::Result<Body> {
        if self.file.is_some() && !self.pending.is_empty() {
            self.write().await?;
        }
        Ok(match self.file {
            None => Body::Memory(self.pending),
            Some(file) => Body::Spilled { file: Arc::new(file), len: self.written },
        })
    }

    async fn write(&mut self) -> io::Result<()> {
        let (file, directory) = (self.file.take(), self.directory.clone());
        let mut bytes = std::mem::take(&mut self.pending);
        let work = move || {
            let mut file = match file {
                Some(file) => file,
                None => tempfile::tempfile_in(directory.as_path())?,
            };
            file.write_all(&bytes)?;
            let count = bytes.len() as u64;
            bytes.clear();
            bytes.shrink_to(WRITE_BYTES * 2);
            Ok::<_, io::Error>((file, bytes, count))
        };
        let (file, bytes, count) = tokio::task::spawn_blocking(work).await??;
        self.file = Some(file);
        self.pending = bytes;
        self.written += count;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_in_memory_large_in_a_file() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let directory = Arc::new(std::env::temp_dir());
        for (size, spilled) in [(0, false), (1000, false), (1001, true), (1_000_000, true)] {
            let bytes: Vec<u8> = (0..=255).cycle().take(size).collect();
            let body = runtime.block_on(async {
                let mut sink = Sink::new(directory.clone(), 1000);
                for piece in bytes.chunks(700) {
                    sink.push(piece);
                    sink.settle().await.unwrap();
                }
                assert_eq!(sink.len(), size as u64);
                sink.finish().await.unwrap()
            });
            assert_eq!(matches!(body, Body::Spilled { .. }), spilled, "{size}");
            assert_eq!(body.prefix(usize::MAX).unwrap(), bytes, "{size}");
        }
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut sink = Sink::new(Arc::new(PathBuf::from("/nowhere/at/all")), 10);
        sink.push(&[0; 11]);
        assert!(runtime.block_on(sink.settle()).is_err());
    }
}
