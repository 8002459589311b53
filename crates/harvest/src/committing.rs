//! The committer: the only task that writes to the archive and the catalog.
//!
//! Results are gathered into windows. For each window the records are appended to the archive
//! first, then one transaction stores everything that refers to them, together with the committed
//! length of the WARC files; only then does anybody hear of the result. Whatever asks the catalog
//! for work (leases, refills) goes through here as well, so that the answers fit the windows: a
//! request is handed out either by a window or by a later question, never by neither.
//!
//! A full disk or a database out of reach is waited out: the window is kept and tried again.

use crate::backlog::Backlog;
use crate::book::{Book, Stored};
use crate::exclusion::Exclusions;
use crate::extent::Extent;
use crate::facts::Facts;
use crate::fault::{self, Step};
use crate::found::{Found, Servers};
use crate::hidden::{Left, Opened, Opening};
use crate::link_notes::LinkNotes;
use crate::processing::{Caught, Outcome, Processed, Storing};
use crate::reserving::Reserved;
use crate::stopping::{Stopping, asks_to_stop};
use crate::{HarvestError, Revisits};
use auslese_archive::{ArchiveSettings, Encoded, Original, Writer, encode_revisit};
use auslese_catalog::{Catalog, Control, HandDecision, HostPattern, Numbers, Window};
use auslese_crawl::SeenSet;
use auslese_model::{
    CaptureId, Cause, Commit, Digest, HostName, Lease, LookupRecord, Pending, Place, RequestId,
    RequestKey, RunId, ServerId, StateChange, Timestamp, Verdict,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout_at};

/// How long results are gathered before they are committed.
const WINDOW_TIME: Duration = Duration::from_millis(50);
/// How many results make a window full.
const WINDOW_RESULTS: usize = 500;
/// How long a full disk or a lost database is waited for before the next attempt.
const PATIENCE: Duration = Duration::from_millis(1500);

/// What is stored with the next window.
#[derive(Debug)]
pub(crate) enum Entry {
    Result(Box<Processed>),
    Seeds(Vec<Found>),
    /// A record of its own, such as the answer of the DNS.
    Record(Encoded),
}

impl Entry {
    /// Whether a talk with a database waits for it: its next question depends on this answer.
    fn is_awaited(&self) -> bool {
        matches!(self, Entry::Result(processed) if processed.pending.hops.trailing('Q') > 0)
    }
}

/// What the committer is asked to do.
#[derive(Debug)]
pub(crate) enum Task {
    Enter(Entry),
    Ask(Question),
}

/// What is asked of the catalog; everything entered before is committed first.
#[derive(Debug)]
pub(crate) enum Question {
    /// Nothing: commit what there is, because the crawl has nothing else to wait for.
    Flush,
    Lease {
        servers: u32,
        per_server: u32,
        due: Duration,
    },
    Refill {
        server: ServerId,
        limit: u32,
    },
    Parked {
        host: HostName,
    },
    /// The hosts whose requests wait for a verdict.
    ParkedHosts,
    /// Refuse everything in the queues that is excluded, but for requests that are being sent.
    Exclude {
        taken: FxHashSet<RequestId>,
    },
    Move {
        moves: Vec<StateChange>,
        queued: Vec<Pending>,
    },
    Release {
        servers: Vec<ServerId>,
    },
    /// Notes that other processes have left.
    Controls,
    /// Store verdicts on hosts, and what was looked up for them; requests of hosts that belong by
    /// these and did not before are parked again.
    Learn {
        verdicts: Vec<Verdict>,
        lookups: Vec<LookupRecord>,
    },
    /// Park the requests again that were refused because their host did not belong.
    Reopen {
        hosts: HostPattern,
    },
    /// Refuse everything that waits for some hosts.
    Refuse {
        hosts: HostPattern,
        cause: Cause,
    },
    /// What people decided on hosts.
    Decisions,
    /// Has a request of a talk been answered? If not, queue it.
    Open(Box<Opening>),
    /// Keep what a talk leaves behind.
    Leave(Left),
    /// Queue these requests again that failed or were refused earlier.
    Revive {
        keys: Vec<RequestKey>,
    },
}

/// What the committer says.
#[derive(Debug)]
pub(crate) enum Report {
    Committed(Stored),
    Leased { leases: Vec<Lease> },
    Refilled { server: ServerId, pending: Vec<Pending>, more: bool },
    Parked { host: HostName, pending: Vec<Pending>, more: bool },
    ParkedHosts(Vec<HostName>),
    Excluded { requests: u64 },
    Moved { queued: Vec<Pending> },
    Controls(Vec<Control>),
    Decisions(Vec<HandDecision>),
    Reopened { requests: u64 },
    Refused { requests: u64 },
    Opened { number: usize, key: RequestKey, opened: Opened },
    Broken(HarvestError),
}

/// Everything the committer owns.
#[derive(Debug)]
pub(crate) struct Committer {
    pub(crate) catalog: Catalog,
    pub(crate) writer: Writer,
    pub(crate) archive: ArchiveSettings,
    pub(crate) extent: Extent,
    pub(crate) backlog: Arc<Backlog>,
    pub(crate) revisits: Revisits,
    /// Whether what was answered before is asked for again.
    pub(crate) recrawls: bool,
    pub(crate) servers: Servers,
    pub(crate) exclusions: Exclusions,
    pub(crate) facts: Arc<Facts>,
    pub(crate) seen: SeenSet,
    /// Which servers link to which, where that counts.
    pub(crate) links: Option<LinkNotes>,
    /// Prefixes of the payload digests stored so far, while revisits are wanted.
    pub(crate) digests: FxHashSet<u64>,
    pub(crate) run: RunId,
    pub(crate) worker: String,
    /// Why the crawl stands still, for the display; none while it goes on.
    pub(crate) paused: watch::Sender<Option<String>>,
    pub(crate) stop: Stopping,
    pub(crate) numbers: Reserved,
    pub(crate) window: i64,
}

impl Committer {
    /// Works until the tasks end; then the WARC file is closed.
    pub(crate) async fn run(
        mut self,
        mut tasks: mpsc::UnboundedReceiver<Task>,
        reports: mpsc::UnboundedSender<Report>,
    ) {
        if let Err(error) = self.work(&mut tasks, &reports).await {
            // If nobody listens any more, there is nobody to tell.
            let _ = reports.send(Report::Broken(error));
        }
    }

    async fn work(
        &mut self,
        tasks: &mut mpsc::UnboundedReceiver<Task>,
        reports: &mpsc::UnboundedSender<Report>,
    ) -> Result<(), HarvestError> {
        let mut window = Vec::new();
        let mut due: Option<Instant> = None;
        loop {
            let next = match due {
                Some(due) => timeout_at(due, tasks.recv()).await,
                None => Ok(tasks.recv().await),
            };
            let (question, last) = match next {
                Ok(Some(Task::Enter(entry))) => {
                    let awaited = entry.is_awaited();
                    window.push(entry);
                    if window.len() < WINDOW_RESULTS && !awaited {
                        due.get_or_insert_with(|| Instant::now() + WINDOW_TIME);
                        continue;
                    }
                    (None, false)
                }
                Ok(Some(Task::Ask(question))) => (Some(question), false),
                Ok(None) => (None, true),
                Err(_window_is_over) => (None, false),
            };
            due = None;
            if !window.is_empty() {
                let stored = self.commit(std::mem::take(&mut window)).await?;
                self.go_on();
                // The conductor outlives its reports; if it is gone, the process is ending.
                let _ = reports.send(Report::Committed(stored));
            }
            if let Some(question) = question {
                self.answer(question, reports).await?;
            }
            if last {
                return self.close().await;
            }
        }
    }

    /// Appends, commits, and tells what is now stored.
    async fn commit(&mut self, window: Vec<Entry>) -> Result<Stored, HarvestError> {
        while let Err(error) = self.extent.check() {
            self.wait_out(error).await?;
        }
        fault::reach(Step::BeforeAppend);
        let mut book = Book::default();
        let mut found = 0;
        for entry in window {
            match entry {
                Entry::Result(processed) => {
                    found += Backlog::cost(&processed.found);
                    self.enter(*processed, &mut book).await?;
                }
                Entry::Seeds(found) => self.offer(found, None, &mut book).await?,
                Entry::Record(encoded) => drop(self.append(&encoded).await?),
            }
        }
        fault::reach(Step::AfterAppend);
        while let Err(error) = self.writer.sync() {
            self.wait_out(error.into()).await?;
        }
        fault::reach(Step::AfterSync);
        let (mut commit, stored) = book.close();
        commit.warcs = self.writer.progress();
        commit.links = self.new_links();
        self.store(&commit).await?;
        self.extent.note(&commit.warcs);
        fault::reach(Step::BeforeRename);
        while let Err(error) = self.writer.committed() {
            self.wait_out(error.into()).await?;
        }
        fault::reach(Step::AfterRename);
        self.backlog.remove(found);
        Ok(stored)
    }

    pub(crate) async fn store(&mut self, commit: &Commit) -> Result<(), HarvestError> {
        self.window += 1;
        let window = Window { run: self.run, number: self.window, at: Timestamp::now() };
        fault::reach(Step::BeforeCommit);
        while let Err(error) = self.catalog.commit(commit, window).await {
            self.wait_out(error.into()).await?;
        }
        fault::reach(Step::AfterCommit);
        Ok(())
    }

    /// Enters one result and what was found in it.
    async fn enter(&mut self, processed: Processed, book: &mut Book) -> Result<(), HarvestError> {
        let Processed { mut pending, prerequisite, outcome, mut found, clocks, robots, memory } =
            processed;
        if let Some(prerequisite) = prerequisite {
            pending.id = self.prerequisite(*prerequisite, book).await?;
            found.iter_mut().for_each(|found| found.via = Some(pending.id));
        }
        match outcome {
            Outcome::Caught(caught) => {
                let capture = CaptureId(self.number(Numbers::Captures).await?);
                let storage = self.put(&pending, capture, &caught, book).await?;
                book.capture(capture, self.run, &pending, *caught, storage);
            }
            Outcome::Lost(change) => book.change(&pending, change),
        }
        book.clocks(clocks);
        book.memory(memory);
        if let Some(robots) = robots {
            book.robots(robots);
        }
        self.offer(found, Some(pending.server), book).await
    }

    /// The number of a request that is fetched without having been in the queue.
    async fn prerequisite(
        &mut self,
        found: Found,
        book: &mut Book,
    ) -> Result<RequestId, HarvestError> {
        if !self.seen.insert(found.key.short()) {
            if let Some(id) = book.offered(found.key) {
                return Ok(id);
            }
            let known = loop {
                match self.catalog.find_keys(&[found.key]).await {
                    Ok(known) => break known.get(&found.key).map(|known| known.id),
                    Err(error) => self.wait_out(error.into()).await?,
                }
            };
            if let Some(id) = known {
                return Ok(id);
            }
        }
        let server = self.server(&found, book).await?;
        let id = RequestId(self.number(Numbers::Requests).await?);
        book.offer_quietly(found.into_offer(id, server));
        Ok(id)
    }

    /// Gives numbers to those requests that are new.
    pub(crate) async fn offer(
        &mut self,
        found: Vec<Found>,
        from: Option<ServerId>,
        book: &mut Book,
    ) -> Result<(), HarvestError> {
        for found in found {
            if !self.seen.insert(found.key.short()) {
                self.note_link(&found, from);
                continue;
            }
            let server = self.server(&found, book).await?;
            let id = RequestId(self.number(Numbers::Requests).await?);
            let via_url = found.via_url.clone();
            book.offer(found.into_offer(id, server), via_url);
        }
        Ok(())
    }

    async fn server(&mut self, found: &Found, book: &mut Book) -> Result<ServerId, HarvestError> {
        let origin = found.request.origin();
        if let Some(id) = self.servers.get(&origin) {
            return Ok(id);
        }
        let id = ServerId(self.number(Numbers::Servers).await?);
        book.server(self.servers.register(origin, id, found.label.clone()));
        Ok(id)
    }

    /// Writes the records of a capture, unless only its header is wanted.
    async fn put(
        &mut self,
        pending: &Pending,
        capture: CaptureId,
        caught: &Caught,
        book: &mut Book,
    ) -> Result<auslese_model::Storage, HarvestError> {
        use auslese_model::Storage;
        let encoded = match &caught.storing {
            Storing::HeaderOnly(reason) => {
                return Ok(Storage::HeaderOnly { reason: reason.clone() });
            }
            Storing::Body(encoded) => encoded,
        };
        if caught.exchange.response.status == 304
            && let Some(known) = &pending.known
        {
            let original = Original {
                record_id: known.record_id.clone(),
                uri: known.uri.clone(),
                date: known.at,
                payload_digest: known.digest.clone(),
            };
            let revisit =
                encode_revisit(&caught.exchange, &caught.notes, &original, &self.archive)?;
            let place = self.append(&revisit).await?;
            return Ok(Storage::Revisit { place, original: known.capture });
        }
        let digest = encoded.payload_digest().filter(|_| caught.exchange.response.status == 200);
        if let Some(digest) = digest
            && let Some((original, of)) = self.original(pending, digest, book).await?
        {
            let revisit =
                encode_revisit(&caught.exchange, &caught.notes, &original, &self.archive)?;
            let place = self.append(&revisit).await?;
            return Ok(Storage::Revisit { place, original: of });
        }
        let place = self.append(encoded).await?;
        if let Some(digest) = digest
            && self.revisits != Revisits::Off
        {
            self.digests.insert(digest.prefix());
            let original = Original {
                record_id: place.record_id.clone(),
                uri: pending.request.url.to_string(),
                date: caught.exchange.started,
                payload_digest: Some(digest.clone()),
            };
            book.original(digest.clone(), original, capture);
        }
        Ok(Storage::Stored(place))
    }

    /// The earlier capture that already holds this payload, where revisits are wanted.
    async fn original(
        &mut self,
        pending: &Pending,
        digest: &Digest,
        book: &Book,
    ) -> Result<Option<(Original, CaptureId)>, HarvestError> {
        if self.revisits == Revisits::Off || !self.digests.contains(&digest.prefix()) {
            return Ok(None);
        }
        let suits =
            |uri: &str| self.revisits == Revisits::Digest || uri == pending.request.url.as_str();
        if let Some((original, capture)) = book.original_of(digest)
            && suits(&original.uri)
        {
            return Ok(Some((original.clone(), *capture)));
        }
        let known = loop {
            match self.catalog.originals(std::slice::from_ref(digest)).await {
                Ok(known) => break known,
                Err(error) => self.wait_out(error.into()).await?,
            }
        };
        let suits =
            |uri: &str| self.revisits == Revisits::Digest || uri == pending.request.url.as_str();
        let known = known.into_iter().flatten();
        Ok(known
            .filter(|known| suits(&known.uri))
            .map(|known| {
                let original = Original {
                    record_id: known.record_id,
                    uri: known.uri,
                    date: known.at,
                    payload_digest: Some(digest.clone()),
                };
                (original, known.capture)
            })
            .next())
    }

    async fn append(&mut self, encoded: &Encoded) -> Result<Place, HarvestError> {
        loop {
            match self.writer.append(encoded) {
                Ok(place) => return Ok(place),
                Err(error) => self.wait_out(error.into()).await?,
            }
        }
    }

    /// Closes the WARC file: its end is committed before it gets its final name.
    async fn close(&mut self) -> Result<(), HarvestError> {
        while let Err(error) = self.writer.finish() {
            self.wait_out(error.into()).await?;
        }
        let commit = Commit { warcs: self.writer.progress(), ..Commit::default() };
        if !commit.is_empty() {
            self.store(&commit).await?;
        }
        fault::reach(Step::BeforeRename);
        while let Err(error) = self.writer.committed() {
            self.wait_out(error.into()).await?;
        }
        fault::reach(Step::AfterRename);
        Ok(())
    }

    /// Waits if the trouble may pass, and gives up if it cannot, or if a person wants to stop.
    pub(crate) async fn wait_out(&mut self, error: HarvestError) -> Result<(), HarvestError> {
        if !error.may_pass() {
            return Err(error);
        }
        let reason = crate::error::chain(&error);
        if self.stop.is_wanted() {
            return Err(HarvestError::StoppedInPause { reason });
        }
        if self.paused.borrow().is_none() {
            tracing::warn!("paused: {reason}");
        }
        self.paused.send_replace(Some(reason));
        tokio::select! {
            () = sleep(PATIENCE) => {}
            () = self.stop.wanted() => {}
        }
        self.look_for_stop().await;
        Ok(())
    }

    /// Notes are read between windows; while none can be committed, only this one matters.
    async fn look_for_stop(&self) {
        // If the catalog itself is what is waited for, there is nothing to be read.
        let notes = tokio::time::timeout(PATIENCE, self.catalog.read_control()).await;
        let Ok(Ok(notes)) = notes else { return };
        if notes.iter().any(|note| asks_to_stop(note, self.run)) {
            self.stop.want();
        }
    }

    /// What was waited for has come.
    fn go_on(&self) {
        if self.paused.send_if_modified(|reason| reason.take().is_some()) {
            tracing::warn!("going on");
        }
    }
}
