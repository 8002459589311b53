//! The indexes of a harvest as they are searched together: one that holds everything, or the parts of several
//! workers.
//!
//! The catalog says whose index holds which documents. What an index has besides does not count, so no
//! document is found twice and each counts once in all statistics; and it can be told which parts are
//! missing.

use super::IndexState;
use crate::HarvestError;
use auslese_catalog::{Catalog, CatalogError, IndexRange, Location};
use auslese_search::{IndexDir, IndexPart, SearchError};
use std::collections::BTreeSet;

/// An index as it is found in a directory, with what the catalog says of it.
#[derive(Debug)]
pub struct IndexPiece {
    pub index: IndexDir,
    pub state: IndexState,
    /// The name of its harvest.
    harvest: String,
    /// The keys it holds, and all others have; none if the index is not divided.
    ranges: Option<Vec<(u64, u64)>>,
    /// All workers that hold a part.
    workers: BTreeSet<String>,
}

/// Why indexes are not all of a harvest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotWhole {
    /// Parts of these workers were not given.
    Missing { workers: Vec<String> },
    /// This index, by its place among those given, holds nothing of its harvest that another does not.
    Outdated { place: usize },
}

impl IndexPiece {
    /// Looks what an index holds.
    pub async fn of(index: IndexDir, catalog: &Catalog) -> Result<IndexPiece, HarvestError> {
        let known = known_ranges(catalog).await?;
        Ok(IndexPiece::new(index, catalog.harvest(), &known)?)
    }

    /// The same for an index of a harvest, by what its catalog says.
    pub fn new(
        index: IndexDir,
        harvest: &str,
        known: &[IndexRange],
    ) -> Result<IndexPiece, SearchError> {
        let state = IndexState::read(&index.state()?);
        let workers = known.iter().filter_map(|range| range.worker.clone()).collect();
        let of_this = |worker: &Option<String>| worker.is_some() && *worker == state.worker;
        let ranges = known
            .iter()
            .filter(|range| of_this(&range.worker))
            .map(|range| (range.first.unsigned_abs(), range.last.unsigned_abs()))
            .collect();
        let ranges = match (known.is_empty(), &state.worker) {
            (true, None) => None,
            _ => Some(ranges),
        };
        let harvest = harvest.to_owned();
        Ok(IndexPiece { index, state, harvest, ranges, workers })
    }

    /// An index without a catalog, such as that of a foreign collection.
    pub fn alone(index: IndexDir) -> IndexPiece {
        IndexPiece {
            index,
            state: IndexState::default(),
            harvest: String::new(),
            ranges: None,
            workers: BTreeSet::new(),
        }
    }
}

/// Who has which documents, where several workers can have an index.
pub async fn known_ranges(catalog: &Catalog) -> Result<Vec<IndexRange>, CatalogError> {
    match catalog.location() {
        Location::Server(_) => catalog.index_ranges().await,
        Location::File(_) => Ok(Vec::new()),
    }
}

/// Puts indexes together for a search, in their order; and says what is wrong with them.
pub fn index_pieces(pieces: Vec<IndexPiece>) -> (Vec<IndexPart>, Vec<NotWhole>) {
    let mut troubles = Vec::new();
    let mut groups: Vec<String> = Vec::new();
    let mut parts = Vec::new();
    let given: Vec<(String, Option<String>)> =
        pieces.iter().map(|it| (it.harvest.clone(), it.state.worker.clone())).collect();
    for (place, piece) in pieces.into_iter().enumerate() {
        let same = |known: &String| !piece.harvest.is_empty() && *known == piece.harvest;
        let known = groups.iter().position(same);
        // The same index twice, or one that is whole beside another of its harvest.
        let is_double = known.is_some() && piece.ranges.is_none();
        let twice = given[..place].contains(&given[place]) && piece.state.worker.is_some();
        let is_empty = piece.ranges.as_ref().is_some_and(Vec::is_empty);
        if is_double || twice || is_empty && piece.state.complete {
            troubles.push(NotWhole::Outdated { place });
        }
        let group = known.unwrap_or_else(|| {
            let is_given = |worker: &&String| {
                given.contains(&(piece.harvest.clone(), Some((*worker).clone())))
            };
            let missing: Vec<String> =
                piece.workers.iter().filter(|it| !is_given(it)).cloned().collect();
            if !missing.is_empty() {
                troubles.push(NotWhole::Missing { workers: missing });
            }
            groups.push(piece.harvest.clone());
            groups.len() - 1
        });
        let holds = match is_double || twice {
            true => Some(Vec::new()),
            false => piece.ranges,
        };
        parts.push(IndexPart { index: piece.index, group, holds });
    }
    (parts, troubles)
}
