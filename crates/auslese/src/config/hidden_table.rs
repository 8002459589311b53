//! The table `[hidden]`: which databases are asked, and how much.

use super::schema::Kind::{List, Switch, Text, Whole};
use super::schema::Preset::{Is, Unset};
use super::schema::Table;
use super::tables::setting;
use super::text_forms::{HEADER_WORDS, HOST_PATTERN, WEB_URL};
use auslese_harvest::HiddenSettings;
use auslese_hidden::{PlanSettings, ProbingSettings};
use serde::Deserialize;
use url::Url;

#[rustfmt::skip]
pub(super) const HIDDEN: Table = Table { path: "hidden", about: "Databases behind forms and other interfaces.", settings: &[
    setting("after_crawl", Switch, Is("true"),
        "Whether `auslese run` and `auslese recrawl` ask the databases whose providers agree to it."),
    setting("queries", Whole(1..=1_000_000), Is("2000"),
        "Most queries for one database that its provider has described; one that needs more is not asked."),
    setting("browser_defaults", Switch, Is("false"),
        "Whether fields that nothing is asked of are sent as a browser sends them, even if that narrows every answer."),
    setting("repositories", List(&Text(WEB_URL)), Is("[]"),
        "Addresses of repositories (OAI-PMH) to be asked, besides those that pages announce."),
    setting("probe", List(&Text(HOST_PATTERN)), Is("[]"),
        "Hosts whose search forms may be asked although nobody described them; \".uni.example\" means a host and all below it."),
    setting("probe_queries", Whole(1..=1_000_000), Is("300"),
        "Most queries for one such form."),
    setting("any_ending", Text(HEADER_WORDS), Unset,
        "The sign for any ending that these forms know, such as \"%\" or \"*\"; with it cut answers are followed up by beginnings of words."),
]};

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HiddenTable {
    pub(crate) after_crawl: bool,
    pub(crate) queries: u64,
    pub(crate) browser_defaults: bool,
    pub(crate) repositories: Vec<Url>,
    pub(crate) probe: Vec<String>,
    pub(crate) probe_queries: u64,
    pub(crate) any_ending: Option<String>,
}

impl HiddenTable {
    pub(crate) fn plan(&self) -> PlanSettings {
        let (budget, browser_defaults) = (self.queries, self.browser_defaults);
        PlanSettings { budget, browser_defaults, truncate: false }
    }

    pub(crate) fn settings(&self) -> HiddenSettings {
        HiddenSettings {
            plan: self.plan(),
            probed_hosts: self.probe.clone(),
            probing: ProbingSettings {
                queries: self.probe_queries,
                any_ending: self.any_ending.clone(),
            },
            repositories: self.repositories.clone(),
        }
    }
}
