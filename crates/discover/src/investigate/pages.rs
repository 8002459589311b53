//! What a host's own pages say: where its front page leads, and whom its imprint names.

use super::Investigator;
use crate::gather::{read_page, tokens};
use crate::imprint::{ImprintText, imprint_addresses};
use crate::judge::{Fact, FrontPage, Imprint, Observed, Told, own_mail_domain, own_names};
use crate::lookup;
use crate::registrable::registrable_domain;
use crate::similarity::HolderName;
use auslese_markup::Page;
use auslese_model::{Cause, CauseKind, HostName, Timestamp};
use url::Url;

/// Hosts linked from a page that are noted.
const MAX_LINKED_HOSTS: usize = 200;

impl Investigator {
    pub(super) async fn front_page(&self, host: &HostName, observed: &mut Observed) {
        let (page, read) = match self.page_of(host).await {
            Ok(found) => found,
            Err(cause) => return observed.front_page = Fact::Failed(cause),
        };
        let (at, source) = (Timestamp::now(), page.url.to_string());
        let tokens = tokens::of_page(&read).into_iter();
        observed.tokens.extend(tokens.map(|value| Told { value, source: source.clone(), at }));
        let redirects_to = HostName::of(&page.url).filter(|end| end != host);
        let links_to = linked_hosts(&read, &page.url);
        observed.front_page = Fact::told(FrontPage { redirects_to, links_to }, source, at);
    }

    /// The front page, over http or else https.
    async fn page_of(&self, host: &HostName) -> Result<(lookup::Page, Page), Cause> {
        let mut failed: Option<Cause> = None;
        for scheme in ["http", "https"] {
            let Ok(url) = Url::parse(&format!("{scheme}://{host}/")) else { continue };
            match self.shared.lookups.page(&url).await {
                Ok(page) => {
                    let read = read_page(&page);
                    return Ok((page, read));
                }
                // Of two failures the one counts that may pass.
                Err(cause) => {
                    let keep = failed.filter(|known| known.kind.is_temporary());
                    failed = keep.or(Some(cause));
                }
            }
        }
        Err(failed.unwrap_or_else(|| Cause::new(CauseKind::Url, "the host has no web address")))
    }

    pub(super) async fn imprint(&self, host: &HostName) -> Fact<Option<Imprint>> {
        let (page, read) = match self.page_of(host).await {
            Ok(found) => found,
            Err(cause) => return Fact::Failed(cause),
        };
        // Whoever redirects to a site does not own its imprint.
        if !HostName::of(&page.url).is_some_and(|end| is_same_site(&end, host)) {
            return Fact::told(None, page.url.to_string(), Timestamp::now());
        }
        let mut failed = None;
        for url in imprint_addresses(&read, &page.url) {
            let page = match self.shared.lookups.page(&url).await {
                Ok(page) if page.status == 200 => page,
                Ok(_) => continue,
                Err(cause) => {
                    failed = Some(cause);
                    continue;
                }
            };
            let read = read_page(&page);
            let text = ImprintText::read(&read.text());
            let imprint = Imprint {
                party: self.compared(&text),
                vat_ids: text.vat_ids,
                links_to: linked_hosts(&read, &page.url),
            };
            return Fact::told(Some(imprint), page.url.to_string(), Timestamp::now());
        }
        match failed.filter(|cause| cause.kind.is_temporary()) {
            Some(cause) => Fact::Failed(cause),
            None => Fact::told(None, page.url.to_string(), Timestamp::now()),
        }
    }

    /// The imprint as it compares best with any of the organisations.
    fn compared(&self, imprint: &ImprintText) -> crate::Party {
        let shared = &*self.shared;
        let names: Vec<HolderName> =
            shared.profiles.iter().flat_map(own_names).map(HolderName::read).collect();
        let alike = |line: &str| {
            let line = HolderName::read(line);
            names.iter().map(|name| name.compare(&line).score).fold(0.0, f64::max)
        };
        let own_mail = |email: &str| {
            shared.profiles.iter().any(|profile| own_mail_domain(profile, email).is_some())
        };
        imprint.party(alike, shared.settings.similarity, own_mail)
    }
}

fn is_same_site(one: &HostName, other: &HostName) -> bool {
    one == other
        || registrable_domain(one).is_some_and(|domain| registrable_domain(other) == Some(domain))
}

fn linked_hosts(page: &Page, here: &Url) -> Vec<HostName> {
    let mut hosts = Vec::new();
    for found in page.links().resolve(here) {
        if let Some(host) = HostName::of(&found.url)
            && hosts.len() < MAX_LINKED_HOSTS
            && !hosts.contains(&host)
        {
            hosts.push(host);
        }
    }
    hosts
}
