//! One connection with its buffer: what is read but not yet used stays here.
//!
//! The buffer lives as long as the connection, so that a request on a kept connection costs no
//! allocation for reading.

use auslese_model::TlsNote;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::client::TlsStream;

/// Room for one read, about what one TLS record or a dozen packets bring.
const READ_BYTES: usize = 16 << 10;

#[derive(Debug)]
pub(crate) struct Connection {
    stream: Stream,
    buffer: Vec<u8>,
    used: usize,
    /// The address the name resolved to; none behind a proxy.
    pub(crate) address: Option<IpAddr>,
    pub(crate) tls: Option<TlsNote>,
}

/// What a read brought.
#[derive(Debug)]
pub(crate) enum Filled {
    Bytes(usize),
    /// The other side closed, as it should.
    End,
    /// The other side closed a TLS connection without saying so.
    AbruptEnd,
    Failed(io::Error),
    TimedOut,
}

impl Connection {
    pub(crate) fn new(stream: Stream, address: Option<IpAddr>, tls: Option<TlsNote>) -> Connection {
        Connection { stream, buffer: Vec::new(), used: 0, address, tls }
    }

    /// The bytes that were read and not yet consumed.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.buffer[self.used..]
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.used = self.buffer.len().min(self.used + count);
    }

    pub(crate) async fn send(&mut self, bytes: &[u8], until: Instant) -> Filled {
        let write = async {
            self.stream.write_all(bytes).await?;
            self.stream.flush().await
        };
        match timeout_at(until, write).await {
            Ok(Ok(())) => Filled::Bytes(bytes.len()),
            Ok(Err(error)) => Filled::Failed(error),
            Err(_) => Filled::TimedOut,
        }
    }

    /// Reads once, waiting until `until` at most.
    pub(crate) async fn fill(&mut self, until: Instant) -> Filled {
        self.make_room();
        match timeout_at(until, self.stream.read_buf(&mut self.buffer)).await {
            Ok(Ok(0)) => Filled::End,
            Ok(Ok(count)) => Filled::Bytes(count),
            // What rustls says when no close_notify came.
            Ok(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => Filled::AbruptEnd,
            Ok(Err(error)) => Filled::Failed(error),
            Err(_) => Filled::TimedOut,
        }
    }

    /// Whether an unused connection is still open and silent, so that it can be used again.
    pub(crate) fn is_quiet(&mut self) -> bool {
        let mut byte = [0];
        let mut buffer = ReadBuf::new(&mut byte);
        let mut context = Context::from_waker(Waker::noop());
        self.unread().is_empty()
            && Pin::new(&mut self.stream).poll_read(&mut context, &mut buffer).is_pending()
    }

    /// The stream, for the handshake after a proxy's `CONNECT`; `None` if bytes are waiting.
    pub(crate) fn into_plain_stream(self) -> Option<TcpStream> {
        match self.stream {
            Stream::Plain(stream) if self.used == self.buffer.len() => Some(stream),
            _ => None,
        }
    }

    fn make_room(&mut self) {
        if self.used == self.buffer.len() {
            self.buffer.clear();
            self.used = 0;
            self.buffer.shrink_to(READ_BYTES);
        }
        if self.buffer.capacity() - self.buffer.len() < READ_BYTES / 4 {
            self.buffer.drain(..self.used);
            self.used = 0;
            self.buffer.reserve(READ_BYTES);
        }
    }
}

/// A plain or secured stream.
#[derive(Debug)]
pub(crate) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
