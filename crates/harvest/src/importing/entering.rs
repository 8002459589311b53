//! Enters what was read in the catalog, window by window.

use super::placing::Placed;
use super::reading::{Item, Refers};
use super::{ImportJob, ImportedFile, begin};
use crate::HarvestError;
use crate::directory::HarvestDir;
use crate::fault::{self, Step};
use crate::found::Servers;
use auslese_archive::Holdings;
use auslese_catalog::{Catalog, KnownRequest, Numbers, StoredCapture, Window};
use auslese_model::{
    Capture, CaptureId, CauseKind, Change, Commit, Digest, HopPath, Offer, Place, RequestId,
    RequestKey, RunId, ServerId, ServerSigns, State, StateChange, Storage, Timestamp, WarcProgress,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::time::Duration;

/// How a request was found that others made.
const IMPORTED: &str = "I";
/// How robots.txt of theirs was found, which is no document.
const IMPORTED_ROBOTS: &str = "IP";
/// Requests whose referrers are noted together.
const REFERRERS_AT_ONCE: usize = 1_000;
/// Versions of an address whose digests are compared to find the original of a revisit.
const VERSIONS_COMPARED: usize = 50;

/// Everything that is known while files are entered.
#[derive(Debug)]
pub(super) struct Entering<'a> {
    catalog: &'a Catalog,
    job: &'a ImportJob,
    archive: Holdings,
    /// Begun with the first thing to enter, so that a file without news leaves no trace.
    run: Option<RunId>,
    servers: Servers,
    window: i64,
    used: FxHashSet<String>,
    /// Requests, and those on whose pages they were found.
    via: FxHashMap<RequestKey, RequestKey>,
}

/// Numbers for the rows of a window.
#[derive(Debug)]
struct WindowNumbers {
    request: Range<i64>,
    capture: Range<i64>,
}

/// The numbers of one capture.
#[derive(Debug, Clone, Copy)]
struct Row {
    id: CaptureId,
    request: RequestId,
    server: ServerId,
    run: RunId,
}

/// What the catalog and this window know of one request.
#[derive(Debug)]
struct Subject {
    id: RequestId,
    server: ServerId,
    state: State,
    removed: bool,
    captures: Vec<Seen>,
}

/// A capture as far as it is compared with others.
#[derive(Debug)]
struct Seen {
    at: Timestamp,
    record_id: Option<String>,
    head: Vec<u8>,
}

impl Seen {
    /// Records have an identity; a row without a record is compared by what it says.
    fn is(&self, item: &Item) -> bool {
        match &self.record_id {
            Some(id) if !id.is_empty() => *id == item.place.record_id,
            _ => self.at == item.at && self.head == item.head,
        }
    }
}

impl<'a> Entering<'a> {
    pub(super) async fn new(
        catalog: &'a Catalog,
        job: &'a ImportJob,
        dir: &HarvestDir,
    ) -> Result<Entering<'a>, HarvestError> {
        let mut servers = Servers::default();
        for server in catalog.servers().await? {
            servers.insert(server.origin, server.id);
        }
        let (archive, used) = (dir.holdings(), FxHashSet::default());
        let via = FxHashMap::default();
        Ok(Entering { catalog, job, archive, run: None, servers, window: 0, used, via })
    }

    /// The run, if anything was entered.
    pub(super) fn run(&self) -> Option<RunId> {
        self.run
    }

    async fn begun(&mut self) -> Result<RunId, HarvestError> {
        if let Some(run) = self.run {
            return Ok(run);
        }
        let run = begin(self.catalog, self.job).await?;
        self.run = Some(run);
        Ok(run)
    }

    /// Whether anything in this file was entered.
    pub(super) fn uses(&self, file: &str) -> bool {
        self.used.contains(file)
    }

    /// Commits a window of answers; what is known already is counted and passed over.
    pub(super) async fn enter(
        &mut self,
        items: Vec<Item>,
        placed: &Placed,
        file: &mut ImportedFile,
    ) -> Result<(), HarvestError> {
        if items.is_empty() {
            return Ok(());
        }
        let mut subjects = self.subjects(&items).await?;
        let mut numbers = self.numbers(items.len()).await?;
        let mut commit = Commit::default();
        let mut changes: FxHashMap<RequestId, Change> = FxHashMap::default();
        for item in items {
            if let Some(via) = item.via.filter(|via| *via != item.key) {
                self.via.entry(item.key).or_insert(via);
            }
            let subject = match subjects.entry(item.key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    new.insert(self.offer(&item, &mut numbers, &mut commit).await?)
                }
            };
            if subject.removed {
                continue;
            }
            if subject.captures.iter().any(|seen| seen.is(&item)) {
                file.known += 1;
                continue;
            }
            let id = CaptureId(numbers.capture.next().expect("one for each item"));
            let is_newest = subject.captures.iter().all(|seen| seen.at <= item.at);
            let is_queued = matches!(subject.state, State::Queued | State::Parked);
            if is_newest && !is_queued {
                changes.insert(subject.id, Change::Done { capture: id });
            }
            subject.captures.push(Seen {
                at: item.at,
                record_id: Some(item.place.record_id.clone()),
                head: item.head.clone(),
            });
            let (request, server) = (subject.id, subject.server);
            note_signs(&mut commit, server, &item);
            let run = self.begun().await?;
            let capture = self.capture(Row { id, request, server, run }, item, file).await?;
            commit.captures.push(capture);
        }
        commit.changes =
            changes.into_iter().map(|(request, change)| StateChange { request, change }).collect();
        self.commit(commit, placed).await
    }

    /// Notes on which pages the imported requests were found. This comes last, because a page may
    /// lie in a later file than what was found on it.
    pub(super) async fn note_referrers(&mut self) -> Result<(), HarvestError> {
        let via: Vec<(RequestKey, RequestKey)> =
            std::mem::take(&mut self.via).into_iter().collect();
        for some in via.chunks(REFERRERS_AT_ONCE) {
            let keys: Vec<RequestKey> = some.iter().flat_map(|(key, via)| [*key, *via]).collect();
            let known = self.catalog.find_keys(&keys).await?;
            let ids = some.iter().filter_map(|(key, via)| {
                let (found, page) = (known.get(key)?, known.get(via)?);
                let is_new = found.via.is_none() && found.hops.0.starts_with(IMPORTED);
                is_new.then_some((found.id, page.id))
            });
            self.catalog.set_via(&ids.collect::<Vec<_>>()).await?;
        }
        Ok(())
    }

    /// Numbers for as many rows as a window can have.
    async fn numbers(&self, items: usize) -> Result<WindowNumbers, HarvestError> {
        let size = u32::try_from(items).unwrap_or(u32::MAX);
        let requests = self.catalog.reserve(Numbers::Requests, size).await?;
        let captures = self.catalog.reserve(Numbers::Captures, size).await?;
        Ok(WindowNumbers {
            request: requests..requests + i64::from(size),
            capture: captures..captures + i64::from(size),
        })
    }

    async fn commit(&mut self, mut commit: Commit, placed: &Placed) -> Result<(), HarvestError> {
        if commit.captures.is_empty() {
            return Ok(());
        }
        let length = std::fs::metadata(&placed.path)
            .map_err(|cause| HarvestError::Io { path: placed.path.clone(), cause })?
            .len();
        commit.warcs = vec![WarcProgress {
            file: placed.name.clone(),
            length,
            records: placed.survey.records,
            closed: true,
        }];
        self.window += 1;
        let run = self.begun().await?;
        let window = Window { run, number: self.window, at: Timestamp::now() };
        fault::reach(Step::BeforeCommit);
        self.catalog.commit(&commit, window).await?;
        fault::reach(Step::AfterCommit);
        self.used.insert(placed.name.clone());
        Ok(())
    }

    /// What the catalog knows of the requests of a window.
    async fn subjects(
        &self,
        items: &[Item],
    ) -> Result<FxHashMap<RequestKey, Subject>, HarvestError> {
        let keys: FxHashSet<RequestKey> = items.iter().map(|item| item.key).collect();
        let keys: Vec<RequestKey> = keys.into_iter().collect();
        let mut subjects = FxHashMap::default();
        for (key, known) in self.catalog.find_keys(&keys).await? {
            let captures = self.catalog.captures_of_request(known.id).await?;
            subjects.insert(key, subject(known, captures));
        }
        Ok(subjects)
    }

    /// Enters a request that was never met.
    async fn offer(
        &mut self,
        item: &Item,
        numbers: &mut WindowNumbers,
        commit: &mut Commit,
    ) -> Result<Subject, HarvestError> {
        let origin = item.request.origin();
        let server = match self.servers.get(&origin) {
            Some(server) => server,
            None => {
                let id = ServerId(self.catalog.reserve(Numbers::Servers, 1).await?);
                let label = self.job.institutions.label(&origin).map(str::to_owned);
                commit.servers.push(self.servers.register(origin, id, label));
                id
            }
        };
        let id = RequestId(numbers.request.next().expect("one for each item"));
        let is_robots = item.request.target() == "/robots.txt";
        commit.offers.push(Offer {
            id,
            key: item.key,
            server,
            request: item.request.clone(),
            state: State::Done,
            priority: 0,
            hops: HopPath(if is_robots { IMPORTED_ROBOTS } else { IMPORTED }.to_owned()),
            via: None,
            cause: None,
        });
        Ok(Subject { id, server, state: State::Done, removed: false, captures: Vec::new() })
    }

    async fn capture(
        &self,
        Row { id, request, server, run }: Row,
        item: Item,
        file: &mut ImportedFile,
    ) -> Result<Capture, HarvestError> {
        file.captures += 1;
        let (mut payload_length, mut payload_digest) = (item.payload_length, item.payload_digest);
        let storage = match &item.refers {
            None => Storage::Stored(item.place),
            Some(refers) => {
                file.revisits += 1;
                match self.original(refers).await? {
                    Some(original) => {
                        payload_digest.clone_from(&original.payload_digest);
                        if !refers.not_modified {
                            payload_length = original.payload_length;
                        }
                        Storage::Revisit { place: item.place, original: original.id }
                    }
                    None => {
                        file.orphans += 1;
                        payload_digest.clone_from(&refers.digest);
                        Storage::HeaderOnly { reason: refers.orphan_reason() }
                    }
                }
            }
        };
        Ok(Capture {
            id,
            request,
            run,
            server,
            target: item.request.target().to_owned(),
            at: item.at,
            duration: Duration::ZERO,
            address: item.address,
            status: item.status,
            http_version: item.http_version,
            head: item.head,
            fields: item.fields,
            payload_length,
            payload_digest,
            truncated: item.truncated,
            tls_problem: None,
            charset: None,
            storage,
            oddities: item.oddities,
        })
    }

    /// The capture that stores the body of a revisit: the record it names, or the version of the
    /// same address with that time, or with that digest, or any capture with that digest.
    async fn original(&self, refers: &Refers) -> Result<Option<Capture>, HarvestError> {
        let known = self.catalog.find_keys(&[refers.key]).await?;
        let mut versions: Vec<(Place, Capture)> = Vec::new();
        for request in known.values() {
            let captures = self.catalog.captures_of_request(request.id).await?;
            versions.extend(captures.into_iter().filter_map(
                |stored| match &stored.capture.storage {
                    Storage::Stored(place) => Some((place.clone(), stored.capture)),
                    Storage::Revisit { .. } | Storage::HeaderOnly { .. } => None,
                },
            ));
        }
        let by_record = versions
            .iter()
            .position(|(place, _)| Some(&place.record_id) == refers.record_id.as_ref());
        let same_second = |at: Timestamp| refers.at.is_some_and(|it| it.seconds() == at.seconds());
        let by_time = || versions.iter().position(|(_, capture)| same_second(capture.at));
        let by_digest = || {
            let newest = versions.iter().enumerate().rev().take(VERSIONS_COMPARED);
            let mut newest = newest.filter(|(_, (place, _))| {
                refers.digest.is_some() && self.declared(place) == refers.digest
            });
            newest.next().map(|(index, _)| index)
        };
        if let Some(index) = by_record.or_else(by_time).or_else(by_digest) {
            return Ok(Some(versions.swap_remove(index).1));
        }
        let Some(digest) = &refers.digest else { return Ok(None) };
        let originals = self.catalog.originals(std::slice::from_ref(digest)).await?;
        let Some(original) = originals.into_iter().flatten().next() else { return Ok(None) };
        Ok(self.catalog.capture(original.capture).await?.map(|stored| stored.capture))
    }

    /// The payload digest that a record states, which may be by another algorithm than ours.
    fn declared(&self, place: &Place) -> Option<Digest> {
        let mut reader = self.archive.reader_at(&place.file, place.offset).ok()?;
        let record = reader.next_record().ok()??;
        Digest::parse(record.fields.get("WARC-Payload-Digest")?)
    }
}

impl Refers {
    fn orphan_reason(&self) -> String {
        let date = self.at.map(|at| format!(" of {}", at.to_second_text())).unwrap_or_default();
        format!("a revisit of {}{date}, which is not in this archive", self.uri)
    }
}

fn subject(known: KnownRequest, captures: Vec<StoredCapture>) -> Subject {
    let is_removal = |kind| kind == CauseKind::Removed;
    Subject {
        id: known.id,
        server: known.server,
        state: known.state,
        removed: known.cause.is_some_and(|cause| is_removal(cause.kind)),
        captures: captures
            .into_iter()
            .map(|StoredCapture { capture, .. }| Seen {
                at: capture.at,
                record_id: capture.storage.place().map(|place| place.record_id.clone()),
                head: capture.head,
            })
            .collect(),
    }
}

/// Notes what a server says of itself; of one window the last answer counts.
fn note_signs(commit: &mut Commit, server: ServerId, item: &Item) {
    if item.http_version.is_empty() {
        return;
    }
    let earlier = commit.signs.iter().position(|signs| signs.server == server);
    let earlier = earlier.map(|index| commit.signs.swap_remove(index));
    commit.signs.push(ServerSigns {
        server,
        software: item.fields.server.clone().or(earlier.and_then(|signs| signs.software)),
        http_version: item.http_version.clone(),
    });
}
