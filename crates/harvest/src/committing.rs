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
use crate::familiar::Familiar;
use crate::fault::{self, Step};
use crate::fencing::{Fencing, Kept};
use crate::found::{Found, Servers};
use crate::hidden::{Left, Opened, Opening};
use crate::link_notes::LinkNotes;
use crate::processing::{Outcome, Processed};
use crate::reserving::Reserved;
use crate::sifting::{Source, counted, shows};
use crate::stopping::{Stopping, asks_to_stop};
use crate::trapping::{Counted, Offered, TrapWatch};
use crate::{HarvestError, Revisits};
use auslese_archive::{ArchiveSettings, Encoded, Writer};
use auslese_catalog::{Catalog, Claimed, Control, HandDecision, HostPattern, Numbers};
use auslese_crawl::SeenSet;
use auslese_model::{
    CaptureId, Cause, Commit, HostName, Lease, LookupRecord, Pending, RequestId, RequestKey, RunId,
    ServerId, StateChange, Verdict, WarcProgress,
};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout_at};

/// How long results are gathered before they are committed.
const WINDOW_TIME: Duration = Duration::from_millis(50);
/// How long nothing may come before a window is committed, in a crawl without pauses: its servers may
/// be waiting for the links in it.
const LULL: Duration = Duration::from_millis(3);
/// How many results make a window full.
const WINDOW_RESULTS: usize = 500;
/// How long a full disk or a lost database is waited for before the next attempt, at first and at most.
pub(crate) const PATIENCE: Duration = Duration::from_millis(250);
const LONGEST_PATIENCE: Duration = Duration::from_secs(5);
/// How long a note is looked for in between.
const LOOK_PATIENCE: Duration = Duration::from_millis(1500);

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
    /// The address of a leased server: may this worker send requests there?
    Claim {
        server: ServerId,
        epoch: i64,
        address: IpAddr,
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
    /// How the URL templates of a server stand by now: a person has decided on one.
    Templates {
        server: ServerId,
    },
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
    /// Everything entered before is stored.
    Flushed,
    Leased {
        leases: Vec<Lease>,
    },
    Claimed {
        server: ServerId,
        claimed: Claimed,
    },
    Released,
    Refilled {
        server: ServerId,
        pending: Vec<Pending>,
        more: bool,
    },
    Parked {
        host: HostName,
        pending: Vec<Pending>,
        more: bool,
    },
    ParkedHosts(Vec<HostName>),
    Excluded {
        requests: u64,
    },
    Moved {
        queued: Vec<Pending>,
    },
    Controls(Vec<Control>),
    Decisions(Vec<HandDecision>),
    Reopened {
        requests: u64,
    },
    Refused {
        requests: u64,
    },
    Templates {
        server: ServerId,
    },
    Opened {
        number: usize,
        key: RequestKey,
        opened: Opened,
    },
    Broken(HarvestError),
}

/// Everything the committer owns.
#[derive(Debug)]
pub(crate) struct Committer {
    pub(crate) catalog: Catalog,
    pub(crate) writer: Writer,
    /// Whoever stores files elsewhere that grow no more.
    pub(crate) deposits: Option<mpsc::UnboundedSender<WarcProgress>>,
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
    /// Those keys of the window at hand that were not seen before.
    pub(crate) fresh: FxHashSet<u64>,
    pub(crate) traps: TrapWatch,
    pub(crate) familiar: Arc<Familiar>,
    /// Which servers link to which, where that counts.
    pub(crate) links: Option<LinkNotes>,
    /// Prefixes of the payload digests stored so far, while revisits are wanted.
    pub(crate) digests: FxHashSet<u64>,
    pub(crate) run: RunId,
    pub(crate) worker: String,
    /// The least delay at a server whose last worker died.
    pub(crate) delay: Duration,
    /// Why the crawl stands still, for the display; none while it goes on.
    pub(crate) paused: watch::Sender<Option<String>>,
    pub(crate) stop: Stopping,
    pub(crate) numbers: Reserved,
    pub(crate) window: i64,
    /// How long the next pause is, when something is waited for.
    pub(crate) patience: Duration,
    /// The part of a worker among others; none if the harvest is ours alone.
    pub(crate) fencing: Option<Fencing>,
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
                Some(due) if self.delay.is_zero() => {
                    timeout_at(due.min(Instant::now() + LULL), tasks.recv()).await
                }
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

    /// Appends, commits, and tells what is now stored. If servers turn out to be lost, what was
    /// appended is taken back, and the rest is stored without them.
    async fn commit(&mut self, window: Vec<Entry>) -> Result<Stored, HarvestError> {
        while let Err(error) = self.extent.check() {
            self.wait_out(error).await?;
        }
        fault::reach(Step::BeforeAppend);
        let mark = self.writer.mark();
        self.traps.begin_window();
        let mut gone = Vec::new();
        let (stored, closed) = loop {
            let mut book = Book::default();
            self.sift_window(&window).await?;
            for entry in &window {
                match entry {
                    Entry::Result(processed) => self.enter(processed, &mut book).await?,
                    Entry::Seeds(found) => {
                        self.offer(found, &Source::default(), &mut book).await?;
                    }
                    Entry::Record(encoded) => drop(self.append(encoded).await?),
                }
            }
            fault::reach(Step::AfterAppend);
            while let Err(error) = self.writer.sync() {
                self.wait_out(error.into()).await?;
            }
            fault::reach(Step::AfterSync);
            let keys: Vec<u64> = book.offered_keys().map(RequestKey::short).collect();
            let traps = std::mem::take(&mut book.traps);
            let (mut commit, mut stored) = book.close();
            commit.templates = self.traps.close(&traps);
            commit.warcs = self.writer.progress();
            commit.links = self.new_links();
            let servers: Vec<ServerId> = stored.settled.keys().copied().collect();
            match self.store(&commit, &servers).await? {
                Kept::Whole(settled) => {
                    self.extent.note(&commit.warcs);
                    let quarantined = self.traps.keep(traps, &commit.templates);
                    quarantined.iter().for_each(|change| self.tell_of_trap(change));
                    stored.quarantined = quarantined.len();
                    self.follow(&settled, &commit, &mut stored);
                    stored.lost.append(&mut gone);
                    break (stored, commit.warcs);
                }
                Kept::Nothing { lost } => {
                    self.take_back(&mark, &commit, keys, &lost).await?;
                    gone.extend(lost);
                }
            }
        };
        fault::reach(Step::BeforeRename);
        while let Err(error) = self.writer.committed() {
            self.wait_out(error.into()).await?;
        }
        fault::reach(Step::AfterRename);
        self.deposit(&closed);
        self.note_familiar(&window);
        let found = window.iter().map(|entry| match entry {
            Entry::Result(processed) => Backlog::cost(&processed.found),
            Entry::Seeds(_) | Entry::Record(_) => 0,
        });
        self.backlog.remove(found.sum());
        Ok(stored)
    }

    /// Enters one result and what was found in it.
    async fn enter(&mut self, processed: &Processed, book: &mut Book) -> Result<(), HarvestError> {
        let Processed { outcome, found, robots, .. } = processed;
        book.memory(processed.memory);
        book.clocks(processed.clocks.iter().filter(|clock| self.has(clock.server)));
        if !self.is_fetched_under(processed.pending.server, processed.epoch) {
            book.refuse(&processed.pending);
            if !self.has(processed.pending.server) {
                book.lost(processed.pending.server);
            }
            return Ok(());
        }
        let mut pending = Cow::Borrowed(&processed.pending);
        let mut via = None;
        if let Some(prerequisite) = &processed.prerequisite {
            let id = self.prerequisite(prerequisite, book).await?;
            pending.to_mut().id = id;
            via = Some(id);
        }
        match outcome {
            Outcome::Caught(caught) => {
                let capture = CaptureId(self.number(Numbers::Captures).await?);
                let storage = self.put(&pending, capture, caught, book).await?;
                book.capture(capture, self.run, &pending, caught, storage);
            }
            Outcome::Lost(change) => book.change(&pending, change.clone()),
        }
        if let Some(robots) = robots {
            book.robots(robots);
        }
        let counted = counted(processed);
        let kin = counted.as_ref().and_then(Counted::kin);
        let source = Source { from: Some(pending.server), via, kin };
        let news = self.offer(found, &source, book).await?;
        if let (Some(counted), Outcome::Caught(caught)) = (&counted, outcome) {
            let answer = shows(&pending, counted, caught, news);
            self.traps.answer(&answer, &mut book.traps);
        }
        Ok(())
    }

    /// The number of a request that is fetched without having been in the queue.
    async fn prerequisite(
        &mut self,
        found: &Found,
        book: &mut Book,
    ) -> Result<RequestId, HarvestError> {
        if !self.is_new(found.key) {
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
        let server = self.server(found, book).await?;
        let id = RequestId(self.number(Numbers::Requests).await?);
        book.offer_quietly(found.clone().into_offer(id, server));
        Ok(id)
    }

    /// Gives numbers to those requests that are new, and tells what is new about them. The window was
    /// sifted before.
    pub(crate) async fn offer(
        &mut self,
        found: &[Found],
        source: &Source<'_>,
        book: &mut Book,
    ) -> Result<Offered, HarvestError> {
        let mut news = Offered::default();
        for found in found {
            if !self.traps.holds_nothing()
                && let Some(server) = self.servers.get(&found.request.origin())
                && let Some(holder) = self.traps.holder(server, found)
            {
                self.traps.withhold(server, &holder, &mut book.traps);
                continue;
            }
            if !self.is_new(found.key) {
                self.note_link(found, source.from);
                continue;
            }
            let server = self.server(found, book).await?;
            let id = RequestId(self.number(Numbers::Requests).await?);
            let mut offer = found.clone().into_offer(id, server);
            offer.via = source.via.or(offer.via);
            let offered = self.traps.offer(server, found, source, &mut book.traps);
            news.file |= offered.file;
            news.elsewhere |= offered.elsewhere;
            news.here |= offered.here;
            book.offer(offer, found.via_url.clone());
        }
        Ok(news)
    }

    async fn server(&mut self, found: &Found, book: &mut Book) -> Result<ServerId, HarvestError> {
        let origin = found.request.origin();
        if let Some(id) = self.servers.get(&origin) {
            return Ok(id);
        }
        let id = ServerId(self.number(Numbers::Servers).await?);
        book.server(self.servers.register(origin, id, found.label.clone()));
        self.traps.meet(id);
        Ok(id)
    }

    /// Closes the WARC file: its end is committed before it gets its final name.
    async fn close(&mut self) -> Result<(), HarvestError> {
        while let Err(error) = self.writer.finish() {
            self.wait_out(error.into()).await?;
        }
        let commit = Commit { warcs: self.writer.progress(), ..Commit::default() };
        if !commit.is_empty() {
            self.store(&commit, &[]).await?;
        }
        fault::reach(Step::BeforeRename);
        while let Err(error) = self.writer.committed() {
            self.wait_out(error.into()).await?;
        }
        fault::reach(Step::AfterRename);
        self.deposit(&commit.warcs);
        Ok(())
    }

    /// Hands files that grow no more to whoever stores them elsewhere.
    fn deposit(&self, files: &[WarcProgress]) {
        let Some(deposits) = &self.deposits else { return };
        for file in files.iter().filter(|file| file.closed) {
            // Whoever is gone stores it at the next start.
            let _ = deposits.send(file.clone());
        }
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
        let pause = self.patience;
        self.patience = (pause * 2).min(LONGEST_PATIENCE);
        tokio::select! {
            () = sleep(pause) => {}
            () = self.stop.wanted() => {}
        }
        self.look_for_stop().await;
        Ok(())
    }

    /// Notes are read between windows; while none can be committed, only this one matters.
    async fn look_for_stop(&self) {
        // If the catalog itself is what is waited for, there is nothing to be read.
        let notes = tokio::time::timeout(LOOK_PATIENCE, self.catalog.read_control()).await;
        let Ok(Ok(notes)) = notes else { return };
        if notes.iter().any(|note| asks_to_stop(note, self.run)) {
            self.stop.want();
        }
    }

    /// What was waited for has come.
    fn go_on(&mut self) {
        self.patience = PATIENCE;
        if self.paused.send_if_modified(|reason| reason.take().is_some()) {
            tracing::warn!("going on");
        }
    }
}
