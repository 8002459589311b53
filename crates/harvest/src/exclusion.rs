//! Exclusions added by hand while a crawl runs.
//!
//! They are scope rules of their own, checked before everything the scope accepts; what they drop
//! is recorded as refused, so it can be seen and counted.

use crate::facts::Facts;
use auslese_crawl::{Candidate, Decision, Scope};
use auslese_model::{Cause, CauseKind, Pending};
use std::sync::{Arc, PoisonError, RwLock};

/// The exclusions in force, shared by all threads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exclusions {
    scopes: Arc<RwLock<Vec<(String, Scope)>>>,
}

/// Reads an exclusion as people write it: the test of a scope rule, such as `host
/// www.uni.example` or `regex /calendar/`.
pub fn parse_exclusion(test: &str) -> Result<Scope, auslese_crawl::CrawlError> {
    Scope::parse(&format!("accept {test}"))
}

impl Exclusions {
    /// Adds what a control row says; the cause that excluded requests get, or none if the row
    /// cannot be read.
    pub(crate) fn add(&self, body: &serde_json::Value) -> Option<Cause> {
        let test = body.get("test")?.as_str()?;
        let scope = parse_exclusion(test).ok()?;
        let mut scopes = self.scopes.write().unwrap_or_else(PoisonError::into_inner);
        scopes.push((test.to_owned(), scope));
        Some(Cause::new(CauseKind::Excluded, test))
    }

    /// Why a request is excluded, if it is.
    pub(crate) fn cause(&self, candidate: &Candidate<'_>, facts: &Facts) -> Option<Cause> {
        let scopes = self.scopes.read().unwrap_or_else(PoisonError::into_inner);
        let (test, _) = scopes
            .iter()
            .find(|(_, scope)| scope.decide(candidate, facts).decision == Decision::Accept)?;
        Some(Cause::new(CauseKind::Excluded, test.as_str()))
    }

    pub(crate) fn cause_of(&self, pending: &Pending, facts: &Facts) -> Option<Cause> {
        let (url, hops) = (&pending.request.url, &pending.hops);
        self.cause(&Candidate { url, hops, via_accepted: true }, facts)
    }
}
