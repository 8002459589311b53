//! What takes long to count is kept, with the time it was counted, and counted again behind the reader's back when the
//! catalog has changed. Nobody waits for long: what was never counted is begun, and whoever asks again gets it.

use crate::problem::Problem;
use crate::site::Harvest;
use auslese_catalog::CatalogError;
use auslese_model::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// How long a reader waits for what was never counted before being told that it is being counted.
const PATIENCE: Duration = Duration::from_millis(80);
/// How long a mark of the catalog is believed.
const BELIEF: Duration = Duration::from_secs(2);
/// What is counted again rests first: this long, and ten times as long as counting took.
const REST: Duration = Duration::from_secs(15);
const REST_FACTOR: u32 = 10;
/// Things counted at a time; the catalog has other readers, too.
const AT_A_TIME: usize = 2;
/// Things kept in all; beyond it the oldest goes.
const MAX_KEPT: usize = 500;

type Mark = [i64; 5];

/// Something that was counted.
#[derive(Debug)]
pub(crate) struct Counted<T> {
    pub(crate) value: T,
    pub(crate) at: Timestamp,
    mark: Mark,
    done: Instant,
    took: Duration,
}

/// What there is at the moment.
#[derive(Debug)]
pub(crate) enum Reading<T> {
    Ready(Arc<Counted<T>>),
    /// It is being counted for the first time.
    Counting,
}

#[derive(Debug)]
struct Entry<T> {
    counted: Option<Arc<Counted<T>>>,
    /// Somebody counts.
    is_counting: bool,
    failed: Option<String>,
    told: watch::Sender<u64>,
}

#[derive(Debug)]
struct Shelf<T> {
    entries: Mutex<HashMap<(String, String), Entry<T>>>,
    marks: Mutex<HashMap<String, (Mark, Instant)>>,
    counting: Semaphore,
}

/// Counted things by harvest and name.
#[derive(Debug)]
pub(crate) struct Ledger<T>(Arc<Shelf<T>>);

impl<T> Default for Ledger<T> {
    fn default() -> Ledger<T> {
        Ledger(Arc::new(Shelf {
            entries: Mutex::default(),
            marks: Mutex::default(),
            counting: Semaphore::new(AT_A_TIME),
        }))
    }
}

impl<T: Send + Sync + 'static> Ledger<T> {
    /// What is kept under a name; counted now if there is nothing, and again if it is old.
    pub(crate) async fn read<F>(
        &self,
        harvest: &Arc<Harvest>,
        name: &str,
        count: impl FnOnce(Arc<Harvest>) -> F,
    ) -> Result<Reading<T>, Problem>
    where
        F: Future<Output = Result<T, CatalogError>> + Send + 'static,
    {
        let mark = self.mark(harvest).await?;
        let key = (harvest.name.clone(), name.to_owned());
        let (known, is_begun, mut told) = self.look(&key, mark)?;
        if !is_begun {
            self.begin(key.clone(), mark, count(harvest.clone()));
        }
        if let Some(known) = known {
            return Ok(Reading::Ready(known));
        }
        let _ = tokio::time::timeout(PATIENCE, told.changed()).await;
        let mut entries = self.entries();
        let Some(entry) = entries.get_mut(&key) else { return Ok(Reading::Counting) };
        match (&entry.counted, entry.failed.take()) {
            (Some(counted), _) => Ok(Reading::Ready(counted.clone())),
            (None, Some(error)) => Err(Problem::internal("counting", &error)),
            (None, None) => Ok(Reading::Counting),
        }
    }

    /// What is known, whether it is being counted or needs not be, and who tells of the end. Notes that it is counted.
    #[allow(clippy::type_complexity, reason = "three things of one look under one lock")]
    fn look(
        &self,
        key: &(String, String),
        mark: Mark,
    ) -> Result<(Option<Arc<Counted<T>>>, bool, watch::Receiver<u64>), Problem> {
        let mut entries = self.entries();
        if !entries.contains_key(key) && entries.len() >= MAX_KEPT {
            drop_oldest(&mut entries);
        }
        let entry = entries.entry(key.clone()).or_insert_with(|| Entry {
            counted: None,
            is_counting: false,
            failed: None,
            told: watch::Sender::new(0),
        });
        if let Some(error) = entry.failed.take_if(|_| entry.counted.is_none()) {
            return Err(Problem::internal("counting", &error));
        }
        let is_fine = entry.counted.as_ref().is_some_and(|it| it.mark == mark || it.rests());
        let is_begun = is_fine || entry.is_counting;
        if !is_begun {
            entry.is_counting = true;
        }
        Ok((entry.counted.clone(), is_begun, entry.told.subscribe()))
    }

    /// Counts in a task of its own, which goes on when the reader has left.
    fn begin(
        &self,
        key: (String, String),
        mark: Mark,
        counting: impl Future<Output = Result<T, CatalogError>> + Send + 'static,
    ) {
        let shelf = self.0.clone();
        tokio::spawn(async move {
            let Ok(_place) = shelf.counting.acquire().await else { return };
            let begun = Instant::now();
            let outcome = counting.await;
            let mut entries = shelf.entries.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(entry) = entries.get_mut(&key) else { return };
            entry.is_counting = false;
            match outcome {
                Ok(value) => {
                    let (at, done, took) = (Timestamp::now(), Instant::now(), begun.elapsed());
                    entry.counted = Some(Arc::new(Counted { value, at, mark, done, took }));
                }
                Err(error) => entry.failed = Some(error.to_string()),
            }
            entry.told.send_modify(|times| *times += 1);
        });
    }

    async fn mark(&self, harvest: &Harvest) -> Result<Mark, Problem> {
        let marks = || self.0.marks.lock().unwrap_or_else(PoisonError::into_inner);
        let believed = marks().get(&harvest.name).copied();
        if let Some((mark, at)) = believed
            && at.elapsed() < BELIEF
        {
            return Ok(mark);
        }
        let mark = harvest.catalog.mark().await?;
        marks().insert(harvest.name.clone(), (mark, Instant::now()));
        Ok(mark)
    }

    fn entries(&self) -> std::sync::MutexGuard<'_, HashMap<(String, String), Entry<T>>> {
        self.0.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Counted<T> {
    fn rests(&self) -> bool {
        self.done.elapsed() < REST.max(self.took * REST_FACTOR)
    }
}

fn drop_oldest<T>(entries: &mut HashMap<(String, String), Entry<T>>) {
    let counted = entries.iter().filter(|(_, entry)| !entry.is_counting);
    let oldest = counted.min_by_key(|(_, entry)| entry.counted.as_ref().map(|it| it.done));
    if let Some(key) = oldest.map(|(key, _)| key.clone()) {
        entries.remove(&key);
    }
}
