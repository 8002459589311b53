//! Ctrl-C: once means finish what is under way and commit it, twice means stop now.
//!
//! A harvest survives being killed at any moment, so stopping now needs no clearing up; the gentle
//! way merely loses nothing that was already fetched. `SIGTERM`, as service managers send it, counts
//! like Ctrl-C.

use crate::messages::{Color, Exit, Word, say};
use std::future::poll_fn;
use std::io;
use std::task::Poll;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Becomes `true` when the work is to end. Has to be called within a tokio runtime.
pub(crate) fn watch_for_interrupts(color: Color) -> io::Result<watch::Receiver<bool>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (tell, told) = watch::channel(false);
    tokio::spawn(async move {
        if next_of(&mut interrupt, &mut terminate).await.is_some() {
            let message = "finishing what is under way; press Ctrl-C again to stop now";
            say(Word::Note, message, color);
            // Nobody listens any more if the work has just ended by itself.
            let _ = tell.send(true);
        }
        if next_of(&mut interrupt, &mut terminate).await.is_some() {
            say(Word::Note, "stopped; the same command goes on from the last commit", color);
            std::process::exit(i32::from(Exit::Interrupted.number()));
        }
    });
    Ok(told)
}

/// Ends with the first Ctrl-C, for work that has no other end.
pub(crate) async fn until_interrupted() -> io::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    next_of(&mut interrupt, &mut terminate).await;
    Ok(())
}

async fn next_of(one: &mut Signal, other: &mut Signal) -> Option<()> {
    poll_fn(|context| match one.poll_recv(context) {
        Poll::Ready(signal) => Poll::Ready(signal),
        Poll::Pending => other.poll_recv(context),
    })
    .await
}
