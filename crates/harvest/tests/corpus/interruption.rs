//! Stopped, repeated, judged again: nothing is lost and nothing is done twice.

use crate::building::institute;
use crate::field::Field;
use auslese_harvest::{CorpusProgress, CorpusReport, CorpusWatching};
use auslese_model::{Keeping, Timestamp};
use auslese_testnet::{Internet, generated_site};
use std::collections::BTreeMap;
use tokio::sync::watch;

/// When each document was last judged differently.
fn judged_at(field: &Field) -> BTreeMap<String, Timestamp> {
    field.documents().into_iter().map(|it| (it.url, it.judged_at)).collect()
}

#[test]
fn a_stopped_examination_goes_on_where_it_was() {
    const PAGES: usize = 620;
    let field = Field::new(Internet::new().site(generated_site("www.uni.example", PAGES, 7)));
    field.crawl(&["http://www.uni.example/"], |_| {});
    let stored = field.captures().len() as u64;

    let (progress, mut seen) = watch::channel(CorpusProgress::default());
    let (stop, stopped) = watch::channel(false);
    let watcher = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            while seen.changed().await.is_ok() {
                stop.send_replace(true);
            }
        });
    });
    let report = field.corpus_watched(|_| {}, CorpusWatching { progress, stop: stopped });
    watcher.join().unwrap();
    assert!(report.stopped && report.rules.is_empty(), "{report:?}");
    assert!(report.examined > 0 && report.examined < stored, "{report:?}");

    let rest = field.corpus(|_| {});
    assert_eq!(rest.examined + report.examined, stored);
    assert!(!rest.stopped);
    assert_eq!(rest.documents(), field.documents().len() as u64);
}

#[test]
fn what_did_not_change_is_not_written() {
    let field = institute();
    let first = field.german_corpus();
    let before = judged_at(&field);
    let again = field.german_corpus();
    assert_eq!((again.examined, &again.rules), (0, &first.rules));
    assert_eq!(judged_at(&field), before, "no document was written");
}

/// Bodies are not even there any more: other rules need only what was read out of them.
#[test]
fn other_rules_judge_again_without_reading_bodies() {
    let field = institute();
    field.german_corpus();
    let before = judged_at(&field);
    for file in field.warc_files() {
        std::fs::write(file, "").unwrap();
    }
    let report = field.corpus(|job| {
        job.rules.languages = vec!["en".to_owned()];
        job.rules.max_size = Some(1_000_000);
    });
    assert_eq!(report.examined, 0);
    let url = |path: &str| format!("http://linguistik.uni-hohenwerth.example/{path}");
    assert_eq!(field.judged(&url("english.html")).verdict(), "kept all");
    assert_eq!(field.judged(&url("korpus.html")).verdict(), "left language");
    assert_eq!(field.judged(&url("wortliste.html")).verdict(), "left language");
    let after = judged_at(&field);
    assert!(after[&url("english.html")] > before[&url("english.html")]);
    assert_eq!(after[&url("skript.html")], before[&url("skript.html")], "its reason is the same");
    kept_is_what_was_reported(&field, &report);
}

fn kept_is_what_was_reported(field: &Field, report: &CorpusReport) {
    let documents = field.documents().into_iter();
    let kept = documents.filter(|it| it.document.verdict.keeping == Keeping::Kept);
    assert_eq!(kept.count() as u64, report.with(Keeping::Kept));
}

/// Asked to, everything is read again, with the same result.
#[test]
fn everything_can_be_read_again() {
    let field = institute();
    let first = field.german_corpus();
    let again = field.corpus(|job| {
        job.rules.languages = vec!["de".to_owned()];
        job.again = true;
    });
    assert_eq!((again.examined, again.rules), (first.examined, first.rules));
}
