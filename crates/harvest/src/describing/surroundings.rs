//! What is known of a page besides itself: how others link to it, what its site's pages have in
//! common, which institute's home page is above it.

use crate::HarvestError;
use crate::corpus::{on_all_cores, stored_body};
use auslese_archive::Holdings;
use auslese_catalog::{Catalog, HomePage, HomePageBy, StoredCapture};
use auslese_crawl::{CanonicalRules, canonical};
use auslese_describe::{Around, SiteMemory, SiteSample, institutions, page_to_describe};
use auslese_model::{CaptureId, Method, RequestId, RequestKey, ServerId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use url::Url;

/// Pages of a site that are looked at to learn what they have in common.
const SAMPLES: usize = 40;
/// Different link texts that are handed on.
const ANCHORS: usize = 8;
/// Directories above a page that may hold its home page.
const MAX_ANCESTORS: usize = 8;

/// Words of a link that leads to a home page.
const HOME_WORDS: [&str; 8] = [
    "home",
    "homepage",
    "startseite",
    "zur startseite",
    "institut",
    "institute",
    "zum institut",
    "leitseite",
];

/// Finds out what is around pages, and remembers what it learnt about sites.
#[derive(Debug)]
pub(super) struct Surroundings<'a> {
    archive: Holdings,
    canonical: &'a CanonicalRules,
    /// Names by label.
    institutions: &'a BTreeMap<String, String>,
    labels: Option<BTreeMap<ServerId, String>>,
    memories: FxHashMap<ServerId, Arc<SiteMemory>>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(
        archive: Holdings,
        canonical: &'a CanonicalRules,
        institutions: &'a BTreeMap<String, String>,
    ) -> Surroundings<'a> {
        let memories = FxHashMap::default();
        Surroundings { archive, canonical, institutions, labels: None, memories }
    }

    /// What is around each of some pages, in their order; the home pages of those that are the newest of
    /// their requests are stored.
    pub(super) async fn note(
        &mut self,
        catalog: &Catalog,
        pages: &[StoredCapture],
        newest: &BTreeSet<CaptureId>,
    ) -> Result<Vec<Around>, HarvestError> {
        let speaking = pages.iter().filter(|it| newest.contains(&it.capture.id));
        let requests: Vec<RequestId> = speaking.map(|it| it.capture.request).collect();
        let (homes, titles) = self.home_pages(catalog, pages).await?;
        let homes = homes.into_iter().filter(|(page, _)| newest.contains(page));
        let homes: Vec<HomePage> = homes.map(|(_, home)| home).collect();
        catalog.store_home_pages(&requests, &homes).await?;
        self.around(catalog, pages, &titles).await
    }

    /// The same without storing anything.
    pub(super) async fn look(
        &mut self,
        catalog: &Catalog,
        pages: &[StoredCapture],
    ) -> Result<Vec<Around>, HarvestError> {
        let (_, titles) = self.home_pages(catalog, pages).await?;
        self.around(catalog, pages, &titles).await
    }

    async fn around(
        &mut self,
        catalog: &Catalog,
        pages: &[StoredCapture],
        homes: &BTreeMap<CaptureId, String>,
    ) -> Result<Vec<Around>, HarvestError> {
        let requests: Vec<RequestId> = pages.iter().map(|it| it.capture.request).collect();
        let anchors = catalog.anchor_texts(&requests, ANCHORS).await?;
        let mut around = Vec::with_capacity(pages.len());
        for page in pages {
            let request = page.capture.request;
            // Two versions of one page may be among these, and both are called the same.
            let texts = anchors.get(&request).into_iter().flatten();
            around.push(Around {
                anchors: texts.map(|(text, _)| text.clone()).collect(),
                site: Some(self.memory(catalog, page.capture.server).await?),
                institution: self.institution(catalog, page.capture.server).await?,
                home: homes.get(&page.capture.id).cloned(),
                last_modified: page.capture.fields.last_modified,
                fetched: Some(page.capture.at),
            });
        }
        Ok(around)
    }

    /// What the pages of a server have in common; learnt when it is first asked for.
    async fn memory(
        &mut self,
        catalog: &Catalog,
        server: ServerId,
    ) -> Result<Arc<SiteMemory>, HarvestError> {
        if let Some(known) = self.memories.get(&server) {
            return Ok(known.clone());
        }
        let samples = catalog.server_samples(server, SAMPLES).await?;
        let archive = self.archive.clone();
        let samples = on_all_cores(samples, move |stored| sample(&archive, stored)).await?;
        let mut samples: Vec<(CaptureId, SiteSample)> = samples.into_iter().flatten().collect();
        // They come in any order, versions of one page among them, and what is learnt must not depend on it.
        samples.sort_by(|(a_id, a), (b_id, b)| a.url.cmp(&b.url).then(a_id.cmp(b_id)));
        let samples: Vec<SiteSample> = samples.into_iter().map(|(_, sample)| sample).collect();
        let memory = Arc::new(SiteMemory::learn(&samples));
        self.memories.insert(server, memory.clone());
        Ok(memory)
    }

    /// The name of the institution a server belongs to.
    async fn institution(
        &mut self,
        catalog: &Catalog,
        server: ServerId,
    ) -> Result<Option<String>, HarvestError> {
        if self.institutions.is_empty() {
            return Ok(None);
        }
        if self.labels.is_none() {
            let servers = catalog.servers().await?.into_iter();
            self.labels = Some(servers.filter_map(|it| Some((it.id, it.label?))).collect());
        }
        let label = self.labels.as_ref().and_then(|labels| labels.get(&server));
        Ok(label.and_then(|label| self.institutions.get(label)).cloned())
    }

    /// The home pages of some captured pages, and their titles: of the nearest directory above that names an
    /// institute, of a page that a link calls home, or of the server's first page.
    async fn home_pages(
        &self,
        catalog: &Catalog,
        pages: &[StoredCapture],
    ) -> Result<(Vec<(CaptureId, HomePage)>, BTreeMap<CaptureId, String>), HarvestError> {
        let ancestors: Vec<Vec<RequestKey>> =
            pages.iter().map(|page| self.ancestors(&page.url)).collect();
        let keys: BTreeSet<[u8; 16]> = ancestors.iter().flatten().map(|key| key.0).collect();
        let keys: Vec<RequestKey> = keys.into_iter().map(RequestKey).collect();
        let known = catalog.find_keys(&keys).await?;
        let captures: Vec<CaptureId> = pages.iter().map(|page| page.capture.id).collect();
        let links = catalog.links_called(&captures, &HOME_WORDS).await?;
        let requests: BTreeSet<RequestId> =
            known.values().map(|it| it.id).chain(links.values().copied()).collect();
        let requests: Vec<RequestId> = requests.into_iter().collect();
        let titles = catalog.page_titles(&requests).await?;
        let (mut homes, mut found) = (Vec::new(), BTreeMap::new());
        for (page, above) in pages.iter().zip(&ancestors) {
            let request = page.capture.request;
            let above = above.iter().filter_map(|key| known.get(key)).map(|it| it.id);
            let above: Vec<RequestId> = above.filter(|id| *id != request).collect();
            let names_institute = |id: &RequestId| {
                titles.get(id).is_some_and(|title| !institutions(title).is_empty())
            };
            let link = links.get(&page.capture.id).filter(|id| **id != request);
            let home = above
                .iter()
                .copied()
                .find(names_institute)
                .map(|id| (id, HomePageBy::Ancestor))
                .or_else(|| link.map(|id| (*id, HomePageBy::HomeLink)))
                .or_else(|| above.last().map(|id| (*id, HomePageBy::Root)));
            if let Some((home, by)) = home {
                homes.push((page.capture.id, HomePage { request, home, by }));
                if let Some(title) = titles.get(&home) {
                    found.insert(page.capture.id, title.clone());
                }
            }
        }
        Ok((homes, found))
    }

    /// The directories above an address, nearest first, the server's first page last.
    fn ancestors(&self, url: &str) -> Vec<RequestKey> {
        let Ok(url) = Url::parse(url) else { return Vec::new() };
        let mut above = Vec::new();
        let mut path = url.path();
        while let Some(end) = path.trim_end_matches('/').rfind('/') {
            path = &path[..=end];
            let mut directory = url.clone();
            directory.set_path(path);
            directory.set_query(None);
            directory.set_fragment(None);
            above.push(RequestKey::new(Method::Get, &canonical(&directory, self.canonical), &[]));
        }
        if above.len() > MAX_ANCESTORS {
            above.drain(MAX_ANCESTORS - 1..above.len() - 1);
        }
        above
    }
}

fn sample(archive: &Holdings, stored: &StoredCapture) -> Option<(CaptureId, SiteSample)> {
    let body = stored_body(archive, &stored.capture).ok()?;
    let url = Url::parse(&stored.url).ok()?;
    let (page, _) = page_to_describe(&body.bytes, stored.capture.fields.charset().as_deref());
    Some((stored.capture.id, SiteSample::of(&page, &url)))
}
