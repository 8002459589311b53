//! How a corpus is built in these tests, and looked at.

use crate::field::Field;
use auslese_catalog::{CatalogSettings, ListedDocument};
use auslese_corpus::language::{LanguageSettings, Recogniser};
use auslese_corpus::{CharsetNote, CorpusRules};
use auslese_crawl::CanonicalRules;
use auslese_harvest::{
    CorpusJob, CorpusProgress, CorpusReport, CorpusWatching, StoringRules, build_corpus,
};
use auslese_model::{Content, RequestId};
use auslese_testnet::demo;
use std::sync::OnceLock;
use tokio::sync::watch;

pub(crate) const INSTITUTE: &str = "http://linguistik.uni-hohenwerth.example/";

/// The demo's institute of linguistics, crawled.
pub(crate) fn institute() -> Field {
    let field = Field::new(demo::internet());
    field.crawl(&[INSTITUTE], |_| {});
    field
}

/// Loading the lists takes longer than most of these tests.
fn recogniser() -> Recogniser {
    static LOADED: OnceLock<Recogniser> = OnceLock::new();
    LOADED.get_or_init(|| Recogniser::german(LanguageSettings::default())).clone()
}

/// A document with what was read out of it.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) listed: ListedDocument,
    pub(crate) content: Option<Content>,
}

impl Judged {
    pub(crate) fn request(&self) -> RequestId {
        self.listed.document.request
    }

    /// Such as `kept all` or `left size`.
    pub(crate) fn verdict(&self) -> String {
        let verdict = &self.listed.document.verdict;
        format!("{} {}", verdict.keeping.as_str(), verdict.rule.as_str())
    }

    pub(crate) fn reason(&self) -> &str {
        &self.listed.document.verdict.reason
    }

    pub(crate) fn language(&self) -> Option<&str> {
        let note = self.content.as_ref()?.language.as_ref()?;
        Some(&note.language)
    }

    pub(crate) fn trouble(&self) -> &str {
        self.content.as_ref().and_then(|content| content.trouble.as_deref()).unwrap_or("")
    }
}

impl Field {
    /// Builds the corpus to the end.
    pub(crate) fn corpus(&self, change: impl FnOnce(&mut CorpusJob)) -> CorpusReport {
        let (_go_on, stop) = watch::channel(false);
        let (progress, _) = watch::channel(CorpusProgress::default());
        self.corpus_watched(change, CorpusWatching { progress, stop })
    }

    /// A corpus of German pages.
    pub(crate) fn german_corpus(&self) -> CorpusReport {
        self.corpus(|job| job.rules.languages = vec!["de".to_owned()])
    }

    pub(crate) fn corpus_watched(
        &self,
        change: impl FnOnce(&mut CorpusJob),
        watching: CorpusWatching,
    ) -> CorpusReport {
        let mut job = CorpusJob {
            canonical: CanonicalRules::default(),
            catalog: self.catalog(),
            catalog_settings: CatalogSettings::default(),
            rules: CorpusRules::default(),
            recogniser: recogniser(),
            storing: StoringRules::default(),
            mirror: false,
            charset_note: CharsetNote::default(),
            again: false,
            worker: "test".to_owned(),
            config_text: String::new(),
        };
        change(&mut job);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(build_corpus(&self.dir(), job, watching)).unwrap()
    }

    pub(crate) fn judged(&self, url: &str) -> Judged {
        self.with_catalog(async |catalog| {
            let listed = catalog.document(url).await.unwrap().pop();
            let listed = listed.unwrap_or_else(|| panic!("{url} was not judged"));
            let content = match listed.document.content {
                Some(capture) => catalog.content(capture).await.unwrap(),
                None => None,
            };
            Judged { listed, content }
        })
    }

    /// All documents.
    pub(crate) fn documents(&self) -> Vec<ListedDocument> {
        self.with_catalog(async |catalog| {
            let filter = auslese_catalog::DocumentFilter::default();
            catalog.documents(&filter, RequestId(0), 1_000_000).await.unwrap()
        })
    }
}

/// What the stage does, in its order.
const STEPS: [&str; 6] = ["examine", "settle", "judge", "mirror", "compare", "count"];

/// Builds the corpus and stops as soon as a step, or a later one, shows progress.
pub(crate) fn stop_when(
    field: &Field,
    step: &str,
    change: impl FnOnce(&mut CorpusJob),
) -> CorpusReport {
    let (progress, mut seen) = watch::channel(CorpusProgress::default());
    let (stop, stopped) = watch::channel(false);
    let place = |step: &str| STEPS.iter().position(|known| *known == step);
    let wanted = place(step);
    let watcher = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            while seen.changed().await.is_ok() {
                let reached = serde_json::json!(seen.borrow().step);
                if place(reached.as_str().unwrap()) >= wanted {
                    stop.send_replace(true);
                }
            }
        });
    });
    let report = field.corpus_watched(change, CorpusWatching { progress, stop: stopped });
    watcher.join().unwrap();
    report
}
