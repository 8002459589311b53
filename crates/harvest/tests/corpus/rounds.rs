//! A harvest that is repeated: what has changed, and what that costs.

use crate::building::{INSTITUTE, institute, stop_when};
use crate::field::Field;
use auslese_catalog::{Round, RoundId, VersionChange};
use auslese_corpus::{Folding, FrequencyList, Trend, word_diff};
use auslese_harvest::stored_text;
use auslese_model::{Capture, CaptureId, RequestId, State, Storage};
use auslese_testnet::{Answer, Internet, Site, demo};
use std::collections::{BTreeMap, BTreeSet};

/// Lets time pass and harvests again.
fn second_round(field: &Field) {
    field.web.begin_second_round();
    field.crawl(&[INSTITUTE], |job| job.recrawl = true);
}

fn changes(field: &Field, round: i64) -> BTreeMap<String, VersionChange> {
    let documents = field.documents();
    field.with_catalog(async |catalog| {
        let mut changes = BTreeMap::new();
        for listed in documents {
            for dated in catalog.versions_of(listed.document.request).await.unwrap() {
                if dated.version.round == RoundId(round) {
                    changes.insert(listed.url.clone(), dated.version.change);
                }
            }
        }
        changes
    })
}

fn rounds(field: &Field) -> Vec<Round> {
    field.with_catalog(async |catalog| catalog.rounds().await.unwrap())
}

fn expected_changes() -> BTreeMap<String, VersionChange> {
    let change = |change: demo::Change| match change {
        demo::Change::Text => VersionChange::Changed,
        demo::Change::Markup => VersionChange::Markup,
        demo::Change::Vanished => VersionChange::Vanished,
        demo::Change::New => VersionChange::New,
    };
    demo::changes().into_iter().map(|(url, what)| (url.to_owned(), change(what))).collect()
}

#[test]
fn a_second_round_finds_exactly_what_changed() {
    let field = institute();
    field.german_corpus();
    let first = changes(&field, 1);
    assert!(first.values().all(|change| *change == VersionChange::New), "{first:?}");
    let before = field.all_captures();

    second_round(&field);
    let report = field.german_corpus();
    assert!(!report.stopped);

    let second = changes(&field, 2);
    let changed: BTreeMap<String, VersionChange> =
        second.clone().into_iter().filter(|(_, it)| *it != VersionChange::Unchanged).collect();
    assert_eq!(changed, expected_changes());
    let known: BTreeSet<&String> = first.keys().chain(changed.keys()).collect();
    assert_eq!(second.keys().collect::<BTreeSet<_>>(), known, "every document was looked at");

    let listed = rounds(&field);
    assert_eq!(listed.len(), 2);
    for (round, changes) in listed.iter().zip([&first, &second]) {
        let mut counts = BTreeMap::new();
        changes.values().for_each(|change| *counts.entry(*change).or_insert(0) += 1);
        assert_eq!(round.changes, counts, "round {}", round.id.0);
        assert!(round.ended.is_some() && round.words > Some(500), "{round:?}");
    }
    // A body is read out for each change, each new page and each page that says it is gone.
    assert_eq!(report.examined, changed.len() as u64);
    unchanged_documents_are_cheap(&field, &before);
    vanished_documents_are_gone(&field);
    the_words_that_changed(&field);
    no_round_begins_by_itself(&field);
}

/// Those with a mark cost an answer without body, the others at least no second copy.
fn unchanged_documents_are_cheap(field: &Field, before: &[(String, Capture)]) {
    let all = field.all_captures();
    let (_, last) = before.last().unwrap();
    let second: Vec<&(String, Capture)> =
        all.iter().filter(|(_, capture)| capture.id > last.id).collect();
    let changed = expected_changes();
    let (mut confirmed, mut equal) = (0, 0);
    for (url, capture) in second {
        let Some((_, old)) = before.iter().find(|(known, _)| known == url) else {
            continue;
        };
        if changed.contains_key(url) || old.status != 200 {
            continue;
        }
        let head = String::from_utf8_lossy(&old.head).to_lowercase();
        let Storage::Revisit { original, .. } = &capture.storage else {
            panic!("{url} was stored again: {capture:?}")
        };
        assert_eq!(*original, old.id, "{url}");
        let record = field.record(capture).record;
        assert_eq!(record.kind(), "revisit", "{url}");
        let profile = record.fields.get("WARC-Profile").unwrap().to_owned();
        if head.contains("\r\netag:") {
            confirmed += 1;
            assert_eq!(capture.status, 304, "{url}");
            assert!(profile.ends_with("/revisit/server-not-modified"), "{url}: {profile}");
        } else {
            equal += 1;
            assert_eq!(capture.status, 200, "{url}");
            assert!(profile.ends_with("/revisit/identical-payload-digest"), "{url}: {profile}");
        }
        let judged = field.judged(url);
        assert_eq!(judged.listed.document.content, Some(old.id), "{url} shares what was read out");
    }
    assert!(confirmed > 10 && equal > 2, "{confirmed} {equal}");
    field.verify();
}

fn vanished_documents_are_gone(field: &Field) {
    let expected: BTreeSet<String> = expected_changes()
        .into_iter()
        .filter(|(_, change)| *change == VersionChange::Vanished)
        .map(|(url, _)| url)
        .collect();
    let documents = field.documents();
    let gone: BTreeSet<String> =
        documents.into_iter().filter(|it| it.document.gone).map(|it| it.url).collect();
    assert_eq!(gone, expected);
    for url in gone {
        assert_eq!(field.judged(&url).verdict(), "left status", "{url}");
    }
}

fn the_words_that_changed(field: &Field) {
    let judged = field.judged(&format!("{INSTITUTE}korpus.html"));
    let (versions, old, new) = field.with_catalog(async |catalog| {
        let versions = catalog.versions_of(judged.request()).await.unwrap();
        let second = versions[1].version;
        let text = async |capture: Option<CaptureId>| {
            stored_text(&field.dir(), catalog, capture.unwrap()).await.unwrap().unwrap()
        };
        let (old, new) = (text(second.previous).await, text(second.capture).await);
        (versions, old, new)
    });
    let diff = word_diff(&old, &new);
    let shown = diff.text(3);
    assert!(shown.contains("[-viertausend-]"), "{shown}");
    assert!(shown.contains("{+fünftausend+}") || shown.contains("{+fünftausend "), "{shown}");
    assert!(shown.contains("zwölf mit Besucherzähler"), "{shown}");
    let words = versions[1].version.words.unwrap();
    assert_eq!((words.added, words.removed), (5, 1), "{shown}");
    assert!(words.kept > 20);

    let [old, new] = [1, 2].map(|round| {
        field.with_catalog(async |catalog| {
            let mut list = FrequencyList::new(Folding::AsWritten);
            for (word, count) in catalog.round_words(RoundId(round), "", 100_000).await.unwrap() {
                list.add(word, count);
            }
            list
        })
    });
    for (round, list) in rounds(field).iter().zip([&old, &new]) {
        assert_eq!(round.words, Some(list.total()));
        assert_eq!(round.distinct_words, Some(list.forms() as u64));
    }
    let since = new.since(&old);
    let of = |trend: Trend| -> BTreeSet<&str> {
        since.iter().filter(|it| it.trend == trend).map(|it| it.form.as_str()).collect()
    };
    for word in ["Besucherzähler", "fünftausend", "Holzwurm", "Tragen"] {
        assert!(of(Trend::New).contains(word), "{word}");
    }
    // The third part of the handbook, which is gone, and the old number on one page of three.
    assert!(!of(Trend::Vanished).contains("viertausend"), "the copies still say so");
    assert!(!of(Trend::Vanished).is_empty());
}

/// A crawl after a round asks for nothing a second time.
fn no_round_begins_by_itself(field: &Field) {
    let asked = field.web.request_count();
    field.crawl(&[INSTITUTE], |_| {});
    assert_eq!(field.web.request_count(), asked);
    assert_eq!(rounds(field).len(), 2);
}

/// A recrawl that was stopped leaves documents in the queue. They have not left the corpus.
#[test]
fn documents_that_wait_for_a_second_look_stay_in_the_corpus() {
    let field = institute();
    let first = field.german_corpus();
    field.with_catalog(async |catalog| {
        catalog.begin_recrawl(auslese_model::Timestamp::now()).await.unwrap();
    });
    let (state, _) = field.state(INSTITUTE).unwrap();
    assert_eq!(state, State::Queued);
    let second = field.german_corpus();
    assert_eq!(second.rules, first.rules);
    assert_eq!(second.examined, 0);
}

/// Three rounds, one of them with a server that fails.
#[test]
fn an_error_is_no_end() {
    let page = "<p>Der Pegel steht heute bei zwei Metern, und das Wasser ist klar.</p>";
    let site =
        Site::new("http://www.uni.example").page("/", format!("{page}<a href='/pegel'>")).answer(
            "/pegel",
            Answer::sequence([Answer::page(page), Answer::error(500), Answer::page(page)]),
        );
    let field = Field::new(Internet::new().site(site));
    let url = "http://www.uni.example/pegel";
    let mut seen = Vec::new();
    for round in 1..=3 {
        field.crawl(&["http://www.uni.example/"], |job| {
            job.recrawl = round > 1;
            job.crawl.retry.attempts = 1;
        });
        field.corpus(|job| job.mirror = true);
        let judged = field.judged(url);
        assert_eq!(judged.verdict(), "kept all", "round {round}");
        let path = judged.listed.document.mirror_path.clone().unwrap();
        assert!(field.dir().mirror().join(path).is_file(), "round {round}");
        seen.push((changes(&field, round)[url], judged.listed.document.gone));
    }
    use VersionChange::{Error, New, Unchanged};
    assert_eq!(seen, [(New, false), (Error, false), (Unchanged, false)]);
}

/// Stopped while versions are compared or words counted: the same command goes on.
#[test]
fn a_comparison_that_was_stopped_goes_on() {
    let field = institute();
    field.german_corpus();
    second_round(&field);
    for step in ["judge", "compare", "count"] {
        stop_when(&field, step, |job| job.rules.languages = vec!["de".to_owned()]);
    }
    let report = field.german_corpus();
    assert!(!report.stopped);
    let changed: BTreeMap<String, VersionChange> = changes(&field, 2)
        .into_iter()
        .filter(|(_, change)| *change != VersionChange::Unchanged)
        .collect();
    assert_eq!(changed, expected_changes());
    assert!(rounds(&field)[1].words > Some(500));
    let words = rounds(&field)[1].words;

    // Other rules, stopped before the words were counted again.
    let stopped = stop_when(&field, "judge", |job| job.rules.languages = vec!["en".to_owned()]);
    assert!(stopped.stopped);
    field.corpus(|job| job.rules.languages = vec!["en".to_owned()]);
    assert_ne!(rounds(&field)[1].words, words, "words are those of the corpus as it is");
}

#[test]
fn numbers_of_requests_are_stable() {
    let field = institute();
    field.german_corpus();
    let numbers = |field: &Field| -> BTreeMap<String, RequestId> {
        field.documents().into_iter().map(|it| (it.url, it.document.request)).collect()
    };
    let before = numbers(&field);
    second_round(&field);
    field.german_corpus();
    let after = numbers(&field);
    assert!(before.iter().all(|(url, request)| after.get(url) == Some(request)));
}
