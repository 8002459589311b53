//! What can keep a harvest from being worked on; a failed page is none of it.

use auslese_archive::ArchiveError;
use auslese_catalog::CatalogError;
use auslese_corpus::MirrorError;
use auslese_crawl::{CrawlError, SeenError};
use auslese_depot::DepotError;
use auslese_discover::judge::RuleError;
use auslese_discover::scan::{ScanError, ScanRefused};
use auslese_net::NetError;
use auslese_search::SearchError;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum HarvestError {
    #[error("there is no directory {}", path.display())]
    NoDirectory { path: PathBuf },
    #[error("{} is not a harvest", path.display())]
    NotAHarvest { path: PathBuf },
    #[error("{} is not empty and not a harvest", path.display())]
    NotEmpty { path: PathBuf },
    #[error("{} is in use by another command ({holder})", path.display())]
    InUse { path: PathBuf, holder: String },
    #[error("the harvest has no archive file {file}")]
    UnknownArchiveFile { file: String },
    #[error("cannot write {}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("cannot read {}", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("the catalog of {} is new, but there are archive files already", path.display())]
    CatalogLost { path: PathBuf },
    #[error("the archive has reached its limit of {limit} bytes (archive.max_size)")]
    ArchiveFull { limit: u64 },
    /// Nothing is lost: what was not committed is fetched again.
    #[error("stopped while waiting: {reason}")]
    StoppedInPause { reason: String },
    #[error("round {round} has not ended: what is queued was never fetched")]
    RoundOpen { round: i64 },
    #[error("nothing was crawled here yet, so nothing can be crawled again")]
    NothingToRecrawl,
    #[error("other workers are at the stage {stage} with other settings")]
    OtherJob { stage: &'static str },
    #[error("capture {capture} cannot be shown: {why}")]
    NoPage { capture: i64, why: String },
    /// A thread of ours ended in an unforeseen way; the same command goes on.
    #[error("a part of the work was lost: {what}")]
    Lost { what: String },
    #[error("{} is there already", path.display())]
    ExportExists { path: PathBuf },
    #[error("this format fills a folder, which cannot be printed")]
    ExportNeedsFolder,
    #[error("this format is not written in order, so it cannot be printed")]
    ExportNeedsFile,
    #[error("{format} is of the whole harvest, not of a selection")]
    ExportsWhole { format: &'static str },
    #[error("there is no document to export{}", match left_out { 0 => String::new(), n => format!("; {n} have no text") })]
    NothingToExport { left_out: u64 },
    #[error("the mirror refused")]
    Mirror(#[from] MirrorError),
    #[error("the search index refused")]
    Search(#[from] SearchError),
    #[error("the catalog refused")]
    Catalog(#[from] CatalogError),
    #[error("the frontier cannot go on")]
    Seen(#[from] SeenError),
    #[error("the archive refused")]
    Archive(#[from] ArchiveError),
    #[error("the store refused")]
    Depot(#[from] DepotError),
    #[error("the network settings cannot be used")]
    Net(#[from] NetError),
    #[error("the rules on hosts cannot be used")]
    Rules(#[from] RuleError),
    #[error("this cannot be scanned")]
    ScanRefused(#[from] ScanRefused),
    #[error("the scan did not begin")]
    Scan(#[from] ScanError),
    #[error("the crawl settings cannot be used")]
    Crawl(#[from] CrawlError),
    #[error("{url} cannot be a seed: only http and https addresses with a host can")]
    Seed { url: String },
}

impl HarvestError {
    /// Whether the same attempt may succeed later: a full disk, a database out of reach.
    pub fn may_pass(&self) -> bool {
        match self {
            HarvestError::Catalog(error) => error.is_temporary(),
            HarvestError::Archive(error) => error.can_wait(),
            HarvestError::Depot(error) => error.may_pass(),
            HarvestError::Seen(error) => error.may_pass(),
            HarvestError::ArchiveFull { .. } => true,
            _ => false,
        }
    }
}

/// An error and its causes in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
