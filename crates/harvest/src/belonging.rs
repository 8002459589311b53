//! What the catalog remembers about which hosts belong, put to use when a crawl begins.

use crate::HarvestError;
use crate::deciding::for_judges;
use crate::facts::Facts;
use crate::job::{Discovery, Seed};
use crate::judging::Judges;
use auslese_catalog::Catalog;
use auslese_discover::judge::{Known, ListKind, Listing, ScannedAs};
use auslese_discover::lookup::{Lookups, recorded_certificates, recorded_zones};
use auslese_discover::{Investigator, Profile};
use auslese_model::{
    HostName, LookupKey, LookupKind, LookupRecord, Membership, Timestamp, Verdict,
};
use auslese_net::Net;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use tokio::sync::Semaphore;
use url::Url;

/// Rows read at a time.
const PAGE: usize = 2_000;
/// Where the entry points of hosts without a link are kept.
const SEEDS_KEY: &str = "seeds";
/// Where it is kept by what hosts were judged.
const YARDSTICK_KEY: &str = "judged by";
/// The class of web servers that show pages to the public.
pub(crate) const PUBLIC: &str = "public";

/// Verdicts of earlier runs that have to be made again whether a link leads to their host or not.
#[derive(Debug, Default)]
pub(crate) struct Outdated {
    /// People have decided otherwise since.
    pub(crate) overruled: Vec<Verdict>,
    /// Hosts that did not belong by other profiles or settings.
    pub(crate) foreign: Vec<HostName>,
}

/// The judges of a crawl, with everything earlier runs have found out, and what of it does not hold
/// any more.
pub(crate) async fn judges(
    catalog: &Catalog,
    net: &Net,
    discovery: &Discovery,
    facts: &Facts,
) -> Result<(Judges, Outdated), HarvestError> {
    let investigator = investigator(catalog, net, discovery, &[]).await?;
    let now = Timestamp::now();
    let since = judged_since(catalog, discovery).await?;
    let mut outdated = Outdated::default();
    for verdict in verdicts(catalog).await? {
        if !investigator.agrees_with(&verdict) {
            outdated.overruled.push(verdict);
        } else if verdict.at < since {
            let is_foreign = verdict.membership == Membership::Foreign;
            outdated.foreign.extend(is_foreign.then_some(verdict.host));
        } else if verdict.until > now {
            facts.learn_verdict(&verdict);
        }
    }
    let turns = Arc::new(Semaphore::new(discovery.at_once.max(1)));
    let (catalog, patience) = (catalog.clone(), discovery.patience);
    Ok((Judges { investigator, catalog, patience, turns, others_since: None }, outdated))
}

/// Since when hosts are judged by the same profiles and settings; earlier verdicts are made again.
pub(crate) async fn judged_since(
    catalog: &Catalog,
    discovery: &Discovery,
) -> Result<Timestamp, HarvestError> {
    let yardstick = yardstick(discovery);
    let known = catalog.discovery_state(YARDSTICK_KEY).await?.unwrap_or_default();
    let known: Option<Yardstick> = serde_json::from_value(known).ok();
    if let Some(known) = known.filter(|known| known.yardstick == yardstick) {
        return Ok(known.since);
    }
    let since = Timestamp::now();
    let kept = serde_json::to_value(Yardstick { yardstick, since }).unwrap_or_default();
    catalog.set_discovery_state(YARDSTICK_KEY, &kept).await?;
    Ok(since)
}

/// What hosts are compared with, and how, in short.
fn yardstick(discovery: &Discovery) -> String {
    let mut hasher = DefaultHasher::new();
    for profile in &discovery.profiles {
        // Gathered again with the same result is the same profile.
        let profile = Profile { gathered: Timestamp(0), ..profile.clone() };
        format!("{profile:?}").hash(&mut hasher);
    }
    format!("{:?}", discovery.judge).hash(&mut hasher);
    format!("{:x}", hasher.finish())
}

/// By what hosts are judged, and since when.
#[derive(Debug, Serialize, Deserialize)]
struct Yardstick {
    yardstick: String,
    since: Timestamp,
}

/// An investigator that knows what the catalog knows, or in a replay only what was recorded.
pub(crate) async fn investigator(
    catalog: &Catalog,
    net: &Net,
    discovery: &Discovery,
    recorded: &[LookupRecord],
) -> Result<Investigator, HarvestError> {
    let mut known = match recorded {
        [] => lookups(catalog, &LookupKind::ALL).await?,
        recorded => recorded.to_vec(),
    };
    let zones: Vec<_> = recorded_zones(&known).collect();
    let logged: Vec<_> = recorded_certificates(&known).collect();
    // Nobody asks for these.
    known.retain(|record| record.key.kind != LookupKind::Log);
    let lookups = Lookups::new(net.clone(), discovery.lookup.clone(), discovery.mode, known);
    let decisions = for_judges(&catalog.hand_decisions().await?);
    let (profiles, judge) = (discovery.profiles.clone(), discovery.judge.clone());
    let investigator = Investigator::new(lookups, profiles, judge, &decisions)?;
    let verdicts = verdicts(catalog).await?;
    verdicts.iter().for_each(|verdict| investigator.remember(verdict));
    investigator.learn_zones(zones, &verdicts);
    investigator.learn_certificates(logged);
    let mut after = 0;
    loop {
        let page = catalog.candidates(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.number;
        for numbered in page {
            let candidate = numbered.candidate;
            let source = format!("{} ({})", candidate.source, candidate.detail);
            let kind =
                if candidate.source == OWN_LIST { ListKind::Own } else { ListKind::Candidates };
            investigator.list(candidate.host, Listing { kind, source, at: candidate.at });
        }
    }
    let scanned = scanned(catalog).await?;
    investigator.learn(|known: &mut Known| known.scanned = scanned);
    Ok(investigator)
}

/// The source of candidates that a person vouches for.
pub(crate) const OWN_LIST: &str = "own list";

async fn scanned(
    catalog: &Catalog,
) -> Result<FxHashMap<std::net::IpAddr, ScannedAs>, HarvestError> {
    let mut scanned = FxHashMap::default();
    let mut after = None;
    loop {
        let page = catalog.web_servers_page(after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(scanned) };
        after = Some(last.clone());
        for server in page {
            let class =
                if server.class == PUBLIC { ScannedAs::Public } else { ScannedAs::NotPublic };
            // One public port makes the address public.
            let known = scanned.entry(server.address).or_insert(class);
            if class == ScannedAs::Public {
                *known = class;
            }
        }
    }
}

/// Everything on record of some kinds.
pub(crate) async fn lookups(
    catalog: &Catalog,
    kinds: &[LookupKind],
) -> Result<Vec<LookupRecord>, HarvestError> {
    let mut all = Vec::new();
    each_lookup_page(catalog, kinds, |page| all.extend(page)).await?;
    Ok(all)
}

/// Goes through what is on record without holding all of it.
pub(crate) async fn each_lookup_page(
    catalog: &Catalog,
    kinds: &[LookupKind],
    mut look: impl FnMut(Vec<LookupRecord>),
) -> Result<(), HarvestError> {
    let mut after: Option<LookupKey> = None;
    loop {
        let page = catalog.lookups_page(kinds, after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.key.clone());
        look(page);
    }
}

/// All verdicts, those that have run out included.
pub async fn verdicts(catalog: &Catalog) -> Result<Vec<Verdict>, HarvestError> {
    let mut all: Vec<Verdict> = Vec::new();
    loop {
        let page = catalog.verdicts_page(all.last().map(|verdict| &verdict.host), PAGE).await?;
        let done = page.len() < PAGE;
        all.extend(page);
        if done {
            return Ok(all);
        }
    }
}

/// An entry point of a member that nobody links to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FoundSeed {
    pub(crate) url: Url,
    pub(crate) label: Option<String>,
}

/// Where members begin that were found without a link.
pub(crate) async fn found_seeds(catalog: &Catalog) -> Result<Vec<Seed>, HarvestError> {
    let kept = catalog.discovery_state(SEEDS_KEY).await?.unwrap_or_default();
    let seeds: Vec<FoundSeed> = serde_json::from_value(kept).unwrap_or_default();
    Ok(seeds.into_iter().map(|FoundSeed { url, label }| Seed { url, label }).collect())
}

pub(crate) async fn keep_found_seeds(
    catalog: &Catalog,
    seeds: &[FoundSeed],
) -> Result<(), HarvestError> {
    let seeds = serde_json::to_value(seeds).unwrap_or_default();
    catalog.set_discovery_state(SEEDS_KEY, &seeds).await?;
    Ok(())
}
