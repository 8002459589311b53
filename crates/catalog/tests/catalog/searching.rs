//! What the search index asks: which documents there are, and what changed about them.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::collections::BTreeMap;

on_both_engines! {
    documents_can_be_found
    marks_change_with_what_they_stand_for
    statements_come_by_body
    captures_come_by_number
}

/// A kept page, a picture of which only the header is there, a revisit of the page, an error, a page
/// that is gone since, and robots.txt.
async fn harvest_to_search(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let revisit = Storage::Revisit { place: record(3), original: CaptureId(1) };
    let header_only = Storage::HeaderOnly { reason: "media type".to_owned() };
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=6).map(|id| offer(id, 1)).collect(),
        captures: vec![
            capture(1, 1, 1, run),
            Capture { storage: header_only, ..capture(2, 2, 1, run) },
            Capture { storage: revisit, ..capture(3, 3, 1, run) },
            Capture { status: 404, ..capture(4, 4, 1, run) },
            capture(5, 5, 1, run),
            Capture { status: 404, ..capture(6, 5, 1, run) },
            capture(7, 6, 1, run),
        ],
        changes: [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (6, 7)]
            .map(|(request, capture)| done(request, capture))
            .into(),
        warcs: vec![warc()],
        ..Commit::default()
    };
    harvest.commit(commit).await;
    harvest.catalog.store_contents(&[content(1, 1), content(5, 5)], &[]).await.unwrap();
    let gone = Document {
        capture: Some(CaptureId(6)),
        content: Some(CaptureId(6)),
        gone: true,
        ..document(5, Keeping::Left, CorpusRule::Status)
    };
    let documents = [
        document(1, Keeping::Kept, CorpusRule::All),
        document(2, Keeping::Unknown, CorpusRule::NoBody),
        Document {
            content: Some(CaptureId(1)),
            ..document(3, Keeping::Left, CorpusRule::Duplicate)
        },
        document(4, Keeping::Left, CorpusRule::Status),
        gone,
        Document {
            capture: Some(CaptureId(7)),
            ..document(6, Keeping::Left, CorpusRule::Machinery)
        },
    ];
    harvest.catalog.store_documents(&documents, NOW).await.unwrap();
    harvest
}

async fn all(catalog: &Catalog, run: Option<RunId>) -> Vec<SearchableDocument> {
    catalog.searchable_documents(run, RequestId(0), 100).await.unwrap()
}

async fn documents_can_be_found(place: Database) {
    let harvest = harvest_to_search(place).await;
    let found = all(&harvest.catalog, None).await;
    let told: Vec<_> =
        found.iter().map(|it| (it.request.0, it.content.map(|it| it.0), it.gone)).collect();
    // The error and robots.txt are no documents; what is gone is found as it was last.
    assert_eq!(
        told,
        [(1, Some(1), false), (2, None, false), (3, Some(1), false), (5, Some(5), true)]
    );
    let first = &found[0];
    assert_eq!((first.url.as_str(), first.host.as_str()), ("http://h1.example/1", "h1.example"));
    assert_eq!((first.label.as_deref(), first.keeping), (Some("GI"), Keeping::Kept));
    assert_eq!((first.format, first.language.as_deref()), (Some(Format::Html), Some("de")));
    assert_eq!((first.page_title.as_deref(), first.size), (Some("Seite 1"), Some(1000)));
    assert_eq!((first.captured, first.versions, &first.class), (seconds(1), 1, &None));
    assert_eq!(harvest.catalog.count_searchable().await.unwrap(), 4);

    let page = harvest.catalog.searchable_documents(None, RequestId(1), 2).await.unwrap();
    assert_eq!(page, found[1..3]);
}

fn statement(field: Field, value: &str, weight: f64) -> Statement {
    Statement {
        field,
        value: value.to_owned(),
        parts: Vec::new(),
        weight,
        initial: 0.5,
        rules: Vec::new(),
        place: None,
        origin: (field == Field::Keywords).then(|| "meta tag".to_owned()),
        chosen: weight > 0.5,
    }
}

async fn describe(catalog: &Catalog, statements: Vec<Statement>) -> RunId {
    let new = NewRun { stage: "describe", worker: "w", config: "", at: NOW };
    let run = catalog.begin_run(new).await.unwrap();
    let new = NewDescribeRun {
        heuristics: "default",
        heuristics_digest: "h",
        heuristics_text: "",
        weights_digest: "w",
        weights_text: None,
    };
    catalog.begin_describe_run(run, new).await.unwrap();
    say(catalog, run, statements).await;
    run
}

async fn say(catalog: &Catalog, run: RunId, statements: Vec<Statement>) {
    let description = Description {
        statements,
        field_weights: Vec::new(),
        class: "article".to_owned(),
        trouble: None,
    };
    let described = DescribedCapture { capture: CaptureId(1), description };
    catalog.store_descriptions(run, &[described]).await.unwrap();
}

async fn marks_change_with_what_they_stand_for(place: Database) {
    let harvest = harvest_to_search(place).await;
    let catalog = &harvest.catalog;
    let marks = async |run| -> BTreeMap<i64, u64> {
        all(catalog, run).await.iter().map(|it| (it.request.0, it.mark)).collect()
    };
    let before = marks(None).await;
    assert_eq!(marks(None).await, before, "nothing happened");

    let run = describe(catalog, vec![statement(Field::Title, "Ringe", 0.75)]).await;
    let described = marks(Some(run)).await;
    say(catalog, run, vec![statement(Field::Title, "Ringe", 0.5)]).await;
    let doubted = marks(Some(run)).await;
    // The page and its revisit share the body.
    let changed = |old: &BTreeMap<i64, u64>, new: &BTreeMap<i64, u64>| -> Vec<i64> {
        new.iter().filter(|(id, mark)| old.get(id) != Some(mark)).map(|(id, _)| *id).collect()
    };
    assert_eq!(changed(&described, &doubted), [1, 3]);

    let judged = document(2, Keeping::Left, CorpusRule::MimeType);
    catalog.store_documents(&[judged], NOW).await.unwrap();
    let judged = marks(Some(run)).await;
    assert_eq!(changed(&doubted, &judged), [2]);

    let link = ContentLink {
        capture: CaptureId(1),
        target: offer(5, 1).key,
        kind: TargetKind::Page,
        text: Some("die alte Seite".to_owned()),
    };
    catalog.store_contents(&[content(1, 1)], &[link]).await.unwrap();
    assert_eq!(changed(&judged, &marks(Some(run)).await), [5]);
}

async fn statements_come_by_body(place: Database) {
    let harvest = harvest_to_search(place).await;
    let catalog = &harvest.catalog;
    let said = vec![
        statement(Field::Title, "Ringe", 0.75),
        statement(Field::Title, "Home", 0.01),
        statement(Field::Keywords, "Algebra", 0.25),
    ];
    let run = describe(catalog, said).await;
    let captures = [CaptureId(1), CaptureId(5)];
    let found = catalog.searchable_statements(run, &captures, 0.1).await.unwrap();
    assert_eq!(found.len(), 1);
    let told: Vec<_> = found[&CaptureId(1)]
        .iter()
        .map(|it| (it.field, it.value.as_str(), it.weight, it.origin.as_deref(), it.chosen))
        .collect();
    assert_eq!(
        told,
        [
            (Field::Keywords, "Algebra", 0.25, Some("meta tag"), false),
            (Field::Title, "Ringe", 0.75, None, true),
        ]
    );
}

async fn captures_come_by_number(place: Database) {
    let harvest = harvest_to_search(place).await;
    let wanted = [CaptureId(5), CaptureId(1), CaptureId(99)];
    let found = harvest.catalog.body_places(&wanted).await.unwrap();
    let told: Vec<_> = found.iter().map(|(id, stored)| (id.0, stored.url.as_str())).collect();
    assert_eq!(told, [(1, "http://h1.example/1"), (5, "http://h1.example/5")]);
    assert!(harvest.catalog.body_places(&[]).await.unwrap().is_empty());
}
