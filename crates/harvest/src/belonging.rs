//! What the catalog remembers about which hosts belong: put to use when a crawl begins, completed
//! when it ends.

use crate::HarvestError;
use crate::deciding::for_judges;
use crate::facts::Facts;
use crate::job::{Discovery, Seed};
use crate::judging::Judges;
use auslese_catalog::Catalog;
use auslese_discover::judge::{Known, ListKind, Listing, Reached, ScannedAs, case_of};
use auslese_discover::lookup::Lookups;
use auslese_discover::{Investigator, Profile};
use auslese_model::{
    HostName, Indicator, LookupKey, LookupKind, LookupRecord, Membership, Timestamp, Verdict,
};
use auslese_net::Net;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use url::Url;

/// Rows read at a time.
const PAGE: usize = 2_000;
/// Where the entry points of hosts without a link are kept.
const SEEDS_KEY: &str = "seeds";
/// Where it is kept by what hosts were judged.
const YARDSTICK_KEY: &str = "judged by";
/// How many of the hosts are looked at that link to a page which was read for its links only.
const LINKING_HOSTS: usize = 100;
/// The class of web servers that show pages to the public.
pub(crate) const PUBLIC: &str = "public";

/// The judges of a crawl, with everything earlier runs have found out, and the verdicts among that
/// which people have overruled since.
pub(crate) async fn judges(
    catalog: &Catalog,
    net: &Net,
    discovery: &Discovery,
    facts: &Facts,
) -> Result<(Judges, Vec<Verdict>), HarvestError> {
    let investigator = investigator(catalog, net, discovery, &[]).await?;
    let now = Timestamp::now();
    let since = judged_since(catalog, discovery).await?;
    let mut outdated = Vec::new();
    for verdict in verdicts(catalog).await? {
        if !investigator.agrees_with(&verdict) {
            outdated.push(verdict);
        } else if verdict.until > now && verdict.at >= since {
            facts.learn_verdict(&verdict);
        }
    }
    Ok((Judges::new(investigator, discovery.patience, discovery.at_once), outdated))
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
    let known = match recorded {
        [] => lookups(catalog).await?,
        recorded => recorded.to_vec(),
    };
    let lookups = Lookups::new(net.clone(), discovery.lookup.clone(), discovery.mode, known);
    let decisions = for_judges(&catalog.hand_decisions().await?);
    let (profiles, judge) = (discovery.profiles.clone(), discovery.judge.clone());
    let investigator = Investigator::new(lookups, profiles, judge, &decisions)?;
    for verdict in verdicts(catalog).await? {
        investigator.remember(&verdict);
    }
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

pub(crate) async fn lookups(catalog: &Catalog) -> Result<Vec<LookupRecord>, HarvestError> {
    let mut all: Vec<LookupRecord> = Vec::new();
    loop {
        let after: Option<LookupKey> = all.last().map(|record| record.key.clone());
        let page = catalog.lookups_page(&LookupKind::ALL, after.as_ref(), PAGE).await?;
        let done = page.len() < PAGE;
        all.extend(page);
        if done {
            return Ok(all);
        }
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

/// Says of every member in which of the five situations it is, by the links seen so far.
pub(crate) async fn assign_cases(
    catalog: &Catalog,
    profiles: &[Profile],
) -> Result<(), HarvestError> {
    let members: Vec<Verdict> = verdicts(catalog)
        .await?
        .into_iter()
        .filter(|it| it.membership == Membership::Member)
        .collect();
    if members.is_empty() {
        return Ok(());
    }
    let links = links(catalog, &members).await?;
    let institutions = catalog.institutions().await?;
    let entry_points = institutions.iter().filter_map(|it| Url::parse(&it.root_url).ok());
    let mut roots: Vec<HostName> = entry_points.filter_map(|url| HostName::of(&url)).collect();
    roots.extend(profiles.iter().map(|profile| profile.root.clone()));
    let reached = reached(&roots, &members, &links);
    let mut changed = Vec::new();
    for mut verdict in members {
        let by = reached.get(&verdict.host).copied().unwrap_or(Reached::Found);
        let case = Some(case_of(is_internal(&verdict), by));
        if verdict.case != case {
            verdict.case = case;
            changed.push(verdict);
        }
    }
    catalog.set_verdicts(&changed).await?;
    Ok(())
}

/// Which hosts link to members, and which to the hosts between them: pages that were read for their
/// links only.
async fn links(
    catalog: &Catalog,
    members: &[Verdict],
) -> Result<Vec<(HostName, HostName)>, HarvestError> {
    let mut links = catalog.linked_from().await?;
    let mut known: FxHashSet<HostName> = members.iter().map(|it| it.host.clone()).collect();
    let mut at = 0;
    while let Some((_, from)) = links.get(at).cloned() {
        at += 1;
        if known.insert(from.clone()) {
            let further = catalog.linking_hosts(&from, LINKING_HOSTS).await?;
            links.extend(further.into_iter().map(|further| (from.clone(), further)));
        }
    }
    Ok(links)
}

/// Whether a member stands in the organisation's network.
fn is_internal(verdict: &Verdict) -> bool {
    let mut signs = verdict.evidence.iter();
    signs.any(|sign| sign.indicator == Indicator::Net && sign.strength > 0.0)
}

/// How members are reached from the roots. A root counts as internal wherever it stands: paths
/// begin there.
fn reached(
    roots: &[HostName],
    members: &[Verdict],
    links: &[(HostName, HostName)],
) -> FxHashMap<HostName, Reached> {
    let internal: FxHashSet<&HostName> =
        members.iter().filter(|it| is_internal(it)).map(|it| &it.host).collect();
    let roots: Vec<&HostName> = roots.iter().collect();
    let mut onward: FxHashMap<&HostName, Vec<&HostName>> = FxHashMap::default();
    for (host, from) in links {
        onward.entry(from).or_default().push(host);
    }
    let by_internal = walk(&roots, &onward, |host| internal.contains(host));
    let by_any = walk(&roots, &onward, |_| true);
    let mut reached = FxHashMap::default();
    for host in by_any {
        reached.insert(host.clone(), Reached::ExternalLink);
    }
    for host in by_internal {
        reached.insert(host.clone(), Reached::InternalLink);
    }
    for root in roots {
        reached.insert(root.clone(), Reached::Root);
    }
    reached
}

/// All hosts that paths lead to which go on only over hosts that may be passed.
fn walk<'a>(
    roots: &[&'a HostName],
    onward: &FxHashMap<&'a HostName, Vec<&'a HostName>>,
    may_pass: impl Fn(&HostName) -> bool,
) -> FxHashSet<&'a HostName> {
    let mut found: FxHashSet<&HostName> = FxHashSet::default();
    let mut passed: FxHashSet<&HostName> = roots.iter().copied().collect();
    let mut waiting: VecDeque<&HostName> = roots.iter().copied().collect();
    while let Some(host) = waiting.pop_front() {
        for next in onward.get(host).into_iter().flatten() {
            found.insert(next);
            if may_pass(next) && passed.insert(next) {
                waiting.push_back(next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Evidence;

    fn member(host: &str, indicators: &[Indicator]) -> Verdict {
        let now = Timestamp(0);
        let sign = |indicator: &Indicator| Evidence {
            indicator: *indicator,
            seen: String::new(),
            compared: String::new(),
            strength: 1.0,
            source: String::new(),
            at: now,
        };
        Verdict {
            host: HostName::parse(host).unwrap(),
            membership: Membership::Member,
            score: 1.0,
            case: None,
            decided_by: None,
            reason: String::new(),
            label: None,
            evidence: indicators.iter().map(sign).collect(),
            open: Vec::new(),
            at: now,
            until: now,
        }
    }

    #[test]
    fn the_five_cases() {
        use Indicator::{Holder, Net};
        let members = [
            member("root.example", &[Net]),
            member("one.example", &[Net]),
            member("far-one.example", &[Net]),
            member("two.example", &[Holder]),
            member("three.example", &[Net]),
            member("four.example", &[Net]),
            member("five.example", &[Holder]),
        ];
        let link = |host: &str, from: &str| {
            (HostName::parse(host).unwrap(), HostName::parse(from).unwrap())
        };
        let links = [
            link("one.example", "root.example"),
            link("far-one.example", "one.example"),
            link("two.example", "one.example"),
            link("three.example", "two.example"),
            link("root.example", "three.example"),
            link("four.example", "stranger.example"),
        ];
        let reached = reached(&[members[0].host.clone()], &members, &links);
        let cases: Vec<u8> = members
            .iter()
            .map(|it| {
                let by = reached.get(&it.host).copied().unwrap_or(Reached::Found);
                case_of(is_internal(it), by).number()
            })
            .collect();
        assert_eq!(cases, [1, 1, 1, 2, 3, 4, 5]);
    }
}
