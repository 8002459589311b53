//! The search over all harvests as it stands: opened once, and opened again when an index or a vocabulary changed.
//!
//! A harvest may be crawled and indexed while it is read. Whoever asks gets the state of one moment; questions under way
//! keep theirs.

use crate::problem::Problem;
use crate::site::{Harvest, Site};
use auslese_catalog::IndexRange;
use auslese_harvest::{IndexPiece, index_pieces, known_ranges};
use auslese_inquiry::{TransferChoice, Transferring};
use auslese_search::{
    HitKey, IndexDir, QueryError, RankingParameters, SearchError, SearchRequest, Searcher,
};
use auslese_vocabulary::{Rewriting, StoreError, Switch, VocabularyStore};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use thiserror::Error;

/// How long it is believed that nothing changed.
const BELIEF: Duration = Duration::from_secs(1);

/// One moment of the search.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) searcher: Searcher,
    /// Which harvest each index of the searcher is of.
    pub(crate) harvests: Vec<Arc<Harvest>>,
    /// Of all harvests, those without an index included.
    pub(crate) transferring: Vec<Transferring>,
    marks: Vec<Mark>,
    /// Which documents lie in whose index, of each harvest that several workers index.
    ranges: Vec<Vec<IndexRange>>,
}

/// What changes with an index and with vocabularies.
type Mark = [Option<(SystemTime, u64)>; 2];

#[derive(Debug, Error)]
enum OpenError {
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The present desk, and when it was last compared with the disk.
#[derive(Debug, Default)]
pub(crate) struct Desks {
    present: Mutex<Option<(Arc<Desk>, Instant)>>,
    opening: tokio::sync::Mutex<()>,
}

impl Site {
    pub(crate) async fn desk(&self) -> Result<Arc<Desk>, Problem> {
        if let Some(desk) = self.desks.believed() {
            return Ok(desk);
        }
        // One looks, the others wait for what it finds.
        let _turn = self.desks.opening.lock().await;
        if let Some(desk) = self.desks.believed() {
            return Ok(desk);
        }
        let harvests = self.harvests.clone();
        let mut ranges = Vec::new();
        for harvest in &harvests {
            ranges.push(known_ranges(&harvest.catalog).await?);
        }
        let old = self.desks.old();
        let opened = self.work(move || {
            let marks: Vec<Mark> = harvests.iter().map(|harvest| mark(harvest)).collect();
            match old {
                Some(old) if old.marks == marks && old.ranges == ranges => Ok(old),
                _ => Desk::open(harvests, marks, ranges).map(Arc::new),
            }
        });
        match opened.await? {
            Ok(desk) => {
                self.desks.set(desk.clone());
                Ok(desk)
            }
            Err(OpenError::Search(error)) => Err(error.into()),
            Err(OpenError::Store(error)) => Err(Problem::internal("the vocabularies", &error)),
        }
    }
}

impl Desks {
    fn believed(&self) -> Option<Arc<Desk>> {
        let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let (desk, at) = present.as_ref()?;
        (at.elapsed() < BELIEF).then(|| desk.clone())
    }

    fn old(&self) -> Option<Arc<Desk>> {
        let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        present.as_ref().map(|(desk, _)| desk.clone())
    }

    fn set(&self, desk: Arc<Desk>) {
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        *present = Some((desk, Instant::now()));
    }
}

impl Desk {
    fn open(
        all: Vec<Arc<Harvest>>,
        marks: Vec<Mark>,
        ranges: Vec<Vec<IndexRange>>,
    ) -> Result<Desk, OpenError> {
        let (mut indexes, mut harvests, mut transferring) = (Vec::new(), Vec::new(), Vec::new());
        let mut missing = None;
        for (harvest, ranges) in all.into_iter().zip(&ranges) {
            let store = VocabularyStore::at(harvest.dir.vocabularies());
            let setup = &harvest.transfer;
            transferring.push(Transferring::load(
                &store,
                setup.choice,
                setup.measure,
                &setup.collections,
            )?);
            match IndexDir::open(&harvest.dir.index()) {
                Ok(index) => {
                    indexes.push(IndexPiece::new(index, harvest.catalog.harvest(), ranges)?);
                    harvests.push(harvest);
                }
                Err(error @ SearchError::Missing { .. }) => missing = Some(error),
                Err(error) => return Err(error.into()),
            }
        }
        match missing {
            Some(error) if indexes.is_empty() => Err(error.into()),
            _ => {
                let (parts, _) = index_pieces(indexes);
                let searcher = Searcher::open_parts(&parts, RankingParameters::default())?;
                Ok(Desk { searcher, harvests, transferring, marks, ranges })
            }
        }
    }

    /// A question rewritten for every collection of every harvest; where two have the same name, the first counts.
    pub(crate) fn rewritings(
        &self,
        request: &SearchRequest,
        choice: Option<TransferChoice>,
        switches: &[(String, Switch)],
    ) -> Result<Vec<Rewriting>, QueryError> {
        let mut all: Vec<Rewriting> = Vec::new();
        for transferring in &self.transferring {
            for rewriting in transferring.rewritings_switched(request, choice, switches)? {
                if !all.iter().any(|known| known.collection == rewriting.collection) {
                    all.push(rewriting);
                }
            }
        }
        Ok(all)
    }

    /// The harvest that a hit is of.
    pub(crate) fn harvest_of(&self, index: usize) -> &Harvest {
        &self.harvests[index]
    }

    /// The number of a harvest among the indexes.
    pub(crate) fn index_of(&self, harvest: &Harvest) -> Option<usize> {
        self.harvests.iter().position(|known| known.name == harvest.name)
    }
}

/// The page on this site that a hit leads to.
pub(crate) fn hit_page(harvest: &str, hit: HitKey) -> String {
    match hit {
        HitKey::Document(request) => format!("/doc/{harvest}/{}", request.0),
        HitKey::Database(database) => format!("/databases/{harvest}/{}", database.0),
        HitKey::Record(record) => format!("/records/{harvest}/{record}"),
    }
}

fn mark(harvest: &Harvest) -> Mark {
    [stamp(&harvest.dir.index().join("meta.json")), stamp(&harvest.dir.vocabularies())]
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
