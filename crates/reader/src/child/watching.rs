//! A reader does not outlive whoever started it.
//!
//! Its input is a pipe, and the kernel closes the other end when that process ends, in whatever way.
//! While a document is being read nobody reads the pipe, so a thread waits for this one event.
//! (The signal for the death of a parent is no help here: it is tied to the *thread* that started the
//! child, and that may end much sooner.)

use rustix::event::{PollFd, PollFlags, poll};
use std::fs::File;
use std::io;
use std::process::abort;
use std::sync::{Arc, mpsc};
use std::thread;

/// The thread does nothing but wait.
const STACK: usize = 64 * 1024;

/// Returns when the watch has begun.
pub(super) fn end_with_input(input: Arc<File>) -> io::Result<()> {
    let (started, has_started) = mpsc::channel();
    thread::Builder::new().name("watch".to_owned()).stack_size(STACK).spawn(move || {
        // The other side waits for this.
        let _ = started.send(());
        wait_for_the_end(&input);
        abort();
    })?;
    has_started.recv().map_err(io::Error::other)
}

fn wait_for_the_end(input: &File) {
    loop {
        let mut watched = [PollFd::new(input, PollFlags::empty())];
        match poll(&mut watched, None) {
            Err(rustix::io::Errno::INTR) => {}
            // Asked for nothing, it tells only of the end.
            _ => return,
        }
    }
}
