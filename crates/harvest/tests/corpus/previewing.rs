//! What other rules would make of the corpus is what they then make of it.

use crate::building::institute;
use crate::field::Field;
use auslese_corpus::{Choice, CorpusRules};
use auslese_harvest::{CorpusPreview, StoringRules, preview_corpus};
use auslese_model::{CorpusRule, Keeping, RequestId};
use std::collections::BTreeMap;

fn preview(field: &Field, rules: &CorpusRules) -> CorpusPreview {
    field.with_catalog(async |catalog| {
        preview_corpus(catalog, rules, &StoringRules::default()).await.unwrap()
    })
}

fn verdicts(field: &Field) -> BTreeMap<RequestId, (Keeping, CorpusRule)> {
    let documents = field.documents().into_iter();
    documents
        .map(|it| (it.document.request, (it.document.verdict.keeping, it.document.verdict.rule)))
        .collect()
}

#[test]
fn a_preview_is_what_then_happens() {
    let field = institute();
    // Nothing was read out yet: that is told, instead of guessed.
    let early = preview(&field, &CorpusRules::default());
    assert!(early.unread > 10, "{early:?}");
    field.corpus(|job| job.rules = CorpusRules::default());
    let same = preview(&field, &CorpusRules::default());
    assert_eq!((same.unread, same.changes.len()), (0, 0), "{same:?}");

    let default = CorpusRules::default;
    let others = [
        CorpusRules { languages: vec!["de".to_owned()], ..default() },
        CorpusRules { mime_types: Vec::new(), max_size: None, ..default() },
        CorpusRules { max_size: Some(1_000), unwanted_suffixes: Vec::new(), ..default() },
        CorpusRules { duplicates: Choice::Leave, near_duplicates: Choice::Leave, ..default() },
        CorpusRules { ports: vec![8080], ..default() },
        CorpusRules { leave: vec!["*handbuch*".to_owned()], ..default() },
    ];
    for rules in others {
        let before = verdicts(&field);
        let shown = preview(&field, &rules);
        assert_eq!(verdicts(&field), before, "a preview changes nothing");
        let report = field.corpus(|job| job.rules = rules.clone());
        assert_eq!(shown.rules, report.rules, "{rules:?}");
        let after = verdicts(&field);
        let kept = |from: bool, to: bool| {
            let is_kept = |it: &(Keeping, CorpusRule)| it.0 == Keeping::Kept;
            let changed = after
                .iter()
                .filter(|(request, now)| is_kept(&before[*request]) == from && is_kept(now) == to);
            changed.count() as u64
        };
        let gained = shown.changed(|it| !it.was_kept() && it.becomes_kept());
        let lost = shown.changed(|it| it.was_kept() && !it.becomes_kept());
        assert_eq!((gained, lost), (kept(false, true), kept(true, false)), "{rules:?}");
        let changed = after.iter().filter(|(request, now)| before[*request] != **now).count();
        assert_eq!(shown.changed(|_| true), changed as u64);
        assert!(changed > 0, "{rules:?} make a difference");
        for (change, documents) in &shown.changes {
            for example in &documents.examples {
                assert_eq!(before.get(&example.request).copied(), change.from);
                assert_eq!(after[&example.request], change.to, "{}", example.url);
            }
        }
    }
}
