//! A body that is sent in parts, as they are made: its size costs no memory, and who reads slowly is waited for.

use axum::body::{Bytes, HttpBody};
use hyper::body::Frame;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// Parts that are made before the first is sent.
const AHEAD: usize = 2;

#[derive(Debug)]
pub(crate) struct PartedBody {
    parts: mpsc::Receiver<String>,
}

/// Where the parts are put.
#[derive(Debug)]
pub(crate) struct PartSender {
    parts: mpsc::Sender<String>,
}

impl PartedBody {
    pub(crate) fn channel() -> (PartSender, PartedBody) {
        let (sender, receiver) = mpsc::channel(AHEAD);
        (PartSender { parts: sender }, PartedBody { parts: receiver })
    }
}

impl PartSender {
    /// Sends a part when there is room; false if the reader is gone.
    pub(crate) async fn send(&self, part: String) -> bool {
        self.parts.send(part).await.is_ok()
    }
}

impl HttpBody for PartedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.parts.poll_recv(context).map(|part| part.map(|part| Ok(Frame::data(part.into()))))
    }
}
