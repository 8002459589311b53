//! Shares a page of work among as many threads as there are cores, away from the asynchronous ones.

use crate::HarvestError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
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
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let threads = thread::available_parallelism().map_or(2, usize::from).min(items.len());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = work(item);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}
