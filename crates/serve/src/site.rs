//! What is shown: one harvest or several, each with its catalog and archive, and the search over all of them.

use crate::access::{Access, Actor};
use crate::bench::Runs;
use crate::desk::Desks;
use crate::guard::{Metrics, Rates};
use crate::judging::Judges;
use crate::ledger::Ledger;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::steering::Configuration;
use crate::watch::Watches;
use auslese_archive::Holdings;
use auslese_catalog::{Catalog, FieldCount, Location, NewChange, RuleCounts};
use auslese_corpus::language::Recogniser;
use auslese_crawl::CanonicalRules;
use auslese_harvest::HarvestDir;
use auslese_inquiry::{Collections, TransferChoice};
use auslese_model::Timestamp;
use auslese_reader::Readers;
use auslese_vocabulary::Measure;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// A harvest as it is handed to the front end.
#[derive(Debug)]
pub struct Harvest {
    /// Its name in addresses; small letters, digits and hyphens.
    pub name: String,
    /// What people call it.
    pub title: String,
    pub dir: HarvestDir,
    pub catalog: Catalog,
    /// When the crawl took two addresses for the same.
    pub canonical: CanonicalRules,
    /// Says in which language paragraphs are, by the rules of its corpus.
    pub recogniser: Recogniser,
    /// How questions are carried into the vocabularies of its collections.
    pub transfer: TransferSetup,
    /// The login of a role that only reads, if the catalog is on a PostgreSQL server; without it nobody asks in SQL.
    pub sql_url: Option<String>,
    /// Its configuration, where it may be seen and changed from pages.
    pub configuration: Option<Arc<dyn Configuration>>,
}

/// What the configuration says about vocabularies.
#[derive(Debug, Clone)]
pub struct TransferSetup {
    pub choice: TransferChoice,
    pub measure: Option<Measure>,
    pub collections: Collections,
}

impl Default for TransferSetup {
    fn default() -> TransferSetup {
        TransferSetup {
            choice: TransferChoice::Exact,
            measure: None,
            collections: Collections::new(),
        }
    }
}

impl Harvest {
    /// The files of its archive.
    pub(crate) fn archive(&self) -> Holdings {
        self.dir.holdings()
    }

    /// Notes who changed what.
    pub(crate) async fn log_change(
        &self,
        actor: &Actor,
        deed: &str,
        subject: &str,
        detail: serde_json::Value,
    ) -> Result<(), Problem> {
        let change = NewChange {
            at: Timestamp::now(),
            by: actor.name.clone(),
            role: actor.role.to_string(),
            deed: deed.to_owned(),
            subject: subject.to_owned(),
            detail,
        };
        tracing::info!(by = change.by, deed, subject, harvest = self.name, "a change");
        self.catalog.log_change(&change).await?;
        Ok(())
    }

    /// Whether its catalog can be asked in SQL without a way to write.
    pub(crate) fn takes_sql(&self) -> bool {
        match self.catalog.location() {
            Location::File(_) => true,
            Location::Server(_) => self.sql_url.is_some(),
        }
    }
}

/// Everything the pages are made from.
#[derive(Debug)]
pub struct Site {
    pub(crate) settings: Settings,
    pub(crate) harvests: Vec<Arc<Harvest>>,
    /// For documents made of pages.
    pub(crate) readers: Arc<Readers>,
    /// Who may change something.
    pub(crate) access: Access,
    pub(crate) metrics: Metrics,
    pub(crate) rates: Rates,
    pub(crate) desks: Desks,
    /// How many documents each rule kept and left.
    pub(crate) rules: Ledger<RuleCounts>,
    /// Statistics that were counted.
    pub(crate) tables: Ledger<auslese_statistics::Table>,
    /// Domains of the organisation and what links them.
    pub(crate) graphs: Ledger<crate::pages::DomainGraph>,
    /// What runs found, by field and rule.
    pub(crate) found_fields: Ledger<Vec<FieldCount>>,
    /// Runs that were compared.
    pub(crate) comparisons: Ledger<crate::pages::RunsCompared>,
    /// Runs that were begun from a page.
    pub(crate) describing: Runs,
    /// What other corpus rules would change.
    pub(crate) previews: Ledger<auslese_harvest::CorpusPreview>,
    /// Corpora that are being judged again.
    pub(crate) judges: Judges,
    /// What is watched live.
    pub(crate) watches: Watches,
    /// Becomes true when the server is about to end.
    pub(crate) leaving: watch::Sender<bool>,
    /// What things are tried out with.
    pub(crate) tools: crate::pages::Tools,
    /// Places for questions in SQL.
    pub(crate) asking: Arc<Semaphore>,
    /// How much work for pages is done at a time; the rest waits.
    working: Semaphore,
}

impl Site {
    pub fn new(settings: Settings, harvests: Vec<Harvest>, readers: Arc<Readers>) -> Site {
        let working = Semaphore::new(settings.work_at_a_time.max(1));
        let harvests = harvests.into_iter().map(Arc::new).collect();
        let rates = Rates::new(settings.requests_per_second, settings.burst);
        let asking = Arc::new(Semaphore::new(settings.sql_at_a_time.max(1)));
        let access = Access::new(&settings);
        let watches = Watches::new(settings.live_streams);
        Site {
            settings,
            access,
            harvests,
            readers,
            metrics: Metrics::default(),
            rates,
            desks: Desks::default(),
            rules: Ledger::default(),
            tables: Ledger::default(),
            graphs: Ledger::default(),
            found_fields: Ledger::default(),
            comparisons: Ledger::default(),
            describing: Runs::default(),
            previews: Ledger::default(),
            judges: Judges::default(),
            watches,
            leaving: watch::Sender::new(false),
            tools: crate::pages::Tools::default(),
            asking,
            working,
        }
    }

    pub(crate) fn harvest(&self, name: &str) -> Result<Arc<Harvest>, Problem> {
        let found = self.harvests.iter().find(|harvest| harvest.name == name);
        found.cloned().ok_or_else(|| {
            Problem::not_found("There is no such harvest.", "Diese Ernte gibt es nicht.")
        })
    }

    /// Whether there is a harvest to ask in SQL.
    pub(crate) fn offers_sql(&self) -> bool {
        self.settings.sql_page && self.harvests.iter().any(|harvest| harvest.takes_sql())
    }

    /// Does work that takes a processor, or waits for a disk, away from the threads that answer.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let _permit = self
            .working
            .acquire()
            .await
            .map_err(|closed| Problem::internal("the work of pages", &closed))?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|lost| Problem::internal("the work of a page", &lost))
    }
}
