//! A harvest to test with, on either engine, and short words for what goes into it.

use auslese_catalog::*;
use auslese_model::*;
use auslese_testnet::postgres::Cluster;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// A moment to count from; tests never look at the clock.
pub(crate) const NOW: Timestamp = Timestamp(1_794_778_800_000_000);

pub(crate) fn seconds(count: i64) -> Timestamp {
    Timestamp(NOW.0 + count * 1_000_000)
}

/// Where a test keeps its catalog.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) location: Location,
    _directory: Option<TempDir>,
}

impl Database {
    pub(crate) fn file() -> Database {
        let directory = tempfile::tempdir().unwrap();
        // Characters that mean something in URLs.
        let path: PathBuf = directory.path().join("Härvest 100%20?#.sqlite");
        Database { location: Location::from(path.as_path()), _directory: Some(directory) }
    }

    pub(crate) fn server() -> Database {
        let url = Cluster::shared().create_database().unwrap();
        Database { location: Location::parse(&url).unwrap(), _directory: None }
    }

    pub(crate) fn is_file(&self) -> bool {
        matches!(self.location, Location::File(_))
    }

    /// Runs statements past the catalog, as any other client of the database could.
    pub(crate) async fn sql(&self, text: &str) {
        let text = sqlx::AssertSqlSafe(text.to_owned());
        match &self.location {
            Location::File(path) => {
                let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
                let mut connection = sqlx::ConnectOptions::connect(&options).await.unwrap();
                sqlx::raw_sql(text).execute(&mut connection).await.unwrap();
            }
            Location::Server(url) => {
                let mut connection =
                    <sqlx::PgConnection as sqlx::Connection>::connect(url.as_str()).await.unwrap();
                sqlx::raw_sql(text).execute(&mut connection).await.unwrap();
            }
        }
    }

    /// The first column of a query, as text.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<Option<String>> {
        let sql = sqlx::AssertSqlSafe(sql.to_owned());
        match &self.location {
            Location::File(path) => {
                let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
                let mut connection = sqlx::ConnectOptions::connect(&options).await.unwrap();
                sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap()
            }
            Location::Server(url) => {
                let mut connection =
                    <sqlx::PgConnection as sqlx::Connection>::connect(url.as_str()).await.unwrap();
                sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap()
            }
        }
    }
}

/// A catalog with a run going on.
#[derive(Debug)]
pub(crate) struct Harvest {
    pub(crate) place: Database,
    pub(crate) catalog: Catalog,
    pub(crate) run: RunId,
    pub(crate) window: i64,
}

impl Harvest {
    pub(crate) async fn new(place: Database) -> Harvest {
        let catalog = Catalog::create(&place.location, &settings()).await.unwrap();
        let run = begin(&catalog).await;
        Harvest { place, catalog, run, window: 0 }
    }

    /// Ends without a word, and opens again.
    pub(crate) async fn crash(&mut self) {
        self.catalog = Catalog::open(&self.place.location, &settings()).await.unwrap();
        self.run = begin(&self.catalog).await;
        self.window = 0;
    }

    pub(crate) async fn commit(&mut self, commit: Commit) -> u64 {
        match self.try_commit(&commit).await.unwrap() {
            Committed::Applied { new_requests } => new_requests,
            Committed::AlreadyApplied => panic!("window {} was there already", self.window),
        }
    }

    pub(crate) async fn try_commit(&mut self, commit: &Commit) -> Result<Committed, CatalogError> {
        self.window += 1;
        self.again(commit).await
    }

    /// Commits the last window once more.
    pub(crate) async fn again(&self, commit: &Commit) -> Result<Committed, CatalogError> {
        let window = Window { run: self.run, number: self.window, at: NOW };
        self.catalog.commit(commit, window).await
    }

    /// Leases as `worker`, everything that is due now.
    pub(crate) async fn lease(&self, worker: &str, servers: usize) -> Vec<Lease> {
        self.lease_at(worker, servers, NOW).await
    }

    pub(crate) async fn lease_at(
        &self,
        worker: &str,
        servers: usize,
        now: Timestamp,
    ) -> Vec<Lease> {
        let until = now.plus(Duration::from_secs(60));
        let terms = lease_terms(worker, servers, 100, now, until);
        self.catalog.lease_servers(terms).await.unwrap()
    }

    pub(crate) async fn join(&self, worker: &str, now: Timestamp) -> Joined {
        let alive_until = now.plus(Duration::from_secs(60));
        let (identity, machine) = (worker, "here");
        let stage = "crawl";
        let joining =
            Joining { name: worker, stage, identity, machine, process: 1, now, alive_until };
        self.catalog.join(joining).await.unwrap()
    }

    /// Joins as `worker`, and renews its leases.
    pub(crate) async fn beat(&self, worker: &str, until: Timestamp) -> Vec<(ServerId, i64)> {
        let Joined { incarnation, .. } = self.join(worker, NOW).await;
        let beat = heartbeat(worker, incarnation, Doing::Working, until);
        self.catalog.heartbeat(beat).await.unwrap()
    }

    pub(crate) async fn state(&self, request: i64) -> Option<State> {
        Some(self.catalog.request(RequestId(request)).await.unwrap()?.state)
    }
}

pub(crate) fn heartbeat(
    worker: &str,
    incarnation: i64,
    doing: Doing,
    until: Timestamp,
) -> Heartbeat<'_> {
    let (run, captures, bytes, numbers) = (RunId(1), 3, 400, "{}");
    Heartbeat { worker, incarnation, now: NOW, until, doing, run, captures, bytes, numbers }
}

/// Terms for what is due now, without any delay.
pub(crate) fn lease_terms(
    worker: &str,
    servers: usize,
    per_server: usize,
    now: Timestamp,
    until: Timestamp,
) -> LeaseTerms<'_> {
    let (due, delay, by_address) = (now, Duration::ZERO, true);
    LeaseTerms { worker, servers, per_server, now, due, until, delay, by_address }
}

pub(crate) fn settings() -> CatalogSettings {
    CatalogSettings { lock_wait: Duration::from_millis(300), ..CatalogSettings::default() }
}

async fn begin(catalog: &Catalog) -> RunId {
    let run = NewRun { stage: "crawl", worker: "w", config: "delay = 1", at: NOW };
    catalog.begin_run(run).await.unwrap()
}

pub(crate) fn server(id: i64) -> NewServer {
    let origin = Origin::parse(&format!("http://h{id}.example")).unwrap();
    NewServer { id: ServerId(id), origin, label: Some("GI".to_owned()) }
}

pub(crate) fn servers(ids: impl IntoIterator<Item = i64>) -> Vec<NewServer> {
    ids.into_iter().map(server).collect()
}

/// A queued GET with the given number for a page of the server.
pub(crate) fn offer(id: i64, server: i64) -> Offer {
    let url = format!("http://h{server}.example/{id}");
    let request = Request::get(url.parse().unwrap());
    Offer {
        id: RequestId(id),
        key: request.key(&url),
        server: ServerId(server),
        request,
        state: State::Queued,
        priority: 10,
        hops: HopPath("L".to_owned()),
        via: None,
        cause: None,
    }
}

pub(crate) fn parked(id: i64, server: i64) -> Offer {
    Offer { state: State::Parked, ..offer(id, server) }
}

pub(crate) fn done(request: i64, capture: i64) -> StateChange {
    change(request, Change::Done { capture: CaptureId(capture) })
}

pub(crate) fn change(request: i64, change: Change) -> StateChange {
    StateChange { request: RequestId(request), change }
}

pub(crate) fn cause(kind: CauseKind, detail: &str) -> Cause {
    Cause::new(kind, detail)
}

pub(crate) fn digest(number: u8) -> Digest {
    Digest { algorithm: Algorithm::Sha256, bytes: vec![number; 32] }
}

pub(crate) fn record(number: i64) -> auslese_model::Place {
    auslese_model::Place {
        file: "a.warc.gz".to_owned(),
        offset: number.unsigned_abs() * 100,
        length: 100,
        record_id: format!("urn:uuid:{number}"),
    }
}

pub(crate) fn warc() -> WarcProgress {
    WarcProgress { file: "a.warc.gz".to_owned(), length: 1_000_000, records: 9, closed: false }
}

/// A stored page.
pub(crate) fn capture(id: i64, request: i64, server: i64, run: RunId) -> Capture {
    Capture {
        id: CaptureId(id),
        request: RequestId(request),
        run,
        server: ServerId(server),
        target: format!("/{request}"),
        at: seconds(id),
        duration: Duration::from_millis(120),
        address: Some("192.0.2.7".parse().unwrap()),
        status: 200,
        http_version: "HTTP/1.1".to_owned(),
        head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(),
        fields: HeaderFields { content_type: Some("text/html".to_owned()), ..Default::default() },
        payload_length: 1000,
        payload_digest: Some(digest(id.to_le_bytes()[0])),
        truncated: None,
        tls_problem: None,
        charset: Some("utf-8".to_owned()),
        storage: Storage::Stored(record(id)),
        oddities: Vec::new(),
    }
}

/// What was read out of a stored page; `number` makes it differ from others.
pub(crate) fn content(capture: i64, number: i64) -> Content {
    Content {
        capture: CaptureId(capture),
        reader: 2,
        format: Format::Html,
        trouble: None,
        bytes: 12_345,
        title: Some(format!("Seite {number}")),
        language: Some(LanguageNote {
            language: "de".to_owned(),
            confidence: Confidence::Sure,
            reason: "share 0.8 and detector de".to_owned(),
            share_words: 0.8,
            share_chars: 0.75,
            words: 100,
            recognised: 80,
            detector: Some(("de".to_owned(), 0.5)),
            by_paper: true,
            shares: vec![("de".to_owned(), 1.0)],
        }),
        counts: Counts { words: 100, sentences: 10, links: 4, ..Counts::default() },
        elements: [("p".to_owned(), 2), ("a".to_owned(), 4)].into(),
        features: [("word-length".to_owned(), 5.0)].into(),
        conformance: Some(Conformance { doctype: None, errors: [].into() }),
        signature: vec![number.unsigned_abs()],
        structure: Some(7),
        generator: None,
        parts: Vec::new(),
        examined_at: NOW,
    }
}

/// The verdict on the document of a request whose capture has the same number.
pub(crate) fn document(request: i64, keeping: Keeping, rule: CorpusRule) -> Document {
    Document {
        request: RequestId(request),
        capture: Some(CaptureId(request)),
        content: Some(CaptureId(request)),
        verdict: CorpusVerdict { keeping, rule, reason: format!("by {}", rule.as_str()) },
        duplicate_of: None,
        near: None,
        logical: None,
        gone: false,
        mirror_path: None,
    }
}
