//! Asks a rule's test about one URL.
//!
//! [`Looked`] holds what was found out about the URL, each thing at most once and only when a rule
//! asks: the SURT form, which regular expressions match, the host's addresses and its verdict.

use super::{Candidate, HostFacts, HostVerdict, Measure, Need, Site, Test};
use auslese_model::{HopPath, HostName, Scheme};
use ipnet::IpNet;
use regex::{RegexSet, SetMatches};
use rustc_hash::FxHashMap;
use std::net::IpAddr;
use url::{Position, Url};

/// Whether a test holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    Unknown(Need),
}

impl From<bool> for Answer {
    fn from(holds: bool) -> Answer {
        if holds { Answer::Yes } else { Answer::No }
    }
}

/// A [`Test`] in the form in which it is asked.
#[derive(Debug, Clone)]
pub(super) enum CompiledTest {
    Any,
    Surt(String),
    Host(Vec<String>),
    Site(FxHashMap<String, Vec<Option<u16>>>),
    Url(String),
    /// The number in the scope's set.
    Regex(usize),
    /// In lower case.
    Suffix(Vec<String>),
    Port(Vec<u16>),
    Scheme(Vec<Scheme>),
    Net(Vec<IpNet>),
    Over(Measure, u32),
    Embeds(u32),
    Redirects(u32),
    Members(Option<String>),
}

impl CompiledTest {
    pub(super) fn new(test: &Test, regexes_before: &mut usize) -> CompiledTest {
        match test {
            Test::Any => CompiledTest::Any,
            Test::Surt(prefix) => CompiledTest::Surt(prefix.clone()),
            Test::Host(hosts) => CompiledTest::Host(hosts.clone()),
            Test::Site(sites) => CompiledTest::Site(by_host(sites)),
            Test::Url(prefix) => CompiledTest::Url(prefix.clone()),
            Test::Regex(_) => {
                *regexes_before += 1;
                CompiledTest::Regex(*regexes_before - 1)
            }
            Test::Suffix(list) => {
                CompiledTest::Suffix(list.iter().map(|suffix| suffix.to_lowercase()).collect())
            }
            Test::Port(ports) => CompiledTest::Port(ports.clone()),
            Test::Scheme(schemes) => CompiledTest::Scheme(schemes.clone()),
            Test::Net(nets) => CompiledTest::Net(IpNet::aggregate(nets)),
            Test::Over(measure, limit) => CompiledTest::Over(*measure, *limit),
            Test::Embeds(steps) => CompiledTest::Embeds(*steps),
            Test::Redirects(steps) => CompiledTest::Redirects(*steps),
            Test::Members(label) => CompiledTest::Members(label.clone()),
        }
    }

    pub(super) fn ask(&self, looked: &mut Looked<'_>) -> Answer {
        let url = looked.url;
        match self {
            CompiledTest::Any => Answer::Yes,
            CompiledTest::Surt(prefix) => has_surt_prefix(looked.surt(), prefix).into(),
            CompiledTest::Host(hosts) => {
                hosts.iter().any(|pattern| host_matches(looked.host_text(), pattern)).into()
            }
            CompiledTest::Site(sites) => sites
                .get(looked.host_text())
                .is_some_and(|ports| ports.contains(&url.port()))
                .into(),
            CompiledTest::Url(prefix) => url.as_str().starts_with(prefix.as_str()).into(),
            CompiledTest::Regex(number) => looked.regex_matches(*number).into(),
            CompiledTest::Suffix(list) => has_suffix(url.path(), list).into(),
            CompiledTest::Port(ports) => {
                url.port_or_known_default().is_some_and(|port| ports.contains(&port)).into()
            }
            CompiledTest::Scheme(schemes) => {
                Scheme::of(url).is_some_and(|scheme| schemes.contains(&scheme)).into()
            }
            CompiledTest::Net(nets) => match looked.addresses() {
                None => Answer::Unknown(Need::Address),
                Some(addresses) => addresses.iter().any(|address| lies_in(*address, nets)).into(),
            },
            CompiledTest::Over(measure, limit) => {
                (looked.measure(*measure) > *limit as usize).into()
            }
            CompiledTest::Embeds(steps) => looked.is_resource_within(*steps).into(),
            CompiledTest::Redirects(steps) => looked.is_redirect_within(*steps).into(),
            CompiledTest::Members(label) => match looked.verdict() {
                HostVerdict::Unknown => Answer::Unknown(Need::Verdict),
                HostVerdict::Foreign => Answer::No,
                HostVerdict::Member(own) => (label.is_none() || own == label).into(),
            },
        }
    }

    /// What was looked at, in words.
    pub(super) fn why(&self, looked: &mut Looked<'_>) -> String {
        match self {
            CompiledTest::Any => "every URL".to_owned(),
            CompiledTest::Surt(_) => looked.surt().to_owned(),
            CompiledTest::Host(_) => format!("host {}", looked.host_text()),
            CompiledTest::Site(_) => match looked.url.port() {
                Some(port) => format!("host {} on port {port}", looked.host_text()),
                None => format!("host {} on the default port", looked.host_text()),
            },
            CompiledTest::Url(_) | CompiledTest::Regex(_) => looked.url.to_string(),
            CompiledTest::Suffix(_) => format!("path {}", looked.url.path()),
            CompiledTest::Port(_) => {
                format!("port {}", looked.url.port_or_known_default().unwrap_or(0))
            }
            CompiledTest::Scheme(_) => format!("scheme {}", looked.url.scheme()),
            CompiledTest::Net(_) => match looked.addresses() {
                None => "the address is not known yet".to_owned(),
                Some([]) => "the host has no address".to_owned(),
                Some(addresses) => {
                    let texts: Vec<String> = addresses.iter().map(IpAddr::to_string).collect();
                    format!("address {}", texts.join(", "))
                }
            },
            CompiledTest::Over(measure, _) => {
                format!("{} {}", measure.as_str(), looked.measure(*measure))
            }
            CompiledTest::Embeds(_) | CompiledTest::Redirects(_) => looked.hops_in_words(),
            CompiledTest::Members(_) => match looked.verdict() {
                HostVerdict::Unknown => "no verdict on the host yet".to_owned(),
                HostVerdict::Foreign => "the host is foreign".to_owned(),
                HostVerdict::Member(None) => "the host is a member".to_owned(),
                HostVerdict::Member(Some(label)) => format!("the host is a member of {label}"),
            },
        }
    }
}

/// One URL, and what rules have asked about it so far.
pub(super) struct Looked<'a> {
    url: &'a Url,
    hops: &'a HopPath,
    via_accepted: bool,
    facts: &'a dyn HostFacts,
    regexes: &'a RegexSet,
    surt: Option<String>,
    matches: Option<SetMatches>,
    addresses: Option<Option<Vec<IpAddr>>>,
    verdict: Option<HostVerdict>,
}

impl<'a> Looked<'a> {
    pub(super) fn new(
        candidate: &Candidate<'a>,
        facts: &'a dyn HostFacts,
        regexes: &'a RegexSet,
    ) -> Looked<'a> {
        Looked {
            url: candidate.url,
            hops: candidate.hops,
            via_accepted: candidate.via_accepted,
            facts,
            regexes,
            surt: None,
            matches: None,
            addresses: None,
            verdict: None,
        }
    }

    pub(super) fn member_label(&self) -> Option<String> {
        match &self.verdict {
            Some(HostVerdict::Member(label)) => label.clone(),
            _ => None,
        }
    }

    fn host_text(&self) -> &'a str {
        self.url.host_str().unwrap_or("").trim_end_matches('.')
    }

    fn surt(&mut self) -> &str {
        self.surt.get_or_insert_with(|| surt(self.url))
    }

    fn regex_matches(&mut self, number: usize) -> bool {
        self.matches.get_or_insert_with(|| self.regexes.matches(self.url.as_str())).matched(number)
    }

    fn addresses(&mut self) -> Option<&[IpAddr]> {
        let (url, facts) = (self.url, self.facts);
        self.addresses
            .get_or_insert_with(|| {
                let host = HostName::of(url)?;
                match host.address() {
                    Some(address) => Some(vec![address]),
                    None => facts.addresses(&host),
                }
            })
            .as_deref()
    }

    fn verdict(&mut self) -> &HostVerdict {
        let (url, facts) = (self.url, self.facts);
        self.verdict.get_or_insert_with(|| match HostName::of(url) {
            Some(host) => facts.verdict(&host),
            None => HostVerdict::Foreign,
        })
    }

    fn measure(&self, measure: Measure) -> usize {
        let query = || self.url.query().unwrap_or("");
        match measure {
            Measure::Hops => self.hops.links(),
            Measure::Length => self.url[..Position::AfterQuery].len(),
            Measure::Depth => segments(self.url).count(),
            Measure::Repeats => most_repeated(self.url),
            Measure::Parameters => query().split('&').filter(|part| !part.is_empty()).count(),
            Measure::QueryLength => query().len(),
        }
    }

    /// The last steps after the last link that are `E` or `R`.
    fn tail(&self) -> &'a str {
        let path = &self.hops.0;
        let start = path.rfind(|letter| !matches!(letter, 'E' | 'R'));
        path.get(start.map_or(0, |at| at + 1)..).unwrap_or("")
    }

    fn is_resource_within(&self, steps: u32) -> bool {
        let tail = self.tail();
        self.via_accepted && tail.contains('E') && tail.len() <= steps as usize
    }

    fn is_redirect_within(&self, steps: u32) -> bool {
        let redirects = self.hops.trailing('R');
        self.via_accepted && redirects > 0 && redirects <= steps as usize
    }

    fn hops_in_words(&self) -> String {
        let page = if self.via_accepted { "an accepted" } else { "a rejected" };
        match self.hops.0.as_str() {
            "" => "a seed".to_owned(),
            hops => format!("reached by {hops} from {page} page"),
        }
    }
}

fn by_host(sites: &[Site]) -> FxHashMap<String, Vec<Option<u16>>> {
    let mut ports = FxHashMap::<String, Vec<Option<u16>>>::default();
    for site in sites {
        ports.entry(site.host.to_string()).or_default().push(site.port);
    }
    ports
}

fn host_matches(host: &str, pattern: &str) -> bool {
    match pattern.strip_prefix('.') {
        None => host == pattern,
        Some(parent) => {
            host.strip_suffix(parent).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        }
    }
}

fn has_suffix(path: &str, suffixes: &[String]) -> bool {
    let path = path.as_bytes();
    suffixes.iter().any(|suffix| {
        path.len()
            .checked_sub(suffix.len())
            .is_some_and(|start| path[start..].eq_ignore_ascii_case(suffix.as_bytes()))
    })
}

fn lies_in(address: IpAddr, nets: &[IpNet]) -> bool {
    // An IPv4 address written as `::ffff:a.b.c.d` is still that IPv4 address.
    let address = address.to_canonical();
    nets.iter().any(|net| net.contains(&address))
}

fn segments(url: &Url) -> impl Iterator<Item = &str> {
    url.path().split('/').filter(|segment| !segment.is_empty())
}

fn most_repeated(url: &Url) -> usize {
    let mut counts = FxHashMap::<&str, usize>::default();
    segments(url)
        .map(|segment| {
            let count = counts.entry(segment).or_default();
            *count += 1;
            *count
        })
        .max()
        .unwrap_or(0)
}

/// `http://(de,uni-giessen,www,:8080)/path?query`; addresses are not turned round.
fn surt(url: &Url) -> String {
    let host = url.host_str().unwrap_or("").trim_end_matches('.');
    let mut text = format!("{}://(", url.scheme());
    if matches!(url.host(), Some(url::Host::Domain(_))) {
        for label in host.rsplit('.') {
            text.push_str(label);
            text.push(',');
        }
    } else {
        text.push_str(host);
    }
    if let Some(port) = url.port() {
        text.push_str(&format!(":{port}"));
    }
    text.push(')');
    text.push_str(&url[Position::BeforePath..Position::AfterQuery]);
    text
}

fn has_surt_prefix(surt: &str, prefix: &str) -> bool {
    let without_scheme = || surt.find("://").map_or(surt, |at| &surt[at + 3..]);
    surt.starts_with(prefix)
        || prefix
            .strip_prefix("http://")
            .or(prefix.starts_with('(').then_some(prefix))
            .is_some_and(|rest| without_scheme().starts_with(rest))
}
