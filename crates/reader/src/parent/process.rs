//! One child process and the pipes to it.
//!
//! All three pipes are served in one loop that never blocks on any of them, so a child that does not
//! read, does not write, or writes without end cannot hold anybody up beyond the deadline. A
//! process is killed and waited for when it is dropped: there are no orphans and no zombies.

use super::ended::{Cost, how_ended};
use crate::orders::Orders;
use crate::unread::Unread;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pipe::fcntl_setpipe_size;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What is kept of a process's last words before they are shortened for people.
const MAX_SAID: usize = 4 * 1024;

/// What is taken from a pipe in one go: the kernel's own size of a pipe.
const CHUNK: usize = 64 * 1024;

/// A pipe of this size takes most documents and answers in one turn; it is the most the kernel
/// gives to everybody.
const PIPE_SIZE: usize = 1024 * 1024;

/// How long a process that closed its output may take to end.
const GRACE: Duration = Duration::from_millis(500);

/// mimalloc, if the program has that allocator, reserves a whole GiB of address space before the limit of memory is set,
/// and the limit is set on top of it. So a reader is told to reserve the least it can, in KiB.
const SMALL_RESERVE: (&str, &str) = ("MIMALLOC_ARENA_RESERVE", "32768");

/// How to start this program as a reader; its `main` then calls [`serve`](crate::serve) with the
/// argument that is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

impl Start {
    /// The program that is running, even if its file has been replaced meanwhile.
    pub fn this_program(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Start {
        Start {
            program: PathBuf::from("/proc/self/exe"),
            arguments: arguments.into_iter().map(Into::into).collect(),
        }
    }
}

/// A running child.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// `None` once everything has been sent.
    input: Option<ChildStdin>,
    output: ChildStdout,
    error: Option<ChildStderr>,
    /// The end of what came on standard error.
    said: Vec<u8>,
}

/// What was heard, and why no more.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) output: Vec<u8>,
    pub(super) end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// That is all that was wanted.
    Satisfied,
    /// The child closed its output.
    Closed,
    TimedOut,
    TooMuch,
}

/// What the listener makes of the output so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    More,
    Nothing,
    /// It is more than allowed, or about to be.
    Less,
}

/// What becomes of the child's input when all has been sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    KeepOpen,
    Close,
}

impl Process {
    /// In a process group of its own, so that Ctrl-C in a terminal reaches the program only, which
    /// then decides what becomes of documents under way.
    pub(super) fn start(start: &Start, orders: &Orders) -> Result<Process, Unread> {
        let mut child = Command::new(&start.program)
            .arg0("auslese-reader")
            .args(&start.arguments)
            .arg(orders.to_argument())
            .env_clear()
            .envs([SMALL_RESERVE])
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(not_started)?;
        let process = Process {
            input: child.stdin.take(),
            output: child.stdout.take().expect("the output is piped"),
            error: child.stderr.take(),
            said: Vec::new(),
            child,
        };
        process.prepare_pipes().map_err(not_started)?;
        Ok(process)
    }

    fn prepare_pipes(&self) -> io::Result<()> {
        // A user may have used up what the kernel gives for pipes; small ones do as well.
        let _ = fcntl_setpipe_size(&self.output, PIPE_SIZE);
        fcntl_setfl(&self.output, OFlags::NONBLOCK)?;
        if let Some(input) = &self.input {
            let _ = fcntl_setpipe_size(input, PIPE_SIZE);
            fcntl_setfl(input, OFlags::NONBLOCK)?;
        }
        if let Some(error) = &self.error {
            fcntl_setfl(error, OFlags::NONBLOCK)?;
        }
        Ok(())
    }

    /// Whether it still runs, as far as one can know.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends the parts and listens until `listen` has had enough, or the child or the time is over.
    pub(super) fn converse(
        &mut self,
        parts: &[&[u8]],
        then: Then,
        deadline: Instant,
        mut listen: impl FnMut(&[u8]) -> Wanted,
    ) -> Heard {
        let mut unsent = Unsent::new(parts);
        let mut output = Vec::new();
        let mut buffer = vec![0; CHUNK];
        let end = loop {
            if unsent.is_empty() && then == Then::Close {
                self.input = None;
            }
            match self.wait_for_pipes(!unsent.is_empty(), deadline) {
                Ok(true) => {}
                Ok(false) => break End::TimedOut,
                Err(_) => break End::Closed,
            }
            self.send(&mut unsent);
            self.hear_errors(&mut buffer);
            match pass(self.output.read(&mut buffer)) {
                Passed::Some(length) => output.extend_from_slice(&buffer[..length]),
                Passed::NotNow => continue,
                Passed::End => break End::Closed,
            }
            match listen(&output) {
                Wanted::More => {}
                Wanted::Nothing => break End::Satisfied,
                Wanted::Less => break End::TooMuch,
            }
        };
        Heard { output, end }
    }

    /// `false`: the deadline came first.
    fn wait_for_pipes(&self, sending: bool, deadline: Instant) -> io::Result<bool> {
        let input = self.input.as_ref().filter(|_| sending);
        let mut pipes = vec![PollFd::new(&self.output, PollFlags::IN)];
        pipes.extend(self.error.as_ref().map(|error| PollFd::new(error, PollFlags::IN)));
        pipes.extend(input.map(|input| PollFd::new(input, PollFlags::OUT)));
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let left = Timespec::try_from(left).map_err(io::Error::other)?;
            match poll(&mut pipes, Some(&left)) {
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(ready) => return Ok(ready > 0),
            }
        }
    }

    fn send(&mut self, unsent: &mut Unsent<'_>) {
        let Some(input) = self.input.as_mut().filter(|_| !unsent.is_empty()) else { return };
        match pass(input.write(unsent.now)) {
            Passed::Some(length) => unsent.advance(length),
            Passed::NotNow => {}
            // It does not want the rest; what it has to say will come.
            Passed::End => {
                self.input = None;
                *unsent = Unsent::default();
            }
        }
    }

    /// Takes what is there of standard error, and keeps the end of it.
    fn hear_errors(&mut self, buffer: &mut [u8]) {
        let Some(error) = &mut self.error else { return };
        match pass(error.read(buffer)) {
            Passed::Some(length) => {
                self.said.extend_from_slice(&buffer[..length]);
                let surplus = self.said.len().saturating_sub(MAX_SAID);
                self.said.drain(..surplus);
            }
            Passed::NotNow => {}
            Passed::End => self.error = None,
        }
    }

    /// How a process that closed its output ended: `None` if all is well.
    pub(super) fn why_ended(&mut self, cost: &Cost) -> Option<Unread> {
        let status = match self.end() {
            Ok(status) => status,
            Err(error) => return Some(not_started(error)),
        };
        // A pipe holds no more than that.
        let mut buffer = vec![0; CHUNK];
        self.hear_errors(&mut buffer);
        how_ended(status, &self.said, cost)
    }

    /// Waits a little for a process that has nothing more to say, then ends it.
    fn end(&mut self) -> io::Result<ExitStatus> {
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            sleep(Duration::from_millis(1));
        }
        self.child.kill()?;
        self.child.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if it has been waited for already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What has not been sent: the rest of one part, and the parts after it.
#[derive(Debug, Default)]
struct Unsent<'a> {
    now: &'a [u8],
    later: &'a [&'a [u8]],
}

impl<'a> Unsent<'a> {
    fn new(parts: &'a [&'a [u8]]) -> Unsent<'a> {
        let mut unsent = Unsent { now: &[], later: parts };
        unsent.advance(0);
        unsent
    }

    fn is_empty(&self) -> bool {
        self.now.is_empty()
    }

    fn advance(&mut self, length: usize) {
        self.now = &self.now[length..];
        while let ([], [next, rest @ ..]) = (self.now, self.later) {
            (self.now, self.later) = (next, rest);
        }
    }
}

enum Passed {
    Some(usize),
    NotNow,
    End,
}

fn pass(result: io::Result<usize>) -> Passed {
    match result {
        Ok(0) => Passed::End,
        Ok(length) => Passed::Some(length),
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Passed::NotNow,
            _ => Passed::End,
        },
    }
}

fn not_started(error: io::Error) -> Unread {
    Unread::NotStarted { cause: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_sent_in_order_and_empty_ones_passed_over() {
        let parts: [&[u8]; 5] = [b"", b"ab", b"", b"c", b""];
        let mut unsent = Unsent::new(&parts);
        let mut sent = Vec::new();
        while !unsent.is_empty() {
            sent.push(unsent.now[0]);
            unsent.advance(1);
        }
        assert_eq!(sent, b"abc");
        assert!(Unsent::new(&[]).is_empty());
    }
}
