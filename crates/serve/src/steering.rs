//! What of a harvest's configuration can be seen and changed from pages. The file belongs to a person: it is read each
//! time, and changed only where a setting changes.

use auslese_corpus::CorpusRules;
use auslese_harvest::{CorpusJob, StoringRules};
use std::fmt::Debug;

/// The configuration of a harvest, as whoever opened it knows it. Errors are words for people, in English.
pub trait Configuration: Debug + Send + Sync {
    /// The rules of the corpus as they stand now, and which bodies the crawl stores.
    fn corpus(&self) -> Result<CorpusSetup, String>;

    /// The lines that say the same in the configuration, for settings that differ from what stands there now.
    fn corpus_lines(&self, rules: &CorpusRules) -> Result<String, String>;

    /// Writes these rules into the file; everything else in it stays as it is.
    fn set_corpus(&self, rules: &CorpusRules) -> Result<(), String>;

    /// The work of `auslese corpus`.
    fn corpus_job(&self) -> Result<CorpusJob, String>;
}

/// What decides on the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusSetup {
    pub rules: CorpusRules,
    pub storing: StoringRules,
}
