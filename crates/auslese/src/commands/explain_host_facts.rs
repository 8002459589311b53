//! What a harvest knows about one host, for explaining what its scope says.

use super::catalog_access::catalog_failure;
use crate::messages::Failure;
use crate::organisation;
use auslese_catalog::Catalog;
use auslese_crawl::{HostFacts, HostVerdict};
use auslese_discover::judge::in_short;
use auslese_model::{HostName, Membership, Verdict};
use std::net::IpAddr;
use std::path::Path;

/// The stored verdict on a host, and whether there is a profile to judge by.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) has_profile: bool,
    verdict: Option<Verdict>,
}

impl Judged {
    pub(super) async fn of(
        host: Option<HostName>,
        catalog: Option<&Catalog>,
        dir: &Path,
    ) -> Result<Judged, Failure> {
        let verdict = match (&host, catalog) {
            (Some(host), Some(catalog)) => catalog.verdict(host).await.map_err(catalog_failure)?,
            _ => None,
        };
        Ok(Judged { has_profile: !organisation::read(dir)?.is_empty(), verdict })
    }

    pub(super) fn in_short(&self) -> Option<String> {
        self.verdict.as_ref().map(in_short)
    }
}

impl HostFacts for Judged {
    fn addresses(&self, _host: &HostName) -> Option<Vec<IpAddr>> {
        None
    }

    fn verdict(&self, host: &HostName) -> HostVerdict {
        match &self.verdict {
            Some(verdict) if verdict.host == *host => match verdict.membership {
                Membership::Member => HostVerdict::Member(verdict.label.clone()),
                Membership::Foreign => HostVerdict::Foreign,
                Membership::Unsure => HostVerdict::Unknown,
            },
            _ => HostVerdict::Unknown,
        }
    }
}
