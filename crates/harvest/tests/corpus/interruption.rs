//! Stopped, repeated, judged again: nothing is lost and nothing is done twice.

use crate::building::{institute, stop_when};
use crate::field::Field;
use auslese_harvest::{CorpusJob, CorpusReport};
use auslese_model::{Keeping, Timestamp};
use auslese_testnet::{Internet, Site, generated_site};
use std::collections::BTreeMap;

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

    let report = stop_when(&field, "examine", |_| {});
    assert!(report.stopped && report.rules.is_empty(), "{report:?}");
    assert!(report.examined > 0 && report.examined < stored, "{report:?}");

    let rest = field.corpus(|_| {});
    assert!(rest.examined + report.examined >= stored, "{rest:?}");
    assert!(rest.examined < stored, "only short texts are read twice: {rest:?}");
    assert!(!rest.stopped);
    assert_eq!(rest.documents(), field.documents().len() as u64);
}

/// Captions first, then long pages: only these tell in which language the site is.
fn captions_before_texts() -> Site {
    let links: String = (0..600).map(|it| format!("<a href='/bild/{it}'>x</a> ")).collect();
    let more: String = (0..20).map(|it| format!("<a href='/text/{it}'>y</a> ")).collect();
    let mut site = Site::new("http://www.uni.example").page("/", links + &more);
    for number in 0..600 {
        site = site.page(&format!("/bild/{number}"), format!("<p>Hotel Radio {number}</p>"));
    }
    for number in 0..20 {
        let text = "Das Wehr ist wegen Hochwassers geschlossen, und niemand weiß, wann es wieder \
                    geöffnet wird. "
            .repeat(8);
        site = site.page(&format!("/text/{number}"), format!("<p>{text} {number}</p>"));
    }
    site
}

/// Short texts take the language of their site, which is not known before all is read out.
#[test]
fn short_texts_are_settled_after_an_interruption() {
    let [whole, interrupted] = [(); 2].map(|()| {
        let field = Field::new(Internet::new().site(captions_before_texts()));
        field.crawl(&["http://www.uni.example/"], |_| {});
        field
    });
    let expected = whole.german_corpus();
    let german = |job: &mut CorpusJob| job.rules.languages = vec!["de".to_owned()];
    for step in ["examine", "settle"] {
        let report = stop_when(&interrupted, step, german);
        assert!(report.stopped, "{step}: {report:?}");
    }
    let report = interrupted.german_corpus();
    assert_eq!(report.rules, expected.rules);
    assert_eq!(interrupted.german_corpus().examined, 0, "nothing is left to be settled");
    let reasons = |field: &Field| -> BTreeMap<String, String> {
        let documents = field.documents().into_iter();
        documents.map(|it| (it.url, it.document.verdict.reason)).collect()
    };
    assert_eq!(reasons(&interrupted), reasons(&whole));
    assert_eq!(interrupted.judged("http://www.uni.example/bild/7").language(), Some("de"));
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
