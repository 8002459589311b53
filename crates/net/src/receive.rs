//! Receives a body: takes the framing apart, keeps the wire bytes, and watches the limits.

use crate::chunked::{Chunks, Piece};
use crate::connection::{Connection, Filled};
use crate::framing::Framing;
use crate::oddity::{self, Oddities};
use crate::settings::Limits;
use crate::sink::Sink;
use auslese_model::{Body, Cause, CauseKind, Truncation};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A received body and how it ended.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) body: Body,
    pub(crate) decoded: Option<Body>,
    pub(crate) truncated: Option<Truncation>,
}

/// Reads a body to its end, or to a limit.
pub(crate) async fn receive(
    connection: &mut Connection,
    framing: Framing,
    limits: &Limits,
    directory: &Arc<PathBuf>,
    until: Instant,
    oddities: &mut Oddities,
) -> Result<Received, Cause> {
    let mut receiver = Receiver::new(framing, limits, directory);
    let mut pace = Pace::new(limits);
    let truncated = loop {
        let (used, step) = receiver.take(connection.unread(), oddities);
        connection.consume(used);
        receiver.settle().await?;
        match step {
            Step::Complete => break None,
            Step::Cut(truncation) => break Some(truncation),
            Step::More => {}
        }
        let filled = connection.fill(until.min(Instant::now() + limits.idle)).await;
        match filled {
            Filled::Bytes(count) if pace.suffices(count as u64) => {}
            Filled::Bytes(_) => {
                let rate = limits.min_rate;
                oddities.note(oddity::TOO_SLOW, || format!("less than {rate} bytes per second"));
                break Some(Truncation::Time);
            }
            Filled::TimedOut if receiver.wire.len() == 0 => {
                return Err(Cause::new(CauseKind::Timeout, "a header came, but no body"));
            }
            Filled::TimedOut => break Some(Truncation::Time),
            Filled::End if receiver.ends_with_connection() => break None,
            Filled::AbruptEnd if receiver.ends_with_connection() => {
                oddities.note(oddity::NO_CLOSE_NOTIFY, String::new);
                break None;
            }
            Filled::End | Filled::AbruptEnd | Filled::Failed(_) => {
                break Some(Truncation::Disconnect);
            }
        }
    };
    receiver.finish(truncated).await
}

/// How it goes on after some bytes.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    More,
    Complete,
    Cut(Truncation),
}

#[derive(Debug)]
enum Mode {
    Length(u64),
    Chunked { chunks: Chunks, otherwise: Option<u64> },
    UntilClose,
}

struct Receiver {
    mode: Mode,
    body_bytes: u64,
    wire: Sink,
    decoded: Option<Sink>,
}

impl Receiver {
    fn new(framing: Framing, limits: &Limits, directory: &Arc<PathBuf>) -> Receiver {
        let sink = || Sink::new(directory.clone(), limits.memory_bytes);
        let mut wire = sink();
        let (mode, decoded) = match framing {
            Framing::Empty => (Mode::Length(0), None),
            Framing::Length(length) => {
                wire.expect(length.min(limits.body_bytes));
                (Mode::Length(length), None)
            }
            Framing::Chunked { otherwise } => {
                (Mode::Chunked { chunks: Chunks::new(), otherwise }, Some(sink()))
            }
            Framing::UntilClose => (Mode::UntilClose, None),
        };
        Receiver { mode, body_bytes: limits.body_bytes, wire, decoded }
    }

    fn ends_with_connection(&self) -> bool {
        matches!(self.mode, Mode::UntilClose)
    }

    /// Takes what belongs to the body; says how many bytes that were.
    fn take(&mut self, input: &[u8], oddities: &mut Oddities) -> (usize, Step) {
        let room = usize::try_from(self.body_bytes - self.wire.len()).unwrap_or(usize::MAX);
        let within = &input[..input.len().min(room)];
        let (used, step) = match &mut self.mode {
            Mode::UntilClose => {
                self.wire.push(within);
                (within.len(), Step::More)
            }
            Mode::Length(left) => {
                let count = usize::try_from(*left).unwrap_or(usize::MAX).min(within.len());
                self.wire.push(&within[..count]);
                *left -= count as u64;
                (count, if *left == 0 { Step::Complete } else { Step::More })
            }
            Mode::Chunked { .. } => self.take_chunks(within, oddities),
        };
        // A body that just fills the limit is whole only if nothing more is said to come.
        let more_comes = used < input.len() || matches!(self.mode, Mode::Length(1..));
        if step == Step::More && self.wire.len() == self.body_bytes && more_comes {
            return (used, Step::Cut(Truncation::Length));
        }
        (used, step)
    }

    fn take_chunks(&mut self, input: &[u8], oddities: &mut Oddities) -> (usize, Step) {
        let mut used = 0;
        loop {
            let (Mode::Chunked { chunks, otherwise }, Some(decoded)) =
                (&mut self.mode, &mut self.decoded)
            else {
                return (used, Step::More);
            };
            match chunks.next(&input[used..]) {
                Piece::Payload(count) => {
                    decoded.push(&input[used..used + count]);
                    self.wire.push(&input[used..used + count]);
                    used += count;
                }
                Piece::Framing(count) => {
                    self.wire.push(&input[used..used + count]);
                    used += count;
                }
                Piece::More => return (used, Step::More),
                Piece::Done => return (used, Step::Complete),
                Piece::Broken(reason) if decoded.len() == 0 => {
                    // Scripts that say "chunked" and send a plain page: keep the page.
                    oddities.note(oddity::NOT_CHUNKED, || reason.to_owned());
                    let otherwise = *otherwise;
                    self.take_as_it_comes(otherwise);
                    let (rest, step) = self.take(&input[used..], oddities);
                    return (used + rest, step);
                }
                Piece::Broken(reason) => {
                    oddities.note(oddity::BAD_CHUNK, || reason.to_owned());
                    return (used, Step::Cut(Truncation::Unspecified));
                }
            }
        }
    }

    fn take_as_it_comes(&mut self, length: Option<u64>) {
        self.decoded = None;
        self.mode = match length {
            Some(length) => Mode::Length(length.saturating_sub(self.wire.len())),
            None => Mode::UntilClose,
        };
    }

    async fn settle(&mut self) -> Result<(), Cause> {
        self.wire.settle().await.map_err(|error| disk_cause(&error))?;
        if let Some(decoded) = &mut self.decoded {
            decoded.settle().await.map_err(|error| disk_cause(&error))?;
        }
        Ok(())
    }

    async fn finish(self, truncated: Option<Truncation>) -> Result<Received, Cause> {
        let body = self.wire.finish().await.map_err(|error| disk_cause(&error))?;
        let decoded = match self.decoded {
            Some(decoded) => Some(decoded.finish().await.map_err(|error| disk_cause(&error))?),
            None => None,
        };
        Ok(Received { body, decoded, truncated })
    }
}

fn disk_cause(error: &std::io::Error) -> Cause {
    Cause::new(CauseKind::Local, format!("cannot spill a body: {error}"))
}

/// Watches the minimum rate, span by span, so that a quick start does not pay for a slow rest.
struct Pace {
    min_rate: u64,
    span: Duration,
    since: Instant,
    bytes: u64,
}

impl Pace {
    fn new(limits: &Limits) -> Pace {
        Pace { min_rate: limits.min_rate, span: limits.grace, since: Instant::now(), bytes: 0 }
    }

    fn suffices(&mut self, count: u64) -> bool {
        self.bytes += count;
        let elapsed = self.since.elapsed();
        if elapsed < self.span {
            return true;
        }
        let enough = self.bytes as f64 >= self.min_rate as f64 * elapsed.as_secs_f64();
        self.since = Instant::now();
        self.bytes = 0;
        enough
    }
}
