//! The threads that parse and compress: as many as there are cores, fed by one queue.
//!
//! The queue is bounded by the conductor, which counts what is under way from the request to the
//! commit and hands out no more work beyond that.

use crate::backlog::Backlog;
use crate::committing::{Entry, Task};
use crate::processing::{Processed, Work, Workshop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use tokio::sync::{mpsc::UnboundedSender, watch};

/// The running threads; they end when the last sender of work is gone.
#[derive(Debug)]
pub(crate) struct Workers {
    work: Option<mpsc::Sender<Work>>,
    waiting: Arc<AtomicUsize>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    pub(crate) fn start(
        workshop: &Arc<Workshop>,
        tasks: &UnboundedSender<Task>,
        stop: &watch::Receiver<bool>,
    ) -> std::io::Result<Workers> {
        let (sender, receiver) = mpsc::channel::<Work>();
        let receiver = Arc::new(Mutex::new(receiver));
        let waiting = Arc::new(AtomicUsize::new(0));
        let count = thread::available_parallelism().map_or(2, usize::from);
        let threads = (0..count)
            .map(|number| {
                let (workshop, tasks, stop) = (workshop.clone(), tasks.clone(), stop.clone());
                let (receiver, waiting) = (receiver.clone(), waiting.clone());
                thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
                    let gave_up = || *stop.borrow();
                    loop {
                        let next = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok(work) = next else { return };
                        waiting.fetch_sub(1, Ordering::Relaxed);
                        workshop.backlog.wait_for_room(&gave_up);
                        let (pending, memory, epoch) =
                            (work.pending.clone(), work.memory, work.epoch);
                        let process = || workshop.process(work, &gave_up);
                        let processed = match catch_unwind(AssertUnwindSafe(process)) {
                            Ok(Some(processed)) => processed,
                            Ok(None) => return,
                            Err(_) => Processed::broken(pending, memory, epoch),
                        };
                        workshop.backlog.add(Backlog::cost(&processed.found));
                        // The committer ends before us only if it failed; then so does the crawl.
                        let _ = tasks.send(Task::Enter(Entry::Result(Box::new(processed))));
                    }
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Workers { work: Some(sender), waiting, threads })
    }

    pub(crate) fn give(&self, work: Work) {
        if let Some(sender) = &self.work {
            self.waiting.fetch_add(1, Ordering::Relaxed);
            // A worker ends early only when a person has given up; the work is then lost, and
            // fetched again by the next run.
            let _ = sender.send(work);
        }
    }

    /// How many exchanges wait for a thread.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits until all work is done.
    pub(crate) fn finish(&mut self) {
        self.work = None;
        for thread in self.threads.drain(..) {
            // A panic costs one document and is caught above.
            let _ = thread.join();
        }
    }
}
