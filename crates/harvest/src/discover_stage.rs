//! Discovery as a stage, before the crawl: the profiles of the institutions, and the hosts that no
//! link leads to.
//!
//! Candidates come from reverse names, scans and files; each is judged like a host the crawl meets.
//! Members among them become seeds of the next crawl. Everything asked and found is in the catalog
//! afterwards, so an interrupted discovery begins where it was.

use crate::HarvestError;
use crate::belonging::{FoundSeed, OWN_LIST, PUBLIC, investigator, judged_since, keep_found_seeds};
use crate::crawl_stage::open_or_create;
use crate::directory::HarvestDir;
use crate::job::{Discovery, Seed};
use crate::judging::LINKING_HOSTS;
use auslese_catalog::{Catalog, CatalogSettings, Location, WebServer};
use auslese_discover::judge::{Reached, Thoroughness, reached_in};
use auslese_discover::lookup::{Lookups, logged_record};
use auslese_discover::scan::{
    self, HeadAnswer, OpenPort, ScanEvent, ScanPlan, ScanRules, ScanState, ServerClass, SweepRules,
    Vantage, ptr_sweep,
};
use auslese_discover::{
    GatherSettings, ImportedCertificate, Investigator, Occasion, Profile, gather,
};
use auslese_model::{
    Candidate, HostName, LookupKind, LookupRecord, Membership, Scheme, Timestamp, Verdict,
};
use auslese_net::{Net, NetSettings};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;
use tokio::task::JoinSet;
use url::Url;

/// What discovery is told.
#[derive(Debug, Clone)]
pub struct DiscoverJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    pub net: NetSettings,
    pub discovery: Discovery,
    pub gather: GatherSettings,
    /// Answers that were recorded elsewhere, for a replay.
    pub recorded: Vec<LookupRecord>,
}

/// A scan that a person has asked for.
#[derive(Debug, Clone)]
pub struct ScanJob {
    /// Ranges to scan; all of the profiles, if none is named.
    pub ranges: Vec<IpNet>,
    pub rules: ScanRules,
    /// From where is scanned, in the user's words.
    pub place: String,
    /// Begin anew, although an earlier scan was not finished.
    pub anew: bool,
}

/// What a scan brought.
#[derive(Debug, Clone, Default)]
pub struct ScanReport {
    /// In the order of their addresses.
    pub servers: Vec<scan::WebServer>,
    /// When the scan was begun, which may have been an earlier run; of several the first.
    pub begun: Option<Timestamp>,
    /// How many addresses were looked at, or left alone because they are excluded.
    pub addresses: u64,
    pub finished: bool,
}

/// What was found without a link.
#[derive(Debug, Clone, Default)]
pub struct FoundHosts {
    /// The verdicts on all candidates.
    pub verdicts: Vec<Verdict>,
    /// Members that the next crawl begins at, besides its own seeds.
    pub seeds: Vec<Seed>,
}

/// How long a port is waited for, when the entry point of a member is looked for.
const PORT_PATIENCE: Duration = Duration::from_secs(3);
/// Where it is kept which ranges were swept.
const SWEEP_KEY: &str = "sweep";
/// The shortest IPv6 prefix whose addresses are asked about one by one.
const SWEPT_V6_PREFIX: u8 = 112;
/// Where the state of a scan is kept.
const SCAN_KEY: &str = "scan";
/// Addresses after which the state of a scan is kept again.
const SCAN_KEEP: u64 = 256;
/// Candidates read at a time.
const PAGE: usize = 2_000;

/// A harvest opened for discovery.
#[derive(Debug)]
pub struct Discovering {
    catalog: Catalog,
    net: Net,
    job: DiscoverJob,
}

impl Discovering {
    pub async fn open(dir: &HarvestDir, job: DiscoverJob) -> Result<Discovering, HarvestError> {
        dir.prepare()?;
        let catalog = open_or_create(&job.catalog, &job.catalog_settings).await?;
        let net = Net::new(job.net.clone())?;
        Ok(Discovering { catalog, net, job })
    }

    pub async fn close(self) {
        self.catalog.close().await;
    }

    /// Phase one, for each institution.
    pub async fn gather(&self, institutions: &[Seed]) -> Result<Vec<Profile>, HarvestError> {
        let investigator = self.investigator().await?;
        let lookups: &Lookups = investigator.lookups();
        let mut profiles = Vec::new();
        for institution in institutions {
            let label = institution.label.clone().unwrap_or_else(|| institution.url.to_string());
            profiles.push(gather(lookups, &label, &institution.url, &self.job.gather).await);
            self.keep(&investigator, &[]).await?;
        }
        Ok(profiles)
    }

    /// Everything that was asked in this and earlier runs, as far as it is kept.
    pub async fn lookups(&self) -> Result<Vec<LookupRecord>, HarvestError> {
        crate::belonging::lookups(&self.catalog, &LookupKind::ALL).await
    }

    /// The verdict on one host, kept like all others.
    pub async fn judge(
        &self,
        host: &HostName,
        thoroughness: Thoroughness,
    ) -> Result<Verdict, HarvestError> {
        let investigator = self.investigator().await?;
        judged_since(&self.catalog, &self.job.discovery).await?;
        let occasion = Occasion { thoroughness, ..self.occasion(host).await? };
        let verdict = investigator.investigate_as(host, occasion).await;
        self.keep(&investigator, std::slice::from_ref(&verdict)).await?;
        Ok(verdict)
    }

    /// What is known about how one comes to a host: by the links of earlier crawls, if there are
    /// any.
    async fn occasion(&self, host: &HostName) -> Result<Occasion, HarvestError> {
        let case = self.catalog.verdict(host).await?.and_then(|known| known.case);
        let linked_from = self.catalog.linking_hosts(host, LINKING_HOSTS).await?;
        Ok(Occasion { reached: case.map(reached_in), linked_from, ..Occasion::default() })
    }

    /// Keeps which names stand together in the certificates of a log's export: they speak for
    /// hosts that share one with a member.
    pub async fn offer_certificates(
        &self,
        log: &str,
        certificates: &[ImportedCertificate],
    ) -> Result<(), HarvestError> {
        let at = Timestamp::now();
        for some in certificates.chunks(PAGE) {
            let records: Vec<LookupRecord> =
                some.iter().map(|certificate| logged_record(log, certificate, at)).collect();
            self.catalog.store_lookups(&records).await?;
        }
        Ok(())
    }

    /// Verdicts on hosts with all that can be asked, in the order of the hosts. They are not kept,
    /// only the answers are: whoever measures must not change what is measured.
    pub async fn examine(
        &self,
        hosts: &[HostName],
        told: &mut (dyn FnMut(&Verdict) + Send),
    ) -> Result<Vec<Verdict>, HarvestError> {
        let investigator = self.investigator().await?;
        let mut waiting = hosts.iter().rev().cloned().collect::<Vec<HostName>>();
        let mut judging: JoinSet<Verdict> = JoinSet::new();
        let mut verdicts = Vec::new();
        loop {
            while judging.len() < self.job.discovery.at_once.max(1)
                && let Some(host) = waiting.pop()
            {
                let investigator = investigator.clone();
                let occasion = Occasion {
                    thoroughness: Thoroughness::Everything,
                    ..self.occasion(&host).await?
                };
                judging.spawn(async move { investigator.investigate_as(&host, occasion).await });
            }
            let Some(judged) = judging.join_next().await else { break };
            let Ok(verdict) = judged else { continue };
            told(&verdict);
            self.keep(&investigator, &[]).await?;
            verdicts.push(verdict);
        }
        verdicts.sort_by(|a, b| a.host.cmp(&b.host));
        Ok(verdicts)
    }

    /// Notes hosts that were found without a link; how many are new.
    pub async fn offer(&self, candidates: &[Candidate]) -> Result<u64, HarvestError> {
        Ok(self.catalog.offer_candidates(candidates).await?)
    }

    /// Asks for the reverse names of all addresses of the ranges; how many names lead back. None
    /// if these ranges were swept not long ago.
    pub async fn sweep(&self) -> Result<Option<u64>, HarvestError> {
        let profiles = &self.job.discovery.profiles;
        let all = profiles.iter().flat_map(|it| it.ranges.iter().map(|range| range.net));
        let ranges: Vec<IpNet> = all.filter(is_sweepable).collect();
        let at = Timestamp::now();
        let known = self.catalog.discovery_state(SWEEP_KEY).await?.unwrap_or_default();
        let known: Option<Swept> = serde_json::from_value(known).ok();
        let fresh = |swept: &Swept| {
            swept.ranges == ranges && at.since(swept.at) < self.job.discovery.judge.keep
        };
        if known.as_ref().is_some_and(fresh) {
            return Ok(None);
        }
        let sweep = ptr_sweep(&self.net, &ranges, SweepRules::default()).await;
        match &sweep.gave_up {
            Some(cause) => tracing::warn!("not all reverse names could be asked for: {cause}"),
            None => {
                let swept = serde_json::to_value(Swept { ranges, at }).unwrap_or_default();
                self.catalog.set_discovery_state(SWEEP_KEY, &swept).await?;
            }
        }
        let candidates: Vec<Candidate> = sweep
            .names
            .into_iter()
            .map(|(address, host)| {
                let (source, detail) = ("reverse name".to_owned(), address.to_string());
                Candidate { host, source, detail, at }
            })
            .collect();
        self.offer(&candidates).await?;
        Ok(Some(candidates.len() as u64))
    }

    /// Scans ranges of the institutions, or goes on with a scan that was interrupted.
    pub async fn scan(
        &self,
        job: &ScanJob,
        told: &mut (dyn FnMut(ScanEvent<'_>, &ScanState) -> ControlFlow<()> + Send),
    ) -> Result<ScanReport, HarvestError> {
        let mut report = ScanReport { finished: true, ..ScanReport::default() };
        for (profile, ranges) in shares(&job.ranges, &self.job.discovery.profiles) {
            let plan = ScanPlan::new(&ranges, profile, job.rules.clone())?;
            let key = format!("{SCAN_KEY} {}", profile.label);
            let earlier = self.catalog.discovery_state(&key).await?.filter(|_| !job.anew);
            let earlier: Option<ScanState> =
                earlier.and_then(|kept| serde_json::from_value(kept).ok());
            let state = earlier.filter(|state| state.fits(&plan)).unwrap_or_else(|| {
                let at = Timestamp::now();
                let vantage = Vantage::here(&job.place, &plan, &self.net);
                ScanState::new(&plan, vantage, at.0.unsigned_abs(), at)
            });
            let state = self.scan_one(&plan, state, &key, told).await?;
            report.finished &= state.is_finished();
            report.addresses += state.position.saturating_sub(state.unfinished.len() as u64);
            report.begun = report.begun.into_iter().chain([state.begun]).min();
            self.keep_scan(&key, &state).await?;
            report.servers.extend(state.servers);
        }
        report.servers.sort_by_key(|server| server.address);
        Ok(report)
    }

    /// Runs a scan; its state is kept now and then, so that a crash costs little.
    async fn scan_one(
        &self,
        plan: &ScanPlan,
        state: ScanState,
        key: &str,
        told: &mut (dyn FnMut(ScanEvent<'_>, &ScanState) -> ControlFlow<()> + Send),
    ) -> Result<ScanState, HarvestError> {
        let (sender, mut states) = tokio::sync::mpsc::unbounded_channel::<ScanState>();
        let keeping = async {
            while let Some(state) = states.recv().await {
                self.keep_scan(key, &state).await?;
            }
            Ok::<(), HarvestError>(())
        };
        let mut finished = 0;
        let mut listener = move |event: ScanEvent<'_>, state: &ScanState| {
            if matches!(event, ScanEvent::Finished(_)) {
                finished += 1;
                if finished % SCAN_KEEP == 0 {
                    // The receiver lives as long as the scan.
                    let _ = sender.send(state.clone());
                }
            }
            told(event, state)
        };
        // The listener holds the sender: when the scan drops it, keeping ends too.
        let scanning = async move { scan::scan(plan, &self.net, state, &mut listener).await };
        let (state, kept) = tokio::join!(scanning, keeping);
        kept?;
        Ok(state?)
    }

    async fn keep_scan(&self, key: &str, state: &ScanState) -> Result<(), HarvestError> {
        let kept = serde_json::to_value(state).unwrap_or_default();
        self.catalog.set_discovery_state(key, &kept).await?;
        let rows: Vec<WebServer> =
            state.servers.iter().flat_map(|it| web_servers(it, &state.vantage)).collect();
        self.catalog.store_web_servers(&rows).await?;
        let candidates: Vec<Candidate> = state.servers.iter().flat_map(scan_candidates).collect();
        self.offer(&candidates).await?;
        Ok(())
    }

    /// Judges all candidates, and makes seeds of the members among them. Each verdict is told, with
    /// how many there will be.
    pub async fn judge_candidates(
        &self,
        told: &mut (dyn FnMut(&Verdict, u64) + Send),
    ) -> Result<FoundHosts, HarvestError> {
        let investigator = self.investigator().await?;
        judged_since(&self.catalog, &self.job.discovery).await?;
        let mut waiting: Vec<HostName> = self.candidate_hosts().await?.into_iter().collect();
        waiting.reverse();
        let all = waiting.len() as u64;
        let mut judging: JoinSet<Verdict> = JoinSet::new();
        let mut found = FoundHosts::default();
        let at_once = self.job.discovery.at_once.max(1);
        loop {
            while judging.len() < at_once
                && let Some(host) = waiting.pop()
            {
                let investigator = investigator.clone();
                let mut occasion = self.occasion(&host).await?;
                occasion.reached.get_or_insert(self.reached(&host));
                judging.spawn(async move { investigator.investigate_as(&host, occasion).await });
            }
            let Some(judged) = judging.join_next().await else { break };
            let Ok(verdict) = judged else { continue };
            told(&verdict, all);
            self.keep(&investigator, std::slice::from_ref(&verdict)).await?;
            found.verdicts.push(verdict);
        }
        found.seeds = self.seeds(&found.verdicts).await?;
        found.verdicts.sort_by(|a, b| a.host.cmp(&b.host));
        Ok(found)
    }

    /// The roots are where links begin; everything else here was found without one.
    fn reached(&self, host: &HostName) -> Reached {
        let name = |host: &HostName| host.as_str().trim_start_matches("www.").to_owned();
        let is_root = |profile: &Profile| name(&profile.root) == name(host);
        match self.job.discovery.profiles.iter().any(is_root) {
            true => Reached::Root,
            false => Reached::Found,
        }
    }

    /// Hosts found without a link, but for those of devices and the like.
    async fn candidate_hosts(&self) -> Result<BTreeSet<HostName>, HarvestError> {
        let mut hosts = BTreeSet::new();
        let mut after = 0;
        loop {
            let page = self.catalog.candidates(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(hosts) };
            after = last.number;
            hosts.extend(page.into_iter().map(|numbered| numbered.candidate.host));
        }
    }

    /// The entry points of members.
    async fn seeds(&self, verdicts: &[Verdict]) -> Result<Vec<Seed>, HarvestError> {
        let mut seeds = Vec::new();
        for verdict in verdicts.iter().filter(|it| it.membership == Membership::Member) {
            if let Some(url) = self.entry_point(&verdict.host).await {
                seeds.push(FoundSeed { url, label: verdict.label.clone() });
            }
        }
        seeds.sort_by(|a, b| a.url.cmp(&b.url));
        keep_found_seeds(&self.catalog, &seeds).await?;
        Ok(seeds.into_iter().map(|FoundSeed { url, label }| Seed { url, label }).collect())
    }

    /// The start page of a host, by the port that is open; none if neither is.
    async fn entry_point(&self, host: &HostName) -> Option<Url> {
        let resolution = self.net.resolve(host).await.ok()?;
        for scheme in [Scheme::Http, Scheme::Https] {
            for address in &resolution.addresses {
                let open = self.net.probe(*address, scheme.default_port(), PORT_PATIENCE).await;
                if open.is_ok() {
                    return Url::parse(&format!("{scheme}://{host}/")).ok();
                }
            }
        }
        None
    }

    async fn investigator(&self) -> Result<Investigator, HarvestError> {
        investigator(&self.catalog, &self.net, &self.job.discovery, &self.job.recorded).await
    }

    async fn keep(
        &self,
        investigator: &Investigator,
        verdicts: &[Verdict],
    ) -> Result<(), HarvestError> {
        self.catalog.set_verdicts(verdicts).await?;
        self.catalog.store_lookups(&investigator.take_new_lookups()).await?;
        Ok(())
    }
}

/// Which ranges are scanned for which institution. Without named ranges each has its own, and one
/// without any is passed over unless all are; a range that nobody owns goes to the first, which
/// says why it is refused.
fn shares<'p>(named: &[IpNet], profiles: &'p [Profile]) -> Vec<(&'p Profile, Vec<IpNet>)> {
    if named.is_empty() {
        let owners: Vec<&Profile> = profiles.iter().filter(|it| !it.ranges.is_empty()).collect();
        let owners = if owners.is_empty() { profiles.iter().take(1).collect() } else { owners };
        return owners.into_iter().map(|profile| (profile, Vec::new())).collect();
    }
    let owns =
        |profile: &Profile, net: &IpNet| profile.ranges.iter().any(|it| it.net.contains(net));
    let owner = |net: &IpNet| profiles.iter().position(|profile| owns(profile, net)).unwrap_or(0);
    let of = |place: usize| named.iter().copied().filter(|net| owner(net) == place).collect();
    let shares = profiles.iter().enumerate().map(|(place, profile)| (profile, of(place)));
    shares.filter(|(_, ranges): &(_, Vec<IpNet>)| !ranges.is_empty()).collect()
}

/// Which ranges were swept for reverse names, and when.
#[derive(Debug, Serialize, Deserialize)]
struct Swept {
    ranges: Vec<IpNet>,
    at: Timestamp,
}

/// Whether the addresses of a range can be counted through.
fn is_sweepable(net: &IpNet) -> bool {
    matches!(net, IpNet::V4(_)) || net.prefix_len() >= SWEPT_V6_PREFIX
}

/// The source of hosts that a person vouches for, and of others.
pub fn candidate_source(own: bool, kind: &str) -> String {
    if own { OWN_LIST.to_owned() } else { kind.to_owned() }
}

fn web_servers(server: &scan::WebServer, vantage: &Vantage) -> Vec<WebServer> {
    let class = match server.class {
        ServerClass::Public => PUBLIC.to_owned(),
        other => other.as_str().to_owned(),
    };
    let names: Vec<String> = server.candidates.iter().map(|it| it.name.clone()).collect();
    let row = |port: &OpenPort| WebServer {
        address: server.address,
        port: port.port,
        vantage: vantage.place.clone(),
        class: class.clone(),
        reason: server.reason.clone(),
        names: names.clone(),
        status: port.answers.first().map(|answer| answer.status),
        server_type: port.answers.first().and_then(|answer| answer.server.clone()),
        seen_at: server.at,
    };
    server.ports.iter().map(row).collect()
}

/// The confirmed names of a server that shows something to the public; its address, if it has none.
fn scan_candidates(server: &scan::WebServer) -> Vec<Candidate> {
    if server.class != ServerClass::Public {
        return Vec::new();
    }
    let mut names: BTreeSet<HostName> =
        server.candidates.iter().filter_map(|candidate| candidate.confirmed()).collect();
    // A site that only answers to its name is not to be had by its address.
    let by_address = |answer: &HeadAnswer| {
        answer.asked.address().is_some() && (200..400).contains(&answer.status)
    };
    let mut answers = server.ports.iter().flat_map(|port| &port.answers);
    if names.is_empty() && answers.any(by_address) {
        names.extend(HostName::parse(&server.address.to_string()));
    }
    let candidate = |host| Candidate {
        host,
        source: "scan".to_owned(),
        detail: server.address.to_string(),
        at: server.at,
    };
    names.into_iter().map(candidate).collect()
}
