//! The SQL database of a harvest: frontier, captures, servers, verdicts on hosts, runs, the
//! documents of the corpus and their descriptions. The only place with SQL.
//!
//! One schema, two engines: SQLite in a file by default, PostgreSQL when several machines share a
//! harvest. Both run the same statements and the same tests. The tables are meant to be read by
//! people with any SQL client; they are explained in `docs/catalog.md`.
//!
//! The interface is made of batches. A crawl [leases](Catalog::lease_servers) servers with the
//! heads of their queues, and [commits](Catalog::commit) its results in windows, each of them whole
//! or not at all; it never asks about one URL at a time. Other processes read, and write only
//! [control rows](Catalog::write_control) and [decisions by hand](Catalog::set_hand_decisions).
//!
//! ```
//! use auslese_catalog::*;
//! use auslese_model::*;
//!
//! # async fn example(directory: &std::path::Path) -> Result<(), CatalogError> {
//! let location = Location::from(directory.join("catalog.sqlite").as_path());
//! let catalog = Catalog::create(&location, &CatalogSettings::default()).await?;
//! let (now, worker) = (Timestamp::now(), "example");
//! let run = catalog.begin_run(NewRun { stage: "crawl", worker, config: "", at: now }).await?;
//!
//! let request = Request::get("http://www.uni.example/".parse().unwrap());
//! let server = ServerId(catalog.reserve(Numbers::Servers, 1).await?);
//! let seed = Offer {
//!     id: RequestId(catalog.reserve(Numbers::Requests, 1).await?),
//!     key: request.key(request.url.as_str()),
//!     server,
//!     state: State::Queued,
//!     priority: 0,
//!     hops: HopPath::default(),
//!     via: None,
//!     cause: None,
//!     request: request.clone(),
//! };
//! let commit = Commit {
//!     servers: vec![NewServer { id: server, origin: request.origin(), label: None }],
//!     offers: vec![seed],
//!     ..Commit::default()
//! };
//! let window = Window { run, number: 1, at: now };
//! assert_eq!(catalog.commit(&commit, window).await?, Committed::Applied { new_requests: 1 });
//! assert_eq!(catalog.commit(&commit, window).await?, Committed::AlreadyApplied);
//!
//! let until = now.plus(std::time::Duration::from_secs(60));
//! let terms = LeaseTerms {
//!     worker,
//!     servers: 10,
//!     per_server: 100,
//!     now,
//!     due: now,
//!     until,
//!     delay: std::time::Duration::ZERO,
//!     by_address: false,
//! };
//! let leases = catalog.lease_servers(terms).await?;
//! assert_eq!(leases[0].pending[0].request, request);
//! # Ok(())
//! # }
//! # let directory = tempfile::tempdir().unwrap();
//! # tokio::runtime::Runtime::new().unwrap().block_on(example(directory.path())).unwrap();
//! ```

mod asking;
mod batch;
mod browsing;
mod catalog;
mod check;
mod commit;
mod copying;
mod corpus;
mod crew;
mod description;
mod discovery;
mod engine;
mod error;
mod exporting;
mod file_mark;
mod group;
mod growth;
mod header;
mod hidden;
mod lease;
mod location;
mod lookup;
mod monitoring;
mod notes_between;
mod people;
mod queue;
mod replaying;
mod run;
mod scan;
mod schema;
mod searching;
mod server;
mod settling;
mod stage;
mod status;
mod template;
mod value;
mod warc_files;

pub use asking::{
    AskError, AskLimits, AskedCell, AskedTable, EXAMPLE_QUESTIONS, ExampleQuestion, MAX_STATEMENT,
};
pub use browsing::{
    DocumentOrder, Folder, FolderDocument, FolderQuery, LabelSummary, MAX_BROWSED,
    MAX_FOLDER_ADDRESS, MAX_SORTED, ServerOrder, ServerSummary, Subfolder,
};
pub use catalog::{Catalog, Company, Exclusive, Numbers};
pub use commit::{Committed, Fence, Settled, Window};
pub use copying::{CopiedTable, copy_catalog};
pub use corpus::{
    Amount, Answer, Bereft, BodyState, BriefDocument, ChangeRow, ContentLink, ContentSummary,
    CountBy, CountRow, CountTable, DatedVersion, DocumentFacts, DocumentFeatures, DocumentFilter,
    DocumentLink, DocumentSignature, DuplicateCounts, ElementRow, ErrorRow, FeatureRow,
    InstitutionRow, LinkRow, ListedDocument, MAX_ROUND_WORDS, OddityRow, Recrawl, Redirect,
    Removal, RemovalNote, RemovalPlan, Renamed, Rewriting, Round, RoundId, RoundKind, RuleCount,
    RuleCounts, ServerRow, SizeBy, SizeRow, TemplateRow, Validators, Version, VersionCapture,
    VersionChange, VersionFacts, WordCounts,
};
pub use crew::{Doing, Heartbeat, Joined, Joining, Outlook, Worker};
pub use description::{
    AnnouncedFullTexts, CitationEdge, CitationEntry, CitationNeighbour, CitationNeighbours,
    CitedDocument, Describable, DescribeRun, DescribeTexts, FieldCount, FullText, HIGH_WEIGHT,
    HomePage, HomePageBy, ListedDescription, MAX_CITATION_NEIGHBOURS, Mark, MarkFilter,
    NewCitation, NewDescribeRun, OutsideRecord, RecordAbout, RuleDocument, RuleUse, ServerPages,
    StoredMark,
};
pub use discovery::{
    DECISION_NOTE, HandDecision, HostCounts, HostFilter, HostOrder, HostPattern, Judged,
    JudgedHost, MetHost, NumberedCandidate, UnsureHost, WebServer,
};
pub use error::CatalogError;
pub use exporting::{EXPORT_OWNERS, ExportPage, ExportRow, ExportTable, TableCursor, TableReach};
pub use group::{Claimed, GroupClaim};
pub use header::{BodyPlace, StoredCapture};
pub use hidden::{
    Asked, AttributeCount, DatabaseFilter, HiddenDatabase, MAX_VALUE_MATCHES, NewDatabase,
    NewRecord, StoredRecord, StoredValue, ValueMatch,
};
pub use lease::{LeaseTerms, Leases, Recovered};
pub use location::{CatalogSettings, Durability, Location};
pub use lookup::{KnownRequest, MAX_CHAIN, Original};
pub use monitoring::{NewCapture, RobotsCounts};
pub use notes_between::Listener;
pub use people::{
    LoggedChange, MAX_REMARK, NewChange, NewRemark, Remark, RemarkChange, RemarkKey, Topic,
};
pub use replaying::{CaptureScope, IndexPosition, IndexedCapture, Moment};
pub use run::{Control, Institution, NewRun, Run};
pub use scan::QueuedUrl;
pub use schema::SCHEMA_VERSION;
pub use searching::{SearchableDocument, SearchableStatement};
pub use server::KnownServer;
pub use stage::{
    BEFORE_ALL, BatchFence, BatchTerms, Division, IndexRange, NewStageWork, PhaseProgress,
    SHARD_BEYOND, StageBatch, StageBeat, StageWork, Taken, job_digest,
};
pub use status::{FailureGroup, ServerQueue, Status};
pub use template::{StoredTemplate, TEMPLATE_NOTE, TemplateDecision};
pub use warc_files::WarcFile;
