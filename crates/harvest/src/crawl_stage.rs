//! The crawl as a stage: opens everything in the right order, runs, and leaves it in order.

use crate::backlog::Backlog;
use crate::belonging::judged_since;
use crate::cases::assign_cases;
use crate::committing::{Committer, PATIENCE};
use crate::conductor::{Conductor, Outside, Progressing};
use crate::crew::Crew;
use crate::crew_task::CrewTask;
use crate::deciding::accepted_hosts;
use crate::depositing::{DepositReport, Depositing};
use crate::describing::key_of;
use crate::directory::HarvestDir;
use crate::exclusion::Exclusions;
use crate::extent::Extent;
use crate::facts::Facts;
use crate::familiar::Familiar;
use crate::fencing::Fencing;
use crate::hidden::Conversations;
use crate::job::{CrawlJob, Seed, SeedRecord, Sharing};
use crate::link_notes::LinkNotes;
use crate::numbers::{Numbers, Pace};
use crate::patience::patiently;
use crate::processing::Workshop;
use crate::recalled::Recalled;
use crate::removing::settle;
use crate::runs_log::RunsLog;
use crate::sharing::Among;
use crate::stopping::Stopping;
use crate::trapping::{HeldBack, TrapWatch};
use crate::workers::Workers;
use crate::{Doing, HarvestError};
use auslese_archive::Writer;
use auslese_catalog::{
    Catalog, CatalogError, CatalogSettings, Company, Exclusive, Institution, Joining, Leases,
    Location, NewRun, OutsideRecord, RoundId, RoundKind, Status,
};
use auslese_crawl::{BudgetReached, CanonicalRules, GroupBy, Scheduler, Used};
use auslese_model::{RunId, ServerId, State, Timestamp, WarcProgress};
use auslese_net::{DecodeLimits, Net, NetSettings};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// How long a crawl that was stopped in trouble tries to say so in the catalog.
const LAST_WORD: Duration = Duration::from_secs(3);

/// How a crawl ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrawlEnd {
    /// Nothing is left to be fetched now.
    Done,
    Budget(BudgetReached),
    /// A person wanted to stop; the same command goes on.
    Stopped,
}

impl CrawlEnd {
    fn word(&self) -> &'static str {
        match self {
            CrawlEnd::Done => "done",
            CrawlEnd::Budget(_) => "budget",
            CrawlEnd::Stopped => "stopped",
        }
    }
}

/// What a crawl has brought, and how it ended.
#[derive(Debug, Clone)]
pub struct CrawlReport {
    pub end: CrawlEnd,
    pub run: RunId,
    /// The last numbers of this run.
    pub numbers: Numbers,
    /// Where the whole harvest stands now.
    pub status: Status,
    /// What became of the files that belong into the store, if there is one and the crawl ended in order.
    pub deposited: Option<DepositReport>,
}

/// What whoever starts a crawl can watch and say.
#[derive(Debug)]
pub struct Watching {
    pub numbers: watch::Sender<Numbers>,
    /// True asks the crawl to finish what is under way and end.
    pub stop: watch::Receiver<bool>,
}

/// Crawls, or goes on with a crawl; returns when nothing is left, a budget is used up, or a person
/// wanted to stop.
pub fn crawl(dir: &HarvestDir, job: CrawlJob, watching: Watching) -> Doing<'_, CrawlReport> {
    Box::pin(crawl_with(dir, job, watching, Conversations::default()))
}

/// The same, with talks with databases; if these are alone, nothing else is fetched.
pub(crate) async fn crawl_with(
    dir: &HarvestDir,
    job: CrawlJob,
    watching: Watching,
    conversations: Conversations,
) -> Result<CrawlReport, HarvestError> {
    let mut lock = dir.lock()?;
    dir.prepare()?;
    let sharing = job.sharing.clone().filter(|_| !conversations.is_alone());
    let opened = match &sharing {
        // A database may go away in any moment, and others must not wait for whoever starts.
        Some(_) => patiently(async || Opened::new(dir, &job, sharing.as_ref()).await).await?,
        None => Opened::new(dir, &job, None).await?,
    };
    lock.note_run(opened.run);
    opened.crawl(dir, job, watching, conversations).await
}

/// The catalog of a harvest, made if there is none yet.
pub async fn open_or_create(
    location: &Location,
    settings: &CatalogSettings,
) -> Result<Catalog, CatalogError> {
    match Catalog::open(location, settings).await {
        Err(CatalogError::Missing { .. }) => Catalog::create(location, settings).await,
        // A database on a server exists before its tables do, and so does a file whose maker was killed;
        // making the catalog fails if there is anything else in it.
        Err(CatalogError::NotACatalog { .. }) => {
            match Catalog::create(location, settings).await {
                // Another worker has made it in this moment.
                Err(CatalogError::Exists { .. }) => Catalog::open(location, settings).await,
                result => result,
            }
        }
        result => result,
    }
}

/// A harvest that this process alone works on, brought into order after whatever happened before.
pub(crate) struct Opened {
    pub(crate) catalog: Catalog,
    writer: Writer,
    /// Files on their way into the store, if there is one.
    depositing: Option<Depositing>,
    extent: Extent,
    quiet_until: Timestamp,
    run: RunId,
    part: Part,
    /// Held until the crawl is over: the right to the catalog, alone or with others.
    exclusive: Exclusive,
    /// The place among others, and whether nobody else was there.
    crew: Option<(Arc<Crew>, bool)>,
}

impl Opened {
    pub(crate) async fn new(
        dir: &HarvestDir,
        job: &CrawlJob,
        sharing: Option<&Sharing>,
    ) -> Result<Opened, HarvestError> {
        let catalog = open_or_create(&job.catalog, &job.catalog_settings).await?;
        let exclusive = match sharing.is_some() {
            true => catalog.shared(Company::Crawl).await?,
            false => catalog.exclusive().await?,
        };
        // One worker at a time begins, so that each finds what the others have made.
        let turn = match sharing.is_some() {
            true => Some(patiently(async || catalog.turn().await).await?),
            false => None,
        };
        let crew = match sharing {
            Some(sharing) => Some(join(&catalog, job, sharing).await?),
            None => None,
        };
        if catalog.runs().await?.is_empty() && dir.has_archive_files() {
            return Err(HarvestError::CatalogLost { path: dir.root().to_owned() });
        }
        settle(dir, &catalog).await?;
        let now = Timestamp::now();
        let delay = job.crawl.politeness.delay;
        let whose = crew.as_ref().map_or(Leases::All, |_| Leases::Of(&job.worker));
        let recovered = catalog.recover(whose, now, delay).await?;
        let mut quiet_until = now;
        if recovered.unclean() {
            tracing::info!("the last crawl did not end by itself; going on from its last commit");
            // Its last requests were perhaps sent just now, and are in no clock.
            quiet_until = now.plus(delay);
        }
        // The files of other workers lie elsewhere.
        let warcs = match &job.catalog {
            Location::Server(_) => catalog.warcs_of(&job.worker).await?,
            Location::File(_) => recovered.warcs,
        };
        let here = without_stored(dir, &catalog, warcs.clone()).await?;
        let mut writer = Writer::open(&dir.archive(), job.archive.clone(), &here)?;
        // Those that lie in the store only keep their names, too.
        writer.reserve_names(warcs.iter().map(|progress| progress.file.clone()));
        let depositing = Depositing::begin(dir, &catalog, &job.worker).await?;
        let extent = Extent::new(job.archive_limit, &warcs);
        catalog.set_institutions(&institutions(&job.seeds)).await?;
        let records: Vec<OutsideRecord> =
            job.records.iter().map(|record| outside_record(record, &job.crawl.canonical)).collect();
        catalog.store_outside_records(&records, now).await?;
        let config = &job.config_text;
        let run = NewRun { stage: "crawl", worker: &job.worker, config, at: now };
        let run = catalog.begin_run(run).await?;
        let part = Part::of(&catalog, job.recrawl, now).await?;
        catalog.add_to_round(part.round, run).await?;
        if let Some(discovery) = &job.discovery {
            // Verdicts from before this moment are made again; it is the same for all workers.
            judged_since(&catalog, discovery).await?;
        }
        if let Some(turn) = turn {
            turn.release().await?;
        }
        Ok(Opened { catalog, writer, depositing, extent, quiet_until, run, part, exclusive, crew })
    }

    async fn crawl(
        mut self,
        dir: &HarvestDir,
        job: CrawlJob,
        watching: Watching,
        conversations: Conversations,
    ) -> Result<CrawlReport, HarvestError> {
        let alone = conversations.is_alone();
        let (catalog, quiet_until) = (self.catalog.clone(), self.quiet_until);
        let (run, round) = (self.run, self.part.round);
        let (worker, mut seeds) = (job.worker.clone(), job.seeds.clone());
        let net = Net::new(net_settings(&job))?;
        let (tasks, task_queue) = mpsc::unbounded_channel();
        let (report_sender, reports) = mpsc::unbounded_channel();
        let (paused_sender, paused) = watch::channel(None);
        let known = Known::default();
        let profiles = job.discovery.as_ref().map(|it| it.profiles.clone()).unwrap_or_default();
        let recall =
            async || Recalled::from(&catalog, &job, &net, &known.facts, &dir.spill()).await;
        let mut recalled = match self.crew.is_some() {
            true => patiently(recall).await?,
            false => recall().await?,
        };
        let mut judges = recalled.judges.take();
        if let Some(judges) = &mut judges {
            judges.others_since = self.crew.is_some().then(Timestamp::now);
        }
        let status = std::mem::take(&mut recalled.status);
        let outdated = std::mem::take(&mut recalled.outdated);
        let decisions = std::mem::take(&mut recalled.decisions);
        if alone {
            seeds.clear();
        } else {
            seeds.append(&mut recalled.found_seeds);
            seeds.extend(accepted_hosts(&decisions));
        }
        let (stop, following) = Stopping::following(watching.stop);
        let crew = self.crew.clone();
        let mut depositing = self.depositing.take();
        let deposits = depositing.as_ref().map(Depositing::queue);
        let (committer, exclusive) =
            self.committer(&job, &known, recalled, deposits, paused_sender, &stop);
        let committing = tokio::spawn(committer.run(task_queue, report_sender));

        let used = Used { pages: status.captures, bytes: status.bytes, since: None };
        let scheduler = Scheduler::new(&job.crawl, used, Timestamp::now());
        let workshop = Arc::new(workshop(job, known));
        let workers = Workers::start(&workshop, &tasks, &stop.watch())
            .map_err(|cause| HarvestError::Io { path: dir.root().to_owned(), cause })?;
        let (sender, events) = mpsc::unbounded_channel();
        let log = RunsLog::start(&dir.runs(), run, watching.numbers.subscribe());
        let mut held = Some(exclusive);
        let keeping_alive =
            crew.as_ref().zip(held.take_if(|_| crew.is_some())).map(|((crew, _), shared)| {
                let permission = crew.clone();
                net.send_only_if(Arc::new(move |request| permission.may_send_to(request)));
                let task = CrewTask {
                    catalog: catalog.clone(),
                    crew: crew.clone(),
                    run,
                    numbers: watching.numbers.subscribe(),
                    shared,
                    events: sender.clone(),
                };
                task.start()
            });
        let mut conductor = Conductor {
            scheduler,
            net,
            judges,
            workshop,
            workers,
            tasks,
            reports,
            events,
            sender,
            outside: Outside { numbers: watching.numbers, stop, paused },
            numbers: starting_numbers(&status),
            pace: Pace::new(Instant::now()),
            labels: FxHashMap::default(),
            quiet_until,
            run,
            conversations,
            archive: dir.holdings(),
            state: Progressing {
                lease_again: true,
                decisions,
                foreign_before: outdated.foreign,
                ..Progressing::default()
            },
            among: crew.clone().map(|(crew, is_first)| Among::new(crew, is_first)),
            dismissed: None,
        };
        // A task of its own among those it talks to: waking the thread that waits here would cost more.
        let overruled = outdated.overruled;
        let conducting = tokio::spawn(async move {
            let result = match conductor.sow(&seeds, overruled) {
                Ok(()) => conductor.conduct().await,
                Err(error) => Err(error),
            };
            (conductor, result)
        });
        let (conductor, result) = match conducting.await {
            Ok(conducted) => conducted,
            // Nobody but the end of the runtime cancels it, and that ends this task, too.
            Err(died) => std::panic::resume_unwind(died.into_panic()),
        };
        let leased: Vec<ServerId> = conductor.labels.keys().copied().collect();
        let abandoned = conductor.state.in_flight > 0;
        let (numbers, result) = conductor.finish(committing, result).await;
        log.end();
        following.abort();
        if let Some(task) = keeping_alive {
            task.abort();
        }
        let end = match result {
            // The catalog may be out of reach just now; the next run finds its way without us.
            Err(HarvestError::StoppedInPause { reason }) => {
                tracing::warn!("stopped while waiting: {reason}");
                if let Some(depositing) = depositing.take() {
                    depositing.finish(true).await;
                }
                let end = catalog.end_run(run, CrawlEnd::Stopped.word(), Timestamp::now());
                let _ = tokio::time::timeout(LAST_WORD, end).await;
                if let Some((crew, _)) = &crew {
                    let leave = catalog.leave(&crew.name, crew.incarnation, crew.now());
                    let _ = tokio::time::timeout(LAST_WORD, leave).await;
                }
                let end = CrawlEnd::Stopped;
                return Ok(CrawlReport { end, run, numbers, status, deposited: None });
            }
            result => result?,
        };
        // Requests that were not waited for are in no clock: their servers stay leased, so that the
        // next run begins with a full delay.
        if !abandoned {
            patiently(async || catalog.release(&worker, &leased).await).await?;
        }
        // Of several workers the last one puts the harvest in order.
        let (is_last, turn) = match &crew {
            None => (true, None),
            Some((crew, _)) => {
                let turn = patiently(async || catalog.turn().await).await?;
                let leave = async || catalog.leave(&crew.name, crew.incarnation, crew.now()).await;
                (patiently(leave).await?, Some(turn))
            }
        };
        if !alone && is_last {
            patiently(async || assign_cases(&catalog, &profiles).await).await?;
        }
        let ended = async || catalog.end_run(run, end.word(), Timestamp::now()).await;
        patiently(ended).await?;
        // Talks add to a round; whether it is over is for the crawl to say.
        if end == CrawlEnd::Done && !alone && is_last {
            patiently(async || catalog.end_round(round, Timestamp::now()).await).await?;
        }
        // With its connection the turn is over, whether the server hears of it or not.
        drop(turn);
        // Others may go on by now; only this process waits for the store.
        let deposited = match depositing.take() {
            Some(depositing) => Some(depositing.finish(end == CrawlEnd::Stopped).await),
            None => None,
        };
        let status = patiently(async || catalog.status().await).await?;
        let mut numbers = numbers;
        if crew.is_some() {
            // What others have fetched and found is in no number of ours.
            numbers.queued = status.requests.get(&State::Queued).copied().unwrap_or(0);
        }
        catalog.close().await;
        Ok(CrawlReport { end, run, numbers, status, deposited })
    }

    /// The committer, with everything it has to know from earlier runs.
    pub(crate) fn committer(
        self,
        job: &CrawlJob,
        known: &Known,
        recalled: Recalled,
        deposits: Option<mpsc::UnboundedSender<WarcProgress>>,
        paused: watch::Sender<Option<String>>,
        stop: &Stopping,
    ) -> (Committer, Exclusive) {
        let committer = Committer {
            catalog: self.catalog,
            writer: self.writer,
            deposits,
            archive: job.archive.clone(),
            extent: self.extent,
            revisits: job.revisits,
            recrawls: self.part.recrawls,
            servers: recalled.servers,
            exclusions: known.exclusions.clone(),
            facts: known.facts.clone(),
            backlog: known.backlog.clone(),
            seen: recalled.seen,
            fresh: Default::default(),
            traps: TrapWatch::new(job.crawl.traps.clone(), known.held.clone()),
            familiar: known.familiar.clone(),
            links: job.discovery.is_some().then(LinkNotes::default),
            digests: recalled.digests,
            run: self.run,
            worker: job.worker.clone(),
            delay: job.crawl.politeness.delay,
            paused,
            stop: stop.clone(),
            numbers: Default::default(),
            window: 0,
            patience: PATIENCE,
            fencing: self.crew.map(|(crew, is_first)| Fencing::new(crew, is_first)),
        };
        (committer, self.exclusive)
    }
}

/// The files that have to be in the folder: not those that lie in the store and no longer here.
async fn without_stored(
    dir: &HarvestDir,
    catalog: &Catalog,
    mut warcs: Vec<WarcProgress>,
) -> Result<Vec<WarcProgress>, HarvestError> {
    let files = catalog.warc_files().await?.into_iter();
    let stored: FxHashSet<String> = files
        .filter(|file| file.stored_at.is_some())
        .map(|file| file.progress.file)
        .filter(|file| !dir.archive().join(file).exists())
        .collect();
    warcs.retain(|warc| !stored.contains(&warc.file));
    Ok(warcs)
}

/// Takes a place among the workers.
async fn join(
    catalog: &Catalog,
    job: &CrawlJob,
    sharing: &Sharing,
) -> Result<(Arc<Crew>, bool), HarvestError> {
    let began = (Instant::now(), Timestamp::now());
    let now = patiently(async || catalog.time().await).await?;
    let joining = Joining {
        name: &job.worker,
        stage: Company::Crawl.as_str(),
        identity: &sharing.identity,
        machine: &sharing.machine,
        process: std::process::id(),
        now,
        alive_until: now.plus(sharing.lease),
    };
    let joined = catalog.join(joining).await?;
    let politeness = &job.crawl.politeness;
    let mut delays = job.crawl.hosts.values().filter_map(|host| host.delay);
    let has_delay = !politeness.delay.is_zero() || delays.any(|delay| !delay.is_zero());
    let by_address = has_delay && politeness.group_by == GroupBy::Address;
    let (name, lease) = (job.worker.clone(), sharing.lease);
    let crew = Crew::new(name, joined.incarnation, lease, by_address, began);
    crew.set_clock(catalog).await?;
    Ok((Arc::new(crew), joined.is_first))
}

/// The round a crawl belongs to.
#[derive(Debug, Clone, Copy)]
struct Part {
    round: RoundId,
    /// What was answered before is asked for again.
    recrawls: bool,
}

impl Part {
    /// A recrawl that was interrupted goes on; a crawl adds to the newest round, because it asks
    /// for nothing a second time.
    async fn of(catalog: &Catalog, recrawl: bool, now: Timestamp) -> Result<Part, HarvestError> {
        let Some(newest) = catalog.rounds().await?.pop() else {
            return match recrawl {
                true => Err(HarvestError::NothingToRecrawl),
                false => {
                    let round = catalog.begin_round(RoundKind::Crawl, now).await?;
                    Ok(Part { round, recrawls: false })
                }
            };
        };
        let open = newest.ended.is_none();
        let recrawls = open && newest.kind == RoundKind::Recrawl;
        match (recrawl, open) {
            (true, false) => {
                Ok(Part { round: catalog.begin_recrawl(now).await?.round, recrawls: true })
            }
            (true, true) if !recrawls => Err(HarvestError::RoundOpen { round: newest.id.0 }),
            _ => Ok(Part { round: newest.id, recrawls }),
        }
    }
}

/// What the threads of a crawl learn while it runs.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) facts: Arc<Facts>,
    exclusions: Exclusions,
    backlog: Arc<Backlog>,
    held: HeldBack,
    familiar: Arc<Familiar>,
}

/// Seeds with a label stand for institutions.
fn outside_record(record: &SeedRecord, rules: &CanonicalRules) -> OutsideRecord {
    OutsideRecord {
        about: key_of(record.url.as_str(), rules),
        url: record.url.to_string(),
        source: record.source.clone(),
        fields: record.fields.clone(),
    }
}

fn institutions(seeds: &[Seed]) -> Vec<Institution> {
    let labelled = seeds.iter().filter_map(|seed| {
        let label = seed.label.clone()?;
        Some(Institution { label, root_url: seed.url.to_string() })
    });
    labelled.collect()
}

/// The network never holds back what politeness allows.
fn net_settings(job: &CrawlJob) -> NetSettings {
    let politeness = &job.crawl.politeness;
    let wanted = politeness.per_server.max(politeness.per_server_without_delay) as usize;
    let mut net = job.net.clone();
    net.limits.connections_per_origin = net.limits.connections_per_origin.max(wanted);
    net
}

pub(crate) fn workshop(job: CrawlJob, known: Known) -> Workshop {
    Workshop {
        scope: job.scope,
        crawl: job.crawl,
        archive: job.archive,
        storing: job.storing,
        institutions: job.institutions,
        facts: known.facts,
        exclusions: known.exclusions,
        backlog: known.backlog,
        held: known.held,
        familiar: known.familiar,
        decode: DecodeLimits::default(),
        bridge_hops: job.discovery.map_or(0, |discovery| discovery.bridge_hops),
    }
}

fn starting_numbers(status: &Status) -> Numbers {
    let count = |state| status.requests.get(&state).copied().unwrap_or(0);
    Numbers {
        discovered: State::ALL.iter().map(|state| count(*state)).sum(),
        queued: count(State::Queued),
        parked: count(State::Parked),
        downloaded: status.captures,
        failed: count(State::Failed),
        refused: count(State::Refused),
        bytes: status.bytes,
        ..Numbers::default()
    }
}
