//! What a crawl has to know from earlier runs before it begins, read from the catalog.

use crate::HarvestError;
use crate::belonging::{Outdated, found_seeds, judges};
use crate::facts::Facts;
use crate::found::Servers;
use crate::job::{CrawlJob, Revisits, Seed};
use crate::judging::Judges;
use auslese_catalog::{Catalog, HandDecision, Status};
use auslese_crawl::SeenSet;
use auslese_net::Net;
use rustc_hash::FxHashSet;
use std::path::Path;

/// Everything that is read once.
pub(crate) struct Recalled {
    pub(crate) status: Status,
    /// Who decides whether hosts belong, and which verdicts have to be made again.
    pub(crate) judges: Option<Judges>,
    pub(crate) outdated: Outdated,
    pub(crate) decisions: Vec<HandDecision>,
    pub(crate) found_seeds: Vec<Seed>,
    pub(crate) seen: SeenSet,
    /// Prefixes of the payload digests stored so far, while revisits are wanted.
    pub(crate) digests: FxHashSet<u64>,
    pub(crate) servers: Servers,
}

impl Recalled {
    pub(crate) async fn from(
        catalog: &Catalog,
        job: &CrawlJob,
        net: &Net,
        facts: &Facts,
        scratch: &Path,
    ) -> Result<Recalled, HarvestError> {
        let status = catalog.status().await?;
        let (judges, outdated, decisions) = match &job.discovery {
            Some(discovery) => {
                let (judges, outdated) = judges(catalog, net, discovery, facts).await?;
                (Some(judges), outdated, catalog.hand_decisions().await?)
            }
            None => (None, Outdated::default(), Vec::new()),
        };
        let found_seeds = found_seeds(catalog).await?;
        let mut seen = SeenSet::within(job.crawl.frontier.seen_bytes, scratch);
        let mut trouble = Ok(());
        let mut learn = |key| {
            if trouble.is_ok() {
                trouble = seen.learn(key);
            }
        };
        catalog.known_keys(&mut learn).await?;
        trouble?;
        let mut digests = FxHashSet::default();
        if job.revisits != Revisits::Off {
            catalog.known_digests(&mut |prefix| _ = digests.insert(prefix)).await?;
        }
        let mut servers = Servers::default();
        for server in catalog.servers().await? {
            servers.insert(server.origin, server.id);
        }
        Ok(Recalled { status, judges, outdated, decisions, found_seeds, seen, digests, servers })
    }
}
