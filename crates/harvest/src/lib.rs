//! The conductor: the only place that states the order of stages, runs them over live exchanges,
//! and commits what they bring.
//!
//! A crawl is four kinds of hands that share nothing but messages: tasks that fetch, threads that
//! parse and compress, one committer that writes archive and catalog, and one conductor that asks
//! the scheduler what comes next. All queues are bounded by the number of requests between being
//! sent and being committed.
//!
//! ```
//! use auslese_harvest::HarvestDir;
//! let folder = tempfile::tempdir()?;
//! let dir = HarvestDir::create(folder.path().join("my-harvest"))?;
//! let lock = dir.lock()?;
//! assert!(dir.lock().is_err(), "one crawl at a time");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answering;
mod archiving;
mod backlog;
mod belonging;
mod book;
mod cases;
mod committing;
mod conductor;
mod corpus;
mod crawl_stage;
mod crew;
mod crew_task;
mod deciding;
mod depositing;
mod describing;
mod directory;
mod discover_stage;
mod error;
mod exclusion;
mod exporting;
mod extent;
mod facts;
mod familiar;
mod fault;
mod fencing;
mod fetching;
mod found;
mod frontier_trial;
mod hidden;
mod importing;
mod job;
mod judging;
mod link_notes;
mod locating;
mod notes;
mod numbers;
mod paper_heads;
mod papers;
mod patience;
mod processing;
mod recalled;
mod recompressing;
mod removing;
mod reserving;
mod runs_log;
mod searching;
mod shared_stage;
mod sharing;
mod sifting;
mod standing;
mod stopping;
mod telling;
mod trapping;
mod worker_standing;
mod workers;

pub use belonging::verdicts;
pub use corpus::{
    ChangedDocument, ChangedDocuments, CorpusJob, CorpusPreview, CorpusProgress, CorpusReport,
    CorpusStep, CorpusWatching, StoredBody, VerdictChange, build_corpus, build_corpus_together,
    collect_names, preview_corpus, stored_body, stored_text,
};
pub use crawl_stage::{CrawlEnd, CrawlReport, Watching, crawl, open_or_create};
pub use depositing::{ArchiveStore, DepositReport, Waiting, deposit_all, waiting_files};
pub use describing::{
    DescribeJob, DescribeProgress, DescribeReport, DescribeWatching, DescribingSet,
    HarvestedDocument, LabelledByMarks, Looking, all_marks, describe_harvest, describe_together,
    document_of_harvest, judged_marks, labelled_by_marks, stored_page,
};
pub use directory::{CONFIG_FILE, HarvestDir, HarvestLock, Holder, WorkerMark};
pub use discover_stage::{
    DiscoverJob, Discovering, FoundHosts, ScanJob, ScanReport, candidate_source,
};
pub use error::HarvestError;
pub use exclusion::{ExclusionPreview, parse_exclusion, preview_exclusion};
pub use exporting::{
    ArchiveExport, ArchiveFormat, ArchiveReport, ExportFormat, ExportJob, ExportProgress,
    ExportReport, ExportSelection, ExportTarget, ExportWatching, OutputKind, export_harvest,
};
pub use frontier_trial::FrontierTrial;
pub use hidden::{
    HiddenJob, HiddenReport, HiddenSettings, MAX_ATTRIBUTE_NAME, MAX_DATABASES_PER_PAGE,
    WhichDatabases, ask_databases, find_databases, plan_value,
};
pub use importing::{
    ImportJob, ImportProgress, ImportReport, ImportWatching, ImportedFile, ImportedPackage,
    archives_named, import,
};
pub use job::{
    CrawlJob, Discovery, Institutions, Revisits, Seed, SeedRecord, Sharing, StoringRules,
};
pub use numbers::{Bottleneck, Numbers};
pub use papers::{PAPER_PAGES, Paper, is_paper, paper_layout, read_document};
pub use recompressing::{
    RecompressJob, RecompressProgress, RecompressReport, RecompressWatching, RecompressedFile,
    recompress,
};
pub use removing::{RemovalJob, RemovalPreview, RemovalReport, preview_removal, remove_documents};
pub use searching::{
    CollectionRule, IndexJob, IndexPiece, IndexProgress, IndexReport, IndexState, IndexWatching,
    NotWhole, index_harvest, index_pieces, index_together, known_ranges,
};
pub use standing::{CrawlState, ExclusionInForce, NotesLeft, Standing, crawl_standing, notes_left};
pub use stopping::ask_to_stop;
pub use worker_standing::{SharedStanding, WorkerStanding, WorkerState};

/// A stage at work. Boxed, so that all of it is compiled here once and not by everyone who waits for it.
pub type Doing<'a, T> = std::pin::Pin<Box<dyn Future<Output = Result<T, HarvestError>> + 'a>>;

/// The same for a stage that may go on in another thread, as those do that the front end starts.
pub type DoingAnywhere<'a, T> =
    std::pin::Pin<Box<dyn Future<Output = Result<T, HarvestError>> + Send + 'a>>;
