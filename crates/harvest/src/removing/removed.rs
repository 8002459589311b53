//! Recognises the records of documents that are to go, or went.

use crate::HarvestError;
use auslese_archive::Record;
use auslese_catalog::Catalog;
use auslese_crawl::{CanonicalRules, canonical};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use url::Url;

/// The addresses of removed documents, in the form that recognises other spellings.
#[derive(Debug, Clone)]
pub(crate) struct Removed {
    addresses: Arc<FxHashSet<String>>,
    rules: CanonicalRules,
}

impl Removed {
    /// Everything that was removed from a harvest.
    pub(crate) async fn of(
        catalog: &Catalog,
        rules: &CanonicalRules,
    ) -> Result<Removed, HarvestError> {
        let removals = catalog.removals().await?;
        Ok(Removed::new(removals.iter().map(|removal| removal.url.as_str()), rules))
    }

    pub(crate) fn new<'u>(
        urls: impl IntoIterator<Item = &'u str>,
        rules: &CanonicalRules,
    ) -> Removed {
        let parsed = urls.into_iter().filter_map(|url| Url::parse(url).ok());
        let addresses: FxHashSet<String> = parsed.map(|url| canonical(&url, rules)).collect();
        Removed { addresses: addresses.into(), rules: rules.clone() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// Whether a record is one of theirs, of whatever kind.
    pub(crate) fn holds(&self, record: &Record) -> bool {
        if self.is_empty() {
            return false;
        }
        let url = record.target().and_then(|target| Url::parse(target).ok());
        url.is_some_and(|url| self.addresses.contains(&canonical(&url, &self.rules)))
    }
}
