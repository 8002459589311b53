//! What of a harvest's configuration can be seen and changed from pages. The file belongs to a person: it is read each
//! time, and changed only where a setting changes.

use auslese_corpus::CorpusRules;
use auslese_harvest::{CorpusJob, DescribeJob, StoringRules};
use std::fmt::Debug;
use std::path::PathBuf;

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

    /// How documents are described at the moment: files of heuristics and weights may change while pages are shown.
    fn describing(&self) -> Result<DescribeSets, String>;
}

/// What documents are described with.
#[derive(Debug)]
pub struct DescribeSets {
    /// The work of `auslese describe`.
    pub job: DescribeJob,
    /// Where weights of pages that were measured on this harvest go.
    pub weights_file: PathBuf,
    /// The same for documents made of pages.
    pub paper_weights_file: PathBuf,
}

/// What decides on the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusSetup {
    pub rules: CorpusRules,
    pub storing: StoringRules,
}
