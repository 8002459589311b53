//! Opens the indexes of one harvest or several, and says what is wrong with them in a way that helps.

use crate::args::Place;
use crate::commands::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::commands::crawl::harvest_failure;
use crate::config::{Config, Overrides};
use crate::messages::{Color, Exit, Failure, Word, say};
use auslese_harvest::{HarvestDir, IndexPiece, NotWhole, index_pieces};
use auslese_search::{IndexDir, QueryError, RankingParameters, SearchError, Searcher};
use std::path::{Path, PathBuf};

/// Harvests that are searched together.
pub(crate) struct Opened {
    pub(crate) searcher: Searcher,
    /// Their directories, in the order of the searcher.
    pub(crate) dirs: Vec<PathBuf>,
    /// The configuration of the first; none for a folder that holds nothing but an index.
    pub(crate) config: Option<Config>,
}

impl Opened {
    /// Opens the index of the place and those of other harvests.
    pub(crate) fn open(place: &Place, also: &[PathBuf], color: Color) -> Result<Opened, Failure> {
        let mut dirs = vec![place.dir().to_owned()];
        dirs.extend(place.also.iter().chain(also).cloned());
        let mut pieces = Vec::new();
        for dir in &dirs {
            let index = IndexDir::open(&index_path(dir)).map_err(search_failure)?;
            pieces.push(piece(dir, index, color)?);
        }
        let (parts, troubles) = index_pieces(pieces);
        troubles.iter().for_each(|trouble| tell_trouble(trouble, &dirs, color));
        let parameters = RankingParameters::default();
        let searcher = Searcher::open_parts(&parts, parameters).map_err(search_failure)?;
        let config = match HarvestDir::open(place.dir()) {
            Ok(_) => Some(place.sources(Overrides::default()).load()?),
            Err(_) => None,
        };
        Ok(Opened { searcher, dirs, config })
    }
}

/// Where the index of a harvest, or of a foreign collection, lies.
pub(crate) fn index_path(dir: &Path) -> PathBuf {
    dir.join("index")
}

/// Looks what an index holds; says so if the harvest knows more.
fn piece(dir: &Path, index: IndexDir, color: Color) -> Result<IndexPiece, Failure> {
    let Ok(harvest) = HarvestDir::open(dir) else { return Ok(IndexPiece::alone(index)) };
    let place = Place { dir: Some(dir.to_owned()), also: Vec::new(), net: None };
    let config = place.sources(Overrides::default()).load()?;
    let (piece, described_by) = block_on(async {
        let catalog = open_catalog(&config, harvest.root()).await?;
        let run = catalog.current_describe_run().await;
        let piece = IndexPiece::of(index, &catalog).await;
        catalog.close().await;
        Ok((piece.map_err(harvest_failure)?, run.map_err(catalog_failure)?))
    })?;
    let state = &piece.state;
    if !state.complete || state.described_by != described_by.map(|run| run.0) {
        let dir = dir.display();
        say(Word::Note, format!("the search index of {dir} is behind the harvest"), color);
        let worker = if state.worker.is_some() { " --worker" } else { "" };
        let hint = format!("`auslese search index{worker} --dir {dir}` brings it up to date");
        say(Word::Hint, hint, color);
    }
    Ok(piece)
}

/// Says why the indexes are not all of a harvest.
fn tell_trouble(trouble: &NotWhole, dirs: &[PathBuf], color: Color) {
    match trouble {
        NotWhole::Missing { workers } => {
            let workers = workers.join(", ");
            let message =
                format!("parts of the search index are missing, those of the workers: {workers}");
            say(Word::Note, message, color);
            let hint = "name the directories of all workers, each with --dir; if one is gone for good, \
                        `auslese search index --worker --lost NAME` on the others";
            say(Word::Hint, hint, color);
        }
        NotWhole::Outdated { place } => {
            let dir = dirs.get(*place).map(|dir| dir.display().to_string()).unwrap_or_default();
            let message = format!("the search index of {dir} is no part of its harvest any more");
            say(Word::Note, message, color);
        }
    }
}

/// What is wrong with an index, and what to do.
pub(crate) fn search_failure(error: SearchError) -> Failure {
    let hint = match &error {
        SearchError::Missing { .. } => "`auslese search index` makes one",
        SearchError::OtherVersion { .. } | SearchError::Damaged { .. } => {
            "`auslese search index --anew` makes it anew from catalog and archive"
        }
        SearchError::Locked { .. } => "wait until the other command has ended",
        _ => "",
    };
    let exit = match &error {
        SearchError::Missing { .. } => Exit::Usage,
        SearchError::OtherVersion { .. } | SearchError::Damaged { .. } => Exit::Damaged,
        _ => Exit::Failures,
    };
    let failure = Failure::new(exit, error);
    if hint.is_empty() { failure } else { failure.hint(hint) }
}

/// A question that cannot be understood, with a mark below the place.
pub(crate) fn query_failure(error: &QueryError, query: &str) -> Failure {
    Failure::usage(error.render(query))
}
