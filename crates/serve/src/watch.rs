//! What is watched while a crawl runs, looked at once for all who watch.
//!
//! Whether a crawl lives is asked every time: that is cheap, and must never be old. Counts of a large harvest take a
//! while; they are taken in the background, and rest in proportion to what they cost, while the last ones are shown with
//! their time.

use crate::problem::Problem;
use crate::site::Harvest;
use auslese_catalog::{CatalogError, NewCapture, RobotsCounts, ServerQueue, Status};
use auslese_harvest::{HarvestError, NotesLeft, Standing, crawl_standing, notes_left};
use auslese_model::{RobotsCopy, Timestamp};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Hosts of which queues are shown, those with the longest first.
pub(crate) const QUEUES: usize = 50;
/// Captures that are shown, the newest first.
const CAPTURES: usize = 15;
/// How long counts hold at least, and how many times as long as it took to count.
const REST: Duration = Duration::from_millis(900);
const REST_FACTOR: u32 = 10;
/// How long a catalog that does not answer is waited for before it is said so.
const PATIENCE: Duration = Duration::from_secs(3);

/// What was counted, and when.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) at: Timestamp,
    pub(crate) status: Status,
    pub(crate) queues: Vec<ServerQueue>,
    pub(crate) robots: RobotsCounts,
    pub(crate) robots_copies: Vec<RobotsCopy>,
    pub(crate) notes: NotesLeft,
    pub(crate) captures: Vec<NewCapture>,
    done: Instant,
    took: Duration,
}

/// One look at a harvest.
#[derive(Debug)]
pub(crate) struct Look {
    /// None if nobody can tell: the catalog does not answer.
    pub(crate) standing: Option<Standing>,
    pub(crate) counted: Arc<Counted>,
}

/// The harvests that are watched.
#[derive(Debug)]
pub(crate) struct Watches {
    entries: Mutex<HashMap<String, Arc<Entry>>>,
    /// Places for those who watch live.
    pub(crate) streams: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct Entry {
    counted: Mutex<Option<Arc<Counted>>>,
    turn: tokio::sync::Mutex<()>,
}

impl Watches {
    pub(crate) fn new(streams: usize) -> Watches {
        Watches { entries: Mutex::default(), streams: Arc::new(Semaphore::new(streams)) }
    }

    /// How it stands with a harvest now. If the catalog does not answer and was never counted, there is nothing to show.
    pub(crate) async fn look(&self, harvest: &Arc<Harvest>) -> Result<Look, Problem> {
        let entry = self.entry(&harvest.name);
        let known = entry.known();
        let look = async {
            let standing = within_patience(crawl_standing(&harvest.dir, &harvest.catalog)).await?;
            let counted = counted(&entry, harvest, known.clone()).await?;
            Ok(Look { standing: Some(standing), counted })
        };
        match (look.await, known) {
            (Err(HarvestError::Catalog(error)), Some(counted)) if error.is_temporary() => {
                tracing::warn!("the catalog of {} does not answer: {error}", harvest.name);
                Ok(Look { standing: None, counted })
            }
            (look, _) => Ok(look?),
        }
    }

    /// Forgets what was counted, because something was changed from here.
    pub(crate) fn forget(&self, harvest: &Harvest) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.remove(&harvest.name);
    }

    fn entry(&self, name: &str) -> Arc<Entry> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.entry(name.to_owned()).or_default().clone()
    }
}

impl Entry {
    fn known(&self) -> Option<Arc<Counted>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn fresh(&self) -> Option<Arc<Counted>> {
        self.known().filter(|it| it.done.elapsed() < REST.max(it.took * REST_FACTOR))
    }
}

/// Counts, or takes what was just counted. Whoever has something older to show does not wait long.
async fn counted(
    entry: &Arc<Entry>,
    harvest: &Arc<Harvest>,
    known: Option<Arc<Counted>>,
) -> Result<Arc<Counted>, HarvestError> {
    if let Some(fresh) = entry.fresh() {
        return Ok(fresh);
    }
    let (shared, asked) = (entry.clone(), harvest.clone());
    let counting = tokio::spawn(async move {
        // One counts, the others wait for what it finds.
        let _turn = shared.turn.lock().await;
        if let Some(fresh) = shared.fresh() {
            return Ok(fresh);
        }
        let counted = Arc::new(count(&asked).await?);
        let mut place = shared.counted.lock().unwrap_or_else(PoisonError::into_inner);
        *place = Some(counted.clone());
        Ok::<_, HarvestError>(counted)
    });
    let outcome = match known {
        Some(known) => match tokio::time::timeout(PATIENCE, counting).await {
            Ok(outcome) => outcome,
            Err(_) => return Ok(known),
        },
        None => counting.await,
    };
    outcome.unwrap_or_else(|lost| Err(HarvestError::Lost { what: lost.to_string() }))
}

async fn count(harvest: &Harvest) -> Result<Counted, HarvestError> {
    let (catalog, begun, at) = (&harvest.catalog, Instant::now(), Timestamp::now());
    let queues = catalog.server_queues(QUEUES).await?;
    let ids: Vec<_> = queues.iter().map(|queue| queue.server).collect();
    Ok(Counted {
        at,
        status: catalog.status().await?,
        robots: catalog.robots_counts().await?,
        robots_copies: catalog.robots_copies(&ids).await?,
        notes: notes_left(catalog).await?,
        captures: catalog.newest_captures(CAPTURES).await?,
        queues,
        took: begun.elapsed(),
        done: Instant::now(),
    })
}

/// What a question brings that must not take long.
async fn within_patience<T>(
    question: impl Future<Output = Result<T, HarvestError>>,
) -> Result<T, HarvestError> {
    match tokio::time::timeout(PATIENCE, question).await {
        Ok(answer) => answer,
        Err(_) => {
            let words = format!("no answer within {} s", PATIENCE.as_secs());
            Err(CatalogError::Unavailable { words }.into())
        }
    }
}
