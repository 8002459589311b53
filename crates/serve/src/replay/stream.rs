//! Sends a stretch of a file as it is read. Nothing but one piece is in memory, and no thread waits for the reader.

use auslese_archive::Section;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// Bytes read at a time.
const PIECE: u64 = 256 << 10;

/// A stretch of a file as a body. If the file ends before it, so does the connection.
pub(super) fn stretch(section: Section) -> Body {
    let length = section.len();
    let (sender, pieces) = mpsc::channel(2);
    tokio::spawn(async move {
        let mut done = 0;
        while done < length {
            let mut section = section.clone();
            let wanted = (length - done).min(PIECE) as usize;
            let read = tokio::task::spawn_blocking(move || {
                let mut piece = vec![0; wanted];
                section.seek(SeekFrom::Start(done))?;
                section.read_exact(&mut piece).map(|()| Bytes::from(piece))
            });
            let piece = read.await.unwrap_or_else(|lost| Err(io::Error::other(lost)));
            if let Err(error) = &piece {
                tracing::error!("an archive file cannot be read: {error}");
            }
            let is_last = piece.is_err();
            if sender.send(piece).await.is_err() || is_last {
                return;
            }
            done += wanted as u64;
        }
    });
    Body::new(Stretch { pieces, left: length })
}

struct Stretch {
    pieces: mpsc::Receiver<io::Result<Bytes>>,
    left: u64,
}

impl HttpBody for Stretch {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = std::task::ready!(self.pieces.poll_recv(context));
        if let Some(Ok(piece)) = &piece {
            self.left = self.left.saturating_sub(piece.len() as u64);
        }
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
