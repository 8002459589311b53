//! The way requests come in and answers go out.
//!
//! Readers, and the libraries they are made of, may print. So the channel moves to descriptors
//! nobody knows of; standard input becomes empty, and standard output joins standard error.

use crate::frame::{FrameHead, FrameKind};
use crate::request::RequestLengths;
use rustix::fd::{AsFd, BorrowedFd};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

pub(super) struct Channel {
    input: Arc<File>,
    output: File,
}

/// A request as it arrived: head and document, not looked at.
pub(super) struct Received {
    pub(super) head: Vec<u8>,
    pub(super) document: Vec<u8>,
}

impl Channel {
    pub(super) fn take_over() -> io::Result<Channel> {
        let input = File::from(rustix::io::dup(stdin())?);
        let output = File::from(rustix::io::dup(stdout())?);
        dup2_stdin(File::open("/dev/null")?)?;
        dup2_stdout(stderr())?;
        Ok(Channel { input: Arc::new(input), output })
    }

    pub(super) fn input(&self) -> &Arc<File> {
        &self.input
    }

    pub(super) fn output(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }

    /// `None`: no more requests.
    pub(super) fn receive(&mut self, document_limit: u64) -> io::Result<Option<Received>> {
        let mut lengths = [0; RequestLengths::SIZE];
        match self.input.read_exact(&mut lengths) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let lengths = RequestLengths::decode(lengths, document_limit)
            .ok_or_else(|| io::Error::other("a request of that length is never sent"))?;
        let head = self.read(lengths.head)?;
        let document = self.read(lengths.document)?;
        Ok(Some(Received { head, document }))
    }

    fn read(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.input.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn send(&mut self, kind: FrameKind, last: bool, body: &[u8]) -> io::Result<()> {
        let head = FrameHead { kind, last, body: body.len() as u64 };
        self.output.write_all(&head.encode())?;
        self.output.write_all(body)
    }
}
