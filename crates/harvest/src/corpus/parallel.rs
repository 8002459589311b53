//! Shares a page of work among as many threads as there are cores, away from the asynchronous ones.

use crate::HarvestError;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does one thing with each item; the results come in any order.
pub(crate) async fn on_all_cores<T, R>(
    items: Vec<T>,
    work: impl Fn(&T) -> R + Send + Sync + 'static,
) -> Result<Vec<R>, HarvestError>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
{
    let all = tokio::task::spawn_blocking(move || share(&items, &work)).await;
    all.map_err(|error| HarvestError::Lost { what: error.to_string() })
}

fn share<T: Sync, R: Send>(items: &[T], work: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(2, usize::from).min(items.len());
    let taken = || {
        let mut results = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            results.push(work(item));
        }
        results
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(taken)).collect();
        let mut results = Vec::with_capacity(items.len());
        for worker in workers {
            // A panic goes on where it was waited for, as it would without threads.
            results.extend(worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    })
}
