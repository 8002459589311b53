//! A simulated internet and a harvest in it.

use auslese_archive::{ArchiveSettings, Reader, Record, StoredRecord, read_at, verify};
use auslese_catalog::{Catalog, CatalogSettings, KnownRequest, Location};
use auslese_crawl::{CrawlSettings, Scope};
use auslese_harvest::{
    CrawlJob, CrawlReport, HarvestDir, HarvestError, Institutions, Numbers, Revisits, Seed,
    StoringRules, Watching, crawl,
};
use auslese_model::{Capture, CaptureId, CauseKind, State};
use auslese_net::{ConnectTo, NetSettings};
use auslese_testnet::{Internet, Running};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use url::Url;

pub(crate) struct Field {
    pub(crate) web: Running,
    root: PathBuf,
    /// Removed with the field.
    _folder: tempfile::TempDir,
    database: Option<String>,
}

impl Field {
    pub(crate) fn new(internet: Internet) -> Field {
        let folder = tempfile::tempdir().unwrap();
        let (web, root) = (internet.start().unwrap(), folder.path().join("harvest"));
        Field { web, root, _folder: folder, database: None }
    }

    /// Puts the harvest elsewhere.
    pub(crate) fn at(self, root: PathBuf) -> Field {
        Field { root, ..self }
    }

    /// Takes a database on a server as catalog.
    pub(crate) fn with_database(self, url: String) -> Field {
        Field { database: Some(url), ..self }
    }

    /// The same harvest, in an internet that has changed.
    pub(crate) fn moved_to(self, internet: Internet) -> Field {
        Field { web: internet.start().unwrap(), ..self }
    }

    pub(crate) fn dir(&self) -> HarvestDir {
        HarvestDir::create(&self.root).unwrap()
    }

    /// Crawls to the end, without delay and with quick retries.
    pub(crate) fn crawl(&self, seeds: &[&str], change: impl FnOnce(&mut CrawlJob)) -> CrawlReport {
        self.try_crawl(seeds, change).unwrap()
    }

    pub(crate) fn try_crawl(
        &self,
        seeds: &[&str],
        change: impl FnOnce(&mut CrawlJob),
    ) -> Result<CrawlReport, HarvestError> {
        let mut job = self.job(seeds);
        change(&mut job);
        self.start(job).end()
    }

    /// Crawls on a thread of its own, so that the test can look and interfere.
    pub(crate) fn start(&self, job: CrawlJob) -> Underway {
        let (numbers, watched) = watch::channel(Numbers::default());
        let (stop, stopped) = watch::channel(false);
        let dir = self.dir();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(crawl(&dir, job, Watching { numbers, stop: stopped }))
        });
        Underway { stop, numbers: watched, thread }
    }

    pub(crate) fn job(&self, seeds: &[&str]) -> CrawlJob {
        let urls: Vec<Url> = seeds.iter().map(|seed| seed.parse().unwrap()).collect();
        let mut settings = CrawlSettings::default();
        settings.politeness.delay = Duration::ZERO;
        settings.retry.wait = Duration::from_millis(20);
        settings.politeness.backoff = Duration::from_millis(20);
        CrawlJob {
            catalog: self.catalog(),
            catalog_settings: CatalogSettings::default(),
            records: Vec::new(),
            scope: Scope::of_seeds(&urls).unwrap(),
            seeds: urls.into_iter().map(|url| Seed { url, label: None }).collect(),
            institutions: Institutions::default(),
            crawl: settings,
            net: self.net(),
            archive: ArchiveSettings::default(),
            storing: StoringRules::default(),
            recrawl: false,
            revisits: Revisits::Url,
            discovery: None,
            archive_limit: None,
            worker: "test".to_owned(),
            sharing: None,
            config_text: String::new(),
        }
    }

    pub(crate) fn net(&self) -> NetSettings {
        let doors = self.web.doors().iter().flat_map(|door| {
            let ranges = match door.address {
                Some(address) => vec![address.into()],
                None => vec!["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()],
            };
            let leads = |addresses| ConnectTo { addresses, port: Some(door.port), to: door.socket };
            ranges.into_iter().map(leads).collect::<Vec<_>>()
        });
        NetSettings {
            dns: vec![self.web.dns()],
            connect_to: doors.collect(),
            only_mapped: true,
            ca_files: vec![self.web.ca_file().to_owned()],
            spill_dir: self.root.clone(),
            ..NetSettings::default()
        }
    }

    pub(crate) fn catalog(&self) -> Location {
        match &self.database {
            Some(url) => Location::Server(url.parse().unwrap()),
            None => Location::File(self.root.join("catalog.sqlite")),
        }
    }

    /// All captures by URL; a URL that was captured twice is a failure.
    pub(crate) fn captures(&self) -> BTreeMap<String, Capture> {
        let mut captures = BTreeMap::new();
        for (url, capture) in self.all_captures() {
            assert!(captures.insert(url.clone(), capture).is_none(), "{url} was captured twice");
        }
        captures
    }

    pub(crate) fn all_captures(&self) -> Vec<(String, Capture)> {
        self.with_catalog(async |catalog| {
            let page = catalog.captures_page(CaptureId(0), 1_000_000).await.unwrap();
            page.into_iter().map(|stored| (stored.url, stored.capture)).collect()
        })
    }

    pub(crate) fn with_catalog<T>(&self, ask: impl AsyncFnOnce(&Catalog) -> T) -> T {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let settings = CatalogSettings::default();
            let catalog = Catalog::open(&self.catalog(), &settings).await.unwrap();
            ask(&catalog).await
        })
    }

    pub(crate) fn request(&self, url: &str) -> Option<KnownRequest> {
        self.with_catalog(async |catalog| catalog.find_requests(url).await.unwrap().pop())
    }

    /// Where a request stands, and why.
    pub(crate) fn state(&self, url: &str) -> Option<(State, Option<CauseKind>)> {
        self.request(url).map(|known| (known.state, known.cause.map(|cause| cause.kind)))
    }

    /// How often a URL was captured.
    pub(crate) fn captures_of(&self, url: &str) -> usize {
        self.with_catalog(async |catalog| catalog.captures_of(url).await.unwrap().len())
    }

    /// Every URL the servers were asked for, as it was spelled.
    pub(crate) fn asked(&self) -> BTreeSet<String> {
        self.web.requests().iter().map(|logged| logged.url()).collect()
    }

    /// Leaves a note for the crawl, as another process would.
    pub(crate) fn leave_note(&self, kind: &str, body: serde_json::Value) {
        self.with_catalog(async |catalog| {
            let now = auslese_model::Timestamp::now();
            catalog.write_control(kind, &body, now).await.unwrap();
        });
    }

    pub(crate) fn record(&self, capture: &Capture) -> StoredRecord {
        let place = capture.storage.place().unwrap();
        read_at(&self.root.join("archive").join(&place.file), place.offset).unwrap()
    }

    /// The archived payload.
    pub(crate) fn body(&self, capture: &Capture) -> Vec<u8> {
        self.record(capture).payload.prefix(usize::MAX).unwrap()
    }

    /// URLs that the servers were asked for more than once.
    pub(crate) fn requests_twice(&self) -> Vec<String> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for logged in self.web.requests() {
            *counts.entry(logged.url()).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count > 1).map(|(url, _)| url).collect()
    }

    /// The WARC files, in the order of their names.
    pub(crate) fn warc_files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.root.join("archive")).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    /// All records of all files, with their blocks.
    pub(crate) fn records(&self) -> Vec<(Record, Vec<u8>)> {
        let mut records = Vec::new();
        for path in self.warc_files() {
            let mut reader = Reader::open(&path).unwrap();
            while let Some(record) = reader.next_record().unwrap() {
                let mut block = Vec::new();
                reader.block().read_to_end(&mut block).unwrap();
                reader.end_record().unwrap();
                records.push((record, block));
            }
        }
        records
    }

    pub(crate) fn verify(&self) {
        for path in self.warc_files() {
            assert!(path.to_string_lossy().ends_with(".warc.gz"), "{}", path.display());
            let report = verify(&path).unwrap();
            assert!(report.faults.is_empty(), "{}: {:?}", path.display(), report.faults);
        }
    }
}

/// A crawl that is running.
pub(crate) struct Underway {
    stop: watch::Sender<bool>,
    numbers: watch::Receiver<Numbers>,
    thread: JoinHandle<Result<CrawlReport, HarvestError>>,
}

impl Underway {
    /// Waits for the crawl to come to its end.
    pub(crate) fn end(self) -> Result<CrawlReport, HarvestError> {
        self.thread.join().unwrap()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(self) -> CrawlReport {
        self.stop.send_replace(true);
        self.end().unwrap()
    }

    /// Waits until the numbers of the crawl are so.
    pub(crate) fn until(&self, what: &str, holds: impl Fn(&Numbers) -> bool) {
        until(what, || holds(&self.numbers.borrow()));
    }
}

/// Waits for something that takes a moment; a test that waits too long fails.
pub(crate) fn until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
