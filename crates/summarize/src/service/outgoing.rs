//! The body of an answer: a short text, or a fragment piece by piece.

use crate::fragment::Stored;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

#[derive(Debug)]
pub(super) struct Outgoing {
    stored: Stored,
    at: u64,
}

impl Outgoing {
    pub(super) fn text(text: String) -> Outgoing {
        Outgoing { stored: Stored::Memory(text.into()), at: 0 }
    }

    pub(super) fn fragment(stored: Stored) -> Outgoing {
        Outgoing { stored, at: 0 }
    }

    fn left(&self) -> u64 {
        self.stored.length() - self.at
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = io::Error;

    /// Pieces of a file are small and were written a moment ago, so reading them here does not make others wait.
    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.left() == 0 {
            return Poll::Ready(None);
        }
        let piece = self.stored.piece(self.at);
        if let Ok(piece) = &piece {
            self.at += piece.len() as u64;
        }
        Poll::Ready(Some(piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.left() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left())
    }
}
