//! What a harvest holds, counted over its captures: hosts, media types, oddities, repeats, circles.
//!
//! Everything is held in memory, a few hundred bytes per address; that suits the demo and harvests
//! of that size.

use super::catalog_access::catalog_failure;
use crate::messages::Failure;
use auslese_catalog::{Catalog, StoredCapture};
use auslese_model::{Capture, CaptureId, ServerId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use url::Url;

/// Captures read at a time.
const PAGE: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// By institution, then by server; hosts of no institution come under the empty name.
    pub(crate) hosts: BTreeMap<String, BTreeMap<String, Amount>>,
    /// Media types as declared, without parameters.
    pub(crate) media_types: BTreeMap<String, Amount>,
    pub(crate) oddities: BTreeMap<String, OddityGroup>,
    pub(crate) repeats: Vec<Repeat>,
    /// Redirects that lead back to where they began, each circle once.
    pub(crate) circles: Vec<Vec<String>>,
}

/// How many captures, and how much they hold.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) captures: u64,
    pub(crate) bytes: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OddityGroup {
    pub(crate) count: u64,
    /// The first one met.
    pub(crate) url: String,
    pub(crate) detail: String,
}

/// Addresses with the same content.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Repeat {
    pub(crate) first: String,
    pub(crate) others: Vec<String>,
}

pub(crate) async fn gather(catalog: &Catalog) -> Result<Findings, Failure> {
    let servers = catalog.servers().await.map_err(catalog_failure)?;
    let names = servers
        .into_iter()
        .map(|server| (server.id, (server.label.unwrap_or_default(), server.origin.to_string())));
    let mut counting = Counting { names: names.collect(), ..Counting::default() };
    let mut last = CaptureId(0);
    loop {
        let page = catalog.captures_page(last, PAGE).await.map_err(catalog_failure)?;
        let Some(end) = page.last() else { return Ok(counting.finish()) };
        last = end.capture.id;
        page.iter().for_each(|stored| counting.add(stored));
    }
}

#[derive(Debug, Default)]
struct Counting {
    names: HashMap<ServerId, (String, String)>,
    findings: Findings,
    by_digest: BTreeMap<String, Vec<String>>,
    redirects: BTreeMap<String, String>,
}

impl Counting {
    fn add(&mut self, stored: &StoredCapture) {
        let StoredCapture { url, capture, .. } = stored;
        let (label, server) = self.names.get(&capture.server).cloned().unwrap_or_default();
        let hosts = self.findings.hosts.entry(label).or_default();
        hosts.entry(server).or_default().add(capture.payload_length);
        let media_type = declared_type(capture);
        self.findings.media_types.entry(media_type).or_default().add(capture.payload_length);
        for oddity in &capture.oddities {
            let group = self.findings.oddities.entry(oddity.kind.clone());
            let group = group.or_insert_with(|| OddityGroup {
                count: 0,
                url: url.clone(),
                detail: oddity.detail.clone(),
            });
            group.count += 1;
        }
        if let Some(digest) = content_digest(capture) {
            self.by_digest.entry(digest).or_default().push(url.clone());
        }
        if let Some(target) = redirect_target(url, capture) {
            self.redirects.insert(url.clone(), target);
        }
    }

    fn finish(self) -> Findings {
        let repeats = self.by_digest.into_values().filter_map(|mut urls| {
            // Several captures of one address are its history, not a repeat.
            let mut met = HashSet::new();
            urls.retain(|url| met.insert(url.clone()));
            let others = urls.split_off(1);
            Some(Repeat { first: urls.pop()?, others }).filter(|repeat| !repeat.others.is_empty())
        });
        Findings { repeats: repeats.collect(), circles: circles(&self.redirects), ..self.findings }
    }
}

impl Amount {
    fn add(&mut self, bytes: u64) {
        self.captures += 1;
        self.bytes += bytes;
    }
}

fn declared_type(capture: &Capture) -> String {
    let declared = capture.fields.content_type.as_deref().unwrap_or("");
    match declared.split(';').next().unwrap_or("").trim() {
        "" => "none".to_owned(),
        essence => essence.to_ascii_lowercase(),
    }
}

/// Error pages and empty answers are alike by nature, so only good answers are compared.
fn content_digest(capture: &Capture) -> Option<String> {
    let counts = (200..300).contains(&capture.status) && capture.payload_length > 0;
    capture.payload_digest.as_ref().filter(|_| counts).map(ToString::to_string)
}

fn redirect_target(url: &str, capture: &Capture) -> Option<String> {
    let location = capture.fields.location.as_deref()?;
    let target = Url::parse(url).ok()?.join(location).ok()?;
    (300..400).contains(&capture.status).then(|| target.to_string())
}

fn circles(redirects: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut settled = BTreeSet::new();
    for start in redirects.keys() {
        let mut way: Vec<&String> = Vec::new();
        let mut here = start;
        loop {
            if let Some(place) = way.iter().position(|url| *url == here) {
                found.push(way[place..].iter().map(|url| (*url).clone()).collect());
                break;
            }
            let Some(next) = redirects.get(here).filter(|_| !settled.contains(here)) else { break };
            way.push(here);
            here = next;
        }
        settled.extend(way);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_once() {
        #[rustfmt::skip]
        let cases = [
            // redirects       circles
            ("a>b b>c",         ""),
            ("a>a",             "a"),
            ("a>b b>a x>a y>b", "a b"),
            ("a>c b>d c>b d>c", "c b d"),
            ("a>b b>a c>d d>c", "a b, c d"),
        ];
        for (redirects, expected) in cases {
            let redirects = redirects.split(' ').filter_map(|step| step.split_once('>'));
            let redirects = redirects.map(|(from, to)| (from.to_owned(), to.to_owned())).collect();
            let found: Vec<String> =
                circles(&redirects).iter().map(|circle| circle.join(" ")).collect();
            assert_eq!(found.join(", "), expected);
        }
    }
}
