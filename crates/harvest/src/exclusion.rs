//! Exclusions added by hand while a crawl runs.
//!
//! They are scope rules of their own, checked before everything the scope accepts; what they drop
//! is recorded as refused, so it can be seen and counted.

use crate::HarvestError;
use crate::facts::Facts;
use auslese_catalog::{Catalog, Control};
use auslese_crawl::{Candidate, Decision, HostFacts, NoFacts, Scope};
use auslese_model::{Cause, CauseKind, HopPath, Pending};
use std::sync::{Arc, PoisonError, RwLock};
use url::Url;

/// The exclusions in force, shared by all threads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exclusions {
    known: Arc<RwLock<Vec<Exclusion>>>,
}

#[derive(Debug)]
struct Exclusion {
    /// The number of its control row.
    number: i64,
    test: String,
    /// None if the row could not be read.
    scope: Option<Scope>,
}

/// Reads an exclusion as people write it: the test of a scope rule, such as `host
/// www.uni.example` or `regex /calendar/`.
pub fn parse_exclusion(test: &str) -> Result<Scope, auslese_crawl::CrawlError> {
    Scope::parse(&format!("accept {test}"))
}

/// What an exclusion would drop of the queues as they are now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExclusionPreview {
    pub count: u64,
    /// The first of them, at most [`ExclusionPreview::EXAMPLES`].
    pub examples: Vec<String>,
}

impl ExclusionPreview {
    /// How many addresses are shown.
    pub const EXAMPLES: usize = 10;
}

/// Looks which queued requests an exclusion would drop, without dropping them. Tests that need
/// more than the address (`hops`, `embeds`, `net`) drop further ones when their turn comes.
pub async fn preview_exclusion(
    catalog: &Catalog,
    test: &str,
) -> Result<ExclusionPreview, HarvestError> {
    let scope = parse_exclusion(test)?;
    let mut preview = ExclusionPreview::default();
    let mut look = |queued: auslese_catalog::QueuedUrl<'_>| {
        if matches_url(&scope, queued.url, &NoFacts) {
            preview.count += 1;
            if preview.examples.len() < ExclusionPreview::EXAMPLES {
                preview.examples.push(queued.url.to_owned());
            }
        }
    };
    catalog.queued_urls(&mut look).await?;
    Ok(preview)
}

impl Exclusions {
    /// Adds what a control row says; whether it is new.
    pub(crate) fn add(&self, control: &Control) -> bool {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.iter().any(|exclusion| exclusion.number == control.id) {
            return false;
        }
        let test = control.body.get("test").and_then(|test| test.as_str()).unwrap_or_default();
        let scope = parse_exclusion(test).ok();
        if scope.is_none() {
            tracing::warn!("an exclusion could not be read: {}", control.body);
        }
        known.push(Exclusion { number: control.id, test: test.to_owned(), scope });
        true
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Why a request is excluded, if it is.
    pub(crate) fn cause(&self, candidate: &Candidate<'_>, facts: &Facts) -> Option<Cause> {
        self.first(|scope| accepts(scope, candidate, facts))
    }

    pub(crate) fn cause_of(&self, pending: &Pending, facts: &Facts) -> Option<Cause> {
        let (url, hops) = (&pending.request.url, &pending.hops);
        self.cause(&Candidate { url, hops, via_accepted: true }, facts)
    }

    /// Why an address is excluded, however it was found.
    pub(crate) fn cause_of_url(&self, url: &str, facts: &Facts) -> Option<Cause> {
        self.first(|scope| matches_url(scope, url, facts))
    }

    fn first(&self, excludes: impl Fn(&Scope) -> bool) -> Option<Cause> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut fits = known.iter().filter(|one| one.scope.as_ref().is_some_and(&excludes));
        fits.next().map(|exclusion| Cause::new(CauseKind::Excluded, exclusion.test.as_str()))
    }
}

fn matches_url(scope: &Scope, url: &str, facts: &dyn HostFacts) -> bool {
    let hops = HopPath::default();
    let Ok(url) = Url::parse(url) else { return false };
    accepts(scope, &Candidate { url: &url, hops: &hops, via_accepted: true }, facts)
}

fn accepts(scope: &Scope, candidate: &Candidate<'_>, facts: &dyn HostFacts) -> bool {
    scope.decide(candidate, facts).decision == Decision::Accept
}
