//! One document after the other, until there are no more or it is time to be replaced.

use super::ReadDocument;
use super::channel::{Channel, Received};
use super::watching::end_with_input;
use crate::confine::{
    Confinement, Descriptors, allow_cpu_seconds, close_calls, close_files, limit_address_space,
};
use crate::frame::FrameKind;
use crate::orders::DocumentOrders;
use crate::request::Request;
use crate::unread::{Unread, last_words};
use auslese_layout::LayoutText;
use rustix::fd::AsFd;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

/// The error is why it could not begin or go on, in words.
pub(super) fn answer_all(orders: &DocumentOrders, read: ReadDocument) -> Result<(), String> {
    panic::set_hook(Box::new(remember_panic));
    let mut channel = Channel::take_over().map_err(|e| format!("no pipes to work with: {e}"))?;
    let memory = MemoryReport::open()?;
    let confinement = confine(&channel, &memory, orders)?;
    let ready = postcard::to_stdvec(&confinement).map_err(|e| e.to_string())?;
    channel.send(FrameKind::Ready, false, &ready).map_err(|e| e.to_string())?;

    for number in 1.. {
        let received = channel.receive(orders.document_bytes);
        let Some(received) = received.map_err(|e| format!("no request: {e}"))? else {
            return Ok(());
        };
        // Only a safeguard for the case that nobody looks at the clock any more.
        let _ = allow_cpu_seconds(orders.cpu_seconds);
        let answer = answer(received, read);
        // What a panic left half-done is not used again.
        let broken = matches!(answer, Err(Unread::Panicked { .. }));
        let (kind, body) = encode(answer, orders.answer_bytes);
        let last = broken || number >= orders.documents || memory.resident() > orders.kept_memory;
        channel.send(kind, last, &body).map_err(|e| format!("no answer: {e}"))?;
        if last {
            break;
        }
    }
    Ok(())
}

/// In this order: what needs files first, the thread before threads are forbidden, and the memory of
/// the program itself is not counted.
fn confine(
    channel: &Channel,
    memory: &MemoryReport,
    orders: &DocumentOrders,
) -> Result<Confinement, String> {
    let mut confinement = close_files();
    end_with_input(channel.input().clone()).map_err(|e| format!("no thread: {e}"))?;
    let space = memory.address_space().saturating_add(orders.memory);
    limit_address_space(space).map_err(|e| format!("no limit of memory: {e}"))?;
    let descriptors = Descriptors::new(channel.input().as_fd(), channel.output(), memory.0.as_fd());
    close_calls(&mut confinement, &descriptors);
    Ok(confinement)
}

fn answer(received: Received, read: ReadDocument) -> Result<LayoutText, Unread> {
    let Some(request) = Request::decode(&received.head, &received.document) else {
        return Err(Unread::Garbled);
    };
    panic::catch_unwind(AssertUnwindSafe(|| read(&request))).unwrap_or_else(|_| {
        let message = PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(Unread::Panicked { message: message.unwrap_or_default() })
    })
}

fn encode(answer: Result<LayoutText, Unread>, limit: u64) -> (FrameKind, Vec<u8>) {
    let unread = match answer {
        Ok(text) => match postcard::to_stdvec(&text) {
            Ok(body) if body.len() as u64 <= limit => return (FrameKind::Text, body),
            Ok(_) => Unread::TooMuchText { limit },
            Err(_) => Unread::Garbled,
        },
        Err(unread) => unread,
    };
    (FrameKind::Unread, postcard::to_stdvec(&unread).expect("a reason can be encoded"))
}

static PANIC: Mutex<Option<String>> = Mutex::new(None);

fn remember_panic(info: &panic::PanicHookInfo<'_>) {
    let payload = info.payload();
    let message = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("without a message");
    let place = info.location().map_or(String::new(), |location| {
        let file = location.file().rsplit('/').next().unwrap_or_default();
        format!(" ({file}:{})", location.line())
    });
    let message = format!("{}{place}", last_words(message.as_bytes()));
    *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
}

/// `/proc/self/statm`, opened while that is possible: pages of address space, pages in memory.
struct MemoryReport(File);

impl MemoryReport {
    fn open() -> Result<MemoryReport, String> {
        let file = File::open("/proc/self/statm").map_err(|e| format!("/proc/self/statm: {e}"))?;
        Ok(MemoryReport(file))
    }

    fn address_space(&self) -> u64 {
        self.bytes(0)
    }

    fn resident(&self) -> u64 {
        self.bytes(1)
    }

    fn bytes(&self, field: usize) -> u64 {
        let mut line = [0; 128];
        let length = self.0.read_at(&mut line, 0).unwrap_or(0);
        let line = str::from_utf8(&line[..length]).unwrap_or_default();
        let pages = line.split(' ').nth(field).and_then(|pages| pages.parse::<u64>().ok());
        pages.unwrap_or(0).saturating_mul(rustix::param::page_size() as u64)
    }
}
