//! Some readers for many threads.
//!
//! A process is started when the first document needs it, serves one thread at a time, and is kept for
//! the next document unless something went wrong or it asked to be replaced. Whoever comes when all are
//! busy waits; since every document has a deadline, so does the wait.

use super::ended::Cost;
use super::helpers::{self, Helped, Helper, HelperPrograms};
use super::process::{End, Heard, Process, Start, Then, Wanted};
use crate::confine::Confinement;
use crate::frame::{FrameHead, FrameKind};
use crate::limits::Limits;
use crate::orders::{DocumentOrders, Orders};
use crate::request::Request;
use crate::unread::Unread;
use auslese_layout::LayoutText;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a new process may take until it is ready. It takes some milliseconds; this is for
/// machines that are out of breath.
const START_TIME: Duration = Duration::from_secs(20);

/// Longest report of a new process about its confinement; what it really says is a few lines.
const MAX_REPORT: u64 = 64 * 1024;

/// Readers in processes of their own, shared by all threads.
#[derive(Debug)]
pub struct Readers {
    start: Start,
    limits: Limits,
    programs: HelperPrograms,
    places: Mutex<Places>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Places {
    taken: usize,
    idle: Vec<Process>,
}

impl Readers {
    /// Starts nothing yet.
    pub fn new(start: Start, limits: Limits, programs: HelperPrograms) -> Readers {
        let (places, freed) = (Mutex::default(), Condvar::new());
        Readers { start, limits, programs, places, freed }
    }

    /// Has a document read. Blocks until it has been, or has shown that it cannot be.
    pub fn read(&self, request: &Request<'_>) -> Result<LayoutText, Unread> {
        self.check_length(request.bytes)?;
        let mut place = self.take_place();
        if let Some(process) = place.living() {
            match self.read_with(process, request, &mut place) {
                // It may have been killed in between, for which the document is not to blame. If it is,
                // a new reader will say the same.
                Err(Unread::Died { .. }) => {}
                answer => return answer,
            }
        }
        let (process, _) = self.start_reader()?;
        self.read_with(process, request, &mut place)
    }

    fn read_with(
        &self,
        mut process: Process,
        request: &Request<'_>,
        place: &mut Place<'_>,
    ) -> Result<LayoutText, Unread> {
        let parts = [&request.preamble()[..], request.bytes];
        let deadline = Instant::now() + self.limits.time;
        let limit = self.limits.answer_bytes;
        let heard = process.converse(&parts, Then::KeepOpen, deadline, |heard| frame(heard, limit));
        let (head, body) = self.understand(heard, &mut process)?;
        let answer = decode(head.kind, &body);
        if !head.last && answer != Err(Unread::Garbled) {
            place.process = Some(process);
        }
        answer
    }

    /// Has another program make text of a document; its output is for a reader of that output.
    pub fn ask(&self, helper: Helper, bytes: &[u8], pages: Option<u32>) -> Result<Helped, Unread> {
        self.check_length(bytes)?;
        let program = self.programs.find(helper)?;
        let _place = self.take_place();
        helpers::run(&self.start, helper, program, &self.limits, bytes, pages)
    }

    /// How well readers are confined here, as one of them says that has just been started.
    pub fn confinement(&self) -> Result<Confinement, Unread> {
        let mut place = self.take_place();
        let (process, confinement) = self.start_reader()?;
        place.process = Some(process);
        Ok(confinement)
    }

    /// The other programs that can be asked.
    pub fn programs(&self) -> &HelperPrograms {
        &self.programs
    }

    fn check_length(&self, bytes: &[u8]) -> Result<(), Unread> {
        let (bytes, limit) = (bytes.len() as u64, self.limits.document_bytes);
        if bytes > limit { Err(Unread::TooLarge { bytes, limit }) } else { Ok(()) }
    }

    fn start_reader(&self) -> Result<(Process, Confinement), Unread> {
        let orders = Orders::Documents(DocumentOrders::within(&self.limits));
        let mut process = Process::start(&self.start, &orders)?;
        let deadline = Instant::now() + START_TIME;
        let heard =
            process.converse(&[], Then::KeepOpen, deadline, |heard| frame(heard, MAX_REPORT));
        let ready = match heard.end {
            End::TimedOut => Err("it took too long to get ready".to_owned()),
            _ => self.understand(heard, &mut process).map_err(|unread| unread.to_string()),
        };
        let (head, body) = ready.map_err(|cause| Unread::NotStarted { cause })?;
        match postcard::from_bytes(&body) {
            Ok(confinement) if head.kind == FrameKind::Ready => Ok((process, confinement)),
            _ => Err(Unread::NotStarted { cause: "it is not a reader".to_owned() }),
        }
    }

    fn understand(
        &self,
        heard: Heard,
        process: &mut Process,
    ) -> Result<(FrameHead, Vec<u8>), Unread> {
        match heard.end {
            End::Satisfied => only_frame(heard.output).ok_or(Unread::Garbled),
            End::TooMuch => Err(Unread::TooMuchText { limit: self.limits.answer_bytes }),
            End::TimedOut => Err(Unread::TimedOut { limit: self.limits.time }),
            End::Closed => {
                let cost = Cost {
                    time: self.limits.time,
                    memory: self.limits.memory,
                    memory_words: &["memory allocation of"],
                };
                Err(process.why_ended(&cost).unwrap_or(Unread::Garbled))
            }
        }
    }

    fn take_place(&self) -> Place<'_> {
        let full = |places: &mut Places| places.taken >= self.limits.processes.get();
        let places = self.lock();
        let mut places =
            self.freed.wait_while(places, full).unwrap_or_else(PoisonError::into_inner);
        places.taken += 1;
        Place { readers: self, process: places.idle.pop() }
    }

    /// Nothing in here can be left half-done, so a panic elsewhere does not matter.
    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn decode(kind: FrameKind, body: &[u8]) -> Result<LayoutText, Unread> {
    match kind {
        FrameKind::Text => postcard::from_bytes(body).map_err(|_| Unread::Garbled),
        FrameKind::Unread => Err(postcard::from_bytes(body).unwrap_or(Unread::Garbled)),
        FrameKind::Ready => Err(Unread::Garbled),
    }
}

/// The right to run one process, given back when dropped, together with the process left in it.
struct Place<'r> {
    readers: &'r Readers,
    process: Option<Process>,
}

impl Place<'_> {
    /// A process may have died since its last document; that must not cost the next one.
    fn living(&mut self) -> Option<Process> {
        let mut process = self.process.take()?;
        process.is_alive().then_some(process)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut places = self.readers.lock();
        places.taken -= 1;
        places.idle.extend(self.process.take());
        drop(places);
        self.readers.freed.notify_one();
    }
}

/// Whether a frame has come completely; one that announces more than the limit is not waited for.
fn frame(heard: &[u8], limit: u64) -> Wanted {
    let Some((head, body)) = heard.split_first_chunk() else { return Wanted::More };
    match FrameHead::decode(head) {
        // Nonsense is complete, too.
        None => Wanted::Nothing,
        Some(head) if head.body > limit => Wanted::Less,
        Some(head) if (body.len() as u64) < head.body => Wanted::More,
        Some(_) => Wanted::Nothing,
    }
}

/// `None` unless it is exactly one frame: nobody asked for more.
fn only_frame(mut heard: Vec<u8>) -> Option<(FrameHead, Vec<u8>)> {
    let (head, body) = heard.split_first_chunk()?;
    let head = FrameHead::decode(head)?;
    if body.len() as u64 != head.body {
        return None;
    }
    heard.drain(..FrameHead::SIZE);
    Some((head, heard))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn whatever_a_process_says_is_an_answer_or_refused(
            kind in prop::sample::select(vec![b'R', b'T', b'U', 0]),
            body in prop::collection::vec(prop_oneof![any::<u8>(), 0..3_u8], 0..200),
        ) {
            let mut said = vec![kind, 0];
            said.extend((body.len() as u64).to_le_bytes());
            said.extend(&body);
            prop_assert_eq!(frame(&said, 200), Wanted::Nothing);
            if let Some((head, body)) = only_frame(said) {
                let _ = decode(head.kind, &body);
            }
        }
    }

    #[test]
    fn a_frame_is_waited_for_unless_it_is_too_long() {
        let said = b"T\0\x03\0\0\0\0\0\0\0abc";
        for length in 0..said.len() {
            assert_eq!(frame(&said[..length], 3), Wanted::More, "{length}");
        }
        assert_eq!(frame(said, 3), Wanted::Nothing);
        assert_eq!(frame(&said[..FrameHead::SIZE], 2), Wanted::Less);
        assert_eq!(only_frame(said.to_vec()).unwrap().1, b"abc");
        assert_eq!(only_frame(b"T\0\x03\0\0\0\0\0\0\0abcd".to_vec()), None);
    }
}
