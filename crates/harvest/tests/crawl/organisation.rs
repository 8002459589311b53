//! A university in a simulated internet, with registries that know it: what the tests of
//! membership share.

use crate::field::Field;
use auslese_crawl::Scope;
use auslese_discover::lookup::{LookupMode, LookupSettings, RegistryOrder};
use auslese_discover::{JudgeSettings, NameServer, Party, Profile, Range};
use auslese_harvest::{CrawlJob, DiscoverJob, Discovering, Discovery, FoundHosts, Seed};
use auslese_model::{Candidate, HostName, Membership, Timestamp, Verdict};
use auslese_testnet::{Contact, Dialect, DomainObject, Internet, Registry, Site, Zone};
use std::collections::BTreeMap;
use std::time::Duration;

pub(crate) const START: &str = "http://www.uni.example/";
pub(crate) const UNIVERSITY: &str = "Universität Hohenwerth";
pub(crate) const WHOIS: &str = "whois.nic.example";

/// Who else holds domains, with nothing in common.
pub(crate) const BAKERY: &str = "Bäckerei Meyer GmbH";

pub(crate) fn university() -> Contact {
    Contact::organization(UNIVERSITY)
        .address("Schlossplatz 1", "99998", "Hohenwerth", "DE")
        .email("rz@uni.example")
}

/// A body with a mail address of its own.
pub(crate) fn holder(name: &str) -> Contact {
    Contact::organization(name).email("info@anderswo.example")
}

/// The registry of `.example`.
pub(crate) fn registry() -> Registry {
    Registry::new(WHOIS, "198.51.100.1", Dialect::Icann2013)
}

/// A registered domain whose zone is at a provider.
pub(crate) fn zone(domain: &str) -> Zone {
    Zone::new(domain).ns("ns.provider.example.")
}

pub(crate) fn domain(name: &str, holder: Contact) -> DomainObject {
    DomainObject::new(name).holder(holder)
}

/// The university's own zone and its provider's.
pub(crate) fn internet() -> Internet {
    let own = Zone::new("uni.example")
        .ns("ns")
        .address("ns", "198.18.1.53")
        .address("www", "198.18.1.10");
    let provider = zone("provider.example").address("ns", "192.0.2.53");
    Internet::new().zone(own).zone(provider)
}

/// The start page of the university, with these links.
pub(crate) fn start_page(links: &[&str]) -> Site {
    Site::new("http://www.uni.example").page("/", page(links))
}

pub(crate) fn page(links: &[&str]) -> String {
    links.iter().map(|link| format!("<a href='{link}'>{link}</a>\n")).collect()
}

/// What phase one finds out about it.
pub(crate) fn profile() -> Profile {
    Profile {
        name: Some(UNIVERSITY.to_owned()),
        domains: vec!["uni.example".to_owned()],
        mail_domains: vec!["uni.example".to_owned()],
        registrant: Party { organization: Some(UNIVERSITY.to_owned()), ..Party::default() },
        ranges: vec![Range {
            net: "198.18.1.0/24".parse().unwrap(),
            holder: UNIVERSITY.to_owned(),
            found_by: "a test".to_owned(),
            source: "by hand".to_owned(),
        }],
        name_servers: vec![NameServer {
            host: host("ns.uni.example"),
            addresses: vec!["198.18.1.53".parse().unwrap()],
            own: true,
            why: "its name is in a domain of the organisation".to_owned(),
        }],
        ..Profile::new("U", host("www.uni.example"), Timestamp::now())
    }
}

/// Questions in quick succession; what failed may be asked again at once.
pub(crate) fn lookup_settings() -> LookupSettings {
    let moment = Duration::from_millis(1);
    LookupSettings {
        order: RegistryOrder::WhoisOnly,
        whois_servers: [("example".to_owned(), WHOIS.to_owned())].into(),
        rdap_bootstrap: String::new(),
        interval: moment,
        burst: 1000,
        question: Duration::from_millis(700),
        back_off: moment,
        dead_for: moment,
        keep_failed: moment,
        keep_absent: moment,
        ..LookupSettings::default()
    }
}

pub(crate) fn discovery(profiles: Vec<Profile>) -> Discovery {
    Discovery {
        profiles,
        judge: JudgeSettings { retry: Duration::from_millis(1), ..JudgeSettings::default() },
        lookup: lookup_settings(),
        mode: LookupMode::Cached,
        patience: Duration::from_secs(5),
        at_once: 8,
        bridge_hops: 0,
    }
}

pub(crate) fn host(name: &str) -> HostName {
    HostName::parse(name).unwrap()
}

/// What the tests of membership ask of a harvest.
impl Field {
    /// A crawl in which membership is the scope.
    pub(crate) fn member_job(&self, seeds: &[&str]) -> CrawlJob {
        let mut job = self.job(seeds);
        job.scope = Scope::parse("accept members").unwrap();
        job.discovery = Some(discovery(vec![profile()]));
        for seed in &mut job.seeds {
            *seed = Seed { label: Some("U".to_owned()), ..seed.clone() };
        }
        job
    }

    /// Discovery before a crawl.
    pub(crate) fn discover_job(&self, profiles: Vec<Profile>) -> DiscoverJob {
        DiscoverJob {
            catalog: self.catalog(),
            catalog_settings: Default::default(),
            net: self.net(),
            discovery: discovery(profiles),
            gather: Default::default(),
            recorded: Vec::new(),
        }
    }

    /// Has hosts judged that no link leads to.
    pub(crate) fn find(&self, names: &[&str]) -> FoundHosts {
        let candidates: Vec<Candidate> = names
            .iter()
            .map(|name| Candidate {
                host: host(name),
                source: "certificate log".to_owned(),
                detail: "test.json".to_owned(),
                at: Timestamp::now(),
            })
            .collect();
        let job = self.discover_job(vec![profile()]);
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let work = Discovering::open(&self.dir(), job).await.unwrap();
            work.offer(&candidates).await.unwrap();
            let found = work.judge_candidates(&mut |_, _| {}).await.unwrap();
            work.close().await;
            found
        })
    }

    pub(crate) fn verdict(&self, name: &str) -> Option<Verdict> {
        self.with_catalog(async |catalog| catalog.verdict(&host(name)).await.unwrap())
    }

    /// Whether a host belongs, and by which sign; `none` if nobody was asked.
    pub(crate) fn judged(&self, name: &str) -> String {
        let Some(verdict) = self.verdict(name) else { return "none".to_owned() };
        match (verdict.membership, verdict.decided_by) {
            (Membership::Member, Some(sign)) => sign.as_str().to_owned(),
            (membership, _) => membership.as_str().to_owned(),
        }
    }

    /// How often each domain was asked about in WHOIS.
    pub(crate) fn whois_counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for asked in self.web.whois_queries() {
            *counts.entry(asked.query).or_default() += 1;
        }
        counts
    }

    /// Requests to a host.
    pub(crate) fn requests_to(&self, name: &str) -> usize {
        self.web.requests().iter().filter(|logged| logged.host == name).count()
    }
}
