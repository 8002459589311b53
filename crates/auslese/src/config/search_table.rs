//! The table `[search]`: what is indexed how, and how questions are carried from one vocabulary to another.

use super::schema::Kind::{self, Choice, List, Records, Size, Switch, Text};
use super::schema::Preset::{Is, Required, Unset};
use super::schema::{Setting, Table};
use super::tables::setting;
use super::text_forms::{HOST_PATTERN, WORDS};
use serde::Deserialize;

const MEASURE: Kind = Choice(&["conditional", "jaccard", "equivalence", "log-likelihood"]);

#[rustfmt::skip]
pub(super) const SEARCH: Table = Table { path: "search", about: "How the harvest is searched.", settings: &[
    setting("after_run", Switch, Is("true"),
        "Whether `auslese run` and `auslese recrawl` bring the search index up to date at their end."),
    setting("memory", Size(32 << 20), Is("\"256 MiB\""),
        "The most memory for the part of the index that is not written yet."),
    setting("collections", Records(COLLECTION), Is("[]"),
        "Parts of the harvest that are indexed with a vocabulary of their own: { name = \"library\", hosts = [\".ub.uni-giessen.example\"], vocabulary = \"subjects\" }."),
    setting("transfer", Choice(&["off", "exact", "all"]), Is("\"exact\""),
        "Which terms of other vocabularies are searched, too: none, those that mean the same or nearly, or also wider, narrower, related and learnt ones."),
    setting("measure", MEASURE, Is("\"equivalence\""),
        "How learnt terms are compared."),
]};

#[rustfmt::skip]
const COLLECTION: &[Setting] = &[
    setting("name", Text(WORDS), Required, "Its name."),
    setting("hosts", List(&Text(HOST_PATTERN)), Is("[]"), "Its hosts; \".uni.example\" means a host and all below it, [] all that no collection before has."),
    setting("vocabulary", Text(WORDS), Unset, "The vocabulary its documents are indexed with."),
    setting("model", Text(WORDS), Unset, "What was learnt from its documents, by name."),
];

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct SearchTable {
    pub(crate) after_run: bool,
    pub(crate) memory: u64,
    pub(crate) collections: Vec<Collection>,
    pub(crate) transfer: TransferChoice,
    pub(crate) measure: String,
}

/// A part of the harvest with a vocabulary of its own.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Collection {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) hosts: Vec<String>,
    pub(crate) vocabulary: Option<String>,
    pub(crate) model: Option<String>,
}

/// Which terms of other vocabularies are searched, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TransferChoice {
    /// None.
    Off,
    /// Those that mean the same or nearly.
    Exact,
    /// Also wider, narrower, related and learnt ones.
    All,
}

impl From<TransferChoice> for auslese_inquiry::TransferChoice {
    fn from(choice: TransferChoice) -> auslese_inquiry::TransferChoice {
        match choice {
            TransferChoice::Off => auslese_inquiry::TransferChoice::Off,
            TransferChoice::Exact => auslese_inquiry::TransferChoice::Exact,
            TransferChoice::All => auslese_inquiry::TransferChoice::All,
        }
    }
}
