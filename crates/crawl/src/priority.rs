//! Decides which request of a server comes first.
//!
//! Lower numbers come first. Fairness between servers is the scheduler's matter; these numbers only
//! order the queue of one server: seeds, then sitemaps (they tell what there is), then pages by
//! their distance from the seed, then the resources of pages.

use crate::FindKind;
use auslese_model::HopPath;
use serde::{Deserialize, Serialize};

/// The priority of each kind of request; lower comes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PriorityWeights {
    /// Seeds. Default: 0.
    pub seed: i16,
    /// Sitemap files. Default: 10.
    pub sitemap: i16,
    /// Pages, before their distance is added. Default: 100.
    pub page: i16,
    /// Added for every link between a page and its seed. Default: 10.
    pub per_hop: i16,
    /// Images, style sheets, scripts. Default: 2000, after the deepest page.
    pub resource: i16,
}

impl Default for PriorityWeights {
    fn default() -> PriorityWeights {
        PriorityWeights { seed: 0, sitemap: 10, page: 100, per_hop: 10, resource: 2000 }
    }
}

impl PriorityWeights {
    /// The priority of a request found as `kind`, at the end of `hops`; an empty path is a seed.
    pub fn priority(&self, kind: FindKind, hops: &HopPath) -> i16 {
        if hops.0.is_empty() {
            return self.seed;
        }
        match kind {
            FindKind::Sitemap => self.sitemap,
            FindKind::Embedded => self.resource,
            // The target of a redirect is wanted as much as what led to it.
            FindKind::Redirect if hops.0.trim_end_matches('R').is_empty() => self.seed,
            FindKind::Redirect if hops.0.trim_end_matches('R').ends_with('E') => self.resource,
            FindKind::Redirect | FindKind::Link | FindKind::Frame | FindKind::Listed => {
                let hops = i16::try_from(hops.links()).unwrap_or(i16::MAX);
                self.page.saturating_add(self.per_hop.saturating_mul(hops))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order() {
        #[rustfmt::skip]
        let in_order = [
            (FindKind::Link,     ""),
            (FindKind::Sitemap,  "P"),
            (FindKind::Listed,   "PS"),
            (FindKind::Link,     "LL"),
            (FindKind::Link,     &"L".repeat(60)),
            (FindKind::Embedded, "LE"),
        ];
        let weights = PriorityWeights::default();
        let numbers =
            in_order.map(|(kind, hops)| weights.priority(kind, &HopPath(hops.to_owned())));
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    }

    #[test]
    fn redirects_inherit() {
        let weights = PriorityWeights::default();
        let check = |kind, hops: &str| weights.priority(kind, &HopPath(hops.to_owned()));
        assert_eq!(check(FindKind::Redirect, "R"), weights.seed);
        assert_eq!(check(FindKind::Redirect, "LER"), weights.resource);
        assert_eq!(check(FindKind::Redirect, "LLR"), check(FindKind::Link, "LL"));
    }
}
