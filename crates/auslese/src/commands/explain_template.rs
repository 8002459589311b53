//! What `auslese explain` says about the template of an address: how its kind has done so far.

use super::catalog_access::catalog_failure;
use crate::config::Config;
use crate::messages::Failure;
use auslese_catalog::{Catalog, StoredTemplate};
use auslese_crawl::{Template, TemplateCounts, TemplateStanding};
use auslese_model::HostName;
use serde::Serialize;
use url::Url;

/// The template of an address, and its family.
#[derive(Debug, Serialize)]
pub(super) struct TemplateStory {
    template: String,
    /// Set if addresses of this kind are held back: the template that does it.
    held_by: Option<String>,
    accounts: Vec<Account>,
}

#[derive(Debug, Serialize)]
struct Account {
    template: String,
    state: &'static str,
    reason: Option<String>,
    offered: u64,
    withheld: u64,
    fetched: u64,
    novel: u64,
    recent_pages: u64,
    recent_novel: u64,
}

/// What is known of the template of an address.
pub(super) async fn template_story(
    url: &Url,
    config: &Config,
    catalog: Option<&Catalog>,
) -> Result<TemplateStory, Failure> {
    let template = Template::of(url);
    let mut stored = Vec::new();
    if let (Some(catalog), Some(host)) = (catalog, HostName::of(url)) {
        let queues = catalog.host_queues(&host).await.map_err(catalog_failure)?;
        let here = queues.into_iter().filter(|queue| {
            queue.origin.scheme.as_str() == url.scheme()
                && Some(queue.origin.port) == url.port_or_known_default()
        });
        let servers: Vec<_> = here.map(|queue| queue.server).collect();
        stored = catalog.templates_of(&servers).await.map_err(catalog_failure)?;
    }
    let settings = &config.crawl.traps;
    let held_by = template.held_by(|text| {
        let stored = stored.iter().find(|stored| stored.template == text)?;
        let (state, by_hand) = (stored.state, stored.is_held_by_hand());
        Some(TemplateStanding::of(state, by_hand, &counts(stored), settings))
    });
    let held_by = held_by.filter(|_| settings.quarantine);
    let own = [Some(template.text.as_str()), template.family.as_deref(), held_by];
    let accounts = stored
        .iter()
        .filter(|stored| own.contains(&Some(stored.template.as_str())))
        .map(account)
        .collect();
    let held_by = held_by.map(str::to_owned);
    Ok(TemplateStory { template: template.text, held_by, accounts })
}

fn counts(stored: &StoredTemplate) -> TemplateCounts {
    let StoredTemplate { fetched, novel, recent, leading, .. } = *stored;
    // Whether a family varies is for the crawl to say, which has seen it.
    TemplateCounts { fetched, novel, recent, leading, variants: u64::MAX }
}

fn account(stored: &StoredTemplate) -> Account {
    let (recent_pages, recent_novel) = counts(stored).recently();
    Account {
        template: stored.template.clone(),
        state: stored.state.as_str(),
        reason: stored.reason.clone(),
        offered: stored.offered,
        withheld: stored.withheld,
        fetched: stored.fetched,
        novel: stored.novel,
        recent_pages,
        recent_novel,
    }
}

impl TemplateStory {
    pub(super) fn push_text(&self, text: &mut String) {
        let held = match &self.held_by {
            Some(holder) => format!(", held back: {holder} is quarantined"),
            None => String::new(),
        };
        text.push_str(&format!("\ntemplate: {}{held}\n", self.template));
        for account in &self.accounts {
            let Account { template, state, offered, withheld, fetched, novel, .. } = account;
            text.push_str(&format!(
                "  {template}: {state}, {offered} addresses found, {fetched} pages, {novel} of them \
                 with something new ({} of the last {})",
                account.recent_novel, account.recent_pages
            ));
            if *withheld > 0 {
                text.push_str(&format!(", {withheld} withheld"));
            }
            if let Some(reason) = &account.reason {
                text.push_str(&format!("\n    rule: {reason}"));
            }
            text.push('\n');
        }
    }
}
