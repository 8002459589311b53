//! Databases as a stage: found in the archive, asked by the crawl's own machinery, kept in the catalog.
//!
//! First the archive is looked through for databases ([`spotting`]). Those that may be asked are led through talks
//! ([`talk`]): each says which request it wants next, and hears the answer when it is committed. The requests go
//! through the queues of the crawl, so its politeness, its obedience to robots.txt, and its archive hold for them.
//! No form is sent unless its page carries metadata for that, or whoever runs the harvest allows it for the host.

mod conversation;
mod conversing;
mod findings;
mod form_talk;
mod spotting;
mod storing;
mod talk;

pub(crate) use conversation::{Conversation, Conversations};
pub(crate) use conversing::{Left, Opened, Opening};
pub use findings::MAX_ATTRIBUTE_NAME;
pub use form_talk::plan_value;
pub use spotting::MAX_DATABASES_PER_PAGE;

use crate::crawl_stage::{CrawlReport, Watching, crawl_with};
use crate::{CrawlJob, Doing, HarvestDir, HarvestError};
use auslese_catalog::{Catalog, HiddenDatabase, NewDatabase};
use auslese_hidden::{OaiSettings, PlanSettings, ProbingSettings};
use auslese_model::{Cooperation, DatabaseId, DatabaseKind, HostName, Timestamp};
use form_talk::{FormSettings, FormTalk};
use talk::{ContentTalk, OaiTalk, Talk};
use tokio::sync::watch;
use url::Url;

/// Databases that are read from the catalog together.
const PAGE: usize = 500;

/// How databases are asked.
#[derive(Debug, Clone, Default)]
pub struct HiddenSettings {
    pub plan: PlanSettings,
    /// Hosts whose forms may be asked although nobody described them; `.uni.example` means a host and all below it.
    pub probed_hosts: Vec<String>,
    pub probing: ProbingSettings,
    /// Repositories by their address, wherever they were met.
    pub repositories: Vec<Url>,
}

impl HiddenSettings {
    fn may_probe(&self, host: &str) -> bool {
        let Some(host) = HostName::parse(host) else { return false };
        self.probed_hosts.iter().any(|pattern| match pattern.strip_prefix('.') {
            Some(domain) => host.is_within(&domain.to_ascii_lowercase()),
            None => HostName::parse(pattern).is_some_and(|wanted| wanted == host),
        })
    }
}

/// Which databases are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhichDatabases {
    /// All that may be asked and were not yet, and those that were interrupted.
    Open,
    /// All that may be asked, again.
    All,
    /// Those at these addresses, asked before or not.
    At(Vec<Url>),
}

/// What the stage is told.
#[derive(Debug)]
pub struct HiddenJob {
    /// How requests are sent and answers kept; its seeds are not fetched.
    pub crawl: CrawlJob,
    pub settings: HiddenSettings,
    pub which: WhichDatabases,
}

/// What the stage brought.
#[derive(Debug)]
pub struct HiddenReport {
    /// Databases known, and those that were new.
    pub known: u64,
    pub new: u64,
    /// Those that were asked now, as they stand.
    pub asked: Vec<HiddenDatabase>,
    /// How the crawl of their answers ended; none if there was nothing to ask.
    pub crawl: Option<CrawlReport>,
}

/// Looks for databases in what was archived since the last look; nothing is fetched.
pub fn find_databases<'a>(
    dir: &'a HarvestDir,
    job: &'a CrawlJob,
    settings: &'a HiddenSettings,
    stop: &'a watch::Receiver<bool>,
) -> Doing<'a, (u64, u64)> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        let catalog = Catalog::open(&job.catalog, &job.catalog_settings).await?;
        let _exclusive = catalog.exclusive().await?;
        let found = find(&catalog, dir, settings, stop).await;
        catalog.close().await;
        found
    })
}

async fn find(
    catalog: &Catalog,
    dir: &HarvestDir,
    settings: &HiddenSettings,
    stop: &watch::Receiver<bool>,
) -> Result<(u64, u64), HarvestError> {
    let before = spotting::count(catalog).await?;
    let given: Vec<NewDatabase> =
        settings.repositories.iter().filter_map(given_repository).collect();
    catalog.note_databases(&given, Timestamp::now()).await?;
    spotting::spot(catalog, &dir.holdings(), settings.plan, stop).await?;
    let known = spotting::count(catalog).await?;
    Ok((known, known - before))
}

fn given_repository(base: &Url) -> Option<NewDatabase> {
    Some(NewDatabase {
        kind: DatabaseKind::OaiPmh,
        cooperation: Cooperation::Declared,
        url: base.to_string(),
        host: HostName::of(base)?.to_string(),
        capture: None,
        title: None,
        about: Vec::new(),
        plan: serde_json::Value::Null,
        planned: None,
        refusal: None,
        problems: serde_json::json!([]),
    })
}

/// Finds databases, asks those that may be asked, and keeps what they say.
pub fn ask_databases(
    dir: &HarvestDir,
    job: HiddenJob,
    watching: Watching,
) -> Doing<'_, HiddenReport> {
    Box::pin(async move {
        let (settings, which) = (job.settings, job.which);
        let (known, new) = find_databases(dir, &job.crawl, &settings, &watching.stop).await?;
        let (location, catalog_settings) =
            (job.crawl.catalog.clone(), job.crawl.catalog_settings.clone());
        let catalog = Catalog::open(&location, &catalog_settings).await?;
        let chosen = choose(&catalog, &settings, &which).await?;
        let mut talks = Vec::with_capacity(chosen.len());
        for database in &chosen {
            talks.extend(conversation(&catalog, database, &settings).await?);
        }
        catalog.close().await;
        if talks.is_empty() {
            return Ok(HiddenReport { known, new, asked: Vec::new(), crawl: None });
        }
        let ids: Vec<DatabaseId> = talks.iter().map(|talk| talk.database).collect();
        let report = crawl_with(dir, job.crawl, watching, Conversations::alone(talks)).await?;
        let catalog = Catalog::open(&location, &catalog_settings).await?;
        let mut asked = Vec::with_capacity(ids.len());
        for id in ids {
            asked.extend(catalog.hidden_database(id).await?);
        }
        catalog.close().await;
        Ok(HiddenReport { known, new, asked, crawl: Some(report) })
    })
}

/// The databases to be asked.
async fn choose(
    catalog: &Catalog,
    settings: &HiddenSettings,
    which: &WhichDatabases,
) -> Result<Vec<HiddenDatabase>, HarvestError> {
    let mut chosen = Vec::new();
    if let WhichDatabases::At(urls) = which {
        for url in urls {
            chosen.extend(catalog.hidden_databases_at(url.as_str()).await?);
        }
    } else {
        let mut after = DatabaseId(0);
        loop {
            let some = catalog.hidden_databases(after, PAGE).await?;
            let Some(last) = some.last().map(|it| it.id) else { break };
            after = last;
            chosen.extend(some);
        }
    }
    chosen.retain(|database| may_be_asked(database, settings));
    match which {
        WhichDatabases::At(_) => {}
        WhichDatabases::Open => {
            chosen.retain(|it| it.asked_at.is_none() || it.asking_since.is_some());
        }
        WhichDatabases::All => {
            // If such a run was interrupted, this one goes on with it.
            let begun = chosen.iter().filter_map(|it| it.asking_since).min();
            let is_open = |it: &HiddenDatabase| match (it.asking_since, it.asked_at, begun) {
                (None, Some(asked), Some(begun)) => asked < begun,
                _ => true,
            };
            chosen.retain(is_open);
        }
    }
    Ok(chosen)
}

/// Whether there is something to ask, and somebody said that it may be.
fn may_be_asked(database: &HiddenDatabase, settings: &HiddenSettings) -> bool {
    match (database.new.kind, database.new.cooperation) {
        (DatabaseKind::OpenSearch | DatabaseKind::Dataset, _) => false,
        (DatabaseKind::Form, Cooperation::None) => settings.may_probe(&database.new.host),
        _ => true,
    }
}

async fn conversation(
    catalog: &Catalog,
    database: &HiddenDatabase,
    settings: &HiddenSettings,
) -> Result<Option<Conversation>, HarvestError> {
    let new = &database.new;
    let (Ok(url), Some(home)) = (Url::parse(&new.url), HostName::parse(&new.host)) else {
        catalog.refuse_asking(database.id, "its address cannot be read").await?;
        return Ok(None);
    };
    let talk = match new.kind {
        DatabaseKind::DbContent => Talk::Content(Box::new(ContentTalk::new(url))),
        DatabaseKind::OaiPmh => {
            let from = database.next_from.clone();
            Talk::Oai(Box::new(OaiTalk::new(OaiSettings { from, ..OaiSettings::all(url) })))
        }
        DatabaseKind::Form | DatabaseKind::OpenSearch | DatabaseKind::Dataset => {
            let probing = settings.may_probe(&new.host).then(|| settings.probing.clone());
            let form = FormSettings { plan: settings.plan, probing };
            Talk::Form(Box::new(FormTalk::new(url, form)))
        }
    };
    // One that was asked to the end before is asked afresh: its page may have changed.
    let afresh = database.asked_at.is_some();
    let since = catalog.begin_asking(database.id, Timestamp::now()).await?;
    let via = match new.capture {
        Some(capture) => catalog.capture(capture).await?.map(|stored| stored.capture.request),
        None => None,
    };
    let mut conversation = Conversation::new(database.id, home, talk, since);
    conversation.via = via;
    conversation.afresh = afresh;
    Ok(Some(conversation))
}
